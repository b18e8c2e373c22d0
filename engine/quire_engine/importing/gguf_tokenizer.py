"""From the metadata of a GGUF file to tokenizer.json and what belongs to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.gguf_header import GgufHeader, damaged
from quire_engine.catalog.gguf_support import check_tokenizer_kind
from quire_engine.catalog.rejection import ModelRejected
from quire_engine.importing.pre_tokenizers import WITH_START, ignores_merges, normalizer, pre_tokenizer

_KEY = "tokenizer.ggml."
_MARKS = {"bos": "bos", "eos": "eos", "unknown": "unk", "padding": "pad"}
_ENDS = ("eos", "eot", "eom")
_SPACE = "\u2581"
_FILLING = re.compile(r"\[PAD\d+\]|\[EMPTY_\d+\]")
_ENDING_TEXTS = frozenset(
    {
        "</s>", "<EOT>", "<end_of_turn>", "<eos>", "<|END_OF_TURN_TOKEN|>", "<|end_of_text|>",
        "<|end_of_turn|>", "<|endoftext|>", "<|end|>", "<|eom_id|>", "<|eot_id|>", "<|im_end|>",
        "<|return|>", "<\uff5cend\u2581of\u2581sentence\uff5c>",
    }
)  # fmt: skip
"""Control tokens that end a text or a turn, whether or not the metadata say so."""


class TokenKind(IntEnum):
    """Kinds of entries, by their numbers in the file."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


@dataclass(frozen=True, slots=True)
class TokenizerFiles:
    """The content of the files beside the weights. template: empty for a base model."""

    tokenizer: dict[str, Any]
    settings: dict[str, Any]
    generation: dict[str, Any]
    template: str

    @property
    def largest_id(self) -> int:
        """The largest id of the tokenizer."""
        added = [each["id"] for each in self.tokenizer["added_tokens"]]
        return max([*self.tokenizer["model"]["vocab"].values(), *added], default=-1)


class _Vocabulary:
    """Entries, kinds and marks, checked against each other."""

    def __init__(self, header: GgufHeader) -> None:
        self.header = header
        self.pieces = header.strings(_KEY + "tokens")
        kinds = header.numbers(_KEY + "token_type")
        self.kinds: Sequence[int] = kinds or (TokenKind.NORMAL,) * len(self.pieces)
        if not self.pieces or len(self.kinds) != len(self.pieces):
            raise self.damaged()
        self.marks = {name: self._mark(name) for name in (*_MARKS, "eot", "eom")}

    def damaged(self) -> ModelRejected:
        return damaged(self.header.file, UserMessage("its tokenizer is incomplete"))

    def is_special(self, number: int) -> bool:
        kind = self.kinds[number]
        if kind in (TokenKind.CONTROL, TokenKind.UNKNOWN, TokenKind.UNUSED):
            return True
        return kind == TokenKind.USER_DEFINED and number in self.marks.values()

    def added(self, numbers: Sequence[int]) -> list[dict[str, Any]]:
        """Return the entries that are found in a text before it is divided."""
        found: list[dict[str, Any]] = []
        for number in numbers:
            if not (self.is_special(number) or self.kinds[number] == TokenKind.USER_DEFINED):
                continue
            found.append(
                {
                    "id": number,
                    "content": self.pieces[number],
                    "single_word": False,
                    "lstrip": False,
                    "rstrip": False,
                    "normalized": False,
                    "special": self.is_special(number),
                }
            )
        return found

    def end_ids(self) -> list[int]:
        """Return what ends a text: as the metadata say, and control tokens of a known name."""
        named = {
            number
            for number, piece in enumerate(self.pieces)
            if piece in _ENDING_TEXTS and self.kinds[number] == TokenKind.CONTROL
        }
        said = {self.marks[name] for name in _ENDS} - {None}
        return sorted(named | {number for number in said if number is not None})

    def starts(self, *, by_default: bool) -> bool:
        """Say whether texts begin with the start mark."""
        said = self.header.switch(_KEY + "add_bos_token")
        return (by_default if said is None else said) and self.marks["bos"] is not None

    def _mark(self, name: str) -> int | None:
        found = self.header.fields.get(f"{_KEY}{name}_token_id")
        return found if type(found) is int and 0 <= found < len(self.pieces) else None


def tokenizer_files(header: GgufHeader) -> TokenizerFiles:
    """Return the tokenizer and its settings; ModelRejected if Quire cannot express them."""
    check_tokenizer_kind(header)
    vocabulary = _Vocabulary(header)
    is_pieces = header.text(_KEY + "model") == "llama"
    parts = _of_pieces(vocabulary) if is_pieces else _of_bytes(vocabulary)
    before = header.text(_KEY + "pre", "default")
    starts = vocabulary.starts(by_default=is_pieces or before in WITH_START)
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "post_processor": _start_mark(vocabulary) if starts else None,
    } | parts
    template = header.text("tokenizer.chat_template")
    return TokenizerFiles(tokenizer, _settings(vocabulary, starts), _generation(vocabulary), template)


def _of_bytes(vocabulary: _Vocabulary) -> dict[str, Any]:
    """Byte-level BPE: the merges are in the file."""
    header = vocabulary.header
    kept = [number for number, piece in enumerate(vocabulary.pieces) if not _FILLING.fullmatch(piece)]
    entries = {vocabulary.pieces[number]: number for number in kept}
    if len(entries) != len(kept):
        raise vocabulary.damaged()
    merges = []
    for merge in header.strings(_KEY + "merges"):
        place = merge.find(" ", 1)
        left, right = merge[:place], merge[place + 1 :]
        if place < 0 or left not in entries or right not in entries or left + right not in entries:
            raise vocabulary.damaged()
        merges.append([left, right])
    before = header.text(_KEY + "pre", "default")
    return {
        "added_tokens": vocabulary.added(kept),
        "normalizer": normalizer(before),
        "pre_tokenizer": pre_tokenizer(before),
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": _model(entries, merges, ignore_merges=ignores_merges(before)),
    }


def _of_pieces(vocabulary: _Vocabulary) -> dict[str, Any]:
    """SentencePiece's BPE: the scores say what is merged first, and bytes stand in for unknown characters."""
    header = vocabulary.header
    scores = header.numbers(_KEY + "scores")
    if len(scores) != len(vocabulary.pieces):
        raise vocabulary.damaged()
    entries: dict[str, int] = {}
    merged: dict[str, float] = {}
    added = []
    for number, piece in enumerate(vocabulary.pieces):
        kind = vocabulary.kinds[number]
        if kind != TokenKind.NORMAL:
            added.append(number)
        if piece in entries:
            raise vocabulary.damaged()
        entries[piece] = number
        if kind in (TokenKind.NORMAL, TokenKind.USER_DEFINED):
            merged[piece] = scores[number]
    said = header.switch(_KEY + "add_space_prefix")
    is_prefixed = said is None or said
    unknown = vocabulary.marks["unknown"]
    replaced = {"type": "Replace", "pattern": {"String": " "}, "content": _SPACE}
    normal = [{"type": "Prepend", "prepend": _SPACE}, replaced] if is_prefixed else [replaced]
    decoders: list[dict[str, Any]] = [
        {"type": "Replace", "pattern": {"String": _SPACE}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
    ]
    if is_prefixed:
        decoders.append({"type": "Strip", "content": " ", "start": 1, "stop": 0})
    return {
        "added_tokens": vocabulary.added(added),
        "normalizer": {"type": "Sequence", "normalizers": normal},
        "pre_tokenizer": None,
        "decoder": {"type": "Sequence", "decoders": decoders},
        "model": _model(
            entries,
            merges_by_score(merged),
            byte_fallback=True,
            fuse_unk=True,
            unk_token=None if unknown is None else vocabulary.pieces[unknown],
        ),
    }


def merges_by_score(scores: dict[str, float]) -> list[list[str]]:
    """Return the merges of a vocabulary with scores, the likeliest first; longer parts first among equals."""
    found: list[tuple[float, int, int, str, str]] = []
    for piece, score in scores.items():
        for place in range(1, len(piece)):
            left, right = piece[:place], piece[place:]
            if left in scores and right in scores:
                found.append((score, len(left), len(right), left, right))
    found.sort(key=lambda each: each[:3], reverse=True)
    return [[left, right] for *_, left, right in found]


def _model(entries: dict[str, int], merges: list[list[str]], **options: Any) -> dict[str, Any]:
    standard = {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
    }
    return standard | options | {"vocab": entries, "merges": merges}


def _start_mark(vocabulary: _Vocabulary) -> dict[str, Any]:
    number = vocabulary.marks["bos"]
    mark = vocabulary.pieces[number or 0]
    start = {"SpecialToken": {"id": mark, "type_id": 0}}
    first, second = ({"Sequence": {"id": name, "type_id": kind}} for kind, name in enumerate("AB"))
    return {
        "type": "TemplateProcessing",
        "single": [start, first],
        "pair": [start, first, second],
        "special_tokens": {mark: {"id": mark, "ids": [number], "tokens": [mark]}},
    }


def _settings(vocabulary: _Vocabulary, starts: bool) -> dict[str, Any]:
    settings: dict[str, Any] = {"tokenizer_class": "PreTrainedTokenizerFast", "add_bos_token": starts}
    for name, said in _MARKS.items():
        number = vocabulary.marks[name]
        if number is not None:
            settings[f"{said}_token"] = vocabulary.pieces[number]
    return settings


def _generation(vocabulary: _Vocabulary) -> dict[str, Any]:
    return {"bos_token_id": vocabulary.marks["bos"], "eos_token_id": vocabulary.end_ids()}
