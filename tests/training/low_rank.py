"""A low-rank adapter while it is trained: two small matrices beside every linear layer of a frozen model."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import torch
from safetensors.torch import save
from torch import Tensor, nn
from transformers.modeling_utils import PreTrainedModel

from quire_engine.api.atomic_file import replace_file
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.adapter_sources import FORMAT
from quire_engine.catalog.adapters import FACTOR_A, FACTOR_B
from tests.training.language_model import decoder_of


class LowRankLinear(nn.Module):
    """A frozen linear layer plus scale * B A, which starts at zero.

    Attributes:
        a: (rank, in), in float32.
        b: (out, rank), in float32.
    """

    def __init__(self, frozen: nn.Linear, rank: int, alpha: float) -> None:
        super().__init__()
        place = frozen.weight.device
        self.frozen = frozen
        self.scale = alpha / rank
        start = torch.randn(rank, frozen.in_features, device=place) / math.sqrt(frozen.in_features)
        self.a = nn.Parameter(start)
        self.b = nn.Parameter(torch.zeros(frozen.out_features, rank, device=place))

    def forward(self, states: Tensor) -> Tensor:
        """Return the layer's output. states: (..., in); result: (..., out)."""
        narrow = nn.functional.linear(states, self.a.to(states.dtype))
        added = nn.functional.linear(narrow, self.b.to(states.dtype))
        result: Tensor = self.frozen(states) + added * self.scale
        return result


def attach(model: PreTrainedModel, rank: int, alpha: float, seed: int) -> dict[str, LowRankLinear]:
    """Freeze a model and put an adapter beside every linear layer of its decoder; return them by weight.

    EnvironmentProblem when it has no such layer.
    """
    torch.manual_seed(seed)
    model.requires_grad_(False)
    decoder = decoder_of(model)
    found = [(name, layer) for name, layer in decoder.named_modules() if isinstance(layer, nn.Linear)]
    if not found:
        raise EnvironmentProblem("This model has no linear layers that an adapter could be trained for.")
    prefix = next(f"{name}." for name, module in model.named_modules() if module is decoder)
    adapters: dict[str, LowRankLinear] = {}
    for name, layer in found:
        parent, _, attribute = name.rpartition(".")
        adapters[f"{prefix}{name}.weight"] = LowRankLinear(layer, rank, alpha)
        setattr(decoder.get_submodule(parent), attribute, adapters[f"{prefix}{name}.weight"])
    return adapters


def factors_of(adapters: Mapping[str, LowRankLinear]) -> dict[str, Tensor]:
    """Return the trained matrices by their names in a file."""
    return dict(_named(adapters))


def _named(adapters: Mapping[str, LowRankLinear]) -> Iterator[tuple[str, Tensor]]:
    for name, layer in adapters.items():
        yield name + FACTOR_A, layer.a.detach()
        yield name + FACTOR_B, layer.b.detach()


def load_factors(adapters: Mapping[str, LowRankLinear], factors: Mapping[str, Tensor]) -> None:
    """Put stored matrices in place; EnvironmentProblem when they belong to another model or rank."""
    mine = factors_of(adapters)
    if {name: matrix.shape for name, matrix in mine.items()} != {
        name: matrix.shape for name, matrix in factors.items()
    }:
        raise EnvironmentProblem("The stored adapter belongs to another model; choose another work folder.")
    for name, matrix in mine.items():
        matrix.copy_(factors[name])


def save_adapter(
    file: Path, factors: Mapping[str, Tensor], *, rank: int, alpha: float, about: Mapping[str, str]
) -> None:
    """Write an adapter in bfloat16. about: `base_sha256`, and whatever else the file should say of itself."""
    narrow = {name: matrix.to("cpu", torch.bfloat16).contiguous() for name, matrix in factors.items()}
    metadata = {"format": FORMAT, "rank": str(rank), "alpha": f"{alpha:g}", **about}
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_file(file, save(narrow, metadata))
