"""The paper's own draft pass: the target itself over a partial KV cache, with the extra heads on top.

One forward of the root over the selected keys gives the first draft token, and the heads on its hidden state
the next three (gamma = 4; TokenSwift, arXiv 2502.18890, sections 3.1 and 3.2). Without trained heads the
target drafts a chain by itself, one partial pass per token.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from quire_engine.api.config import Source
from quire_engine.api.errors import is_out_of_memory
from quire_engine.decoding.draft_tree import DraftTree
from quire_engine.drafting.draft_heads import AnyHeads, Heads, build_heads
from quire_engine.drafting.draft_sampling import DraftRow, ancestors_of, draft_tokens_of
from quire_engine.drafting.drafter import DrafterInput, DraftTokens, Observed
from quire_engine.drafting.paper.partial_cache import PartialCache, Selection
from quire_engine.drafting.vocabulary_subset import DraftScores
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.models.attention import PartialPass, running
from quire_engine.models.host_transfer import to_device
from quire_engine.models.network import last_states

_log = logging.getLogger(__name__)

GAMMA = 4
"""Tokens of one draft, unless it is set: the paper's gamma."""


class PartialDrafter:
    """Drafts with the target's own network over the keys that matter most.

    Args:
        runner: the target; its passes that verify a draft record their queries, which select the keys.
        heads: trained ones, or None; EnvironmentProblem if they do not fit the target.
        budget: positions of the partial cache; a shorter text uses the full cache.
        selection: which positions these are; another one than the paper's is for comparisons.
        gamma: tokens of one draft; heads add as many as there are.
    """

    def __init__(
        self,
        runner: PassRunner,
        heads: AnyHeads | None,
        budget: int,
        selection: Selection = "dynamic",
        gamma: int = GAMMA,
    ) -> None:
        self._gamma = gamma
        self._heads: Heads | None = None
        self._sharpness: tuple[float, ...] = (1.0,)
        if heads is not None:
            self._heads = build_heads(runner.network, heads)
            self._sharpness = heads.sharpness
        self._runner = runner
        self._cache = PartialCache(budget, selection)
        self._is_off = False
        self._request: DrafterInput | None = None
        self._pass: PartialPass | None = None
        self._scores = DraftScores()
        self._rows: list[DraftRow] = []
        self._chain: list[int] = []

    @property
    def source(self) -> Source:
        """Its name in settings and metrics."""
        return "partial"

    @property
    def cache(self) -> PartialCache:
        """What the draft passes attend to."""
        return self._cache

    def reset(self) -> None:
        """Forget the selection: positions are about to get other tokens."""
        self._cache.reset()
        self._pass = None

    def observe(self, observed: Observed) -> None:
        """Let passes that verify nothing of it record no queries; the store has the text."""
        self._runner.record_queries = False

    @torch.inference_mode()
    def begin(self, request: DrafterInput) -> bool:
        """Start a draft: forward the root over the partial cache, and the heads on its hidden state.

        Without the queries that select the keys it proposes nothing, and the pass that follows records them.
        Where memory runs out it gives back what it took and proposes nothing any more: the text needs it.
        """
        runner = self._runner
        self._request, self._pass = request, None
        self._chain = []
        self._rows = []
        if runner.length == 0 or request.max_depth < 1 or self._is_off:
            return False
        runner.record_queries = True
        queries = self._accepted_queries()
        if not queries and self._cache.will_select(runner.length):
            return True
        with self._giving_way():
            self._draft(request, queries)
        return False

    @contextlib.contextmanager
    def _giving_way(self) -> Iterator[None]:
        """Give back everything, for good, where memory runs out within the block."""
        try:
            yield
        except Exception as error:
            if not is_out_of_memory(error):
                raise
            _log.warning("There is no memory for a partial cache.")
            self._is_off, self._pass = True, None
            self._rows = []
            self._cache.release()

    def _draft(self, request: DrafterInput, queries: Sequence[Tensor]) -> None:
        """Draft what the first pass over the partial cache gives."""
        runner = self._runner
        keys, values = self._cache.update(runner.store, queries)
        self._pass = PartialPass(runner.store, keys, values, flash=runner.fast is not None)
        if self._heads is None:
            self._draft_after(self._pass, [], request)
            return
        before_norm, hidden = self._forward(self._pass, [request.root_token])
        state = hidden
        if self._heads.reads_before_norm:
            assert before_norm is not None, "built only where the network shows it"
            state = before_norm
        self._rows = self._scores.rows(self._heads.logits(state, hidden, self._gamma - 1))

    @torch.inference_mode()
    def expand(self, tree: DraftTree, nodes: Sequence[int]) -> list[DraftTokens]:
        """Return what may follow these nodes, all of one depth; without heads, on the best path only."""
        depth = tree.depths[nodes[0]] if nodes else 0
        if self._request is None or self._pass is None or depth >= self._gamma:
            return [DraftTokens() for _ in nodes]
        paths = [ancestors_of(tree, node) for node in nodes]
        if self._heads is None:
            return [self._on_chain(self._pass, path, self._request) for path in paths]
        if depth >= len(self._rows):
            return [DraftTokens() for _ in nodes]
        return [self._proposed(depth, path, self._request) for path in paths]

    def _on_chain(self, pass_: PartialPass, path: list[int], request: DrafterInput) -> DraftTokens:
        """Draft with the target itself below its own best tokens; other nodes would cost a pass each."""
        depth = len(path)
        if path != self._chain[:depth] or depth > len(self._chain):
            return DraftTokens()
        if depth == len(self._rows):
            with self._giving_way():
                self._draft_after(pass_, path, request)
            if self._is_off:
                return DraftTokens()
        proposed = self._proposed(depth, path, request)
        if depth == len(self._chain) and proposed.token_ids:
            self._chain.append(proposed.token_ids[0])
        return proposed

    def _draft_after(self, pass_: PartialPass, path: list[int], request: DrafterInput) -> None:
        """Add the row of the next depth of the chain, with one partial pass over the whole of it."""
        _, hidden = self._forward(pass_, [request.root_token, *path])
        self._rows += self._rows_of(hidden[-1:])

    def _rows_of(self, hidden: Tensor) -> list[DraftRow]:
        return self._scores.rows(self._runner.network.logits(hidden))

    def _proposed(self, depth: int, path: list[int], request: DrafterInput) -> DraftTokens:
        # the first row is the target's own, the others are the heads'
        place = depth - 1 if self._heads is not None else -1
        sharpness = self._sharpness[min(place, len(self._sharpness) - 1)] if place >= 0 else 1.0
        row = self._rows[depth]
        return draft_tokens_of(
            row.logits, request, depth, path, request.num_tokens, row.ids, sharpness=sharpness
        )

    def _forward(self, pass_: PartialPass, token_ids: list[int]) -> tuple[Tensor | None, Tensor]:
        """Run a chain from the root over the partial cache: `last_states`, (tokens, width) each."""
        device = self._runner.network.device
        start = self._runner.length
        positions = torch.arange(start, start + len(token_ids), device=device)
        with running(pass_):
            return last_states(self._runner.network, to_device(token_ids, device), positions)

    def _accepted_queries(self) -> list[Tensor]:
        """Return the rotated queries of the last accepted node, per layer (heads, dim)."""
        node = self._runner.last_node
        queries = self._runner.queries
        return [query[:, node] for query in queries] if queries and node < queries[0].shape[1] else []
