"""Download a repository into a folder: pausable at any byte, resumable, verified."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event
from typing import Any

from quire_engine.api.atomic_file import replace_file
from quire_engine.catalog.bounded_files import read_json
from quire_engine.catalog.download_errors import DownloadProblem, DownloadTrouble
from quire_engine.catalog.imported_models import SETTINGS_BYTES
from quire_engine.catalog.rejection import ModelRejected, printable
from quire_engine.catalog.repositories import Repository
from quire_engine.catalog.repository_file import RepositoryFile
from quire_engine.catalog.weight_files import is_plain_name

SOURCE_FILE = "quire-download.json"
"""Where a folder was downloaded from and what is missing; marks a folder as downloaded by Quire."""
PART = ".part"
_FORMAT = 1
_MAX_SOURCE = 1 << 22
_CHUNK = 1 << 20
_TRIES = 5  # without a single new byte
_SPARE = 64 << 20  # of the disk, left to others


class Paused(Exception):
    """A download was paused; the same call resumes it."""


@dataclass(frozen=True, slots=True)
class DownloadProgress:
    """Download progress, in bytes of all files. file: the one that is being fetched or verified."""

    file: str
    done: int
    total: int
    is_checking: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """Where a folder was downloaded from. is_finished: every file is there and was verified."""

    repository: Repository
    is_finished: bool

    def model_file(self, folder: Path) -> Path:
        """Return the first file of a quantisation in a folder, or the folder itself if it is the model."""
        files = self.repository.files
        return folder / files[0].name if self.repository.variant and files else folder


class Download:
    """The download of one repository into a folder; pause() may be called from any thread."""

    def __init__(
        self,
        repository: Repository,
        folder: Path,
        *,
        token: str = "",
        endpoint: str | None = None,
        wait_s: float = 1.0,
    ) -> None:
        """wait_s: delay before the first retry after a lost connection; doubles each time."""
        self._repository, self._folder = repository, folder
        self._token, self._endpoint, self._wait_s = token, endpoint, wait_s
        self._stopped = Event()

    def pause(self) -> None:
        """Stop at the next chunk; what was downloaded is kept."""
        self._stopped.set()

    def run(self, on_progress: Callable[[DownloadProgress], None]) -> Path:
        """Fetch what is missing and return the folder; raises Paused or DownloadProblem."""
        from quire_engine.catalog.hub import refuse_offline

        refuse_offline()
        self._stopped.clear()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._refuse_foreign()
            write_source(self._folder, Source(self._repository, is_finished=False))
            self._refuse_full_disk()
            self._fetch_all(on_progress)
            write_source(self._folder, Source(self._repository, is_finished=True))
        except OSError as error:
            raise DownloadProblem(
                DownloadTrouble.DISK,
                "The model can't be saved in {folder} ({reason}). The download so far is kept.",
                folder=self._folder,
                reason=printable(error.strerror or error),
            ) from error
        return self._folder

    # ------------------------------------------------------------ all files
    def _fetch_all(self, on_progress: Callable[[DownloadProgress], None]) -> None:
        total = self._repository.num_bytes
        done = 0
        for file in self._repository.files:
            before = done

            def tell(
                count: int, *, is_checking: bool = False, file: str = file.name, so_far: int = before
            ) -> None:
                on_progress(DownloadProgress(file, so_far + count, total, is_checking))

            if not self._is_there(file):
                self._fetch(file, tell)
            done += file.size
            tell(file.size)
            if file.name == "config.json":
                self._refuse_undriven()

    def _is_there(self, file: RepositoryFile) -> bool:
        """A file gets its name only after it was checked."""
        place = self._folder / file.name
        return place.is_file() and place.stat().st_size == file.size

    def _refuse_undriven(self) -> None:
        """Reject an unsupported model before its gigabytes are fetched."""
        from quire_engine.catalog.architecture import read_config

        try:
            read_config(self._folder)
        except ModelRejected as refused:
            raise DownloadProblem(DownloadTrouble.CONTENT, refused.message) from refused

    def _refuse_foreign(self) -> None:
        found = read_source(self._folder)
        if found is None and any(self._folder.iterdir()):
            raise DownloadProblem(
                DownloadTrouble.DISK,
                "There are other files in {folder}. Choose an empty folder.",
                folder=self._folder,
            )
        if found is not None and found.repository.revision != self._repository.revision:
            # another state of the model: nothing of the old one may stay among the new files
            for file in found.repository.files:
                (self._folder / file.name).unlink(missing_ok=True)
                (self._folder / (file.name + PART)).unlink(missing_ok=True)

    def _refuse_full_disk(self) -> None:
        here = 0
        for file in self._repository.files:
            for place in (self._folder / file.name, self._folder / (file.name + PART)):
                here += place.stat().st_size if place.is_file() else 0
        imported = SETTINGS_BYTES if self._repository.variant else 0
        missing = self._repository.num_bytes - here + imported + _SPARE
        free = shutil.disk_usage(self._folder).free
        if missing > free:
            raise DownloadProblem(
                DownloadTrouble.DISK,
                "Not enough disk space: {missing:,.1f} GB needed, {free:,.1f} GB free. Free some "
                "space, or choose another folder.",
                missing=missing / 1e9,
                free=free / 1e9,
            )

    # ------------------------------------------------------------ one file
    def _fetch(self, file: RepositoryFile, tell: Callable[..., None]) -> None:
        part = self._folder / (file.name + PART)
        for is_last in (False, True):
            self._fetch_bytes(file, part, tell)
            tell(file.size, is_checking=True)
            if self._is_right(file, part):
                part.replace(self._folder / file.name)
                return
            part.unlink()  # whatever it was, it is no beginning to continue from
            if is_last:
                raise DownloadProblem(
                    DownloadTrouble.CONTENT,
                    "{file} arrived twice with a wrong checksum and was discarded. Try again later; "
                    "if it keeps happening, something on the network alters downloads.",
                    file=file.name,
                )

    def _fetch_bytes(self, file: RepositoryFile, part: Path, tell: Callable[..., None]) -> None:
        """Fetch all bytes, retrying after lost connections."""
        failures = 0
        while (size := part.stat().st_size if part.is_file() else 0) < file.size or not part.is_file():
            try:
                self._append(file, part, tell)
            except DownloadProblem as problem:
                grown = part.is_file() and part.stat().st_size > size
                failures = 1 if grown else failures + 1
                if problem.trouble is not DownloadTrouble.NETWORK or failures >= _TRIES:
                    raise
                if self._stopped.wait(self._wait_s * 2 ** (failures - 1)):
                    raise Paused from None

    def _append(self, file: RepositoryFile, part: Path, tell: Callable[..., None]) -> None:
        from quire_engine.catalog.hub import HubClient

        start = part.stat().st_size if part.is_file() else 0
        if start > file.size:
            part.unlink()
            start = 0
        door = HubClient(self._endpoint, self._token)
        with door.opened(self._repository.name, self._repository.revision, file.path, start) as response:
            goes_on = start > 0 and _goes_on_at(response, start)
            with part.open("ab" if goes_on else "wb") as data:
                size = start if goes_on else 0
                if response.status_code == 416:
                    return
                for chunk in self._chunks(response):
                    data.write(chunk[: file.size - size])
                    size = min(size + len(chunk), file.size)
                    tell(size)
                    if size == file.size:
                        break
        if size < file.size:  # the answer ended early, and politely
            raise DownloadProblem(
                DownloadTrouble.NETWORK, "The connection was lost. The download so far is kept."
            )

    def _chunks(self, response: Any) -> Iterator[bytes]:
        for chunk in response.iter_bytes(_CHUNK):
            if self._stopped.is_set():
                raise Paused
            yield chunk

    def _is_right(self, file: RepositoryFile, part: Path) -> bool:
        """Compare a file with the hub's digest: SHA-256, or git's for small files."""
        digest = hashlib.sha256()
        if not file.sha256:
            digest = hashlib.sha1(b"blob %d\0" % file.size, usedforsecurity=False)
        with part.open("rb") as data:
            while chunk := data.read(_CHUNK):
                if self._stopped.is_set():
                    raise Paused
                digest.update(chunk)
            os.fsync(data.fileno())
        return digest.hexdigest() == (file.sha256 or file.git_id)


def _goes_on_at(response: Any, start: int) -> bool:
    """Say whether a response starts at the requested byte; otherwise it is the whole file."""
    said = str(response.headers.get("content-range", ""))
    return int(response.status_code) == 206 and said.startswith(f"bytes {start}-")


# ---------------------------------------------------------------- what a folder came from
def read_source(folder: Path) -> Source | None:
    """Return where a folder was downloaded from; None if Quire did not download it or the record is
    damaged."""
    try:
        found: Any = read_json(folder / SOURCE_FILE, _MAX_SOURCE)
        if found["format"] != _FORMAT:
            return None
        files = tuple(RepositoryFile(**each) for each in found["files"])
        repository = Repository(
            str(found["name"]),
            str(found["revision"]),
            files,
            str(found["licence"]),
            bool(found["is_gated"]),
            str(found.get("variant", "")),
            int(found.get("imported_bytes", 0)),
        )
    except (ModelRejected, KeyError, TypeError, ValueError):
        return None
    is_sound = all(_is_sound(file) for file in files)
    return Source(repository, bool(found.get("is_finished"))) if is_sound else None


def _is_sound(file: RepositoryFile) -> bool:
    is_placed = not file.at or all(map(is_plain_name, str(file.at).split("/")))
    return is_plain_name(file.name) and type(file.size) is int and is_placed


def write_source(folder: Path, source: Source) -> None:
    """Record in a folder where it comes from."""
    repository = source.repository
    content = {
        "format": _FORMAT,
        "name": repository.name,
        "revision": repository.revision,
        "licence": repository.licence,
        "is_gated": repository.is_gated,
        "is_finished": source.is_finished,
        "variant": repository.variant,
        "imported_bytes": repository.imported_bytes,
        "files": [asdict(file) for file in repository.files],
    }
    replace_file(folder / SOURCE_FILE, json.dumps(content, indent=1).encode())
