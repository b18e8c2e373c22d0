"""From a checked model folder to a pass runner: weights on their devices and the best backend."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from quire_engine.api.config import CacheForm, ModelConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.model_families import FUSED_TYPES
from quire_engine.forward import backend_choice, self_test
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.forward.self_test import SelfTest
from quire_engine.gpu import multi_gpu
from quire_engine.gpu.static_decoder import DecodeBackend
from quire_engine.models import int8_weights, loading
from quire_engine.models.attention import BLOCK
from quire_engine.models.loading import ModelFolder
from quire_engine.models.network import FusedDecoder, LibraryNetwork, Network


@dataclass(frozen=True, slots=True)
class BuiltModel:
    """A model in memory.

    Attributes:
        weight_bytes: of its parameters.
        reproducible: its bits repeat.
    """

    target: PassRunner
    num_parameters: int
    weight_bytes: int
    reproducible: bool
    num_cards: int = 1


@dataclass(frozen=True, slots=True)
class _Placed:
    """A model on its devices. reference: the library's logits for the self-test's chain."""

    network: Network
    reference: Tensor
    num_parameters: int
    weight_bytes: int
    num_cards: int


def build_model(
    folder: ModelFolder, config: ModelConfig, dtype: torch.dtype, device: torch.device
) -> BuiltModel:
    """Return the model ready to run; EnvironmentProblem when it does not compute what it should.

    config: with width and context decided.
    """
    threads = loading.thread_choices(config.threads)
    torch.set_num_threads(threads[0])
    placed = _place(folder, config, dtype, device)
    context_length = min(folder.context_length, config.context // BLOCK * BLOCK)
    vocab_size = int(folder.config.vocab_size)

    def build(fast: DecodeBackend | None, form: CacheForm = "full") -> PassRunner:
        padded = config.reproducible
        return PassRunner(placed.network, config.width, context_length, padded=padded, fast=fast, form=form)

    def check(runner: PassRunner) -> SelfTest:
        return self_test.run_self_test(runner, placed.reference, vocab_size, dtype, routed=folder.is_mixture)

    # passes of fixed shape know one card, and a cache that is kept as it was computed
    may_be_fast = placed.num_cards == 1 and config.cache == "full"
    paths = backend_choice.gpu_backends(device, dtype) if may_be_fast else ()
    trial = backend_choice.Trial(build, check, vocab_size, dtype, must_repeat=config.reproducible)
    chosen = backend_choice.fastest_that_passes(trial, paths)
    if chosen is None:
        target = build(None)
        torch.set_num_threads(self_test.fastest_threads(target, vocab_size, threads))
        chosen = target, check(target)
    target, result = chosen
    if not result.matches:
        raise EnvironmentProblem(
            "The model in {folder} failed its self-test (logits differ by {difference:.2g} of their "
            "spread), so Quire can't use it. Please report the model's name.",
            folder=folder.path,
            difference=result.worst,
        )
    reproducible = result.reproducible and config.reproducible
    if config.cache != "full":  # the library computes as the full form does; the law must hold in each
        target = build(None, config.cache)
        reproducible = check(target).reproducible and reproducible
    return BuiltModel(target, placed.num_parameters, placed.weight_bytes, reproducible, placed.num_cards)


def _place(folder: ModelFolder, config: ModelConfig, dtype: torch.dtype, device: torch.device) -> _Placed:
    """Load the weights, move them to their devices, and compute the library's reference logits once."""
    fused = folder.config.model_type in FUSED_TYPES and folder.config.hidden_act == "silu"
    model = loading.build_model(folder, dtype, None, config.weights)
    free = multi_gpu.free_on_cards() if device.type == "cuda" else ()
    cards = multi_gpu.cards_for(model, device, free, can_be_cut=fused)
    if not cards:
        multi_gpu.move(model, device)
    num_parameters = sum(parameter.numel() for parameter in model.parameters())
    weight_bytes = int8_weights.num_bytes(model)
    chain = self_test.chain_ids(int(folder.config.vocab_size), config.width)
    with int8_weights.plainly(model):  # the products are checked, not what rounding changed
        reference = self_test.reference_logits(model, chain)
    if cards:  # only now: the library's own pass knows one device
        multi_gpu.spread(model, cards)
    network = FusedDecoder(model, config.width, take_apart=True) if fused else LibraryNetwork(model)
    return _Placed(network, reference, num_parameters, weight_bytes, max(cards, default=0) + 1)
