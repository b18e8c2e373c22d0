"""Files that are put in their place at once."""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

PART_NAME = re.compile(r"\.quire-[0-9a-f]{12}\.part")
"""Of a file that is not in its place yet; it stays where it was written when the power fails."""


def replace_file(path: Path, content: bytes) -> None:
    """Write a file so that after a power cut it is the old one or the new one, never half of it.

    OSError, and nothing changed, when that fails.
    """
    beside = path.with_name(f".quire-{secrets.token_hex(6)}.part")
    try:
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
