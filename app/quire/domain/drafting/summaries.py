"""Requests to sum up a chapter for its synopsis."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quire.domain.drafting.rewriting import answer_of, request_chars
from quire_engine.api.config import Goal, SamplingConfig
from quire_engine.api.queries import WriteText

_WORDS, _CEILING, _SLACK = 50, 160, 40
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
    room = max(request_chars(text, context_tokens), _LEAST_CHARS)
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
    """Return the engine's query about a chapter, or about a part of one if it isn't whole."""
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
