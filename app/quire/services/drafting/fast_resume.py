"""The file from which a paused run resumes without reading its text again.

One is made by itself, a moment after a draft has ended, in the app's cache folder and within bounds. The
other one is made on request, of any size, beside the project.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from quire.client.engine_client import EngineClient, EngineClosed
from quire.domain.drafting.run import Run
from quire.errors import WriterProblem
from quire.system.file_sizes import size_text
from quire_engine.api.atomic_file import PART_NAME
from quire_engine.api.messages import CacheKept, CacheNotKept, KeepCache, ModelLoaded
from quire_engine.api.model_identity import ModelIdentity
from quire_engine.api.user_message import UserMessage

SUFFIX = ".fast-resume"
_MARK, _HEADER_BYTES = b"quire cache 1", 1 << 16
"""What the engine writes into such a file, and where at the latest."""
_KEEP_FREE = 64 * 2**20
"""Bytes that must stay free beside the file: the text is worth more than it."""

FOLDER = "fast-resume"
"""Of the app's cache folder; its files are made by themselves."""
KEEP_AFTER_S = 2.0
"""Rest after a draft before its file is made: a writer who goes on at once needs none."""
_BYTES_PER_S = 20 * 2**20
"""A larger file waits longer: writing it can't be interrupted, and a writer who goes on waits for it."""
MOST_BYTES, MOST_IN_ALL = 512 * 2**20, 2**30
"""Of such a file, and of all of them; the oldest ones are deleted first."""
_SPARE = 2 * 2**30
"""Bytes of the disk that such files leave free."""
_WORTHWHILE = 256
"""Tokens below which a text is read again in no time."""
_SETTLE_S = 2.0
"""Time that quitting gives to a file that is being written; the window is gone by then."""
_UNFINISHED_S = 3600.0
"""Age at which an unfinished file is surely nobody's."""
_FORGOTTEN_S = 30 * 24 * 3600.0
"""Age at which a file goes whatever room there is: its project may have gone, too."""

_log = logging.getLogger(__name__)


def fast_resume_path(project: Path) -> Path:
    """Return the path of a project's resume file."""
    return project.with_name(project.name + SUFFIX)


@dataclass(frozen=True, slots=True)
class _Cached:
    """The run in the engine's memory."""

    run_id: int
    num_tokens: int
    num_bytes: int
    model: ModelIdentity


class FastResume:
    """The resume files of one open project. They are optional: a run that finds no matching file reads the
    text.

    Args:
        folder: where files that are made by themselves go; None: none are made.
    """

    def __init__(self, client: EngineClient, project: Path, folder: Path | None = None) -> None:
        self._client = client
        self._path = fast_resume_path(project)
        self._own = None if folder is None else _OwnFiles(folder / FOLDER, project)
        self._cached: _Cached | None = None
        self._due: asyncio.TimerHandle | None = None
        self._keeping: asyncio.Task[None] | None = None

    def invalidate(self) -> None:
        """Note that what the engine has cached is about to change."""
        self._cached = None
        self._cancel_due()

    def run_ended(self, run: Run, loaded: ModelLoaded) -> None:
        """Note that a run has ended; the engine has it cached until the next one, or another model.

        Its file is made soon, where it is worth one.
        """
        held = min(run.num_prompt + run.num_tokens, loaded.context_length)
        num_bytes = held * loaded.cache_bytes_per_token
        self._cached = _Cached(run.run_id, run.num_prompt + run.num_tokens, num_bytes, loaded.identity)
        self._cancel_due()
        if self._own is not None and held >= _WORTHWHILE and 0 < num_bytes <= MOST_BYTES:
            rest_s = KEEP_AFTER_S + num_bytes / _BYTES_PER_S
            self._due = asyncio.get_running_loop().call_later(rest_s, self._keep_now)

    async def settle(self) -> None:
        """Make the file that is due now, and wait for it, but not for long."""
        if self._due is not None:
            self._keep_now()
        if self._keeping is not None:
            await asyncio.wait({self._keeping}, timeout=_SETTLE_S)

    @property
    def num_bytes(self) -> int:
        """The approximate size of the file; 0 where nothing is cached."""
        return 0 if self._cached is None else self._cached.num_bytes

    async def file(self, run: Run, model: ModelIdentity) -> str:
        """Return the file's name for a run that this model resumes; empty where there is none."""
        places = [self._path]
        if self._own is not None:
            places.append(self._own.path(run.run_id, run.num_prompt + run.num_tokens, model))
        return await asyncio.to_thread(_newest, places)

    async def keep(self) -> CacheKept:
        """Write the file beside the project; only while no draft is being written.

        WriterProblem where it cannot be written.
        """
        if self._cached is None:
            raise WriterProblem("There is no paused draft in RAM, so there is nothing to save.")
        run_id, num_bytes = self._cached.run_id, self._cached.num_bytes
        await asyncio.to_thread(self._check_place)
        await asyncio.to_thread(self._check_room, num_bytes)
        match await self._kept(KeepCache(run_id, str(self._path))):
            case CacheKept() as kept:
                return kept
            case CacheNotKept(message=message):
                raise WriterProblem(message)

    async def discard(self) -> None:
        """Delete the files: they were used, or their text is gone."""
        await asyncio.to_thread(_delete, self._path)
        if self._own is not None:
            await asyncio.to_thread(self._own.delete)

    def _cancel_due(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _keep_now(self) -> None:
        """Begin to make the file in the cache folder."""
        self._cancel_due()
        if self._own is not None and self._cached is not None:
            self._keeping = asyncio.ensure_future(self._keep_own(self._own, self._cached))

    async def _keep_own(self, own: _OwnFiles, cached: _Cached) -> None:
        """Make the file in the cache folder; where that is impossible, the text is read again."""
        if not await asyncio.to_thread(own.make_room, cached.num_bytes) or self._cached is not cached:
            return
        path = own.path(cached.run_id, cached.num_tokens, cached.model)
        kept = await self._kept(KeepCache(cached.run_id, str(path)))
        if isinstance(kept, CacheNotKept):
            _log.info("no fast resume file: %s", kept.message)

    async def _kept(self, command: KeepCache) -> CacheKept | CacheNotKept:
        try:
            return await self._client.keep_cache(command)
        except EngineClosed:
            said = UserMessage("No fast resume file was saved: the model is no longer loaded.")
            return CacheNotKept(command.run_id, said)

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


def _newest(places: Sequence[Path]) -> str:
    """Return the newest of these files; empty where there is none."""
    found: list[tuple[float, str]] = []
    for place in places:
        try:
            found += [(place.stat().st_mtime, str(place))] if place.is_file() else []
        except OSError:
            continue
    return max(found, default=(0.0, ""))[1]


class _OwnFiles:
    """The files of a project in the cache folder; every method blocks on the disk and none fails.

    A name says which project, run, tokens and model with its software a file belongs to, so that no other one
    is opened, and nobody reads of a file that they never asked for; what is in it is checked all the same.
    """

    def __init__(self, folder: Path, project: Path) -> None:
        self._folder = folder
        self._project = hashlib.sha256(str(project.absolute()).encode("utf-8", "surrogatepass")).hexdigest()[
            :24
        ]

    def path(self, run_id: int, num_tokens: int, model: ModelIdentity) -> Path:
        """Return the place of a run's file."""
        kind = hashlib.sha256(repr(model).encode("utf-8", "surrogatepass")).hexdigest()[:12]
        return self._folder / f"{self._project}-{run_id}-{num_tokens}-{kind}{SUFFIX}"

    def make_room(self, num_bytes: int) -> bool:
        """Delete the project's file, what is unfinished and the oldest ones; return whether there is room."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with contextlib.suppress(OSError):  # of a file system without such rights
                self._folder.chmod(0o700)  # it tells of the text
            self.delete()
            self._delete_old()
            parts = sum(
                part.stat().st_size for part in self._folder.iterdir() if PART_NAME.fullmatch(part.name)
            )
            oldest = sorted(self._folder.glob(f"*{SUFFIX}"), key=lambda each: each.stat().st_mtime)
            too_much = sum(each.stat().st_size for each in oldest) + parts + num_bytes - MOST_IN_ALL
            for each in oldest:
                if too_much > 0:
                    too_much -= each.stat().st_size
                    each.unlink(missing_ok=True)
            return parts + num_bytes <= MOST_IN_ALL and (
                shutil.disk_usage(self._folder).free >= num_bytes + _SPARE
            )
        except OSError as error:
            _log.info("no fast resume file: %s", error)
            return False

    def _delete_old(self) -> None:
        for each in self._folder.iterdir():
            is_part = bool(PART_NAME.fullmatch(each.name))
            longest = _UNFINISHED_S if is_part else _FORGOTTEN_S
            if (is_part or each.name.endswith(SUFFIX)) and time.time() - each.stat().st_mtime > longest:
                each.unlink(missing_ok=True)

    def delete(self) -> None:
        """Delete the project's files."""
        try:
            for each in self._folder.glob(f"{self._project}-*{SUFFIX}"):
                each.unlink(missing_ok=True)
        except OSError:  # they are rejected by their content all the same
            return
