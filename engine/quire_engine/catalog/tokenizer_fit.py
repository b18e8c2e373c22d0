"""Whether two models split text into the same tokens, by the content of their tokenizers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire_engine.catalog.bounded_files import check_file, parsed, read_bytes
from quire_engine.catalog.rejection import ModelRejected, RejectionKind
from quire_engine.catalog.tokenizer_files import MAX_TOKENIZER

_SHARED = 0.9
"""Part of the larger vocabulary that both must have."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the ids of a model stand for.

    Attributes:
        tokens: the token of each id, as the file spells it.
        marks: ids of tokens that are no text.
        has_bytes: the file spells every byte as a character of its own.
    """

    tokens: dict[int, str]
    marks: frozenset[int]
    has_bytes: bool

    def agrees_with(self, other: Vocabulary) -> bool:
        """Say whether an id that both have stands for the same text, and nearly all are shared.

        Marks may have other names: they are never text. Rows that a model has beyond its tokenizer do not
        count.
        """
        if self.has_bytes != other.has_bytes:
            return False
        shared = self.tokens.keys() & other.tokens.keys()
        if len(shared) < _SHARED * max(len(self.tokens), len(other.tokens)):
            return False
        marks = self.marks & other.marks
        return all(self.tokens[number] == other.tokens[number] for number in shared - marks)


def same_tokens(one: Path, other: Path) -> bool:
    """Say whether the tokenizers of two model folders agree; ModelRejected if one can't be read."""
    contents = [_content(folder) for folder in (one, other)]
    if contents[0] == contents[1]:
        return True
    first, second = map(_vocabulary, contents)
    return first.agrees_with(second)


def read_vocabulary(folder: Path) -> Vocabulary:
    """Return what the ids of a model folder stand for; ModelRejected if its tokenizer can't be read."""
    return _vocabulary(_content(folder))


def _content(folder: Path) -> bytes:
    file = folder / "tokenizer.json"
    check_file(folder, file)
    return read_bytes(file, MAX_TOKENIZER)


def _vocabulary(content: bytes) -> Vocabulary:
    found: Any = parsed(content, "tokenizer.json")
    try:
        listed = found["model"]["vocab"]
        if isinstance(listed, dict):
            tokens = {int(number): str(token) for token, number in listed.items()}
        else:
            tokens = {number: str(entry[0]) for number, entry in enumerate(listed)}
        added = found.get("added_tokens") or []
        tokens |= {int(each["id"]): str(each["content"]) for each in added}
        marks = frozenset(int(each["id"]) for each in added if each.get("special"))
        kinds = set(_types(found.get("decoder")))
    except (AttributeError, LookupError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise ModelRejected(
            RejectionKind.DAMAGED,
            "tokenizer.json is damaged: it has no vocabulary. Download this file again.",
        ) from error
    return Vocabulary(tokens, marks, "ByteLevel" in kinds)


def _types(decoder: Any) -> Iterator[str]:
    """Yield the kinds of step by which tokens become text."""
    if isinstance(decoder, dict):
        yield str(decoder.get("type"))
        for part in decoder.get("decoders") or []:
            yield from _types(part)
