"""Copies a paragraph of one text into another one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quire.domain.manuscript.text_diff import Difference

_WORD = re.compile(r"\w+")
_ALIKE = 0.5
"""A paragraph gives way to another one that has so many of its words in common, as a share of the shorter."""


@dataclass(frozen=True, slots=True)
class ParagraphCopy:
    """The effect of copying a paragraph into a text.

    Attributes:
        start, end: the characters of the target that are replaced; equal where none is.
        text: what is inserted, with the line ends that it needs there.
        source, source_end: where the paragraph is in the other text.
        body_at: where it begins in `text`.
    """

    start: int
    end: int
    text: str
    source: int
    source_end: int
    body_at: int = 0

    @property
    def replaces(self) -> bool:
        """Whether a paragraph is replaced."""
        return self.end > self.start

    def applied(self, text: str) -> str:
        """Return the text after copying."""
        return text[: self.start] + self.text + text[self.end :]


def paragraph_at(text: str, place: int) -> tuple[int, int]:
    """Return where the paragraph at a place begins and ends; on an empty line: the next one, or the last."""
    start, end = _line_at(text, place)
    if text[start:end].strip():
        return start, end
    for found in re.finditer(r"[^\n]*\S[^\n]*", text[end:]):
        return end + found.start(), end + found.end()
    before = [found.span() for found in re.finditer(r"[^\n]*\S[^\n]*", text[:start])]
    return before[-1] if before else (len(text), len(text))


def paragraph_copy(source: str, target: str, found: Sequence[Difference], place: int) -> ParagraphCopy | None:
    """Return what copying the paragraph at a place of `source` does to `target`; None when there is none.

    A paragraph that shares half of its words with one of the target replaces that one; any other is inserted
    between the counterparts of its neighbours.

    Args:
        found: how the two differ, `source` on the left.
    """
    start, end = paragraph_at(source, place)
    if start == end:
        return None
    body = source[start:end]
    counterpart = _counterpart(source, target, found, start, end)
    if counterpart is not None:
        return ParagraphCopy(*counterpart, body, start, end)
    at = opposite(found, start)
    line_start, line_end = _line_at(target, at)
    at = line_start if at - line_start <= line_end - at else line_end
    return _inserted(target, at, body, start)


def opposite(found: Sequence[Difference], place: int) -> int:
    """Return the place of the right text that corresponds to one of the left text."""
    last = 0
    for one in found:
        if one.left_end >= place and one.left_end > one.left_start:
            share = (place - one.left_start) / (one.left_end - one.left_start)
            return one.right_start + round(share * (one.right_end - one.right_start))
        last = one.right_end
    return last


def turned(found: Sequence[Difference]) -> tuple[Difference, ...]:
    """Return how two texts differ, with the sides swapped."""
    return tuple(Difference(d.same, d.right_start, d.right_end, d.left_start, d.left_end) for d in found)


def num_words_that_differ(left: str, right: str, found: Sequence[Difference]) -> int:
    """Return how many words differ: in each difference, those of the longer side."""
    return sum(
        max(
            len(_WORD.findall(left[d.left_start : d.left_end])),
            len(_WORD.findall(right[d.right_start : d.right_end])),
        )
        for d in found
        if not d.same
    )


def _counterpart(
    source: str, target: str, found: Sequence[Difference], start: int, end: int
) -> tuple[int, int] | None:
    """Return the paragraph of the target that shares most words with one of the source, if it is enough."""
    shared: dict[tuple[int, int], int] = {}
    for low, offset, length in _common(found, start, end):
        for word in _WORD.finditer(source, low, low + length):
            paragraph = _line_at(target, word.start() + offset)
            shared[paragraph] = shared.get(paragraph, 0) + 1
    if not shared:
        return None
    best = max(shared, key=lambda paragraph: shared[paragraph])
    shorter = min(_num_words(source[start:end]), _num_words(target[best[0] : best[1]]))
    return best if shared[best] >= _ALIKE * shorter else None


def _common(found: Sequence[Difference], start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Yield the common stretches: where each begins, its offset in the target, its length."""
    for one in found:
        low, high = max(one.left_start, start), min(one.left_end, end)
        if one.same and low < high:
            yield low, one.right_start - one.left_start, high - low


def _inserted(target: str, at: int, body: str, source: int) -> ParagraphCopy:
    """Return the paragraph as a separate one, before or after the text at a place where a line ends."""
    gap = "\n\n" if "\n\n" in target or not target.strip() else "\n"
    before, after = target[:at], target[at:]
    lead = _gap(gap, before, len(before) - len(before.rstrip("\n")))
    tail = _gap(gap, after, len(after) - len(after.lstrip("\n")))
    return ParagraphCopy(at, at, lead + body + tail, source, source + len(body), len(lead))


def _gap(gap: str, beside: str, num_there: int) -> str:
    """Return the line ends that are missing towards the neighbouring text."""
    wanted = gap if beside.strip() else "\n" * bool(beside)
    return wanted[num_there:]


def _line_at(text: str, place: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, place) + 1
    end = text.find("\n", place)
    return start, len(text) if end < 0 else end


def _num_words(text: str) -> int:
    return len(_WORD.findall(text))
