"""The main window: it shows the models, and says in signals what the writer wants."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from quire.charts.chart_deck import ChartDeck
from quire.charts.pace_sparkline import PaceSparkline
from quire.drafting.draft_bar import DraftBar
from quire.drafting.run_strip import RunStrip
from quire.manuscript.manuscript_panel import ManuscriptPanel
from quire.projects.new_project import NewProject
from quire.projects.project_dialogs import WindowDialogs
from quire.search.search_panel import SearchPanel
from quire.shell.manuscript_page import ManuscriptPage
from quire.shell.message_page import MessagePage
from quire.shell.notice_bar import NoticeBar
from quire.shell.notices import NoticeAction
from quire.shell.side_panel import SidePanel
from quire.shell.status_bar import StatusLine
from quire.shell.window_actions import WindowActions
from quire.shell.window_appearance import DEFAULT_SIZE, WindowAppearance
from quire.shell.window_models import WindowModels
from quire.system.file_sizes import size_text
from quire.takes.snapshots_panel import SnapshotsPanel
from quire.takes.takes_panel import TakesPanel

MINIMUM_SIZE = QSize(1024, 640)


class MainWindow(QMainWindow):
    """One project, one page, one run. What the window itself does not do is wired to its `commands`.

    continue_asked: with the goal in words. models_asked: the writer wants to choose another model.
    model_chosen: a folder, empty for the built-in model.
    import_asked: with the file and the folder for its project. run_data_asked: with where they go.
    remedy_chosen: a button of the notice was pressed. leave_asked: the writer wants to close; nothing
    closes before whoever is wired to it has stored everything and calls leave().
    """

    continue_asked = Signal(int)
    pause_asked = Signal()
    new_asked = Signal(NewProject)
    open_asked = Signal(Path)
    document_asked = Signal(int)
    import_asked = Signal(Path, Path)
    run_data_asked = Signal(Path)
    models_asked = Signal()
    model_chosen = Signal(str)
    remedy_chosen = Signal(NoticeAction)
    preferences_changed = Signal()
    leave_asked = Signal()

    def __init__(self, models: WindowModels, projects_folder: Path) -> None:
        super().__init__()
        self._models = models
        self._may_close = False
        self.commands = WindowActions(self)
        self.draft_bar = DraftBar(models.status, models.themes, self)
        self.notice_bar = NoticeBar(self)
        self.side_panel = SidePanel(self)
        self.book_panel = ManuscriptPanel(models.themes, self.side_panel)
        self.takes_panel = TakesPanel(self.side_panel)
        self.snapshots_panel = SnapshotsPanel(self.side_panel)
        self.side_panel.add(self.book_panel, self.tr("Manuscript"))
        self.side_panel.add(self.takes_panel, self.tr("Takes"))
        self.side_panel.add(self.snapshots_panel, self.tr("Snapshots"))
        self.search_panel = SearchPanel(models.themes, self.side_panel)
        self.side_panel.add(self.search_panel, self.tr("Find"))
        self.page = ManuscriptPage(models.status, models.themes, self)
        self.message_page = MessagePage(self)
        self.chart_deck = ChartDeck(models.charts, models.themes, self)
        self.chart_deck.hide()
        self.pace_spark = PaceSparkline(models.charts, models.themes, self)
        self.run_strip = RunStrip(models.status, models.progress, models.pace, models.themes, self)
        self.run_strip.add_spark(self.pace_spark)
        self.status_line = StatusLine(models.status, self)
        self.editor = self.page.editor
        self.find_bar = self.page.find_bar
        self.editor.set_locked(locked=True)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.page)
        self._stack.addWidget(self.message_page)
        self._lay_out()
        self.dialogs = WindowDialogs(self, projects_folder)
        self.looks = WindowAppearance(self, models.themes)
        self._wire_actions()
        self._wire_parts()
        self.show_recent(())
        self._refresh()

    # ------------------------------------------------------------ what it is told
    def show_project(self, text: str) -> None:
        """Show a project's text, to be edited at once."""
        self._stack.setCurrentWidget(self.page)
        self.side_panel.setVisible(self.commands.side_panel.isChecked())
        self.editor.set_locked(locked=False)
        self.editor.show_text(text)
        self.editor.setFocus()
        self._refresh()

    def show_message(self, headline: str, sentence: str, *, has_backup: bool = False) -> None:
        """Show a sentence in place of a manuscript; has_backup: offer to open the last good one."""
        self.message_page.show_message(headline, sentence, has_backup=has_backup)
        self._stack.setCurrentWidget(self.message_page)
        self.side_panel.hide()
        page = self.message_page
        (page.backup_button if has_backup else page.new_button).setFocus()

    def add_view(self, view: QWidget) -> None:
        """Add what can stand in the manuscript's place."""
        self._stack.addWidget(view)

    def show_view(self, view: QWidget) -> None:
        """Show something else in the manuscript's place; it was added before."""
        self._stack.setCurrentWidget(view)

    def show_page(self) -> None:
        """Show the manuscript again."""
        self._stack.setCurrentWidget(self.page)
        self.editor.setFocus()

    def add_right(self, panel: QWidget) -> None:
        """Add what stands to the right of the manuscript."""
        self._middle.addWidget(panel)

    def show_recent(self, paths: Sequence[str]) -> None:
        """Fill the menu of recent projects."""
        menu = self.commands.recent_menu
        menu.clear()
        for path in paths:
            action = menu.addAction(Path(path).stem.replace("&", "&&"))
            action.setData(path)
            action.setStatusTip(path)
        menu.setEnabled(bool(paths))

    def leave(self) -> None:
        """Close for good; everything is stored."""
        self._may_close = True
        self.close()

    # ------------------------------------------------------------ what it can be asked
    @property
    def goal_words(self) -> int:
        """The goal that is chosen."""
        return self.draft_bar.goal_box.goal_words

    @property
    def project_title(self) -> str:
        """The title of the project that is open, or nothing."""
        return self._models.status.title or ""

    @property
    def shows_page(self) -> bool:
        """Whether the manuscript is shown, and nothing in its place."""
        return self._stack.currentWidget() is self.page

    @property
    def shows_message(self) -> bool:
        """Whether a sentence stands where the manuscript would."""
        return self._stack.currentWidget() is self.message_page

    # ------------------------------------------------------------ what the writer asks
    @Slot()
    def ask_to_continue(self) -> None:
        """Ask for a draft towards the goal that is chosen."""
        self.draft_bar.goal_box.commit()
        if self._models.status.can_continue:
            self.continue_asked.emit(self.goal_words)

    @Slot()
    def ask_to_pause(self) -> None:
        """Ask for a pause; asking twice does no harm."""
        if self._models.status.can_pause:
            self.pause_asked.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stay open until everything is stored."""
        if self._may_close:
            event.accept()
        else:
            event.ignore()
            self.leave_asked.emit()

    # ------------------------------------------------------------ building
    def _lay_out(self) -> None:
        self.setMinimumSize(MINIMUM_SIZE)
        self.resize(DEFAULT_SIZE)
        self.commands.fill(self.menuBar())
        self.book_panel.fill_menu(self.commands.manuscript_menu)
        centre = QWidget(self)
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.draft_bar)
        layout.addWidget(self.notice_bar)
        self._middle = middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.side_panel)
        middle.addWidget(self._stack, 1)
        layout.addLayout(middle, 1)
        layout.addWidget(self.chart_deck)
        layout.addWidget(self.run_strip)
        layout.addWidget(self.status_line)
        self.setCentralWidget(centre)

    def _wire_actions(self) -> None:
        do = self.commands
        do.recent_menu.triggered.connect(self._open_recent)
        do.quit.triggered.connect(self.close)
        for action, slot in (
            (do.undo, self.editor.undo),
            (do.redo, self.editor.redo),
            (do.cut, self.editor.cut),
            (do.copy, self.editor.copy),
            (do.paste, self.editor.paste),
            (do.select_all, self.editor.selectAll),
            (do.find, self.find_bar.open_to_find),
            (do.replace, self.find_bar.open_to_replace),
            (do.find_in_book, self._find_in_book),
        ):
            action.triggered.connect(slot)
        do.go_to_tree.triggered.connect(self._go_to_tree)
        do.go_to_manuscript.triggered.connect(self.editor.setFocus)
        do.go_to_draft_bar.triggered.connect(self._go_to_draft_bar)
        do.go_on.triggered.connect(self.ask_to_continue)
        do.pause.triggered.connect(self.ask_to_pause)
        do.side_panel.toggled.connect(self._show_side_panel)
        do.charts.toggled.connect(self.chart_deck.setVisible)
        do.built_in_model.triggered.connect(self._choose_built_in_model)

    def _wire_parts(self) -> None:
        self.draft_bar.continue_clicked.connect(self.ask_to_continue)
        self.draft_bar.pause_clicked.connect(self.ask_to_pause)
        self.draft_bar.goal_box.goal_changed.connect(self.preferences_changed)
        self.notice_bar.remedy_chosen.connect(self.remedy_chosen)
        self.book_panel.document_chosen.connect(self.document_asked)
        self.message_page.new_clicked.connect(self.dialogs.ask_for_new_project)
        self.message_page.open_clicked.connect(self.dialogs.ask_for_project)
        self.message_page.backup_clicked.connect(self._ask_for_backup)
        self.chart_deck.close_clicked.connect(self._close_charts)
        self.pace_spark.deck_asked.connect(self.commands.charts.toggle)
        self.editor.undoAvailable.connect(self._refresh)
        self.editor.redoAvailable.connect(self._refresh)
        self.editor.copyAvailable.connect(self._refresh)
        self._models.status.changed.connect(self._refresh)

    # ------------------------------------------------------------ slots
    @Slot()
    def _refresh(self) -> None:
        status, do = self._models.status, self.commands
        title = status.title
        self.setWindowTitle(self.tr("{0} - Quire").format(title) if title else "Quire")
        do.go_on.setEnabled(status.can_continue)
        do.pause.setEnabled(status.can_pause)
        for action in (do.retry, do.redraft, do.previous_take, do.next_take, do.snapshot):
            action.setEnabled(status.can_continue)
        self.takes_panel.set_locked(locked=not status.can_continue)
        self.snapshots_panel.set_locked(locked=not status.can_continue)
        may_edit = status.is_open and not self.editor.isReadOnly()
        has_selection = self.editor.textCursor().hasSelection()
        for action in (do.find, do.replace, do.find_in_book):
            action.setEnabled(status.is_open)
        do.undo.setEnabled(may_edit and self.editor.can_undo)
        do.redo.setEnabled(may_edit and self.editor.can_redo)
        do.cut.setEnabled(may_edit and has_selection)
        do.copy.setEnabled(has_selection)
        do.paste.setEnabled(may_edit)
        do.export.setEnabled(status.is_open)
        do.export_runs.setEnabled(status.is_open)
        do.statistics.setEnabled(status.is_open)
        do.back_up.setEnabled(status.is_open and not status.read_only)
        do.free_memory.setEnabled(status.dtype != "")
        do.fast_resume.setEnabled(status.fast_resume_bytes > 0)
        do.fast_resume.setText(
            self.tr("Save Fast Resume F&ile (about {0})").format(size_text(status.fast_resume_bytes))
            if status.fast_resume_bytes
            else self.tr("Save Fast Resume F&ile")
        )

    @Slot()
    def _find_in_book(self) -> None:
        self.commands.side_panel.setChecked(True)
        self.side_panel.show_panel(self.search_panel)
        self.search_panel.open_to_find()

    @Slot()
    def _close_charts(self) -> None:
        self.commands.charts.setChecked(False)

    @Slot(bool)
    def _show_side_panel(self, on: bool) -> None:
        self.side_panel.setVisible(on and self._models.status.is_open)
        self.preferences_changed.emit()

    @Slot()
    def _ask_for_backup(self) -> None:
        self.remedy_chosen.emit(NoticeAction.OPEN_BACKUP)

    @Slot(object)
    def _open_recent(self, action: object) -> None:
        for known in self.commands.recent_menu.actions():
            if known is action:
                self.open_asked.emit(Path(known.data()))

    @Slot()
    def _go_to_tree(self) -> None:
        if self._models.status.is_open:
            self.commands.side_panel.setChecked(True)
            self.side_panel.show_panel(self.book_panel)
            self.book_panel.go_to_tree()

    @Slot()
    def _go_to_draft_bar(self) -> None:
        """Go to the first control that can be used: Tab belongs to the text, so this is the way out."""
        bar, notice = self.draft_bar, self.notice_bar
        ways: list[QWidget] = [bar.pause_button, bar.continue_button]
        if notice.isVisible():
            ways += [notice.remedy_button, notice.dismiss_button]
        ways += [bar.goal_box, bar.theme_button]
        next(way for way in ways if way.isEnabled() and way.isVisibleTo(self)).setFocus()

    @Slot()
    def _choose_built_in_model(self) -> None:
        self.model_chosen.emit("")
