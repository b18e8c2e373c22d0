"""How much of the model's context is used, and by what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quire.domain.drafting.prompt_composition import ComposedPrompt, PartOrigin, estimated_tokens
from quire_engine.metrics.word_count import count_words

ORDER = (
    PartOrigin.MEMORY,
    PartOrigin.LOREBOOK,
    PartOrigin.STORY_SO_FAR,
    PartOrigin.PLAN,
    PartOrigin.OPENING,
    PartOrigin.MANUSCRIPT,
    PartOrigin.BEAT,
    PartOrigin.DIRECTION,
)

_WORDS_PER_TOKEN = 0.75  # of English in the vocabularies of today's models


def words_in(tokens: int) -> int:
    """Return about how many words a number of tokens is, rounded as an estimate should be."""
    words = round(tokens * _WORDS_PER_TOKEN)
    return round(words, min(2 - len(str(words)), 0))


@dataclass(frozen=True, slots=True)
class SpaceShare:
    """The tokens of one origin."""

    origin: PartOrigin
    chars: int
    words: int
    tokens: int

    def and_more(self, text: str, tokens: int) -> SpaceShare:
        """Return it with another text of the same origin."""
        words = self.words + count_words(text)
        return SpaceShare(self.origin, self.chars + len(text), words, self.tokens + tokens)


@dataclass(frozen=True, slots=True)
class ContextUsage:
    """The shares in the order in which the model reads them.

    Attributes:
        context: tokens of the whole context window.
        left_out_chars: characters of the story's beginning that the model does not see.
        is_counted: whether the model counted the tokens; otherwise they are estimated from the characters.
    """

    shares: tuple[SpaceShare, ...]
    context: int
    left_out_chars: int = 0
    is_counted: bool = False

    @property
    def used(self) -> int:
        """Tokens in use."""
        return sum(share.tokens for share in self.shares)

    @property
    def room(self) -> int:
        """Tokens left for the draft."""
        return max(self.context - self.used, 0)

    @property
    def words(self) -> int:
        """Words that the model reads at a start."""
        return sum(share.words for share in self.shares)

    def percent(self, tokens: int) -> int:
        """Return a number of tokens as a percentage of the context."""
        return round(100 * tokens / max(self.context, 1))


def texts_of(composed: ComposedPrompt, story: str) -> dict[PartOrigin, str]:
    """Return the text of each origin; empty ones are left out."""
    texts = dict.fromkeys(ORDER, "")
    for part in composed.parts:
        texts[part.origin] += part.text
    texts[PartOrigin.MANUSCRIPT] = story
    return {origin: text for origin, text in texts.items() if text}


def space_of(composed: ComposedPrompt, story: str, context: int) -> ContextUsage:
    """Return the context usage of a model, estimated without it."""
    texts = texts_of(composed, story)
    tokens = {origin: estimated_tokens(text) for origin, text in texts.items()}
    seen = story_seen(story, tokens, context)
    left_out = len(story) - len(seen)
    if left_out:
        share = len(seen) / len(story)
        texts[PartOrigin.MANUSCRIPT] = seen
        tokens[PartOrigin.MANUSCRIPT] = round(tokens[PartOrigin.MANUSCRIPT] * share)
    shares = tuple(
        SpaceShare(origin, len(texts[origin]), count_words(texts[origin]), tokens[origin])
        for origin in ORDER
        if origin in texts
    )
    return ContextUsage(shares, context, left_out)


def story_seen(story: str, tokens: Mapping[PartOrigin, int], context: int) -> str:
    """Return the part of the story that the model is given.

    All of it if it fits; otherwise its newest part, so that about half of the context is left for writing.
    The engine decides on the exact token.
    """
    of_story = tokens.get(PartOrigin.MANUSCRIPT, 0)
    around = sum(tokens.values()) - of_story
    if around + of_story <= context or not of_story:
        return story
    kept = max(context // 2, around + context // 4) - around
    return story[len(story) - int(len(story) * kept / of_story) :]
