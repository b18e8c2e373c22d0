"""The panels beside the page: chapters, takes, snapshots, one at a time."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QStackedWidget, QTabBar, QVBoxLayout, QWidget

WIDTH_PX = 300


class SidePanel(QFrame):
    """Shows one of several panels under a row of tabs.

    Signals:
        shown: the number of the current panel.
    """

    shown = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidePanel")
        self.setFixedWidth(WIDTH_PX)
        self.tabs = QTabBar(self)
        self.tabs.setObjectName("sideTabs")
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)  # other languages have longer words
        self.tabs.setAccessibleName(self.tr("Panels"))
        self._stack = QStackedWidget(self)
        self.tabs.currentChanged.connect(self._show)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 10, 10)
        layout.setSpacing(10)
        layout.addWidget(self.tabs)
        layout.addWidget(self._stack, 1)

    def add(self, panel: QWidget, title: str) -> int:
        """Add a panel and return its number."""
        number = self._stack.addWidget(panel)
        self.tabs.setTabToolTip(self.tabs.addTab(title), title)
        return number

    def show_panel(self, panel: QWidget) -> None:
        """Show the tab of a panel."""
        self.tabs.setCurrentIndex(self._stack.indexOf(panel))

    @property
    def panel(self) -> QWidget | None:
        """Return the current panel."""
        return self._stack.currentWidget()

    @Slot(int)
    def _show(self, number: int) -> None:
        self._stack.setCurrentIndex(number)
        self.shown.emit(number)
