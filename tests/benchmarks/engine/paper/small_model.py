"""The small model that drafts for the baselines that need one: some of the model's own layers, distilled.

TriForce (arXiv 2404.11912) and one form of MagicDec (arXiv 2408.11049) draft with a model of the same family
that somebody trained on a great deal of text, over a cache of its newest tokens. The built-in model has no
smaller sister, so here it is the model itself without its middle layers, taught for a minute to say what the
whole of it would: it is weaker than such a model, and by how much nobody knows.
"""

from __future__ import annotations

import copy
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from quire_engine.decoding.draft_tree import DraftTree
from quire_engine.drafting.draft_model import DraftModelDrafter
from quire_engine.training.hidden_states import FrozenTarget, Pieces, Tokens
from tests.benchmarks.engine.paper.sizes import Size

_RATE = 1e-3
_PIECE = 256
_LAYER = re.compile(r"(.*\.layers\.)(\d+)(\..*)")


class SmallModelGuesser(DraftModelDrafter):
    """A small model that goes along with whatever path it is shown, and guesses behind it."""

    def _place_on_chain(self, tree: DraftTree, nodes: Sequence[int], depth: int) -> int | None:
        if depth and nodes and depth == len(self._chain):
            self._chain[-1] = tree.tokens[nodes[0]]  # it may have drawn another one
            return 0
        return super()._place_on_chain(tree, nodes, depth)


def small_model_folder(
    target: FrozenTarget, text: Tokens, size: Size, seed: int, original: Path, folder: Path
) -> Path:
    """Return the folder of the small model, trained if it is not there yet.

    text: what the model wrote. original: its folder, whose tokenizer the small one has, too.
    """
    if folder.is_dir():
        return folder
    small = _with_few_layers(target.model, size.small_layers)
    _distil(target, small, Pieces([(text, 1.0)], min(_PIECE, len(text)), seed), size)
    unfinished = folder.with_name(f"{folder.name} (unfinished)")
    shutil.rmtree(unfinished, ignore_errors=True)
    small.save_pretrained(unfinished)
    for file in original.glob("tokenizer*"):
        shutil.copyfile(file, unfinished / file.name)
    return unfinished.rename(folder)


def _with_few_layers(model: Any, num_layers: int) -> Any:
    """Return a model with so many of its layers, the first and the last among them."""
    count = model.config.num_hidden_layers
    kept = sorted({int(place) for place in np.linspace(0, count - 1, num_layers).round()})
    config = copy.deepcopy(model.config)
    config.num_hidden_layers = len(kept)
    if kinds := getattr(config, "layer_types", None):
        config.layer_types = [kinds[place] for place in kept]
    small = type(model)(config)  # with the library's own activations: Quire's can't be trained
    weights = model.state_dict()
    for name in small.state_dict():
        if found := _LAYER.match(name):
            weights[name] = model.state_dict()[f"{found[1]}{kept[int(found[2])]}{found[3]}"]
    small.load_state_dict({name: weights[name] for name in small.state_dict()})
    return small.to(device=model.device, dtype=torch.float32).train()


def _distil(target: FrozenTarget, small: Any, pieces: Pieces, size: Size) -> None:
    """Teach the small model the large one's distributions over what that wrote."""
    optimizer = torch.optim.AdamW(small.parameters(), lr=_RATE, weight_decay=0.0)
    warm_up = max(1, size.small_steps // 10)
    batch = max(1, size.step_tokens // _PIECE)
    for step in range(size.small_steps):
        left = 1.0 - step / size.small_steps
        optimizer.param_groups[0]["lr"] = _RATE * min(1.0, (step + 1) / warm_up, left)
        loss = _loss(target, small, pieces.batch(step, batch).to(target.device))
        optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(small.parameters(), 1.0)
        optimizer.step()


def _loss(target: FrozenTarget, small: Any, ids: Tensor) -> Tensor:
    """Return the distance of the small model's distributions from the large one's, in nats per token."""
    wanted = target.logits(target.hidden(ids).flatten(0, 1)).log_softmax(-1)
    said = small(input_ids=ids, use_cache=False).logits.flatten(0, 1).float().log_softmax(-1)
    return nn.functional.kl_div(said, wanted, log_target=True, reduction="batchmean")
