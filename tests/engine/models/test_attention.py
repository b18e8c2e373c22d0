"""The parts of a pass: what a window lets a row see, what a pass hands out, and passes over selected keys."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from quire_engine.cache.kv_store import KVStore
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.models.attention import (
    BLOCK,
    DecodePass,
    PartialPass,
    attend_in_pass,
    pass_in_flight,
    running,
)
from quire_engine.models.network import Network
from tests.engine.conftest import Networks
from tests.engine.model_fixtures import AnyNetwork
from tests.engine.tiny import few, prompt_ids


def chain_pass(length: int, nodes: int) -> DecodePass:
    """Return a pass over a chain of nodes behind so many committed tokens."""
    store = KVStore(1, length + nodes)
    store.length = length
    start = length // BLOCK * BLOCK
    slots = torch.zeros(nodes, BLOCK, dtype=torch.long)
    bias = torch.full((nodes, BLOCK), -torch.inf)
    for row in range(nodes):
        end = length - start + row + 1
        slots[row, :end] = torch.arange(start, start + end)
        bias[row, :end] = 0
    return DecodePass(store, slots, bias)


# ---------------------------------------------------------------- windows
@few
@given(length=st.integers(0, 700), nodes=st.integers(1, 8), window=st.integers(1, 400))
def test_a_row_sees_its_window_and_nothing_else(length: int, nodes: int, window: int) -> None:
    assert_rows_see_their_windows(length, nodes, window)


@pytest.mark.parametrize("window", range(190, 260, 3))
def test_a_window_may_begin_to_matter_anywhere_in_a_block(window: int) -> None:
    for length in (3 * BLOCK, 4 * BLOCK - 8, 4 * BLOCK):
        assert_rows_see_their_windows(length, 8, window)


def assert_rows_see_their_windows(length: int, nodes: int, window: int) -> None:
    nodes = min(nodes, BLOCK - length % BLOCK)
    pass_ = chain_pass(length, nodes)
    gathered = pass_.gathered(window)
    for row in range(nodes):
        position = length + row
        full = set(range(gathered.first, pass_.block_start))
        rest = gathered.slots[row][gathered.bias[row] == 0].tolist()
        assert len(rest) == len(set(rest))
        assert not full & set(rest)
        assert full | set(rest) == set(range(max(0, position - window + 1), position + 1))


@few
@given(length=st.integers(0, 700), window=st.one_of(st.none(), st.integers(1, 400)))
def test_what_is_gathered_depends_on_the_open_block_alone(length: int, window: int | None) -> None:
    """Otherwise the sums of a row would be of another length in a tree than alone, and round differently."""
    start = length // BLOCK * BLOCK
    here, there = chain_pass(length, 1).gathered(window), chain_pass(start, 5).gathered(window)
    assert (here.slots.shape[1], here.first) == (there.slots.shape[1], there.first)
    assert here.slots.shape[1] < 2 * BLOCK


def test_a_window_wider_than_the_text_costs_nothing() -> None:
    pass_ = chain_pass(200, 3)
    assert pass_.gathered(1000) == pass_.gathered(None)


# ---------------------------------------------------------------- queries
def test_a_decode_pass_hands_out_the_queries_of_every_layer(networks: Networks) -> None:
    """Their products with the stored keys are what the layer itself computes."""
    for kind in ("fused", "library"):
        network = networks("qwen3", kind=kind)
        runner = PassRunner(network, 8, 512)
        runner.prefill(prompt_ids(70))
        runner.record_queries = True
        runner.decode([5, 6, 7], [-1, 0, 1])
        assert [tuple(queries.shape) for queries in runner.queries] == [(4, 8, 32)] * 2
        first = runner.queries[0].clone()
        runner.commit([0])
        runner.decode([6], [-1])
        torch.testing.assert_close(runner.queries[0][:, 0], first[:, 1])
        assert not torch.allclose(runner.queries[0][:, 0], runner.queries[1][:, 0])


def test_no_queries_are_kept_unless_they_are_wanted(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, 512)
    runner.decode([5], [-1])
    assert runner.queries == []


# ---------------------------------------------------------------- selected keys
def selected(runner: PassRunner, slots: Sequence[int]) -> PartialPass:
    """Return a pass over these positions of the cache, the same in every layer."""
    tensors = [tensor[:, list(slots)] for tensor in runner.store.tensors()]
    half = len(tensors) // 2
    return PartialPass(runner.store, tensors[:half], tensors[half:])


@torch.inference_mode()
def logits_of(network: Network, pass_: PartialPass, ids: Sequence[int], start: int) -> Tensor:
    with running(pass_):
        hidden = network.hidden(torch.tensor(list(ids)), torch.arange(start, start + len(ids)))
    return network.logits(hidden)


@pytest.mark.parametrize("family", ["llama", "qwen3", "gemma2", "phi"])
@pytest.mark.parametrize("num_rows", [1, 4])
def test_over_all_keys_a_partial_pass_is_a_decode_pass(
    library_networks: AnyNetwork, family: str, num_rows: int
) -> None:
    network, ids = library_networks(family, torch.float32), prompt_ids(100 + num_rows)
    runner = PassRunner(network, 8, 512)
    runner.prefill(ids[:100])
    wanted = runner.decode(ids[100:], range(-1, num_rows - 1))
    before = [tensor.clone() for tensor in runner.store.tensors()]
    ours = logits_of(network, selected(runner, range(100)), ids[100:], 100)
    torch.testing.assert_close(ours, wanted, rtol=1e-4, atol=1e-4)
    assert all(torch.equal(a, b) for a, b in zip(before, runner.store.tensors(), strict=True))
    assert runner.length == 100


def test_a_partial_pass_sees_what_was_selected_and_nothing_else(networks: Networks) -> None:
    """What it selects is a whole text: then it scores what that text alone scores, in the same place."""
    network, start = networks(), 90
    short = PassRunner(network, 8, 512)
    short.prefill(prompt_ids(16))
    wanted = logits_of(network, selected(short, range(16)), [3], start)
    long = PassRunner(network, 8, 512)
    long.prefill(prompt_ids(start))
    torch.testing.assert_close(logits_of(network, selected(long, range(16)), [3], start), wanted)
    everything = logits_of(network, selected(long, range(start)), [3], start)
    assert not torch.allclose(everything, wanted, atol=1e-2)


def test_a_partial_pass_without_keys_is_a_text_of_its_own(networks: Networks) -> None:
    network = networks()
    runner = PassRunner(network, 8, 512)
    wanted = runner.decode([3, 4], [-1, 0])
    ours = logits_of(network, selected(runner, []), [3, 4], 0)
    torch.testing.assert_close(ours, wanted, rtol=1e-4, atol=1e-4)


def test_the_pass_in_flight_is_known_to_what_runs_in_it() -> None:
    pass_ = chain_pass(0, 1)
    assert pass_in_flight() is None
    with running(pass_):
        assert pass_in_flight() is pass_
        attend_in_pass(0, torch.ones(2, 1, 4), torch.ones(1, 1, 4), torch.ones(1, 1, 4), 1.0)
    assert pass_in_flight() is None
