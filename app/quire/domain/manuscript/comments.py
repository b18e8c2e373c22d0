"""The writer's comments on words of a text, and how they keep to them while the text changes.

A comment is no part of the text: it holds the place of its words, and what they were.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property

from quire.domain.manuscript.provenance import change_between
from quire.domain.manuscript.text_diff import Difference, differences

CONTEXT_CHARS = 16
"""Characters on either side by which words that come back are known; without them, as long words are."""
_FIRST_YEAR = 1971
_MOST_SHIFTED = 1000
"""Characters; two paragraphs hardly begin with more of the same."""


@dataclass(frozen=True, slots=True)
class Comment:
    """What the writer says about words of a text.

    Attributes:
        start: where the words begin, in characters of the text.
        end: where they end; equal to `start` while they are not in the text.
        words: the words as they last were there in full.
        before: what preceded them then.
        behind: what followed them then.
        author: who says it; empty for a project without an author.
        created: in UTC.
    """

    comment_id: int
    start: int
    end: int
    words: str
    text: str
    author: str
    created: datetime
    resolved: bool = False
    before: str = ""
    behind: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end or not self.words:
            raise ValueError(f"a comment on {self.words!r} from {self.start} to {self.end}")

    @property
    def is_lost(self) -> bool:
        """Whether its words are not in the text: they were deleted, or belong to another version of it."""
        return self.start == self.end


def believable(created: datetime) -> datetime:
    """Return when a comment was made, or now for a time before computers that no system can show locally."""
    return created if created.year >= _FIRST_YEAR else datetime.now(UTC)


def unplaced(comment_id: int, text: str, author: str, created: datetime) -> Comment:
    """Return a comment that is on no words yet: see `anchored`."""
    return Comment(comment_id, 0, 1, "?", text, author, created)


def words_at(text: str, start: int, end: int) -> tuple[int, int]:
    """Return what a comment on a selection is about: without the space around it, or else its paragraph.

    Start and end are equal where there are no words.
    """
    if not text[start:end].strip():
        start = text.rfind("\n", 0, start) + 1
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
    chosen = text[start:end]
    start += len(chosen) - len(chosen.lstrip())
    return start, start + len(chosen.strip())


def anchored(comment: Comment, text: str, start: int, end: int) -> Comment:
    """Return a comment on these characters of a text."""
    return replace(
        comment,
        start=start,
        end=end,
        words=text[start:end],
        before=_before(text, start),
        behind=text[end : end + CONTEXT_CHARS],
    )


def after_change(comments: Sequence[Comment], before: str, after: str) -> tuple[Comment, ...]:
    """Return the comments of a text after it was changed.

    Words that were edited keep their comment; one whose words are deleted waits where they were, and is on
    them again when they come back: by Undo, with another take, from a snapshot.
    """
    if not comments or before == after:
        return tuple(comments)
    change = _Change(before, after)
    return tuple(_followed(comment, change) for comment in comments)


def found_in_change(comments: Iterable[Comment], before: str, after: str) -> dict[Comment, Comment]:
    """Return those comments whose words a change brought into a text from another one, and where they are."""
    change = _Change(before, after)
    found = dict[Comment, Comment]()
    for comment in comments:
        known = _known_places(comment, after, *change.reach(len(comment.words)))
        place = _nearest(change.start, known)
        if place is None:
            place = change.moved(replace(comment, end=comment.start))
        if place is not None:
            found[comment] = anchored(comment, after, place, place + len(comment.words))
    return found


def checked(comment: Comment, text: str) -> Comment:
    """Return a comment at its words, wherever an earlier version of Quire has left it."""
    there = text[comment.start : comment.end]
    if comment.end <= len(text) and (comment.is_lost or there in comment.words):
        return comment
    found = _nearest(comment.start, _places(comment.words, text, 0, len(text)))
    if found is not None:
        return anchored(comment, text, found, found + len(comment.words))
    place = min(comment.start, len(text))
    return replace(comment, start=place, end=place)


def parted(comments: Sequence[Comment], place: int) -> tuple[tuple[Comment, ...], tuple[Comment, ...]]:
    """Return the comments before a place, and those from there on, placed from it."""
    later = [comment for comment in comments if comment.start >= place]
    earlier = tuple(comment for comment in comments if comment.start < place)
    return earlier, tuple(shifted(comment, -place) for comment in later)


def shifted(comment: Comment, by: int) -> Comment:
    """Return a comment after its text was put elsewhere."""
    return replace(comment, start=comment.start + by, end=comment.end + by)


@dataclass(frozen=True)
class _Change:
    """The one change that makes a text another one, and where each place is after it."""

    before: str
    after: str

    @cached_property
    def _region(self) -> tuple[int, int, int]:
        start, removed, inserted = change_between(self.before, self.after)
        if removed and inserted:
            return start, removed, inserted
        longer = self.before if removed else self.after
        return _at_words(longer, start, removed + inserted), removed, inserted

    @property
    def start(self) -> int:
        return self._region[0]

    def reach(self, around: int) -> tuple[int, int]:
        """Return the part of the new text that is new, with some characters around it."""
        place, _, inserted = self._region
        return max(place - around, 0), min(place + inserted + around, len(self.after))

    @property
    def is_in_a_word(self) -> bool:
        """Whether no more than letters of one word went."""
        start, removed, _ = self._region
        return self.before[start : start + removed].isalnum()

    def moved(self, comment: Comment) -> int | None:
        """Return where words that went came again, if they are too long to be there by chance, or all of it.

        None also where fewer of them came than went: one of several is not known from the others.
        """
        start, removed, inserted = self._lines
        words, came = comment.words, self.after[start : start + inserted]
        went = self.before.count(words, start, start + removed)
        if not comment.is_lost and not start <= comment.start <= comment.end <= start + removed:
            return None
        found = came.find(words)
        if found < 0 or came.count(words) < went + comment.is_lost:
            return None
        is_all = self._came.strip() == words and len(words.split()) > 1
        return start + found if is_all or len(words) >= CONTEXT_CHARS else None

    @property
    def _came(self) -> str:
        start, _, inserted = self._region
        return self.after[start : start + inserted]

    @cached_property
    def _lines(self) -> tuple[int, int, int]:
        """The region with the whole lines that it is in: lines that move may all end with the same mark."""
        start, removed, inserted = self._region
        first, last = self.before.rfind("\n", 0, start) + 1, self.before.find("\n", start + removed)
        more = start - first + (len(self.before) if last < 0 else last) - (start + removed)
        return first, removed + more, inserted + more

    def start_after(self, place: int) -> int:
        """Return where words begin that began at a place."""
        start, removed, inserted = self._region
        if place < start or (place == start and removed):
            return place
        if place >= start + removed:
            return place + inserted - removed
        found = self._stretch_at(place)
        if found.same:
            return found.right_start + place - found.left_start
        return found.right_start if place == found.left_start else found.right_end

    def end_after(self, place: int) -> int:
        """Return where words end that ended at a place; one that is typed on is still the same word."""
        start, removed, inserted = self._region
        if place == start and not removed:
            return place + self._typed_on(place, inserted)
        if place <= start:
            return place
        if place >= start + removed:
            return place + inserted - removed
        found = self._stretch_at(place - 1)
        if found.same or place == found.left_end:
            return found.right_end - (found.left_end - place if found.same else 0)
        return found.right_start

    def _typed_on(self, place: int, inserted: int) -> int:
        if not place or not self.before[place - 1].isalnum():
            return 0
        length = 0
        while length < inserted and self.after[place + length].isalnum():
            length += 1
        return length

    @cached_property
    def _stretches(self) -> tuple[Difference, ...]:
        """Several changes may be stored as one, as Replace All is: what is between them stays."""
        start, removed, inserted = self._region
        found = differences(self.before[start : start + removed], self.after[start : start + inserted])
        return tuple(
            Difference(
                one.same,
                one.left_start + start,
                one.left_end + start,
                one.right_start + start,
                one.right_end + start,
            )
            for one in found
        )

    def _stretch_at(self, place: int) -> Difference:
        """Return the stretch with the character at a place that is in the changed part."""
        there = [one for one in self._stretches if one.left_start < one.left_end]
        return there[bisect_right(there, place, key=lambda one: one.left_start) - 1]


def _followed(comment: Comment, change: _Change) -> Comment:
    if comment.end > len(change.before):
        return comment  # on words of a draft that are stored, but not yet part of the text
    start = change.start_after(comment.start)
    end = start if comment.is_lost else max(change.end_after(comment.end), start)
    start, end = _tight(comment.words, change.after, start, end)
    there = change.after[start:end]
    if there != comment.words:
        known = _known_places(comment, change.after, *change.reach(len(comment.words)))
        if there:
            known = (place for place in known if place <= start and end <= place + len(comment.words))
        found = _nearest(start, known)
        if found is None:
            found = change.moved(comment)
        if found is not None:
            start, end = found, found + len(comment.words)
        elif there in comment.words:  # some of it is left; all of it may come back
            if not change.is_in_a_word and there != change.before[comment.start : comment.end]:
                start, end = _whole_words(comment.words, change.after, start, end)
            return replace(comment, start=start, end=end)
    return anchored(comment, change.after, start, end)


def _tight(words: str, text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out what was added right beside the words: where a letter was doubled, it could be in them."""
    there = text[start:end]
    if len(there) > len(words):
        added = there.removesuffix(words)
        if added != there and not added[-1].isalnum():
            return start + len(added), end
        added = there.removeprefix(words)
        if added != there and not added[0].isalnum():
            return start, end - len(added)
    return start, end


def _at_words(longer: str, start: int, length: int) -> int:
    """Return where an insertion or deletion begins if it can be told in whole words.

    Of "gulls got", "gulls " went as well as "ulls g".
    """
    for place in range(start, max(start - _MOST_SHIFTED, 0) - 1, -1):
        if _is_edge(longer, place) and _is_edge(longer, place + length):
            return place
        if not place or longer[place - 1] != longer[place + length - 1]:
            break
    return start


def _whole_words(words: str, text: str, start: int, end: int) -> tuple[int, int]:
    """Return the whole words of a comment in what is left of it; none where there is no such word."""
    there = text[start:end]
    offset = (len(words) - len(there) if words.endswith(there) else words.find(there)) - start
    first, last = start, end
    while first < last and not (_is_edge(words, first + offset) and _is_edge(text, first)):
        first += 1
    while first < last and not (_is_edge(words, last + offset) and _is_edge(text, last)):
        last -= 1
    return (first, last) if any(map(str.isalnum, text[first:last])) else (start, start)


def _is_edge(text: str, place: int) -> bool:
    """Return whether no word goes on at a place."""
    return not (0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum())


def _known_places(comment: Comment, text: str, start: int, end: int) -> Iterator[int]:
    """Yield where a comment's words are in a part of a text, next to what was beside them."""
    for place in _places(comment.words, text, start, end):
        after = place + len(comment.words)
        if _before(text, place) == comment.before or text[after : after + CONTEXT_CHARS] == comment.behind:
            yield place


def _places(words: str, text: str, start: int, end: int) -> Iterator[int]:
    place = text.find(words, start, end)
    while place >= 0:
        yield place
        place = text.find(words, place + 1, end)


def _nearest(wanted: int, places: Iterator[int]) -> int | None:
    return min(places, key=lambda place: abs(place - wanted), default=None)


def _before(text: str, place: int) -> str:
    return text[max(place - CONTEXT_CHARS, 0) : place]
