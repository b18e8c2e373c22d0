"""Undo and redo of what the writer did to a text; it outlives drafts, which only append to it.

The document's own undo is off: it would remove the model's words batch by batch, and would have to be emptied
when a draft begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtGui import QTextCursor, QTextDocument

_UTF16_BYTES = 2
_CONTEXT = 16
"""Characters before a change that must be there again where it is undone or redone, as Qt counts."""


@dataclass(frozen=True, slots=True)
class _Change:
    """A replacement of one text by another at a document position, as Qt counts.

    context: the characters before it, by which its place is known again.
    """

    place: int
    old: str
    new: str
    context: str

    @property
    def undone(self) -> _Change:
        return replace(self, old=self.new, new=self.old)

    @property
    def end(self) -> int:
        return self.place + _length(self.new)

    @property
    def growth(self) -> int:
        return _length(self.new) - _length(self.old)

    def joined(self, after: _Change) -> _Change | None:
        """Return both changes as one step: typing within a word, or deleting on."""
        if not after.old:
            typed_on = not self.old and after.place == self.end and "\u2029" not in after.new
            same_word = self.new[-1:].isspace() or not after.new[:1].isspace()
            return replace(self, new=self.new + after.new) if typed_on and same_word else None
        if after.new or self.new or len(after.old) > 1 or after.old == "\u2029":
            return None
        if after.place + _length(after.old) == self.place:
            return replace(after, old=after.old + self.old)
        return replace(self, old=self.old + after.old) if after.place == self.place else None

    def fits(self, text: bytes) -> bool:
        """Return whether its old words stand at its place in a text."""
        if _UTF16_BYTES * self.place > len(text):
            return False
        before = max(0, self.place - _length(self.context))
        found = _slice(text, before, self.place - before)
        return found == self.context and _slice(text, self.place, _length(self.old)) == self.old


@dataclass(slots=True)
class _Draft:
    """A draft as a step, which is undone elsewhere.

    changes: while it is undone, those by the writer that went with it, and come back with it.
    take_id: the take that it is while it is undone, where that is known.
    """

    changes: list[_Change] = field(default_factory=list)
    take_id: int | None = None


@dataclass(slots=True)
class _Steps:
    """The steps of one text, oldest first.

    Attributes:
        text: the text after them, as UTF-16.
        is_shown: whether it is known: it was shown before.
        returns: it is shown next with a draft that was undone, all of which may be in later chapters.
    """

    text: bytes = b""
    is_shown: bool = False
    returns: bool = False
    done: list[_Change | _Draft] = field(default_factory=list)
    undone: list[_Change | _Draft] = field(default_factory=list)

    def show(self, text: bytes) -> None:
        """Keep the steps that still apply to a text that was shown again."""
        before, self.text = self.text, text
        is_first, self.is_shown = not self.is_shown, True
        returns, self.returns = self.returns, False
        if is_first or (text == before and not returns):
            return
        if before.startswith(text) and not returns:
            self._draft_removed(len(text) // _UTF16_BYTES)
            return
        if text.startswith(before):
            self._draft_added()
            return
        self.undone.clear()  # made in a text that is gone
        shared = _shared_units(before, text)
        if any(isinstance(step, _Change) and step.end > shared for step in self.done):
            self.done.clear()

    def draft_undone(self, take_id: int) -> None:
        """Name the draft that is not in the text any more, even if none of it was in this one."""
        if not self.undone or not isinstance(last := self.undone[-1], _Draft) or last.take_id is not None:
            self._draft_removed(len(self.text) // _UTF16_BYTES)
        if isinstance(draft := self.undone[-1], _Draft):
            draft.take_id = take_id

    def _draft_removed(self, kept: int) -> None:
        """Move the last draft to the undone steps, and with it what was changed in it.

        A draft that is older than the steps, as after a start, stands before all that was done to it.

        Args:
            kept: length of the text without it.
        """
        at = max((n for n, step in enumerate(self.done) if isinstance(step, _Draft)), default=-1)
        before, later = self.done[: max(at, 0)], self.done[at + 1 :]
        draft, own = _Draft(), list[_Change]()
        for step in later:
            assert isinstance(step, _Change)
            if step.place + max(_length(step.old), _length(step.new)) <= kept:
                own.append(step)
                # it now comes first, so what is after it in the text moved
                draft.changes = [replace(one, place=one.place + step.growth) for one in draft.changes]
            else:
                draft.changes.append(step)
        self.done = [*before, *own]
        self.undone.append(draft)

    def _draft_added(self) -> None:
        if self.undone and isinstance(again := self.undone[-1], _Draft):
            self.undone.pop()
            self.done += [_Draft(), *again.changes]
        else:
            self.done.append(_Draft())
            self.undone.clear()


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
        near = min(place, _CONTEXT)
        context = _slice(now, place - near, near)
        change = _Change(place, _slice(steps.text, place, removed), _slice(now, place, added), context)
        steps.text = now
        if self._in_hand or change.old == change.new:
            return
        steps.undone.clear()
        last = steps.done[-1] if steps.done else None
        joined = last.joined(change) if isinstance(last, _Change) else None
        if joined is None:
            steps.done.append(change)
        else:
            steps.done[-1] = joined

    def grown(self) -> None:
        """Follow a change that is not the writer's."""
        self._steps.text = self._text()

    def left_at(self, place: int) -> None:
        """Note that the text ends at a place, as Qt counts: what follows belongs to another text now."""
        self._steps.text = self._steps.text[: _UTF16_BYTES * place]

    def begin_draft(self) -> None:
        """Start a draft: a step of its own, and what comes after it is undone first."""
        self._steps.done.append(_Draft())
        self._steps.undone.clear()

    def end_draft(self, *, grew: bool) -> None:
        """End the draft; one that wrote nothing is no step."""
        if not grew and self.draft_is_last:
            self._steps.done.pop()

    def draft_undone(self, take_id: int) -> None:
        """Note that a draft was undone that begins in the text, if only with a later chapter."""
        self._steps.draft_undone(take_id)

    def draft_redone(self) -> None:
        """Note that the draft comes back that was undone last; the text is shown with it later."""
        self._steps.returns = True

    # ------------------------------------------------------------ undoing
    @property
    def undone_draft(self) -> int | None:
        """Return the take that comes back before the writer's next change; None where none does."""
        last = self._steps.undone[-1] if self._steps.undone else None
        return last.take_id if isinstance(last, _Draft) else None

    @property
    def draft_is_last(self) -> bool:
        """Return whether a draft is to be undone before the writer's next change."""
        return bool(self._steps.done) and isinstance(self._steps.done[-1], _Draft)

    @property
    def draft_is_next(self) -> bool:
        """Return whether an undone draft comes back before the writer's next change."""
        return bool(self._steps.undone) and isinstance(self._steps.undone[-1], _Draft)

    def can_undo(self, *, beyond_drafts: bool) -> bool:
        """Return whether there is a change to undo; beyond_drafts: from before a draft that stays."""
        return _has_change(self._steps.done, beyond_drafts)

    @property
    def can_redo(self) -> bool:
        """Return whether a change is redone next; never past an undone draft, whose words it may need."""
        return bool(self._steps.undone) and isinstance(self._steps.undone[-1], _Change)

    def undo(self) -> QTextCursor | None:
        """Undo the last change and return its position, or None if there is none."""
        return self._move(self._steps.done, self._steps.undone)

    def redo(self) -> QTextCursor | None:
        """Redo the last undone change and return its position, or None if there is none."""
        return self._move(self._steps.undone, self._steps.done)

    def _move(self, source: list[_Change | _Draft], target: list[_Change | _Draft]) -> QTextCursor | None:
        at = max((n for n, step in enumerate(source) if isinstance(step, _Change)), default=-1)
        if at < 0:
            return None
        change = source.pop(at)  # drafts after it stay where they are
        assert isinstance(change, _Change)
        # undoing swaps old and new; redoing a change that was undone swaps them again
        change = change.undone
        if not change.fits(self._steps.text):
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


def _has_change(steps: Sequence[_Change | _Draft], beyond_drafts: bool) -> bool:
    if not beyond_drafts:
        return bool(steps) and isinstance(steps[-1], _Change)
    return any(isinstance(step, _Change) for step in steps)


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
