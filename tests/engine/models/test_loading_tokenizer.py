"""A folder's tokenizer: all of a text goes in, and no mark comes out."""

from __future__ import annotations

from pathlib import Path

import pytest
from tokenizers import AddedToken, Tokenizer

from quire_engine.models.loading import inspect_folder, load_tokenizer, special_token_ids
from tests.engine import tiny
from tests.engine.folders import edit_tokenizer
from tests.engine.tiny import VOCAB_SIZE


def test_a_tokenizer_neither_cuts_nor_pads(own_llama: Path) -> None:
    tokenizer = Tokenizer.from_file(str(own_llama / "tokenizer.json"))
    tokenizer.enable_truncation(4)
    tokenizer.enable_padding(length=4)
    tokenizer.save(str(own_llama / "tokenizer.json"))
    loaded = load_tokenizer(inspect_folder(own_llama))
    assert len(loaded.encode(tiny.OPENING).ids) > 50
    assert len(loaded.encode("x").ids) == 1


def test_marks_and_rows_without_an_entry_are_never_written(tokenizer: Tokenizer, own_llama: Path) -> None:
    size = tokenizer.get_vocab_size()
    assert special_token_ids(tokenizer, VOCAB_SIZE) == (0, *range(size, VOCAB_SIZE))
    assert special_token_ids(tokenizer, size) == (0,)
    edit_tokenizer(own_llama, lambda content: content["model"]["vocab"].update(zz=size + 5))
    with_gap = load_tokenizer(inspect_folder(own_llama))
    unused = set(range(size, VOCAB_SIZE)) - {size + 5}
    assert special_token_ids(with_gap, VOCAB_SIZE) == (0, *sorted(unused))


@pytest.mark.parametrize(
    "mark", ["<think>", "</think>", "<tool_call>", "<|fim_prefix|>", "[INST]", "[/THINK]", "[|endofturn|]"]
)
def test_what_looks_like_a_mark_is_never_written_whatever_its_tokenizer_calls_it(
    tokenizer: Tokenizer, mark: str
) -> None:
    own = Tokenizer.from_str(tokenizer.to_str())
    own.add_tokens([AddedToken(mark, special=False)])
    assert own.token_to_id(mark) in special_token_ids(own, VOCAB_SIZE)


@pytest.mark.parametrize("word", ["Quire", "\n\n", "    ", "<0x0A>", "[", "< ", "it's", "“Oh"])
def test_added_words_white_space_and_bytes_are_written(tokenizer: Tokenizer, word: str) -> None:
    own = Tokenizer.from_str(tokenizer.to_str())
    own.add_tokens([AddedToken(word, special=False)])
    assert own.token_to_id(word) not in special_token_ids(own, VOCAB_SIZE)
