"""Dates and times in messages from below the window, which the window writes as its language does."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Self


class TimeForm(StrEnum):
    """What is written of a time; the value is its English form."""

    DATE = "%d %B %Y"
    TIME = "%H:%M"
    BOTH = "%d %B %Y, %H:%M"


class WrittenTime(str):
    """A time of this computer in English words, for commands and logs.

    Attributes:
        when: the time itself, for a window in another language.
        form: what is written of it.
    """

    __slots__ = ("form", "when")

    when: datetime
    form: TimeForm

    def __new__(cls, when: datetime, form: TimeForm = TimeForm.BOTH) -> Self:
        """Write a time, which must know its zone."""
        local = when.astimezone()
        written = super().__new__(cls, local.strftime(form))
        written.when, written.form = local, form
        return written

    def __getnewargs__(self) -> tuple[datetime, TimeForm]:  # type: ignore[override]
        return (self.when, self.form)
