"""Imports a model on the command line, with a line of progress; Ctrl-C stops it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from quire.errors import WriterProblem
from quire.services.model_library.model_imports import USUAL, ImportState, ImportWish, ModelImports
from quire.system.app_folders import cache_folder
from quire.system.file_sizes import size_text
from quire_engine.catalog.importable import Importable, inspect_importable, is_importable
from quire_engine.catalog.rejection import Rejection


class Signals(Protocol):
    """Calls `pause` when the writer asks for it."""

    pause: Callable[[], None] | None


MakeSignals = Callable[[], AbstractContextManager[Signals]]
"""Makes what turns Ctrl-C into a pause, such as PauseSignals."""


async def folder_of(
    path: Path, signals: Signals, home: Path | None = None, wish: ImportWish = USUAL
) -> Path | None:
    """Return the folder of a model: the path itself, or what a file is imported to; None if that was stopped.

    WriterProblem when it cannot be imported. home: the models folder; None: the usual one.
    """
    found = await asyncio.to_thread(_looked_at, path)
    if found is None:
        return path
    sys.stderr.write(
        f"{found.title}: {found.quantisation}, {size_text(found.num_bytes)}; it is read where it is.\n"
    )
    imports, printer = ModelImports(home, cache_folder=cache_folder()), _ImportPrinter()
    before, signals.pause = signals.pause, imports.stop
    try:
        return await imports.bring(found.path, printer.show, wish)
    finally:
        signals.pause = before
        printer.end()


async def import_file(
    path: Path,
    make_signals: MakeSignals,
    home: Path,
    wish: ImportWish = USUAL,
) -> Path | None:
    """Import a file as a command of its own; None if that was stopped. WriterProblem if it is none."""
    if await asyncio.to_thread(_looked_at, path) is None:
        raise WriterProblem(
            "{file} needs no import: only GGUF files, and folders with AWQ, GPTQ, FP8 or MXFP4 weights do.",
            file=path,
        )
    with make_signals() as signals:
        return await folder_of(path, signals, home, wish)


def _looked_at(path: Path) -> Importable | None:
    """Return what is to be imported; None for a folder that can be loaded as it is."""
    if not path.exists():
        raise WriterProblem("{file} doesn't exist. Check the name.", file=path)
    if not is_importable(path):
        return None
    found = inspect_importable(path.absolute())
    if isinstance(found, Rejection):
        raise WriterProblem("{file}: {problem}", file=path, problem=found.sentence)
    return found


class _ImportPrinter:
    """One updating line on a terminal; a line for every tenth elsewhere."""

    def __init__(self) -> None:
        self._animated = sys.stderr.isatty()
        self._next_tenth = 0

    def show(self, state: ImportState) -> None:
        if self._animated:
            sys.stderr.write(f"\r{state.share:4.0%} imported   ")
            sys.stderr.flush()
        elif int(state.share * 10) >= self._next_tenth:
            self._next_tenth = int(state.share * 10) + 1
            sys.stderr.write(f"{state.share:.0%} imported\n")

    def end(self) -> None:
        if self._animated:
            sys.stderr.write("\n")
