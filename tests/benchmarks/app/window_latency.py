"""`python -m tests.benchmarks.app`: measure the window over a big book, as a table.

The project is made of --texts, or of the sample in variations. Everything happens in the real window, without
a screen. Beside the time by the clock stands how long the window's own thread worked: on a computer that does
other things as well, that is what Quire itself is to blame for.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from quire_engine.api.errors import EnvironmentProblem
from tests.benchmarks.app.synthetic_book import PacedBackend, book_pieces, words_of

if TYPE_CHECKING:  # Qt and the window are imported when the kind of screen is settled
    from PySide6.QtWidgets import QApplication

    from quire.domain.manuscript.chapter_splitting import TextSection
    from tests.benchmarks.app.latency_probes import Lag, Took

_RATE = 300.0
_EXPORTS = ("epub", "docx")
_HEAD = f"{'':<50}{'n':>6}{'p50':>9}{'p95':>9}{'p99':>9}{'max':>9}  |{'p50':>8}{'p99':>8}{'max':>8}  goal"
_UNITS = f"{'':<50}{'':>6}{'milliseconds by the clock':>36}  |{'of work by it':>24}"


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much of everything is measured. run_words: of each run whose lag is measured."""

    words: int = 300_000
    keys: int = 200
    every_s: float = 0.06
    switches: int = 60
    run_words: int = 3_000
    tokens: int = 100_000
    pauses: int = 30


_USUAL = Sizes()
SMALL = Sizes(words=7_000, keys=8, every_s=0.01, switches=3, run_words=60, tokens=160, pauses=2)


def main(arguments: Sequence[str] | None = None, sizes: Sizes | None = None) -> int:
    """Measure and print; exit status: 0 measured, 1 there is nothing to measure with."""
    args = _parser().parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sizes = sizes or Sizes(words=args.words, tokens=args.tokens, pauses=args.pauses)
    only = frozenset(args.only.split(",")) if args.only else frozenset(_PARTS)
    try:
        pieces = book_pieces(sizes.words, args.texts)
    except EnvironmentProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    from PySide6.QtWidgets import QApplication
    from qasync import QEventLoop

    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(["quire"])
    app.setQuitOnLastWindowClosed(False)
    sys.stdout.write(f"{_hardware()}\n{_about(pieces)}\n{_HEAD}\n{_UNITS}\n")
    with tempfile.TemporaryDirectory(prefix="quire-desk-speed-") as folder, _own_folders(Path(folder)):
        runner = asyncio.Runner(loop_factory=lambda: QEventLoop(app))
        with runner:
            runner.run(_measure(app, Path(folder), pieces, sizes, only))
    return 0


_PARTS = ("open", "keys", "switches", "find", "layers", "lag", "memory", "pauses", "export")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.app", description=__doc__)
    parser.add_argument("--words", type=int, default=_USUAL.words, help="length of the book")
    parser.add_argument("--texts", type=Path, help="a folder with .txt or .txt.xz files to make it of")
    parser.add_argument("--tokens", type=int, default=_USUAL.tokens, help="drafted while memory is measured")
    parser.add_argument("--pauses", type=int, default=_USUAL.pauses, help="of the built-in model")
    parser.add_argument("--only", default="", help=f"some of {', '.join(_PARTS)}")
    return parser


async def _measure(
    app: QApplication, folder: Path, pieces: Sequence[TextSection], sizes: Sizes, only: frozenset[str]
) -> None:
    from quire.services.transactions.project_creation import create_cut

    path, small = folder / "Big book.quire", folder / "Small book.quire"
    create_cut(path, "Big book", pieces)
    create_cut(small, "Small book", pieces[0].text[:2_000])
    model = folder / "model"
    model.mkdir()
    (model / "config.json").write_text("{}", encoding="utf-8")
    if only - {"pauses", "export"}:
        await _measure_window(app, folder, path, words_of(pieces), sizes, only)
    if "pauses" in only:
        await _measure_pauses(app, folder, small, sizes)
    if "export" in only:
        await _measure_exports(folder, path)


async def _measure_window(
    app: QApplication,
    folder: Path,
    path: Path,
    vocabulary: Sequence[str],
    sizes: Sizes,
    only: frozenset[str],
) -> None:
    from tests.benchmarks.app.window_driver import Desk, open_window

    backend = PacedBackend(vocabulary, _RATE)
    async with open_window(app, folder, lambda: backend, str(folder / "model")) as quire:
        desk = Desk(quire)
        opened = [await desk.open(path)]
        _print("open a book to the first key in it", opened, "< 1,000")
        if "switches" in only:
            _print("another chapter, click to painted", await desk.switches(sizes.switches), "p99 < 50")
        if "find" in only:
            _print("find in the book, to the list", await desk.find(), "< 300")
        if "layers" in only:
            await _measure_layers(desk)
        if "keys" in only:
            await _measure_keys(desk, sizes)
        if "lag" in only:
            await _measure_lag(desk, backend, sizes)
        if "memory" in only:
            await _measure_memory(desk, backend, sizes)


if TYPE_CHECKING:
    from tests.benchmarks.app.window_driver import Desk


async def _measure_layers(desk: Desk) -> None:
    painted, marked, lag = await desk.show_long_text()
    _print("60,000 characters with all layers, to painted", [painted])
    _print("  to the last mark", [marked])
    _print_lag("  event loop meanwhile", lag)


async def _measure_keys(desk: Desk, sizes: Sizes) -> None:
    chapters, goal = desk.chapters, "p99 < 16"
    beside = chapters[(len(chapters) - 1) // 2]
    await desk.go_to(beside)
    took = await desk.type(sizes.keys, sizes.every_s, at_start=False)
    _print("key to paint, nothing drafts", took, goal)
    await desk.go_to(chapters[-1])
    await desk.begin_draft(round(sizes.keys * sizes.every_s * _RATE * 20) + 1_000)
    took = await desk.type(sizes.keys, sizes.every_s, at_start=True)
    _print("  300 tokens/s below, in the same chapter", took, goal)
    await desk.go_to(beside)
    took = await desk.type(sizes.keys, sizes.every_s, at_start=False)
    _print("  300 tokens/s in another chapter", took, goal)
    took = await desk.switches(max(sizes.switches // 3, 1))
    _print("another chapter while one is drafted", took, "p99 < 50")
    await desk.pause()


async def _measure_lag(desk: Desk, backend: PacedBackend, sizes: Sizes) -> None:
    for rate in (100.0, 1_000.0):
        backend.tokens_per_s = rate
        await desk.go_to(desk.chapters[-1])
        lag = await desk.whole_run(round(sizes.run_words * (1 if rate < _RATE else 3)))
        _print_lag(f"event loop late, a whole run at {rate:,.0f} tokens/s", lag, "p99 < 16")


async def _measure_memory(desk: Desk, backend: PacedBackend, sizes: Sizes) -> None:
    from tests.benchmarks.app.window_driver import growth_per_100k

    await desk.go_to(desk.chapters[-1])
    known = await desk.memory(sizes.tokens, backend)
    process, text = growth_per_100k(known)
    _say(
        f"memory per 100,000 tokens drafted: {process / 1e6:,.1f} MB more"
        f" (from {known[0].process / 1e6:,.0f} to {known[-1].process / 1e6:,.0f} MB over"
        f" {known[-1].num_tokens:,} tokens), of which text {text / 1e6:,.1f} MB; goal < 1 MB beyond it"
    )


async def _measure_pauses(app: QApplication, folder: Path, path: Path, sizes: Sizes) -> None:
    from quire.client.local_engine import real_backend
    from quire_resources import BUILT_IN_MODEL
    from tests.benchmarks.app.window_driver import Desk, open_window

    async with open_window(app, folder, real_backend, str(BUILT_IN_MODEL)) as quire:
        desk = Desk(quire)
        await desk.open(path)
        _print("Pause to Paused, built-in model", await desk.pauses(sizes.pauses), "p95 < 500")


async def _measure_exports(folder: Path, path: Path) -> None:
    from quire.book_formats.export_scope import book_to_export
    from quire.book_formats.export_settings import ExportSettings, Format
    from quire.book_formats.exporter import export
    from quire.book_formats.importer import read_manuscript
    from quire.domain.manuscript.manuscript import Document
    from quire.services.project.project_session import ProjectSession
    from quire.services.transactions.book_texts import book_texts
    from tests.benchmarks.app.window_driver import paragraphs

    session = await ProjectSession.open(path)
    try:
        texts = await session.read(book_texts)
        order = [node.node_id for node in session.tree.reading_order()]
    finally:
        await session.close()
    documents: list[Document] = [texts.documents[node_id] for node_id in order if node_id in texts.documents]
    stored = list(paragraphs([document.text for document in documents]))
    for ending in _EXPORTS:
        file, recipe = folder / f"Book.{ending}", ExportSettings(format=Format(ending), title_page=False)
        began = time.perf_counter()
        await asyncio.to_thread(export, book_to_export(texts, recipe, {}), recipe, file)
        written_s = time.perf_counter() - began
        began = time.perf_counter()
        manuscript = (await asyncio.to_thread(read_manuscript, file)).manuscript
        read_s = time.perf_counter() - began
        read = list(paragraphs([manuscript.text]))
        lost, added = Counter(stored) - Counter(read), Counter(read) - Counter(stored)
        _say(
            f"export to {ending}: {written_s:.1f} s (goal < 20), read again in {read_s:.1f} s:"
            f" {lost.total():,} of {len(stored):,} paragraphs lost, {added.total():,} added"
        )


# ---------------------------------------------------------------- the table
def _print(name: str, took: Sequence[Took], goal: str = "") -> None:
    from tests.benchmarks.app.latency_probes import share

    wall, cpu = [one.wall_ms for one in took], [one.cpu_ms for one in took]
    shown = "".join(f"{share(wall, part):>9,.1f}" for part in (0.5, 0.95, 0.99, 1.0))
    worked = "".join(f"{share(cpu, part):>8,.1f}" for part in (0.5, 0.99, 1.0))
    _say(f"{name:<50}{len(took):>6,}{shown}  |{worked}  {goal}".rstrip())


def _print_lag(name: str, lag: Lag, goal: str = "") -> None:
    _print(name, lag.took, goal)
    late, own = lag.share_late, lag.share_late_by_work
    _say(f"{'':<50}over 16 ms: {late:.2%} of the time; by its own work {own:.2%}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _about(pieces: Sequence[TextSection]) -> str:
    num_chars = sum(len(piece.text) for piece in pieces)
    return f"A book of {num_chars:,} characters in {len(pieces):,} chapters."


def _hardware() -> str:
    from tests.benchmarks.engine.options import processor_name

    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    from PySide6.QtCore import qVersion

    return (
        f"{processor_name()}, {os.cpu_count()} cores{load}; {platform.system()},"
        f" Python {platform.python_version()}, Qt {qVersion()}"
    )


@contextmanager
def _own_folders(folder: Path) -> Iterator[None]:
    """Leave the writer's own cache and notes alone; share compiled kernels, or all are made anew."""
    from quire_engine.integer.kernel_cache import keep_compiled_kernels

    keep_compiled_kernels()  # notes where they are

    names = ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
    before = {name: os.environ.get(name) for name in names}
    for name in names:
        os.environ[name] = str(folder / name.lower())
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
