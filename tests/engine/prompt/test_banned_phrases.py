"""Banned phrases as tokens, and runs that may not write them: plain, accelerated, paused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tokenizers import Tokenizer, decoders, models, normalizers

from quire_engine.api.config import PLAIN, SamplingConfig
from quire_engine.cli.arguments import built_in_model
from quire_engine.prompt.banned_phrases import banned_sequences, spellings
from tests.engine import worded
from tests.engine.desk import FAST, SAMPLING, Desk, Models, resume, start
from tests.engine.tiny import SENTENCES
from tests.engine.worded import words

MANY = 10**6


@pytest.fixture(scope="module")
def on_desk(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Models:
    return Models(worded.save("llama", tmp_path_factory.mktemp("worded") / "model"))


# ---------------------------------------------------------------- tokens
@pytest.fixture(scope="module")
def byte_level() -> Tokenizer:
    return Tokenizer.from_file(str(built_in_model() / "tokenizer.json"))


def with_marks() -> Tokenizer:
    """Return a tokenizer that puts a space, as a mark, before the first word of a text, as some models do."""
    pieces = sorted({"\u2581", "\n", *"abcdefghijklmnopqrstuvwxyzATESMN,.'\u2019", "\u2581late", "late"})
    merges = [("l", "a"), ("t", "e"), ("la", "te"), ("\u2581", "late")]
    for left, right in merges:
        pieces.append(left + right)
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]
    )
    tokenizer.decoder = decoders.Metaspace()
    return tokenizer


def holds(ids: list[int], sequences: tuple[tuple[int, ...], ...]) -> bool:
    return any(
        tuple(ids[at : at + len(one)]) == one for one in sequences for at in range(len(ids) - len(one) + 1)
    )


@pytest.mark.parametrize(
    "text",
    [
        "It was late, a testament to her patience.",
        "A testament to nothing at all.",
        "A line.\na testament to him",
        "IT WAS A TESTAMENT TO THEM",
        "\u201ca testament to us\u201d",
    ],
)
def test_a_phrase_is_found_in_its_usual_spellings(byte_level: Tokenizer, text: str) -> None:
    sequences = banned_sequences(byte_level, ["a testament to"], MANY)
    assert holds(byte_level.encode(text).ids, sequences)
    assert not holds(byte_level.encode("It was late, and there was a ferry.").ids, sequences)


@pytest.mark.parametrize("typed", ["couldn't help but", "couldn\u2019t help but", "  couldn't help but "])
@pytest.mark.parametrize("mark", ["'", "\u2019"])
def test_apostrophes_are_banned_straight_and_curved(byte_level: Tokenizer, typed: str, mark: str) -> None:
    sequences = banned_sequences(byte_level, [typed], MANY)
    assert holds(byte_level.encode(f"She couldn{mark}t help but laugh.").ids, sequences)


@pytest.mark.parametrize(
    ("phrase", "written"),
    [
        ("don't -- not now...", "don’t — not now…"),
        ("“testament”", '"testament"'),
        ('"testament"', "“testament”"),
        ("cafe\u0301", "café"),
        ("café", "CAFE\u0301"),
        ("tape\u00adstry", "Tapestry"),
        ("a – b", "a -- b"),
    ],
)
def test_a_phrase_is_avoided_as_keyboards_and_typesetters_write_it(phrase: str, written: str) -> None:
    assert written in spellings(phrase)


def test_tokenizers_that_put_a_space_before_a_text_know_words_without_one() -> None:
    tokenizer = with_marks()
    sequences = banned_sequences(tokenizer, ["late"], MANY)
    for piece in ("late", "\u2581late"):
        assert (tokenizer.token_to_id(piece),) in sequences
    assert holds(tokenizer.encode("sea,late").ids, sequences)


def test_what_the_model_has_no_rows_for_is_left_out(byte_level: Tokenizer) -> None:
    sequences = banned_sequences(byte_level, ["a testament to"], MANY)
    highest = max(max(one) for one in sequences)
    fewer = banned_sequences(byte_level, ["a testament to"], highest)
    assert fewer == tuple(one for one in sequences if max(one) < highest) != sequences
    assert banned_sequences(byte_level, [], MANY) == ()


def test_spellings_that_the_tokenizer_does_not_know_are_left_out(on_desk: Models) -> None:
    """W5 is the token for all that is unknown; to ban that would ban other words."""
    tokenizer = on_desk.loaded("float32").tokenizer
    assert banned_sequences(tokenizer, ["w5", "w6 w7"], MANY) == ((5,), (6, 7))


# ---------------------------------------------------------------- runs
def banning(written: tuple[int, ...]) -> SamplingConfig:
    """Return settings that ban what is in a text: words alone, and in twos and threes."""
    phrases = [f"w{written[3]}", *(f"w{a} w{b}" for a, b in zip(written[5::7], written[6::7], strict=False))]
    phrases.append(" ".join(f"w{token}" for token in written[50:53]))
    return replace(SAMPLING, banned=tuple(phrases))


def test_a_run_with_banned_phrases_is_the_same_plain_accelerated_and_paused(on_desk: Models) -> None:
    count = 450
    free = Desk(on_desk.fresh("float32", 256)).run(start(words(90)), count)
    sampling = banning(free)
    desk = Desk(on_desk.fresh("float32", 256))
    sequences = banned_sequences(desk.loaded.tokenizer, sampling.banned, desk.loaded.vocab_size)
    assert holds(list(free), sequences)
    plain = desk.run(replace(start(words(90)), sampling=sampling), count)
    assert not holds(list(plain), sequences)
    fast = Desk(on_desk.fresh("float32", 256))
    assert fast.run(replace(start(words(90), FAST), sampling=sampling), count)[:count] == plain
    paused = Desk(on_desk.fresh("float32", 256))
    written = paused.run(replace(start(words(90), FAST), sampling=sampling), 40)
    for drafting, pause in ((PLAIN, 33), (FAST, 150), (PLAIN, 5), (FAST, 60)):
        if pause == 5:
            paused = Desk(on_desk.fresh("float32", 256))  # another day, so that all is read again
        command = replace(resume(words(90), written, drafting=drafting), sampling=sampling)
        written += paused.run(command, pause)
        assert written == plain[: len(written)]


def test_another_list_is_another_session(on_desk: Models) -> None:
    """What is live continues only with the same phrases; with others the very next word may be another."""
    desk = Desk(on_desk.fresh("float32"))
    free = desk.run(start(words(90)), 30)
    banned = replace(SAMPLING, banned=(f"w{free[20]}",))
    rest = desk.run(replace(resume(words(90), free[:20]), sampling=banned), 10)
    assert rest[0] != free[20]
    assert free[20] not in rest


def test_the_built_in_model_writes_around_a_word(one_thread: None, tmp_path: Path) -> None:
    loaded = Models(built_in_model()).loaded("float32", 512)
    prompt = loaded.tokenizer.encode("".join(SENTENCES)).ids
    command = replace(resume(tuple(prompt), ()), drafting=PLAIN)
    free = Desk(loaded).run(command, 60)
    text = loaded.tokenizer.decode(list(free))
    assert " the " in text
    sampling = replace(command.sampling, banned=("the",))
    without = Desk(loaded).run(replace(command, sampling=sampling), 60)
    sequences = banned_sequences(loaded.tokenizer, ("the",), loaded.vocab_size)
    assert holds(list(free), sequences)
    assert not holds(list(without), sequences)
