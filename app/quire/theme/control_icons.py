"""The small symbols of fields and boxes (arrows, ticks), in the colours of each theme.

A style sheet accepts pictures only from files. These are kept in memory as Qt resource files, so that no
files have to be written for the themes.
"""

from __future__ import annotations

import struct
from functools import cache

from PySide6.QtCore import qRegisterResourceData

from quire.theme.colour_tokens import THEMES, Tokens
from quire.theme.icons import ICONS

_FORMAT = 1
_FOLDER = 0x02
_ROOT = "quire-controls"


def control_icons(tokens: Tokens) -> str:
    """Return the folder of the symbols of a theme, without a trailing slash."""
    _register()
    return f":/{_ROOT}/{tokens.name}"


@cache
def _register() -> tuple[bytes, bytes, bytes]:
    """Register the symbols of all themes with Qt, once; the return value must live as long as the program."""
    folders = {tokens.name: _drawings(tokens) for tokens in THEMES}
    tables = _tables(folders)
    qRegisterResourceData(_FORMAT, *tables)
    return tables


def _drawings(tokens: Tokens) -> dict[str, bytes]:
    """Return the files of a theme: shapes of the icons folder, each in its colour."""
    colours = {
        "down": ("down", tokens.soft_ink),
        "up": ("up", tokens.soft_ink),
        "down-disabled": ("down", tokens.faint_ink),
        "up-disabled": ("up", tokens.faint_ink),
        "tick": ("tick", tokens.on_accent),
        "dot": ("dot", tokens.accent),
    }
    return {
        f"{name}.svg": (ICONS / f"{shape}.svg").read_bytes().replace(b"currentColor", colour.encode())
        for name, (shape, colour) in colours.items()
    }


def _tables(folders: dict[str, dict[str, bytes]]) -> tuple[bytes, bytes, bytes]:
    """Return the tree, the names and the contents as Qt's resource compiler would write them.

    The tree is laid out level by level; within a folder Qt looks files up by the hash of their name.
    """
    names, contents = _Names(), bytearray()
    themes = sorted(folders, key=_hash)
    files = [(theme, name) for theme in themes for name in sorted(folders[theme], key=_hash)]
    tree = bytearray(_folder(names.add(""), 1, 1))
    tree += _folder(names.add(_ROOT), len(themes), 2)
    first_file = 2 + len(themes)
    for theme in themes:
        tree += _folder(names.add(theme), len(folders[theme]), first_file)
        first_file += len(folders[theme])
    for theme, name in files:
        content = folders[theme][name]
        tree += struct.pack(">IHHHI", names.add(name), 0, 0, 1, len(contents))
        contents += struct.pack(">I", len(content)) + content
    return bytes(tree), bytes(names.table), bytes(contents)


def _folder(name: int, num_children: int, first_child: int) -> bytes:
    return struct.pack(">IHII", name, _FOLDER, num_children, first_child)


class _Names:
    """The table of names; add() returns the offset of a name in it."""

    def __init__(self) -> None:
        self.table = bytearray()

    def add(self, name: str) -> int:
        offset = len(self.table)
        self.table += struct.pack(">HI", len(name), _hash(name)) + name.encode("utf-16-be")
        return offset


def _hash(name: str) -> int:
    """Return the hash by which Qt orders the files of a folder."""
    value = 0
    for character in name:
        value = (value << 4) + ord(character)
        value ^= (value & 0xF0000000) >> 23
        value &= 0x0FFFFFFF
    return value
