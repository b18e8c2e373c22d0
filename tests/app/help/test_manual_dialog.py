from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument

from quire.help.manual import manual_pages
from quire.help.manual_dialog import ManualDialog
from quire.theme.theme_switch import ThemeSwitch


@pytest.fixture
def dialog(qtbot: Any, themes: ThemeSwitch) -> ManualDialog:
    dialog = ManualDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_it_opens_on_the_first_page_beside_the_work(dialog: ManualDialog) -> None:
    assert not dialog.isModal()
    assert dialog.contents.count() == len(manual_pages())
    assert dialog.page == manual_pages()[0]
    assert dialog.text.toPlainText().startswith("A first draft in five steps")


def test_the_contents_lead_to_every_page(dialog: ManualDialog, qtbot: Any) -> None:
    dialog.contents.setFocus()
    for page in manual_pages()[1:]:
        qtbot.keyClick(dialog.contents, Qt.Key.Key_Down)
        assert dialog.page == page
        assert dialog.text.toPlainText().startswith(page.title)
        assert dialog.text.verticalScrollBar().value() == 0


def test_a_search_lists_pages_and_marks_the_words(dialog: ManualDialog, qtbot: Any) -> None:
    qtbot.keyClicks(dialog.search_edit, "safetensors")
    assert [dialog.contents.item(row).text() for row in range(dialog.contents.count())] == ["Larger models"]
    assert dialog.page is not None
    assert dialog.page.name == "models"
    marked = dialog.text.extraSelections()
    assert len(marked) == dialog.text.toPlainText().count("safetensors") > 0
    assert dialog.found_label.text() == f"Found on 1 of {len(manual_pages())} pages"
    qtbot.keyClick(dialog.search_edit, Qt.Key.Key_Return)
    assert dialog.text.hasFocus()
    dialog.search_edit.clear()
    assert dialog.contents.count() == len(manual_pages())
    assert dialog.page is not None
    assert dialog.page.name == "models"  # it stays where the writer was
    assert dialog.text.extraSelections() == []


def test_words_that_no_page_has_are_said(dialog: ManualDialog, qtbot: Any) -> None:
    qtbot.keyClicks(dialog.search_edit, "zzzz")
    assert dialog.found_label.text() == "No pages found."
    assert dialog.page is None
    dialog.search_edit.clear()
    assert dialog.page == manual_pages()[0]


def test_links_lead_to_pages_and_nothing_is_loaded_from_outside(dialog: ManualDialog) -> None:
    dialog.text.anchorClicked.emit(QUrl("manual:takes"))
    assert dialog.page is not None
    assert dialog.page.title == "Takes and snapshots"
    dialog.text.anchorClicked.emit(QUrl("https://example.org"))
    dialog.text.anchorClicked.emit(QUrl("file:///etc/passwd"))
    assert dialog.page.title == "Takes and snapshots"
    kind = QTextDocument.ResourceType.ImageResource.value
    assert dialog.text.loadResource(kind, QUrl("file:///etc/passwd")) is None
    assert not dialog.text.openExternalLinks()


def test_control_f_goes_to_the_search(dialog: ManualDialog, qtbot: Any) -> None:
    dialog.contents.setFocus()
    qtbot.keyClick(dialog, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert dialog.search_edit.hasFocus()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
