"""Words in their sentence with what else could stand there, in a small window at the word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QWidget

from quire.domain.text_quality.token_surprise import ScoredPiece, Surprise, WordAlternative, word_choices
from quire.overlays.alternatives_popover import AlternativesPopover, percent
from quire.theme.theme_switch import ThemeSwitch

LEFT = Qt.MouseButton.LeftButton
TEXT = "It rained. The ferryman came & went. Nobody sang."
START = TEXT.index(" ferryman")
PIECES = (
    ScoredPiece(
        START,
        START + 6,
        " ferry",
        0.02,
        7,
        (
            WordAlternative(" boatman", 0.4),
            WordAlternative("ing", 0.3),
            WordAlternative(",", 0.2),
            WordAlternative(" old man", 0.1),
            WordAlternative(" ferry", 0.02),
        ),
    ),
    ScoredPiece(START + 6, START + 9, "man", 0.5, 1, (WordAlternative("boat", 0.2),)),
    ScoredPiece(START + 9, START + 14, " came", 0.3, 1, (WordAlternative(" slept", 0.1),)),
)
CHOICES = word_choices(Surprise(START, " ferryman came", PIECES), TEXT)


@pytest.fixture
def popover(themes: ThemeSwitch, qtbot: Any) -> Iterator[AlternativesPopover]:
    window = QWidget()
    qtbot.addWidget(window)
    popover = AlternativesPopover(themes.tokens, window)
    popover.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    popover.open_at(QRect(100, 100, 2, 20))
    yield popover
    window.close()


def rows(popover: AlternativesPopover) -> list[str]:
    return [popover.list.item(row).text() for row in range(popover.list.count())]


def test_words_are_whole_and_stand_in_their_sentence() -> None:
    ferryman, came = CHOICES
    assert ferryman.in_sentence == ("The ", "ferryman", " came & went.")
    assert (ferryman.text, ferryman.probability) == (" ferryman", 0.01)
    assert [other.text for other in ferryman.alternatives] == [" boatman", " ferry"]
    assert came.in_sentence == ("The ferryman ", "came", " & went.")


def test_it_shows_progress_at_once_and_then_the_words(popover: AlternativesPopover, qtbot: Any) -> None:
    assert popover.bar.isVisible()
    assert not popover.list.isVisible()
    popover.show_share(0.5)
    assert popover.bar.value() == 500
    popover.show_choices(CHOICES)
    assert not popover.bar.isVisible()
    assert popover.screen().availableGeometry().contains(popover.geometry())
    assert popover.sentence.text() == "The <b><u>ferryman</u></b> came &amp; went."
    assert popover.hint.text().startswith("“ferryman” is 1.0% likely here.")
    assert rows(popover) == ["boatman    40%", "ferry    2.0%"]
    qtbot.keyClick(popover, Qt.Key.Key_Right)
    assert rows(popover) == ["slept    10%"]
    qtbot.keyClick(popover, Qt.Key.Key_Left)
    assert popover.chosen == 0


def test_a_word_replaces_another_or_begins_a_redraft(popover: AlternativesPopover, qtbot: Any) -> None:
    popover.show_choices(CHOICES)
    with qtbot.waitSignal(popover.replace_asked) as asked:
        qtbot.mouseClick(popover.replace_button, LEFT)
    assert asked.args == [START, " ferryman", " boatman"]
    assert not popover.isVisible()
    popover.open_at(QRect(100, 100, 2, 20))
    popover.list.setCurrentRow(1)
    with qtbot.waitSignal(popover.redraft_asked) as asked:
        qtbot.mouseClick(popover.redraft_button, LEFT)
    assert asked.args == [START, " ferry"]


def test_esc_closes_it(popover: AlternativesPopover, qtbot: Any) -> None:
    popover.show_choices(CHOICES)
    qtbot.keyClick(popover.list, Qt.Key.Key_Escape)
    assert not popover.isVisible()


def test_without_other_words_it_says_so(popover: AlternativesPopover) -> None:
    popover.show_choices(())
    assert popover.hint.text() == "The model has no other word for this place."
    assert not popover.bar.isVisible()


@pytest.mark.parametrize(
    ("probability", "text"),
    [(1, "100%"), (0.1, "10%"), (0.0999, "10.0%"), (0.001, "0.1%"), (0.0009, "< 0.1%")],
)
def test_small_probabilities_have_more_digits(probability: float, text: str) -> None:
    assert percent(probability) == text
