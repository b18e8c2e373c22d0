"""The feature drafter: one decoder layer that predicts the target's next hidden states, and from them tokens.

Input at a position is the target's hidden state and the embedding of the token after it; output predicts the
target's next hidden state and goes through the target's LM head. For deeper draft tokens the layer reads its
own outputs, one batch of nodes per depth. Two measured choices make a depth cheap: attention and MLP run in
parallel, as in GPT-J, which means fewer and larger products; and attention runs once per draft, for the root,
over a window of true pairs: its output serves all deeper nodes, and the tokens in between reach them through
the predicted hidden states.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from quire_engine.api.config import Source
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting.draft_sampling import ancestors_of, batch_draft_tokens, quick_draft_tokens
from quire_engine.drafting.drafter import DrafterInput, DraftTokens, Observed
from quire_engine.drafting.vocabulary_subset import DraftScores
from quire_engine.integer.feature_layer import IntegerFeatureLayer, LayerSizes
from quire_engine.integer.integer_ends import IntegerEnds
from quire_engine.models.host_transfer import to_device
from quire_engine.models.network import PackedLinear
from quire_engine.models.target_model import NetworkEnds

_WINDOWS = 8  # windows that fit before the last one is moved to the front
_PACKED_ROWS = 4  # rows of a typical level, for which the CPU kernel is packed


@dataclass(frozen=True, slots=True)
class FeatureShape:
    """Sizes of the drafter's layer. window: pairs that its attention looks back over."""

    width: int
    intermediate: int
    num_heads: int
    num_kv_heads: int
    head_dim: int
    rope_theta: float
    eps: float
    window: int

    def tensor_shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of every weight by name, without the reduced vocabulary.

        query to up read the normed hidden state and embedding side by side; out and down write to the result,
        added to the hidden state times `mix`; `norm` is the weight of the last norm.
        """
        queries, keys = self.num_heads * self.head_dim, self.num_kv_heads * self.head_dim
        return {
            "query": (queries, 2 * self.width),
            "key": (keys, 2 * self.width),
            "value": (keys, 2 * self.width),
            "gate": (self.intermediate, 2 * self.width),
            "up": (self.intermediate, 2 * self.width),
            "out": (self.width, queries),
            "down": (self.width, self.intermediate),
            "mix": (self.width,),
            "norm": (self.width,),
        }


@dataclass(frozen=True, slots=True)
class FeatureWeights:
    """A trained feature drafter.

    Attributes:
        shape: its sizes.
        tensors: by the names of FeatureShape.tensor_shapes.
        vocabulary: the vocabulary subset that it may propose, ascending int64; None: the whole vocabulary.
        head: the subset's rows of the LM head, (ids, width); None: the target's whole head.
        sharpness: per depth, how far to trust its ranking (see `draft_sampling.draft_tokens_of`); the last
            serves deeper ones too.
    """

    shape: FeatureShape
    tensors: Mapping[str, Tensor]
    vocabulary: Tensor | None = None
    head: Tensor | None = None
    sharpness: tuple[float, ...] = (1.0,)


class _Layer:
    """The packed weights of the drafter's layer, its windowed KV cache, and its forward passes.

    A slot holds the keys and values of one pair; rotary positions are slot numbers.
    """

    def __init__(self, weights: FeatureWeights, device: torch.device, dtype: torch.dtype) -> None:
        shape = weights.shape

        def linear(weight: Tensor) -> PackedLinear:
            return PackedLinear(weight.to(device, dtype), None, _PACKED_ROWS)

        t = {name: tensor.to(device=device, dtype=dtype) for name, tensor in weights.tensors.items()}
        self._shape = shape
        self._qkv = linear(torch.cat([t["query"], t["key"], t["value"]]))
        self._gate_up = linear(torch.cat([t["gate"], t["up"]]))
        self._out = linear(torch.cat([t["out"], t["down"]], dim=1))
        self._head = None if weights.head is None else linear(weights.head)
        self._mix, self._norm = t["mix"], t["norm"]
        slots = _WINDOWS * shape.window
        self._keys = torch.zeros(slots, shape.num_kv_heads, shape.head_dim, dtype=dtype, device=device)
        self._values = torch.zeros_like(self._keys)
        self._cos, self._sin = (part.to(device, dtype) for part in rotary_table(shape, slots))
        self._found = torch.zeros(1, shape.num_heads * shape.head_dim, dtype=dtype, device=device)

    def read(self, features: Tensor, embeddings: Tensor, slot: int) -> tuple[Tensor, Tensor | None]:
        """Store pairs from `slot` on; return the last one's predicted state and its scores.

        features, embeddings: (pairs, width). Returns (1, width) and (1, ids); None where scores are left to
        the target's head.
        """
        inputs = self._joined(features, embeddings)
        self._found = self._look_back(inputs, slot)
        return self._predict(inputs[-1:])

    def guess(self, features: Tensor, embeddings: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return predicted states and their scores below the root read last, as `read` does of the root."""
        return self._predict(self._joined(features, embeddings))

    def _joined(self, features: Tensor, embeddings: Tensor) -> Tensor:
        """Return the layer's input: both normed, side by side. (rows, width) each -> (rows, 2 * width)."""
        width = self._shape.width
        both = torch.cat([features, embeddings], dim=-1).view(-1, 2, width)
        return nn.functional.layer_norm(both, (width,), None, None, self._shape.eps).view(-1, 2 * width)

    def _look_back(self, inputs: Tensor, slot: int) -> Tensor:
        """Store the keys and values of these pairs from `slot` on; return the last pair's attention over its
        window.

        inputs: (rows, 2 * width). Returns (1, heads * head_dim).
        """
        shape, rows = self._shape, len(inputs)
        heads, kv_heads, dim = shape.num_heads, shape.num_kv_heads, shape.head_dim
        end = slot + rows
        qkv = self._qkv(inputs).view(rows, heads + 2 * kv_heads, dim)
        queries_keys = qkv[:, : heads + kv_heads]
        rotated = queries_keys * self._cos[slot:end]
        rotated.addcmul_(queries_keys.roll(dim // 2, -1), self._sin[slot:end])
        self._keys[slot:end] = rotated[:, heads:]
        self._values[slot:end] = qkv[:, heads + kv_heads :]
        window = slice(max(0, end - shape.window), end)
        found = nn.functional.scaled_dot_product_attention(
            # query heads of a group become rows, so that no key is copied
            rotated[-1, :heads].view(1, kv_heads, heads // kv_heads, dim),
            self._keys[window].transpose(0, 1)[None],
            self._values[window].transpose(0, 1)[None],
        )
        return found.reshape(1, heads * dim)

    def _predict(self, inputs: Tensor) -> tuple[Tensor, Tensor | None]:
        width = self._shape.width
        gate, up = self._gate_up(inputs).chunk(2, dim=-1)
        found = self._found.expand(len(inputs), -1)
        inner = torch.cat([found, nn.functional.silu(gate).mul_(up)], dim=-1)
        states = self._out(inner).addcmul_(inputs[:, :width], self._mix)
        states = nn.functional.layer_norm(states, (width,), self._norm, None, self._shape.eps)
        return states, None if self._head is None else self._head(states).float()

    def move_back(self, start: int, count: int) -> None:
        """Move slots `start` to `start + count` to the front, rotated to their new positions."""
        keys, half = self._keys[start : start + count].float(), self._shape.head_dim // 2
        cos, sin = self._cos[start].float(), -self._sin[start].float()
        self._keys[:count] = (keys * cos + keys.roll(half, -1) * sin).to(self._keys.dtype)
        self._values[:count] = self._values[start : start + count].clone()


def rotary_table(shape: FeatureShape, length: int) -> tuple[Tensor, Tensor]:
    """Return cosines and signed sines of the first positions, each (length, 1, head_dim).

    rotate_half(x) * sin is one product of a signed sine with swapped halves.
    """
    exponents = torch.arange(0, shape.head_dim, 2, dtype=torch.float64) / shape.head_dim
    angles = torch.arange(length)[:, None, None] * shape.rope_theta**-exponents
    cos, sin = angles.cos(), angles.sin()
    return torch.cat([cos, cos], -1), torch.cat([-sin, sin], -1)


@torch.inference_mode()
def _check_fit(network: NetworkEnds, weights: FeatureWeights) -> torch.dtype:
    """Return the model's dtype; EnvironmentProblem if the drafter was made for other sizes."""
    sample = network.embed(torch.zeros(1, dtype=torch.long, device=network.device))
    fits = sample.shape[1] == weights.shape.width
    if fits and weights.vocabulary is not None:
        fits = int(weights.vocabulary[-1]) < network.logits(torch.zeros_like(sample)).shape[1]
    if not fits:
        raise EnvironmentProblem("The feature drafter doesn't match this model. Speed up the model again.")
    return sample.dtype


def layer_beside(network: NetworkEnds, weights: FeatureWeights) -> _Layer | IntegerFeatureLayer:
    """Return the layer in the numbers of the model beside it; EnvironmentProblem if it does not fit."""
    dtype = _check_fit(network, weights)
    if not isinstance(network, IntegerEnds):
        return _Layer(weights, network.device, dtype)
    shape, slots = weights.shape, _WINDOWS * weights.shape.window
    half = shape.head_dim // 2
    cos, sin = (table[:, 0, half:] for table in rotary_table(shape, slots))
    sizes = LayerSizes(shape.num_heads, shape.num_kv_heads, shape.head_dim, shape.window, slots, shape.eps)
    return IntegerFeatureLayer(sizes, weights.tensors, weights.head, cos, sin)


class FeatureDrafter:
    """Drafts with a trained feature drafter; observed tokens are processed when a draft begins."""

    def __init__(self, network: NetworkEnds, weights: FeatureWeights) -> None:
        self._network = network
        self._window = weights.shape.window
        self._sharpness = weights.sharpness
        self._layer = layer_beside(network, weights)
        is_compiled = isinstance(self._layer, IntegerFeatureLayer)
        self._ranked = quick_draft_tokens if is_compiled else batch_draft_tokens
        self._scores = DraftScores(None if weights.vocabulary is None else weights.vocabulary.numpy())
        self._request: DrafterInput | None = None
        self.reset()

    @property
    def source(self) -> Source:
        """Its name in settings and metrics."""
        return "feature"

    def reset(self) -> None:
        """Forget the text."""
        self._pending: deque[tuple[Tensor, list[int]]] = deque()
        self._num_pending = 0
        self._committed = 0  # slots that belong to the text
        self._root: tuple[Tensor, Tensor | None] | None = None  # its state and scores
        self._forget_draft()

    def observe(self, observed: Observed) -> None:
        """Queue hidden states and their next tokens; they are processed when a draft starts."""
        if observed.hidden is None or len(observed.token_ids) == 0:
            return
        ids = list(observed.token_ids)[-self._window :]
        # copied: the rows are views of the pass buffers
        self._pending.append((observed.hidden[-len(ids) :].clone(), ids))
        self._num_pending += len(ids)
        while self._num_pending - len(self._pending[0][1]) >= self._window:
            self._num_pending -= len(self._pending.popleft()[1])

    @torch.inference_mode()
    def begin(self, request: DrafterInput) -> None:
        """Start a draft: process what was observed since the last one, and predict what follows the root."""
        self._request = request
        self._forget_draft()
        self._read_pending()

    @torch.inference_mode()
    def expand(self, tree: DraftTree, nodes: Sequence[int]) -> list[DraftTokens]:
        """Return what may follow these nodes, all of one depth; one pass through the layer."""
        if self._request is None or not nodes:
            return [DraftTokens() for _ in nodes]
        depth = tree.depths[nodes[0]]
        known, found = self._read_nodes(tree, nodes) if depth else ([ROOT], self._root)
        if found is None:
            return [DraftTokens() for _ in nodes]
        states, scores = found
        proposed = self._ranked(
            self._scores.rows(self._network.logits(states) if scores is None else scores),
            self._request,
            depth,
            [ancestors_of(tree, node) for node in known],
            self._request.num_tokens,
            sharpness=self._sharpness[min(depth, len(self._sharpness) - 1)],
        )
        if len(known) == len(nodes):
            return proposed
        by_node = dict(zip(known, proposed, strict=True))
        return [by_node.get(node, DraftTokens()) for node in nodes]

    def _forget_draft(self) -> None:
        self._levels: list[Tensor] = []  # predicted hidden states by depth
        self._rows: dict[int, int] = {}  # row of a node in its level

    def _read_pending(self) -> None:
        """Process what was observed since the last draft, at most a window of it; the root is the newest."""
        if self._pending:
            self._make_room()
            hidden = torch.cat([rows for rows, _ in self._pending])[-self._window :]
            ids = [token for _, tokens in self._pending for token in tokens][-self._window :]
            self._pending.clear()
            self._num_pending = 0
            self._root = self._layer.read(hidden, self._embedded(ids), self._committed)
            self._committed += len(ids)
        if self._root is not None:
            self._levels.append(self._root[0])
            self._rows[ROOT] = 0

    def _make_room(self) -> None:
        """Move the last window to the front when the slots run out; drop it if it is outdated anyway."""
        if self._num_pending >= self._window:
            self._committed = 0
        elif self._committed > (_WINDOWS - 1) * self._window:
            self._layer.move_back(self._committed - self._window, self._window)
            self._committed = self._window

    def _read_nodes(
        self, tree: DraftTree, nodes: Sequence[int]
    ) -> tuple[list[int], tuple[Tensor, Tensor | None] | None]:
        """Process the nodes of one depth whose parents were processed; return them, their states and
        scores."""
        depth = tree.depths[nodes[0]]
        known = [node for node in nodes if tree.parents[node] in self._rows]
        if not known or self._root is None:
            return [], None
        above = self._levels[depth - 1]
        parents = [self._rows[tree.parents[node]] for node in known]
        if parents != list(range(len(above))):
            above = above.index_select(0, to_device(parents, above.device))
        states, scores = self._layer.guess(above, self._embedded([tree.tokens[node] for node in known]))
        self._levels[depth:] = [states]
        self._rows.update(zip(known, range(len(known)), strict=True))
        return known, (states, scores)

    def _embedded(self, ids: list[int]) -> Tensor:
        return self._network.embed(to_device(ids, self._network.device))
