"""The main window: it shows the models, and emits the writer's requests as signals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from quire.shell.actions import Actions
from quire.shell.draft_progress import ProgressModel
from quire.shell.manuscript_page import ManuscriptPage
from quire.shell.message_page import MessagePage
from quire.shell.notice_bar import NoticeBar
from quire.shell.notices import NoticeAction
from quire.shell.project_status import ProjectStatus
from quire.shell.side_panel import SidePanel
from quire.shell.status_bar import StatusLine
from quire.shell.toast import Toast
from quire.shell.undo_chain import UndoChain
from quire.system.file_sizes import size_text
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.dropped_files import model_in
from quire.ui.tab_order import tab_first, tab_last_in

DEFAULT_SIZE = QSize(1360, 860)
MINIMUM_SIZE = QSize(880, 480)
"""Fits, with frame and task bar, on a screen of 960x540: full HD at 200%."""
_MIN_PAGE_PX = 130
"""Leaves room for the charts, the strip and a notice there."""
_MIN_PAGE_WIDTH_PX = 230
"""Leaves room for both panels there; views that are not shown would want more."""


class MainWindow(QMainWindow):
    """The frame of the window: menus, page, notices, status; and places for the widgets of features.

    Signals:
        models_asked: the writer wants to choose another model.
        model_chosen: a folder, empty for the built-in model.
        import_asked: the file and the folder for its project.
        run_data_asked: the path of the file.
        action_chosen: a button of the notice was pressed.
        model_dropped: a model's file, or a folder.
        leave_asked: the writer wants to close; a receiver saves everything, then calls leave().
    """

    open_asked = Signal(Path)
    document_asked = Signal(int)
    import_asked = Signal(Path, Path)
    run_data_asked = Signal(Path)
    models_asked = Signal()
    model_chosen = Signal(str)
    action_chosen = Signal(NoticeAction)
    preferences_changed = Signal()
    model_dropped = Signal(Path)
    leave_asked = Signal()

    def __init__(self, status: ProjectStatus, progress: ProgressModel, themes: ThemeSwitch) -> None:
        super().__init__()
        self.status, self.progress, self.themes = status, progress, themes
        self._may_close = False
        self.commands = Actions(self)
        self.notice_bar = NoticeBar(self)
        self.side_panel = SidePanel(self)
        self.page = ManuscriptPage(status, themes, self)
        self.message_page = MessagePage(self)
        self.status_line = StatusLine(status, self)
        self.editor = self.page.editor
        self.editor.set_locked(locked=True)
        do = self.commands
        self.undo_chain = UndoChain(self.editor, status, do.undo, do.redo, self)
        self._stack = QStackedWidget(self)
        self._stack.setMinimumSize(_MIN_PAGE_WIDTH_PX, _MIN_PAGE_PX)
        self._stack.addWidget(self.page)
        self._stack.addWidget(self.message_page)
        self.toast = Toast(self)
        self.notice_bar.set_toast(self.toast)
        self._lay_out()
        self._wire()
        self.show_recent(())
        self._refresh()

    # ------------------------------------------------------------ places for the widgets of features
    def add_bar(self, bar: QWidget) -> None:
        """Put a bar above the notices."""
        self._layout.insertWidget(self._layout.indexOf(self.notice_bar), bar)
        tab_first(bar)

    def add_side_panel(self, panel: QWidget, title: str) -> None:
        """Put a panel in a tab to the left of the page."""
        self.side_panel.add(panel, title)
        tab_last_in(panel, self.side_panel)

    def show_side_panel(self, panel: QWidget) -> None:
        """Show the tab of a panel on the left."""
        self.commands.side_panel.setChecked(True)
        self.side_panel.show_panel(panel)

    def add_right(self, panel: QWidget) -> None:
        """Put a panel to the right of the page."""
        self._middle.addWidget(panel)

    def add_below(self, widget: QWidget) -> None:
        """Put a widget right below the page, above earlier ones."""
        self._layout.insertWidget(self._layout.indexOf(self._middle) + 1, widget)

    def add_view(self, view: QWidget) -> None:
        """Add a view that can be shown in place of the manuscript."""
        self._stack.addWidget(view)

    # ------------------------------------------------------------ display
    def show_project(self, text: str) -> None:
        """Show a project's text for editing."""
        self._stack.setCurrentWidget(self.page)
        self.side_panel.setVisible(self.commands.side_panel.isChecked())
        self.editor.set_locked(locked=False)
        self.editor.show_text(text)
        self.focus_text()
        self._refresh()

    def focus_text(self) -> None:
        """Let the writer type in the text that is shown; the keys stay in the tree where it was clicked."""
        chosen_in = self.focusWidget()
        if chosen_in is None or not self.side_panel.isAncestorOf(chosen_in):
            self.editor.setFocus()

    def show_message(self, headline: str, sentence: str, *, has_backup: bool = False) -> None:
        """Show a message in place of the manuscript; has_backup: offer to open the last good one."""
        self.message_page.show_message(headline, sentence, has_backup=has_backup)
        self._stack.setCurrentWidget(self.message_page)
        self.side_panel.hide()
        page = self.message_page
        (page.backup_button if has_backup else page.new_button).setFocus()

    def show_view(self, view: QWidget) -> None:
        """Show a view in place of the manuscript; it was added before."""
        self._stack.setCurrentWidget(view)

    def show_page(self) -> None:
        """Show the manuscript again."""
        self._stack.setCurrentWidget(self.page)
        self.editor.setFocus()

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
        """Close the window; everything is saved."""
        self._may_close = True
        self.close()

    # ------------------------------------------------------------ queries
    @property
    def project_title(self) -> str:
        """Return the title of the open project, or an empty string."""
        return self.status.title or ""

    @property
    def shows_page(self) -> bool:
        """Return whether the manuscript is shown."""
        return self._stack.currentWidget() is self.page

    @property
    def shows_message(self) -> bool:
        """Return whether a message is shown in place of the manuscript."""
        return self._stack.currentWidget() is self.message_page

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a model, wherever the widgets of the window want nothing of what is dragged."""
        if model_in(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Pass the model on."""
        path = model_in(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.model_dropped.emit(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stay open until everything is saved."""
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
        centre = QWidget(self)
        layout = self._layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.notice_bar)
        self._middle = middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.side_panel)
        middle.addWidget(self._stack, 1)
        layout.addLayout(middle, 1)
        layout.addWidget(self.status_line)
        self.setCentralWidget(centre)

    def _wire(self) -> None:
        do = self.commands
        do.recent_menu.triggered.connect(self._open_recent)
        do.quit.triggered.connect(self.close)
        for action, slot in (
            (do.cut, self.editor.cut),
            (do.copy, self.editor.copy),
            (do.paste, self.editor.paste),
            (do.paste_plain, self.editor.paste_plain),
            (do.select_all, self.editor.selectAll),
        ):
            action.triggered.connect(slot)
        self.editor.menu_rows = [
            do.cut, do.copy, do.paste, do.paste_plain, None, do.comment, do.rewrite, do.alternatives,
            do.redraft, do.split, do.add_lore, None, do.undo, do.redo, None, do.select_all,
        ]  # fmt: skip
        do.go_to_manuscript.triggered.connect(self.editor.setFocus)
        do.side_panel.toggled.connect(self._show_side_panel)
        do.built_in_model.triggered.connect(self._choose_built_in_model)
        self.notice_bar.action_chosen.connect(self.action_chosen)
        self.undo_chain.offer_gone.connect(self.notice_bar.withdraw_undo)
        self._stack.currentChanged.connect(self.undo_chain.refresh)
        self.message_page.backup_clicked.connect(self._ask_for_backup)
        self.editor.copyAvailable.connect(self._refresh)
        self.status.changed.connect(self._refresh)

    # ------------------------------------------------------------ slots
    @Slot()
    def _refresh(self) -> None:
        status, do = self.status, self.commands
        title = status.title
        self.setWindowTitle(self.tr("{0} - Quire").format(title) if title else "Quire")
        do.go_on.setEnabled(status.can_continue)
        do.pause.setEnabled(status.can_pause)
        for action in (do.retry, do.redraft):
            action.setEnabled(status.can_continue)
        for action in (do.previous_take, do.next_take, do.snapshot):
            action.setEnabled(status.is_at_rest)
        may_edit = status.is_open and not self.editor.isReadOnly()
        has_selection = self.editor.textCursor().hasSelection()
        for action in (do.find, do.replace, do.find_in_book):
            action.setEnabled(status.is_open)
        do.cut.setEnabled(may_edit and has_selection)
        do.copy.setEnabled(has_selection)
        for action in (do.paste, do.paste_plain):
            action.setEnabled(may_edit)
        do.export.setEnabled(status.is_open)
        do.export_runs.setEnabled(status.is_open)
        do.statistics.setEnabled(status.is_open)
        do.back_up.setEnabled(status.is_open and not status.read_only)
        for action in (do.save_copy, do.restore_backup):
            action.setEnabled(status.is_open)
        do.free_memory.setEnabled(status.dtype != "")
        do.fast_resume.setEnabled(status.fast_resume_bytes > 0)
        do.fast_resume.setText(
            self.tr("Save Fast Resume F&ile (about {0})").format(size_text(status.fast_resume_bytes))
            if status.fast_resume_bytes
            else self.tr("Save Fast Resume F&ile")
        )

    @Slot(bool)
    def _show_side_panel(self, on: bool) -> None:
        self.side_panel.setVisible(on and self.status.is_open)
        self.preferences_changed.emit()

    @Slot()
    def _ask_for_backup(self) -> None:
        self.action_chosen.emit(NoticeAction.OPEN_BACKUP)

    @Slot(object)
    def _open_recent(self, action: object) -> None:
        for known in self.commands.recent_menu.actions():
            if known is action:
                self.open_asked.emit(Path(known.data()))

    @Slot()
    def _choose_built_in_model(self) -> None:
        self.model_chosen.emit("")
