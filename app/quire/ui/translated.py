"""Errors, notices and other messages from below the window, in the language of the window."""

from __future__ import annotations

import re
from datetime import date

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QTime

from quire.domain.written_time import TimeForm, WrittenTime
from quire.system.number_text import LocalizedFloat, LocalizedInt
from quire_engine.api.user_message import UserMessage

CONTEXT = "Errors"
"""Where the templates are in quire_*.ts."""
_WEEKDAY = re.compile(r"[,،]?\s*dddd[,،]?\s*")


def translated(text: str) -> str:
    """Return a message in the language of the window, dates included; any other text is already in it."""
    if isinstance(text, WrittenTime):
        return _in_window(text)
    if not isinstance(text, UserMessage):
        return text
    template = QCoreApplication.translate(CONTEXT, text.template)
    words = {name: _localized(value) for name, value in text.arguments.items()}
    return template.format(**words) if words else template


def _localized(value: object) -> object:
    if isinstance(value, str):
        return translated(value)
    if type(value) is float:
        return LocalizedFloat(value)
    return LocalizedInt(value) if type(value) is int else value


def short_day(day: date) -> str:
    """Return a date, or the date of a moment, in the short form of the window's language."""
    return QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.ShortFormat)


def long_date_format() -> str:
    """Return how a date is written out in the window's language, without the day of the week."""
    return _WEEKDAY.sub("", QLocale().dateFormat(QLocale.FormatType.LongFormat))


def _in_window(time: WrittenTime) -> str:
    locale, when = QLocale(), time.when
    day = locale.toString(QDate(when.year, when.month, when.day), long_date_format())
    clock = locale.toString(QTime(when.hour, when.minute), QLocale.FormatType.ShortFormat)
    if time.form is TimeForm.BOTH:
        return QCoreApplication.translate(CONTEXT, "{0}, {1}").format(day, clock)
    return day if time.form is TimeForm.DATE else clock
