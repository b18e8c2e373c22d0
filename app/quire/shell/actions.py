"""Every command of the window: its stored name, text and keys, and the menu that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from quire.domain.manuscript.emphasis import Style
from quire.domain.manuscript.markup import MAX_LEVEL
from quire.domain.manuscript.tree import NodeKind, Status
from quire.theme.text_size import TextSize
from quire.theme.theme_switch import ThemeChoice
from quire.ui.action_table import HintedMenu, add_to_menu, new_action
from quire.ui.tree_labels import TreeLabels

CHAPTERS = (NodeKind.CHAPTER, NodeKind.SCENE, NodeKind.PART)
NOTES = (NodeKind.NOTE, NodeKind.CHARACTER, NodeKind.PLACE)

_WAITING = frozenset(
    {"comment", "models", "overlay", "reading", "rewriting", "run", "spelling", "steering", "text"}
)
"""Groups whose actions do nothing before the first text is shown."""
_Choice = TypeVar("_Choice", bound=Enum)
_Row = QAction | QMenu | None


class Actions(QObject):
    """The table of commands. The features decide what they do and when they are enabled.

    The first column of each row is the name under which the writer's keys are stored; it never changes.
    Menus are whole from the start: one that grew while it was open would move what is about to be clicked.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._make_files_and_edits()
        self._make_formats_and_comments()
        self._make_views()
        self._make_texts()
        self._make_drafts()
        self._make_steering_and_inspection()
        self._make_tools_and_help()

    def _make_files_and_edits(self) -> None:
        add = self._add
        self.new = add("window.new", self.tr("&New Project…"), "Ctrl+Shift+N")
        self.open = add("window.open", self.tr("&Open…"), "Ctrl+Shift+O")
        self.recent_menu = QMenu(self.tr("Open &Recent"))
        self.import_text = add("window.import_text", self.tr("&Import…"), "Ctrl+Shift+I")
        self.export = add("window.export", self.tr("E&xport Manuscript…"), "F5")
        self.export_runs = add("window.export_runs", self.tr("Export Run &Data…"))
        self.print_book = add(
            "reading.print_book", self.tr("&Print…"), "Ctrl+P", role=QAction.MenuRole.NoRole
        )
        self.save_copy = add("window.save_copy", self.tr("Save a Cop&y…"))
        self.back_up = add("window.back_up", self.tr("&Back Up Now"))
        self.restore_backup = add("window.restore_backup", self.tr("Re&store from Backup…"))
        self.close_project = add("help.close_project", self.tr("&Close Project"))
        self.welcome = add("help.welcome", self.tr("&Welcome Page"))
        self.quit = add("window.quit", self.tr("&Quit"), "Ctrl+Q", role=QAction.MenuRole.QuitRole)

        self.undo = add("window.undo", self.tr("&Undo"), QKeySequence.StandardKey.Undo)
        self.redo = add("window.redo", self.tr("&Redo"), "Ctrl+Shift+Z", "Ctrl+Y")
        self.cut = add("window.cut", self.tr("Cu&t"), QKeySequence.StandardKey.Cut)
        self.copy = add("window.copy", self.tr("&Copy"), QKeySequence.StandardKey.Copy)
        self.paste = add("window.paste", self.tr("&Paste"), QKeySequence.StandardKey.Paste)
        self.paste_plain = add("window.paste_plain", self.tr("Paste as Plai&n Text"), "Ctrl+Shift+V")
        self.select_all = add("window.select_all", self.tr("Select &All"), QKeySequence.StandardKey.SelectAll)
        self.find = add("window.find", self.tr("&Find…"), QKeySequence.StandardKey.Find)
        self.replace = add("window.replace", self.tr("Rep&lace…"), "Ctrl+H")
        self.find_in_book = add("window.find_in_book", self.tr("Find in &Book…"), "Ctrl+Shift+F")

    def _make_formats_and_comments(self) -> None:
        add = self._add
        self.styles = {
            Style.ITALIC: add("text.styles.italic", self.tr("&Italic"), "Ctrl+I"),
            Style.BOLD: add("text.styles.bold", self.tr("&Bold"), "Ctrl+B"),
        }
        self.levels = [add("text.levels.0", self.tr("&Paragraph"), "Ctrl+Alt+0")]
        for level in range(1, MAX_LEVEL + 1):
            name, text = f"text.levels.{level}", self.tr("Heading &{0}").format(level)
            self.levels.append(add(name, text, f"Ctrl+Alt+{level}"))
        self.scene_break = add("text.scene_break", self.tr("Insert &Scene Break"), "Ctrl+Alt+Return")

        self.comment = add("comment.comment", self.tr("Co&mment"), "Ctrl+Shift+C")
        self.next_comment = add("comment.following", self.tr("&Next Comment"), "Ctrl+Shift+PgDown")
        self.previous_comment = add("comment.previous", self.tr("&Previous Comment"), "Ctrl+Shift+PgUp")
        self.all_comments = add("comment.show_list", self.tr("&All Comments"))

        self.check_spelling = add("spelling.on", self.tr("&Check Spelling"), checked=True)
        self.next_doubt = add("spelling.next_doubt", self.tr("&Next Misspelling"), "F4")
        self.language_menu = QMenu(self.tr("&Language"))
        self.add_dictionary = add("spelling.add_dictionary", self.tr("&Add Dictionary…"))
        self.word_list = add("spelling.word_list", self.tr("Personal &Dictionary…"))

    def _make_views(self) -> None:
        add = self._add
        self.reading_view = add(
            "reading.reading_view", self.tr("&Reading View"), "Ctrl+Shift+R", checked=False
        )
        self.outline = add("reading.outline", self.tr("Out&line"), "Ctrl+Shift+L", checked=False)
        self.cards = add("reading.cards", self.tr("Inde&x Cards"), "Ctrl+Shift+K", checked=False)
        self.beside = add("reading.beside", self.tr("Seco&nd Text"), "Ctrl+Shift+B", checked=False)
        self.focus = add("reading.focus", self.tr("Foc&us Mode"), "F8", checked=False)
        self.side_panel = add("window.side_panel", self.tr("&Side Panel"), "Ctrl+1", checked=True)
        self.right_panel = add("steering.panel", self.tr("Right &Panel"), "Ctrl+2", checked=True)
        self.charts = add("window.charts", self.tr("&Charts"), "Ctrl+3", checked=False)
        self.typewriter = add("text.typewriter", self.tr("T&ypewriter"), "F9", checked=False)
        self.full_screen = add("window.full_screen", self.tr("&Full Screen"), "F11", checked=False)
        self.zoom_in = add("window.zoom_in", self.tr("Zoom &In"), "Ctrl++", "Ctrl+=")
        self.zoom_out = add("window.zoom_out", self.tr("Zoom &Out"), "Ctrl+-")
        self.zoom_reset = add("window.zoom_reset", self.tr("Reset &Zoom"), "Ctrl+0")
        self.text_sizes = self._choices("window.text_sizes", {
            TextSize.SYSTEM: self.tr("Same as S&ystem"),
            TextSize.SMALLER: self.tr("&Smaller"),
            TextSize.NORMAL: self.tr("&Normal"),
            TextSize.LARGER: self.tr("&Larger"),
            TextSize.LARGEST: self.tr("Lar&gest"),
        })  # fmt: skip
        self.themes = self._choices("window.themes", {
            ThemeChoice.SYSTEM: self.tr("Same as S&ystem"),
            ThemeChoice.LIGHT: self.tr("&Light"),
            ThemeChoice.DARK: self.tr("&Dark"),
            ThemeChoice.SEPIA: self.tr("&Sepia"),
            ThemeChoice.HIGH_CONTRAST: self.tr("&High Contrast"),
        })  # fmt: skip
        self.go_to_manuscript = add("window.go_to_manuscript", self.tr("Go to &Manuscript"), "Ctrl+E")
        self.go_to_tree = add("window.go_to_tree", self.tr("Go to Tr&ee"), "Ctrl+T")
        self.go_to_draft_bar = add("window.go_to_draft_bar", self.tr("Go to &Draft Bar"), "Ctrl+D")
        self.go_to_beside = add("reading.go_to_beside", self.tr("&Go to Second Text"), "Ctrl+Shift+E")

    def _make_texts(self) -> None:
        add, texts = self._add, TreeLabels(self)
        self.snapshot = add("window.snapshot", self.tr("&Take Snapshot"), "Ctrl+Alt+S")
        self.new_texts = {
            kind: add(f"manuscript.new.{kind.name.lower()}", texts.new(kind)) for kind in (*CHAPTERS, *NOTES)
        }
        self.new_texts[NodeKind.CHAPTER].setShortcut(QKeySequence("Ctrl+N"))
        self.split = add("manuscript.split", self.tr("&Split Here"), "Ctrl+K")
        self.merge = add("manuscript.merge", self.tr("&Merge with Previous Text"))
        self.cut_long = add("manuscript.cut_long", self.tr("Divide &Long Text"))
        self.move_up = add("manuscript.move_up", self.tr("Move &Up"), "Ctrl+Up")
        self.move_down = add("manuscript.move_down", self.tr("Move &Down"), "Ctrl+Down")
        self.rename = add("manuscript.rename", self.tr("&Rename"), "F2")
        self.statuses = self._choices(
            "manuscript.statuses", {status: texts.status(status) for status in Status}
        )
        self.open_beside = add("manuscript.open_beside", self.tr("Open as &Second Text"))
        self.exported = add("manuscript.exported", self.tr("Include in E&xport"), checked=False)
        self.trash = add("manuscript.trash", self.tr("Move to Tras&h"), "Del")
        self.restore = add("manuscript.restore", self.tr("&Restore"))
        self.delete = add("manuscript.delete", self.tr("Delete &Permanently…"))
        self.empty = add("manuscript.empty", self.tr("&Empty Trash…"))

    def _make_drafts(self) -> None:
        add = self._add
        self.go_on = add("window.go_on", self.tr("&Continue"), "Ctrl+Return", "Ctrl+Enter")
        self.before_start = add("run.before_start", self.tr("Be&fore You Start…"))
        self.pause = add("window.pause", self.tr("&Pause"), "Esc")
        self.free_memory = add("window.free_memory", self.tr("Pause and &Unload Model"), "Shift+Esc")
        self.retry = add("window.retry", self.tr("&Retry"), "Alt+R")
        self.redraft = add(
            "window.redraft", self.tr("Re&draft From Here"), "Ctrl+Shift+Return", "Ctrl+Shift+Enter"
        )
        self.rewrite = add("rewriting.rewrite", self.tr("Re&write Selection…"), "Ctrl+R")
        self.previous_take = add("window.previous_take", self.tr("Pre&vious Take"), "Alt+PgUp")
        self.next_take = add("window.next_take", self.tr("&Next Take"), "Alt+PgDown")
        self.take_back = add(
            "lastdraft.take_back", self.tr("Und&o Draft"), "Ctrl+Alt+Z",
            tip=self.tr("Removes the last draft from the text and keeps it as a take"),
        )  # fmt: skip
        self.bring_back = add("lastdraft.bring_back", self.tr("Redo Dr&aft"), "Ctrl+Alt+Shift+Z")
        for action in (self.take_back, self.bring_back):
            action.setEnabled(False)
        self.fast_resume = add("window.fast_resume", self.tr("Save Fast Resume F&ile"))
        self.choose_model = add("window.choose_model", self.tr("Choose &Model…"))
        self.built_in_model = add("window.built_in_model", self.tr("Use the &Built-in Model"))
        self.queue = add("steering.queue", self.tr("Draft &Queue…"))

    def _make_steering_and_inspection(self) -> None:
        add = self._add
        self.memory = add("steering.memory", self.tr("&Memory"), "Ctrl+Alt+M")
        self.direction = add("steering.direction", self.tr("Author's &Note"), "Ctrl+Alt+D")
        self.lorebook = add("steering.lorebook", self.tr("&Lorebook"), "Ctrl+Alt+L")
        self.opening = add("steering.opening", self.tr("&Opening and Style Sample"))
        self.beats = add("steering.beats", self.tr("&Beats of This Chapter"), "Ctrl+Alt+B")
        self.avoided = add("steering.avoided", self.tr("Words to &Avoid"))
        self.add_lore = add("steering.add_lore", self.tr("Add to Loreboo&k…"))
        self.presets = add("steering.presets", self.tr("&Presets…"))
        self.prompt_preview = add("steering.view", self.tr("Prompt Pre&view…"), "Ctrl+Shift+M")

        self.next_overlay = add("overlay.next_overlay", self.tr("&Next Highlight"), "F7")
        self.echo_list = add("overlay.echo_list", self.tr("&Echo List…"))
        self.phrases = add("overlay.phrases", self.tr("&Frequent Phrases…"))
        self.go_to_twin = add("overlay.go_to_twin", self.tr("Go to &Matching Repeat"))
        self.alternatives = add("overlay.alternatives", self.tr("Alternati&ves for Selection…"))
        self.acceleration = add("run.acceleration", self.tr("&Acceleration…"))
        self.self_check = add("run.self_check", self.tr("Acceleration Self-&Check…"))

    def _make_tools_and_help(self) -> None:
        add = self._add
        self.models = add("models.models", self.tr("&Models…"))
        self.prepare = add("models.prepare", self.tr("Speed &Up This Model…"))
        self.statistics = add("window.statistics", self.tr("Writing &Statistics…"), "F6")
        self.preferences = add(
            "preference.preferences", self.tr("&Preferences…"), "Ctrl+,",
            role=QAction.MenuRole.PreferencesRole,
        )  # fmt: skip

        self.manual = add("help.manual", self.tr("&Manual"), "F1")
        self.sample = add("help.sample", self.tr("Sample &Project"))
        self.report = add("help.report", self.tr("&Report a Problem…"))
        self.shortcuts = add("window.shortcuts", self.tr("&Shortcuts"))
        self.about = add("window.about", self.tr("&About Quire"), role=QAction.MenuRole.AboutRole)

    # ------------------------------------------------------------ menus
    def fill(self, bar: QMenuBar) -> None:
        """Build the menus, each in the order shown here."""
        self._top(
            bar, self.tr("&File"), self.new, self.open, self.recent_menu, None,
            self.import_text, self.export, self.export_runs, None, self.print_book, None, self.save_copy,
            self.back_up, self.restore_backup, None, self.close_project, self.welcome, None, self.quit,
        )  # fmt: skip
        formats = _menu(
            bar, self.tr("F&ormat"), *self.styles.values(), None, *self.levels, None, self.scene_break
        )
        comments = _menu(
            bar, self.tr("Co&mments"), self.comment, None, self.next_comment, self.previous_comment,
            self.all_comments,
        )  # fmt: skip
        spelling = _menu(
            bar, self.tr("&Spelling"), self.check_spelling, self.next_doubt, None, self.language_menu,
            self.add_dictionary, None, self.word_list,
        )  # fmt: skip
        self._top(
            bar, self.tr("&Edit"), self.undo, self.redo, None, self.cut, self.copy, self.paste,
            self.paste_plain, None, self.select_all, None, self.find, self.replace, self.find_in_book, None,
            formats, comments, None, spelling,
        )  # fmt: skip
        self._fill_view(bar)
        self._fill_manuscript(bar)
        self._top(
            bar, self.tr("&Draft"), self.go_on, self.before_start, self.pause, self.free_memory, None,
            self.retry, self.redraft, self.previous_take, self.next_take, self.take_back, self.bring_back,
            None, self.rewrite, None, self.fast_resume, None, self.choose_model, self.built_in_model, None,
            self.queue,
        )  # fmt: skip
        self._top(
            bar, self.tr("&Steering"), self.memory, self.direction, self.lorebook, self.opening, self.beats,
            self.avoided, None, self.add_lore, self.presets, None, self.prompt_preview,
        )  # fmt: skip
        self.inspect_menu = self._top(
            bar, self.tr("&Inspect"), self.next_overlay, self.echo_list, self.phrases, self.go_to_twin, None,
            self.alternatives, None, self.acceleration, self.self_check,
        )  # fmt: skip
        self._top(
            bar, self.tr("&Tools"), self.models, self.prepare, None, self.statistics, None, self.preferences,
            self.word_list,
        )  # fmt: skip
        self._top(
            bar, self.tr("&Help"), self.manual, self.sample, self.report, None, self.shortcuts, self.about
        )

    def _fill_view(self, bar: QMenuBar) -> None:
        zoom = _menu(bar, self.tr("&Zoom"), self.zoom_in, self.zoom_out, self.zoom_reset)
        sizes = _menu(bar, self.tr("&Interface Text Size"), *self.text_sizes.values())
        themes = _menu(bar, self.tr("&Theme"), *self.themes.values())
        places = _menu(
            bar, self.tr("&Go To"), self.go_to_manuscript, self.go_to_tree, self.go_to_draft_bar,
            self.go_to_beside,
        )  # fmt: skip
        self._top(
            bar, self.tr("&View"), self.reading_view, self.outline, self.cards, self.beside, self.focus, None,
            self.side_panel, self.right_panel, self.charts, None, self.typewriter, self.full_screen, None,
            zoom, sizes, themes, places,
        )  # fmt: skip

    def _fill_manuscript(self, bar: QMenuBar) -> None:
        notes = _menu(bar, self.tr("New N&ote"), *(self.new_texts[kind] for kind in NOTES))
        self.status_menu = _menu(bar, self.tr("St&atus"), *self.statuses.values())
        self.manuscript_menu = self._top(
            bar, self.tr("&Manuscript"), self.snapshot, None,
            *(self.new_texts[kind] for kind in CHAPTERS), notes, None,
            self.split, self.merge, self.cut_long, None,
            self.move_up, self.move_down, self.rename, self.status_menu, self.exported, None,
            self.trash, self.empty,
        )  # fmt: skip

    def set_waiting(self, *, waiting: bool) -> None:
        """Disable what waits for the first text, or enable it; from then on each feature decides."""
        for action in self.findChildren(QAction):
            if action.objectName().partition(".")[0] in _WAITING:
                action.setEnabled(not waiting)

    def name_comment(self, *, is_there: bool) -> None:
        """Say whether the comment at the cursor is edited, or a new one begun."""
        self.comment.setText(self.tr("Edit Co&mment") if is_there else self.tr("Co&mment"))

    def name_alternatives(self, *, of_selection: bool) -> None:
        """Say of which words alternatives are shown: the selected ones, or the one at the caret."""
        word = self.tr("Alternati&ves for This Word…")
        self.alternatives.setText(self.tr("Alternati&ves for Selection…") if of_selection else word)

    def _add(
        self,
        name: str,
        text: str,
        *keys: str | QKeySequence.StandardKey,
        tip: str = "",
        checked: bool | None = None,
        role: QAction.MenuRole | None = None,
    ) -> QAction:
        action = new_action(self, text, *keys, tip=tip, checked=checked, role=role)
        action.setObjectName(name)
        return action

    def _choices(self, name: str, texts: Mapping[_Choice, str]) -> dict[_Choice, QAction]:
        """Return an action for each value of a setting, of which one is checked."""
        group = QActionGroup(self)
        actions = {}
        for choice, text in texts.items():
            actions[choice] = self._add(f"{name}.{choice.name.lower()}", text, checked=False)
            group.addAction(actions[choice])
        return actions

    def _top(self, bar: QMenuBar, title: str, *rows: _Row) -> QMenu:
        menu = HintedMenu(title, bar)
        bar.addMenu(menu)
        add_to_menu(menu, *rows)
        return menu


def _menu(bar: QMenuBar, title: str, *rows: _Row) -> QMenu:
    """Return a submenu."""
    menu = QMenu(title, bar)
    add_to_menu(menu, *rows)
    return menu
