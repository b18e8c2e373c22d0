"""What can be done to the looks of the text, as actions with their shortcuts."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from quire.domain.manuscript.emphasis import Style
from quire.domain.manuscript.markup import MAX_LEVEL


class TextActions(QObject):
    """The actions of Edit > Format, and Typewriter in the View menu; whoever wires them decides what they do.

    style_asked: with a Style. level_asked: of a heading, from 1 to 3, or 0 for a paragraph.
    """

    style_asked = Signal(Style)
    level_asked = Signal(int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.styles = {
            Style.ITALIC: self._action(self.tr("&Italic"), "Ctrl+I"),
            Style.BOLD: self._action(self.tr("&Bold"), "Ctrl+B"),
        }
        for style, action in self.styles.items():
            action.setData(style.name)
            action.triggered.connect(self._ask_for_style)
        self.levels = [self._action(self.tr("&Paragraph"), "Ctrl+Alt+0")]
        for level in range(1, MAX_LEVEL + 1):
            self.levels.append(self._action(self.tr("Heading &{0}").format(level), f"Ctrl+Alt+{level}"))
        for level, action in enumerate(self.levels):
            action.setData(level)
            action.triggered.connect(self._ask_for_level)
        self.scene_break = self._action(self.tr("Insert &Scene Break"), "Ctrl+Alt+Return")
        self.typewriter = self._action(self.tr("T&ypewriter"), "F9")
        self.typewriter.setCheckable(True)
        self.submenu = QMenu(self.tr("F&ormat"))
        self.submenu.addActions(list(self.styles.values()))
        self.submenu.addSeparator()
        self.submenu.addActions(self.levels)
        self.submenu.addSeparator()
        self.submenu.addAction(self.scene_break)

    def fill(self, edit_menu: QMenu, view_menu: QMenu) -> None:
        """Put the submenu into the Edit menu, and Typewriter into the View menu."""
        edit_menu.addSeparator()
        edit_menu.addMenu(self.submenu)
        view_menu.addAction(self.typewriter)

    def show_state(self, *, may_edit: bool) -> None:
        """Enable what changes the text where the writer may."""
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

    def _action(self, text: str, shortcut: str) -> QAction:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(shortcut))
        return action
