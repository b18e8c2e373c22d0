"""Imports GGUF files in a process of its own: one at a time, with progress and a way to stop."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire.errors import WriterProblem
from quire.services.model_library.model_discovery import ollama_name
from quire.system.app_folders import models_home
from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.imported_models import FOLDER
from quire_resources import ADAPTERS

_COMMAND = (sys.executable, "-P", "-m", "quire_engine.importing")
_STOPPED = 3


@dataclass(frozen=True, slots=True)
class ImportState:
    """The progress of an import, in bytes of the file."""

    done: int
    total: int

    @property
    def share(self) -> float:
        """The progress from 0 to 1."""
        return self.done / self.total if self.total else 1.0


@dataclass(frozen=True, slots=True)
class ImportWish:
    """How to import a model.

    Attributes:
        is_adapted: with the adapter that was trained for it, if there is one.
        licence: as its source states it, where the file names none.
    """

    is_adapted: bool = True
    licence: str = ""


USUAL = ImportWish()


class ModelImports:
    """Imports files into the models folder.

    Args:
        home: the models folder; None: the usual one.
        adapters: the folder of adapters.
        cache_folder: where digests of large files are cached; None: nowhere.
    """

    def __init__(
        self, home: Path | None = None, adapters: Path = ADAPTERS, cache_folder: Path | None = None
    ) -> None:
        self.folder = (models_home() if home is None else home) / FOLDER
        cached = () if cache_folder is None else ("--cache", str(cache_folder))
        self._options = ("--models", str(self.folder), *cached)
        self._adapters = ("--adapters", str(adapters))
        self._is_running = self._is_stopped = False
        self._process: subprocess.Popen[str] | None = None

    @property
    def is_running(self) -> bool:
        """Whether an import is running."""
        return self._is_running

    async def bring(
        self, file: Path, on_state: Callable[[ImportState], None], wish: ImportWish = USUAL
    ) -> Path | None:
        """Return the folder of the imported model, or None when it was stopped.

        WriterProblem when the file cannot be used, or when there is no room for it.
        """
        if self._is_running:
            raise WriterProblem("Another model is being imported. Wait until it is finished, or stop it.")
        self._is_running, self._is_stopped = True, False
        loop = asyncio.get_running_loop()

        def tell(state: ImportState) -> None:  # on the thread that reads the output
            loop.call_soon_threadsafe(on_state, state)

        work = asyncio.ensure_future(asyncio.to_thread(self._run, file, wish, tell))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            self.stop()
            await asyncio.wait({work})
            raise
        finally:
            self._is_running = False

    def stop(self) -> None:
        """Stop the import; nothing is left of it."""
        self._is_stopped = True
        process = self._process
        if process is not None and process.stdin is not None:
            with contextlib.suppress(OSError, ValueError):  # it ended just now
                process.stdin.close()

    # ------------------------------------------------------------ on a thread
    def _run(self, file: Path, wish: ImportWish, tell: Callable[[ImportState], None]) -> Path | None:
        if self._is_stopped:
            return None
        process = self._process = self._started(file, wish)
        if self._is_stopped:  # asked while it was being started
            self.stop()
        try:
            with process:
                last = _follow(process, tell)
        finally:
            self._process = None
        if process.returncode == 0 and isinstance(folder := last.get("folder"), str):
            return Path(folder)
        if self._is_stopped or process.returncode == _STOPPED:
            return None
        said = unpacked(last.get("problem"))
        raise WriterProblem(said or UserMessage("{file} could not be imported.", file=file.name))

    def _started(self, file: Path, wish: ImportWish) -> subprocess.Popen[str]:
        named = {"--name": ollama_name(file), "--licence": wish.licence}
        options = [part for option, value in named.items() if value for part in (option, value)]
        if wish.is_adapted:
            options += self._adapters
        try:
            return subprocess.Popen(
                (*_COMMAND, str(file), *self._options, *options),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                encoding="utf-8",
                errors="replace",
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise WriterProblem(
                "The import could not be started ({reason}).", reason=error.strerror or error
            ) from error


def _follow(process: subprocess.Popen[str], tell: Callable[[ImportState], None]) -> dict[str, Any]:
    """Report the progress; return the last other line that the process wrote."""
    last: dict[str, Any] = {}
    if process.stdout is None:
        return last
    for line in process.stdout:
        try:
            found: Any = json.loads(line)
            if "total" in found:
                tell(ImportState(int(found["done"]), int(found["total"])))
            else:
                last = dict(found)
        except (ValueError, TypeError, KeyError):
            continue  # not ours
    return last


def unpacked(content: Any) -> Any:
    """Return a message that another process wrote, which can still be translated."""
    if not isinstance(content, dict):
        return content
    arguments = {str(name): unpacked(value) for name, value in dict(content.get("arguments", {})).items()}
    return UserMessage(str(content.get("template", "")), **arguments)
