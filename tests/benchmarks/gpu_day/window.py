"""`python -m tests.benchmarks.gpu_day.window`: draft in the real window, on a screen or a virtual one.

The book lies in a folder of its own and grows from call to call. Meanwhile another program may take the
memory, or the graphics card may be hidden from the whole process (`CUDA_VISIBLE_DEVICES`): then the window
must say in a sentence what happened, and draft on. The report gives speed, memory and lateness for each part
of the draft, and the project file keeps every step (`quire runs FILE --json`), so a draft as long as a novel
can be recorded, too.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quire.system.display import window_problem
from quire_engine.catalog.computer_memory import read_memory
from quire_engine.metrics.word_count import count_words
from quire_resources import SAMPLE_OPENING

if TYPE_CHECKING:  # Qt is imported when the kind of screen is settled
    from PySide6.QtWidgets import QApplication

    from quire.application import Application
    from tests.benchmarks.app.window_driver import Desk

_SHARES = (0.5, 0.95, 0.99)
_TRIES = 4
"""How often Continue is pressed at most, where a draft paused by itself."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Draft and write a report; exit status: 0 all words were written, 1 otherwise."""
    args = _parser().parse_args(arguments)
    args.folder.mkdir(parents=True, exist_ok=True)
    with _own_folders(args.folder), _screen():
        from PySide6.QtWidgets import QApplication
        from qasync import QEventLoop

        app = QApplication(["quire"])
        app.setQuitOnLastWindowClosed(False)
        with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
            report = runner.run(_draft(app, args))
    args.json_path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{report['words']:,} words in {report['seconds']:.0f} s; {'; '.join(report['said'])}\n")
    return 0 if report["words"] >= args.words else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.gpu_day.window", description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="for the book and Quire's own files")
    parser.add_argument("--model", type=Path, default=None, help="model folder; default: the built-in model")
    parser.add_argument("--words", type=int, default=20_000)
    parser.add_argument("--every", type=int, default=5_000, help="words of a part in the report")
    parser.add_argument("--take-memory", default="", metavar="DEVICE", help="by another program, meanwhile")
    parser.add_argument("--left", type=int, default=1 << 28, help="bytes that it leaves (CPU: that it takes)")
    parser.add_argument("--picture", type=Path, default=None, help="save the window as it is at the end")
    parser.add_argument("--json", type=Path, dest="json_path", metavar="OUT", required=True)
    return parser


async def _draft(app: QApplication, args: argparse.Namespace) -> dict[str, Any]:
    from PySide6.QtGui import QGuiApplication

    from quire.client.local_engine import real_backend
    from quire.domain.drafting.draft_status import DraftState
    from quire.services.transactions.project_creation import create_cut
    from tests.benchmarks.app.latency_probes import turns_until
    from tests.benchmarks.app.window_driver import Desk, open_window

    path = args.folder / "Book.quire"
    if not path.exists():
        create_cut(path, "A Day", SAMPLE_OPENING.read_text(encoding="utf-8"))
    model = "" if args.model is None else str(args.model)
    before, began = await _words_in(path), time.perf_counter()
    said, parts = list[str](), list[dict[str, Any]]()
    async with open_window(app, args.folder, real_backend, model) as quire:
        desk, status = Desk(quire), quire.window.status
        await desk.open(path)
        await turns_until(lambda: status.num_words > 0, 0.01)
        counted = status.num_words
        for _ in range(_TRIES):
            goal = max(args.words - status.num_words + counted, 1)
            run = asyncio.ensure_future(_run_in_parts(desk, goal, args.every, parts))
            async with _memory_taken(quire, args, run, said):
                await run
            said.append(f"{status.status.state.value}: {status.status.sentence}".removesuffix(": "))
            if status.status.state is DraftState.FINISHED:
                break
        if args.picture is not None:
            quire.window.grab().save(str(args.picture))
        computes = f"{status.model_name}, {status.dtype}"
    return {
        "words": await _words_in(path) - before,
        "seconds": time.perf_counter() - began,
        "screen": QGuiApplication.platformName(),
        "computes": computes,
        "cards": os.environ.get("CUDA_VISIBLE_DEVICES", "all"),
        "said": said,
        "share_late_by_own_work": max(part["share_late_by_own_work"] for part in parts),
        "parts": parts,
    }


async def _run_in_parts(desk: Desk, goal_words: int, every: int, parts: list[dict[str, Any]]) -> None:
    """Draft this many words; add the time, memory and lateness of each part to `parts`."""
    from tests.benchmarks.app.latency_probes import share

    await desk.begin_draft(goal_words)
    reached = 0
    while desk.is_at_work:
        wall_s, cpu_s, before = time.perf_counter(), time.process_time(), reached
        lag, reached = await desk.draft_to((before // every + 1) * every)
        late, work = [one.wall_ms for one in lag.took], [one.cpu_ms for one in lag.took]
        parts.append({
            "words": reached - before,
            "seconds": round(time.perf_counter() - wall_s, 1),
            "processor_seconds": round(time.process_time() - cpu_s, 1),
            "megabytes": round(read_memory().own / 1e6),
            "late_ms_p50_p95_p99": [round(share(late, part), 1) for part in _SHARES],
            "of_own_work_ms": [round(share(work, part), 1) for part in _SHARES],
            "share_late_by_own_work": lag.share_late_by_work,
        })  # fmt: skip
        _say(parts[-1])
    await desk.given_back()


def _say(part: dict[str, Any]) -> None:
    sys.stdout.write(f"{json.dumps(part)}\n")
    sys.stdout.flush()


async def _words_in(path: Path) -> int:
    """Return the words of a book, as its file has them."""
    from quire.services.project.project_session import ProjectSession
    from quire.services.transactions.book_texts import book_texts

    session = await ProjectSession.open(path)
    try:
        texts = await session.read(book_texts)
    finally:
        await session.close()
    return sum(count_words(document.text) for document in texts.documents.values())


@contextlib.asynccontextmanager
async def _memory_taken(
    quire: Application, args: argparse.Namespace, run: asyncio.Future[Any], said: list[str]
) -> AsyncIterator[None]:
    """Let another program take the memory as soon as the first run drafts, until that run is over."""
    if not args.take_memory or said:
        yield
        return
    from quire.domain.drafting.draft_status import DraftState
    from tests.benchmarks.app.latency_probes import turns_until
    from tests.benchmarks.gpu_day.memory_taker import memory_taken

    status = quire.window.status
    await turns_until(lambda: run.done() or status.status.state is DraftState.DRAFTING, 0.01)
    program = memory_taken(args.take_memory, args.left)
    taken = await asyncio.to_thread(program.__enter__)
    said.append(f"another program took {taken / 1e9:.2f} GB")
    try:
        yield
    finally:
        await asyncio.to_thread(program.__exit__, None, None, None)


@contextlib.contextmanager
def _own_folders(folder: Path) -> Iterator[None]:
    """Leave the writer's own settings, cache and notes alone; only compiled kernels are shared."""
    from quire_engine.integer.kernel_cache import keep_compiled_kernels

    keep_compiled_kernels()  # notes where they are

    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        os.environ[name] = str(folder / name.lower())
    yield


@contextlib.contextmanager
def _screen() -> Iterator[None]:
    """Take the screen that there is, else a virtual one: of Xvfb where it is installed, else of Qt itself."""
    if os.environ.get("QT_QPA_PLATFORM") or os.environ.get("DISPLAY"):
        yield
        return
    if shutil.which("Xvfb") is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        yield
        return
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1366x768x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        os.environ["DISPLAY"] = f":{server.stdout.readline().strip()}"
        if window_problem(os.environ):  # Qt would end the process: a library of X11 is missing
            os.environ["QT_QPA_PLATFORM"] = "offscreen"
        try:
            yield
        finally:
            server.terminate()


if __name__ == "__main__":
    raise SystemExit(main())
