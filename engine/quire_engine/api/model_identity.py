"""What a model is, as far as it decides the text."""

from __future__ import annotations

from dataclasses import dataclass

from quire_engine.api.context_rules import front_length

ON_SERVER = "server"
"""The dtype of a model whose numbers are another computer's business."""


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """What must match for a run to continue with the same text.

    Attributes:
        name: for people.
        fingerprint: SHA-256 over configuration, weights and tokenizer.
        dtype: as computed, never "auto"; includes int8 weights (`config.number_format`), which change the
            text.
        width: rows of a decode pass.
        software: versions and hardware that decide rounding.
        tokenizer: SHA-256 of the tokenizer alone; empty in old records, as are the three below.
        context_length: context window in tokens, which decides the text.
        rollover: name of the context rule, which decides the text.
        cache: format of the KV cache if it changes the text: "float8"; else empty.

    A model on a server has the dtype ON_SERVER, its name as fingerprint's only source, and the server in
    `software`. Its runs have no tokens that Quire knows: their ids are the code points of the text.
    """

    name: str
    fingerprint: str
    dtype: str
    width: int
    software: str
    tokenizer: str = ""
    context_length: int = 0
    rollover: str = ""
    cache: str = ""

    @property
    def is_on_server(self) -> bool:
        """Whether runs of it are not reproducible, and their ids are characters and no tokens."""
        return self.dtype == ON_SERVER

    def rolls_over_as(self, rule: str) -> bool:
        """Say whether a run with this context rule can continue: this version must know the rule."""
        return front_length(rule) is not None
