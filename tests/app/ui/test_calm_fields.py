from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

import quire
from quire.drafting.goal_box import GoalBox
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.calm_fields import CalmCombo, CalmDate, CalmFraction, CalmSpin

_RESTLESS = {"QComboBox", "QSpinBox", "QDoubleSpinBox", "QDateEdit", "QFontComboBox", "QDial", "QSlider"}


def roll(widget: QWidget) -> bool:
    """Turn the wheel over a widget; return whether it took the event."""
    event = QWheelEvent(
        QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def test_no_field_of_the_app_changes_because_the_wheel_passes_over_it() -> None:
    root = Path(quire.__file__).parent
    for file in root.rglob("*.py"):
        if file.name == "calm_fields.py":
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            called = [node.func] if isinstance(node, ast.Call) else []
            bases = node.bases if isinstance(node, ast.ClassDef) else []
            made = {one.id for one in (*called, *bases) if isinstance(one, ast.Name)}
            assert not made & _RESTLESS, file


@pytest.mark.parametrize("kind", [CalmCombo, CalmSpin, CalmFraction, CalmDate])
def test_the_wheel_over_a_field_without_focus_is_left_to_the_page(kind: Any, qtbot: Any) -> None:
    field = kind()
    qtbot.addWidget(field)
    if isinstance(field, CalmCombo):
        field.addItems(["one", "two"])
    before = field.currentText() if isinstance(field, CalmCombo) else field.text()
    assert not roll(field)
    assert before == (field.currentText() if isinstance(field, CalmCombo) else field.text())


@pytest.mark.parametrize("kind", [CalmCombo, CalmSpin, CalmFraction, CalmDate, GoalBox])
def test_the_wheel_takes_no_focus_from_the_page(kind: Any, qtbot: Any) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    page, field = QLineEdit(window), kind(window)
    layout = QVBoxLayout(window)
    layout.addWidget(page)
    layout.addWidget(field)
    if kind is CalmCombo:
        field.addItems(["one", "two"])
    window.show()
    window.activateWindow()
    page.setFocus()
    qtbot.waitUntil(page.hasFocus)
    before = field.currentText() if isinstance(field, CalmCombo) else field.text()
    over = field.mapTo(window, field.rect().center())
    for _ in range(2):
        QTest.wheelEvent(window.windowHandle(), QPointF(over), QPoint(0, -120))
    assert page.hasFocus()
    assert before == (field.currentText() if isinstance(field, CalmCombo) else field.text())
    field.setFocus(Qt.FocusReason.TabFocusReason)
    assert not page.hasFocus()


@pytest.mark.qt_log_ignore("raise", "grabbing", extend=True)  # the offscreen platform, about every list
@pytest.mark.parametrize("count", [2, 4, 9])
def test_the_last_row_of_a_list_is_shown_whole(count: int, qtbot: Any, themes: ThemeSwitch) -> None:
    fields = [CalmCombo(), GoalBox()]
    for field in fields:
        qtbot.addWidget(field)
        if not isinstance(field, GoalBox):
            field.addItems([str(number) for number in range(count)])
        field.show()
        field.showPopup()
        view = field.view()
        last = view.visualRect(field.model().index(field.count() - 1, 0))
        assert last.bottom() < view.viewport().height()
        field.hidePopup()
