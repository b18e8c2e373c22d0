"""Banned phrases as token sequences of one tokenizer."""

from __future__ import annotations

from collections.abc import Iterable

from tokenizers import Tokenizer

from quire_engine.api import folding
from quire_engine.api.errors import EnvironmentProblem

_LINE = "\n"
"""What a phrase is set after as well: some tokenizers put a space before the first word of a text, and then
only what follows another token is a word without one."""


def banned_sequences(
    tokenizer: Tokenizer, phrases: Iterable[str], vocab_size: int
) -> tuple[tuple[int, ...], ...]:
    """Return the token sequences that spell these phrases, distinct and in order.

    Each phrase is taken as written, in lower case, capitalised and in capitals; with straight and curved
    quotation marks, dashes and dots; composed and decomposed; with and without a leading space. Other
    spellings or tokenisations are not covered, nor is what the tokenizer has no tokens for. vocab_size: rows
    of the model; ids beyond it cannot be drawn. Raises EnvironmentProblem where the tokenizer fails.
    """
    found: set[tuple[int, ...]] = set()
    try:
        unknown = _unknown_id(tokenizer)
        line = tuple(tokenizer.encode(_LINE, add_special_tokens=False).ids)
        for text in sorted({text for phrase in phrases for text in spellings(phrase.strip())}):
            for written in (text, f" {text}"):
                found.add(tuple(tokenizer.encode(written, add_special_tokens=False).ids))
                after_line = tuple(tokenizer.encode(_LINE + written, add_special_tokens=False).ids)
                # a line that has no token of its own may be one unknown word with what follows it
                if after_line[: len(line)] == line and unknown not in line:
                    found.add(after_line[len(line) :])
    except Exception as error:  # the library raises bare Exception for everything
        raise EnvironmentProblem(
            "The model's tokenizer can't read the words to avoid ({error}).", error=error
        ) from error
    return tuple(sorted(ids for ids in found if ids and max(ids) < vocab_size and unknown not in ids))


def _unknown_id(tokenizer: Tokenizer) -> int | None:
    """Return the tokenizer's unknown token, which says nothing about a phrase."""
    name = getattr(tokenizer.model, "unk_token", None)
    return None if name is None else tokenizer.token_to_id(name)


def spellings(phrase: str) -> set[str]:
    """Return a phrase as written, in lower case, capitalised and in capitals, as keyboards and typesetters
    write it."""
    cases = {phrase, phrase.lower(), phrase[:1].upper() + phrase[1:], phrase.upper()}
    return {form for text in cases for form in folding.spellings(text)}
