"""The page where no project is open, with real widgets."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl, SignalInstance
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QApplication

from quire.book_formats.importer import SUFFIXES
from quire.projects.recent_projects import RecentProject
from quire.projects.recent_projects_list import RecentList
from quire.projects.welcome_page import IMPORTED, WelcomePage
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
FERRY = RecentProject(Path("/books/Ferry.quire"), "The Ferry", NOW, 12412)
GONE = RecentProject(Path("/stick/Salt.quire"), "The Salt Road", NOW - timedelta(days=1), 1, exists=False)
OLD = RecentProject(Path("/books/Old.quire"), "Old", NOW - timedelta(days=60))
UNKNOWN = RecentProject(Path("/books/Unknown.quire"), "Unknown")
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def page(qtbot: Any, themes: ThemeSwitch) -> WelcomePage:
    page = WelcomePage()
    qtbot.addWidget(page)
    page.resize(1360, 760)
    page.show()
    return page


def test_every_way_to_begin_is_a_button(page: WelcomePage, qtbot: Any) -> None:
    ways = (
        (page.try_button, page.try_clicked),
        (page.write_button, page.write_clicked),
        (page.new_button, page.new_clicked),
        (page.open_button, page.open_clicked),
        (page.import_button, page.import_clicked),
        (page.model_button, page.model_clicked),
    )
    for button, signal in ways:
        with qtbot.waitSignal(signal):
            qtbot.mouseClick(button, LEFT)
        with qtbot.waitSignal(signal):
            qtbot.keyClick(button, Qt.Key.Key_Space)


def test_a_project_is_opened_by_mouse_and_by_keyboard(page: WelcomePage, qtbot: Any) -> None:
    page.show_recent((FERRY, OLD))
    QApplication.processEvents()  # the new rows are laid out
    page.take_focus()
    first, second = page.recent_list.buttons
    assert first.hasFocus()
    qtbot.keyClick(first, Qt.Key.Key_Down)
    assert second.hasFocus()
    with qtbot.waitSignal(page.project_chosen) as chosen:
        qtbot.keyClick(second, Qt.Key.Key_Space)
    assert chosen.args == [OLD.path]
    with qtbot.waitSignal(page.project_chosen) as chosen:
        qtbot.mouseClick(first, LEFT)
    assert chosen.args == [FERRY.path]


def test_what_is_not_there_can_only_be_removed(page: WelcomePage, qtbot: Any) -> None:
    page.show_recent((GONE, FERRY))
    QApplication.processEvents()
    (remove,) = page.recent_list.remove_buttons
    gone = page.recent_list.buttons[0]
    assert not gone.isEnabled()
    assert gone.about_label.whole_text.startswith("not found")
    assert "The Salt Road" in remove.accessibleName()
    with qtbot.assertNotEmitted(page.project_chosen):
        qtbot.mouseClick(gone, LEFT)
    with qtbot.waitSignal(page.forget_asked) as asked:
        qtbot.mouseClick(remove, LEFT)
    assert asked.args == [GONE.path]


def test_the_list_says_when_and_how_much(page: WelcomePage) -> None:
    listed = RecentList(page)
    listed.show_projects((FERRY, GONE, OLD, UNKNOWN), NOW)
    said = [button.about_label.whole_text for button in listed.buttons]
    assert said[0].startswith("today  \u00b7  12,412 words")
    assert said[1].startswith("not found  \u00b7  yesterday  \u00b7  1 word")
    assert "2026" in said[2]
    assert said[3].startswith("opened earlier")
    assert [button.accessibleName().partition(",")[0] for button in listed.buttons] == [
        "The Ferry", "The Salt Road", "Old", "Unknown",
    ]  # fmt: skip


def test_without_projects_there_is_no_list_and_trying_comes_first(page: WelcomePage) -> None:
    page.show_recent((FERRY,))
    assert page.recent_list.isVisible()
    page.show_recent(())
    assert not page.recent_list.isVisible()
    page.take_focus()
    assert page.try_button.hasFocus()


def test_the_focus_survives_that_the_list_is_read_again(page: WelcomePage, qtbot: Any) -> None:
    page.show_recent((FERRY, OLD))
    page.take_focus()
    page.show_recent((FERRY, OLD))
    assert page.recent_list.buttons[0].hasFocus()
    page.open_button.setFocus()
    page.show_recent((FERRY, GONE))
    assert page.open_button.hasFocus()


def dropped(*paths: str) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path) if path.startswith("/") else QUrl(path) for path in paths])
    return data


def drop(page: WelcomePage, data: QMimeData) -> bool:
    """Drop something; return whether the page takes it."""
    copy, none = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(page.rect().center(), copy, data, LEFT, none)
    enter.ignore()
    page.dragEnterEvent(enter)
    page.dropEvent(QDropEvent(QPointF(5, 5), copy, data, LEFT, none))
    return enter.isAccepted()


@pytest.mark.parametrize("name", ["/b/Ferry.quire", "/b/FERRY.QUIRE"])
def test_a_project_that_is_dropped_is_opened(page: WelcomePage, qtbot: Any, name: str) -> None:
    with qtbot.waitSignal(page.open_dropped) as asked, qtbot.assertNotEmitted(page.import_dropped):
        assert drop(page, dropped("/b/picture.png", name))
    assert asked.args == [Path(name)]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_text_that_is_dropped_is_imported(page: WelcomePage, qtbot: Any, suffix: str) -> None:
    assert SUFFIXES == IMPORTED
    with qtbot.waitSignal(page.import_dropped) as asked:
        assert drop(page, dropped(f"/b/novel{suffix}"))
    assert asked.args == [Path(f"/b/novel{suffix}")]


@pytest.mark.parametrize("paths", [[], ["/b/picture.png"], ["https://example.org/a.quire"]])
def test_anything_else_is_left_alone(page: WelcomePage, qtbot: Any, paths: list[str]) -> None:
    signals: list[SignalInstance] = [page.open_dropped, page.import_dropped]
    with qtbot.assertNotEmitted(signals[0]), qtbot.assertNotEmitted(signals[1]):
        assert not drop(page, dropped(*paths))


@pytest.mark.sliced
@pytest.mark.parametrize("choice", [ThemeChoice.LIGHT, ThemeChoice.DARK])
@pytest.mark.parametrize("size", [(1024, 480), (1360, 700), (1920, 950), (700, 500)])
def test_nothing_is_cut_off_at_any_size(
    page: WelcomePage, themes: ThemeSwitch, choice: ThemeChoice, size: tuple[int, int]
) -> None:
    themes.choose(choice)
    page.resize(*size)
    page.show_recent((FERRY, GONE, OLD, UNKNOWN) * 2)
    page.repaint()
    sheet = page.widget()
    assert sheet is not None
    assert page.horizontalScrollBar().maximum() == 0
    for button in page.findChildren(QAbstractButton):
        if button.isVisible():
            place = button.rect().translated(button.mapTo(sheet, button.rect().topLeft()))
            assert sheet.rect().contains(place)
            assert button.accessibleName() or button.text()
