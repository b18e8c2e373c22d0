"""Shortlists: what is drawn from one is what is drawn from the whole row, bit for bit."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding import candidate_tokens
from quire_engine.decoding.candidate_tokens import GREEDY_KEPT, LONGEST, can_shorten, shorten, unpacked
from quire_engine.decoding.sampling import Draw, penalise
from quire_engine.decoding.sampling_rules import SamplingRules
from tests.engine.tiny import few

INF = math.inf
INDEX = 77
Logits = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]


def ids_of(values: Sequence[int]) -> Ids:
    return np.array(values, dtype=np.int64)


def short_draw(
    logits: Logits,
    suppressed: Sequence[int],
    window: Sequence[int],
    others: Sequence[int],
    rules: SamplingConfig,
    forbidden: Sequence[int] = (),
    elsewhere: Sequence[int] = (),
) -> Draw | None:
    """Draw from the shortlist of a row.

    Args:
        others: ids that the row does not penalise, but another may.
        elsewhere: the same of what is forbidden.
    """
    mask = torch.zeros(len(logits), dtype=torch.bool)
    mask[list(suppressed)] = True
    penalised = torch.tensor([*others, *window], dtype=torch.int64)
    banned = torch.tensor(sorted({*forbidden, *elsewhere}), dtype=torch.int64)
    packed = shorten(torch.from_numpy(logits)[None], mask, penalised, rules, banned).numpy()
    short = unpacked(packed, 0)
    if short is None:
        return None
    by_rules = SamplingRules(rules, ids_of(suppressed), ids_of(suppressed), 0)
    return by_rules.draw_among(short, INDEX, ids_of(window), ids_of(forbidden))


def whole_draw(
    logits: Logits,
    suppressed: Sequence[int],
    window: Sequence[int],
    rules: SamplingConfig,
    forbidden: Sequence[int] = (),
) -> Draw:
    by_rules = SamplingRules(rules, ids_of(suppressed), ids_of(suppressed), 0)
    return by_rules.draw(logits.copy(), INDEX, ids_of(window), ids_of(forbidden))


def assert_same(short: Draw, whole: Draw, rules: SamplingConfig) -> None:
    assert (short.token_id, short.margin) == (whole.token_id, whole.margin)
    if rules.temperature == 0:  # nothing is truncated: the shortlist has the best of the row
        assert set(short.kept_tokens) <= set(whole.kept_tokens)
        of_whole = dict(zip(whole.kept_tokens.tolist(), whole.scores.tolist(), strict=True))
        of_short = dict(zip(short.kept_tokens.tolist(), short.scores.tolist(), strict=True))
        assert all(of_whole[token] == score for token, score in of_short.items())
        assert sorted(of_whole.values())[-GREEDY_KEPT:] == sorted(of_short.values())[-GREEDY_KEPT:]
    else:
        assert short.kept_tokens.tobytes() == whole.kept_tokens.tobytes()
        assert short.scores.tobytes() == whole.scores.tobytes()


RULES = st.builds(
    SamplingConfig,
    temperature=st.sampled_from([0.0, 1e-3, 0.3, 0.7, 1.0, 1.7, 1e3]),
    top_k=st.sampled_from([0, 0, 0, 1, 40, 512]),
    top_p=st.sampled_from([1.0, 1.0, 0.9]),
    min_p=st.sampled_from([1e-300, 0.02, 0.1, 0.5, 0.999999]),
    eta=st.sampled_from([0.0, 0.0, 0.05]),
    repetition_penalty=st.sampled_from([1.0, 1.0 + 1e-9, 1.2, 3.0, 1e3]),
    seed=st.integers(0, 2**63 - 1),
).filter(can_shorten)


@st.composite
def rows(draw_from: st.DrawFn) -> tuple[Logits, list[int], list[int], list[int]]:
    """Return logits, suppressed ids, the row's window, and ids that only other rows penalise."""
    size = draw_from(st.sampled_from([1, 2, 30, 700, 3000]))
    random = np.random.default_rng(draw_from(st.integers(0, 2**32)))
    scale = draw_from(st.sampled_from([1e-42, 1e-3, 1.0, 3.0, 3.0, 1e4, 1e29]))
    values = random.normal(size=size, loc=draw_from(st.sampled_from([-8.0, 0.0, 8.0])), scale=3.0)
    if draw_from(st.booleans()):
        values = values.round()  # many ties
    logits = (values * (scale / 3)).astype(np.float32)
    if draw_from(st.booleans()):
        logits[random.random(size) < 0.3] = -INF
        logits[random.integers(size)] = 1.0  # or nothing may be left
    best = np.argsort(-logits)[: random.integers(1, 40)]
    anywhere = random.integers(0, size, size=min(size, int(random.integers(0, 1000))))
    window = np.unique(np.concatenate((best[random.random(len(best)) < 0.5], anywhere)))
    others = best[random.random(len(best)) < 0.5]
    suppressed = random.choice(size, size=min(size - 1, int(random.integers(0, 20))), replace=False)
    logits[np.setdiff1d(np.arange(size), suppressed)[0]] = 0.5
    return logits, suppressed.tolist(), window.tolist(), others.tolist()


# ---------------------------------------------------------------- the law
@settings(few, max_examples=150)
@given(rows(), RULES)
def test_a_draw_from_candidates_is_the_draw_from_the_whole_row(
    row: tuple[Logits, list[int], list[int], list[int]], rules: SamplingConfig
) -> None:
    logits, suppressed, window, others = row
    short = short_draw(logits, suppressed, window, others, rules)
    if short is not None:
        assert_same(short, whole_draw(logits, suppressed, window, rules), rules)
    else:
        possible = np.delete(logits, suppressed)
        assert (possible > -INF).sum() > LONGEST or abs(possible.max()) > 1e30


SMALL = st.lists(
    st.one_of(st.floats(width=32, allow_nan=False), st.integers(-4, 4).map(float)),
    min_size=2,
    max_size=12,
)


@settings(few, max_examples=100)
@given(SMALL, RULES, st.sets(st.integers(0, 11)), st.sets(st.integers(0, 11)))
def test_it_is_so_for_any_numbers(
    values: list[float], rules: SamplingConfig, window: set[int], others: set[int]
) -> None:
    logits = np.array(values, dtype=np.float32)
    seen, elsewhere = ([token for token in ids if token < len(logits)] for ids in (window, others))
    short = short_draw(logits, (), seen, elsewhere, rules)
    assert (short is None) == (not abs(logits.max()) <= 1e30)
    if short is not None:
        with np.errstate(over="ignore"):  # numbers near the end of float32 may leave it, in both forms alike
            assert_same(short, whole_draw(logits, (), seen, rules), rules)


# ---------------------------------------------------------------- rounding
def rounded_up(upper: Tensor, penalised: Tensor, sampling: SamplingConfig) -> Tensor:
    """Penalise as a device might that multiplies by a rounded reciprocal, and errs upwards."""
    theta = torch.tensor(sampling.repetition_penalty)
    seen = upper.index_select(1, penalised)
    lowered = torch.where(seen > 0, seen * (1 / theta), seen * theta)
    for _ in range(3):
        lowered = torch.nextafter(lowered, torch.tensor(INF))
    return upper.index_copy(1, penalised, lowered)


@few
@given(
    temperature=st.floats(0.001, 1000),
    theta=st.floats(1, 1000),
    min_p=st.floats(1e-12, 0.99),
    best=st.floats(-1e5, 1e5, width=32).filter(lambda value: abs(value) > 1e-20),
)
def test_no_rounding_of_a_device_excludes_a_survivor(
    temperature: float, theta: float, min_p: float, best: float
) -> None:
    """The row has every number next to the floor, on both sides, and the floor depends on penalised ids."""
    rules = SamplingConfig(temperature=temperature, min_p=min_p, repetition_penalty=theta)
    highest = penalise(np.array([best], dtype=np.float32), ids_of([0]), theta)[0]
    floor = np.float32(float(highest) + float(np.float32(temperature)) * math.log(min_p))
    near = [floor]
    for _ in range(40):
        near = [np.nextafter(near[0], np.float32(-INF)), *near, np.nextafter(near[-1], np.float32(INF))]
    logits = np.array([best, *[value for value in near if value <= highest]], dtype=np.float32)
    whole = whole_draw(logits, (), [0], rules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidate_tokens, "_lower_bounds", rounded_up)
        short = short_draw(logits, (), [0], (), rules)
    assert short is not None
    assert_same(short, whole, rules)


@settings(few, max_examples=150)
@given(rows(), RULES, st.sampled_from([0.0, 0.3, 1.0]), st.sampled_from([0.0, 0.5, 1.0]))
def test_it_is_also_where_some_of_the_best_is_banned_here_or_elsewhere(
    row: tuple[Logits, list[int], list[int], list[int]], rules: SamplingConfig, here: float, banned: float
) -> None:
    """Down to rows of which all is banned, where the ban is lifted; whatever of it is banned here."""
    logits, suppressed, window, others = row
    random = np.random.default_rng(len(window))
    best = np.argsort(-logits)[: 60 if banned < 1 else len(logits)]
    elsewhere = best[random.random(len(best)) < banned]
    forbidden = elsewhere[random.random(len(elsewhere)) < here].tolist()
    short = short_draw(logits, suppressed, window, others, rules, forbidden, elsewhere.tolist())
    if short is not None:
        whole = whole_draw(logits, suppressed, window, rules, forbidden)
        assert_same(short, whole, rules)


# ---------------------------------------------------------------- what is handed over
def like_a_model(rows: int, vocab: int = 20_000) -> Logits:
    """Return rows as peaked as a language model's."""
    random = np.random.default_rng(3)
    logits = random.normal(scale=2.0, size=(rows, vocab))
    logits += 12 * np.exp(-random.random((rows, vocab)) * 3000)
    return logits.astype(np.float32)


@pytest.mark.parametrize(
    "rules",
    [SamplingConfig(), SamplingConfig(temperature=0), SamplingConfig(top_k=50, min_p=0.0, top_p=0.9)],
    ids=["min-p", "greedy", "top-k"],
)
def test_few_tokens_of_a_usual_row_are_handed_over(rules: SamplingConfig) -> None:
    logits = like_a_model(8)
    window = torch.from_numpy(np.argsort(-logits[0])[:3].copy())
    packed = shorten(torch.from_numpy(logits), torch.zeros(20_000, dtype=torch.bool), window, rules)
    assert packed.shape == (8, 2 * LONGEST + 3)
    lengths = [len(short.ids) for row in range(8) if (short := unpacked(packed.numpy(), row)) is not None]
    assert len(lengths) == 8
    assert max(lengths) < 400


def test_rows_of_a_pass_may_suppress_different_ids() -> None:
    logits = torch.tensor([[3.0, 2.0, 1.0]]).repeat(2, 1)
    suppressed = torch.tensor([[True, False, False], [False, False, False]])
    packed = shorten(logits, suppressed, torch.zeros(0, dtype=torch.long), SamplingConfig(min_p=0.5))
    shorts = [unpacked(packed.numpy(), row) for row in range(2)]
    assert [None if short is None else short.ids.tolist() for short in shorts] == [[1], [0]]
    assert logits.tolist() == [[3.0, 2.0, 1.0]] * 2  # a row that is taken whole must be as it was


@pytest.mark.parametrize("broken", [math.nan, INF, 1e31, -INF])
def test_a_row_with_strange_numbers_has_no_candidates_and_its_neighbours_have(broken: float) -> None:
    logits = torch.zeros(3, 10)
    logits[1, 4 if broken > 0 or math.isnan(broken) else slice(None)] = broken
    nothing = torch.zeros(0, dtype=torch.long)
    packed = shorten(logits, torch.zeros(10, dtype=torch.bool), nothing, SamplingConfig()).numpy()
    assert [unpacked(packed, row) is None for row in range(3)] == [False, True, False]


def test_what_is_suppressed_may_be_anything() -> None:
    """A model's rows for ids that are never written are sometimes left untrained, or infinite."""
    logits = np.array([math.nan, 1.0, INF, 2.0], dtype=np.float32)
    for rules in (SamplingConfig(), SamplingConfig(temperature=0), SamplingConfig(top_k=3)):
        short = short_draw(logits, (0, 2), (3,), (), rules)
        assert short is not None
        assert_same(short, whole_draw(logits, (0, 2), (3,), rules), rules)


def test_a_row_that_can_draw_too_many_has_no_candidates() -> None:
    logits = np.zeros(LONGEST + 1, dtype=np.float32)
    assert short_draw(logits, (), (), (), SamplingConfig()) is None
    assert short_draw(logits, (0,), (), (), SamplingConfig()) is not None


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({}, True),
        ({"temperature": 0.0, "min_p": 0.0, "top_p": 0.9}, True),
        ({"eta": 0.1}, True),
        ({"top_k": 40, "min_p": 0.0, "top_p": 0.9, "eta": 0.1}, True),
        ({"min_p": 0.0}, False),
        ({"top_p": 0.9}, False),
        ({"min_p": 0.0, "eta": 0.1}, False),
        ({"top_k": LONGEST}, False),
    ],
    ids=str,
)
def test_settings_that_share_out_the_mass_of_the_whole_row_need_it(
    rules: dict[str, float], expected: bool
) -> None:
    assert can_shorten(SamplingConfig(**rules)) == expected  # type: ignore[arg-type]
