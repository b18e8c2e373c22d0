"""A model of a wished shape with random weights, and a cache of a wished length that nobody had to read.

Only good for measuring time. One block of random numbers is laid out over all weights, which costs no more
than writing them; what they are does not matter for time, as long as nothing overflows.
"""

from __future__ import annotations

import importlib
from typing import Any

import torch
from torch import Tensor
from transformers.modeling_utils import PreTrainedModel

from quire_engine.cache.kv_store import KVStore
from quire_engine.catalog.model_families import FUSED_TYPES
from quire_engine.drafting.draft_heads import HeadsWeights
from quire_engine.drafting.feature_drafter import FeatureShape, FeatureWeights
from quire_engine.models.network import FusedDecoder, LibraryNetwork, Network
from tests.benchmarks.engine.model_shapes import NUM_HEADS, Shape

_BLOCK_NUMBERS = 1 << 20
_STD = 0.02
_LOGIT_STD = 4.0  # as peaked as a trained model's: a flat distribution would make drawing slow
_FILL_POSITIONS = 4096
_FEATURE_WINDOW = 64


class RandomNumbers:
    """Random numbers by the block, the same ones again and again."""

    def __init__(self, seed: int, device: torch.device, dtype: torch.dtype) -> None:
        torch.manual_seed(seed)
        self._block = torch.randn(_BLOCK_NUMBERS, device=device, dtype=torch.float32).to(dtype)

    def fill(self, tensor: Tensor, std: float) -> None:
        """Fill a tensor, which may be of any size and must be contiguous."""
        flat, block = tensor.view(-1), self._block * std
        whole = len(flat) // len(block) * len(block)
        flat[:whole].view(-1, len(block)).copy_(block.expand(whole // len(block), -1))
        flat[whole:].copy_(block[: len(flat) - whole])

    def of(self, *size: int, std: float = 1.0) -> Tensor:
        """Return a new tensor of them."""
        tensor = self._block.new_empty(size)
        self.fill(tensor, std)
        return tensor


@torch.no_grad()
def random_model(
    shape: Shape, num_layers: int, numbers: RandomNumbers, device: torch.device, dtype: torch.dtype
) -> PreTrainedModel:
    """Return the library's model of a shape with random weights, made on the device itself."""
    config = shape.config(num_layers)
    library: Any = importlib.import_module("transformers")  # by name: as in models.loading
    with torch.device("meta"):
        model: Any = library.AutoModelForCausalLM.from_config(config, dtype=dtype)
    model = model.to_empty(device=device).eval().requires_grad_(False)
    model.tie_weights()
    # it computes its angles when it is made, and on "meta" it could not
    rotary = model.base_model.rotary_emb
    model.base_model.rotary_emb = type(rotary)(config=config).to(device)
    for name, weight in model.named_parameters():
        if name.endswith("norm.weight"):
            weight.fill_(1)
        else:
            numbers.fill(weight, _STD)
    numbers.fill(model.get_output_embeddings().weight, _LOGIT_STD * shape.hidden_size**-0.5)
    made: PreTrainedModel = model
    return made


def network_of(model: PreTrainedModel, rows: int) -> Network:
    """Return the form in which Quire runs such a model, laid out for passes of so many rows."""
    if model.config.model_type in FUSED_TYPES:
        return FusedDecoder(model, rows)
    return LibraryNetwork(model)


@torch.inference_mode()
def fill_store(
    store: KVStore, shape: Shape, num_layers: int, length: int, numbers: RandomNumbers, spare: int
) -> None:
    """Let a store hold random keys and values up to `length`, as if so many tokens had been read.

    spare: positions to leave room for behind them.
    """
    store.reserve(length + spare)
    while store.length < length:
        count = min(_FILL_POSITIONS, length - store.length)
        rows = numbers.of(shape.num_kv_heads, count, shape.head_dim)
        for layer in range(num_layers):
            store.write(layer, rows, rows)
        store.commit(range(count))


def random_heads(shape: Shape, numbers: RandomNumbers) -> HeadsWeights:
    """Return the paper's heads with random weights."""
    width = shape.hidden_size
    weight = numbers.of(NUM_HEADS, width, width, std=_STD)
    ones = torch.ones(NUM_HEADS, width, device=weight.device)
    return HeadsWeights(weight, ones, ones)


def random_feature(shape: Shape, numbers: RandomNumbers) -> FeatureWeights:
    """Return a feature drafter with random weights, with the sizes that `prepare` gives it."""
    own = FeatureShape(
        width=shape.hidden_size,
        intermediate=shape.intermediate_size,
        num_heads=shape.num_heads,
        num_kv_heads=shape.num_kv_heads,
        head_dim=shape.head_dim,
        rope_theta=float(shape.rope["rope_theta"]),
        eps=shape.eps,
        window=_FEATURE_WINDOW,
    )
    tensors = {
        name: numbers.of(*size, std=_STD) if len(size) > 1 else torch.ones(size)
        for name, size in own.tensor_shapes().items()
    }
    head = numbers.of(shape.num_guessed, shape.hidden_size, std=_LOGIT_STD * shape.hidden_size**-0.5)
    return FeatureWeights(own, tensors, torch.arange(shape.num_guessed), head)
