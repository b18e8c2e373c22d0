"""Heads as others publish them, made for tiny models: names, shapes and formulas of the released forms."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

WIDTH = 64


def random_chain(count: int = 3, width: int = WIDTH, seed: int = 0) -> dict[str, Tensor]:
    """Return the tensors that a TokenSwift checkpoint has beside its base model."""
    random = torch.Generator().manual_seed(seed)
    tensors: dict[str, Tensor] = {}
    for head in range(count):
        name = f"model.medusa_layers.{head}"
        tensors[f"{name}.linear.weight"] = 0.1 * torch.randn(width, width, generator=random)
        for norm in ("input_layernorm", "post_layernorm"):
            tensors[f"{name}.{norm}.weight"] = 1 + 0.2 * torch.randn(width, generator=random)
    return {name: tensor.bfloat16() for name, tensor in tensors.items()}


def random_medusa(
    count: int = 2, blocks: int = 1, vocab: int = 320, prefix: str = "", seed: int = 0
) -> dict[str, Tensor]:
    """Return the tensors of Medusa's heads."""
    random = torch.Generator().manual_seed(seed)
    tensors: dict[str, Tensor] = {}
    for head in range(count):
        for block in range(blocks):
            name = f"{prefix}{head}.{block}.linear"
            tensors[f"{name}.weight"] = 0.1 * torch.randn(WIDTH, WIDTH, generator=random)
            tensors[f"{name}.bias"] = 0.1 * torch.randn(WIDTH, generator=random)
        tensors[f"{prefix}{head}.{blocks}.weight"] = torch.randn(vocab, WIDTH, generator=random)
    return {name: tensor.half() for name, tensor in tensors.items()}


def token_swift_folder(base: Path, folder: Path, tensors: dict[str, Tensor]) -> Path:
    """Write a checkpoint as TokenSwift releases them: base model, heads, and a config that counts them."""
    folder.mkdir()
    weights = load_file(base / "model.safetensors")
    save_file(weights | tensors, folder / "model.safetensors", {"format": "pt"})
    config = json.loads((base / "config.json").read_text(encoding="utf-8"))
    heads = sum(name.endswith("linear.weight") for name in tensors)
    (folder / "config.json").write_text(json.dumps(config | {"medusa_heads": heads}), encoding="utf-8")
    (folder / "tokenizer.json").write_bytes((base / "tokenizer.json").read_bytes())
    return folder


def medusa_folder(folder: Path, tensors: dict[str, Tensor]) -> Path:
    """Write heads as Medusa's are published: the heads alone, and a config that names the base."""
    folder.mkdir()
    save_file(tensors, folder / "medusa_lm_head.safetensors")
    said = {"medusa_num_heads": 2, "medusa_num_layers": 1, "base_model_name_or_path": "maker/base"}
    (folder / "config.json").write_text(json.dumps(said), encoding="utf-8")
    return folder


class ReleasedHead(nn.Module):
    """One of TokenSwift's heads, line by line as the paper and its code describe it."""

    def __init__(self, tensors: dict[str, Tensor], head: int, eps: float) -> None:
        super().__init__()
        name = f"model.medusa_layers.{head}"
        self.linear = nn.Linear(WIDTH, WIDTH, bias=False)
        self.before, self.after = nn.RMSNorm(WIDTH, eps), nn.RMSNorm(WIDTH, eps)
        with torch.no_grad():
            self.linear.weight.copy_(tensors[f"{name}.linear.weight"])
            self.before.weight.copy_(tensors[f"{name}.input_layernorm.weight"])
            self.after.weight.copy_(tensors[f"{name}.post_layernorm.weight"])

    def forward(self, state: Tensor) -> tuple[Tensor, Tensor]:
        """Return what the next head begins with, and what the LM head reads."""
        state = state + self.linear(self.before(state))
        return state, self.after(state)


@torch.no_grad()
def released_chain(tensors: dict[str, Tensor], before_norm: Tensor, eps: float, count: int = 3) -> Tensor:
    """Return what each of TokenSwift's heads says, (heads, width)."""
    said = []
    for head in range(count):
        before_norm, normed = ReleasedHead(tensors, head, eps)(before_norm)
        said.append(normed)
    return torch.cat(said)


def released_medusa(tensors: dict[str, Tensor], hidden: Tensor, count: int = 2, blocks: int = 1) -> Tensor:
    """Return the scores of each of Medusa's heads, (heads, vocab)."""
    said = []
    for head in range(count):
        state = hidden
        for block in range(blocks):
            name = f"{head}.{block}.linear"
            inner = state @ tensors[f"{name}.weight"].float().T + tensors[f"{name}.bias"].float()
            state = state + inner * torch.sigmoid(inner)
        said.append(state @ tensors[f"{head}.{blocks}.weight"].float().T)
    return torch.cat(said)
