"""Undo and redo of what the writer did to a text; it outlives drafts, which only append to it.

The document's own undo is off: it would remove the model's words batch by batch, and would have to be emptied
when a draft begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtGui import QTextCursor, QTextDocument

_UTF16_BYTES = 2


@dataclass(frozen=True, slots=True)
class _Change:
    """A replacement of one text by another at a document position, as Qt counts."""

    place: int
    old: str
    new: str

    @property
    def undone(self) -> _Change:
        return _Change(self.place, self.new, self.old)

    @property
    def end(self) -> int:
        return self.place + _length(self.new)

    def joined(self, after: _Change) -> _Change | None:
        """Return both changes as one step: typing within a word, or deleting on."""
        if not after.old:
            typed_on = not self.old and after.place == self.end and "\u2029" not in after.new
            same_word = self.new[-1:].isspace() or not after.new[:1].isspace()
            return replace(self, new=self.new + after.new) if typed_on and same_word else None
        if after.new or self.new or len(after.old) > 1 or after.old == "\u2029":
            return None
        if after.place + _length(after.old) == self.place:
            return _Change(after.place, after.old + self.old, "")
        return replace(self, old=self.old + after.old) if after.place == self.place else None


@dataclass(slots=True)
class _Steps:
    """The steps of one text, oldest first; None stands for a draft, which is undone elsewhere.

    Attributes:
        text: the text after them, as UTF-16.
        is_shown: whether it is known: it was shown before.
    """

    text: bytes = b""
    is_shown: bool = False
    done: list[_Change | None] = field(default_factory=list)
    undone: list[_Change | None] = field(default_factory=list)

    def show(self, text: bytes) -> None:
        """Keep the steps that still apply to a text that was shown again."""
        before, self.text = self.text, text
        is_first, self.is_shown = not self.is_shown, True
        if is_first or text == before:
            return
        if before.startswith(text):
            self._draft_removed()
        elif text.startswith(before):
            self._draft_added()
        shared = _shared_units(before, text)
        if any(change is not None and change.end > shared for change in self.done):
            self.done.clear()
            self.undone.clear()

    def _draft_removed(self) -> None:
        if None in self.done:
            place = len(self.done) - 1 - self.done[::-1].index(None)
            del self.done[place:]  # what was done to the draft went with it
            self.undone = [None]

    def _draft_added(self) -> None:
        if self.undone and self.undone[-1] is None:
            self.undone.pop()
        self.done.append(None)


class TypingHistory:
    """Records the writer's changes as steps, and undoes and redoes them; every text has its own."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._key: int | None = None
        self._steps = _Steps()
        self._kept: dict[int, _Steps] = {}
        self._in_hand = False

    # ------------------------------------------------------------ which text
    def switch_to(self, key: int | None) -> None:
        """Use the steps of another text, which is shown next; None: of a text without a name."""
        if key == self._key:
            return
        if self._key is not None:
            self._kept[self._key] = self._steps
        self._key = key
        self._steps = _Steps() if key is None else self._kept.pop(key, _Steps())

    def forget(self) -> None:
        """Forget all texts: another project is open."""
        self._kept.clear()
        self._key, self._steps = None, _Steps()

    def shown(self) -> None:
        """Note that the document shows the text."""
        if self._key is None:
            self._steps = _Steps(self._text(), is_shown=True)
        else:
            self._steps.show(self._text())

    # ------------------------------------------------------------ recording
    def changed(self, place: int, removed: int, added: int) -> None:
        """Record a change by the writer, as reported by the document."""
        steps, now = self._steps, self._text()
        change = _Change(place, _slice(steps.text, place, removed), _slice(now, place, added))
        steps.text = now
        if self._in_hand or change.old == change.new:
            return
        steps.undone.clear()
        last = steps.done[-1] if steps.done else None
        joined = None if last is None else last.joined(change)
        if joined is None:
            steps.done.append(change)
        else:
            steps.done[-1] = joined

    def grown(self) -> None:
        """Follow a change that is not the writer's."""
        self._steps.text = self._text()

    def begin_draft(self) -> None:
        """Start a draft: a step of its own, and what comes after it is undone first."""
        self._steps.done.append(None)
        self._steps.undone.clear()

    def end_draft(self, *, grew: bool) -> None:
        """End the draft; one that wrote nothing is no step."""
        if not grew and self._steps.done and self._steps.done[-1] is None:
            self._steps.done.pop()

    # ------------------------------------------------------------ undoing
    @property
    def draft_is_last(self) -> bool:
        """Return whether a draft is to be undone before the writer's next change."""
        return bool(self._steps.done) and self._steps.done[-1] is None

    @property
    def draft_is_next(self) -> bool:
        """Return whether an undone draft comes back before the writer's next change."""
        return bool(self._steps.undone) and self._steps.undone[-1] is None

    def can_undo(self, *, beyond_drafts: bool) -> bool:
        """Return whether there is a change to undo; beyond_drafts: from before a draft that stays."""
        return _has_change(self._steps.done, beyond_drafts)

    def can_redo(self, *, beyond_drafts: bool) -> bool:
        """Return whether there is a change to redo."""
        return _has_change(self._steps.undone, beyond_drafts)

    def undo(self) -> QTextCursor | None:
        """Undo the last change and return its position, or None if there is none."""
        return self._move(self._steps.done, self._steps.undone)

    def redo(self) -> QTextCursor | None:
        """Redo the last undone change and return its position, or None if there is none."""
        return self._move(self._steps.undone, self._steps.done)

    def _move(self, source: list[_Change | None], target: list[_Change | None]) -> QTextCursor | None:
        while source and source[-1] is None:
            target.append(source.pop())
        change = source.pop() if source else None
        if change is None:
            return None
        # undoing swaps old and new; redoing a change that was undone swaps them again
        change = change.undone
        if _slice(self._steps.text, change.place, _length(change.old)) != change.old:
            source.clear()  # another text than the one in which it was made
            return None
        cursor = QTextCursor(self._document)
        cursor.setPosition(change.place)
        cursor.setPosition(change.place + _length(change.old), QTextCursor.MoveMode.KeepAnchor)
        self._in_hand = True
        try:
            _insert(cursor, change.new)
        finally:
            self._in_hand = False
        target.append(change)
        return cursor

    def _text(self) -> bytes:
        return self._document.toRawText().encode("utf-16-le", "surrogatepass")


def _has_change(steps: Sequence[_Change | None], beyond_drafts: bool) -> bool:
    if not beyond_drafts:
        return bool(steps) and steps[-1] is not None
    return any(step is not None for step in steps)


def _shared_units(one: bytes, other: bytes) -> int:
    """Return how many UTF-16 units two texts have in common at their start."""
    low, high = 0, min(len(one), len(other)) // _UTF16_BYTES
    while low < high:
        middle = (low + high + 1) // 2
        if one[: _UTF16_BYTES * middle] == other[: _UTF16_BYTES * middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _insert(cursor: QTextCursor, text: str) -> None:
    """Insert a text unchanged; Qt would drop a byte order mark at its start."""
    place = cursor.selectionStart()
    cursor.beginEditBlock()
    cursor.insertText(f".{text}")
    end = cursor.position()
    cursor.setPosition(place)
    cursor.setPosition(place + 1, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    cursor.endEditBlock()
    cursor.setPosition(end - 1)


def _slice(text: bytes, place: int, length: int) -> str:
    start = _UTF16_BYTES * place
    return text[start : start + _UTF16_BYTES * length].decode("utf-16-le", "surrogatepass")


def _length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // _UTF16_BYTES
