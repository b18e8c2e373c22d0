"""The actions of formatting, with their shortcuts."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from quire.domain.manuscript.emphasis import Style
from quire.domain.manuscript.markup import MAX_LEVEL
from quire.ui.action_table import ActionTable, add_to_menu


class TextActions(ActionTable):
    """The actions of Edit > Format, and Typewriter in the View menu; what they do is decided where they
    are connected.
    """

    style_asked = Signal(Style)
    level_asked = Signal(int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.styles = {
            Style.ITALIC: self._action(self.tr("&Italic"), "Ctrl+I", data=Style.ITALIC.name),
            Style.BOLD: self._action(self.tr("&Bold"), "Ctrl+B", data=Style.BOLD.name),
        }
        for action in self.styles.values():
            action.triggered.connect(self._ask_for_style)
        self.levels = [self._action(self.tr("&Paragraph"), "Ctrl+Alt+0", data=0)]
        for level in range(1, MAX_LEVEL + 1):
            name = self.tr("Heading &{0}").format(level)
            self.levels.append(self._action(name, f"Ctrl+Alt+{level}", data=level))
        for action in self.levels:
            action.triggered.connect(self._ask_for_level)
        self.scene_break = self._action(self.tr("Insert &Scene Break"), "Ctrl+Alt+Return")
        self.typewriter = self._action(self.tr("T&ypewriter"), "F9", checked=False)
        self.submenu = QMenu(self.tr("F&ormat"))
        add_to_menu(self.submenu, *self.styles.values(), None, *self.levels, None, self.scene_break)

    def fill(self, edit_menu: QMenu, view_menu: QMenu, before: QAction | None = None) -> None:
        """Put the submenu into the Edit menu, and Typewriter before an action of the View menu."""
        add_to_menu(edit_menu, None, self.submenu)
        add_to_menu(view_menu, self.typewriter, before=before)

    def show_state(self, *, may_edit: bool) -> None:
        """Enable what changes the text if the writer may edit it."""
        for action in (*self.styles.values(), *self.levels, self.scene_break):
            action.setEnabled(may_edit)

    @Slot()
    def _ask_for_style(self) -> None:
        for style, action in self.styles.items():
            if action is self.sender():
                self.style_asked.emit(style)

    @Slot()
    def _ask_for_level(self) -> None:
        for level, action in enumerate(self.levels):
            if action is self.sender():
                self.level_asked.emit(level)
