"""Other texts of the writer that a run is started with, and what was counted in them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownText:
    """Another text of the writer whose phrases may recur: an earlier draft, a rejected take, another chapter.

    It affects speed alone, never the draft.

    Attributes:
        phrases: `CountedText.data` of this text for this tokenizer, so that the text need not be tokenised;
            empty, or of a kind that this engine does not know: the text is counted anew.
    """

    text: str
    phrases: bytes = b""


@dataclass(frozen=True, slots=True)
class CountedText:
    """The phrases of a known text, to be stored and given back with it (`KnownText.phrases`).

    Attributes:
        place: of the text in known_texts.
        max_context: tokens of the longest context that was counted.
        num_tokens: of the text.
        data: entries seen twice or more; see `quire_engine.drafting.phrase_counts`.
    """

    place: int
    max_context: int
    num_tokens: int
    data: bytes


@dataclass(frozen=True, slots=True)
class TextsCounted:
    """Known texts that came without their phrases, or with unknown ones, were counted."""

    run_id: int
    texts: tuple[CountedText, ...]
