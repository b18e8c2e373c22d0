"""The number of threads: the fastest that leaves the same bits, and nothing is measured without a choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from types import SimpleNamespace

import pytest
import torch
from torch import Tensor

from quire_engine.forward import thread_choice
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.forward.thread_choice import fastest_threads
from tests.engine.conftest import Networks
from tests.engine.tiny import VOCAB_SIZE, prompt_ids

IDS = prompt_ids(100)


@pytest.fixture(autouse=True)
def one_thread_again() -> Iterator[None]:
    """Leave the number of threads of the other tests."""
    yield
    torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def slow_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock by which a pass takes a second for every thread, so that nothing depends on the machine."""
    ticks = count()
    clock = SimpleNamespace(perf_counter=lambda: next(ticks) * torch.get_num_threads())
    monkeypatch.setattr(thread_choice, "time", clock)


class Counting(PassRunner):
    """Counts its passes by the number of threads."""

    def __init__(self, networks: Networks) -> None:
        super().__init__(networks(), 8, 512)
        self.passes: dict[int, int] = {}

    def decode(self, token_ids: Sequence[int], parents: Sequence[int]) -> Tensor:
        threads = torch.get_num_threads()
        self.passes[threads] = self.passes.get(threads, 0) + 1
        return super().decode(token_ids, parents)


@pytest.mark.parametrize("choices", [(2, 1), (1, 2)])
def test_the_fastest_is_set_and_nothing_stays_in_the_context(
    networks: Networks, choices: tuple[int, ...]
) -> None:
    runner = Counting(networks)
    assert fastest_threads(runner, IDS, choices) == 1 == torch.get_num_threads()
    assert runner.length == 0


def test_where_there_is_no_choice_nothing_is_measured(networks: Networks) -> None:
    runner = Counting(networks)
    assert fastest_threads(runner, IDS, (1,)) == 1
    assert runner.passes == {}


def test_a_slower_choice_is_dropped_after_two_passes(networks: Networks) -> None:
    runner = Counting(networks)
    assert fastest_threads(runner, IDS, (1, 2)) == 1
    assert runner.passes[2] == 2 < runner.passes[1]


def test_a_number_of_threads_that_changes_the_bits_is_never_chosen(networks: Networks) -> None:
    class Split(Counting):
        """Leaves other bits when two threads share the work."""

        def prefill(self, token_ids: Sequence[int]) -> None:
            super().prefill([*token_ids[:-1], (token_ids[-1] + torch.get_num_threads()) % VOCAB_SIZE])

    for choices in ((1, 2), (2, 1)):
        runner = Split(networks)
        assert fastest_threads(runner, IDS, choices) == (1 if choices[0] == 1 else 2)


def test_a_choice_can_be_stopped(networks: Networks) -> None:
    class Stopped(Exception):
        pass

    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        fastest_threads(Counting(networks), IDS, (1, 2), stop)
