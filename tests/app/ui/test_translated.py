"""Messages in the language of the window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator

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
