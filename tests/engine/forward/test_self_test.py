"""The check at every load: it passes good models and notices every kind of bad one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
import torch
from torch import Tensor

from quire_engine.forward.pass_runner import PassRunner
from quire_engine.forward.self_test import SelfTest, run_self_test
from quire_engine.models.network import Network
from tests.engine.conftest import Models, Networks
from tests.engine.model_fixtures import AnyNetwork, Reference
from tests.engine.reference_model import tiny_yardstick
from tests.engine.tiny import FAMILIES, VOCAB_SIZE
from tests.engine.wrapped import Wrapped

FORMATS = [torch.float32, torch.bfloat16]


def checked(models: Models, family: str, dtype: torch.dtype, runner: PassRunner) -> SelfTest:
    """Run the self-test as a load does."""
    model = models(family, dtype)
    yardstick = tiny_yardstick(model, dtype)
    model.set_attn_implementation("quire_one_pass")
    return run_self_test(runner, yardstick, VOCAB_SIZE)


@pytest.mark.parametrize("dtype", FORMATS, ids=str)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", ["fused", "library"])
def test_good_models_pass(
    models: Models, networks: Networks, dtype: torch.dtype, family: str, kind: str
) -> None:
    runner = PassRunner(networks(family, dtype, kind=kind), 8, 512)
    result = checked(models, family, dtype, runner)
    assert result.matches
    assert result.reproducible
    assert 0 < result.deviation.worst < (1e-4 if dtype == torch.float32 else 0.12)
    assert runner.length == 0  # nothing of the probe stays in the context window


@pytest.mark.parametrize("width", [1, 2, 3, 16, 64])
def test_good_models_pass_at_any_width(models: Models, networks: Networks, width: int) -> None:
    runner = PassRunner(networks("llama", torch.float32, width), width, 256)
    result = checked(models, "llama", torch.float32, runner)
    assert result.matches
    assert result.reproducible


class Tampered(Wrapped):
    """A network with a fault in what goes in or comes out."""

    def __init__(
        self,
        network: Network,
        positions: Callable[[Tensor], Tensor] = lambda positions: positions,
        logits: Callable[[Tensor], Tensor] = lambda logits: logits,
    ) -> None:
        super().__init__(network)
        self._positions = positions
        self._logits = logits

    def hidden(self, ids: Tensor, positions: Tensor) -> Tensor:
        return self._network.hidden(ids, self._positions(positions))

    def logits(self, hidden: Tensor) -> Tensor:
        return self._logits(self._network.logits(hidden))


def one_score_off(logits: Tensor) -> Tensor:
    changed = logits.clone()
    changed[:, 17] += 0.5 * logits.std()
    return changed


def not_a_number(logits: Tensor) -> Tensor:
    changed = logits.clone()
    changed[:, 17] = torch.nan
    return changed


with_a_fault = pytest.mark.parametrize(
    "fault",
    [
        {"logits": lambda logits: logits.roll(1, -1)},
        {"logits": lambda logits: logits * 1.3},
        {"logits": one_score_off},
        {"logits": not_a_number},
        {"logits": lambda logits: logits.roll(1, 0)},
        {"positions": lambda positions: positions // 2},
    ],
    ids=["ids shifted", "scaled", "one score off", "NaN", "rows swapped", "positions"],
)


@pytest.mark.parametrize("dtype", FORMATS, ids=str)
@with_a_fault
def test_a_network_that_does_not_compute_the_model_is_noticed(
    models: Models, networks: Networks, dtype: torch.dtype, fault: dict[str, Callable[[Tensor], Tensor]]
) -> None:
    runner = PassRunner(Tampered(networks("llama", dtype), **fault), 8, 512)
    assert not checked(models, "llama", dtype, runner).matches


@pytest.mark.sliced
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
@with_a_fault
def test_a_fault_in_a_mixture_of_experts_is_noticed(
    references: Reference,
    library_networks: AnyNetwork,
    dtype: torch.dtype,
    fault: dict[str, Callable[[Tensor], Tensor]],
) -> None:
    """Though a token that rounding sends to another expert is none."""
    yardstick = tiny_yardstick(references("qwen3_moe", dtype), dtype, routed=True)
    runner = PassRunner(Tampered(library_networks("qwen3_moe", dtype), **fault), 8, 512)
    assert not run_self_test(runner, yardstick, VOCAB_SIZE).matches


class Unsteady(PassRunner):
    """Leaves a key that is off by one bit when a path like `path` is kept, but not in the first pass."""

    def __init__(self, network: Network, path: Sequence[int]) -> None:
        super().__init__(network, 8, 512)
        self._num_layers = network.num_layers
        self._path = list(path)
        self._num_passes = 0

    def reset(self) -> None:
        super().reset()
        self._num_passes = 0

    @torch.inference_mode()
    def commit(self, nodes: Sequence[int]) -> None:
        super().commit(nodes)
        self._num_passes += 1
        if self._num_passes == 1 or list(nodes) != self._path:
            return
        cache = self.store.snapshot()
        keys, values = cache[0][:, -1:], cache[self._num_layers][:, -1:]
        self.store.truncate(self.length - 1)
        self.store.write(0, torch.nextafter(keys, torch.tensor(9.0)), values)
        self.store.commit([0])


@pytest.mark.parametrize("path", [[0], [0, 1, 3, 6], [0, 1, 2, 3]], ids=["plain", "tree", "read again"])
def test_one_bit_of_difference_between_passes_is_noticed(
    models: Models, networks: Networks, path: list[int]
) -> None:
    result = checked(models, "llama", torch.float32, Unsteady(networks(), path))
    assert result.matches
    assert not result.reproducible


def third_row_rounds_otherwise(logits: Tensor) -> Tensor:
    changed = logits.clone()
    changed[2:3] = torch.nextafter(changed[2:3], torch.tensor(99.0))
    return changed


def test_scores_that_depend_on_the_row_are_noticed(models: Models, networks: Networks) -> None:
    runner = PassRunner(Tampered(networks(), logits=third_row_rounds_otherwise), 8, 512)
    result = checked(models, "llama", torch.float32, runner)
    assert result.matches
    assert not result.reproducible
