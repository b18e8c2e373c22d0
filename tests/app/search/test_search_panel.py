from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from quire.domain.manuscript.find_replace import Query
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.tree import Node, NodeKind
from quire.editor.manuscript_editor import ManuscriptEditor
from quire.editor.search_matches import select_place
from quire.search import search_panel
from quire.search.results_model import FoundRows, Index
from quire.search.search_panel import SearchPanel
from quire.services.project.book_search import (
    BookHits,
    BookReplacement,
    TextHits,
    find_in_book,
    replace_in_book,
)
from quire.services.transactions.project_text import read_document
from quire.storage.project_file import ProjectFile, create_project_file, open_project_file
from quire.theme.colour_tokens import contrast
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch

FIRST = "😀 Mara came.\n“MARA!” they called."
SECOND = (
    "Before dawn, and long before anybody else in the house was up, Mara and Tamara went down to the river."
)


@pytest.fixture
def file(tmp_path: Path) -> Iterator[ProjectFile]:
    path = tmp_path / "novel.quire"
    second = (Node(3, NodeKind.CHAPTER, "Two\nlines", 2, position=3), Document(3, "Two\nlines", SECOND))
    create_project_file(path, Project("Night", datetime.now(UTC)), Document(1, "One", FIRST), [second])
    file = open_project_file(path)
    yield file
    file.close()


@pytest.fixture
def panel(qtbot: Any, themes: ThemeSwitch) -> SearchPanel:
    panel = SearchPanel(themes)
    qtbot.addWidget(panel)
    panel.resize(264, 500)
    panel.show()
    return panel


def search(file: ProjectFile, query: Query) -> BookHits:
    found = find_in_book(file, query, lambda done, total: None, lambda: False)
    assert found is not None
    return found


def ask(qtbot: Any, panel: SearchPanel, file: ProjectFile, text: str) -> None:
    """Type, press Return, and answer as the application does."""
    panel.open_to_find()
    panel.query_field.field.clear()
    qtbot.keyClicks(panel.query_field.field, text)
    with qtbot.waitSignal(panel.search_asked) as asked:
        qtbot.keyClick(panel.query_field.field, Qt.Key.Key_Return)
    panel.show_hits(search(file, asked.args[0]))


def click(qtbot: Any, button: Any) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def chapter(panel: SearchPanel, number: int) -> QModelIndex:
    index = panel.rows.index(number, 0)
    assert index.isValid()
    return index


def found(panel: SearchPanel, of_chapter: int, number: int) -> QModelIndex:
    index = panel.rows.index(number, 0, chapter(panel, of_chapter))
    assert index.isValid()
    return index


def tick(panel: SearchPanel, index: QModelIndex, state: Qt.CheckState) -> None:
    assert panel.rows.setData(index, state, Qt.ItemDataRole.CheckStateRole)


def state_of(index: QModelIndex) -> Qt.CheckState | None:
    """Return what the box before a row shows; None where there is no box."""
    state: Qt.CheckState | None = index.data(Qt.ItemDataRole.CheckStateRole)
    return state


def check_box(panel: SearchPanel, item: QModelIndex) -> QPoint:
    """Return where the box before a match is."""
    option = QStyleOptionViewItem()
    option.initFrom(panel.tree)
    option.rect = panel.tree.visualRect(item)
    option.features = QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
    box = panel.tree.style().subElementRect(
        QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, panel.tree
    )
    return box.center()


def replacing(qtbot: Any, panel: SearchPanel, text: str) -> None:
    if not panel.replace_switch.isChecked():
        click(qtbot, panel.replace_switch)
    panel.replacement_field.clear()
    qtbot.keyClicks(panel.replacement_field, text)


def test_what_is_found_is_listed_by_chapter_with_its_line(
    panel: SearchPanel, file: ProjectFile, qtbot: Any
) -> None:
    ask(qtbot, panel, file, "mara")
    assert panel.summary_label.text() == "4 matches in 2 texts"
    assert [chapter(panel, number).data() for number in (0, 1)] == ["One  (2)", "Two lines  (2)"]
    assert found(panel, 0, 1).data() == "“MARA!” they called."
    assert found(panel, 0, 1).data(Qt.ItemDataRole.ToolTipRole) == "“MARA!” they called."
    assert state_of(found(panel, 0, 1)) is None
    assert not panel.replace_button.isVisible()
    ask(qtbot, panel, file, "coat")
    assert (panel.summary_label.text(), panel.rows.rowCount()) == ("Nothing found", 0)
    ask(qtbot, panel, file, "river")
    assert panel.summary_label.text() == "1 match"


def test_the_query_is_what_the_options_say(panel: SearchPanel, qtbot: Any) -> None:
    for button in (panel.query_field.case_button, panel.query_field.regex_button):
        click(qtbot, button)
    qtbot.keyClicks(panel.query_field.field, "M.ra")
    with qtbot.waitSignal(panel.search_asked) as asked:
        click(qtbot, panel.find_button)
    assert asked.args == [Query("M.ra", is_regex=True, match_case=True)]
    panel.query_field.field.clear()
    panel.show_nothing()
    with qtbot.assertNotEmitted(panel.search_asked):
        click(qtbot, panel.find_button)


def test_a_click_tells_the_place_and_the_editor_selects_it(
    panel: SearchPanel, file: ProjectFile, qtbot: Any
) -> None:
    ask(qtbot, panel, file, "mara")
    place = panel.tree.visualRect(found(panel, 0, 1)).center()
    with qtbot.waitSignal(panel.place_chosen) as chosen:
        qtbot.mouseClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    document_id, start, end = chosen.args
    assert (document_id, FIRST[start:end]) == (1, "MARA")
    editor = ManuscriptEditor()
    qtbot.addWidget(editor)
    editor.show_text(FIRST)
    select_place(editor, start, end)
    assert editor.textCursor().selectedText() == "MARA"
    select_place(editor, 9999, 10_000)  # the text is shorter by now
    assert (editor.textCursor().atEnd(), editor.textCursor().hasSelection()) == (True, False)


def test_return_on_a_match_goes_there_too(panel: SearchPanel, file: ProjectFile, qtbot: Any) -> None:
    ask(qtbot, panel, file, "tamara")
    panel.tree.setCurrentIndex(found(panel, 0, 0))
    with qtbot.waitSignal(panel.place_chosen) as chosen:
        qtbot.keyClick(panel.tree, Qt.Key.Key_Return)
    assert SECOND[chosen.args[1] : chosen.args[2]] == "Tamara"
    panel.tree.setCurrentIndex(chapter(panel, 0))
    with qtbot.assertNotEmitted(panel.place_chosen):
        qtbot.keyClick(panel.tree, Qt.Key.Key_Return)


def test_only_what_is_ticked_is_replaced(panel: SearchPanel, file: ProjectFile, qtbot: Any) -> None:
    ask(qtbot, panel, file, "mara")
    replacing(qtbot, panel, "Ida")
    assert panel.replace_button.text() == "Replace 4"
    box = check_box(panel, found(panel, 1, 1))
    with qtbot.assertNotEmitted(panel.place_chosen):  # a tick is no wish to go there
        qtbot.mouseClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=box)
    assert state_of(found(panel, 1, 1)) is Qt.CheckState.Unchecked
    assert state_of(chapter(panel, 1)) is Qt.CheckState.PartiallyChecked
    qtbot.waitUntil(lambda: panel.replace_button.text() == "Replace 3")
    with qtbot.waitSignal(panel.replace_asked) as asked:
        click(qtbot, panel.replace_button)
    order = asked.args[0]
    assert isinstance(order, BookReplacement)
    done = replace_in_book(file, order)
    panel.show_replaced(done)
    assert read_document(file, 1).text == "😀 Ida came.\n“Ida!” they called."
    assert read_document(file, 3).text == SECOND.replace("Mara", "Ida")
    assert panel.summary_label.text() == (
        "3 replaced. The earlier version is saved as snapshot “Before replacing “mara””."
    )
    assert panel.rows.rowCount() == 0


def test_a_chapter_is_ticked_as_a_whole(panel: SearchPanel, file: ProjectFile, qtbot: Any) -> None:
    ask(qtbot, panel, file, "mara")
    replacing(qtbot, panel, "Ida")
    for number in (0, 1):
        tick(panel, chapter(panel, number), Qt.CheckState.Unchecked)
    qtbot.waitUntil(lambda: not panel.replace_button.isEnabled())
    assert panel.replace_button.text() == "Replace"
    tick(panel, chapter(panel, 0), Qt.CheckState.Checked)
    qtbot.waitUntil(panel.replace_button.isEnabled)
    with qtbot.waitSignal(panel.replace_asked) as asked:
        click(qtbot, panel.replace_button)
    assert [(text.document_id, len(text.matches)) for text in asked.args[0].texts] == [(1, 2)]
    click(qtbot, panel.replace_switch)
    assert state_of(found(panel, 0, 0)) is None
    assert not panel.replacement_field.isVisible()


def test_the_space_bar_ticks_a_match_and_a_chapter(panel: SearchPanel, file: ProjectFile, qtbot: Any) -> None:
    ask(qtbot, panel, file, "mara")
    replacing(qtbot, panel, "Ida")
    panel.tree.setFocus()
    panel.tree.setCurrentIndex(found(panel, 0, 1))
    with qtbot.assertNotEmitted(panel.place_chosen):
        qtbot.keyClick(panel.tree, Qt.Key.Key_Space)
    assert state_of(chapter(panel, 0)) is Qt.CheckState.PartiallyChecked
    qtbot.waitUntil(lambda: panel.replace_button.text() == "Replace 3")
    panel.tree.setCurrentIndex(chapter(panel, 0))
    for wanted, left in ((Qt.CheckState.Checked, 4), (Qt.CheckState.Unchecked, 2)):
        qtbot.keyClick(panel.tree, Qt.Key.Key_Space)
        assert state_of(found(panel, 0, 0)) is state_of(chapter(panel, 0)) is wanted
        qtbot.waitUntil(lambda left=left: panel.replace_button.text() == f"Replace {left}")


class CountedRows(FoundRows):
    """Notes which lines are asked for."""

    made: ClassVar[list[int]] = []

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            self.made.append(index.row())
        return super().data(index, role)


def test_lines_that_are_not_in_sight_are_not_made(
    file: ProjectFile, themes: ThemeSwitch, monkeypatch: pytest.MonkeyPatch, qtbot: Any
) -> None:
    monkeypatch.setattr(search_panel, "FoundRows", CountedRows)
    CountedRows.made.clear()
    panel = SearchPanel(themes)
    qtbot.addWidget(panel)
    panel.resize(264, 500)
    panel.show()
    once = search(file, Query("mara")).texts[0]
    panel.show_hits(BookHits(Query("mara"), (TextHits(1, "One", "", once.hits * 2_000),)))
    panel.tree.viewport().grab()
    assert panel.rows.rowCount(chapter(panel, 0)) == 4_000
    assert 2 < len(CountedRows.made) < 100
    assert panel.tree.visualRect(found(panel, 0, 3_999)).top() > 4_000  # and yet it has its place
    panel.tree.scrollTo(found(panel, 0, 3_999))
    panel.tree.viewport().grab()
    assert 3_999 in CountedRows.made


def test_a_list_of_another_search_replaces_nothing(panel: SearchPanel, file: ProjectFile, qtbot: Any) -> None:
    ask(qtbot, panel, file, "mara")
    replacing(qtbot, panel, "Ida")
    assert panel.replace_button.isEnabled()
    qtbot.keyClicks(panel.query_field.field, "x")
    assert not panel.replace_button.isEnabled()
    assert "Search again" in panel.replace_button.toolTip()
    qtbot.keyClick(panel.query_field.field, Qt.Key.Key_Backspace)
    assert panel.replace_button.isEnabled()
    panel.set_locked(locked=True)
    assert not panel.replace_button.isEnabled()
    assert "Pause the draft" in panel.replace_button.toolTip()
    panel.set_locked(locked=False)
    assert panel.replace_button.isEnabled()


def test_a_replacement_that_refers_to_nothing_is_a_sentence(
    panel: SearchPanel, file: ProjectFile, qtbot: Any
) -> None:
    click(qtbot, panel.query_field.regex_button)
    ask(qtbot, panel, file, "(m)ara")
    replacing(qtbot, panel, r"\2")
    assert "no such group" in panel.problem_label.text()
    assert not panel.replace_button.isEnabled()
    replacing(qtbot, panel, r"\1ia")
    assert not panel.problem_label.isVisible()
    assert panel.replace_button.isEnabled()


def test_progress_is_said_and_stop_ends_it(panel: SearchPanel, file: ProjectFile, qtbot: Any) -> None:
    qtbot.keyClicks(panel.query_field.field, "mara")
    click(qtbot, panel.find_button)
    panel.show_progress(3, 1200)
    assert (panel.summary_label.text(), panel.find_button.text()) == ("Searching 3 of 1,200", "Stop")
    with qtbot.waitSignal(panel.stop_asked), qtbot.assertNotEmitted(panel.search_asked):
        click(qtbot, panel.find_button)
    assert (panel.summary_label.text(), panel.find_button.text()) == ("Stopped", "Find")


def test_problems_are_said(panel: SearchPanel, file: ProjectFile, qtbot: Any) -> None:
    ask(qtbot, panel, file, "mara")
    panel.show_problem("“One” has changed since it was searched.")
    assert panel.problem_label.text() == "“One” has changed since it was searched."
    assert panel.rows.rowCount() == 2
    panel.show_nothing("This is not a valid regular expression.")
    assert (panel.problem_label.isVisible(), panel.rows.rowCount()) == (True, 0)


def test_more_than_can_be_listed_is_said(panel: SearchPanel, file: ProjectFile) -> None:
    hits = search(file, Query("mara"))
    panel.show_hits(BookHits(hits.query, hits.texts, more=True))
    assert panel.summary_label.text() == "First 4 matches; there are more"


def test_the_preview_shows_the_old_words_and_the_new(
    panel: SearchPanel, file: ProjectFile, themes: ThemeSwitch, qtbot: Any
) -> None:
    ask(qtbot, panel, file, "river")
    accent = QColor(themes.tokens.accent)
    assert not _has_colour(panel, found(panel, 0, 0), accent)
    replacing(qtbot, panel, "sea")
    assert _has_colour(panel, found(panel, 0, 0), accent)


@pytest.mark.parametrize("choice", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_an_empty_check_box_is_seen(
    panel: SearchPanel, file: ProjectFile, themes: ThemeSwitch, qtbot: Any, choice: ThemeChoice
) -> None:
    themes.choose(choice)
    ask(qtbot, panel, file, "river")
    replacing(qtbot, panel, "sea")
    item = found(panel, 0, 0)
    tick(panel, item, Qt.CheckState.Unchecked)
    box = QRect(0, 0, 15, 15)
    box.moveCenter(check_box(panel, item))
    image = panel.tree.viewport().grab(box).toImage()
    colours = {image.pixelColor(x, y).name() for x in range(15) for y in range(15)}
    assert max(contrast(themes.tokens.desk, colour) for colour in colours) >= 3


@pytest.mark.parametrize("choice", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_everything_has_a_name(panel: SearchPanel, themes: ThemeSwitch, choice: ThemeChoice) -> None:
    themes.choose(choice)
    assert themes.tokens.desk in panel.styleSheet()
    for part in (panel.query_field.field, panel.replacement_field, panel.tree, panel.replace_switch, panel):
        assert part.accessibleName()


def _has_colour(panel: SearchPanel, item: QModelIndex, colour: QColor) -> bool:
    """Return whether a line is drawn with a colour; the text of a letter has some pixels of it."""
    place = panel.tree.visualRect(item)
    place = QRect(place.left() + 30, place.top(), place.width() - 30, place.height())  # without its check box
    image = panel.tree.viewport().grab(place).toImage()
    return any(image.pixelColor(x, y) == colour for x in range(image.width()) for y in range(image.height()))
