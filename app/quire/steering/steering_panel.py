"""What the writer gives the model besides the story, in the right panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QCheckBox, QComboBox, QFrame, QMenu, QScrollArea, QVBoxLayout, QWidget

from quire.domain.drafting.context_usage import ContextUsage
from quire.domain.drafting.prompt_composition import PartOrigin
from quire.domain.drafting.steering import Beat, LoreEntry, Steering, lines_of
from quire.steering.context_usage_bar import SpaceBar
from quire.steering.lorebook_list import LoreList
from quire.steering.prompt_source_style import words_text
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.calm_fields import CalmCombo
from quire.ui.form_parts import GrowingEdit, Section, caption, small_button
from quire.ui.translated import translated
from quire_engine.api.config import MAX_BANNED, MAX_BANNED_CHARS
from quire_engine.metrics.word_count import count_words

_ROOMY_PX = 560
_MARGIN_PX = 8
_DEEPEST = 10
_DONE = "\u2713 "
"""Marks a beat that was used by a run."""


@dataclass(frozen=True, slots=True)
class NoteName:
    """A note of the project that can be added to the lorebook."""

    node_id: int
    title: str


class SteerPanel(QFrame):
    """Memory, author's note, lorebook, opening, beats, words to avoid, and their context usage.

    Signals carry the new text, or nothing, except these.

    Signals:
        entry_changed: an edited entry.
        entry_asked: the number of an entry, 0 for a new one.
        note_wanted: a note for the lorebook.
    """

    memory_edited = Signal(str)
    direction_edited = Signal(str)
    depth_chosen = Signal(int)
    opening_edited = Signal(str)
    beats_edited = Signal(list)
    avoided_edited = Signal(str)
    entry_changed = Signal(LoreEntry)
    entry_asked = Signal(int)
    entry_removed = Signal(int)
    note_wanted = Signal(int)
    versions_asked = Signal()
    again_asked = Signal(str)
    view_asked = Signal()
    chat_chosen = Signal(bool)

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Steering"))
        self._last_used = ""
        self._notes: tuple[NoteName, ...] = ()
        self._make_fields(themes)
        self._make_buttons()
        self.space_bar = SpaceBar(themes, self)
        self.cost = caption(self)
        self.chat_box = QCheckBox(self.tr("Use chat format"), self)
        self.chat_box.setToolTip(
            self.tr("For chat models: sends Memory as the request and the story as the reply")
        )
        self.chat_box.hide()
        self.view_button = small_button(self.tr("Prompt Preview"), self)
        self.view_button.setToolTip(self.tr("Shows everything the model will read (Ctrl+Shift+M)"))
        self._lay_out()
        self._connect()
        self.show_steering(Steering(), (), may_edit=False)
        self.show_chapter("", (), may_edit=False)
        for section in (self.opening, self.beats, self.avoided):
            section.head.setChecked(False)

    @property
    def title(self) -> str:
        """Return the title of its tab."""
        return self.tr("Steer")

    @property
    def avoided_phrases(self) -> tuple[str, ...]:
        """Return the words and phrases to avoid."""
        return tuple(lines_of(self.avoided_edit.toPlainText()))

    # ------------------------------------------------------------ input
    def avoid(self, phrase: str) -> None:
        """Add a phrase below the words to avoid, as if the writer had typed it; what is there stays."""
        if phrase.lower() in (known.lower() for known in self.avoided_phrases):
            return
        caret = QTextCursor(self.avoided_edit.document())
        caret.movePosition(QTextCursor.MoveOperation.End)
        caret.insertText(phrase if caret.atBlockStart() else f"\n{phrase}")

    def show_steering(self, steering: Steering, notes: Sequence[NoteName], *, may_edit: bool) -> None:
        """Show what is stored; fields that already match are left alone."""
        self._notes = tuple(notes)
        self.memory_edit.show_text(steering.memory.text)
        self.direction_edit.show_text(steering.direction.text)
        self.opening_edit.show_text(steering.opening)
        self.avoided_edit.show_text(steering.avoided)
        self.chat_box.setChecked(steering.chat)
        self.chat_box.setEnabled(may_edit)
        self.lore_list.show_entries(steering.lorebook, may_edit=may_edit)
        for edit in (self.memory_edit, self.direction_edit, self.opening_edit, self.avoided_edit):
            edit.setReadOnly(not may_edit)
        for widget in (self.add_button, self.again_button, self.depth_box):
            widget.setEnabled(may_edit)
        self.versions_button.setVisible(bool(steering.memory.earlier))
        self._show_used(steering)
        self._show_sizes(steering)
        self._show_avoided(steering)

    def show_chapter(self, title: str, beats: Sequence[Beat], *, may_edit: bool) -> None:
        """Show the beats of the open chapter."""
        name = self.tr("Beats of {0}").format(title) if title else self.tr("Beats")
        self.beats_edit.setAccessibleName(name)
        self.beats.head.setToolTip(name)
        self.beats_edit.setReadOnly(not may_edit)
        if _lines(self.beats_edit.toPlainText()) != [beat.text for beat in beats]:
            self.beats_edit.show_text("\n".join(_line(beat) for beat in beats))
        num_told = sum(beat.run_id is not None for beat in beats)
        self.beats.figure.show_text(self.tr("{0} of {1} used").format(num_told, len(beats)) if beats else "")
        waiting = next((beat.text for beat in beats if beat.run_id is None), "")
        if waiting:
            said = self.tr("Next: {0}").format(waiting)
        elif beats:
            said = self.tr("All beats have been used.")
        else:
            said = self.tr("One line per event. Each new draft uses the next one.")
        self.beats_hint.setText(said)

    def show_space(self, use: ContextUsage | None) -> None:
        """Show the context usage by part."""
        self.space_bar.show_use(use)
        if use is None:
            return
        counted = {share.origin: share.words for share in use.shares}
        if PartOrigin.LOREBOOK in counted:
            told = words_text(counted[PartOrigin.LOREBOOK])
            self.lorebook.figure.show_text(self.tr("{0} in use").format(told))

    def show_cost(self, sentence: str) -> None:
        """Show what the next start will read again, and the time it takes."""
        self.cost.setText(translated(sentence))
        self.cost.setVisible(bool(sentence))

    def offer_chat(self, *, offered: bool) -> None:
        """Show or hide the chat option, which needs a chat model."""
        self.chat_box.setVisible(offered)

    def go_to(self, section: Section) -> None:
        """Expand a section and focus it."""
        section.open()
        field = {
            self.memory: self.memory_edit,
            self.direction: self.direction_edit,
            self.opening: self.opening_edit,
            self.beats: self.beats_edit,
            self.avoided: self.avoided_edit,
        }.get(section)
        target: QWidget = self.lore_list.list if field is None else field
        if field is None and not self.lore_list.list.isVisibleTo(self):
            target = self.add_button
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._reveal(section)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give text fields the space if there is little."""
        super().resizeEvent(event)
        self.space_bar.show_legend(shown=event.size().height() >= _ROOMY_PX)

    # ------------------------------------------------------------ building
    def _make_fields(self, themes: ThemeSwitch) -> None:
        self.memory = Section(self.tr("Memory"), themes, self)
        self.direction = Section(self.tr("Author's Note"), themes, self)
        self.lorebook = Section(self.tr("Lorebook"), themes, self)
        self.opening = Section(self.tr("Opening"), themes, self)
        self.beats = Section(self.tr("Beats"), themes, self)
        self.memory_edit = GrowingEdit(
            self.tr("Memory"),
            self.tr("What the model must not forget: who, where, when and what has happened"),
            (4, 11),
            self.memory,
        )
        self.direction_edit = GrowingEdit(
            self.tr("Author's note"),
            self.tr("What the model keeps in mind while it writes, until you change it"),
            (2, 6),
            self.direction,
        )
        self.depth_box = CalmCombo(self.direction)
        self.depth_box.setAccessibleName(self.tr("Where the note stands in the text"))
        self.depth_box.setToolTip(self.tr("The nearer to the end, the more the note weighs"))
        self.depth_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.depth_box.setMinimumContentsLength(8)
        self.depth_box.addItem(self.tr("A few paragraphs from the end"))
        self.depth_box.addItem(self.tr("1 paragraph from the end"))
        for depth in range(2, _DEEPEST + 1):
            self.depth_box.addItem(self.tr("{0} paragraphs from the end").format(depth))
        self.lore_list = LoreList(self.lorebook)
        self.opening_edit = GrowingEdit(
            self.tr("Opening or style sample"),
            self.tr("A style sample in the book's voice; the model reads it before the story"),
            (3, 9),
            self.opening,
        )
        self.beats_edit = GrowingEdit(
            self.tr("Beats"), self.tr("Mara misses the last ferry\nShe finds the letter"), (3, 9), self.beats
        )
        self.avoided = Section(self.tr("Words to avoid"), themes, self)
        self.avoided_edit = GrowingEdit(
            self.tr("Words and phrases to avoid, one per line"),
            self.tr("a testament to\ncouldn't help but"),
            (3, 9),
            self.avoided,
        )
        self.avoided_hint = caption(self.avoided)
        self.used_hint = caption(self.direction)
        self.beats_hint = caption(self.beats)

    def _make_buttons(self) -> None:
        self.versions_button = small_button(self.tr("Earlier versions"), self.memory)
        self.again_button = small_button(self.tr("Use Again"), self.direction)
        self.add_button = small_button(self.tr("+ New Card"), self.lorebook)
        self.add_button.setAccessibleName(self.tr("Add to the Lorebook"))
        self.add_button.setToolTip(self.tr("Add a new card, or one that is in the tree"))

    def _lay_out(self) -> None:
        self.memory.column.addWidget(self.memory_edit)
        self.memory.column.addWidget(self.versions_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.direction.column.addWidget(self.direction_edit)
        self.direction.column.addWidget(self.depth_box)
        self.direction.column.addWidget(self.used_hint)
        self.direction.column.addWidget(self.again_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.lorebook.column.addWidget(self.lore_list)
        self.lorebook.add_button(self.add_button)
        self.opening.column.addWidget(self.opening_edit)
        self.beats.column.addWidget(self.beats_edit)
        self.beats.column.addWidget(self.beats_hint)
        self.avoided.column.addWidget(self.avoided_edit)
        self.avoided.column.addWidget(self.avoided_hint)
        inner = self._inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 6, 0)
        column.setSpacing(8)
        told = (self.memory, self.direction, self.lorebook, self.opening, self.beats)
        for section in (*told, self.avoided):
            column.addWidget(section)
        column.addStretch(1)
        self._scroll = QScrollArea(self)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setStyleSheet(
            "QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; }"
        )
        self._scroll.setWidget(inner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self._scroll, 1)
        layout.addWidget(self.space_bar)
        layout.addWidget(self.cost)
        layout.addWidget(self.chat_box)
        layout.addWidget(self.view_button, 0, Qt.AlignmentFlag.AlignLeft)

    def _connect(self) -> None:
        for section in self.findChildren(Section):
            section.folded.connect(self._reveal_unfolded)
        for edit in self.findChildren(GrowingEdit):
            edit.cursorPositionChanged.connect(self._reveal_caret)
        self.memory_edit.edited.connect(self.memory_edited)
        self.direction_edit.edited.connect(self.direction_edited)
        self.depth_box.activated.connect(self.depth_chosen)
        self.opening_edit.edited.connect(self.opening_edited)
        self.beats_edit.edited.connect(self._edit_beats)
        self.avoided_edit.edited.connect(self.avoided_edited)
        self.lore_list.changed.connect(self.entry_changed)
        self.lore_list.edit_asked.connect(self.entry_asked)
        self.lore_list.removed.connect(self.entry_removed)
        self.versions_button.clicked.connect(self.versions_asked)
        self.again_button.clicked.connect(self._use_again)
        self.add_button.clicked.connect(self._offer_entries)
        self.view_button.clicked.connect(self.view_asked)
        self.chat_box.clicked.connect(self.chat_chosen)

    # ------------------------------------------------------------ inside
    @Slot()
    def _reveal_unfolded(self) -> None:
        section = self.sender()
        if isinstance(section, Section) and section.body.isVisibleTo(self):
            self._reveal(section)

    @Slot()
    def _reveal_caret(self) -> None:
        edit = self.sender()
        if isinstance(edit, GrowingEdit) and edit.hasFocus():
            self._reveal(edit)

    def _reveal(self, widget: QWidget) -> None:
        """Scroll to a section, or to the line of the caret in a field, once it has its new size."""
        QTimer.singleShot(0, widget, lambda: self._scroll_to(widget))

    def _scroll_to(self, widget: QWidget) -> None:
        inner = self._inner
        for part in (widget, inner):  # what has grown is laid out after the timer
            if (layout := part.layout()) is not None:
                layout.activate()
        place = QRect(widget.mapTo(inner, QPoint(0, 0)), widget.size())
        if isinstance(widget, GrowingEdit):
            place = QRect(
                widget.viewport().mapTo(inner, widget.cursorRect().topLeft()), widget.cursorRect().size()
            )
        room = self._scroll.viewport().height()
        # of what is higher than the panel, the top
        end = min(place.bottom(), place.top() + room - 2 * _MARGIN_PX)
        self._scroll.ensureVisible(0, end, 0, _MARGIN_PX)
        self._scroll.ensureVisible(0, place.top(), 0, _MARGIN_PX)

    def _show_used(self, steering: Steering) -> None:
        note = steering.direction
        self._last_used = note.used[0].text if note.used and not note.is_set else ""
        self.used_hint.setText(self.tr("Last used: {0}").format(self._last_used))
        for widget in (self.used_hint, self.again_button):
            widget.setVisible(bool(self._last_used))
        self.depth_box.setCurrentIndex(min(note.depth, _DEEPEST))

    def _show_sizes(self, steering: Steering) -> None:
        for section, text in (
            (self.memory, steering.memory.text),
            (self.direction, steering.direction.text),
            (self.opening, steering.opening),
        ):
            size = count_words(text)
            section.figure.show_text(words_text(size) if size else "")
        number = len(steering.lorebook)
        entries = self.tr("1 entry") if number == 1 else self.tr("{0} entries").format(number)
        self.lorebook.figure.show_text(entries if number else "")

    def _show_avoided(self, steering: Steering) -> None:
        """Show how many phrases are in effect, what happens to them, and which are too long or too many."""
        number, typed = len(steering.banned), len(lines_of(steering.avoided))
        self.avoided.figure.show_text(str(number) if number else "")
        said = self.tr(
            "The model avoids these from the next draft. Other spellings can still occur, and longer words"
            " that start the same way may be avoided too."
        )
        if typed > number:
            left_out = self.tr("Ignored lines: {0}. The limit is {1} lines of {2} characters each.")
            said = f"{left_out.format(typed - number, MAX_BANNED, MAX_BANNED_CHARS)} {said}"
        self.avoided_hint.setText(said)

    @Slot(str)
    def _edit_beats(self, text: str) -> None:
        self.beats_edited.emit(_lines(text))

    @Slot()
    def _use_again(self) -> None:
        if self._last_used:
            self.again_asked.emit(self._last_used)

    @Slot()
    def _offer_entries(self) -> None:
        """Create a new entry, or let the writer choose a note of the project instead."""
        if not self._notes:
            self.entry_asked.emit(0)
            return
        menu = self.entry_menu()
        menu.popup(self.add_button.mapToGlobal(self.add_button.rect().bottomLeft()))

    def entry_menu(self) -> QMenu:
        """Return the menu of what can be added to the lorebook."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("New Card…")).triggered.connect(self._ask_for_new)
        menu.addSection(self.tr("From Your Cards"))
        for note in self._notes:
            action = menu.addAction((note.title or self.tr("Untitled")).replace("&", "&&"))
            action.setData(note.node_id)
            action.triggered.connect(self._choose_note)
        return menu

    @Slot()
    def _ask_for_new(self) -> None:
        self.entry_asked.emit(0)

    @Slot()
    def _choose_note(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.note_wanted.emit(int(action.data()))


def _line(beat: Beat) -> str:
    return beat.text if beat.run_id is None else f"{_DONE}{beat.text}"


def _lines(text: str) -> list[str]:
    """Return the beats in the field, without the marks of used ones."""
    lines = (line.strip().removeprefix(_DONE.strip()).strip() for line in text.split("\n"))
    return [line for line in lines if line]
