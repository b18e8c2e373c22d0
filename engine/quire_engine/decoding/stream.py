"""One run: its tokens, what the model has read of them, and the step that adds more."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.config import SamplingConfig
from quire_engine.decoding.context import RolloverPolicy
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.decoding.sampling import draw
from quire_engine.models.adapter import TargetModel
from quire_engine.models.attention import BLOCK

PREFILL_CHUNK = 512
"""Tokens of a prompt read at once; chunks start at multiples of it, the same at every start."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one pass added. draft_depth: longest drafted path; margin: the closest decision of the step."""

    token_ids: tuple[int, ...]
    draft_depth: int
    num_accepted: int
    margin: float


class TokenStream:
    """The prompt and what was generated after it, over one target model.

    suppressed: ids that are never drawn (special tokens). Call `read` to its end before the first `step`,
    and again whenever `must_read` says so.
    """

    def __init__(
        self,
        target: TargetModel,
        prompt_ids: Sequence[int],
        generated_ids: Sequence[int],
        sampling: SamplingConfig,
        suppressed: Sequence[int],
    ) -> None:
        if not prompt_ids:
            raise ValueError("a run needs at least one prompt token")
        self._target = target
        self._sampling = sampling
        self._num_prompt = len(prompt_ids)
        self._ids = _GrowingIds([*prompt_ids, *generated_ids])
        self._window = PenaltyWindow(self._ids[:], sampling.penalty_window)
        self._suppressed = torch.tensor(list(suppressed), dtype=torch.long)
        self._policy = RolloverPolicy(target.context_length, BLOCK)
        self._is_fresh = True

    @property
    def num_generated(self) -> int:
        """Tokens generated so far."""
        return len(self._ids) - self._num_prompt

    @property
    def generated_ids(self) -> tuple[int, ...]:
        """The generated tokens."""
        return tuple(self._ids[self._num_prompt : len(self._ids)].tolist())

    @property
    def num_stream(self) -> int:
        """Tokens of the prompt and generated; the stream index of the next one."""
        return len(self._ids)

    @property
    def draft_room(self) -> int:
        """Return how deep a tree may be: no path leaves the block of its root, nor the view."""
        return BLOCK - 1 - self._target.length % BLOCK

    @property
    def must_read(self) -> bool:
        """Say whether `read` must run before the next step: at the beginning, and when the view is full."""
        return self._is_fresh or self._policy.is_due(self._target.length)

    def read(self) -> Iterator[tuple[int, int]]:
        """Rebuild the model's view of the stream, chunk by chunk; yields (tokens read, tokens to read).

        Prompt and rolled-over text are read in large chunks; text that this run decoded since is read by
        decode passes of the run's width, which gives back the very bits of an uninterrupted run.
        """
        num_read = len(self._ids) - 1  # the last token is the root of the next pass
        view = self._policy.view(self._num_prompt, num_read)
        total = view.length(num_read)
        self._target.reset()
        self._is_fresh = True
        as_prompt = np.concatenate((self._ids[: view.pinned], self._ids[view.start : view.reread]))
        for start in range(0, len(as_prompt), PREFILL_CHUNK):
            self._target.prefill(as_prompt[start : start + PREFILL_CHUNK].tolist())
            yield self._target.length, total
        done = view.reread
        while done < num_read:
            room = min(self._target.width, BLOCK - self._target.length % BLOCK, num_read - done)
            self._target.decode(self._ids[done : done + room].tolist(), range(-1, room - 1))
            self._target.commit(range(room))
            done += room
            yield self._target.length, total
        self._is_fresh = False

    @torch.inference_mode()
    def step(self, tree: DraftTree | None = None) -> Step:
        """Score a tree in one pass and keep the path that the model would have written by itself.

        tree: drafts below the stream's last token; None decodes plainly. It may not be wider than a pass,
        nor reach over the block that the root lies in.
        """
        drafts = DraftTree(self.last_token) if tree is None else tree
        logits = self._target.decode(drafts.tokens, drafts.parents)
        if len(self._suppressed):
            logits[:, self._suppressed] = -torch.inf
        # One draw per node, not per leaf: a second draw at a shared node would favour drafted tokens
        # and the output would no longer follow the model's distribution.
        path = [ROOT]
        margin = math.inf
        while True:
            drawn = draw(logits[path[-1]], self._window.distinct_ids(), len(self._ids), self._sampling)
            margin = min(margin, drawn.margin)
            self._append(drawn.token_id)
            node = drafts.child(path[-1], drawn.token_id)
            if node is None:
                break
            path.append(node)
        self._target.commit(path)
        tokens = self._ids[len(self._ids) - len(path) : len(self._ids)]
        return Step(tuple(tokens.tolist()), drafts.depth, len(path) - 1, margin)

    @property
    def last_token(self) -> int:
        """The newest token: drawn, but not read yet."""
        return int(self._ids[len(self._ids) - 1 : len(self._ids)][0])

    def _append(self, token_id: int) -> None:
        self._ids.append(token_id)
        self._window.slide(self._ids[-self._sampling.penalty_window - 1 :])


class PenaltyWindow:
    """The distinct ids among the last `width` tokens of a stream, prompt included; counted, not searched."""

    def __init__(self, stream: npt.NDArray[np.int64], width: int) -> None:
        self._width = width
        ids = stream[-width:] if width else stream[:0]
        self._counts = np.bincount(ids, minlength=1)

    def slide(self, newest: npt.NDArray[np.int64]) -> None:
        """Take the token that the stream gained. newest: its last tokens, width + 1 of them or all."""
        if self._width == 0:
            return
        token = int(newest[-1])
        if token >= len(self._counts):
            self._counts = np.append(
                self._counts, np.zeros(2 * token + 1 - len(self._counts), dtype=np.int64)
            )
        self._counts[token] += 1
        if len(newest) > self._width:
            self._counts[newest[0]] -= 1

    def distinct_ids(self) -> Tensor:
        """Return the ids, ascending, int64."""
        return torch.from_numpy(np.flatnonzero(self._counts))


class _GrowingIds:
    """Token ids in one array that doubles, so that a window of them is a view."""

    def __init__(self, ids: Sequence[int]) -> None:
        self._array = np.zeros(max(1024, 2 * len(ids)), dtype=np.int64)
        self._array[: len(ids)] = ids
        self._length = len(ids)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, part: slice) -> npt.NDArray[np.int64]:
        return self._array[: self._length][part]

    def append(self, token_id: int) -> None:
        """Add one id at the end."""
        if self._length == len(self._array):
            self._array = np.concatenate((self._array, np.zeros_like(self._array)))
        self._array[self._length] = token_id
        self._length += 1
