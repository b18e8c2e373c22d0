"""What was counted in a text for the drafters of one tokenizer; it affects speed alone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PhraseTable:
    """The n-grams of a text that came twice or more.

    Attributes:
        source: digest of the text.
        tokenizer: digest of the tokenizer.
        max_context: tokens of the longest context.
        num_tokens: of the text.
        data: the entries as the engine packed them.
    """

    source: str
    tokenizer: str
    max_context: int
    num_tokens: int
    data: bytes
