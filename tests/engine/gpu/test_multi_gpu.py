"""Layers on several cards: where they are put, and that everything they need goes with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.gpu import multi_gpu
from quire_engine.gpu.multi_gpu import COMFORTABLE, MOST, cards_for, place
from quire_engine.models.loading import build_model, inspect_folder
from quire_engine.models.network import FusedDecoder
from tests.engine.model_fixtures import Folder, any_folder
from tests.engine.models.pretend_cards import MixedCards, PretendCards, card_of, lay
from tests.engine.tiny import few, prompt_ids

__all__ = ["any_folder"]  # the fixture of every family
CUDA = torch.device("cuda")


# ---------------------------------------------------------------- where
@few
@given(
    st.lists(st.integers(1, 1000), min_size=1, max_size=40),
    st.integers(0, 2000),
    st.lists(st.integers(0, 20_000), min_size=1, max_size=5),
)
def test_layers_keep_their_order_and_gpus_are_not_overfilled(
    layers: list[int], ends: int, free: list[int]
) -> None:
    found = place(layers, ends, free)
    if found is None:
        assert sum(layers) + ends > COMFORTABLE * free[0]
        return
    assert len(found) == len(layers)
    assert list(found) == sorted(found)
    for card, size in enumerate(free):
        taken = sum(each for each, on in zip(layers, found, strict=True) if on == card)
        assert taken + (ends if card == 0 else 0) <= MOST * size or taken == 0


def test_one_card_is_taken_where_it_is_comfortable_and_all_are_filled_alike_where_not() -> None:
    assert place([10] * 30, 40, [1000, 1000]) == (0,) * 30
    assert place([10] * 30, 0, [300, 300]) == (0,) * 15 + (1,) * 15
    assert place([10] * 30, 100, [300, 300]) == (0,) * 10 + (1,) * 20  # the ends are on the first
    assert place([10] * 40, 0, [100, 300, 50]) == (0,) * 9 + (1,) * 27 + (2,) * 4
    assert place([10] * 30, 0, [300, 0, 300]) == (0,) * 15 + (2,) * 15
    assert place([10] * 30, 0, [100, 100]) is None
    assert place([10] * 3, 200, [100, 1000]) is None
    assert place([1], 0, []) is None


@pytest.mark.parametrize(
    ("free", "can_be_cut", "cards"),
    [
        ((10**9, 10**9), True, ()),
        ((300_000, 300_000), True, (1, 1)),
        ((300_000,), True, ()),
        ((10**9, 10**9), False, ()),
    ],
)
def test_a_model_is_cut_only_where_it_must_be(
    llama: Path, free: tuple[int, ...], can_be_cut: bool, cards: tuple[int, ...]
) -> None:
    model = build_model(inspect_folder(llama), torch.float32)  # 411 kB
    assert cards_for(model, CUDA, free, can_be_cut=can_be_cut) == cards
    assert cards_for(model, torch.device("cpu"), free, can_be_cut=can_be_cut) == ()


@pytest.mark.parametrize(("free", "can_be_cut"), [((300_000, 10**9), False), ((100_000, 100_000), True)])
def test_a_model_that_finds_no_place_is_reported(
    llama: Path, free: tuple[int, ...], can_be_cut: bool
) -> None:
    model = build_model(inspect_folder(llama), torch.float32)
    with pytest.raises(EnvironmentProblem, match=r"Choose|choose") as caught:
        cards_for(model, CUDA, free, can_be_cut=can_be_cut)
    assert str(caught.value).isprintable()


def test_both_ends_lie_on_the_first_card(llama: Path) -> None:
    """With a device that only counts shapes: "meta" has one card, so only its kind shows."""
    model: Any = build_model(inspect_folder(llama), torch.float32)
    multi_gpu.spread(model, (0, 0), "meta")
    assert {weight.device.type for weight in model.parameters()} == {"meta"}
    assert model.model.rotary_emb.inv_freq.device.type == "meta"


# ---------------------------------------------------------------- passes over two cards
def runner_on(model: Any, cards: tuple[int, ...]) -> PassRunner:
    """Return passes over a model whose layers are there; to be made and used where cards are pretended."""
    for layer, card in zip(model.model.layers, cards, strict=True):
        lay(layer, card)
    return PassRunner(FusedDecoder(model, 8), 8, 512)


def passes(runner: PassRunner) -> list[Tensor]:
    """Read, score a tree behind a window's edge and in the middle of a block, keep a path, score again."""
    found: list[Tensor] = []
    for count in (30, 210):
        runner.prefill(prompt_ids(count))
        found.append(runner.decode([5, 6, 7, 8], [-1, 0, 0, 1]))
        runner.commit([0, 2])
        found.append(runner.decode([9], [-1]))
    return [*found, runner.hidden, *runner.store.snapshot()]


@pytest.mark.parametrize("family", ["llama", "mistral sliding", "qwen2", "qwen3"])
def test_a_model_on_two_gpus_computes_the_same_bits(any_folder: Folder, family: str) -> None:
    folder = any_folder(family)
    results: list[list[Tensor]] = []
    for cards in ((0, 0), (0, 1)):
        model = build_model(inspect_folder(folder), torch.float32)
        with PretendCards() as pretended:
            runner = runner_on(model, cards)
            assert isinstance(runner.network, FusedDecoder)
            assert runner.network.num_devices == len(set(cards))
            results.append(passes(runner))
        stored = [card_of(tensor).index for tensor in runner.store.tensors()]
        assert stored == [*cards, *cards]  # keys and values of a layer are on its card
        assert bool(pretended.moves) == (cards == (0, 1))
        assert card_of(results[-1][0]).index == 0  # what is sampled from is on the first
    assert all(torch.equal(a, b) for a, b in zip(*results, strict=True))


def test_the_pretended_gpus_notice_what_was_not_moved(llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = build_model(inspect_folder(llama), torch.float32)
    with PretendCards():
        runner = runner_on(model, (0, 1))
        monkeypatch.setattr(PretendCards, "_moved", lambda self, tensor, card: tensor)
        with pytest.raises(MixedCards):
            passes(runner)
