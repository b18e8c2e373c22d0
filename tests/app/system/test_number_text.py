from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import QApplication

import quire
from quire.domain.drafting.goal_parsing import parse_goal
from quire.domain.manuscript.writing_statistics import signed
from quire.drafting.goal_box import GoalBox
from quire.settings.interface_language import install_language
from quire.system.file_sizes import size_text
from quire.system.number_text import number_text, use_marks
from quire.ui.translated import translated
from quire.writing_statistics.book_goal_form import words_meant
from quire_engine.api.user_message import UserMessage

VIEWS = (
    "charts", "comments", "drafting", "manuscript", "model_library", "overlays", "preferences", "projects",
    "reading", "search", "shell", "spelling", "steering", "takes", "ui", "writing_statistics",
)  # fmt: skip
RAW = re.compile(r"""f"[^"]*\{[^{}"]*:[+,]*,[^{}"]*\}""")


def test_numbers_are_english_until_a_language_is_chosen() -> None:
    assert (number_text(12_345), number_text(1_234.56, 1), number_text(7)) == ("12,345", "1,234.6", "7")
    assert signed(-1_204) == "\u22121,204"


def test_numbers_are_those_of_the_language_everywhere(qapp: QApplication) -> None:
    known = set(qapp.findChildren(QTranslator))
    install_language(qapp, "de")
    try:
        assert (number_text(12_345), number_text(1_234.56, 1)) == ("12.345", "1.234,6")
        assert (signed(1_204), size_text(2_500_000_000)) == ("+1.204", "2,5 GB")
        assert translated(UserMessage("{words:,} words", words=12_345)).startswith("12.345 ")
        box = GoalBox()
        box.set_goal(20_000)
        assert box.currentText().startswith("20.000 ")
        assert (parse_goal("20.000 Wörter"), words_meant("80.000"), words_meant("1.200.000")) == (
            20_000, 80_000, 1_200_000,
        )  # fmt: skip
    finally:
        use_marks(",", ".")
        for translator in set(qapp.findChildren(QTranslator)) - known:
            qapp.removeTranslator(translator)
            translator.deleteLater()


@pytest.mark.parametrize("room", VIEWS)
def test_no_view_writes_thousands_by_itself(room: str) -> None:
    folder = Path(next(iter(quire.__path__))) / room
    found = [
        f"{file.name}: {line.strip()}"
        for file in sorted(folder.rglob("*.py"))
        for line in file.read_text(encoding="utf-8").splitlines()
        if RAW.search(line)
    ]
    assert found == []
