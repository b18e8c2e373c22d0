"""The panels beside the page: chapters, takes, snapshots, one at a time."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from quire.theme.text_size import follow, scaled

WIDTH_PX = 300
MAX_WIDTH_PX = 368
_LEFT_PX, _RIGHT_PX = 12, 10
_MAX_SHARE, _MAX_TABS_SHARE = 0.27, 0.32
"""Of the window, for a panel with larger text, and for the names of its tabs."""

_MIN_HEIGHT_PX = 100
"""Less than its tallest panel wants: with the charts open, a window of 540 pixels has no more."""


class SidePanel(QFrame):
    """Shows one of several panels under a row of tabs.

    Signals:
        shown: the number of the current panel.
    """

    shown = Signal(int)

    def __init__(self, parent: QWidget | None = None, width_px: int = WIDTH_PX) -> None:
        super().__init__(parent)
        self.setMinimumHeight(_MIN_HEIGHT_PX)
        self.setObjectName("sidePanel")
        self._width_px = width_px
        self._followed: QWidget | None = None
        self.tabs = QTabBar(self)
        self.tabs.setObjectName("sideTabs")
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self.tabs.setAccessibleName(self.tr("Panels"))
        self._stack = QStackedWidget(self)
        self.tabs.currentChanged.connect(self._show)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_LEFT_PX, 10, _RIGHT_PX, 10)
        layout.setSpacing(10)
        layout.addWidget(self.tabs)
        layout.addWidget(self._stack, 1)
        follow(self, "width", SidePanel._fit)

    def add(self, panel: QWidget, title: str) -> int:
        """Add a panel and return its number."""
        number = self._stack.addWidget(panel)
        self.tabs.setTabToolTip(self.tabs.addTab(title), title)
        return number

    def show_panel(self, panel: QWidget) -> None:
        """Show the tab of a panel."""
        self.tabs.setCurrentIndex(self._stack.indexOf(panel))

    def showEvent(self, event: QShowEvent) -> None:
        """Follow the width of the window."""
        super().showEvent(event)
        if self._followed is not self.window():
            self._followed = self.window()
            self._followed.installEventFilter(self)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take a share of the window, as it is now."""
        if event.type() is QEvent.Type.Resize and watched is self._followed:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Make room for the names of all tabs, which are longer in other languages, and for larger text."""
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        tabs = self.tabs.sizeHint().width() + _LEFT_PX + _RIGHT_PX
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        window = self.window().width()
        tabs = min(tabs, max(MAX_WIDTH_PX, round(_MAX_TABS_SHARE * window)))
        self.setFixedWidth(max(self._width_px, tabs, min(scaled(self._width_px), round(_MAX_SHARE * window))))

    @property
    def panel(self) -> QWidget | None:
        """Return the current panel."""
        return self._stack.currentWidget()

    @Slot(int)
    def _show(self, number: int) -> None:
        self._stack.setCurrentIndex(number)
        self.shown.emit(number)
