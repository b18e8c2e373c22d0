"""Comments of texts, one setting of the project for each text that has some."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime

from quire.domain.manuscript.comments import (
    Comment,
    after_change,
    believable,
    found_in_change,
    parted,
    shifted,
)
from quire.storage.record_repository import RecordRepository

_PREFIX = "comments of "
_NAME = re.compile(f"{_PREFIX}([0-9]{{1,18}})")
_LEAST_MOVED = 8
"""Characters that must come into a text at once to be searched for words that were cut elsewhere."""


class CommentRepository:
    """The comments of all texts in one open transaction; they follow every change of their text."""

    def __init__(self, records: RecordRepository) -> None:
        self._records = records

    def of(self, document_id: int) -> tuple[Comment, ...]:
        """Return the comments of a text, in the order of their words; none of a damaged record."""
        return _sorted(one for one in map(_read, self._entries(document_id)) if one is not None)

    def all(self) -> dict[int, tuple[Comment, ...]]:
        """Return the comments of every text that has some."""
        names = map(_NAME.fullmatch, self._records.setting_names(_PREFIX))
        found = {int(name[1]): self.of(int(name[1])) for name in names if name is not None}
        return {document_id: comments for document_id, comments in found.items() if comments}

    def save(self, document_id: int, comments: Iterable[Comment]) -> None:
        """Replace the comments of a text; what a later version of Quire has stored with them stays."""
        foreign = [entry for entry in self._entries(document_id) if _read(entry) is None]
        stored = [_written(comment) for comment in _sorted(comments)]
        self._records.save_setting(f"{_PREFIX}{document_id}", [*stored, *foreign] or None)

    def remove(self, document_id: int) -> None:
        """Remove the comments of a text that is deleted for good."""
        self._records.save_setting(f"{_PREFIX}{document_id}", None)

    def follow(self, document_id: int, before: str, after: str) -> None:
        """Keep comments at their words after a text was changed."""
        now = self.of(document_id)
        changed = after_change(now, before, after)
        if len(after) >= len(before) + _LEAST_MOVED:
            changed += self._moved_here(document_id, before, after)
        if changed != now:
            self.save(document_id, changed)

    def part(self, document_id: int, place: int, new_id: int) -> None:
        """Give the comments from a place on to the text that is split off there."""
        earlier, later = parted(self.of(document_id), place)
        if later:
            self.save(document_id, earlier)
            self.save(new_id, later)

    def join(self, document_id: int, into_id: int, offset: int) -> None:
        """Give the comments of a text to the one that it was appended to."""
        if joined := self.of(document_id):
            self.save(into_id, [*self.of(into_id), *(shifted(comment, offset) for comment in joined)])
            self.save(document_id, ())

    def _moved_here(self, document_id: int, before: str, after: str) -> tuple[Comment, ...]:
        """Take over the comments whose words were cut from another text and pasted into this one."""
        others = {number: comments for number, comments in self.all().items() if number != document_id}
        lost = [one for comments in others.values() for one in comments if one.is_lost]
        found = found_in_change(lost, before, after) if lost else {}
        for other_id, comments in others.items():
            left = [one for one in comments if one not in found]
            if len(left) < len(comments):
                self.save(other_id, left)
        return tuple(found.values())

    def _entries(self, document_id: int) -> list[object]:
        found = self._records.setting(f"{_PREFIX}{document_id}")
        return found if isinstance(found, list) else []


def _sorted(comments: Iterable[Comment]) -> tuple[Comment, ...]:
    return tuple(sorted(comments, key=lambda one: (one.start, one.end, one.comment_id)))


def _written(comment: Comment) -> dict[str, object]:
    return {**asdict(comment), "created": comment.created.isoformat()}


def _read(entry: object) -> Comment | None:
    """Return a stored comment; None for one that this version cannot read."""
    if not isinstance(entry, dict) or entry.keys() != Comment.__dataclass_fields__.keys():
        return None
    numbers = [entry[name] for name in ("comment_id", "start", "end")]
    words = [entry[name] for name in ("words", "text", "author", "created", "before", "behind")]
    if not all(type(one) is int for one in numbers) or not all(isinstance(one, str) for one in words):
        return None
    try:
        created = believable(datetime.fromisoformat(entry["created"]).astimezone(UTC))
        return Comment(**{**entry, "created": created, "resolved": entry["resolved"] is True})
    except (ValueError, OverflowError):
        return None
