"""Conversion of each kind of setting from and to JSON; invalid values are read as None."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

_MOST_SPEED = 1e9
_MOST_NAMES = 10_000


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of setting.

    Attributes:
        read: from JSON, None for invalid values.
        write: to JSON.
    """

    read: Callable[[object], object | None]
    write: Callable[[Any], object]


def switch() -> Kind:
    """Return the kind of booleans."""
    return Kind(lambda stored: stored if isinstance(stored, bool) else None, bool)


def whole(lowest: int, highest: int) -> Kind:
    """Return the kind of whole numbers within limits."""

    def read(stored: object) -> object | None:
        fits = isinstance(stored, int) and not isinstance(stored, bool) and lowest <= stored <= highest
        return stored if fits else None

    return Kind(read, int)


def fraction(lowest: float, highest: float) -> Kind:
    """Return the kind of numbers within limits."""

    def read(stored: object) -> object | None:
        if isinstance(stored, bool) or not isinstance(stored, int | float):
            return None
        return float(stored) if lowest <= stored <= highest else None

    return Kind(read, float)


def choice(options: type[Enum]) -> Kind:
    """Return the kind of members of an enumeration."""

    def read(stored: object) -> object | None:
        return next((option for option in options if option.value == stored), None)

    return Kind(read, lambda option: option.value)


def text(longest: int) -> Kind:
    """Return the kind of single lines of text."""

    def read(stored: object) -> object | None:
        return stored if isinstance(stored, str) and len(stored) <= longest and "\0" not in stored else None

    return Kind(read, str)


def paths(most: int) -> Kind:
    """Return the kind of lists of paths, limited to the first ones."""

    def read(stored: object) -> object | None:
        if not isinstance(stored, list):
            return None
        return tuple(path for path in stored if isinstance(path, str) and path and "\0" not in path)[:most]

    return Kind(read, list)


def names(most: int) -> Kind:
    """Return the kind of lists of short names, limited to the first ones."""

    def read(stored: object) -> object | None:
        if not isinstance(stored, list):
            return None
        return tuple(name for name in stored if isinstance(name, str) and 0 < len(name) <= 40)[:most]

    return Kind(read, list)


def binary() -> Kind:
    """Return the kind of bytes."""

    def read(stored: object) -> object | None:
        try:
            return base64.b64decode(stored, validate=True) if isinstance(stored, str) else None
        except (binascii.Error, ValueError):
            return None

    return Kind(read, lambda value: base64.b64encode(value).decode("ascii"))


def speeds_by_name() -> Kind:
    """Return the kind of dictionaries of numbers above 0."""

    def read(stored: object) -> object | None:
        named = _named(stored)
        return named and {
            name: float(v)
            for name, v in named.items()
            if isinstance(v, int | float) and not isinstance(v, bool) and 0 < v < _MOST_SPEED
        }

    return Kind(read, dict)


def texts_by_name() -> Kind:
    """Return the kind of dictionaries of texts."""

    def read(stored: object) -> object | None:
        named = _named(stored)
        return None if named is None else {name: v for name, v in named.items() if isinstance(v, str)}

    return Kind(read, dict)


def keys_by_name() -> Kind:
    """Return the kind of dictionaries of key lists, by action; an empty list means no key."""

    def read(stored: object) -> object | None:
        named = _named(stored)
        if named is None:
            return None
        return {
            name: tuple(keys)
            for name, keys in named.items()
            if isinstance(keys, list) and all(isinstance(key, str) and key for key in keys)
        }

    return Kind(read, lambda keys_of: {name: list(keys) for name, keys in keys_of.items()})


def _named(stored: object) -> dict[str, object] | None:
    return stored if isinstance(stored, dict) and len(stored) <= _MOST_NAMES else None
