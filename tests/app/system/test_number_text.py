from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QTranslator
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
from quire_engine.catalog.memory_fit import gigabytes

VIEWS = (
    "charts", "comments", "drafting", "help", "import_export", "manuscript", "model_library", "overlays",
    "preferences", "presets", "projects", "reading", "search", "shell", "spelling", "steering", "takes", "ui",
    "writing_statistics",
)  # fmt: skip
RAW = re.compile(r"""\bf(["'])(?:(?!\1).)*\{[^{}]*:[^{}]*(?:,|\.[1-9]\d*[f%])[^{}]*\}""")
"""Thousands or decimals in an f-string. Whole percents (":.0%") read alike in both languages."""


def test_numbers_are_english_until_a_language_is_chosen() -> None:
    assert (number_text(12_345), number_text(1_234.56, 1), number_text(7)) == ("12,345", "1,234.6", "7")
    assert signed(-1_204) == "\u22121,204"


def test_numbers_are_those_of_the_language_everywhere(qapp: QApplication) -> None:
    known, before = set(qapp.findChildren(QTranslator)), QLocale()
    install_language(qapp, "de")
    try:
        assert (number_text(12_345), number_text(1_234.56, 1)) == ("12.345", "1.234,6")
        assert (signed(1_204), size_text(2_500_000_000)) == ("+1.204", "2,5 GB")
        assert translated(UserMessage("{words:,} words", words=12_345)).startswith("12.345 ")
        assert translated(UserMessage("{size:,.1f} GB", size=2_500.46)) == "2.500,5 GB"
        assert [translated(gigabytes(size)) for size in (2_500 * 10**9, 1_500_000_000, 7_000_000)] == [
            "2.500 GB", "1,5 GB", "7 MB",
        ]  # fmt: skip
        box = GoalBox()
        box.set_goal(20_000)
        assert box.currentText().startswith("20.000 ")
        assert (parse_goal("20.000 Wörter"), words_meant("80.000"), words_meant("1.200.000")) == (
            20_000, 80_000, 1_200_000,
        )  # fmt: skip
    finally:
        use_marks(",", ".")
        QLocale.setDefault(before)
        for translator in set(qapp.findChildren(QTranslator)) - known:
            qapp.removeTranslator(translator)
            translator.deleteLater()


def test_raw_numbers_are_found_in_any_quotes() -> None:
    raw = ('f"{words:,} words"', "f'{words:,}'", 'f"{size:.1f} GB"', "f'{size:,.2f} GB'", 'f"{share:.1%}"')
    assert [line for line in raw if not RAW.search(line)] == []
    assert not any(RAW.search(line) for line in ('f"{share:.0%}"', 'f"{number:02}"', '"{words:,} words"'))


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
