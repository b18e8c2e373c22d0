"""The commands of the window, as actions with their shortcuts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from quire.theme.text_size import TextSize
from quire.theme.theme_switch import ThemeChoice
from quire.ui.action_table import ActionTable, HintedMenu, add_to_menu

_Choice = TypeVar("_Choice")


class WindowActions(ActionTable):
    """The actions of the main window, which decides what they do and when they are enabled."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._make_files_and_edits()
        self._make_views()
        self._make_drafts()
        self.recent_menu = QMenu(self.tr("Open &Recent"))

    def _make_files_and_edits(self) -> None:
        self.new = self._action(self.tr("&New Project…"), "Ctrl+Shift+N")
        self.open = self._action(self.tr("&Open…"), "Ctrl+Shift+O")
        self.import_text = self._action(self.tr("&Import…"), "Ctrl+Shift+I")
        self.export = self._action(self.tr("E&xport Manuscript…"), "F5")
        self.back_up = self._action(self.tr("&Back Up Now"))
        self.export_runs = self._action(self.tr("Export Run &Data…"))
        self.quit = self._action(self.tr("&Quit"), "Ctrl+Q", role=QAction.MenuRole.QuitRole)

        self.undo = self._action(self.tr("&Undo"), QKeySequence.StandardKey.Undo)
        self.redo = self._action(self.tr("&Redo"), "Ctrl+Shift+Z", "Ctrl+Y")
        self.cut = self._action(self.tr("Cu&t"), QKeySequence.StandardKey.Cut)
        self.copy = self._action(self.tr("&Copy"), QKeySequence.StandardKey.Copy)
        self.paste = self._action(self.tr("&Paste as Plain Text"), "Ctrl+V", "Ctrl+Shift+V")
        self.find = self._action(self.tr("&Find…"), QKeySequence.StandardKey.Find)
        self.replace = self._action(self.tr("Rep&lace…"), "Ctrl+H")
        self.find_in_book = self._action(self.tr("Find in &Book…"), "Ctrl+Shift+F")
        self.select_all = self._action(self.tr("Select &All"), QKeySequence.StandardKey.SelectAll)

    def _make_views(self) -> None:
        self.zoom_in = self._action(self.tr("Zoom &In"), "Ctrl++", "Ctrl+=")
        self.zoom_out = self._action(self.tr("Zoom &Out"), "Ctrl+-")
        self.zoom_reset = self._action(self.tr("Reset &Zoom"), "Ctrl+0")
        self.go_to_manuscript = self._action(self.tr("Go to &Manuscript"), "Ctrl+E")
        self.go_to_tree = self._action(self.tr("Go to Tr&ee"), "Ctrl+T")
        self.go_to_draft_bar = self._action(self.tr("Go to &Draft Bar"), "Ctrl+D")
        self.full_screen = self._action(self.tr("&Full Screen"), "F11", checked=False)
        self.themes = self._theme_actions()
        self.text_sizes = self._text_size_actions()

        self.side_panel = self._action(self.tr("&Side Panel"), "Ctrl+1", checked=True)
        self.charts = self._action(self.tr("&Charts"), "Ctrl+3", checked=False)

    def _make_drafts(self) -> None:
        self.snapshot = self._action(self.tr("&Take Snapshot"), "Ctrl+Alt+S")
        self.go_on = self._action(self.tr("&Continue"), "Ctrl+Return", "Ctrl+Enter")
        self.pause = self._action(self.tr("&Pause"), "Esc")
        self.retry = self._action(self.tr("&Retry"), "Alt+R")
        self.redraft = self._action(self.tr("Re&draft From Here"), "Ctrl+Shift+Return", "Ctrl+Shift+Enter")
        self.previous_take = self._action(self.tr("Pre&vious Take"), "Alt+PgUp")
        self.next_take = self._action(self.tr("&Next Take"), "Alt+PgDown")
        self.free_memory = self._action(self.tr("Pause and &Unload Model"), "Shift+Esc")
        self.fast_resume = self._action(self.tr("Save Fast Resume F&ile"))
        self.choose_model = self._action(self.tr("Choose &Model…"))
        self.built_in_model = self._action(self.tr("Use the &Built-in Model"))

        self.statistics = self._action(self.tr("Writing &Statistics…"), "F6")

        self.shortcuts = self._action(self.tr("&Shortcuts"))
        self.about = self._action(self.tr("&About Quire"), role=QAction.MenuRole.AboutRole)

    def fill(self, bar: QMenuBar) -> None:
        """Build the menus."""
        self.file_menu = self._menu(
            bar, self.tr("&File"), self.new, self.open, self.recent_menu, None,
            self.import_text, self.export, self.export_runs, None, self.back_up, None, self.quit,
        )  # fmt: skip
        self.edit_menu = self._menu(
            bar, self.tr("&Edit"), self.undo, self.redo, None, self.cut, self.copy, self.paste, None,
            self.select_all, None, self.find, self.replace, self.find_in_book,
        )  # fmt: skip
        self.theme_menu, zoom_menu = QMenu(self.tr("&Theme"), bar), QMenu(self.tr("&Zoom"), bar)
        text_size_menu = QMenu(self.tr("&Interface Text Size"), bar)
        add_to_menu(text_size_menu, *self.text_sizes.values())
        self.go_to_menu = QMenu(self.tr("&Go To"), bar)
        add_to_menu(self.theme_menu, *self.themes.values())
        add_to_menu(zoom_menu, self.zoom_in, self.zoom_out, self.zoom_reset)
        add_to_menu(self.go_to_menu, self.go_to_manuscript, self.go_to_tree, self.go_to_draft_bar)
        self.view_menu = self._menu(
            bar, self.tr("&View"), self.side_panel, self.charts, None, self.full_screen, None,
            zoom_menu, text_size_menu, self.theme_menu, self.go_to_menu,
        )  # fmt: skip
        self.manuscript_menu = self._menu(bar, self.tr("&Manuscript"), self.snapshot, None)
        self.draft_menu = self._menu(
            bar, self.tr("&Draft"), self.go_on, self.pause, self.free_memory, None,
            self.retry, self.redraft, self.previous_take, self.next_take, None,
            self.fast_resume, None, self.choose_model, self.built_in_model,
        )  # fmt: skip
        self.steering_menu = self._menu(bar, self.tr("&Steering"))
        self.inspect_menu = self._menu(bar, self.tr("&Inspect"))
        self.tools_menu = self._menu(bar, self.tr("&Tools"), self.statistics)
        self.help_menu = self._menu(bar, self.tr("&Help"), self.shortcuts, self.about)

    def _theme_actions(self) -> dict[ThemeChoice, QAction]:
        texts = {
            ThemeChoice.SYSTEM: self.tr("Same as S&ystem"),
            ThemeChoice.LIGHT: self.tr("&Light"),
            ThemeChoice.DARK: self.tr("&Dark"),
            ThemeChoice.SEPIA: self.tr("&Sepia"),
            ThemeChoice.HIGH_CONTRAST: self.tr("&High Contrast"),
        }
        return self._choices(texts)

    def _text_size_actions(self) -> dict[TextSize, QAction]:
        texts = {
            TextSize.SYSTEM: self.tr("Same as S&ystem"),
            TextSize.SMALLER: self.tr("&Smaller"),
            TextSize.NORMAL: self.tr("&Normal"),
            TextSize.LARGER: self.tr("&Larger"),
            TextSize.LARGEST: self.tr("Lar&gest"),
        }
        return self._choices(texts)

    def _choices(self, texts: Mapping[_Choice, str]) -> dict[_Choice, QAction]:
        """Return an action for each value of a setting, of which one is checked."""
        group = QActionGroup(self)
        actions = {}
        for choice, text in texts.items():
            actions[choice] = self._action(text, checked=False)
            group.addAction(actions[choice])
        return actions

    def _menu(self, bar: QMenuBar, title: str, *rows: QAction | QMenu | None) -> QMenu:
        menu = HintedMenu(title, bar)
        bar.addMenu(menu)
        add_to_menu(menu, *rows)
        return menu
