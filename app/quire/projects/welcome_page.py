"""The page without an open project: ways to start, and recent projects."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFont, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from quire.domain.manuscript.project_file_names import SUFFIX
from quire.projects.recent_projects import RecentProject
from quire.projects.recent_projects_list import RecentList
from quire.theme.fonts import headline_font
from quire.theme.icons import app_icon
from quire.theme.text_size import fit, scaled, set_scaled_font
from quire.ui.labels import plain_label
from quire.ui.progress_row import WorkRow

IMPORTED = (".txt", ".md", ".markdown", ".docx", ".odt", ".epub", ".rtf", ".html", ".htm")
"""Extensions of texts that can be dropped here to import them."""
_BEGIN_PX = 400
_RECENT_PX = 500
_GAP_PX = 64
_SIDE_BY_SIDE_PX = _BEGIN_PX + 320 + _GAP_PX + 2 * 40
"""Below this width the recent projects move below."""
_ICON_PX = 52


class WelcomePage(QScrollArea):
    """Offers every way to start as a button; a file can be dropped anywhere.

    Signals:
        setup_stopped: do not set up the model that is being set up.
        open_dropped: a project was dropped.
        import_dropped: a text was dropped.
        forget_asked: remove a project from the list.
    """

    try_clicked = Signal()
    setup_stopped = Signal()
    write_clicked = Signal()
    new_clicked = Signal()
    open_clicked = Signal()
    import_clicked = Signal()
    model_clicked = Signal()
    project_chosen = Signal(Path)
    forget_asked = Signal(Path)
    open_dropped = Signal(Path)
    import_dropped = Signal(Path)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("welcomePage")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its buttons have it, and bring themselves into view
        self.setAcceptDrops(True)
        self.setAccessibleName(self.tr("Welcome to Quire"))
        self._sheet = QFrame(self)
        self._sheet.setObjectName("page")
        self.try_button = self._button(self.tr("Try It Now"), primary=True)
        self.write_button = self._button(self.tr("Just Write"))
        self.new_button = self._button(self.tr("New Project…"))
        self.open_button = self._button(self.tr("Open…"))
        self.import_button = self._button(self.tr("Import…"))
        self.model_button = self._button(self.tr("Set Up a Larger Model…"))
        self.setup_row = WorkRow(self._sheet)
        self.setup_row.setContentsMargins(0, 8, 0, 0)
        self.setup_row.stop_button.setText(self.tr("Skip"))
        self.setup_row.stop_button.setToolTip(self.tr("Write with the built-in model"))
        self.try_about = self._caption("")
        self.model_about = self._caption("")
        self.recent_list = RecentList(self._sheet)
        self._recent = QWidget(self._sheet)
        self._columns = QHBoxLayout()
        self._lay_out()
        for button, signal in (
            (self.try_button, self.try_clicked),
            (self.write_button, self.write_clicked),
            (self.new_button, self.new_clicked),
            (self.open_button, self.open_clicked),
            (self.import_button, self.import_clicked),
            (self.model_button, self.model_clicked),
        ):
            button.clicked.connect(signal)
        self.setup_row.stop_wanted.connect(self.setup_stopped)
        self.recent_list.chosen.connect(self.project_chosen)
        self.recent_list.forget_asked.connect(self.forget_asked)
        self.show_recent(())
        self.show_model("", is_small=True)

    def show_model(self, name: str, *, is_small: bool, is_set_up: bool = True, free_memory: str = "") -> None:
        """Show which model the sample is written with, and what a larger one would bring.

        Args:
            name: of the model; empty for the built-in one.
            is_small: whether a larger model would write noticeably better.
            is_set_up: False if it is set up first, which takes seconds.
            free_memory: size of the free memory; empty while unknown.
        """
        model = name or self.tr("the built-in model")
        about = self.tr("A sample with {0}: press Continue and watch it write.").format(model)
        if not is_set_up:
            about += " " + self.tr("The first time, this takes a few seconds.")
        small = self.tr("{0} is small. A larger one will write better.").format(name)
        if not name:
            small = self.tr("The built-in model is small. A larger one will write better.")
        advice = self.tr("Quire shows size, source and licence before it downloads anything.")
        if free_memory:
            advice = self.tr(
                "Quire suggests some that fit this computer ({0} of memory free), and shows size, source and "
                "licence before it downloads anything."
            ).format(free_memory)
        self._show_about(self.try_button, self.try_about, about)
        self._show_about(self.model_button, self.model_about, f"{small} {advice}" if is_small else advice)

    def begin_setup(self, name: str) -> None:
        """Show that a model is being set up."""
        self.setup_row.begin(self.tr("Setting up {0}…").format(name))
        self.setup_row.stop_button.setFocus()
        self.try_button.setEnabled(False)

    def show_setup(self, share: float) -> None:
        """Show the progress, from 0 to 1."""
        self.setup_row.show_share(share)

    def end_setup(self) -> None:
        """Show that the model is ready, or is not wanted."""
        self.setup_row.end()
        self.try_button.setEnabled(True)

    def show_recent(self, projects: Sequence[RecentProject]) -> None:
        """List the recent projects; without any the list is hidden."""
        held = self.focusWidget() if self.isAncestorOf(self.focusWidget() or self) else None
        self.recent_list.show_projects(projects)
        self._recent.setVisible(bool(projects))
        self._arrange()
        if held is not None and not held.isVisibleTo(self):
            self.take_focus()

    @property
    def untitled(self) -> str:
        """Return the title of a book that has none yet."""
        return self.tr("Untitled")

    def take_focus(self) -> None:
        """Focus what most writers need: the last project, or the sample."""
        found = [button for button in self.recent_list.buttons if button.isEnabled()]
        (found[0] if found else self.try_button).setFocus()

    # ------------------------------------------------------------ building
    def _lay_out(self) -> None:
        self._columns.setSpacing(_GAP_PX)
        self._columns.addWidget(self._begin_column(), 0, Qt.AlignmentFlag.AlignTop)
        self._columns.addWidget(self._recent_column(), 0, Qt.AlignmentFlag.AlignTop)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addLayout(self._columns)
        middle.addStretch(1)
        promise = self._caption(
            self.tr("Everything stays on this computer: no account, no telemetry, nothing sent anywhere.")
        )
        promise.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        layout = QVBoxLayout(self._sheet)
        layout.setContentsMargins(40, 28, 40, 20)
        layout.addStretch(2)
        layout.addLayout(middle)
        layout.addStretch(3)
        layout.addWidget(promise)
        self.setWidget(self._sheet)

    def _begin_column(self) -> QWidget:
        column = QWidget(self._sheet)
        fit(column.setFixedWidth, _BEGIN_PX)
        picture = plain_label(column)
        picture.setPixmap(app_icon(_ICON_PX).pixmap(_ICON_PX, _ICON_PX))
        headline = plain_label(column, text=self.tr("Welcome to Quire"))
        set_scaled_font(headline, headline_font, 30)
        for label in (picture, headline):
            fit(label.setMinimumHeight, _ICON_PX)  # where there is little room, a layout would cut into them
        head = QHBoxLayout()
        head.setSpacing(14)
        head.addWidget(picture)
        head.addWidget(headline, 1)
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addSpacing(20)
        self._add_way(layout, self.try_button, self.try_about, self.setup_row)
        blank = self.tr("A blank page. No model loads until you ask for one.")
        self._add_way(layout, self.write_button, self._caption(blank))
        row = QHBoxLayout()
        row.setSpacing(10)
        for button in (self.new_button, self.open_button, self.import_button):
            row.addWidget(button, 1)
        layout.addLayout(row)
        layout.addSpacing(26)
        self._add_way(layout, self.model_button, self.model_about)
        return column

    def _recent_column(self) -> QWidget:
        headline = plain_label(self._recent, 14, QFont.Weight.DemiBold, self.tr("Recent projects"))
        headline.setContentsMargins(10, 0, 0, 0)
        layout = QVBoxLayout(self._recent)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(headline)
        layout.addWidget(self.recent_list)
        self._recent.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        return self._recent

    def _add_way(self, layout: QVBoxLayout, button: QPushButton, about: QLabel, *more: QWidget) -> None:
        button.setAccessibleDescription(about.text())
        layout.addWidget(button)
        layout.addSpacing(5)
        for widget in (about, *more):
            layout.addWidget(widget)
        layout.addSpacing(18)

    def _show_about(self, button: QPushButton, label: QLabel, about: str) -> None:
        label.setText(about)
        button.setAccessibleDescription(about)

    def _caption(self, text: str) -> QLabel:
        label = plain_label(self._sheet, text=text)
        label.setObjectName("caption")
        label.setWordWrap(True)
        return label

    def _button(self, text: str, *, primary: bool = False) -> QPushButton:
        button = QPushButton(text, self._sheet)
        button.setProperty("primary", primary)
        button.setAutoDefault(True)  # Return presses it as Space does
        return button

    # ------------------------------------------------------------ Qt events
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the recent projects beside or below, depending on the width."""
        super().resizeEvent(event)
        self._arrange()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept what can be opened or imported."""
        if _file_in(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open a project, import a text."""
        path = _file_in(event.mimeData())
        if path is None:
            return
        event.acceptProposedAction()
        (self.open_dropped if path.suffix.lower() == SUFFIX else self.import_dropped).emit(path)

    def _arrange(self) -> None:
        width = self.viewport().width()
        beside = width >= scaled(_SIDE_BY_SIDE_PX)
        direction = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self._columns.setDirection(direction)
        self._columns.setSpacing(_GAP_PX if beside else 28)
        room = width - 80 - (scaled(_BEGIN_PX) + _GAP_PX if beside else 0)
        self._recent.setFixedWidth(max(200, min(scaled(_RECENT_PX), room)))


def _file_in(dropped: QMimeData) -> Path | None:
    """Return the first file that Quire can open or import, or None."""
    paths = [Path(url.toLocalFile()) for url in dropped.urls() if url.isLocalFile()]
    return next((path for path in paths if path.suffix.lower() in (SUFFIX, *IMPORTED)), None)
