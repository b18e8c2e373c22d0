"""What else could stand in a selection, piece by piece."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor

from quire.domain.text_quality.token_surprise import ScoredPiece, Surprise, WordAlternative
from quire.overlays.alternatives_dialog import AlternativesDialog, percent, shown_piece
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch

LEFT = Qt.MouseButton.LeftButton
TEXT = "The 😀 ferry\ncame"
PIECES = (
    ScoredPiece(100, 103, "The", 0.9, 1, (WordAlternative("The", 0.9), WordAlternative("A", 0.05))),
    ScoredPiece(
        103, 105, " 😀", 0.0004, 900, (WordAlternative(" old", 0.3), WordAlternative(" last & best", 0.2))
    ),
    ScoredPiece(105, 111, " ferry", 0.02, 7, (WordAlternative(" boat", 0.4),)),
    ScoredPiece(111, 112, "\n", 0.3, 1, ()),
)
SURPRISE = Surprise(100, TEXT, PIECES)


@pytest.fixture
def dialog(themes: ThemeSwitch, qtbot: Any) -> AlternativesDialog:
    dialog = AlternativesDialog(SURPRISE, themes)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def rows(dialog: AlternativesDialog) -> list[tuple[str, str]]:
    items = ((dialog.table.item(row, 0), dialog.table.item(row, 1)) for row in range(dialog.table.rowCount()))
    return [(one.text(), other.text()) for one, other in items if one is not None and other is not None]


def test_it_begins_with_the_most_surprising_piece(dialog: AlternativesDialog) -> None:
    assert dialog.chosen == 1
    assert dialog.text_box.textCursor().selectedText() == " 😀"
    assert dialog.piece_label.text() == "“␣😀”: < 0.1%, choice number 900 of the model. Piece 2 of 4."
    assert rows(dialog) == [("“␣old”", "30%"), ("“␣last␣&␣best”", "20%")]


def test_a_word_behind_a_servers_list_has_no_number(themes: ThemeSwitch, qtbot: Any) -> None:
    piece = ScoredPiece(0, 5, "ferry", 0.002, None, (WordAlternative("boat", 0.4),))
    dialog = AlternativesDialog(Surprise(0, "ferry", (piece,)), themes)
    qtbot.addWidget(dialog)
    said = dialog.piece_label.text()
    assert said == "“ferry”: 0.2%, none of the choices that the server lists. Piece 1 of 1."


def test_the_cursor_keys_go_from_piece_to_piece(dialog: AlternativesDialog, qtbot: Any) -> None:
    for _ in range(3):
        qtbot.keyClick(dialog.text_box, Qt.Key.Key_Left)
    assert dialog.chosen == 0
    assert rows(dialog) == [("“The”  (current)", "90%"), ("“A”", "5.0%")]
    assert dialog.table.currentRow() == 1  # the first that would change something
    for _ in range(9):
        qtbot.keyClick(dialog.text_box, Qt.Key.Key_Right)
    assert dialog.chosen == 3
    assert rows(dialog) == []
    assert not dialog.redraft_button.isEnabled()


def test_a_click_chooses_the_piece_under_the_pointer(dialog: AlternativesDialog, qtbot: Any) -> None:
    cursor = QTextCursor(dialog.text_box.document())
    cursor.setPosition(dialog.text_box.document().toRawText().index("ferry") + 2)
    at = dialog.text_box.cursorRect(cursor).center() + QPoint(2, 0)
    qtbot.mouseClick(dialog.text_box.viewport(), LEFT, pos=at)
    assert dialog.chosen == 2
    dialog.choose_place(100)
    assert dialog.chosen == 0
    dialog.choose_place(9_000)
    assert dialog.chosen == 0


def test_a_redraft_is_asked_for_with_its_place_and_words(dialog: AlternativesDialog, qtbot: Any) -> None:
    dialog.table.setCurrentCell(1, 0)
    assert dialog.redraft_button.text() == "Redraft From Here With “␣last␣&&␣best”"
    with qtbot.waitSignal(dialog.redraft_asked) as asked:
        qtbot.mouseClick(dialog.redraft_button, LEFT)
    assert asked.args == [103, " last & best"]
    assert not dialog.isVisible()


def test_nothing_is_redrafted_while_a_draft_goes_on(dialog: AlternativesDialog, qtbot: Any) -> None:
    dialog.set_may_redraft(may=False)
    assert not dialog.redraft_button.isEnabled()
    assert dialog.redraft_button.toolTip() == "A draft is in progress. Pause it first."
    with qtbot.assertNotEmitted(dialog.redraft_asked):
        dialog.table.cellActivated.emit(0, 0)
    dialog.set_may_redraft(may=True)
    assert dialog.redraft_button.isEnabled()


def test_what_stands_there_is_no_alternative(dialog: AlternativesDialog) -> None:
    dialog.choose(0)
    dialog.table.setCurrentCell(0, 0)
    assert not dialog.redraft_button.isEnabled()
    assert dialog.redraft_button.text() == "Redraft From Here With …"


def test_surprises_are_marked_in_every_theme(dialog: AlternativesDialog, themes: ThemeSwitch) -> None:
    marks = dialog.text_box.extraSelections()
    styles = [mark.format.underlineStyle() for mark in marks]
    light = marks[1].format.underlineColor().name()
    assert len(styles) == 4
    assert len(set(styles)) == 4
    themes.choose(ThemeChoice.DARK)
    marks = dialog.text_box.extraSelections()
    assert marks[1].format.underlineColor().name() != light


def test_a_selection_of_which_nothing_is_known_says_so(themes: ThemeSwitch, qtbot: Any) -> None:
    dialog = AlternativesDialog(Surprise(0, "It", ()), themes)
    qtbot.addWidget(dialog)
    assert dialog.piece_label.text() == "No alternatives found for this selection."
    assert not dialog.redraft_button.isEnabled()


@pytest.mark.parametrize(
    ("probability", "text"),
    [(1, "100%"), (0.1, "10%"), (0.0999, "10.0%"), (0.001, "0.1%"), (0.0009, "< 0.1%")],
)
def test_small_probabilities_have_more_digits(probability: float, text: str) -> None:
    assert percent(probability) == text
    assert shown_piece(" a\n") == "“␣a↵”"
