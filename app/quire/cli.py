"""The same services without a window: new, draft, info, text. Imports neither Qt nor torch."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO, get_args

from quire import __version__
from quire.client.engine_client import Backend, EngineClient
from quire.console import DraftConsole
from quire.domain.manuscript import cleaned
from quire.domain.run import Run, RunState
from quire.errors import WriterProblem
from quire.services.drafting import ACCELERATED, Drafting
from quire.services.projects import ProjectDesk, ProjectOverview, read_project
from quire_engine.config import PLAIN, Dtype, ModelConfig
from quire_engine.messages import FinishReason
from quire_engine.metrics.words import count_words
from quire_resources import BUILT_IN_MODEL

SUFFIX = ".quire"
MAX_OPENING_BYTES = 64 * 2**20
MAX_WORDS = 10_000_000
"""More than the longest novel there is."""
PROBLEM = 1
PAUSED = 130
"""What a shell reports of a program that Ctrl-C ended."""


def built_in_engine() -> Backend:
    """Return the real engine; it loads torch only with a model."""
    from quire_engine.engine import Engine

    return Engine()


def main(arguments: Sequence[str], make_backend: Callable[[], Backend] = built_in_engine) -> int:
    """Run one command; return 0, 1 after a sentence on what went wrong, or 130 when it was paused."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # a title may hold what an old console cannot show
        sys.stdout.reconfigure(errors="replace")
    options = _parser().parse_args(arguments)
    try:
        match options.command:
            case "new":
                return asyncio.run(_new(options.file, options.opening, options.title))
            case "draft":
                return asyncio.run(_draft(options, make_backend))
            case "info":
                return _info(options.file, as_json=options.json)
            case _:
                return _text(options.file)
    except WriterProblem as problem:
        sys.stderr.write(f"quire: {problem}\n")
        return PROBLEM
    except KeyboardInterrupt:
        return PAUSED
    except BrokenPipeError:  # whoever read our output has enough
        _mute(sys.stdout, sys.stderr)
        return PROBLEM
    except OSError as error:  # projects tell their own problems, so this was said to a terminal or a file
        _mute(sys.stdout)
        with contextlib.suppress(OSError):
            sys.stderr.write(
                f"quire: The output could not be written ({error.strerror or error}). Check where it goes.\n"
            )
            return PROBLEM
        _mute(sys.stderr)
        return PROBLEM


def _mute(*streams: TextIO) -> None:
    """Have what is still to be written go nowhere; Python would complain at exit once more."""
    for stream in streams:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="quire", description="Draft with a local language model. Without a command the window opens."
    )
    parser.add_argument("--version", action="version", version=f"quire {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    new = commands.add_parser("new", help="make a project from an opening")
    new.add_argument("file", type=Path, metavar="FILE.quire")
    new.add_argument(
        "--opening", required=True, metavar="TEXTFILE", help="text in UTF-8; - reads standard input"
    )
    new.add_argument("--title", help="the file's name if not given")

    draft = commands.add_parser("draft", help="draft on; Ctrl-C pauses, the same command goes on")
    draft.add_argument("file", type=Path, metavar="FILE.quire")
    draft.add_argument(
        "--words", type=_positive, required=True, help="words of the run, earlier ones included"
    )
    draft.add_argument("--seed", type=_seed, help="of a new run; drawn if not given")
    draft.add_argument("--dtype", choices=get_args(Dtype), default="auto", help="what to compute in")
    draft.add_argument(
        "--plain", action="store_true", help="without acceleration: the same text, as a rule more slowly"
    )
    draft.add_argument(
        "--model", type=Path, default=BUILT_IN_MODEL, metavar="DIR", help="a Hugging Face folder"
    )
    draft.add_argument(
        "--read-tail", action="store_true", help="read only the newest part of a text that is too long"
    )

    info = commands.add_parser("info", help="say what is in a project")
    info.add_argument("file", type=Path, metavar="FILE.quire")
    info.add_argument("--json", action="store_true", help="for programs")

    text = commands.add_parser("text", help="write the manuscript to standard output, in UTF-8")
    text.add_argument("file", type=Path, metavar="FILE.quire")
    return parser


def _positive(argument: str) -> int:
    number = int(argument)
    if not 1 <= number <= MAX_WORDS:
        raise argparse.ArgumentTypeError(f"must be from 1 to {MAX_WORDS:,}")
    return number


def _seed(argument: str) -> int:
    number = int(argument)
    if not 0 <= number < 2**63:
        raise argparse.ArgumentTypeError("must be from 0 to 2^63 - 1")
    return number


# ---------------------------------------------------------------- new
async def _new(path: Path, opening: str, title: str | None) -> int:
    if path.suffix != SUFFIX:
        raise WriterProblem(f"A project file is called NAME{SUFFIX}. Use {path.name}{SUFFIX}, for example.")
    text = cleaned(_read_opening(opening))
    if not text.strip():
        raise WriterProblem("The opening is empty. Write a few sentences for the draft to go on from.")
    desk = await ProjectDesk.create(path, path.stem if title is None else title, text)
    await desk.close()
    sys.stderr.write(f"Made {path} with an opening of {count_words(text):,} words.\n")
    return 0


def _read_opening(name: str) -> str:
    try:
        if name == "-":
            content = sys.stdin.buffer.read(MAX_OPENING_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                content = file.read(MAX_OPENING_BYTES + 1)
    except FileNotFoundError:
        raise WriterProblem(f"There is no file {name}. Check the name of the opening.") from None
    except OSError as error:
        raise WriterProblem(
            f"The opening {name} cannot be read ({error.strerror}). Choose a text file."
        ) from error
    shown = "standard input" if name == "-" else name
    if len(content) > MAX_OPENING_BYTES:
        raise WriterProblem(f"The opening {shown} is longer than 64 MiB. Choose a shorter text.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise WriterProblem(
            f"The opening {shown} is not plain text in UTF-8. Save it as UTF-8 text and try again."
        )
    return text


# ---------------------------------------------------------------- draft
async def _draft(options: argparse.Namespace, make_backend: Callable[[], Backend]) -> int:
    with PauseSignals() as signals:
        desk = await ProjectDesk.open(options.file)
        console = DraftConsole(sys.stderr, partial(_num_stored, desk), animated=sys.stderr.isatty())
        try:
            if desk.recovered_words:
                console.say(
                    f"The last run was cut off; the {desk.recovered_words:,} words it had stored are kept."
                )
            async with EngineClient(make_backend()) as client:
                model = ModelConfig(str(options.model), options.dtype)
                drafting = Drafting(client, desk, console, model, PLAIN if options.plain else ACCELERATED)
                signals.pause = drafting.pause
                if signals.asked:
                    return PAUSED
                run = await drafting.draft(
                    options.words, seed=options.seed, read_tail=True if options.read_tail else None
                )
        finally:
            console.clear()
            await desk.close()
    return _report(run, options.words, console, paused=signals.asked)


def _num_stored(desk: ProjectDesk) -> int:
    return 0 if desk.last_run is None else desk.last_run.num_words


def _report(run: Run, words: int, console: DraftConsole, *, paused: bool) -> int:
    # a seed that was drawn for a run the model did not begin is drawn anew next time
    seed = f", seed {run.sampling.seed}" if run.started else ""
    figures = f"run {run.run_id}{seed}: {run.num_words:,} words"
    if run.has_words(words) or (run.finish_reason is FinishReason.END_OF_TEXT):
        console.say(console.sentence or f"Finished {figures}.")
        return 0
    if paused and run.state is not RunState.FAILED:
        console.say(f"Paused {figures}, all of it stored. The same command goes on.")
        return PAUSED
    console.say(f"quire: {console.sentence or run.error}")
    return PROBLEM


class PauseSignals:
    """Turns Ctrl-C and a polite kill into a pause for as long as the block lasts."""

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


# ---------------------------------------------------------------- info, text
def _info(path: Path, *, as_json: bool) -> int:
    overview = read_project(path)
    facts = _facts(overview)
    sys.stdout.write(json.dumps(facts, indent=2) + "\n" if as_json else _table(facts))
    sys.stdout.flush()
    return 0


def _facts(overview: ProjectOverview) -> dict[str, Any]:
    return {
        "file": str(overview.path),
        "title": overview.project.title,
        "created": overview.project.created.isoformat(),
        "language": overview.project.language,
        "words": count_words(overview.text),
        "characters": len(overview.text),
        "schema_version": overview.schema_version,
        "application_id": overview.application_id,
        "runs": [_run_facts(run) for run in overview.runs],
    }


def _run_facts(run: Run) -> dict[str, Any]:
    return {
        "id": run.run_id,
        "state": run.state.value,
        "seed": run.sampling.seed,
        "settings": asdict(run.sampling),
        "goal_words": run.goal_words,
        "words": run.num_words,
        "tokens": run.num_tokens,
        "prompt_tokens": run.num_prompt,
        "left_out_tokens": run.num_left_out,
        "model": None if run.model is None else asdict(run.model),
        "finish_reason": None if run.finish_reason is None else run.finish_reason.value,
        "error": run.error,
        "created": None if run.created is None else run.created.isoformat(),
        "updated": None if run.updated is None else run.updated.isoformat(),
    }


def _table(facts: dict[str, Any]) -> str:
    lines = [
        f"{facts['title']}: {facts['words']:,} words, {facts['characters']:,} characters",
        f"{facts['file']}, made {facts['created']}, format {facts['schema_version']}",
    ]
    for run in facts["runs"]:
        model = f"{run['model']['name']} in {run['model']['dtype']}" if run["model"] else "no model yet"
        lines.append(
            f"run {run['id']}: {run['state']}, {run['words']:,} of {run['goal_words']:,} words,"
            f" {run['tokens']:,} tokens, seed {run['seed']}, {model}"
        )
        if run["error"]:
            lines.append(f"  {run['error']}")
    return "\n".join(lines) + "\n"


def _text(path: Path) -> int:
    sys.stdout.buffer.write(read_project(path).text.encode())
    sys.stdout.buffer.flush()
    return 0
