"""Formatting, smart typing and typewriter scrolling in the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QLocale, QObject, QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QMenu

from quire.domain.manuscript.emphasis import Style
from quire.domain.manuscript.markup import MAX_LEVEL
from quire.editor.format_layer import insert_scene_break, set_heading_level, toggle_style
from quire.settings.settings import Settings
from quire.settings.settings_store import SettingsStore
from quire.shell.main_window import MainWindow
from quire.ui.action_table import ActionTable, add_to_menu


class TextStyle(QObject):
    """Connects the formatting actions to the manuscript, and typewriter scrolling to the settings."""

    def __init__(self, window: MainWindow, settings: SettingsStore) -> None:
        super().__init__(window)
        self._editor, self._settings = window.editor, settings
        self.actions = TextActions(window)
        self.actions.fill(window.commands.edit_menu, window.commands.view_menu)
        self.actions.style_asked.connect(self._toggle)
        self.actions.level_asked.connect(self._set_level)
        self.actions.scene_break.triggered.connect(self._insert_break)
        self.actions.typewriter.toggled.connect(self._switch_typewriter)
        self.set_language("")
        self._editor.installEventFilter(self)
        self._refresh()
        settings.add(self)

    def take(self, settings: Settings) -> None:
        """Apply the settings."""
        editor = self._editor
        editor.smart_typing.switch(on=settings.smart_typing)
        editor.typewriter.switch(on=settings.typewriter)
        with QSignalBlocker(self.actions.typewriter):  # it is already set
            self.actions.typewriter.setChecked(settings.typewriter)

    def set_language(self, language: str) -> None:
        """Set the language for quotation marks, such as "en_GB"; empty for the system's."""
        self._editor.smart_typing.set_language(language or QLocale.system().name())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the lock of the text."""
        if event.type() is QEvent.Type.ReadOnlyChange:
            self._refresh()
        return False

    @Slot(Style)
    def _toggle(self, style: Style) -> None:
        toggle_style(self._editor, style)

    @Slot(int)
    def _set_level(self, level: int) -> None:
        set_heading_level(self._editor, level)

    @Slot()
    def _insert_break(self) -> None:
        insert_scene_break(self._editor)

    @Slot(bool)
    def _switch_typewriter(self, on: bool) -> None:
        self._settings.change(typewriter=on)

    def _refresh(self) -> None:
        self.actions.show_state(may_edit=not self._editor.isReadOnly())


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

    def fill(self, edit_menu: QMenu, view_menu: QMenu) -> None:
        """Put the submenu into the Edit menu, and Typewriter into the View menu."""
        add_to_menu(edit_menu, None, self.submenu)
        view_menu.addAction(self.typewriter)

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
