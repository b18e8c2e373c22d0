"""Fields that keep their value when the wheel scrolls past them, and lists that show their last row."""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDateEdit, QDoubleSpinBox, QListView, QSpinBox, QWidget

_POPUP_FRAME_PX = 2
_POPUP_PADDING_PX = 8
"""Of the list: the style sheet has 4 above and 4 below."""


class CalmCombo(QComboBox):
    """A combo box that ignores the wheel while its list is closed, and whose list shows its last row whole.

    A closed list has nothing to scroll: even with the focus, the wheel is meant for what is below it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._description = ""
        _take_no_focus_from_wheel(self)
        self.setView(QListView(self))  # the default view ignores line spacing in style sheets

    def setAccessibleName(self, name: str) -> None:
        """Set what a screen reader calls it."""
        super().setAccessibleName(name)
        self._describe()

    def setAccessibleDescription(self, description: str) -> None:
        """Set what a screen reader says beside its name."""
        self._description = description
        self._describe()

    def _describe(self) -> None:
        """Tell the name with the description where Qt tells the choice as the name: on Linux."""
        name = self.accessibleName() if sys.platform.startswith("linux") else ""
        super().setAccessibleDescription(". ".join(filter(None, (name, self._description))))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page."""
        event.ignore()

    def showPopup(self) -> None:
        """Open the list; Qt's height leaves out the padding of the style sheet, which cuts the last row."""
        super().showPopup()
        view = self.view()
        popup = view.parentWidget()
        rows = min(self.count(), self.maxVisibleItems())
        if popup is None or not rows:
            return
        needed = sum(view.sizeHintForRow(row) for row in range(rows)) + _POPUP_PADDING_PX
        missing = needed - view.viewport().height()
        room = popup.screen().availableGeometry()
        if missing > 0:
            place = popup.geometry()
            place.setHeight(min(place.height() + missing + _POPUP_FRAME_PX, room.height()))
            if place.bottom() > room.bottom():
                place.moveBottom(room.bottom())
            popup.setGeometry(place)


class CalmSpin(QSpinBox):
    """A field for a whole number that uses the wheel only when it has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _take_no_focus_from_wheel(self)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page unless the field has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class CalmFraction(QDoubleSpinBox):
    """A field for a decimal number that uses the wheel only when it has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _take_no_focus_from_wheel(self)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page unless the field has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class CalmDate(QDateEdit):
    """A field for a date that uses the wheel only when it has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _take_no_focus_from_wheel(self)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page unless the field has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


def _take_no_focus_from_wheel(field: QWidget) -> None:
    """Let keys and clicks give a field the focus, and not the wheel, with which Qt gives it before it turns.

    A field that has the focus would be changed by the next turn of the wheel, or by what is typed next.
    """
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
