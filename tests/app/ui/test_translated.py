"""Messages in the language of the window."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from datetime import datetime

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from quire.domain.written_time import TimeForm, WrittenTime
from quire.errors import WriterProblem
from quire.ui.translated import CONTEXT, translated
from quire_engine.api.user_message import UserMessage, joined

_GERMAN = {
    "{file} was not added. {problem}": "{file} wurde nicht hinzugefügt. {problem}",
    "{number:,} files are missing.": "Es fehlen {number:,} Dateien.",
    "The disk is full.": "Der Datenträger ist voll.",
}


class _German(QTranslator):
    def translate(self, context: str, source: str, /, disambiguation: str | None = None, n: int = -1) -> str:
        return _GERMAN.get(source, source) if context == CONTEXT else source


@pytest.fixture
def german(qapp: QCoreApplication) -> Iterator[None]:
    translator = _German()  # without a parent, or tests that look for translators would find it
    assert qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


@pytest.mark.usefixtures("german")
def test_a_message_and_the_one_within_it_are_translated() -> None:
    cause = WriterProblem("{number:,} files are missing.", number=1200)
    outer = UserMessage("{file} was not added. {problem}", file="a.txt", problem=cause)
    assert translated(outer) == "a.txt wurde nicht hinzugefügt. Es fehlen 1,200 Dateien."


@pytest.mark.usefixtures("german")
def test_joined_sentences_are_translated_one_by_one() -> None:
    known, unknown = UserMessage("The disk is full."), UserMessage("{name} is new.", name="This")
    assert translated(joined(known, unknown)) == "Der Datenträger ist voll. This is new."


@pytest.mark.usefixtures("german")
def test_what_is_no_message_is_shown_as_it_is() -> None:
    assert translated("The disk is full.") == "The disk is full."


def test_without_a_translation_a_message_is_its_english() -> None:
    message = UserMessage("{number:,} files are missing.", number=1200)
    assert translated(message) == str(message) == "1,200 files are missing."


@pytest.fixture
def german_dates() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale("de_DE"))
    yield
    QLocale.setDefault(before)


@pytest.mark.parametrize(
    ("form", "english", "german"),
    [
        (TimeForm.BOTH, "22 November 2026, 21:05", "22. November 2026, 21:05"),
        (TimeForm.DATE, "22 November 2026", "22. November 2026"),
        (TimeForm.TIME, "21:05", "21:05"),
    ],
)
@pytest.mark.usefixtures("german_dates")
def test_a_date_in_a_message_is_written_as_the_window_does(form: TimeForm, english: str, german: str) -> None:
    when = datetime(2026, 11, 22, 21, 5).astimezone()
    message = UserMessage("The last good backup is from {made}.", made=WrittenTime(when, form))
    assert message == f"The last good backup is from {english}."
    assert translated(message) == f"The last good backup is from {german}."
    assert translated(pickle.loads(pickle.dumps(message))) == translated(message)
    assert translated(joined(message, message)) == f"{translated(message)} {translated(message)}"
