"""The deck of charts that opens above the run strip."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from quire.charts.chart_kinds import ChartKind
from quire.charts.chart_source import Axis
from quire.charts.height_grip import HeightGrip
from quire.charts.run_charts import RunCharts
from quire.system.number_text import number_text
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import ElidedLabel, plain_label

if TYPE_CHECKING:
    from quire.charts.chart_view import ChartView

DECK_HEIGHT_PX = 208
_MIN_HEIGHT_PX = 160
"""In a window of 540 pixels the page, the strip and the deck fit above one another."""
_LEAST_BUTTON_PX = 40
"""A window too narrow for all words of the row stays as narrow as it is; the buttons keep their names."""


class ChartPage(Enum):
    """The pages of the deck."""

    DRAFT = "draft"
    GUESSES = "guesses"
    DEPTH = "depth"
    WHOLE = "whole"
    STEP_TIME = "step_time"


@dataclass(frozen=True, slots=True)
class _PageContents:
    """The charts of a page.

    Attributes:
        charts: which charts.
        has_axis: whether they are drawn by position.
        is_stacked: whether they are below one another, not side by side.
    """

    charts: tuple[ChartKind, ...]
    has_axis: bool = True
    is_stacked: bool = False


_PAGES = {
    # Accepted tokens are never shown without the variety of the text: repetitive text is easier to predict.
    ChartPage.DRAFT: _PageContents((ChartKind.PACE, ChartKind.ACCEPTANCE, ChartKind.DISTINCT)),
    ChartPage.GUESSES: _PageContents((ChartKind.GUESSES, ChartKind.DISTINCT), is_stacked=True),
    ChartPage.DEPTH: _PageContents((ChartKind.DEPTHS, ChartKind.LENGTHS), has_axis=False),
    ChartPage.WHOLE: _PageContents((ChartKind.WHOLE,)),
    ChartPage.STEP_TIME: _PageContents((ChartKind.STEP_TIME,)),
}
_STRETCH = dict.fromkeys(ChartKind, 2) | {ChartKind.GUESSES: 3}


class ChartDeck(QFrame):
    """Speed, acceptance and Distinct-n of a run side by side; the research view has more pages.

    Signals:
        place_chosen: the number of words of the manuscript up to the chosen place.
        place_pointed: that of the place under the pointer, whose words are shown with show_words().
        height_chosen: the writer dragged it to this height in pixels; 0 for the usual one.
    """

    place_chosen = Signal(int)
    place_pointed = Signal(int)
    height_chosen = Signal(int)
    close_clicked = Signal()

    def __init__(self, charts: RunCharts, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chartDeck")
        self.setAccessibleName(self.tr("Charts"))
        self.setMinimumHeight(_MIN_HEIGHT_PX)
        self._charts, self._themes = charts, themes
        self._axis = Axis.WORDS
        self._page = ChartPage.DRAFT
        self._wanted_px = self._pressed_px = DECK_HEIGHT_PX
        self._set_px = 0
        self._shows_words = False
        self._sheets: dict[ChartPage, _Sheet] = {}
        self.page_buttons = {page: self._segment(name) for page, name in self._page_names().items()}
        self.axis_buttons = {
            Axis.WORDS: self._segment(self.tr("By words")),
            Axis.TIME: self._segment(self.tr("By time")),
        }
        self.summary_label = ElidedLabel(self)
        self.summary_label.setObjectName("caption")
        self.table_button = self._segment(self.tr("Show as table"))
        self.copy_button = self._segment(self.tr("Copy numbers"), checkable=False)
        self.copy_button.setToolTip(self.tr("Copy the figures behind these charts as CSV"))
        self.close_button = self._segment(self.tr("Close"), checkable=False)
        self.empty_label = plain_label(
            self,
            text=self.tr("Charts appear with your next draft: speed, acceptance and variety."),
        )
        self.grip = HeightGrip(self)
        self._stack = QStackedWidget(self)
        self._lay_out()
        self._wire()
        self.set_research(on=False)
        self.page_buttons[self._page].setChecked(True)
        self.axis_buttons[self._axis].setChecked(True)

    def sizeHint(self) -> QSize:
        """Return the height that the writer dragged it to, or the usual one."""
        return QSize(1024, self._wanted_px)

    # ------------------------------------------------------------ display
    @property
    def page(self) -> ChartPage:
        """Return the current page."""
        return self._page

    @property
    def views(self) -> tuple[ChartView, ...]:
        """Return the charts of the current page; empty before the deck was first opened."""
        sheet = self._sheets.get(self._page)
        return () if sheet is None else sheet.views

    def show_page(self, page: ChartPage) -> None:
        """Show a page."""
        self._page = page
        self.page_buttons[page].setChecked(True)
        self._refresh()

    def set_research(self, *, on: bool) -> None:
        """Show or hide what only the research view has."""
        for button in self.page_buttons.values():
            button.setVisible(on)
        if not on and self._page is not ChartPage.DRAFT:
            self.show_page(ChartPage.DRAFT)

    def set_height(self, pixels: int) -> None:
        """Set the height; 0 restores the usual one.

        Ignored during a drag, and where it was set to that before: any change of the settings calls this.
        """
        if pixels == self._set_px or self.grip.is_pressed:
            return
        self._set_px = pixels
        self._want_height(pixels or DECK_HEIGHT_PX)

    def show_axis(self, axis: Axis) -> None:
        """Use the position in the manuscript or the time as the x axis."""
        self._axis = axis
        self.axis_buttons[axis].setChecked(True)
        for page, sheet in self._sheets.items():
            for kind, view in zip(_PAGES[page].charts, sheet.views, strict=True):
                view.set_source(partial(self._charts.chart, kind, axis))

    def show_words(self, num_words: int, words: str) -> None:
        """Show the place under the pointer and its words until the pointer leaves the charts."""
        self._shows_words = True
        self.summary_label.show_text(self.tr("{0} words: {1}").format(number_text(num_words), words))

    def csv_text(self) -> str:
        """Return the numbers of the page as CSV, one table below the other."""
        return "\n".join(view.csv_text() for view in self.views)

    def showEvent(self, event: QShowEvent) -> None:
        """Create the charts when they are shown for the first time."""
        super().showEvent(event)
        self._refresh()

    # ------------------------------------------------------------ slots
    @Slot()
    def _turn_page(self) -> None:
        self.show_page(next(page for page, button in self.page_buttons.items() if button.isChecked()))

    @Slot()
    def _turn_axis(self) -> None:
        self.show_axis(next(axis for axis, button in self.axis_buttons.items() if button.isChecked()))

    @Slot(bool)
    def _show_tables(self, on: bool) -> None:
        for sheet in self._sheets.values():
            sheet.arrange(as_table=on)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.csv_text())

    @Slot()
    def _charts_changed(self) -> None:
        if not self.isVisible():
            return
        if self._charts.is_empty or self._stack.currentWidget() is self.empty_label:
            self._refresh()

    @Slot()
    def _say(self) -> None:
        if self.views and not self._shows_words:
            said = " ".join(view.data.summary for view in reversed(self.views))  # the text comes first
            self.summary_label.show_text(said)
            self.summary_label.setToolTip(said)

    @Slot(float)
    def _pointed(self, x: float) -> None:
        view = self.sender()
        data = next((one.data for one in self.views if one is view), None)
        row = None if data is None else data.nearest_row(x)
        if data is not None and row is not None and data.places:
            self.place_pointed.emit(round(data.places[row]))

    @Slot()
    def _left(self) -> None:
        self._shows_words = False
        self._say()

    # ------------------------------------------------------------ parts
    def _page_names(self) -> dict[ChartPage, str]:
        return {
            ChartPage.DRAFT: self.tr("Draft"),
            ChartPage.GUESSES: self.tr("Acceleration"),
            ChartPage.DEPTH: self.tr("Depth"),
            ChartPage.WHOLE: self.tr("Whole text"),
            ChartPage.STEP_TIME: self.tr("Time per step"),
        }

    def _segment(self, text: str, *, checkable: bool = True) -> QPushButton:
        button = QPushButton(text, self)
        button.setCheckable(checkable)
        button.setProperty("segment", True)
        button.setMinimumWidth(_LEAST_BUTTON_PX)
        return button

    def _lay_out(self) -> None:
        self.empty_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty_label.setObjectName("caption")
        self._stack.addWidget(self.empty_label)
        head = QHBoxLayout()
        head.setContentsMargins(8, 0, 8, 2)
        head.setSpacing(2)
        for button in self.page_buttons.values():
            head.addWidget(button)
        head.addSpacing(14)
        head.addWidget(self.summary_label, 1)
        head.addSpacing(14)
        for button in (*self.axis_buttons.values(), self.table_button, self.copy_button, self.close_button):
            head.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.grip)
        layout.addLayout(head)
        layout.addWidget(self._stack, 1)

    def _wire(self) -> None:
        for buttons, slot in ((self.page_buttons, self._turn_page), (self.axis_buttons, self._turn_axis)):
            group = QButtonGroup(self)
            for button in buttons.values():
                group.addButton(button)
                button.clicked.connect(slot)
        self.table_button.toggled.connect(self._show_tables)
        self.copy_button.clicked.connect(self._copy)
        self.close_button.clicked.connect(self.close_clicked)
        self._charts.changed.connect(self._charts_changed)
        self.grip.pressed.connect(self._note_height)
        self.grip.dragged.connect(lambda up: self._want_height(self._pressed_px + up))
        self.grip.released.connect(self._keep_height)
        self.grip.reset.connect(self._reset_height)

    def _note_height(self) -> None:
        self._pressed_px = self.height()  # what the window had room for, which may be less than was wanted

    def _want_height(self, pixels: int) -> None:
        self._wanted_px = max(pixels, _MIN_HEIGHT_PX)
        self.updateGeometry()

    def _keep_height(self) -> None:
        """Keep the height that is shown: the window may have had less room than was wanted."""
        QCoreApplication.sendPostedEvents(self.parentWidget(), QEvent.Type.LayoutRequest)
        self._want_height(self.height())
        self.height_chosen.emit(self._wanted_px)

    def _reset_height(self) -> None:
        self._want_height(DECK_HEIGHT_PX)
        self.height_chosen.emit(0)

    def _refresh(self) -> None:
        """Show the page, or a sentence if there is nothing to draw."""
        is_empty = self._charts.is_empty
        for button in (*self.axis_buttons.values(), self.table_button, self.copy_button):
            button.setEnabled(not is_empty)
        if is_empty or not self.isVisible():
            self.summary_label.show_text("")
            self._stack.setCurrentWidget(self.empty_label)
            return
        if self._page not in self._sheets:
            self._sheets[self._page] = self._make(self._page)
        for button in self.axis_buttons.values():
            button.setEnabled(_PAGES[self._page].has_axis)
        self._stack.setCurrentWidget(self._sheets[self._page].holder)
        self._say()

    def _make(self, page: ChartPage) -> _Sheet:
        # Imported here: the drawing library takes half a second to load, and the window must not wait.
        from quire.charts.chart_view import ChartView

        holder = QWidget(self._stack)
        row = QBoxLayout(QBoxLayout.Direction.TopToBottom, holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        contents = _PAGES[page]
        views = tuple(
            ChartView(partial(self._charts.chart, kind, self._axis), self._themes, holder, turn)
            for turn, kind in enumerate(contents.charts)
        )
        for kind, view in zip(contents.charts, views, strict=True):
            row.addWidget(view, _STRETCH[kind])
            self._charts.changed.connect(view.refresh_soon)
            view.set_axis_named(on=contents.is_stacked or len(views) == 1)
            view.place_chosen.connect(self.place_chosen)
            view.pointed.connect(self._pointed)
            view.left.connect(self._left)
            view.drawn.connect(self._say)
        if contents.has_axis:
            _follow_each_other(views)
        self._stack.addWidget(holder)
        sheet = _Sheet(holder, row, views, contents.is_stacked)
        sheet.arrange(as_table=self.table_button.isChecked())
        return sheet


def _follow_each_other(views: tuple[ChartView, ...]) -> None:
    """Let all charts on an axis show their values at the pointer's x in one of them."""
    for one in views:
        for other in views:
            if other is not one:
                one.pointed.connect(other.show_x)
                one.left.connect(other.show_last)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The charts of one page."""

    holder: QWidget
    row: QBoxLayout
    views: tuple[ChartView, ...]
    is_stacked: bool

    def arrange(self, *, as_table: bool) -> None:
        """Place tables side by side, and charts as their page has them."""
        below = self.is_stacked and not as_table
        self.row.setDirection(QBoxLayout.Direction.TopToBottom if below else QBoxLayout.Direction.LeftToRight)
        for view in self.views:
            view.show_table(on=as_table)
