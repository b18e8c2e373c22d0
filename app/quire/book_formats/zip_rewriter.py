"""Changes members of an archive that Pandoc wrote."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping

Change = Callable[[str], str]


def repacked(
    content: bytes,
    changes: Mapping[str, Change],
    added: Mapping[str, bytes] | None = None,
    left_out: tuple[str, ...] = (),
    stored: str = "mimetype",
) -> bytes:
    """Return an archive with some members changed, added or left out; the one that is stored comes first."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(packed, "w") as new:
        for name in sorted(old.namelist(), key=lambda name: name != stored):
            if name in left_out:
                continue
            member = old.read(name)
            if name in changes:
                member = changes[name](member.decode()).encode()
            _write(new, name, member, stored)
        for name, member in (added or {}).items():
            _write(new, name, member, stored)
    return packed.getvalue()


def _write(archive: zipfile.ZipFile, name: str, member: bytes, stored: str) -> None:
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_STORED if name == stored else zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    archive.writestr(info, member)
