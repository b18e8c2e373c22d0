"""Distilling a background table: averages are averages, the budget is kept, the warp is the engine's own."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.decoding.sampling import warp
from quire_engine.drafting import background_ngrams
from quire_engine.training.hidden_states import FrozenTarget, Pieces
from tests.engine import tiny
from tests.engine.tiny import few
from tests.training import background_distillation as distilling
from tests.training.__main__ import main
from tests.training.background_distillation import Distiller, KeyedSums, distil, warped_chances

SAMPLING = SamplingConfig()


def one_follower(ids: list[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a piece after whose tokens the next one is certain; nothing is known after its last."""
    followers = np.array([*ids[1:], 0], dtype=np.int64)[:, None]
    chances = np.array([*([1.0] * (len(ids) - 1)), 0.0], dtype=np.float32)[:, None]
    return np.array(ids, dtype=np.int64), followers, chances


@given(st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), max_size=20), max_size=5))
@few
def test_a_tally_adds_up(parts: list[list[tuple[int, int]]]) -> None:
    tally, exact = KeyedSums(), Counter[int]()
    for part in parts:
        tally.add(np.array([k for k, _ in part], dtype=np.int64), np.array([a for _, a in part], np.float32))
        for key, amount in part:
            exact[key] += amount
    keys, sums = tally.totals()
    assert dict(zip(keys.tolist(), sums.tolist(), strict=True)) == dict(exact)
    assert keys.tolist() == sorted(exact)


def test_probabilities_are_averages_over_the_places_of_a_context() -> None:
    distiller = Distiller(300)
    ids = np.array([1, 2, 9, 2, 9, 3, 2], dtype=np.int64)
    followers = np.tile(np.array([5, 6], dtype=np.int64), (7, 1))
    first = np.array([0.5, 1.0, 0.5, 0.5, 0.5, 0.5, 0.0], dtype=np.float32)
    distiller.add(ids, followers, np.stack([first, 1 - first], axis=1))
    table = distiller.table(10**6)
    # after 2: the mean of 1, 0.5 and 0; after 1 and 2: 1, met once against a trust of two
    assert table.probabilities([2]) == pytest.approx({5: 0.5, 6: 0.5}, rel=0.03)
    assert table.probabilities([1, 2])[5] == pytest.approx(1 / 3 + 0.5 * 2 / 3, rel=0.03)
    assert table.probabilities([2, 9]) == pytest.approx({5: 0.5, 6: 0.5}, rel=0.03)


@given(st.lists(st.integers(0, 5), min_size=2, max_size=80))
@few
def test_every_context_is_found_with_room_for_all(text: list[int]) -> None:
    distiller = Distiller(6)
    distiller.add(*one_follower(text))
    table = distiller.table(10**6)
    for place in range(1, len(text)):
        for length in range(1, min(3, place) + 1):
            found = table.probabilities(text[place - length : place])
            assert found[text[place]] > 0
            assert sum(found.values()) <= 1.1  # a byte each rounds to within 3%


def test_a_smaller_budget_keeps_fewer_contexts_and_the_better_ones(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    distiller = Distiller(500)
    # after 7, 8 comes one of many; after 6, 7, 8 always 9: that context must survive
    often = [6, 7, 8, 9] * 200
    distiller.add(*one_follower([*random.integers(0, 500, 6000).tolist(), *often]))
    sizes = []
    for budget in (30_000, 60_000, 10**6):
        table = distiller.table(budget)
        sizes.append(background_ngrams.save(table, "00" * 32, tmp_path).stat().st_size)
        assert table.probabilities([6, 7, 8])[9] > 0.9
        for shorter, level in zip(table.levels, table.levels[1:], strict=False):
            assert int(level.parents.max(initial=0)) < len(shorter.tokens)
    assert sizes[0] < sizes[1] < sizes[2]
    assert sizes[1] < 90_000


def test_large_vocabularies_keep_shorter_contexts() -> None:
    distiller = Distiller(150_000)
    distiller.add(*one_follower([140_000, 3, 149_999, 5]))
    table = distiller.table(10**6)
    assert len(table.levels) == 2
    assert table.probabilities([7, 140_000, 3])[149_999] == pytest.approx(1, rel=0.03)


def test_the_warp_is_the_engines_own() -> None:
    generator = torch.Generator().manual_seed(2)
    ids = torch.randint(0, 300, (40,), generator=generator)
    logits = torch.randn(40, 300, generator=generator) * 4
    followers, chances = warped_chances(logits, ids, SAMPLING)
    for place in (0, 7, 39):
        kept, scores = warp(logits[place].numpy(), np.unique(ids[: place + 1].numpy()), SAMPLING)
        weights = np.exp(scores - scores.max())
        exact = dict(zip(kept.tolist(), (weights / weights.sum()).tolist(), strict=True))
        found = zip(followers[place].tolist(), chances[place].tolist(), strict=True)
        assert {token: chance for token, chance in found if chance > 0} == pytest.approx(exact, rel=1e-4)


def test_nothing_cannot_be_distilled() -> None:
    with pytest.raises(EnvironmentProblem, match="too little text"):
        Distiller(100).table(1000)


@pytest.fixture(scope="module")
def target() -> FrozenTarget:
    """A tiny Llama whose writing is distilled."""
    return FrozenTarget(tiny.build("llama"))


def test_a_distilled_table_says_what_the_model_says(target: FrozenTarget) -> None:
    text = np.array(tiny.prompt_ids(60) * 3)
    done: list[int] = []
    pieces = Pieces([(text, 1.0)], 120, seed=1)
    distiller = distil(target, pieces, 600, SAMPLING, [0], on_piece=done.append)
    assert done == [120, 240, 360, 480, 600]
    table = distiller.table(10**6)
    ids = torch.from_numpy(text[:120])
    logits = target.logits(target.hidden(ids[None])[0])
    logits[:, 0] = -torch.inf
    followers, _ = warped_chances(logits, ids, SAMPLING)
    hits = 0
    for place in range(60, 120):
        found = table.probabilities(text[place - 2 : place + 1].tolist())
        assert 0 not in found
        hits += max(found, key=lambda token: found[token]) in followers[place][:3].tolist()
    assert hits > 40


def distilled(model: Path, data: Path, *more: str) -> background_ngrams.BackgroundTable | None:
    """Run the command on a model and return the table that is then found beside it."""
    options = ["--model", str(model), "--data", str(data), "--positions", "500", "--device", "cpu", *more]
    assert main(["background", *options]) == 0
    digest = background_ngrams.tokenizer_digest(model)
    return background_ngrams.find(model, digest, tiny.VOCAB_SIZE)


@pytest.fixture
def packed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A packed text that is small, and pieces that are short enough for it."""

    class Packed:
        train = np.array(tiny.prompt_ids(400), dtype=np.uint16)

    monkeypatch.setattr(distilling, "read_pack", lambda _: Packed())
    monkeypatch.setattr(distilling, "PIECE_LENGTH", 100)


@pytest.mark.usefixtures("packed")
def test_the_command_writes_a_file_next_to_the_model(
    own_llama: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.npy"
    np.save(own, np.array(tiny.prompt_ids(300), dtype=np.uint16))
    table = distilled(own_llama, tmp_path, "--own", str(own))
    assert "contexts by length" in capsys.readouterr().out
    assert table is not None
    assert table.probabilities(tiny.prompt_ids(5))


@pytest.mark.usefixtures("packed")
def test_the_command_lets_the_model_write_unless_switched_off(
    own_llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(distilling, "_OWN_BATCH", 1)
    shares = ["--own-share", "1"]
    tables = [distilled(own_llama, tmp_path, "--own-tokens", count, *shares) for count in ("600", "0")]
    assert "written: 1,024 of 600 tokens" in capsys.readouterr().err
    known = [{int(token) for token in table.levels[0].tokens} if table else set() for table in tables]
    assert known[0] - known[1]
    assert known[1] <= set(tiny.prompt_ids(400))


def test_what_cannot_be_distilled_is_one_sentence(
    own_llama: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for model in (tmp_path, own_llama):  # no model, no packed text
        assert main(["background", "--model", str(model), "--data", str(tmp_path)]) == 1
        assert capsys.readouterr().err.count("\n") == 1
