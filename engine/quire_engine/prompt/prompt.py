"""Build the prompt: a front that stays in the context, the story, and a note near its end, as one token row.

Front and note are paragraphs of their own around the unchanged story. The note comes before the newest
paragraphs, so that the model continues from the story's own last words, and changing it means reading only
these again. A prompt that is too long loses the oldest part of the story, never front or note.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tokenizers import Tokenizer

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.queries import PromptSource
from quire_engine.prompt.chat_template import ChatTemplate, encoded_as_marks
from quire_engine.prompt.tokenization import EncodedPrompt, encode_prompt, encode_text

NOTE_DEPTH = 500
"""Fewest characters of the story after the note, if it has that many."""
_NOTE_REACH = (
    3000  # characters in which a paragraph's beginning is looked for, then a sentence's, then a word's
)
_BREAKS = (re.compile(r"\n+(?=\S)"), re.compile(r"[.!?…][”’\"')]*\s+(?=\S)"), re.compile(r"\s+(?=\S)"))
_PARAGRAPH_START = re.compile(r"\n+(?=\S)")
_PLAIN_REQUEST = "Write on, in the same voice, where the text breaks off."
"""The request to a chat model where there is no front."""


@dataclass(frozen=True, slots=True)
class PromptTexts:
    """The parts of a prompt; see StartGeneration."""

    story: str
    front: str = ""
    note: str = ""
    note_depth: int = 0


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as the model reads it.

    Attributes:
        token_ids: the prompt.
        origins: the source of each token; () if unknown.
        num_left_out: tokens cut from the story's start.
        num_front: tokens at the front that stay in the context.
    """

    token_ids: tuple[int, ...]
    origins: tuple[PromptSource, ...]
    num_left_out: int
    num_front: int = 0

    @property
    def counts(self) -> tuple[int, ...]:
        """Tokens of the front, the story and the note; () if unknown."""
        return tuple(self.origins.count(origin) for origin in PromptSource) if self.origins else ()


@dataclass(frozen=True, slots=True)
class _Tokens:
    """Tokens of a text. starts: where each begins in `text`, of those that may be left out."""

    ids: list[int]
    origins: list[PromptSource]
    starts: list[int]
    text: str


def prompt_of_texts(
    tokenizer: Tokenizer,
    texts: PromptTexts,
    capacity: int,
    *,
    read_tail: bool = False,
    template: ChatTemplate | None = None,
) -> Prompt:
    """Return a prompt of at most `capacity` tokens; EnvironmentProblem if it is empty or too long."""
    if not texts.story.strip():
        raise EnvironmentProblem("There is no text to continue. Write or paste an opening first.")
    if template is None and not texts.front.strip() and not texts.note.strip():
        return _plain(tokenizer, texts.story, capacity, read_tail=read_tail)
    tokens = _joined(tokenizer, texts) if template is None else _chatted(tokenizer, texts, template)
    if not any(origin is PromptSource.STORY for origin in tokens.origins):
        raise _nothing()
    num_front = tokens.origins.count(PromptSource.FRONT)
    num_fixed = num_front + tokens.origins.count(PromptSource.NOTE)
    if num_fixed > capacity // 2:
        raise EnvironmentProblem(
            "Memory, Lorebook and notes have {num_tokens:,} tokens; they may use at most half of the "
            "context, which has {capacity:,} tokens here. Shorten them, or choose a longer context in "
            "Preferences or a model that has one.",
            num_tokens=num_fixed,
            capacity=capacity,
        )
    num_left_out = 0
    if len(tokens.ids) > capacity:
        if not read_tail:
            raise _too_long(len(tokens.ids), capacity)
        budget = max(capacity // 2, num_fixed + capacity // 4)
        num_left_out = _num_to_leave_out(tokens, len(tokens.ids) - budget, budget - num_fixed)
    kept = _kept(tokens, num_left_out)
    ids, origins = zip(*kept, strict=True)
    return Prompt(ids, origins, num_left_out, num_front)


def prompt_of_request(tokenizer: Tokenizer, request: str, capacity: int, template: ChatTemplate) -> Prompt:
    """Return the prompt of a request; EnvironmentProblem if it leaves no room for the answer."""
    tokens = _chatted(tokenizer, PromptTexts("", request), template)
    if len(tokens.ids) > capacity - capacity // 4:
        raise EnvironmentProblem(
            "The model can't read so much at once: {num_tokens:,} tokens with a context of {capacity:,}. "
            "Select less, or choose a longer context in Preferences.",
            num_tokens=len(tokens.ids),
            capacity=capacity,
        )
    return Prompt(tuple(tokens.ids), tuple(tokens.origins), 0, len(tokens.ids))


def _plain(tokenizer: Tokenizer, story: str, capacity: int, *, read_tail: bool) -> Prompt:
    tail = capacity // 2 if read_tail else None
    prompt: EncodedPrompt = encode_prompt(tokenizer, story, tail, whole_up_to=capacity)
    if not prompt.token_ids:
        raise _nothing()
    if len(prompt.token_ids) > capacity:
        raise _too_long(len(prompt.token_ids), capacity)
    return Prompt(prompt.token_ids, (PromptSource.STORY,) * len(prompt.token_ids), prompt.num_left_out)


def _nothing() -> EnvironmentProblem:
    return EnvironmentProblem("The model can't read this text. Write or paste an opening.")


def _too_long(num_tokens: int, capacity: int) -> EnvironmentProblem:
    return EnvironmentProblem(
        "The text has {num_tokens:,} tokens, but the model's context is {capacity:,} here. Let it read "
        "only the latest part (in commands: --read-tail), shorten the text, or choose a longer context "
        "in Preferences or a model that has one.",
        num_tokens=num_tokens,
        capacity=capacity,
    )


def _joined(tokenizer: Tokenizer, texts: PromptTexts) -> _Tokens:
    """Encode front, story and note as one text: the tokens are those of a text with all three."""
    front, before, note, after = arranged(texts)
    encoding = encode_text(tokenizer, front + before + note + after)
    bounds = (len(front), len(front) + len(before), len(front) + len(before) + len(note))
    offsets = encoding.offsets  # each look at it copies the whole list
    origins = [_origin_at(start, bounds) for start, _ in offsets]
    marks = encoding.special_tokens_mask
    last_text = max((place for place, mark in enumerate(marks) if not mark), default=-1)
    ids: list[int] = []
    kept_origins: list[PromptSource] = []
    starts: list[int] = []
    for place, token_id in enumerate(encoding.ids):
        if marks[place] and place > last_text:
            break  # a mark that ends texts; the story continues
        # a mark that begins texts stays in front of all, whatever is left out
        origin = (PromptSource.FRONT if front else PromptSource.NOTE) if marks[place] else origins[place]
        ids.append(token_id)
        kept_origins.append(origin)
        starts.append(offsets[place][0])
    return _Tokens(ids, kept_origins, starts, front + before + note + after)


def _chatted(tokenizer: Tokenizer, texts: PromptTexts, template: ChatTemplate) -> _Tokens:
    """Encode the front through the chat template, and the story as the start of the reply."""
    opening, closing = template.around_request()
    request = texts.front.strip() or _PLAIN_REQUEST
    front = [
        *encoded_as_marks(tokenizer, opening),
        *encode_text(tokenizer, request, marks=False).ids,
        *encoded_as_marks(tokenizer, closing),
    ]
    before, note, after = _with_note(texts)
    encoding = encode_text(tokenizer, before + note + after, marks=False)
    bounds = (0, len(before), len(before) + len(note))
    offsets = encoding.offsets  # each look at it copies the whole list
    origins = [_origin_at(start, bounds) for start, _ in offsets]
    starts = [start for start, _ in offsets]
    return _Tokens(
        [*front, *encoding.ids],
        [PromptSource.FRONT] * len(front) + origins,
        [0] * len(front) + starts,
        before + note + after,
    )


def _origin_at(place: int, bounds: tuple[int, int, int]) -> PromptSource:
    front_end, note_start, note_end = bounds
    if place < front_end:
        return PromptSource.FRONT
    return PromptSource.NOTE if note_start <= place < note_end else PromptSource.STORY


def arranged(texts: PromptTexts) -> tuple[str, str, str, str]:
    """Return the front, the story before the note, the note, and the story behind it, as they are read."""
    return _as_paragraphs(texts.front, "\n\n"), *_with_note(texts)


def _as_paragraphs(text: str, gap: str) -> str:
    """Return a text with a gap behind it; nothing where there is none."""
    return text.strip("\n") + gap if text.strip() else ""


def _with_note(texts: PromptTexts) -> tuple[str, str, str]:
    """Return the story before the note, the note as a paragraph, and the story behind it."""
    if not texts.note.strip():
        return texts.story, "", ""
    place = note_place(texts.story, texts.note_depth)
    before, after = texts.story[:place], texts.story[place:]
    newlines = len(before) - len(before.rstrip("\n")) if before else 2
    lead = "" if newlines else "\n"
    return before, lead + _as_paragraphs(texts.note, "\n" * max(newlines, 1)), after


def note_place(story: str, depth: int = 0) -> int:
    """Return the character offset of the note: a paragraph start about NOTE_DEPTH characters from the end.

    The start of the newest paragraph with that much text after it; in a very long paragraph of a sentence, or
    a word.

    Args:
        depth: the paragraphs that come after the note instead; 0: as above.
    """
    if depth:
        starts = [0, *(found.end() for found in _PARAGRAPH_START.finditer(story))]
        return starts[-min(depth, len(starts))]
    limit = len(story) - NOTE_DEPTH
    if limit <= 0:
        return 0
    reach = max(0, limit - _NOTE_REACH)
    for pattern in _BREAKS:
        ends = [found.end() for found in pattern.finditer(story, reach, limit + 1)]
        if ends:
            return ends[-1]
        if reach == 0:
            return 0
    return limit


def _num_to_leave_out(tokens: _Tokens, num_needed: int, budget: int) -> int:
    """Return how many tokens of the story to cut: a few more if the rest then starts with a paragraph."""
    starts = [
        start
        for start, origin in zip(tokens.starts, tokens.origins, strict=True)
        if origin is PromptSource.STORY
    ]
    # a paragraph that begins within the first third of what is kept
    limit = starts[min(num_needed + budget // 3, len(starts) - 1)]
    found = _PARAGRAPH_START.search(tokens.text, starts[num_needed], limit)
    if found is None:
        whole = (
            place
            for place in range(num_needed, len(starts))
            if not place or starts[place] > starts[place - 1]
        )
        return next(whole, num_needed)  # not in the middle of a character
    return next(place for place, start in enumerate(starts) if start >= found.end())


def _kept(tokens: _Tokens, num_left_out: int) -> Sequence[tuple[int, PromptSource]]:
    """Return the tokens without the first ones of the story."""
    kept: list[tuple[int, PromptSource]] = []
    num_story = 0
    for token_id, origin in zip(tokens.ids, tokens.origins, strict=True):
        num_story += origin is PromptSource.STORY
        if origin is not PromptSource.STORY or num_story > num_left_out:
            kept.append((token_id, origin))
    return kept
