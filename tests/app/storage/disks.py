"""A real disk that is small."""

from __future__ import annotations

import contextlib
import errno
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class SmallDisk:
    """A disk of 4 MiB. folder: where it is mounted."""

    folder: Path

    def fill(self) -> None:
        """Leave no room on it."""
        try:
            with (self.folder / "filling").open("ab", buffering=0) as file:
                while True:
                    file.write(bytes(4096))
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise

    def make_room(self) -> None:
        """Leave room again."""
        with contextlib.suppress(FileNotFoundError):
            (self.folder / "filling").unlink()

    def make_read_only(self) -> None:
        """Let nobody write to it any more, not even root."""
        subprocess.run(["mount", "-o", "remount,ro", str(self.folder)], check=True)
