"""Downloads of models beside the window: one at a time, with a pace, a pause and a token."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from quire.errors import WriterProblem
from quire_engine.catalog.download import Download, DownloadProgress, Paused, folder_name, read_source
from quire_engine.catalog.download_errors import DownloadProblem, DownloadTrouble
from quire_engine.catalog.hub_token import HubTokenStore
from quire_engine.catalog.repositories import Repository, look_up, need_for_token

_TELL_EVERY_S = 0.1
_PACE_OVER_S = 5.0


class TokenNeeded(WriterProblem):
    """A model whose makers ask for a token; the text says how to get one."""


@dataclass(frozen=True, slots=True)
class DownloadState:
    """How far a download is. pace: bytes a second lately, 0 while that is not known."""

    name: str
    file: str
    done: int
    total: int
    pace: float = 0.0
    is_checking: bool = False

    @property
    def left_s(self) -> float | None:
        """Seconds that the rest takes at this pace."""
        return (self.total - self.done) / self.pace if self.pace > 0 else None


class ModelDownloads:
    """Fetches repositories into the models folder; endpoint: another server than the hub, for tests."""

    def __init__(self, home: Path, endpoint: str | None = None, tokens: HubTokenStore | None = None) -> None:
        self._home, self._endpoint = home, endpoint
        self._tokens = HubTokenStore() if tokens is None else tokens
        self._running: Download | None = None

    @property
    def is_running(self) -> bool:
        """Whether something is being downloaded."""
        return self._running is not None

    @property
    def can_keep_token(self) -> bool:
        """Whether the system has a safe place for a token."""
        return self._tokens.can_keep

    async def look_up(self, name: str, token: str = "") -> Repository:
        """Ask what a repository holds; TokenNeeded or another WriterProblem when it cannot be had."""
        token = token or await asyncio.to_thread(self._tokens.token)
        try:
            found = await asyncio.to_thread(look_up, name, token=token, endpoint=self._endpoint)
        except DownloadProblem as problem:
            raise _told(problem) from problem
        if found.is_gated and not token:
            raise TokenNeeded(need_for_token(found))
        return found

    def unfinished(self, folder: Path) -> Repository:
        """Return what a folder was to become; WriterProblem when it does not say."""
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
        """Fetch what is missing; return the folder, or None when it was paused."""
        if self._running is not None:
            raise WriterProblem("Another model is being downloaded. Wait until it is finished, or pause it.")
        self._home.mkdir(parents=True, exist_ok=True)
        folder = self._home / folder_name(repository.name)
        used = token or await asyncio.to_thread(self._tokens.token)
        download = self._running = Download(repository, folder, token=used, endpoint=self._endpoint)
        loop = asyncio.get_running_loop()

        def tell(state: DownloadState) -> None:  # on the thread that fetches
            loop.call_soon_threadsafe(on_state, state)

        meter = _Meter(repository.name, tell)
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
        """Stop at the next chunk; the same call of fetch goes on."""
        if self._running is not None:
            self._running.pause()


class _Meter:
    """Passes on how far it is, at most ten times a second, with the pace of the last seconds."""

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
