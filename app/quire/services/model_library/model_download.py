"""Downloads models in the background: one at a time, with speed, pause and access token."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from quire.errors import WriterProblem
from quire_engine.catalog.download import Download, DownloadProgress, Paused, read_source
from quire_engine.catalog.download_errors import DownloadProblem, DownloadTrouble
from quire_engine.catalog.repositories import Repository, look_up, need_for_token
from quire_engine.catalog.stored_secret import StoredSecret

_TELL_EVERY_S = 0.1
_PACE_OVER_S = 5.0


class TokenNeeded(WriterProblem):
    """The model requires an access token; the text says how to get one."""


@dataclass(frozen=True, slots=True)
class DownloadState:
    """The progress of a download; `pace` is in bytes per second, 0 while unknown."""

    name: str
    file: str
    done: int
    total: int
    pace: float = 0.0
    is_checking: bool = False

    @property
    def left_s(self) -> float | None:
        """Seconds left at this speed."""
        return (self.total - self.done) / self.pace if self.pace > 0 else None


class ModelDownloads:
    """Downloads repositories to the models folder; `endpoint` is another server than the hub, for tests."""

    def __init__(self, home: Path, endpoint: str | None = None, tokens: StoredSecret | None = None) -> None:
        self._home, self._endpoint = home, endpoint
        self._tokens = StoredSecret() if tokens is None else tokens
        self._running: Download | None = None

    @property
    def home(self) -> Path:
        """The folder that downloads go to."""
        return self._home

    @property
    def is_running(self) -> bool:
        """Whether a download is running."""
        return self._running is not None

    @property
    def can_keep_token(self) -> bool:
        """Whether the system has a safe place for a token."""
        return self._tokens.can_keep

    async def look_up(self, name: str, token: str = "") -> Repository:
        """List a repository, or one quantisation in it (maker/model:Q4_K_M).

        TokenNeeded or another WriterProblem when that fails.
        """
        token = token or await asyncio.to_thread(self._tokens.read)
        try:
            found = await asyncio.to_thread(look_up, name, token=token, endpoint=self._endpoint)
        except DownloadProblem as problem:
            raise _told(problem) from problem
        if found.is_gated and not token:
            raise TokenNeeded(need_for_token(found))
        return found

    def unfinished(self, folder: Path) -> Repository:
        """Return the repository of an unfinished download; WriterProblem when its folder does not name
        one."""
        source = read_source(folder)
        if source is None:
            raise WriterProblem("This download can't be resumed. Remove it and start again.")
        return source.repository

    async def fetch(
        self,
        repository: Repository,
        on_state: Callable[[DownloadState], None],
        token: str = "",
        *,
        keep_token: bool = False,
    ) -> Path | None:
        """Download what is missing; return the folder, or None when it was paused."""
        if self._running is not None:
            raise WriterProblem("Another model is being downloaded. Wait until it is finished, or pause it.")
        self._home.mkdir(parents=True, exist_ok=True)
        folder = self._home / repository.folder_name
        used = token or await asyncio.to_thread(self._tokens.read)
        download = self._running = Download(repository, folder, token=used, endpoint=self._endpoint)
        loop = asyncio.get_running_loop()

        def tell(state: DownloadState) -> None:  # on the downloading thread
            loop.call_soon_threadsafe(on_state, state)

        meter = _Meter(repository.title, tell)
        try:
            done = await asyncio.to_thread(download.run, meter.take)
        except Paused:
            return None
        except DownloadProblem as problem:
            raise _told(problem) from problem
        finally:
            self._running = None
        if token and keep_token:
            await asyncio.to_thread(self._tokens.keep, token)
        return done

    def pause(self) -> None:
        """Stop at the next chunk; the same call of fetch resumes."""
        if self._running is not None:
            self._running.pause()


class _Meter:
    """Reports progress at most ten times a second, with the speed of the last seconds."""

    def __init__(self, name: str, tell: Callable[[DownloadState], None]) -> None:
        self._name, self._tell = name, tell
        self._points: list[tuple[float, int]] = []
        self._told_at = 0.0

    def take(self, progress: DownloadProgress) -> None:
        now = time.monotonic()
        is_end = progress.done >= progress.total
        if now - self._told_at < _TELL_EVERY_S and not is_end:
            return
        self._told_at = now
        self._points = [point for point in self._points if now - point[0] <= _PACE_OVER_S]
        self._points.append((now, progress.done))
        (first_s, first), seconds = self._points[0], now - self._points[0][0]
        pace = (progress.done - first) / seconds if seconds > 0 and first_s < now else 0.0
        self._tell(
            DownloadState(
                self._name, progress.file, progress.done, progress.total, pace, progress.is_checking
            )
        )


def _told(problem: DownloadProblem) -> WriterProblem:
    kind = TokenNeeded if problem.trouble is DownloadTrouble.TOKEN else WriterProblem
    return kind(problem.message)
