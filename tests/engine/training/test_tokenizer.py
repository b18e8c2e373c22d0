from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from tests.engine.tiny import OPENING, SENTENCES, few
from tests.training.tokenizer import END_OF_TEXT, save_tokenizer, train_tokenizer


def round_trip(tokenizer: Tokenizer, text: str) -> str:
    return str(tokenizer.decode(tokenizer.encode(text).ids, skip_special_tokens=False))


@few
@given(st.text())
def test_any_text_comes_back_as_it_was(tokenizer: Tokenizer, text: str) -> None:
    assert round_trip(tokenizer, text) == text


@pytest.mark.parametrize(
    "text",
    [
        OPENING,
        " two  spaces   three ",
        "a\r\nb\tc\x00d",
        "\n\n\n",
        "’s ’T don’t 'll 've’re",
        "\uff11\uff12\uff13 ½ Ⅷ 42,000.5",
        "e\u0301 \u200d👩‍🚀 \ufeff \u00a0",
        "漢字とかな",
        "<|endoftex|>",
        "\ufffd",
    ],
)
def test_unusual_text_comes_back_too(tokenizer: Tokenizer, text: str) -> None:
    assert round_trip(tokenizer, text) == text


def test_it_has_the_wanted_size_and_the_mark_comes_first(tokenizer: Tokenizer) -> None:
    assert tokenizer.get_vocab_size() == 300
    assert tokenizer.token_to_id(END_OF_TEXT) == 0
    assert len(train_tokenizer(SENTENCES, 280).get_vocab()) == 280


def test_the_same_texts_make_the_same_tokenizer() -> None:
    assert train_tokenizer(SENTENCES, 290).to_str() == train_tokenizer(SENTENCES, 290).to_str()


def test_frequent_words_take_fewer_tokens_than_bytes(tokenizer: Tokenizer) -> None:
    assert len(tokenizer.encode(OPENING).ids) < 0.75 * len(OPENING.encode())


def test_line_breaks_stand_alone_and_a_space_belongs_to_the_word_after_it(tokenizer: Tokenizer) -> None:
    pieces = [OPENING[start:end] for start, end in tokenizer.encode(OPENING).offsets]
    assert all(set(piece) == {"\n"} for piece in pieces if "\n" in piece)
    assert not any(piece.endswith(" ") and len(piece) > 1 for piece in pieces)
    assert " the" in pieces


def test_a_saved_tokenizer_is_the_same(tokenizer: Tokenizer, tmp_path: Path) -> None:
    save_tokenizer(tokenizer, tmp_path / "new" / "folder")
    again = Tokenizer.from_file(str(tmp_path / "new" / "folder" / "tokenizer.json"))
    assert again.encode(OPENING).ids == tokenizer.encode(OPENING).ids
