"""Requests to rewrite a passage, and the part of the answer that may stand in the text.

A chat model gets a request with the text before and after the passage. A model that only continues stories
gets examples of the same change to continue. To rewrite, it gets the text before the passage: it then writes
that place anew without having seen the old words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum

from quire.domain.drafting.prompt_composition import chars_per_token
from quire.errors import WriterProblem
from quire_engine.api.config import Goal, SamplingConfig
from quire_engine.api.queries import WriteText
from quire_engine.metrics.word_count import count_words

MAX_WISH_CHARS = 400
_BEFORE_CHARS, _AFTER_CHARS = 1_800, 600
"""Characters of the text around a passage in a request: more would take longer to read."""
_OF_CONTEXT = 0.3
"""Largest share of the context that a request fills by estimate; some tokenizers need twice as much."""
_END = "###"
"""Ends each of the examples that a story model continues."""
_PENALTY, _PENALTY_WINDOW = 1.1, 64
_SLACK = 40
"""Words for the end of a sentence."""
_CEILING = 2.5, 80
"""A model that runs on is cut at this multiple of the words that were asked for, plus a constant."""
_LEAD_IN = re.compile(
    r"\A[#*\s]*(?:sure|certainly|here(?:’s|'s| is| are)|(?:the )?(?:rewritten|new) )[^\n]{0,120}:[*\s]*\n+",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?…]\s+\S")
_TAG = re.compile(r"</?(?:before|passage|after)>")
_QUOTED = (("“", "”"), ('"', '"'), ("„", "“"), ("«", "»"))


class Rewrite(Enum):
    """The changes that can be asked for; the values are stored in project files."""

    REWRITE = "rewrite"
    EXPAND = "expand"
    SHORTEN = "shorten"
    DESCRIBE = "describe"
    REPHRASE = "rephrase"
    WISH = "wish"


@dataclass(frozen=True, slots=True)
class Passage:
    """The words to change, and the text around them."""

    before: str
    text: str
    after: str

    @classmethod
    def of(cls, story: str, start: int, end: int, after: str = "") -> Passage:
        """Return the selection without the white space at its ends; WriterProblem where nothing is left.

        after: the text that follows the story.
        """
        chosen = story[start:end]
        start += len(chosen) - len(chosen.lstrip())
        chosen = chosen.strip()
        if not chosen:
            raise WriterProblem("Select the words to change first.")
        return cls(story[:start], chosen, story[start + len(chosen) :] + after)


@dataclass(frozen=True, slots=True)
class RewriteOrder:
    """A change that the writer asked for. wish: in the writer's own words, for Rewrite.WISH."""

    kind: Rewrite
    wish: str = ""

    def words_for(self, num_words: int) -> int:
        """Return about how many words the answer to a passage of `num_words` should have."""
        factor, more = _LENGTHS[self.kind]
        return max(round(factor * num_words) + more, 3)


_LENGTHS = {
    Rewrite.REWRITE: (1.0, 0),
    Rewrite.EXPAND: (2.0, 30),
    Rewrite.SHORTEN: (0.5, 0),
    Rewrite.DESCRIBE: (1.5, 25),
    Rewrite.REPHRASE: (1.0, 0),
    Rewrite.WISH: (1.5, 20),
}
_ASKED = {
    Rewrite.REWRITE: "Rewrite the passage so that it reads better: the same events, in about {0} words.",
    Rewrite.EXPAND: "Expand the passage to about {0} words: the same events, told in more detail.",
    Rewrite.SHORTEN: "Shorten the passage to about {0} words. Keep what matters.",
    Rewrite.DESCRIBE: (
        "Rewrite the passage with more for the senses: what can be seen, heard, smelled and felt. "
        "Use about {0} words."
    ),
    Rewrite.REPHRASE: "Say the same in other words, sentence by sentence, in about {0} words.",
    Rewrite.WISH: "Rewrite the passage. {1}",
}
_REQUEST = (
    "This is from a novel.\n\n{before}<passage>\n{passage}\n</passage>\n\n{after}{asked} Keep the voice, the "
    "person, the tense and the language of the book. Answer with the new passage alone, without a comment."
)
_PASSAGE = "A passage from a novel"
_HEADS = {
    Rewrite.EXPAND: "The same at more length",
    Rewrite.SHORTEN: "The same, shorter",
    Rewrite.DESCRIBE: "The same with more for the senses",
    Rewrite.REPHRASE: "The same in other words",
}
_OLD = (
    "The rain had stopped by the time Anna reached the house. She knocked twice, waited, and then tried the "
    "door, which was not locked.",
    "“I don’t believe you,” said Peter. He got up from the table and went to the window, where he stood for "
    "a long time and said nothing.",
)
_NEW = {
    Rewrite.EXPAND: (
        "The rain had stopped by the time Anna reached the house, though the gutters still ran and the path"
        " shone under the one lamp. She stood a moment on the step to get her breath. Then she knocked, "
        "twice, and listened for feet on the stairs; and when none came she put her hand to the door and "
        "found, with less surprise than she would have liked, that it was not locked.",
        "“I don’t believe you,” said Peter, and he said it quietly, which was worse. He pushed back his "
        "chair, got up from the table with his supper half eaten, and went to the window. There was nothing"
        " to see there but the yard and the dark. He stood with his back to them for a long time, so long "
        "that the candle had to be trimmed, and he said nothing more.",
    ),
    Rewrite.SHORTEN: (
        "The rain was over when Anna came to the house. Nobody answered; the door was open.",
        "“I don’t believe you,” said Peter, and stood silent at the window.",
    ),
    Rewrite.DESCRIBE: (
        "The rain had stopped by the time Anna reached the house, and the air smelled of wet stone and "
        "nettles. Water ticked from the eaves. She knocked twice on the cold, swollen wood, waited while "
        "the sound went away down the passage, and then tried the door, which gave under her hand with a "
        "long dry creak.",
        "“I don’t believe you,” said Peter. His chair scraped on the flags. He crossed to the window, where"
        " the draught lifted the curtain and the glass was grey with his breath, and stood for a long time "
        "with the smell of the snuffed candle round him, and said nothing.",
    ),
    Rewrite.REPHRASE: (
        "When Anna got to the house it was no longer raining. Two knocks brought no one, so after a while "
        "she tried the handle and found the door open.",
        "“That is not true,” Peter said. He rose, walked over to the window, and remained there without a "
        "word for a good while.",
    ),
}


def request_chars(text: str, context_tokens: int) -> int:
    """Return how many characters a request about a text may have, its answer's room left free."""
    return int(context_tokens * _OF_CONTEXT * chars_per_token(text))


def query_of(
    passage: Passage, order: RewriteOrder, sampling: SamplingConfig, context_tokens: int
) -> WriteText:
    """Return the engine's query; WriterProblem for a passage that is too long for the model.

    The repetition penalty sees only the last words of the answer, so the passage's names may recur.
    context_tokens: of the model.
    """
    room = request_chars(passage.text, context_tokens)
    if len(passage.text) > room * 2 // 3:
        raise WriterProblem(
            "This selection is too long for the model, which can change about {most:,} words at once. Select "
            "less.",
            most=room * 2 // 3 // 6,
        )
    wanted = order.words_for(count_words(passage.text))
    before = passage.before[-min(_BEFORE_CHARS, (room - len(passage.text)) // 2) :]
    after = passage.after[: min(_AFTER_CHARS, (room - len(passage.text)) // 4)]
    times, more = _CEILING
    return WriteText(
        _request(Passage(before, passage.text, after), order, wanted),
        Goal(words=round(times * wanted) + more, sentence_slack=_SLACK, stop_at_end=True),
        _continued(passage, before, order),
        Goal(words=wanted, sentence_slack=_SLACK + wanted // 2, stop_at_end=True, stop_phrase=_END),
        replace(sampling, repetition_penalty=_PENALTY, penalty_window=_PENALTY_WINDOW),
    )


def _request(passage: Passage, order: RewriteOrder, wanted: int) -> str:
    def told(name: str, text: str) -> str:
        return f"<{name}>\n{text.strip()}\n</{name}>\n\n" if text.strip() else ""

    asked = _ASKED[order.kind].format(wanted, order.wish.strip().rstrip(".") + ".")
    return _REQUEST.format(
        before=told("before", passage.before),
        passage=passage.text,
        after=told("after", passage.after),
        asked=asked,
    )


def _continued(passage: Passage, before: str, order: RewriteOrder) -> str:
    """Return the prompt for a model that only continues stories."""
    if order.kind is Rewrite.REWRITE and before.strip():
        return before.rstrip(" ")
    kind = Rewrite.REPHRASE if order.kind in (Rewrite.REWRITE, Rewrite.WISH) else order.kind
    head = _HEADS[kind]
    told = [
        f"A passage from a novel\n\n{old}\n\n{head}\n\n{new}\n\n{_END}\n\n"
        for old, new in zip(_OLD, _NEW[kind], strict=True)
    ]
    wish = f" ({order.wish.strip()})" if order.kind is Rewrite.WISH else ""
    return "".join(told) + f"{_PASSAGE}\n\n{passage.text}\n\n{head}{wish}\n\n"


def answer_of(text: str, passage: str, *, was_asked: bool = True) -> str:
    """Return an answer without the model's own remarks around it.

    was_asked: it answers a request; otherwise it continues examples.
    """
    text = (text if was_asked else text.partition(_END)[0]).strip()
    if not _LEAD_IN.match(passage):
        text = _LEAD_IN.sub("", text)
    text = next((part for part in _TAG.split(text) if part.strip()), "").strip()
    has_marks = any(mark in passage for pair in _QUOTED for mark in pair)
    for opening, closing in _QUOTED:
        inside = text[len(opening) : -len(closing)]
        is_wrapped = text.startswith(opening) and text.endswith(closing) and not has_marks
        if is_wrapped and not {opening, closing} & set(inside) and _SENTENCE_END.search(inside):
            return inside.strip()
    return text


@dataclass(frozen=True, slots=True)
class RewriteAnswer:
    """An answer that a project keeps, so that selecting the same words shows it again.

    Attributes:
        passage: the words that it was to replace.
        seed: of its sampling: with the model, the same request has the same answer.
        model: its name.
    """

    document_id: int
    passage: str
    order: RewriteOrder
    seed: int
    model: str
    text: str
