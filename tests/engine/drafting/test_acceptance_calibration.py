from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.config import Source
from quire_engine.drafting.acceptance_calibration import MAX_CHANCE, Acceptance, AcceptanceCalibration
from quire_engine.drafting.drafter import DraftTokens
from tests.engine.tiny import few


def test_a_new_calibration_believes_the_drafter() -> None:
    calibration = AcceptanceCalibration()
    for own in (0.03, 0.3, 0.77):
        assert calibration.chance("feature", 1, 0, own) == pytest.approx(own)


def test_counts_overrule_a_drafter_that_boasts_and_one_that_is_too_modest() -> None:
    calibration, rng = AcceptanceCalibration(), random.Random(1)
    for _ in range(600):
        calibration.learn(1, [("heads", DraftTokens((1,), (0.9,)))], drawn=9)
        calibration.learn(1, [("ngrams", DraftTokens((1,), (0.1,)))], drawn=1 if rng.random() < 0.6 else 9)
    assert calibration.chance("heads", 1, 0, 0.9) < 0.05
    assert calibration.chance("ngrams", 1, 0, 0.1) == pytest.approx(0.6, abs=0.07)


def test_sources_depths_ranks_and_confidence_are_counted_apart() -> None:
    calibration = AcceptanceCalibration()
    for _ in range(300):
        calibration.learn(1, [("feature", DraftTokens((1, 2), (0.6, 0.3)))], drawn=1)
        calibration.learn(3, [("feature", DraftTokens((1, 2), (0.6, 0.3)))], drawn=9)
    assert calibration.chance("feature", 1, 0, 0.6) > 0.85
    assert calibration.chance("feature", 3, 0, 0.6) < 0.2
    assert calibration.chance("feature", 1, 1, 0.3) < 0.1
    assert calibration.chance("heads", 1, 0, 0.6) == pytest.approx(0.6)


def test_a_few_draft_tokens_change_little() -> None:
    calibration = AcceptanceCalibration()
    calibration.learn(1, [("heads", DraftTokens((1,), (0.6,)))], drawn=9)
    assert 0.4 < calibration.chance("heads", 1, 0, 0.6) < 0.6


def test_what_was_learned_long_ago_gives_way() -> None:
    calibration = AcceptanceCalibration()
    offers: list[tuple[Source, DraftTokens]] = [("heads", DraftTokens((1,), (0.6,)))]
    for drawn in [9] * 5000 + [1] * 1500:
        calibration.judge(1, offers)
        calibration.learn(1, offers, drawn)
    assert calibration.chance("heads", 1, 0, 0.6) > 0.6


def test_what_drafters_agree_on_is_likelier_than_what_one_of_them_says() -> None:
    """Two drafters, each right half of the time, and never wrong in the same way."""
    calibration, rng = AcceptanceCalibration(), random.Random(3)
    for step in range(1500):
        first = 1 if rng.random() < 0.5 else 100_000 + step
        second = 1 if rng.random() < 0.5 else 200_000 + step
        offers: list[tuple[Source, DraftTokens]] = [
            ("feature", DraftTokens((first,), (0.5,))),
            ("ngrams", DraftTokens((second,), (0.5,))),
        ]
        calibration.learn(1, offers, drawn=1)
    agreed = calibration.judge(
        1, [("feature", DraftTokens((7,), (0.5,))), ("ngrams", DraftTokens((7,), (0.5,)))]
    )
    differed = calibration.judge(
        1, [("feature", DraftTokens((7,), (0.5,))), ("ngrams", DraftTokens((8,), (0.5,)))]
    )
    assert [token for _, token, _, _ in agreed] == [7]
    assert agreed[0][0] > 0.9
    # one of the two is right in two of the three cases where they differ
    assert differed[0][0] == pytest.approx(1 / 3, abs=0.08)


def test_draft_tokens_of_several_sources_are_merged_best_first() -> None:
    merged = AcceptanceCalibration().judge(
        1, [("feature", DraftTokens((5, 6), (0.4, 0.2))), ("ngrams", DraftTokens((6, 7), (0.3, 0.1)))]
    )
    assert [(token, source, rank) for _, token, source, rank in merged] == [
        (5, "feature", 0),
        (6, "ngrams", 0),
        (7, "ngrams", 1),
    ]


def test_the_likeliest_draft_token_keeps_its_chance_and_the_others_share_the_rest() -> None:
    merged = AcceptanceCalibration().judge(
        1, [("feature", DraftTokens((5,), (0.8,))), ("ngrams", DraftTokens((6, 7), (0.5, 0.3)))]
    )
    chances = [chance for chance, _, _, _ in merged]
    assert chances[0] == pytest.approx(0.8)
    assert sum(chances) == pytest.approx(1.0)
    assert chances[1] > chances[2] > 0


def test_ranks_and_chances_of_draft_tokens_are_limited() -> None:
    guesses = DraftTokens((1, 2, 3, 4), (0.5, 0.2, 0.01, 0.2))
    assert [token for _, token, _, _ in AcceptanceCalibration().judge(1, [("heads", guesses)], ranks=1)] == [
        1
    ]
    assert [
        token for _, token, _, _ in AcceptanceCalibration().judge(1, [("heads", guesses)], least=0.05)
    ] == [1, 2]


def test_acceptance_counts_every_draft_token_and_every_hit() -> None:
    calibration = AcceptanceCalibration()
    for drawn in (1, 1, 2, 9):
        calibration.learn(2, [("partial", DraftTokens((1, 2), (0.5, 0.2)))], drawn)
    assert calibration.acceptance() == (Acceptance("partial", 2, 0, 4, 2), Acceptance("partial", 2, 1, 4, 1))


def test_the_ranks_behind_the_first_seven_are_counted_together() -> None:
    calibration = AcceptanceCalibration()
    many = DraftTokens(tuple(range(12)), (0.05,) * 12)
    calibration.learn(1, [("partial", many)], drawn=11)
    assert [(each.rank, each.offered, each.hits) for each in calibration.acceptance()] == [
        *[(rank, 1, 0) for rank in range(7)],
        (7, 5, 1),
    ]
    assert [rank for *_, rank in sorted(calibration.judge(1, [("partial", many)]), key=lambda j: j[1])] == [
        *range(12)
    ]


def test_expected_acceptance_begins_hopeful_and_follows_the_counts() -> None:
    calibration = AcceptanceCalibration()
    assert calibration.expected("heads", 4)[0] == pytest.approx(0.5)
    for _ in range(200):
        calibration.learn(4, [("heads", DraftTokens((1, 2), (0.5, 0.2)))], drawn=2)
    assert calibration.expected("heads", 4)[0] < 0.05
    assert calibration.expected("heads", 4)[1] > 0.9
    assert len(calibration.expected("heads", 4, ranks=3)) == 3


@few
@given(
    st.lists(st.tuples(st.integers(0, 3), st.floats(allow_nan=True)), max_size=8),
    st.lists(st.tuples(st.integers(0, 3), st.floats(0, 2)), max_size=8),
    st.integers(1, 20),
    st.lists(st.integers(0, 3), max_size=20),
)
def test_whatever_a_drafter_claims_chances_stay_chances(
    first: list[tuple[int, float]], second: list[tuple[int, float]], depth: int, drawn: list[int]
) -> None:
    claims: list[tuple[Source, list[tuple[int, float]]]] = [("heads", first), ("ngrams", second)]
    offers: list[tuple[Source, DraftTokens]] = [
        (source, DraftTokens(tuple(token for token, _ in pairs), tuple(chance for _, chance in pairs)))
        for source, pairs in claims
        if pairs
    ]
    if not offers:
        return
    calibration = AcceptanceCalibration()
    for token in [*drawn, 0]:
        merged = calibration.judge(depth, offers)
        tokens = [guess[1] for guess in merged]
        assert len(set(tokens)) == len(tokens)
        assert all(0 <= chance <= MAX_CHANCE and math.isfinite(chance) for chance, _, _, _ in merged)
        assert sum(guess[0] for guess in merged) <= 1 + 1e-9
        calibration.learn(depth, offers, token)
