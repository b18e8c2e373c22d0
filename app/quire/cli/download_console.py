"""Downloads a model on the command line, and imports it where it is in GGUF files; Ctrl-C pauses."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import sys
from collections.abc import Sequence
from pathlib import Path

from quire.cli.import_console import MakeSignals, folder_of
from quire.cli.questions import is_confirmed
from quire.errors import WriterProblem
from quire.services.model_library.download_choices import (
    ChoiceFit,
    DownloadChoice,
    download_choices,
    free_disk_at,
)
from quire.services.model_library.model_download import DownloadState, ModelDownloads, TokenNeeded
from quire.services.model_library.model_imports import ImportWish
from quire.services.model_library.model_library import ModelLibrary
from quire.services.model_library.model_memory import ask_for_memory
from quire.system.file_sizes import size_text
from quire_engine.catalog.repositories import Repository

_PAUSED = 130
_FITS = {
    ChoiceFit.UNKNOWN: "",
    ChoiceFit.FITS: "fits this computer",
    ChoiceFit.FITS_SMALLER: "fits this computer with --weights int8",
    ChoiceFit.TOO_LARGE: "too large for the free memory of this computer",
    ChoiceFit.NO_DISK: "not enough free disk space",
}


async def download(options: argparse.Namespace, library: ModelLibrary, make_signals: MakeSignals) -> int:
    """Look a model up, ask, and download it; return the exit code. WriterProblem when it fails."""
    downloads, token = ModelDownloads(library.home), ""
    try:
        found = await downloads.look_up(options.name)
    except TokenNeeded as needed:
        token = _asked_token(needed)
        found = await downloads.look_up(options.name, token)
    chosen = await _chosen(found, downloads)
    licence = chosen.licence or f"not stated; see {chosen.page}"
    size = f"{size_text(chosen.num_bytes)} to download"
    sys.stderr.write(f"{chosen.title}: {size}. Licence: {licence}.\n")
    if not options.yes and not is_confirmed("Download it?", "Pass --yes to accept the licence."):
        sys.stderr.write("Nothing downloaded.\n")
        return 1
    return await _fetch(chosen, downloads, token, library, make_signals)


async def _chosen(found: Repository, downloads: ModelDownloads) -> Repository:
    """Return the form to download: the model's folder, the one that was named, or else the recommended."""
    if found.files:
        return found
    memory = await asyncio.to_thread(ask_for_memory)
    free = await asyncio.to_thread(free_disk_at, downloads.home)
    choices = download_choices(found, memory, free)
    _print(found.name, choices)
    best = next((each for each in choices if each.is_best), None)
    if best is None:
        raise WriterProblem(
            "None of them fits this computer. To download one all the same, name it: {name}:{label}",
            name=found.name,
            label=choices[0].repository.variant,
        )
    return best.repository


def _print(name: str, choices: Sequence[DownloadChoice]) -> None:
    sys.stderr.write(f"{name} has GGUF files:\n")
    for each in choices:
        about = ", ".join(filter(None, (_FITS[each.fit], "recommended" if each.is_best else "")))
        size = size_text(each.repository.num_bytes)
        sys.stderr.write(f"    {each.repository.variant:<12} {size:>8}  {about}\n")


async def _fetch(
    found: Repository,
    downloads: ModelDownloads,
    token: str,
    library: ModelLibrary,
    make_signals: MakeSignals,
) -> int:
    printer = _DownloadPrinter()
    with make_signals() as signals:
        signals.pause = downloads.pause
        folder = await downloads.fetch(found, printer.show, token)
        printer.end()
        if folder is None:
            sys.stderr.write("Paused. Run the same command to resume.\n")
            return _PAUSED
        if found.variant:
            known = await asyncio.to_thread(library.look_at, folder)
            if known.gguf is None:
                raise WriterProblem("{file}: {problem}", file=folder.name, problem=known.problem)
            wish = ImportWish(licence=found.licence)
            imported = await folder_of(known.gguf.path, signals, library.home, wish)
            if imported is None:
                sys.stderr.write("Stopped; not imported yet. Run the same command to import it.\n")
                return _PAUSED
            await asyncio.to_thread(library.take_download, known, imported)
            folder = imported
    _print_place(found, folder)
    return 0


def _print_place(found: Repository, folder: Path) -> None:
    sys.stderr.write(f"{found.title} is in {folder}. To use it: quire draft --model {folder}\n")


def _asked_token(needed: TokenNeeded) -> str:
    """Ask for a token; it is neither shown nor stored."""
    if not sys.stdin.isatty():
        raise needed
    sys.stderr.write(f"{needed}\n")
    token = getpass.getpass("Token: ").strip()
    if not token:
        raise needed
    return token


class _DownloadPrinter:
    """One updating line on a terminal; a line for every tenth elsewhere."""

    def __init__(self) -> None:
        self._animated = sys.stderr.isatty()
        self._next_tenth = 0

    def show(self, state: DownloadState) -> None:
        share = state.done / state.total if state.total else 1.0
        words = f"{size_text(state.done)} of {size_text(state.total)}"
        if state.pace:
            words += f", {state.pace / 1e6:,.1f} MB/s"
        if self._animated:
            sys.stderr.write(f"\r{share:4.0%} {words}   ")
            sys.stderr.flush()
        elif int(share * 10) >= self._next_tenth:
            self._next_tenth = int(share * 10) + 1
            sys.stderr.write(f"{share:.0%}: {words}\n")

    def end(self) -> None:
        if self._animated:
            sys.stderr.write("\n")
