"""Encode and decode: the boundary between text and token ids."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tokenizers import Encoding, Tokenizer

from quire_engine.api.errors import EngineBug, EnvironmentProblem, tokenizer_problem

_REPLACEMENT = "\ufffd"
_PRIMING_TOKENS = 32
_MAX_HELD_TOKENS = 8  # a character has at most 4 bytes; more held tokens mean bytes that are no text
_PARAGRAPH_START = re.compile(r"\n+(?=\S)")


class Detokenizer:
    """Decodes tokens as they come, never into half a character.

    context_ids: the tokens before; their end matters because a token's text can depend on its neighbours.
    """

    def __init__(self, tokenizer: Tokenizer, context_ids: Sequence[int]) -> None:
        self._tokenizer = tokenizer
        self._ids: list[int] = []
        self._num_context = 0  # ids[:num_context] were turned into text and only are before the others
        self._num_given = 0  # characters of the text of ids that were given out
        self._num_waiting = 0  # tokens since the last character
        for token_id in context_ids[-_PRIMING_TOKENS:]:
            self.add((token_id,))

    def add(self, token_ids: Sequence[int]) -> str:
        """Return the text that these tokens complete; may be empty or end inside a word."""
        return "".join(self._add_one(token_id) for token_id in token_ids)

    def _add_one(self, token_id: int) -> str:
        self._ids.append(token_id)
        self._num_waiting += 1
        text = self._decode(self._ids)
        whole = text.rstrip(_REPLACEMENT) if self._num_waiting < _MAX_HELD_TOKENS else text
        new = whole[self._num_given :]
        if new:
            self._num_waiting = 0
        if len(whole) < len(text):
            self._num_given += len(new)
        else:
            self._ids = self._ids[self._num_context :]
            self._num_context = len(self._ids)
            self._num_given = len(self._decode(self._ids))
        return new

    def _decode(self, ids: Sequence[int]) -> str:
        return self._tokenizer.decode(list(ids), skip_special_tokens=False)


@dataclass(frozen=True, slots=True)
class EncodedPrompt:
    """An encoded text; num_left_out: tokens cut from its start."""

    token_ids: tuple[int, ...]
    num_left_out: int


def encode_text(tokenizer: Tokenizer, text: str, *, marks: bool = True) -> Encoding:
    """Encode a text; EnvironmentProblem if the tokenizer fails. marks: add the model's special tokens.

    As a batch of one: `encode` blocks every other thread meanwhile, 1.3 s for a long book.
    """
    try:
        return tokenizer.encode_batch([text], add_special_tokens=marks)[0]
    except BaseException as error:  # the library raises bare Exception for everything, or panics
        if (problem := tokenizer_problem(error)) is not None:
            raise problem from error
        if not isinstance(error, Exception):
            raise
        raise EnvironmentProblem(
            "The model's tokenizer can't read this text ({error}).", error=error
        ) from error


def _start_of(encoding: Encoding, token: int) -> int:
    """Return the character offset of a token, without copying all offsets, which would block other
    threads."""
    place = encoding.token_to_chars(token)
    if place is None:  # a mark of the model, which has no place in the text
        raise EngineBug("token {token} stands nowhere in its text", token=token)
    return place[0]


def encode_prompt(
    tokenizer: Tokenizer, text: str, max_tokens: int | None, whole_up_to: int = 0
) -> EncodedPrompt:
    """Encode a text; with max_tokens, keep its newest part, from a paragraph start if possible.

    whole_up_to: a text of at most this many tokens is kept whole anyway.
    """
    encoding = encode_text(tokenizer, text)
    ids: list[int] = encoding.ids
    if max_tokens is None or len(ids) <= max(max_tokens, whole_up_to):
        return EncodedPrompt(tuple(ids), 0)
    marks = encoding.special_tokens_mask
    num_marks = next((place for place, mark in enumerate(marks) if not mark), 0)  # such as a start of text
    first = len(ids) - max_tokens + num_marks
    start_char = _start_of(encoding, first)
    # a paragraph that begins within the first third of what is kept; otherwise cut where the budget ends
    limit = _start_of(encoding, first + (max_tokens - num_marks) // 3)
    if found := _PARAGRAPH_START.search(text, start_char, limit):
        kept = encode_text(tokenizer, text[found.end() :]).ids
        if len(kept) <= max_tokens:
            return EncodedPrompt(tuple(kept), len(ids) - len(kept))
    return EncodedPrompt((*ids[:num_marks], *ids[first:]), first - num_marks)
