"""Text of one tokenizer in the pieces of another: no byte is lost, and the cache is in step with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from quire_engine.api.config import PLAIN, DraftingConfig, SamplingConfig
from quire_engine.catalog.tokenizer_fit import Vocabulary, read_vocabulary
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting.draft_model import DraftModel, DraftModelDrafter
from quire_engine.drafting.drafter import DrafterInput, DraftTokens, Observed
from quire_engine.drafting.token_translation import NO_TOKEN, TokenTranslation, TranslatedText
from quire_engine.integer.integer_runner import IntegerRunner
from quire_engine.runtime.session import DraftingSession
from quire_resources import BUILT_IN_MODEL
from tests.engine.conftest import Networks
from tests.engine.runtime.test_session import FORMATS, Model, advance, integers_of, model_of
from tests.engine.tiny import OPENING, VOCAB_SIZE, few, prompt_ids
from tests.training.tokenizer import train_tokenizer

SAMPLING = SamplingConfig(seed=8, temperature=0.8)
CHAIN = DraftingConfig("tokenswift", ("draft_model",), (2, 1, 1))
WORDS = (
    "\u2581the",
    "\u2581lamps",
    "\u2581pilot",
    "ing",
    "\n\n",
    "\u2581\u2581",
    ".”",
    "\u2581“",
    "th",
    "é",
    "水边",
)
LARGE = Vocabulary(
    {0: "<s>", **{1 + byte: f"<0x{byte:02X}>" for byte in range(256)}}
    | {257 + place: word for place, word in enumerate(WORDS)}
    | {257 + len(WORDS) + place: chr(32 + place) for place in range(32)},
    frozenset({0}),
    has_bytes=False,
)
"""As SentencePiece has it: bytes by number, words with a mark for their space."""
NEVER = tuple(range(len(LARGE.tokens), VOCAB_SIZE))
TOKENS = st.lists(st.sampled_from([*LARGE.tokens, 257, 258, 259, 261, 266]), max_size=40)


def small_vocabulary(tokenizer: Tokenizer) -> Vocabulary:
    spelled = {number: token for token, number in tokenizer.get_vocab().items()}
    return Vocabulary(spelled, frozenset({0}), has_bytes=True)


@cache
def translation() -> TokenTranslation:
    """Between these tokens and those of a tiny model."""
    tokenizer = train_tokenizer([OPENING] * 3, 300)
    return TokenTranslation(LARGE, small_vocabulary(tokenizer), tokenizer, NEVER)


@cache
def of_the_built_in_model() -> TokenTranslation:
    tokenizer = Tokenizer.from_file(str(BUILT_IN_MODEL / "tokenizer.json"))
    return TokenTranslation(LARGE, read_vocabulary(BUILT_IN_MODEL), tokenizer)


def bytes_of(tokens: Sequence[int]) -> bytes:
    return b"".join(translation().text_of_token.get(token, b"") for token in tokens)


def read(pieces: Sequence[int], known: TokenTranslation) -> bytes:
    return b"".join(known.text_of_piece[piece] for piece in pieces)


# ---------------------------------------------------------------- text
@few
@given(parts=st.lists(TOKENS, max_size=12), more=TOKENS, of_built_in=st.booleans())
def test_the_pieces_of_a_text_are_the_text_however_it_came(
    parts: list[list[int]], more: list[int], of_built_in: bool
) -> None:
    """Whole characters and halves, words and line ends, one by one and many at once."""
    known = of_the_built_in_model() if of_built_in else translation()
    text, whole = TranslatedText(known), list[int]()
    for part in parts:
        text.add(part)
        whole += part
        assert len(text) == len(text.pieces(0))
    assert read(text.pieces(0), known) == bytes_of(whole)
    assert read(text.pieces(0, more), known) == bytes_of([*whole, *more])
    assert text.pieces(3, more) == text.pieces(0, more)[3:]
    assert text.pieces(len(text)) == []


@few
@given(
    words=st.lists(
        st.sampled_from(["a", "the", "lamps", "x1", "42", "“Ha”", "naïve", "\n\n", "."]), max_size=200
    )
)
def test_a_text_that_came_bit_by_bit_is_split_as_at_once(words: list[str]) -> None:
    known, whole = of_the_built_in_model(), " ".join(words).encode()
    text = TranslatedText(known)
    for byte in whole:
        text.add([1 + byte])
    assert text.pieces(0) == known.pieces_of(whole)


def test_line_ends_are_split_as_before_another_line() -> None:
    """A small model has read them so, whether or not the text goes on yet."""
    known = of_the_built_in_model()
    ended, whole = known.pieces_of(b"dusk.\n\n"), known.pieces_of(b"dusk.\n\nHe")
    assert whole[: len(ended)] == ended


def test_the_name_of_a_mark_is_text() -> None:
    known = translation()
    pieces = known.pieces_of(b"a <|endoftext|> b")
    assert 0 not in pieces
    assert read(pieces, known) == b"a <|endoftext|> b"


# ---------------------------------------------------------------- tokens
def test_a_piece_stands_for_the_longest_token_that_it_begins_with() -> None:
    known = translation()
    assert known.first_token(b" the") == 257
    assert known.first_token(b" therefore") == 257
    assert known.first_token("é".encode()) == 257 + WORDS.index("é")
    assert known.first_token(b"\xc3") == 1 + 0xC3
    assert known.first_token(b"") == NO_TOKEN
    assert known.first_token(b"$") == 257 + len(WORDS) + 4  # and not its byte


def test_tokens_that_are_never_drawn_are_not_said() -> None:
    tokenizer = train_tokenizer([OPENING] * 3, 300)
    small = small_vocabulary(tokenizer)
    known = TokenTranslation(LARGE, small, tokenizer, never=(257, 1 + 0x78))
    assert known.first_token(b" the") != 257
    assert known.first_token(b"x") == NO_TOKEN
    row = TranslatedText(known).row(np.zeros(300, np.float32))
    assert row.ids is not None
    assert not {257, 1 + 0x78, NO_TOKEN} & set(row.ids.tolist())
    assert (np.diff(row.ids) > 0).all()


def test_a_token_that_a_piece_began_before_gets_its_share() -> None:
    known = translation()
    text = TranslatedText(known)
    (newline,) = known.pieces_of(b"\n")
    logits = np.full(300, -50, np.float32)
    logits[newline] = 3.0
    paragraph, line = 257 + WORDS.index("\n\n"), known.first_token(b"\n")
    split = known.pieces_of(b"\n\n")
    before = text.row(logits)
    assert before.ids is not None
    assert before.ids.tolist() == [line]
    text.add([paragraph] * 3)
    after = text.row(logits)
    assert after.ids is not None
    if len(split) > 1:  # else the piece is the token
        assert dict(zip(after.ids.tolist(), np.exp(after.logits - 3).round(3).tolist(), strict=True)) == {
            line: 0.25,
            paragraph: 0.75,
        }
    assert np.logaddexp.reduce(after.logits) == pytest.approx(np.logaddexp.reduce(before.logits), abs=1e-5)


# ---------------------------------------------------------------- its cache
def guesses(drafter: DraftModelDrafter, text: list[int], depth: int) -> list[DraftTokens]:
    """Return what it proposes along its own chain after a text."""
    request = DrafterInput(text[-1], len(text), SAMPLING, np.array(sorted(set(text))), 8)
    while drafter.begin(request):
        pass
    tree, node, found = DraftTree(text[-1]), ROOT, list[DraftTokens]()
    for _ in range(depth):
        (proposed,) = drafter.expand(tree, [node])
        found.append(proposed)
        if not proposed.token_ids:
            break
        node = tree.add_child(node, proposed.token_ids[0])
    return found


@few
@given(
    turns=st.lists(
        st.tuples(st.integers(1, 4), st.integers(0, 4), TOKENS.filter(len)), min_size=1, max_size=8
    )
)
def test_it_guesses_as_one_that_reads_the_whole_text_now(turns: list[tuple[int, int, list[int]]]) -> None:
    """After guesses that were right, half right and wrong, in words and in the middle of a character."""
    model = DraftModel(IntegerRunner(integers_of("qwen3"), 8, 512), VOCAB_SIZE, translation=translation())
    other = replace(model, runner=model.runner.with_own_cache())
    drafter, text = DraftModelDrafter(model), [257, 258]
    drafter.observe(Observed(text))
    for depth, accepted, others in turns:
        found = guesses(drafter, text, depth)
        fresh = DraftModelDrafter(other)
        fresh.observe(Observed(text))
        assert found == guesses(fresh, text, depth)
        assert drafter._read_pieces == drafter._text.pieces(drafter._start, drafter._chain[: len(found) - 1])
        assert len(drafter._read_pieces) == model.runner.length
        gained = [*[each.token_ids[0] for each in found if each.token_ids][:accepted], *others]
        if len(text) + len(gained) > 100:
            break
        text = [*text, *gained]
        drafter.observe(Observed(gained))


def test_a_text_of_marks_alone_brings_no_guess() -> None:
    model = DraftModel(IntegerRunner(integers_of("qwen3"), 8, 128), VOCAB_SIZE, translation=translation())
    drafter = DraftModelDrafter(model)
    drafter.observe(Observed([0, 0]))
    assert guesses(drafter, [0, 0], 1) == [DraftTokens()]


def test_a_longer_text_than_its_context_is_read_from_its_newest_part() -> None:
    model = DraftModel(IntegerRunner(integers_of("qwen3"), 8, 128), VOCAB_SIZE, translation=translation())
    drafter, text = DraftModelDrafter(model), prompt_ids(300)
    drafter.observe(Observed(text))
    for token in (257, 258, 260, 5, 300):
        assert guesses(drafter, text, 3)
        assert 0 < model.runner.length <= 128
        text = [*text, token]
        drafter.observe(Observed([token]))


# ---------------------------------------------------------------- the law
def translated(model: Model, known: TokenTranslation) -> Model:
    """Return a model whose draft model has another tokenizer."""
    assert model.draft_model is not None
    return replace(model, suppressed=NEVER, draft_model=replace(model.draft_model, translation=known))


def wrong() -> TokenTranslation:
    """Return a table in which every piece stands for another token than its own."""
    known = translation()
    found = object.__new__(TokenTranslation)
    found.__dict__.update(known.__dict__)
    found._first = np.random.default_rng(1).permutation(known._first)
    return found


@pytest.mark.sliced
@pytest.mark.parametrize(
    ("dtype", "tree"),
    [*((dtype, (2, 1, 1)) for dtype in FORMATS), *((torch.int8, tree) for tree in ((1,) * 7, (5, 2), ()))],
    ids=str,
)
def test_guesses_of_another_tokenizer_change_no_word(
    networks: Networks, dtype: torch.dtype, tree: tuple[int, ...]
) -> None:
    for sampling in (SAMPLING, SamplingConfig(seed=2, temperature=0, repetition_penalty=1.1)):
        model = translated(model_of(networks, dtype), translation())
        plain = DraftingSession(model, prompt_ids(60), (), sampling, PLAIN)
        advance(plain, 70)
        for known in (translation(), wrong()):
            model = translated(model_of(networks, dtype), known)
            drafting = replace(CHAIN, tree=tree) if tree else DraftingConfig("tokenswift")
            session = DraftingSession(model, prompt_ids(60), (), sampling, drafting)
            advance(session, 60)
            assert session.generated_ids[:60] == plain.generated_ids[:60]


def test_a_killed_run_goes_on_as_if_it_had_not_been(networks: Networks) -> None:
    """Nothing of the small model is kept: another process begins with an empty cache."""
    plain = DraftingSession(
        translated(model_of(networks), translation()), prompt_ids(60), (), SAMPLING, PLAIN
    )
    advance(plain, 130)
    text: tuple[int, ...] = ()
    for length in (3, 40, 41, 120):
        model = translated(model_of(networks), translation())
        session = DraftingSession(model, prompt_ids(60), text, SAMPLING, CHAIN)
        advance(session, length)
        text = session.generated_ids
        assert text == plain.generated_ids[: len(text)]
