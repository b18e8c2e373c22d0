"""Drafts with a small model: it writes a few tokens ahead, the large one checks them.

Speculative decoding as in Leviathan et al. (arXiv 2211.17192), with the noise of each position shared by both
models instead of their probabilities compared: where they agree about a distribution, they draw one token.
The small model may split text otherwise: then it reads the text in pieces of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from quire_engine.api.config import Source
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting.doubted_sampling import doubted_draft_tokens
from quire_engine.drafting.draft_sampling import ancestors_of, batch_draft_tokens, quick_draft_tokens
from quire_engine.drafting.drafter import DrafterInput, DraftTokens, Observed
from quire_engine.drafting.token_translation import TokenTranslation, TranslatedText
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
_NEAR = 32  # tokens at the end of a text, where guesses are
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
        pass_ms: time of a pass that reads a token; 0: unknown.
        translation: between its tokens and the large model's, where they are others.
        user: the drafter whose text is in its cache.
    """

    runner: Runner
    num_ids: int
    suppressed: tuple[int, ...] = ()
    name: str = ""
    weight_bytes: int = 0
    room_bytes: int = 0
    pass_ms: float = 0.0
    translation: TokenTranslation | None = None
    user: object | None = None

    def release(self) -> None:
        """Forget the text in its cache and free that memory."""
        self.user = None
        self.runner.release()


class SharedText:
    """A text whose tokens are the small model's own."""

    def __init__(self, num_ids: int) -> None:
        self._num_ids = num_ids
        self._ids: list[int] = []

    def __len__(self) -> int:
        """Return how many tokens it has."""
        return len(self._ids)

    def add(self, token_ids: Sequence[int]) -> None:
        """Continue the text."""
        self._ids += self._known(token_ids)

    def pieces(self, start: int, more: Sequence[int] = ()) -> list[int]:
        """Return its tokens from one of them on, and these."""
        return [*self._ids[start:], *self._known(more)]

    def _known(self, token_ids: Sequence[int]) -> list[int]:
        """Return ids that it has: marks that only the large model knows are read as another one."""
        return [token if token < self._num_ids else 0 for token in token_ids]


class DraftModelDrafter:
    """Drafts a chain of the small model's own draws, with what else it thought of beside each of them.

    Its cache follows the stream and not the large model's context: what it read and did not become text is
    forgotten when it reads on, and what was written without it is read then, a small part before each step. A
    text longer than what it can look back over is read anew from its newest part.
    """

    def __init__(self, model: DraftModel) -> None:
        runner = self._runner = model.runner
        self._model = model
        self._most = min(runner.context_length, MOST_READ)
        self._kept = max(1, min(_BEGINS_WITH, self._most // _KEPT))
        self._scores = DraftScores()
        never = [number for number in model.suppressed if number < model.num_ids]
        self._never = torch.tensor(never, dtype=torch.long, device=runner.network.device)
        translation = model.translation
        self._text = SharedText(model.num_ids) if translation is None else TranslatedText(translation)
        self._num_tokens, self._newest = 0, -1  # of the stream
        self._start = 0  # piece of the text that is the first in the cache
        self._read_pieces: list[int] = []  # what is in the cache
        self._chain: list[int] = []  # its own draws after the root
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
        if not observed.is_reread and observed.token_ids:
            self._text.add(observed.token_ids)
            self._num_tokens += len(observed.token_ids)
            self._newest = observed.token_ids[-1]

    @torch.inference_mode()
    def begin(self, request: DrafterInput) -> bool:
        """Start a draft: forget guesses that were wrong, and read what was written without it.

        Returns True where that is more than it reads at once: it reads on next time.
        """
        is_here = (self._num_tokens, self._newest) == (request.index, request.root_token)
        self._request = request if is_here and request.max_depth > 0 and len(self._text) else None
        if self._request is None:
            return False
        self._chain, self._node = [], ROOT
        unread = self._unread()
        if len(unread) > self._kept or self._runner.length + len(unread) + 2 * MOST_AHEAD > self._most:
            self._start = max(0, len(self._text) - self._kept)
            unread = self._unread()
        if len(unread) > self._rows:
            self._read_chunk(unread[: min(_AT_ONCE, len(unread) - 1)])
        if len(unread) - _AT_ONCE > self._rows:
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
        unread = self._unread()
        if self._runner.length + len(unread) > self._most:
            return answers
        path = ancestors_of(tree, self._node)
        answers[place] = self._draft_tokens(self._read(unread), request, depth, path)
        self._chain += answers[place].token_ids[:1]
        return answers

    def _draft_tokens(
        self, logits: Tensor, request: DrafterInput, depth: int, path: Sequence[int]
    ) -> DraftTokens:
        """Return what it thinks may follow. logits: (1, all its ids)."""
        if isinstance(self._text, TranslatedText):
            row = self._text.row(logits[0].cpu().numpy())
            return doubted_draft_tokens(row, request, depth, path, request.num_tokens)
        ranked = quick_draft_tokens if self._runner.reads_alike else batch_draft_tokens
        rows = self._scores.rows(self._possible(logits))
        return ranked(rows, request, depth, (path,), request.num_tokens, sharpness=_SHARPNESS)[0]

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

    def _unread(self) -> list[int]:
        """Forget what is in the cache and not in the text with the chain; return what is to be read.

        That is never nothing: the scores after the newest piece are not kept, so it is read again.
        """
        if self._model.user is not self:  # another text is in the cache
            self._model.user = self
            self._start, self._read_pieces = 0, []
        wanted = self._text.pieces(self._start, self._chain)
        num_kept = min(_num_common(self._read_pieces, wanted), len(wanted) - 1)
        self._runner.rewind(num_kept)
        del self._read_pieces[num_kept:]
        return wanted[num_kept:]

    @property
    def _rows(self) -> int:
        """Most pieces of the next pass."""
        runner = self._runner
        return runner.width if runner.reads_alike else min(runner.width, BLOCK - runner.length % BLOCK)

    def _read(self, pieces: list[int]) -> Tensor:
        """Read pieces: what may follow the last one, (1, ids)."""
        if len(pieces) > self._rows:
            self._read_chunk(pieces[:-1])
            pieces = pieces[-1:]
        scores = self._runner.decode(pieces, range(-1, len(pieces) - 1))
        self._runner.commit(range(len(pieces)))
        self._read_pieces += pieces
        return scores[-1:]

    def _read_chunk(self, pieces: list[int]) -> None:
        self._runner.prefill(pieces)
        self._read_pieces += pieces

    def _possible(self, logits: Tensor) -> Tensor:
        """Return the scores of ids that the large model may draw. logits: (1, all its ids), changed."""
        found = logits[:, : self._model.num_ids]
        return found.index_fill_(1, self._never, -torch.inf)


def _num_common(some: list[int], others: list[int]) -> int:
    """Return how many tokens two texts begin with alike; they mostly differ near the end of one."""
    most = min(len(some), len(others))
    sure = max(0, most - _NEAR)
    if some[:sure] != others[:sure]:
        sure = 0
    return next((place for place in range(sure, most) if some[place] != others[place]), most)
