"""The names that shortcuts are stored under, with the usual keys and the text of each action.

A name or a key that changes here is lost to a writer who has chosen keys of their own. A text may change
with the
wording of the window.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from quire.preferences.shortcuts import keys_of
from quire.shell.actions import Actions

_CHECKABLE = {
    "manuscript.exported", "manuscript.statuses.none", "manuscript.statuses.outline",
    "manuscript.statuses.draft", "manuscript.statuses.revised", "manuscript.statuses.done",
    "reading.focus", "reading.reading_view", "reading.outline", "reading.cards", "reading.beside",
    "spelling.on",
    "steering.panel", "text.typewriter", "window.full_screen", "window.themes.system",
    "window.themes.light", "window.themes.dark", "window.themes.sepia", "window.themes.high_contrast",
    "window.text_sizes.system", "window.text_sizes.smaller", "window.text_sizes.normal",
    "window.text_sizes.larger", "window.text_sizes.largest",
    "window.side_panel", "window.charts",
}  # fmt: skip
_STORED: tuple[tuple[str, ...], ...] = (
    ("comment.comment", "Co&mment", "Ctrl+Shift+C"),
    ("comment.following", "&Next Comment", "Ctrl+Shift+PgDown"),
    ("comment.previous", "&Previous Comment", "Ctrl+Shift+PgUp"),
    ("comment.show_list", "&All Comments"),
    ("help.manual", "&Manual", "F1"),
    ("help.sample", "Sample &Project"),
    ("help.report", "&Report a Problem…"),
    ("help.welcome", "&Welcome Page"),
    ("help.close_project", "&Close Project"),
    ("window.save_copy", "Save a Cop&y…"),
    ("window.restore_backup", "Re&store from Backup…"),
    ("lastdraft.take_back", "Und&o Draft", "Ctrl+Alt+Z"),
    ("lastdraft.bring_back", "Redo Dr&aft", "Ctrl+Alt+Shift+Z"),
    ("manuscript.new.chapter", "New Chapter", "Ctrl+N"),
    ("manuscript.new.scene", "New Scene"),
    ("manuscript.new.part", "New Part"),
    ("manuscript.new.note", "New Note"),
    ("manuscript.new.character", "New Character"),
    ("manuscript.new.place", "New Place"),
    ("manuscript.split", "&Split Here", "Ctrl+K"),
    ("manuscript.merge", "&Merge with Previous Text"),
    ("manuscript.cut_long", "Divide &Long Text"),
    ("manuscript.move_up", "Move &Up", "Ctrl+Up"),
    ("manuscript.move_down", "Move &Down", "Ctrl+Down"),
    ("manuscript.rename", "&Rename", "F2"),
    ("manuscript.open_beside", "Open as &Second Text"),
    ("manuscript.trash", "Move to Tras&h", "Del"),
    ("manuscript.exported", "Include in E&xport"),
    ("manuscript.restore", "&Restore"),
    ("manuscript.delete", "Delete &Permanently…"),
    ("manuscript.empty", "&Empty Trash…"),
    ("manuscript.statuses.none", "No status"),
    ("manuscript.statuses.outline", "Outline"),
    ("manuscript.statuses.draft", "Draft"),
    ("manuscript.statuses.revised", "Revised"),
    ("manuscript.statuses.done", "Done"),
    ("models.models", "&Models…"),
    ("models.prepare", "Speed &Up This Model…"),
    ("overlay.next_overlay", "&Next Highlight", "F7"),
    ("overlay.echo_list", "&Echo List…"),
    ("overlay.phrases", "&Frequent Phrases…"),
    ("overlay.go_to_twin", "Go to &Matching Repeat"),
    ("overlay.alternatives", "Alternati&ves for Selection…"),
    ("rewriting.rewrite", "Re&write Selection…", "Ctrl+R"),
    ("preference.preferences", "&Preferences…", "Ctrl+,"),
    ("reading.focus", "Foc&us Mode", "F8"),
    ("reading.reading_view", "&Reading View", "Ctrl+Shift+R"),
    ("reading.outline", "Out&line", "Ctrl+Shift+L"),
    ("reading.cards", "Inde&x Cards", "Ctrl+Shift+K"),
    ("reading.beside", "Seco&nd Text", "Ctrl+Shift+B"),
    ("reading.go_to_beside", "&Go to Second Text", "Ctrl+Shift+E"),
    ("reading.print_book", "&Print…", "Ctrl+P"),
    ("run.before_start", "Be&fore You Start…"),
    ("run.acceleration", "&Acceleration…"),
    ("run.self_check", "Acceleration Self-&Check…"),
    ("spelling.on", "&Check Spelling"),
    ("spelling.next_doubt", "&Next Misspelling", "F4"),
    ("spelling.word_list", "Personal &Dictionary…"),
    ("spelling.add_dictionary", "&Add Dictionary…"),
    ("steering.memory", "&Memory", "Ctrl+Alt+M"),
    ("steering.direction", "Author's &Note", "Ctrl+Alt+D"),
    ("steering.lorebook", "&Lorebook", "Ctrl+Alt+L"),
    ("steering.opening", "&Opening and Style Sample"),
    ("steering.beats", "&Beats of This Chapter", "Ctrl+Alt+B"),
    ("steering.add_lore", "Add to Loreboo&k…"),
    ("steering.avoided", "Words to &Avoid"),
    ("steering.presets", "&Presets…"),
    ("steering.view", "Prompt Pre&view…", "Ctrl+Shift+M"),
    ("steering.panel", "Right &Panel", "Ctrl+2"),
    ("steering.queue", "Draft &Queue…"),
    ("text.styles.italic", "&Italic", "Ctrl+I"),
    ("text.styles.bold", "&Bold", "Ctrl+B"),
    ("text.levels.0", "&Paragraph", "Ctrl+Alt+0"),
    ("text.levels.1", "Heading &1", "Ctrl+Alt+1"),
    ("text.levels.2", "Heading &2", "Ctrl+Alt+2"),
    ("text.levels.3", "Heading &3", "Ctrl+Alt+3"),
    ("text.scene_break", "Insert &Scene Break", "Ctrl+Alt+Return"),
    ("text.typewriter", "T&ypewriter", "F9"),
    ("window.new", "&New Project…", "Ctrl+Shift+N"),
    ("window.open", "&Open…", "Ctrl+Shift+O"),
    ("window.import_text", "&Import…", "Ctrl+Shift+I"),
    ("window.export", "E&xport Manuscript…", "F5"),
    ("window.back_up", "&Back Up Now"),
    ("window.export_runs", "Export Run &Data…"),
    ("window.quit", "&Quit", "Ctrl+Q"),
    ("window.undo", "&Undo", "Ctrl+Z"),
    ("window.redo", "&Redo", "Ctrl+Shift+Z", "Ctrl+Y"),
    ("window.cut", "Cu&t", "Ctrl+X"),
    ("window.copy", "&Copy", "Ctrl+C"),
    ("window.paste", "&Paste", "Ctrl+V"),
    ("window.paste_plain", "Paste as Plai&n Text", "Ctrl+Shift+V"),
    ("window.find", "&Find…", "Ctrl+F"),
    ("window.replace", "Rep&lace…", "Ctrl+H"),
    ("window.find_in_book", "Find in &Book…", "Ctrl+Shift+F"),
    ("window.select_all", "Select &All", "Ctrl+A"),
    ("window.zoom_in", "Zoom &In", "Ctrl++", "Ctrl+="),
    ("window.zoom_out", "Zoom &Out", "Ctrl+-"),
    ("window.zoom_reset", "Reset &Zoom", "Ctrl+0"),
    ("window.go_to_manuscript", "Go to &Manuscript", "Ctrl+E"),
    ("window.go_to_tree", "Go to Tr&ee", "Ctrl+T"),
    ("window.go_to_draft_bar", "Go to &Draft Bar", "Ctrl+D"),
    ("window.full_screen", "&Full Screen", "F11"),
    ("window.text_sizes.system", "Same as S&ystem"),
    ("window.text_sizes.smaller", "&Smaller"),
    ("window.text_sizes.normal", "&Normal"),
    ("window.text_sizes.larger", "&Larger"),
    ("window.text_sizes.largest", "Lar&gest"),
    ("window.themes.system", "Same as S&ystem"),
    ("window.themes.light", "&Light"),
    ("window.themes.dark", "&Dark"),
    ("window.themes.sepia", "&Sepia"),
    ("window.themes.high_contrast", "&High Contrast"),
    ("window.side_panel", "&Side Panel", "Ctrl+1"),
    ("window.charts", "&Charts", "Ctrl+3"),
    ("window.snapshot", "&Take Snapshot", "Ctrl+Alt+S"),
    ("window.go_on", "&Continue", "Ctrl+Return", "Ctrl+Enter"),
    ("window.pause", "&Pause", "Esc"),
    ("window.retry", "&Retry", "Alt+R"),
    ("window.redraft", "Re&draft From Here", "Ctrl+Shift+Return", "Ctrl+Shift+Enter"),
    ("window.previous_take", "Pre&vious Take", "Alt+PgUp"),
    ("window.next_take", "&Next Take", "Alt+PgDown"),
    ("window.free_memory", "Pause and &Unload Model", "Shift+Esc"),
    ("window.fast_resume", "Save Fast Resume F&ile"),
    ("window.choose_model", "Choose &Model…"),
    ("window.built_in_model", "Use the &Built-in Model"),
    ("window.statistics", "Writing &Statistics…", "F6"),
    ("window.shortcuts", "&Shortcuts"),
    ("window.about", "&About Quire"),
)
"""Name, text, usual keys."""


@pytest.fixture
def owner(qapp: object) -> Iterator[QObject]:
    """What holds the table, as the window does."""
    owner = QObject()
    Actions(owner)
    yield owner
    owner.deleteLater()


def _named(owner: QObject) -> list[QAction]:
    return [action for action in owner.findChildren(QAction) if action.objectName()]


def test_every_action_has_its_stored_name_its_usual_keys_and_its_text(owner: QObject) -> None:
    found = [(action.objectName(), action.text(), *keys_of(action)) for action in _named(owner)]
    assert sorted(found) == sorted(_STORED)


def test_what_can_be_switched_on_and_off(owner: QObject) -> None:
    assert {action.objectName() for action in _named(owner) if action.isCheckable()} == _CHECKABLE
