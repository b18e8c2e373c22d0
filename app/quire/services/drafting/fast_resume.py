"""A large file beside the project, made on request: a paused run resumes from it without reading."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

from quire.client.engine_client import EngineClient, EngineClosed
from quire.domain.drafting.run import Run
from quire.errors import WriterProblem
from quire.system.file_sizes import size_text
from quire_engine.api.messages import CacheKept, CacheNotKept, KeepCache, ModelLoaded
from quire_engine.api.user_message import UserMessage

SUFFIX = ".fast-resume"
_MARK, _HEADER_BYTES = b"quire cache 1", 1 << 16
"""What the engine writes into such a file, and where at the latest."""
_KEEP_FREE = 64 * 2**20
"""Bytes that must stay free beside the file: the text is worth more than it."""


def fast_resume_path(project: Path) -> Path:
    """Return the path of a project's resume file."""
    return project.with_name(project.name + SUFFIX)


class FastResume:
    """The resume file of one open project. It is optional: a run that finds no matching file reads the
    text."""

    def __init__(self, client: EngineClient, project: Path) -> None:
        self._client = client
        self._path = fast_resume_path(project)
        self._cached: tuple[int, int] | None = None  # the run in the engine's memory, bytes

    def invalidate(self) -> None:
        """Note that what the engine has cached is about to change."""
        self._cached = None

    def run_ended(self, run: Run, loaded: ModelLoaded) -> None:
        """Note that a run has ended; the engine has it cached until the next one, or another model."""
        num_tokens = min(run.num_prompt + run.num_tokens, loaded.context_length)
        self._cached = (run.run_id, num_tokens * loaded.cache_bytes_per_token)

    @property
    def num_bytes(self) -> int:
        """The approximate size of the file; 0 where nothing is cached."""
        return 0 if self._cached is None else self._cached[1]

    async def file(self) -> str:
        """Return the file's name for a run that is resumed; empty where there is none."""
        return str(self._path) if await asyncio.to_thread(self._path.is_file) else ""

    async def keep(self) -> CacheKept:
        """Write the file; only while no draft is being written. WriterProblem where it cannot be written."""
        if self._cached is None:
            raise WriterProblem("There is no paused draft in RAM, so there is nothing to save.")
        run_id, num_bytes = self._cached
        await asyncio.to_thread(self._check_place)
        await asyncio.to_thread(self._check_room, num_bytes)
        self._client.send(KeepCache(run_id, str(self._path)))
        match await self._answer():
            case CacheKept() as kept:
                return kept
            case CacheNotKept(message=message):
                raise WriterProblem(message)

    async def discard(self) -> None:
        """Delete the file: it was used, or its text is gone."""
        await asyncio.to_thread(_delete, self._path)

    async def _answer(self) -> CacheKept | CacheNotKept:
        try:
            while not isinstance(event := await self._client.next_event(), CacheKept | CacheNotKept):
                pass
        except EngineClosed:
            return CacheNotKept(
                0, UserMessage("No fast resume file was saved: the model is no longer loaded.")
            )
        return event

    def _check_place(self) -> None:
        try:
            is_free = not self._path.is_file() or _is_ours(self._path)
        except OSError:
            return  # writing the file will report it
        if not is_free:
            raise WriterProblem(
                "{file} was not made by Quire. Rename it, then try again.",
                file=self._path.name,
            )

    def _check_room(self, num_bytes: int) -> None:
        try:
            free = shutil.disk_usage(self._path.parent).free
        except OSError:
            return  # writing the file will report it
        if free < num_bytes + _KEEP_FREE:
            raise WriterProblem(
                "The fast resume file needs {size}, but the project's disk has only {free} free. "
                "Free some space, or continue without it: nothing is lost.",
                size=size_text(num_bytes),
                free=size_text(free),
            )


def _is_ours(path: Path) -> bool:
    """Return whether Quire wrote a file, by its header."""
    with path.open("rb") as file:
        return _MARK in file.read(_HEADER_BYTES)


def _delete(path: Path) -> None:
    try:
        if path.is_file() and _is_ours(path):
            path.unlink()
    except OSError:  # a read-only folder; the file is rejected by its content all the same
        return
