"""What a model is asked for when it sums up a chapter for the synopsis."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quire.domain.drafting.prompt_composition import chars_per_token
from quire.domain.drafting.rewriting import answer_of
from quire_engine.api.config import Goal, SamplingConfig
from quire_engine.api.queries import WriteText

_WORDS, _CEILING, _SLACK = 50, 160, 40
_OF_CONTEXT = 0.3
"""Share of the context that a piece fills, by an estimate: some tokenizers need twice as many tokens."""
_LEAST_CHARS = 600
_PARAGRAPH = re.compile(r"\n\s*\n")
_SAMPLING = SamplingConfig(temperature=0, repetition_penalty=1.1, penalty_window=64)
"""The likeliest words: the same chapter has the same summary."""
_REQUEST = (
    "This is {what} of a novel.\n\n<passage>\n{text}\n</passage>\n\nSum it up in two or three sentences, in "
    "the present tense and in its own language: who does what, and what changes. Call people and things by "
    "their names. Answer with the summary alone."
)
_CONTINUED = "{text}\n\n* * *\n\nWhat happens in this chapter, in two sentences:\n\n"


def pieces(text: str, context_tokens: int) -> Iterator[str]:
    """Cut a chapter at paragraphs into pieces that a model with this context can read."""
    room = max(int(context_tokens * _OF_CONTEXT * chars_per_token(text)), _LEAST_CHARS)
    piece = ""
    for paragraph in _PARAGRAPH.split(text.strip()):
        if piece and len(piece) + len(paragraph) + 2 > room:
            yield piece
            piece = ""
        while len(paragraph) > room:
            yield paragraph[:room]
            paragraph = paragraph[room:]
        piece = f"{piece}\n\n{paragraph}" if piece else paragraph
    if piece.strip():
        yield piece


def summary_query(text: str, *, is_whole: bool) -> WriteText:
    """Return what the engine is asked about a chapter; is_whole: or only about a part of it."""
    what = "a chapter" if is_whole else "a part of a chapter"
    return WriteText(
        _REQUEST.format(what=what, text=text),
        Goal(words=_CEILING, sentence_slack=_SLACK, stop_at_end=True),
        _CONTINUED.format(text=text),
        Goal(words=_WORDS, sentence_slack=_SLACK, stop_at_end=True),
        _SAMPLING,
    )


def summary_of(answer: str) -> str:
    """Return an answer as one paragraph."""
    return " ".join(answer_of(answer, "").split())
