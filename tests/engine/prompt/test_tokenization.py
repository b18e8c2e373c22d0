"""The tokenizer's edge: text comes out whole, goals end where a reader stops, long texts keep their end."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

from quire_engine.api.config import Goal
from quire_engine.models.loading import inspect_folder, load_tokenizer
from quire_engine.prompt.tokenization import Detokenizer, encode_prompt, encode_text
from quire_engine.runtime.stop_conditions import GoalMonitor
from tests.engine.tiny import OPENING, SENTENCES, few

HELD = "\ufffd"


# ---------------------------------------------------------------- from tokens to text
def byte_alphabet() -> dict[int, str]:
    """Return the character that stands for each byte in a byte-level tokenizer, found by encoding."""
    visible = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in visible]
    return {byte: chr(byte) for byte in visible} | {byte: chr(256 + n) for n, byte in enumerate(others)}


def cut_into_tokens(pieces: Sequence[bytes]) -> tuple[Tokenizer, list[int]]:
    """Return a tokenizer with these pieces as its entries, and the ids that spell them."""
    alphabet = byte_alphabet()
    spelt = ["".join(alphabet[byte] for byte in piece) for piece in pieces]
    vocab = {entry: number for number, entry in enumerate(dict.fromkeys(spelt))}
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer, [vocab[entry] for entry in spelt]


def texts_of(tokenizer: Tokenizer, ids: Sequence[int], context: Sequence[int] = ()) -> list[str]:
    detokenizer = Detokenizer(tokenizer, context)
    return [detokenizer.add((token,)) for token in ids]


def test_the_alphabet_of_these_tests_is_the_tokenizers_own() -> None:
    assert set(byte_alphabet().values()) == set(pre_tokenizers.ByteLevel.alphabet())


@pytest.mark.parametrize("text", ["a😀b", "“é”", "汉字", "👩‍🚀", "e\u0301—", "½ \u00a0x"])
def test_every_way_to_cut_a_short_text_gives_it_whole(text: str) -> None:
    data = text.encode()
    for choice in itertools.product([False, True], repeat=min(len(data) - 1, 10)):
        cuts = [place for place, cut in enumerate(choice, start=1) if cut]
        pieces = [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]
        tokenizer, ids = cut_into_tokens(pieces)
        texts = texts_of(tokenizer, ids)
        assert "".join(texts) == text
        assert not any(HELD in piece for piece in texts)


@few
@given(
    st.text(st.sampled_from("aé“”😀汉字\u0301 \n") | st.characters(exclude_characters=HELD), min_size=1),
    st.data(),
)
def test_any_way_to_cut_any_text_gives_it_whole(text: str, data: st.DataObject) -> None:
    encoded = text.encode()
    cuts = sorted(data.draw(st.sets(st.integers(1, len(encoded)))) - {len(encoded)})
    pieces = [encoded[start:end] for start, end in zip([0, *cuts], [*cuts, len(encoded)], strict=True)]
    tokenizer, ids = cut_into_tokens(pieces)
    texts = texts_of(tokenizer, ids)
    assert "".join(texts) == text
    assert not any(HELD in piece for piece in texts)


@pytest.mark.parametrize("text", ["漢字仮名交じり文を書く人", "😀😁😂🤣😃😄😅😆😇😈"])
@pytest.mark.parametrize("offset", [1, 2])
def test_tokens_that_all_end_inside_a_character_give_the_text_whole(text: str, offset: int) -> None:
    """As tokenizers trained on few such texts cut them: each token ends one character and begins another."""
    data, size = text.encode(), len(text[0].encode())
    pieces = [data[:offset], *[data[start : start + size] for start in range(offset, len(data), size)]]
    tokenizer, ids = cut_into_tokens(pieces)
    texts = texts_of(tokenizer, ids)
    assert not any(HELD in piece for piece in texts)
    assert "".join(texts) == text


def test_a_character_comes_with_the_token_that_completes_it() -> None:
    tokenizer, ids = cut_into_tokens([b"a", b"\xf0\x9f", b"\x98", b"\x80", b"b"])
    assert texts_of(tokenizer, ids) == ["a", "", "", "😀", "b"]


def test_bytes_that_are_no_text_are_held_back_for_a_while_only() -> None:
    tokenizer, ids = cut_into_tokens([b"a", *[b"\xf0"] * 30, *[b"b"] * 3])
    texts = texts_of(tokenizer, ids)
    assert set("".join(texts)) == {"a", "b", HELD}
    assert HELD in "".join(texts[:12])
    assert texts[-2:] == ["b", "b"]


def test_tokens_added_together_give_the_text_of_tokens_added_one_by_one(tokenizer: Tokenizer) -> None:
    ids = tokenizer.encode(OPENING).ids
    assert Detokenizer(tokenizer, ()).add(ids) == "".join(texts_of(tokenizer, ids)) == OPENING


@pytest.mark.parametrize("num_context", [0, 1, 5, 31, 32, 33, 200])
def test_the_text_before_decides_how_the_first_token_reads(num_context: int) -> None:
    """A tokenizer that drops the space at the start of a text, as those of many older models do."""
    tokenizer = Tokenizer(models.WordLevel({"▁the": 0, "▁ferry": 1}, unk_token="▁the"))
    tokenizer.decoder = decoders.Metaspace()
    texts = texts_of(tokenizer, [1, 0], [0] * num_context)
    assert texts == ([" ferry", " the"] if num_context else ["ferry", " the"])


def test_a_context_cut_inside_a_character_does_not_matter() -> None:
    tokenizer, ids = cut_into_tokens([b"\xf0", b"\x9f", b"\x98", b"\x80", b"b", b"c"])
    context = ids[:4] * 9 + [ids[4]]
    assert texts_of(tokenizer, [ids[5], *ids[:4], ids[5]], context) == ["c", "", "", "", "😀", "c"]


# ---------------------------------------------------------------- goals
def ends_at(goal: Goal, pieces: Sequence[str]) -> int | None:
    """Return at which piece a run ends, counted from 1."""
    watch = GoalMonitor(goal)
    return next((number for number, piece in enumerate(pieces, start=1) if watch.add(piece)), None)


@pytest.mark.parametrize("tokens", [1, 2, 7])
def test_a_goal_in_tokens_ends_at_that_very_token(tokens: int) -> None:
    assert ends_at(Goal(tokens=tokens), ["", "a", " b", "", ".", " c", "d", "e"]) == tokens


def test_a_goal_in_words_continues_to_the_end_of_the_sentence() -> None:
    pieces = ["One", " two", " three", " four", " five", ".", " Six", "."]
    assert ends_at(Goal(words=3), pieces) == 6
    assert ends_at(Goal(words=100), pieces) is None


def test_a_goal_in_words_ends_in_the_middle_of_a_sentence_that_does_not_end() -> None:
    pieces = [" word"] * 100
    assert ends_at(Goal(words=10, sentence_slack=5), pieces) == 16  # the 16th begins when 15 words are whole
    assert ends_at(Goal(words=10, sentence_slack=0), pieces) == 11


def test_a_goal_in_words_does_not_end_inside_of_a_quotation() -> None:
    pieces = ["“One", " two", " three", ".", " Four", ".”", " Five", "."]
    assert ends_at(Goal(words=2), pieces) == 6


def test_whichever_goal_is_reached_first_ends_the_run() -> None:
    pieces = ["One", " two", ".", " Three", "."]
    assert ends_at(Goal(words=100, tokens=2), pieces) == 2
    assert ends_at(Goal(words=1, tokens=100), pieces) == 3


def test_a_run_counts_whole_words_of_its_own() -> None:
    watch = GoalMonitor(Goal(words=100))
    for piece in ("One", " two", " thr", "ee"):
        watch.add(piece)
    assert watch.num_words == 2


@few
@given(
    st.lists(st.sampled_from(["a", " b", ".", "”", " “", "\n\n", "", " Mr", "."]), max_size=60),
    st.integers(1, 20),
)
def test_a_run_never_ends_before_its_words_nor_after_its_slack(pieces: list[str], words: int) -> None:
    watch = GoalMonitor(Goal(words=words, sentence_slack=4))
    for piece in pieces:
        done = watch.add(piece)
        assert done or watch.num_words < words + 4
        if done:
            assert watch.num_words >= words
            return


# ---------------------------------------------------------------- prompts
def test_a_text_that_fits_is_read_whole(tokenizer: Tokenizer) -> None:
    ids = tokenizer.encode(OPENING).ids
    for budget in (None, len(ids), len(ids) + 1):
        prompt = encode_prompt(tokenizer, OPENING, budget)
        assert (list(prompt.token_ids), prompt.num_left_out) == (ids, 0)


def test_the_newest_part_begins_with_a_paragraph(tokenizer: Tokenizer) -> None:
    text = "".join(SENTENCES)
    num_last = len(tokenizer.encode(SENTENCES[-2] + SENTENCES[-1]).ids)
    prompt = encode_prompt(tokenizer, text, num_last + 5)
    assert tokenizer.decode(list(prompt.token_ids)) == SENTENCES[-2] + SENTENCES[-1]
    assert prompt.num_left_out == len(tokenizer.encode(text).ids) - num_last


def test_a_text_without_paragraphs_is_cut_where_the_budget_ends(tokenizer: Tokenizer) -> None:
    text = " ".join(SENTENCES).replace("\n\n", "") * 4
    ids = tokenizer.encode(text).ids
    prompt = encode_prompt(tokenizer, text, 100)
    assert list(prompt.token_ids) == ids[-100:]
    assert prompt.num_left_out == len(ids) - 100


def test_a_paragraph_that_begins_late_does_not_cost_most_of_the_budget(tokenizer: Tokenizer) -> None:
    text = SENTENCES[0].strip() * 10 + "\n\n" + SENTENCES[1]
    prompt = encode_prompt(tokenizer, text, 200)
    assert len(prompt.token_ids) == 200


@few
@given(
    st.lists(st.sampled_from([*SENTENCES, "\n", "\n\n\n", "  ", "“—”", "😀"]), min_size=4),
    st.integers(3, 400),
)
def test_the_newest_part_is_an_end_of_the_text_and_fits(
    tokenizer: Tokenizer, parts: list[str], budget: int
) -> None:
    text = "".join(parts)
    prompt = encode_prompt(tokenizer, text, budget)
    total = len(tokenizer.encode(text).ids)
    assert len(prompt.token_ids) <= budget
    assert prompt.num_left_out == total - len(prompt.token_ids)
    kept = tokenizer.decode(list(prompt.token_ids), skip_special_tokens=False)
    assert text.endswith(kept.lstrip(HELD))
    assert len(prompt.token_ids) >= min(total, budget - budget // 3 - 1)


def test_a_beginning_mark_stays_in_front_of_the_newest_part(tokenizer: Tokenizer) -> None:
    """Models that were trained with one write worse without it."""
    marked = Tokenizer.from_str(tokenizer.to_str())
    marked.post_processor = processors.TemplateProcessing(
        single="<|endoftext|> $A", special_tokens=[("<|endoftext|>", 0)]
    )
    with_paragraph = "".join(SENTENCES)
    without = with_paragraph.replace("\n\n", " ")
    for text in (with_paragraph, without):
        for budget in (60, 100, 150):
            prompt = encode_prompt(marked, text, budget)
            assert prompt.token_ids[0] == 0
            assert 0 not in prompt.token_ids[1:]
            assert len(prompt.token_ids) <= budget


def test_a_mark_that_is_written_out_is_read_as_text(llama: Path) -> None:
    tokenizer = load_tokenizer(inspect_folder(llama))
    ids = encode_prompt(tokenizer, "A <|endoftext|> of hers.", None).token_ids
    assert tokenizer.token_to_id("<|endoftext|>") not in ids
    assert tokenizer.decode(list(ids)) == "A <|endoftext|> of hers."


@given(text=st.text(max_size=80), marks=st.booleans())
def test_a_batch_of_one_is_what_the_library_makes_of_one_text(
    tokenizer: Tokenizer, text: str, marks: bool
) -> None:
    ours, theirs = encode_text(tokenizer, text, marks=marks), tokenizer.encode(text, add_special_tokens=marks)
    assert (ours.ids, ours.offsets) == (theirs.ids, theirs.offsets)
