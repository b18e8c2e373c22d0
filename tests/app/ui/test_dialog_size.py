from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog

from quire.theme.text_size import TextSize, choose_text_size, update_followers
from quire.ui.dialog_size import keep_at_least, resize_within_screen

NARROWEST_PX = 880


def test_a_dialog_has_its_size_and_no_more_than_the_screen(qtbot: Any) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    screen = dialog.screen().availableSize()
    resize_within_screen(dialog, QSize(300, 200))
    assert dialog.size() == QSize(300, 200)
    resize_within_screen(dialog, QSize(5_000, 5_000))
    assert dialog.height() < screen.height()
    assert dialog.width() < max(screen.width(), NARROWEST_PX + 1)


def test_another_theme_leaves_a_dialog_as_the_writer_made_it(qtbot: Any) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    resize_within_screen(dialog, QSize(300, 200))
    dialog.resize(500, 400)
    update_followers()  # as a theme does
    assert dialog.size() == QSize(500, 400)


def test_the_smallest_size_grows_with_the_text_within_the_screen(qtbot: Any) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    choose_text_size(TextSize.NORMAL)
    keep_at_least(dialog, QSize(300, 200))
    assert dialog.minimumSize() == QSize(300, 200)
    try:
        choose_text_size(TextSize.LARGEST)
        update_followers()
        assert dialog.minimumWidth() > 300
        keep_at_least(dialog, QSize(5_000, 5_000))
        assert dialog.minimumHeight() < dialog.screen().availableSize().height()
    finally:
        choose_text_size(TextSize.NORMAL)


def test_larger_text_makes_a_dialog_larger(qtbot: Any) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    choose_text_size(TextSize.NORMAL)
    resize_within_screen(dialog, QSize(300, 200))
    try:
        choose_text_size(TextSize.LARGEST)
        update_followers()
        assert dialog.size() == QSize(392, 262)
        choose_text_size(TextSize.SMALLER)
        update_followers()
        assert dialog.size() == QSize(300, 200)  # its content is laid out for this
    finally:
        choose_text_size(TextSize.NORMAL)
