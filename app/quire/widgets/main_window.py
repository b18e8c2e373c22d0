"""The main window: it shows the models, and says in signals what the writer wants."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from quire.domain.sizes import size_text
from quire.editor.manuscript_editor import DEFAULT_TEXT_PX, MAX_TEXT_PX, MIN_TEXT_PX
from quire.models.new_project import NewProject, file_stem_of
from quire.models.notices import Remedy
from quire.widgets.actions import WindowActions
from quire.widgets.chart_deck import ChartDeck
from quire.widgets.draft_bar import DraftBar
from quire.widgets.file_dialogs import FolderDialog, ProjectFileDialog, RunDataDialog, TextFileDialog
from quire.widgets.help_dialogs import AboutDialog, ShortcutsDialog
from quire.widgets.manuscript_page import ManuscriptPage
from quire.widgets.manuscript_panel import ManuscriptPanel
from quire.widgets.message_page import MessagePage
from quire.widgets.new_project_dialog import NewProjectDialog
from quire.widgets.notice_bar import NoticeBar
from quire.widgets.pace_spark import PaceSpark
from quire.widgets.run_strip import RunStrip
from quire.widgets.search_panel import SearchPanel
from quire.widgets.side_panel import SidePanel
from quire.widgets.snapshots_panel import SnapshotsPanel
from quire.widgets.status_line import StatusLine
from quire.widgets.takes_panel import TakesPanel
from quire.widgets.window_models import WindowModels

DEFAULT_SIZE = QSize(1360, 860)
MINIMUM_SIZE = QSize(1024, 640)


class MainWindow(QMainWindow):
    """One project, one page, one run. What the window itself does not do is wired to its `commands`.

    continue_asked: with the goal in words. model_chosen: a folder, empty for the built-in model.
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
    model_chosen = Signal(str)
    remedy_chosen = Signal(Remedy)
    preferences_changed = Signal()
    leave_asked = Signal()

    def __init__(self, models: WindowModels, projects_folder: Path) -> None:
        super().__init__()
        self._models = models
        self._projects_folder = projects_folder
        self._text_px = DEFAULT_TEXT_PX
        self._may_close = False
        self.commands = WindowActions(self)
        self.draft_bar = DraftBar(models.desk, models.themes, self)
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
        self.page = ManuscriptPage(models.desk, models.themes, self)
        self.message_page = MessagePage(self)
        self.chart_deck = ChartDeck(models.charts, models.themes, self)
        self.chart_deck.hide()
        self.pace_spark = PaceSpark(models.charts, models.themes, self)
        self.run_strip = RunStrip(models.desk, models.progress, models.pace, models.themes, self)
        self.run_strip.add_spark(self.pace_spark)
        self.status_line = StatusLine(models.desk, self)
        self.editor = self.page.editor
        self.find_bar = self.page.find_bar
        self.editor.set_locked(locked=True)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.page)
        self._stack.addWidget(self.message_page)
        self._lay_out()
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

    def show_recent(self, paths: Sequence[str]) -> None:
        """Fill the menu of recent projects."""
        menu = self.commands.recent_menu
        menu.clear()
        for path in paths:
            action = menu.addAction(Path(path).stem.replace("&", "&&"))
            action.setData(path)
            action.setStatusTip(path)
        menu.setEnabled(bool(paths))

    def set_text_px(self, size_px: int) -> None:
        """Set the size of the manuscript's text."""
        self._text_px = min(max(size_px, MIN_TEXT_PX), MAX_TEXT_PX)
        self.editor.set_text_px(self._text_px)

    def set_window_geometry(self, geometry: bytes) -> None:
        """Stand where the window stood last time, or in the default size."""
        if not (geometry and self.restoreGeometry(QByteArray(geometry))):
            self.resize(DEFAULT_SIZE)
        self._show_full_screen()

    def leave(self) -> None:
        """Close for good; everything is stored."""
        self._may_close = True
        self.close()

    # ------------------------------------------------------------ what it can be asked
    @property
    def text_px(self) -> int:
        """The size of the manuscript's text."""
        return self._text_px

    @property
    def goal_words(self) -> int:
        """The goal that is chosen."""
        return self.draft_bar.goal_box.goal_words

    @property
    def window_geometry(self) -> bytes:
        """Where the window stands."""
        return bytes(self.saveGeometry().data())

    @property
    def shows_message(self) -> bool:
        """Whether a sentence stands where the manuscript would."""
        return self._stack.currentWidget() is self.message_page

    # ------------------------------------------------------------ what the writer asks
    @Slot()
    def ask_to_continue(self) -> None:
        """Ask for a draft towards the goal that is chosen."""
        self.draft_bar.goal_box.commit()
        if self._models.desk.can_continue:
            self.continue_asked.emit(self.goal_words)

    @Slot()
    def ask_to_pause(self) -> None:
        """Ask for a pause; asking twice does no harm."""
        if self._models.desk.can_pause:
            self.pause_asked.emit()

    @Slot()
    def ask_for_new_project(self) -> NewProjectDialog:
        """Open the dialog for a new project."""
        dialog = NewProjectDialog(self._projects_folder, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.project_wanted.connect(self.new_asked)
        dialog.open()
        return dialog

    @Slot()
    def ask_for_project(self) -> None:
        """Let the writer choose a project to open."""
        dialog = ProjectFileDialog(self._projects_folder, self)
        dialog.fileSelected.connect(self._open_file)
        dialog.open()

    @Slot()
    def ask_for_import(self) -> None:
        """Let the writer choose a text to make a project of."""
        dialog = TextFileDialog(self)
        dialog.fileSelected.connect(self._import_file)
        dialog.open()

    @Slot()
    def ask_for_run_data(self) -> None:
        """Let the writer choose where the run data go."""
        dialog = RunDataDialog(file_stem_of(self._models.desk.title or ""), self)
        dialog.fileSelected.connect(self._export_file)
        dialog.open()

    @Slot()
    def ask_for_model(self) -> None:
        """Let the writer choose the folder of a model."""
        dialog = FolderDialog(self.tr("Choose the folder of a model"), parent=self)
        dialog.fileSelected.connect(self.model_chosen)
        dialog.open()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stay open until everything is stored."""
        if self._may_close:
            event.accept()
        else:
            event.ignore()
            self.leave_asked.emit()

    def changeEvent(self, event: QEvent) -> None:
        """Keep the menu true when the window manager takes the window in or out of full screen."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.WindowStateChange:
            self._show_full_screen()

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
        middle = QHBoxLayout()
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
        do.new.triggered.connect(self.ask_for_new_project)
        do.open.triggered.connect(self.ask_for_project)
        do.recent_menu.triggered.connect(self._open_recent)
        do.import_text.triggered.connect(self.ask_for_import)
        do.export_runs.triggered.connect(self.ask_for_run_data)
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
        do.zoom_in.triggered.connect(self._zoom_in)
        do.zoom_out.triggered.connect(self._zoom_out)
        do.zoom_reset.triggered.connect(self._zoom_reset)
        do.go_to_tree.triggered.connect(self._go_to_tree)
        do.go_to_manuscript.triggered.connect(self.editor.setFocus)
        do.go_to_draft_bar.triggered.connect(self._go_to_draft_bar)
        do.full_screen.toggled.connect(self._set_full_screen)
        for choice, action in do.themes.items():
            action.setData(choice.value)
            action.triggered.connect(self._choose_theme)
        do.go_on.triggered.connect(self.ask_to_continue)
        do.pause.triggered.connect(self.ask_to_pause)
        do.side_panel.toggled.connect(self._show_side_panel)
        do.charts.toggled.connect(self.chart_deck.setVisible)
        do.choose_model.triggered.connect(self.ask_for_model)
        do.built_in_model.triggered.connect(self._choose_built_in_model)
        do.shortcuts.triggered.connect(self._show_shortcuts)
        do.about.triggered.connect(self._show_about)

    def _wire_parts(self) -> None:
        self.draft_bar.continue_clicked.connect(self.ask_to_continue)
        self.draft_bar.pause_clicked.connect(self.ask_to_pause)
        self.draft_bar.theme_clicked.connect(self._toggle_theme)
        self.draft_bar.goal_box.goal_changed.connect(self.preferences_changed)
        self.notice_bar.remedy_chosen.connect(self.remedy_chosen)
        self.book_panel.document_chosen.connect(self.document_asked)
        self.message_page.new_clicked.connect(self.ask_for_new_project)
        self.message_page.open_clicked.connect(self.ask_for_project)
        self.message_page.backup_clicked.connect(self._ask_for_backup)
        self.chart_deck.close_clicked.connect(self._close_charts)
        self.pace_spark.deck_asked.connect(self.commands.charts.toggle)
        self.editor.undoAvailable.connect(self._refresh)
        self.editor.redoAvailable.connect(self._refresh)
        self.editor.copyAvailable.connect(self._refresh)
        self.editor.zoom_asked.connect(self._zoom_by)
        self._models.desk.changed.connect(self._refresh)
        self._models.themes.changed.connect(self._refresh)

    # ------------------------------------------------------------ slots
    @Slot()
    def _refresh(self) -> None:
        desk, do, document = self._models.desk, self.commands, self.editor.document()
        title = desk.title
        self.setWindowTitle(self.tr("{0} - Quire").format(title) if title else "Quire")
        do.go_on.setEnabled(desk.can_continue)
        do.pause.setEnabled(desk.can_pause)
        for action in (do.retry, do.redraft, do.previous_take, do.next_take, do.snapshot):
            action.setEnabled(desk.can_continue)
        self.takes_panel.set_locked(locked=not desk.can_continue)
        self.snapshots_panel.set_locked(locked=not desk.can_continue)
        may_edit = desk.is_open and not self.editor.isReadOnly()
        has_selection = self.editor.textCursor().hasSelection()
        for action in (do.find, do.replace, do.find_in_book):
            action.setEnabled(desk.is_open)
        do.undo.setEnabled(may_edit and document.isUndoAvailable())
        do.redo.setEnabled(may_edit and document.isRedoAvailable())
        do.cut.setEnabled(may_edit and has_selection)
        do.copy.setEnabled(has_selection)
        do.paste.setEnabled(may_edit)
        do.export.setEnabled(desk.is_open)
        do.export_runs.setEnabled(desk.is_open)
        do.statistics.setEnabled(desk.is_open)
        do.back_up.setEnabled(desk.is_open and not desk.read_only)
        do.free_memory.setEnabled(desk.dtype != "")
        do.fast_resume.setEnabled(desk.fast_resume_bytes > 0)
        do.fast_resume.setText(
            self.tr("Keep a &Fast Resume File (about {0})").format(size_text(desk.fast_resume_bytes))
            if desk.fast_resume_bytes
            else self.tr("Keep a &Fast Resume File")
        )
        do.themes[self._models.themes.choice].setChecked(True)

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
        self.side_panel.setVisible(on and not self.shows_message)
        self.preferences_changed.emit()

    @Slot()
    def _ask_for_backup(self) -> None:
        self.remedy_chosen.emit(Remedy.OPEN_BACKUP)

    @Slot(str)
    def _open_file(self, path: str) -> None:
        self.open_asked.emit(Path(path))

    @Slot(str)
    def _import_file(self, path: str) -> None:
        self.import_asked.emit(Path(path), self._projects_folder)

    @Slot(str)
    def _export_file(self, path: str) -> None:
        self.run_data_asked.emit(Path(path))

    @Slot(object)
    def _open_recent(self, action: object) -> None:
        for known in self.commands.recent_menu.actions():
            if known is action:
                self.open_asked.emit(Path(known.data()))

    @Slot()
    def _zoom_in(self) -> None:
        self._zoom_by(1)

    @Slot()
    def _zoom_out(self) -> None:
        self._zoom_by(-1)

    @Slot()
    def _zoom_reset(self) -> None:
        self._zoom_by(0)

    @Slot(int)
    def _zoom_by(self, steps: int) -> None:
        self.set_text_px(self._text_px + 2 * steps if steps else DEFAULT_TEXT_PX)
        self.preferences_changed.emit()

    @Slot()
    def _go_to_tree(self) -> None:
        if not self.shows_message:
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

    @Slot(bool)
    def _set_full_screen(self, on: bool) -> None:
        self.setWindowState(
            self.windowState() | Qt.WindowState.WindowFullScreen
            if on
            else self.windowState() & ~Qt.WindowState.WindowFullScreen
        )

    def _show_full_screen(self) -> None:
        with QSignalBlocker(self.commands.full_screen):  # it is so already
            self.commands.full_screen.setChecked(self.isFullScreen())

    @Slot()
    def _toggle_theme(self) -> None:
        self._models.themes.toggle()
        self.preferences_changed.emit()

    @Slot()
    def _choose_theme(self) -> None:
        for choice, action in self.commands.themes.items():
            if action is self.sender():
                self._models.themes.choose(choice)
                self.preferences_changed.emit()

    @Slot()
    def _choose_built_in_model(self) -> None:
        self.model_chosen.emit("")

    @Slot()
    def _show_shortcuts(self) -> None:
        ShortcutsDialog(self.commands.shortcut_lines(), self).open()

    @Slot()
    def _show_about(self) -> None:
        AboutDialog(self).open()
