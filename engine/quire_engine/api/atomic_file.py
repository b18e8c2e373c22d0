"""Files that are put in their place at once: after a power cut there is the old one or the new one, never
half."""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

PART_NAME = re.compile(r"\.quire-[0-9a-f]{12}\.part")
"""Of a file that is not in its place yet; it stays where it was written when the power fails."""
_NOT_FOR_FOLDERS = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)
"""How a network drive says that it cannot do this for a folder."""


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Give a file to write to, which takes the place of another one when the block ends.

    Where the block or the writing fails, nothing has changed.
    """
    beside = path.with_name(f".quire-{secrets.token_hex(6)}.part")
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def replace_file(path: Path, content: bytes) -> None:
    """Write a file at once; OSError, and nothing changed, when that fails."""
    with replacing(path) as file:
        file.write(content)


def sync_folder(folder: Path) -> None:
    """Make names that files were given or lost in a folder durable."""
    if os.name == "nt":  # a folder cannot be opened there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NOT_FOR_FOLDERS:
            raise
    finally:
        os.close(descriptor)
