"""Which models split text alike: by what the ids stand for, not by names or files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from quire_engine.catalog.rejection import ModelRejected
from quire_engine.catalog.tokenizer_fit import Vocabulary, read_vocabulary, same_tokens


def edited(folder: Path, to: Path, **changes: Any) -> Path:
    """Return a folder with the tokenizer of another one, changed."""
    to.mkdir()
    content = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8")) | changes
    (to / "tokenizer.json").write_text(json.dumps(content, indent=1), encoding="utf-8")
    return to


def test_the_same_tokens_in_another_file_agree(llama: Path, tmp_path: Path) -> None:
    mark = {"id": 310, "content": "<|extra|>", "special": True}
    added = json.loads((llama / "tokenizer.json").read_text(encoding="utf-8"))["added_tokens"]
    copied = tmp_path / "copied"
    copied.mkdir()
    shutil.copy(llama / "tokenizer.json", copied)
    assert same_tokens(llama, copied)
    assert same_tokens(llama, edited(llama, tmp_path / "a", added_tokens=[*added, mark], version="9"))


def test_two_tokens_that_changed_places_do_not(llama: Path, tmp_path: Path) -> None:
    model = json.loads((llama / "tokenizer.json").read_text(encoding="utf-8"))["model"]
    first, second = [token for token, number in model["vocab"].items() if number in (200, 201)]
    vocab = model["vocab"] | {first: model["vocab"][second], second: model["vocab"][first]}
    assert not same_tokens(llama, edited(llama, tmp_path / "a", model=model | {"vocab": vocab}))


TOKENS = {number: f"t{number}" for number in range(100)}
ONE = Vocabulary(TOKENS, frozenset({98, 99}), has_bytes=True)


@pytest.mark.parametrize(
    ("other", "agrees"),
    [
        (Vocabulary(TOKENS | {100: "more"}, frozenset(), has_bytes=True), True),
        (Vocabulary(TOKENS | {99: "<|renamed|>"}, frozenset({99}), has_bytes=True), True),
        (Vocabulary(TOKENS | {99: "word"}, frozenset(), has_bytes=True), False),
        (Vocabulary(TOKENS, frozenset(), has_bytes=False), False),
        (Vocabulary({n: t for n, t in TOKENS.items() if n < 60}, frozenset(), has_bytes=True), False),
    ],
    ids=["more rows", "another mark", "a mark that is a word", "no bytes", "too few"],
)
def test_what_counts(other: Vocabulary, agrees: bool) -> None:
    assert ONE.agrees_with(other) is agrees
    assert other.agrees_with(ONE) is agrees


def test_lists_of_pieces_are_read_as_well(llama: Path, tmp_path: Path) -> None:
    pieces = [["<unk>", 0.0], ["▁a", -1.0], ["b", -2.0]]
    folder = edited(llama, tmp_path / "a", model={"type": "Unigram", "vocab": pieces}, added_tokens=[])
    assert read_vocabulary(folder).tokens == {0: "<unk>", 1: "▁a", 2: "b"}


@pytest.mark.parametrize("model", [None, {}, {"vocab": [[]]}, {"vocab": 3}], ids=str)
def test_a_damaged_one_is_refused(llama: Path, tmp_path: Path, model: object) -> None:
    with pytest.raises(ModelRejected, match="damaged"):
        read_vocabulary(edited(llama, tmp_path / "a", model=model))


@pytest.mark.parametrize(
    "changes",
    [
        {"decoder": {"type": "Sequence", "decoders": 5}},
        {"added_tokens": [{"id": float("inf"), "content": "a"}]},
        {"model": {"vocab": {"a": float("-inf")}}},
    ],
    ids=["decoders", "infinite id", "infinite number"],
)
def test_one_with_a_damaged_part_is_refused(llama: Path, tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(ModelRejected, match="damaged"):
        read_vocabulary(edited(llama, tmp_path / "a", **changes))
