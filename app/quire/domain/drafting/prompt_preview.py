"""What the model sees at a start, in order and by origin, in parts that a window can show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quire.domain.drafting.context_usage import (
    ORDER,
    ContextUsage,
    SpaceShare,
    space_of,
    story_seen,
    texts_of,
)
from quire.domain.drafting.prompt_composition import (
    NextPrompt,
    Omission,
    OmittedPart,
    PartOrigin,
    PromptPart,
)
from quire_engine.api.queries import PromptSource, PromptViewed

_PARAGRAPH_START = re.compile(r"\n+(?=\S)")
NOTE_DEPTH = 500
"""Characters of the story after a note, if the story is that long; the engine uses the same number."""


@dataclass(frozen=True, slots=True)
class PromptPreview:
    """Everything that is read, in consecutive parts, and what is left out.

    Attributes:
        is_exact: whether the model's own tokenizer cut it; otherwise the cut is approximate.
    """

    parts: tuple[PromptPart, ...]
    left_out: tuple[OmittedPart, ...]
    use: ContextUsage
    is_exact: bool = False

    @property
    def chars(self) -> int:
        """Characters that are read."""
        return sum(part.chars for part in self.parts)


def view_of(prompt: NextPrompt) -> PromptPreview:
    """Return what the model will see, estimated without the model."""
    composed, story = prompt.composed, prompt.story
    use = space_of(composed, story, prompt.context)
    tokens = {share.origin: share.tokens for share in use.shares}
    whole = texts_of(composed, story)
    seen = story[use.left_out_chars :] if use.left_out_chars else story_seen(story, tokens, use.context)
    place = _note_place(seen, composed.note_depth) if composed.note_parts else 0
    parts = [*composed.front_parts]
    if composed.note_parts:
        parts += _of_story(seen[:place])
        parts += _as_paragraph(composed.note_parts)
    parts += _of_story(seen[place:])
    left_out = _too_old(len(whole.get(PartOrigin.MANUSCRIPT, "")) - len(seen))
    return PromptPreview(tuple(parts), (*left_out, *composed.left_out), use)


def view_read(prompt: NextPrompt, viewed: PromptViewed) -> PromptPreview:
    """Return what the model sees as the engine cut it; the parts of front and note keep their origins."""
    composed = prompt.composed
    parts: list[PromptPart] = []
    shares: dict[PartOrigin, SpaceShare] = {}
    for segment in viewed.segments:
        match segment.origin:
            case PromptSource.FRONT:
                new = list(_told_apart(segment.text, composed.front_parts))
            case PromptSource.NOTE:
                new = list(_told_apart(segment.text, composed.note_parts))
            case PromptSource.STORY:
                new = _of_story(segment.text)
        parts += new
        for part in new:
            tokens = round(segment.num_tokens * part.chars / max(len(segment.text), 1))
            before = shares.get(part.origin, SpaceShare(part.origin, 0, 0, 0))
            shares[part.origin] = before.and_more(part.text, tokens)
    read = shares.get(PartOrigin.MANUSCRIPT)
    unread = max(len(prompt.story) - (0 if read is None else read.chars), 0) if viewed.num_left_out else 0
    ordered = tuple(shares[origin] for origin in ORDER if origin in shares)
    use = ContextUsage(ordered, viewed.capacity, unread, is_counted=True)
    return PromptPreview(tuple(parts), (*_too_old(unread), *composed.left_out), use, is_exact=True)


def _told_apart(text: str, parts: Sequence[PromptPart]) -> Iterator[PromptPart]:
    """Yield a text cut where its parts begin; what surrounds a part belongs to it."""
    places: list[int] = []
    found = 0
    for part in parts:
        place = text.find(part.text.strip(), found)
        if place < 0:
            break
        places.append(place)
        found = place + 1
    if len(places) != len(parts) or not parts:  # not the text that was composed
        yield PromptPart(parts[0].origin if parts else PartOrigin.MEMORY, text)
        return
    places[0] = 0
    for number, part in enumerate(parts):
        end = places[number + 1] if number + 1 < len(places) else len(text)
        yield PromptPart(part.origin, text[places[number] : end], part.title)


def _of_story(text: str) -> list[PromptPart]:
    return [PromptPart(PartOrigin.MANUSCRIPT, text)] if text else []


def _as_paragraph(parts: Sequence[PromptPart]) -> list[PromptPart]:
    *others, last = parts
    return [*others, PromptPart(last.origin, f"{last.text}\n\n", last.title)]


def _too_old(chars: int) -> list[OmittedPart]:
    return [OmittedPart(PartOrigin.MANUSCRIPT, "", chars, Omission.TOO_OLD)] if chars else []


def _note_place(story: str, depth: int) -> int:
    """Return where the newest paragraph begins that leaves NOTE_DEPTH characters, or `depth` paragraphs."""
    if depth:
        starts = [0, *(found.end() for found in _PARAGRAPH_START.finditer(story))]
        return starts[-min(depth, len(starts))]
    limit = len(story) - NOTE_DEPTH
    return story.rfind("\n", 0, limit + 1) + 1 if limit > 0 else 0
