"""Reads what can be read of a row that is damaged."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from datetime import UTC, datetime
from enum import Enum
from typing import TypeVar

from quire.storage.row_digests import is_sound
from quire.storage.tables import Base

_Value = TypeVar("_Value")
_Default = TypeVar("_Default")
_Stored = TypeVar("_Stored")
_Member = TypeVar("_Member", bound=Enum)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""A time that cannot be read."""


def read_or(
    row: Base, default: _Default, read: Callable[[_Stored], _Value], stored: _Stored
) -> _Value | _Default:
    """Return what a function makes of a stored value; the default where it cannot, and the row is damaged.

    In a row that is as it was stored such a value was never Quire's: then the error is raised.
    """
    try:
        return read(stored)
    except (TypeError, ValueError, AttributeError, KeyError):
        if is_sound(row):
            raise
        return default


def nearest(members: type[_Member], stored: str, default: _Member) -> _Member:
    """Return the member whose stored value is most similar to a damaged one."""
    values = {str(member.value): member for member in members}
    found = difflib.get_close_matches(stored, values, 1)
    return values[found[0]] if found else default
