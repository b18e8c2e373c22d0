"""The same services without a window. Imports neither Qt nor torch."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO, get_args

from quire import __version__
from quire.cli import model_commands, project_commands
from quire.cli.draft_console import DraftConsole
from quire.cli.import_console import folder_of
from quire.cli.server_options import add_server_options, server_config
from quire.client.engine_client import Backend, EngineClient
from quire.client.local_engine import real_backend
from quire.domain.drafting.resume_decision import RunRequest
from quire.domain.drafting.run import Run, RunState
from quire.domain.manuscript.manuscript import Document
from quire.domain.text_quality.loop_guard import LoopGuard
from quire.errors import SaveElsewhere, WriterProblem
from quire.services.drafting.drafting import ACCELERATED, Drafting
from quire.services.drafting.steering_service import ProjectSteering
from quire.services.model_library.model_by_name import find_by_name
from quire.services.model_library.model_library import prepared_elsewhere
from quire.services.model_library.starter_model import starter_file
from quire.services.project.project_session import ProjectSession
from quire.services.transactions import project_text
from quire.services.transactions.damage_notice import named_damage
from quire.services.transactions.saving_elsewhere import free_name
from quire.system.app_folders import cache_folder
from quire.system.file_sizes import size_text
from quire_engine.api.command_parser import CommandParser, whole_number
from quire_engine.api.config import PLAIN, Dtype, ModelConfig, Weights
from quire_engine.api.messages import FinishReason
from quire_resources import BUILT_IN_MODEL

if TYPE_CHECKING:
    from quire.cli.draft_watch import DraftWatch

MAX_WORDS = 10_000_000
"""More than the longest novel there is."""
PROBLEM = 1
LOOPED = 3
"""A draft paused because its text repeats itself or has no words."""
PAUSED = 130
"""What a shell reports of a program that Ctrl-C ended."""


def main(arguments: Sequence[str], make_backend: Callable[[], Backend] = real_backend) -> int:
    """Run one command; return 0, 1 after a sentence on what went wrong, 3 when a draft loops, or 130 when it
    was paused."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # an old console cannot show every character
        sys.stdout.reconfigure(errors="replace")
    try:
        return _run(arguments, make_backend)
    except WriterProblem as problem:
        sys.stderr.write(f"quire: {problem}\n")
        return PROBLEM
    except KeyboardInterrupt:
        return PAUSED
    except BrokenPipeError:  # the reader of our output has closed it
        _mute(sys.stdout, sys.stderr)
        return PROBLEM
    except OSError as error:  # projects tell their own problems, so this was said to a terminal or a file
        _mute(sys.stdout)
        with contextlib.suppress(OSError):
            sys.stderr.write(
                f"quire: Could not write the output ({error.strerror or error}). Check where it goes.\n"
            )
            return PROBLEM
        _mute(sys.stderr)
        return PROBLEM


def _run(arguments: Sequence[str], make_backend: Callable[[], Backend]) -> int:
    try:
        options = _parser().parse_args(arguments)
    except SystemExit:  # after the help, or a complaint
        sys.stdout.flush()
        raise
    if options.command == "draft":
        return asyncio.run(_draft(options, make_backend))
    if options.command == "models":
        return asyncio.run(model_commands.run(options, PauseSignals))
    return asyncio.run(project_commands.run(options))


def _mute(*streams: TextIO) -> None:
    """Discard further output; otherwise Python would complain again at exit."""
    for stream in streams:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog="quire",
        usage="quire COMMAND ...  or  quire [FILE.quire] to open the window",
        description="Draft with a local language model. Without a command, the window opens.",
        epilog="Exit status: 0 done; 1 a problem, with a sentence; 2 a command line that was not understood; "
        "3 a draft that loops, paused; 130 stopped or paused.",
    )
    parser.add_argument("--version", action="version", version=f"quire {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", prog="quire")
    draft = commands.add_parser("draft", help="continue a draft; Ctrl-C pauses, the same command continues")
    draft.add_argument("file", type=Path, metavar="FILE.quire")
    _add_run_options(draft)
    _add_model_options(draft)
    add_server_options(draft)
    project_commands.add_parsers(commands)
    model_commands.add_parsers(commands)
    return parser


def _add_run_options(draft: argparse.ArgumentParser) -> None:
    """Add what is drafted, and how."""
    draft.add_argument(
        "--words",
        type=whole_number(1, MAX_WORDS),
        required=True,
        help="goal in words, including those already drafted",
    )
    draft.add_argument(
        "--seed", type=whole_number(0, 2**63 - 1), help="seed for a new draft; random if not given"
    )
    draft.add_argument(
        "--plain", action="store_true", help="draft without acceleration: same text, usually slower"
    )
    draft.add_argument(
        "--read-tail",
        action="store_true",
        help=argparse.SUPPRESS,  # always so; scripts may say it
    )
    draft.add_argument(
        "--fast-resume",
        action="store_true",
        help="save a large file beside the project so that the next draft need not reread the text",
    )
    draft.add_argument(
        "--ignore-loops",
        action="store_true",
        help="go on when the draft repeats itself or has no more words; by default it pauses (exit status 3)",
    )


def _add_model_options(draft: argparse.ArgumentParser) -> None:
    """Add which model drafts, and how it is computed."""
    draft.add_argument("--dtype", choices=get_args(Dtype), default="auto", help="precision to compute in")
    draft.add_argument(
        "--weights", choices=get_args(Weights), default="auto",
        help="int8 needs about half the memory and changes the wording",
    )  # fmt: skip
    draft.add_argument(
        "--model",
        type=Path,
        metavar="DIR|FILE.gguf",
        help="a model's folder, or a GGUF file, which is imported first; by default the model that the "
        "project was drafted with, or the built-in one",
    )
    draft.add_argument(
        "--draft-model", type=Path, metavar="DIR|FILE.gguf",
        help="a smaller model, which drafts ahead: faster where that pays, same words",
    )  # fmt: skip


# ---------------------------------------------------------------- draft
async def _draft(options: argparse.Namespace, make_backend: Callable[[], Backend]) -> int:
    with PauseSignals() as signals:
        session = await ProjectSession.open(options.file)
        console = DraftConsole(sys.stderr, partial(_num_stored, session), animated=sys.stderr.isatty())
        try:
            for notice in session.notices:
                console.say(notice)
            if session.recovered_words:
                console.say(
                    f"The last draft was interrupted; its {session.recovered_words:,} saved words are kept."
                )
            if damage := await session.read(named_damage):
                console.say(f"Damaged in this project: {'; '.join(damage)}. `quire check` says more.")
            await _go_to_the_end(session, console)
            async with EngineClient(make_backend()) as client:
                model = await _chosen_model(options, session, console, signals)
                if model is None:
                    return PAUSED
                guard = LoopGuard(lambda: drafting.pause(), is_on=not options.ignore_loops)
                watch = await _watch(session, console, guard)
                drafting = Drafting(
                    client, session, watch, model, PLAIN if options.plain else ACCELERATED,
                    steering=await ProjectSteering.of(session, console.say),
                )  # fmt: skip
                signals.pause = drafting.pause
                if signals.asked:
                    return PAUSED
                run = await drafting.draft(RunRequest(options.words, options.seed, read_tail=True))
                if options.fast_resume:
                    await _keep_fast_resume(drafting, console)
                await drafting.fast_resume.settle()
        finally:
            console.clear()
            is_elsewhere = await _saved_elsewhere(session, console)
            with contextlib.suppress(*([SaveElsewhere] if is_elsewhere else [])):
                await session.close()
    if is_elsewhere:
        return PROBLEM
    return _report(run, options.words, console, paused=signals.asked, looped=guard.has_paused)


async def _watch(session: ProjectSession, console: DraftConsole, guard: LoopGuard) -> DraftWatch:
    from quire.cli.draft_watch import (
        DraftWatch,
    )  # measuring a text imports numpy, which no other command needs

    return await DraftWatch.of(session, console, guard)


async def _chosen_model(
    options: argparse.Namespace, session: ProjectSession, console: DraftConsole, signals: PauseSignals
) -> ModelConfig | None:
    """Return the model to draft with; None when an import was stopped."""
    if (on_server := await server_config(options, console)) is not None:
        return on_server
    named: Path | None = options.model
    folder = await (_own_model(session, console) if named is None else folder_of(named, signals))
    if folder is None:
        return None
    small: Path | None = options.draft_model
    if small is not None and (small := await folder_of(small, signals)) is None:
        return None
    return ModelConfig(
        str(folder), options.dtype, cache_folder=str(cache_folder()), weights=options.weights,
        drafters_folder=prepared_elsewhere(folder), ngrams_folder=str(BUILT_IN_MODEL),
        draft_model_folder="" if small is None else str(small), guesser_file=str(starter_file() or ""),
    )  # fmt: skip


async def _saved_elsewhere(session: ProjectSession, console: DraftConsole) -> bool:
    """Save everything under another name if something happened to the file; return whether it did."""
    problem = await session.file_problem()
    if problem is None:
        return False
    console.say(f"quire: {problem}")
    folder = session.path.parent if session.path.parent.is_dir() else Path.cwd()
    try:
        shown = Document(session.document_id, session.document.title, session.text)
        saved = await session.save_elsewhere(free_name(folder / session.path.name), shown)
    except WriterProblem as failure:
        console.say(failure.message)
    else:
        console.say(saved.message)
    return True


async def _own_model(session: ProjectSession, console: DraftConsole) -> Path:
    """Return the model that the newest draft was made with, or the built-in one; print which is missing."""
    models = [run.model for run in session.runs if run.started and run.model is not None]
    if not models or models[-1].name == BUILT_IN_MODEL.name:
        return BUILT_IN_MODEL
    name = models[-1].name
    if models[-1].is_on_server:
        console.say(
            f"This project was drafted with {name} on a server (--server gives its address). Drafting with "
            "the built-in model."
        )
        return BUILT_IN_MODEL
    found = await asyncio.to_thread(find_by_name, name, models[-1].fingerprint)
    if found is None:
        console.say(
            f"This project was drafted with {name}, which is not on this computer (--model names its "
            "folder). Drafting with the built-in model."
        )
    return BUILT_IN_MODEL if found is None else found


async def _go_to_the_end(session: ProjectSession, console: DraftConsole) -> None:
    """Draft at the end of the book, unless a text was opened in the window; print where that is."""
    order = session.tree.reading_order()
    if len(order) < 2:
        return
    if not await session.read(project_text.has_open_document):
        await session.open_document(order[-1].node_id)
    console.say(f"Drafting at the end of {' '.join(session.document.title.split())}.")


async def _keep_fast_resume(drafting: Drafting, console: DraftConsole) -> None:
    if not drafting.fast_resume.num_bytes:
        return
    try:
        kept = await drafting.fast_resume.keep()
    except WriterProblem as problem:  # the draft is stored all the same
        console.say(problem.message)
    else:
        console.say(f"Saved {kept.path} ({size_text(kept.num_bytes)}) for the next draft.")


def _num_stored(session: ProjectSession) -> int:
    return 0 if session.last_run is None else session.last_run.num_words


def _report(run: Run, words: int, console: DraftConsole, *, paused: bool, looped: bool) -> int:
    # a seed that was drawn for a run the model did not begin is drawn anew next time
    seed = f", seed {run.sampling.seed}" if run.started else ""
    figures = f"run {run.run_id}{seed}: {run.num_words:,} words"
    if run.has_words(words) or (run.finish_reason is FinishReason.END_OF_TEXT):
        console.say(console.sentence or f"Finished {figures}.")
        return 0
    if paused and run.state is not RunState.FAILED:
        console.say(f"Paused {figures}, all saved. Run the same command to continue.")
        return PAUSED
    if looped and run.state is not RunState.FAILED:
        console.say(
            f"Paused {figures}, all saved. Run the same command to continue all the same, or delete what "
            "repeats in the window first."
        )
        return LOOPED
    console.say(f"quire: {console.sentence or run.error}")
    return PROBLEM


class PauseSignals:
    """Turns Ctrl-C and SIGTERM into a pause for as long as the block lasts."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._before: dict[signal.Signals, Any] = {}
        self.asked = False
        self.pause: Callable[[], None] | None = None

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.getsignal(number)
            signal.signal(number, self._received)
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def _received(self, _number: int, _frame: object) -> None:
        self._loop.call_soon_threadsafe(self._ask)  # wakes the loop, which Windows would leave asleep

    def _ask(self) -> None:
        self.asked = True
        if self.pause is not None:
            self.pause()
