"""Drafts with a small model of the same tokenizer: it writes a few tokens ahead, the large one checks them.

Speculative decoding as in Leviathan et al. (arXiv 2211.17192), with the noise of each position shared by both
models instead of their probabilities compared: where they agree about a distribution, they draw one token.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from quire_engine.api.config import Source
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting.draft_sampling import ancestors_of, batch_draft_tokens, quick_draft_tokens
from quire_engine.drafting.drafter import DrafterInput, DraftTokens, Observed
from quire_engine.drafting.vocabulary_subset import DraftScores
from quire_engine.models.attention import BLOCK
from quire_engine.models.target_model import Runner

MOST_AHEAD = 8
"""Tokens that it writes ahead of the text at most; the planner asks for as many as pay."""
MOST_READ = 4096
"""Tokens that it looks back over at most: beyond that a guess gains little and costs more."""
_SHARPNESS = 2.0  # it is right more often than its own distribution says, for the noise is shared
_KEPT = 4  # it begins with this part of what it can look back over at most, so that it seldom reads again
_BEGINS_WITH = 256  # tokens that it begins with at most: the first draft is near, and seldom asks for more
_AT_ONCE = 128  # tokens that it reads at most before a step, which a pause has to wait for


@dataclass(slots=True)
class DraftModel:
    """A small model that guesses for a large one.

    Attributes:
        runner: its passes and its KV cache.
        num_ids: ids below this belong to both models.
        suppressed: ids that the large model never draws.
        name: for people.
        weight_bytes: of its weights.
        room_bytes: its KV cache once that is full, and what a pass needs.
        user: the drafter whose text is in its cache.
    """

    runner: Runner
    num_ids: int
    suppressed: tuple[int, ...] = ()
    name: str = ""
    weight_bytes: int = 0
    room_bytes: int = 0
    user: object | None = None

    def release(self) -> None:
        """Forget the text in its cache and free that memory."""
        self.user = None
        self.runner.release()


class DraftModelDrafter:
    """Drafts a chain of the small model's own draws, with what else it thought of beside each of them.

    Its cache follows the stream and not the large model's context: guesses that did not become text are
    forgotten when the next draft begins, and what was written without it is read then, a small part before
    each step. A text longer than what it can look back over is read anew from its newest part.
    """

    def __init__(self, model: DraftModel) -> None:
        runner = self._runner = model.runner
        self._model = model
        self._most = min(runner.context_length, MOST_READ)
        self._kept = max(1, min(_BEGINS_WITH, self._most // _KEPT))
        self._ranked = quick_draft_tokens if runner.reads_alike else batch_draft_tokens
        self._scores = DraftScores()
        never = [number for number in model.suppressed if number < model.num_ids]
        self._never = torch.tensor(never, dtype=torch.long, device=runner.network.device)
        self._ids: list[int] = []  # the stream
        self._start = 0  # stream index of the first token in the cache
        self._num_text = 0  # positions of the cache that are text; guesses follow
        self._chain: list[int] = []  # its own draws after the root
        self._num_guesses = 0  # of these, read
        self._node = ROOT  # the last of them in the tree
        self._request: DrafterInput | None = None

    @property
    def source(self) -> Source:
        """Its name in settings and metrics."""
        return "draft_model"

    def reset(self) -> None:
        """Do nothing: its cache follows the stream, which stays."""

    def observe(self, observed: Observed) -> None:
        """Note what the stream gained; it is read when a draft begins."""
        if not observed.is_reread:
            self._ids += observed.token_ids

    @torch.inference_mode()
    def begin(self, request: DrafterInput) -> bool:
        """Start a draft: forget guesses that were wrong, and read what was written without it.

        Returns True where that is more than it reads at once: it reads on next time.
        """
        is_here = len(self._ids) == request.index and self._ids[-1:] == [request.root_token]
        self._request = request if is_here and request.max_depth > 0 else None
        if self._request is None:
            return False
        self._settle()
        runner = self._runner
        num_unread = len(self._ids) - self._start - runner.length
        if num_unread > self._kept or runner.length + num_unread + MOST_AHEAD > self._most:
            self._start = max(0, len(self._ids) - self._kept)
            runner.rewind(0)
        if self._must_read():
            first = self._start + runner.length
            runner.prefill(self._known(self._ids[first : min(first + _AT_ONCE, len(self._ids) - 1)]))
        self._num_text = runner.length
        if self._must_read():
            self._request = None
            return True
        return False

    @torch.inference_mode()
    def expand(self, tree: DraftTree, nodes: Sequence[int]) -> list[DraftTokens]:
        """Return what may follow these nodes, all of one depth; it knows that of its own draws alone."""
        answers = [DraftTokens() for _ in nodes]
        request = self._request
        depth = tree.depths[nodes[0]] if nodes else 0
        place = self._place_on_chain(tree, nodes, depth)
        if request is None or place is None or depth >= MOST_AHEAD:
            return answers
        self._node = nodes[place]
        logits = self._read(self._chain[depth - 1 :]) if depth else self._read_root()
        rows = self._scores.rows(self._possible(logits))
        path = ancestors_of(tree, self._node)
        (answers[place],) = self._ranked(
            rows, request, depth, (path,), request.num_tokens, sharpness=_SHARPNESS
        )
        self._chain += answers[place].token_ids[:1]
        return answers

    def _place_on_chain(self, tree: DraftTree, nodes: Sequence[int], depth: int) -> int | None:
        """Return which of the nodes continues the chain, if one does."""
        if depth == 0:
            return 0 if nodes else None
        if depth != len(self._chain):
            return None
        for place, node in enumerate(nodes):
            if tree.parents[node] == self._node and tree.tokens[node] == self._chain[-1]:
                return place
        return None

    def _settle(self) -> None:
        """Keep of what the cache has what became text; the newest token is always read again.

        Only its scores are needed, and they are not kept.
        """
        if self._model.user is not self:  # another text is in the cache
            self._model.user = self
            self._start = self._num_text = self._num_guesses = 0
        num_kept, last = self._num_text, len(self._ids) - 1
        for token in self._chain[: self._num_guesses]:
            index = self._start + num_kept
            if index >= last or self._ids[index] != token:
                break
            num_kept += 1
        self._runner.rewind(min(num_kept, last - self._start))
        self._chain, self._num_guesses, self._node = [], 0, ROOT

    def _read_root(self) -> Tensor:
        """Read up to the root in one pass: its scores, (1, ids)."""
        logits = self._pass(self._ids[self._start + self._runner.length :])
        self._num_text = self._runner.length
        return logits

    def _read(self, guesses: Sequence[int]) -> Tensor:
        """Read the newest guess: what may follow it, (1, ids)."""
        self._num_guesses += len(guesses)
        return self._pass(guesses)

    def _pass(self, token_ids: Sequence[int]) -> Tensor:
        scores = self._runner.decode(self._known(token_ids), range(-1, len(token_ids) - 1))
        self._runner.commit(range(len(token_ids)))
        return scores[-1:]

    def _must_read(self) -> bool:
        """Say whether what is unread, the root included, is too much for the pass that reads the root."""
        runner = self._runner
        rows = runner.width if runner.reads_alike else min(runner.width, BLOCK - runner.length % BLOCK)
        return len(self._ids) - self._start - runner.length > rows

    def _known(self, token_ids: Sequence[int]) -> list[int]:
        """Return ids that it has: marks that only the large model knows are read as another one."""
        return [token if token < self._model.num_ids else 0 for token in token_ids]

    def _possible(self, logits: Tensor) -> Tensor:
        """Return the scores of ids that the large model may draw. logits: (1, all its ids), changed."""
        found = logits[:, : self._model.num_ids]
        return found.index_fill_(1, self._never, -torch.inf)
