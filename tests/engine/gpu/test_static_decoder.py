"""Static passes: they score what other passes score, repeat their bits, and can be recorded.

The kernel and the recorder are a CPU's (see static_forms); all else is what a GPU runs. The parts of
the cache are made small, so that a short text has many.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from quire_engine.drafting.paper.partial_cache_drafter import PartialDrafter
from quire_engine.forward import pass_runner
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.gpu import segmented_attention, static_attention, static_decoder
from quire_engine.gpu.cuda_graphs import CallAgain, Work
from quire_engine.gpu.static_decoder import DecodeBackend, rows_for
from quire_engine.models.attention import BLOCK
from quire_engine.models.network import Network
from tests.engine.conftest import Networks
from tests.engine.decoding.test_token_stream import (
    SAMPLERS,
    assert_drafts_change_nothing,
    same_bits,
    stream_on,
)
from tests.engine.drafters import mixed, read, write
from tests.engine.drafting.paper.test_partial_cache_drafter import chain_of, request
from tests.engine.model_fixtures import AnyNetwork
from tests.engine.models.static_forms import Failing, Tape, WatchedTape, fast_path, forbidding
from tests.engine.tiny import prompt_ids
from tests.engine.wrapped import Wrapped

TAPE = fast_path(WatchedTape)
TREE = ([11, 12, 13, 14, 15, 16, 17], [-1, 0, 0, 1, 1, 3, 2])
PATH = [0, 1, 3, 5]
FORMATS = [torch.float32, torch.bfloat16]


@pytest.fixture(autouse=True)
def many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of 500 positions has parts of three lengths."""
    monkeypatch.setattr(segmented_attention, "_SIZES", ((128, 64), (320, 96)))
    for module in (segmented_attention, static_attention):
        monkeypatch.setattr(module, "LARGEST_PART", 128)


def steps_of(runner: PassRunner, count: int) -> Iterator[Tensor]:
    """Read a prompt, then trees and lone tokens in turn, up to so many positions; yield all scores."""
    runner.reset()
    runner.prefill(prompt_ids(BLOCK + 20))
    while runner.length < count:
        tokens, parents = TREE if runner.length % BLOCK < BLOCK - 5 else ([9], [-1])
        yield runner.decode(tokens, parents)
        runner.commit(PATH if len(tokens) > 1 else [0])


def worst(ours: Iterator[Tensor], wanted: Iterator[Tensor]) -> float:
    """Return the largest difference, as a share of the scores' spread."""
    return max(float((a - b).abs().max() / b.std()) for a, b in zip(ours, wanted, strict=True))


# ---------------------------------------------------------------- against passes that are laid out each time
@pytest.mark.parametrize("family", ["qwen3"])
@pytest.mark.parametrize("new_maker", [CallAgain, WatchedTape])
def test_static_passes_score_what_other_passes_score(
    networks: Networks, family: str, new_maker: type[CallAgain] | type[WatchedTape]
) -> None:
    plain = PassRunner(networks(family), 8, 512)
    static = PassRunner(networks(family), 8, 512, fast=fast_path(new_maker))
    assert worst(steps_of(static, 360), steps_of(plain, 360)) < 2e-5
    for ours, wanted in zip(static.store.snapshot(), plain.store.snapshot(), strict=True):
        torch.testing.assert_close(ours, wanted, rtol=1e-4, atol=1e-5)


def test_attention_sinks_agree_with_the_portable_backend(library_networks: AnyNetwork) -> None:
    network = library_networks("gpt_oss", torch.float32)  # its experts ask the host, so nothing is recorded
    plain, static = PassRunner(network, 8, 512), PassRunner(network, 8, 512, fast=fast_path(CallAgain))
    assert worst(steps_of(static, 330), steps_of(plain, 330)) < 2e-5


@pytest.mark.parametrize("family", ["llama", "qwen2 sliding", "gemma3_text", "phi3"])
def test_families_with_windows_agree_with_the_portable_backend(
    library_networks: AnyNetwork, family: str
) -> None:
    network = library_networks(family, torch.float32)
    plain, static = PassRunner(network, 8, 512), PassRunner(network, 8, 512, fast=TAPE)
    assert worst(steps_of(static, 330), steps_of(plain, 330)) < 2e-5


def test_in_bfloat16_they_stay_near(networks: Networks) -> None:
    network = networks("llama", torch.bfloat16)
    plain, static = PassRunner(network, 8, 512), PassRunner(network, 8, 512, fast=TAPE)
    assert worst(steps_of(static, 300), steps_of(plain, 300)) < 0.12


# ---------------------------------------------------------------- the law
@pytest.mark.sliced
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_drafts_never_change_the_text_nor_a_bit_of_the_cache(networks: Networks, dtype: torch.dtype) -> None:
    runner = PassRunner(networks("llama", dtype), 8, 256, fast=fast_path(Tape))
    rates = assert_drafts_change_nothing(runner, prompt_ids(100), SAMPLERS["defaults"], 90)
    assert rates["good"] > 2


@pytest.mark.parametrize("family", ["qwen2 sliding", "gemma3_text"])
def test_drafts_never_change_a_bit_through_sliding_windows(library_networks: AnyNetwork, family: str) -> None:
    runner = PassRunner(library_networks(family, torch.bfloat16), 8, 512, fast=fast_path(Tape))
    assert_drafts_change_nothing(runner, prompt_ids(150), SAMPLERS["defaults"], 30)


@pytest.mark.sliced
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_pauses_and_growth_change_nothing(
    networks: Networks, monkeypatch: pytest.MonkeyPatch, dtype: torch.dtype
) -> None:
    """A store that grows twice while it writes; read again and continued in one that was large before."""
    prompt, sampling, count = prompt_ids(60), SAMPLERS["cool, min-p"], 230
    monkeypatch.setattr(pass_runner, "FIRST_SLOTS", 64)
    tape = Tape()
    path = DecodeBackend("tape", lambda: tape, TAPE.kernel)
    small = PassRunner(networks("llama", dtype), 8, 512, fast=path)
    capacities = {small.store.capacity}
    plain = stream_on(small, prompt, sampling)
    for goal in range(10, count + 1, 10):
        write(plain, small, goal)
        capacities.add(small.store.capacity)
    assert len(capacities) == tape.num_made == 4  # plain steps move nothing: one recording per memory
    monkeypatch.setattr(pass_runner, "FIRST_SLOTS", 512)
    large = PassRunner(networks("llama", dtype), 8, 512, fast=fast_path(Tape))
    text: tuple[int, ...] = ()
    for goal in (70, 71, count):
        paused = stream_on(large, prompt, sampling, text)
        write(paused, large, goal, mixed(plain.generated_ids, 3))
        text = paused.generated_ids
    assert text == plain.generated_ids
    assert same_bits(small.store.snapshot(), large.store.snapshot())


def test_text_that_is_read_again_has_the_bits_that_it_had(networks: Networks) -> None:
    runner = PassRunner(networks("llama", torch.bfloat16), 8, 512, fast=fast_path(Tape))
    whole = stream_on(runner, prompt_ids(90), SAMPLERS["defaults"])
    write(whole, runner, 100, mixed([1, 2, 3], 1))
    cache = runner.store.snapshot()
    again = stream_on(runner, prompt_ids(90), SAMPLERS["defaults"], whole.generated_ids)
    read(again)
    assert same_bits(runner.store.snapshot(), cache)


# ---------------------------------------------------------------- what a recording must keep to
class Waiting(Wrapped):
    """A network that looks at its own numbers."""

    def hidden(self, ids: Tensor, positions: Tensor) -> Tensor:
        states = self._network.hidden(ids, positions)
        return states if float(states.max()) > -torch.inf else -states


class Branching(Wrapped):
    """A network that decides by something that only the host knows, and that changes."""

    num_passes = 0

    def hidden(self, ids: Tensor, positions: Tensor) -> Tensor:
        self.num_passes += 1
        return self._network.hidden(ids, positions) * (1 + self.num_passes)


def test_a_pass_that_waits_for_the_device_is_noticed(networks: Networks) -> None:
    runner = PassRunner(Waiting(networks()), 8, 512, fast=TAPE)
    runner.decode([5], [-1])  # tells the store its shapes, and is not recorded
    with pytest.raises(RuntimeError, match="waits"):
        runner.decode([5], [-1])


def test_the_tape_repeats_what_was_recorded_and_nothing_else(networks: Networks) -> None:
    """So that the tests above would notice a branch of the host's."""
    network = Branching(networks())
    runner = PassRunner(network, 8, 512, fast=fast_path(Tape))
    scores = [runner.decode([5], [-1]) for _ in range(4)]
    assert network.num_passes == 3  # one without a tape, one to warm up, one for the tape
    assert torch.equal(scores[1], scores[3])
    assert not torch.equal(scores[0], scores[1])


def test_experts_wait_and_so_are_only_called_again(library_networks: AnyNetwork) -> None:
    network = library_networks("mixtral", torch.bfloat16)
    recorded = PassRunner(network, 8, 512, fast=TAPE)
    recorded.decode([5], [-1])
    with pytest.raises(RuntimeError, match="waits"):
        recorded.decode([5], [-1])
    called = PassRunner(network, 8, 512, fast=fast_path())
    assert_drafts_change_nothing(called, prompt_ids(60), SAMPLERS["defaults"], 12)


def test_a_softcap_is_rejected(library_networks: AnyNetwork) -> None:
    runner = PassRunner(library_networks("gemma2", torch.float32), 8, 512, fast=TAPE)
    with pytest.raises(ValueError, match="softcap"):
        runner.decode([5], [-1])


@pytest.mark.parametrize(
    "waits",
    [
        lambda numbers: float(numbers.sum()),
        lambda numbers: bool(numbers.any()),
        lambda numbers: numbers.nonzero(),
        lambda numbers: numbers[numbers > 0],
        lambda numbers: numbers.tolist(),
        lambda numbers: torch.equal(numbers, numbers),
        lambda numbers: numbers + torch.tensor([1.0, 2.0, 3.0]),
    ],
)
@torch.inference_mode()
def test_forbidding_sees_whatever_would_wait(waits: Callable[[Tensor], object]) -> None:
    numbers = torch.ones(3)
    with forbidding(), pytest.raises(RuntimeError, match="waits"):
        waits(numbers)


def test_forbidding_lets_a_pass_through_that_does_not_wait() -> None:
    with forbidding() as forbidden:
        torch.ones(3).add_(1).matmul(torch.ones(3))
    assert forbidden.num_seen >= 4


# ---------------------------------------------------------------- recordings that fail
class OutOfMemory(CallAgain):
    """A maker whose memory is used up after the first pass."""

    num_made = 0

    def make(self, work: Work) -> Work:
        self.num_made += 1
        if self.num_made > 1:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return super().make(work)


def test_a_recording_that_fails_while_checking_is_an_error(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, 512, fast=fast_path(Failing))
    runner.prefill([1])
    with pytest.raises(RuntimeError, match="nothing"):
        runner.decode([5], [-1])


def test_a_recording_that_fails_later_gives_way_to_what_it_records(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, 512, fast=replace(fast_path(OutOfMemory), is_proven=True))
    wanted = PassRunner(networks(), 8, 512, fast=fast_path())
    for ours, theirs in zip(steps_of(runner, 200), steps_of(wanted, 200), strict=True):
        assert torch.equal(ours, theirs)
    assert same_bits(runner.store.snapshot(), wanted.store.snapshot())


# ---------------------------------------------------------------- what is handed out
def test_scores_and_states_stay_what_they_were(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, 512, fast=TAPE)
    runner.prefill(prompt_ids(70))
    scores, states = runner.decode([5, 6], [-1, 0]), runner.hidden
    before = scores.clone(), states.clone()
    runner.decode([7, 8], [-1, 0])
    assert torch.equal(scores, before[0])
    assert torch.equal(states, before[1])
    assert (scores.shape[0], states.shape[0]) == (2, 2)


def test_queries_choose_the_same_keys(networks: Networks) -> None:
    """The partial drafter works on a recorded pass as on any other."""
    answers = []
    for path in (None, TAPE):
        runner = PassRunner(networks("qwen3"), 8, 512, fast=path)
        drafter = PartialDrafter(runner, None, 64)
        runner.record_queries = True
        runner.prefill(prompt_ids(140))
        for token in prompt_ids(150)[140:]:
            runner.decode([token], [-1])
            runner.commit([0])
        chain, _ = chain_of(drafter, request())
        answers.append((chain, [positions.tolist() for positions in drafter.cache.positions]))
        assert len(runner.queries) == 2
    assert answers[0] == answers[1]


def test_no_queries_are_kept_unless_they_are_wanted(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, 512, fast=TAPE)
    runner.decode([5], [-1])
    assert runner.queries == []


def test_memory_that_was_given_back_is_not_used_again(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, 512, fast=TAPE)
    wanted = list(steps_of(runner, 200))
    runner.release()
    assert same_bits(tuple(steps_of(runner, 200)), tuple(wanted))


def test_a_runner_goes_without_waiting_for_the_collector(networks: Networks) -> None:
    """Its cache may be most of a GPU's memory, and the window collects only now and then."""
    runner = PassRunner(networks(), 8, 512, fast=TAPE)
    list(steps_of(runner, 120))
    store = weakref.ref(runner.store)
    gc.disable()
    del runner
    assert store() is None


def test_a_tree_may_not_cross_a_block_boundary_here_either(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, 512, fast=TAPE)
    runner.prefill(prompt_ids(BLOCK - 2))
    with pytest.raises(ValueError, match="block"):
        runner.decode([1, 2, 3], [-1, 0, 1])


# ---------------------------------------------------------------- sizes of passes
@pytest.mark.parametrize(
    ("counts", "width", "padded", "rows"),
    [
        ([1, 5, 8], 8, True, [8, 8, 8]),
        ([1, 2, 8, 9, 17, 33], 64, False, [1, 8, 8, 16, 32, 64]),
        ([1, 2, 9, 12], 12, False, [1, 8, 12, 12]),
        ([1, 2, 4], 4, False, [1, 4, 4]),
        ([1], 1, False, [1]),
    ],
)
def test_passes_come_in_few_sizes(counts: Sequence[int], width: int, padded: bool, rows: list[int]) -> None:
    assert [rows_for(count, width, padded=padded) for count in counts] == rows


def test_passes_that_need_not_repeat_their_bits_take_the_next_size(
    networks: Networks, monkeypatch: pytest.MonkeyPatch
) -> None:
    widths: list[int] = []

    class Watched(Wrapped):
        def logits(self, hidden: Tensor) -> Tensor:
            widths.append(len(hidden))
            return super().logits(hidden)

    network: Network = Watched(networks(width=16))
    runner = PassRunner(network, 16, 512, padded=False, fast=fast_path())
    wanted = PassRunner(networks(width=16), 16, 512)
    for ours in (runner, wanted):
        ours.prefill(prompt_ids(70))
    for count in (1, 3, 9):
        tree: Any = [5] * count, [-1, *[0] * (count - 1)]
        torch.testing.assert_close(runner.decode(*tree), wanted.decode(*tree), rtol=1e-4, atol=1e-4)
    assert widths == [1, 8, 16]
    assert static_decoder._ROWS[-1] == 64
