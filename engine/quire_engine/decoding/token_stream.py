"""One run: its tokens, how many of them are in the KV cache, and the step that adds more."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.api.config import SamplingConfig, Source
from quire_engine.decoding.banned_sequences import BannedSequences
from quire_engine.decoding.context_window import ContextRule, View
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.decoding.logits_transfer import LogitsTransfer, Scored, WholeRows
from quire_engine.decoding.penalty_growth import PairWindow, grown_penalty
from quire_engine.decoding.penalty_window import PenaltyWindow
from quire_engine.decoding.prefill_plan import CachedText, PrefillSegment, prefill_segments
from quire_engine.decoding.sampling import Draw
from quire_engine.decoding.sampling_rules import SamplingRules
from quire_engine.models.attention import BLOCK
from quire_engine.models.target_model import TargetModel


@dataclass(frozen=True, slots=True)
class EndOfText:
    """When the model may end the text: with one of `ids`, after `min_tokens` generated tokens."""

    ids: tuple[int, ...] = ()
    min_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One draft-then-verify step.

    token_ids: the accepted draft tokens and then the bonus token. num_drafted: draft tokens that the pass
    checked. draft_depth: longest drafted path, 0 for a plain step. margin: the closest decision.
    draws: one per token, with what truncation left at its position. raw_states, states: see `hidden` and
    TargetModel. verify_ms: the pass itself, until its scores were on the
    host, and the second one that a near-tie takes. ended: the last token ends the text.

    Filled in by the session that drafted: accepted_sources: the drafter of each accepted token, in order of
    depth. draft_ms, rest_ms: time in drafting, and in drawing, learning and planning.
    """

    token_ids: tuple[int, ...]
    num_drafted: int
    draft_depth: int
    margin: float
    draws: tuple[Draw, ...]
    raw_states: Tensor
    states: Callable[[Tensor], Tensor]
    verify_ms: float
    ended: bool
    accepted_sources: tuple[Source, ...] = ()
    draft_ms: float = 0.0
    rest_ms: float = 0.0

    @property
    def hidden(self) -> Tensor:
        """(tokens, width), row i is the hidden state whose successor is token_ids[i]; computed when asked."""
        return self.states(self.raw_states)

    @property
    def num_accepted(self) -> int:
        """Accepted draft tokens; the bonus token is not one of them."""
        return len(self.token_ids) - 1


class TokenStream:
    """The prompt and the generated tokens, over one target model.

    Call `read` to its end before the first `step`, and again whenever `must_read` is true.

    Args:
        target: the model and its KV cache.
        prompt_ids, generated_ids: the stream so far.
        sampling: the sampling settings.
        suppressed: ids that are never drawn (special tokens).
        end: when the model may end the text.
        near_tie: tokens with a smaller margin are drawn again by a one-row pass, as plain decoding does; for
            devices whose passes round by their shape.
        prefill_plan: how the prompt is read (see `prefill_plan`).
        num_cached: tokens at the start of the context that the KV cache has exactly as they would be read;
            anything beyond is discarded.
        num_front: see ContextRule.
        banned: sampling.banned as token sequences; required if there are any.
    """

    def __init__(
        self,
        target: TargetModel,
        prompt_ids: Sequence[int],
        generated_ids: Sequence[int],
        sampling: SamplingConfig,
        suppressed: Sequence[int],
        *,
        end: EndOfText | None = None,
        near_tie: float = 0.0,
        prefill_plan: Sequence[int] = (),
        num_cached: int = 0,
        num_front: int = 0,
        banned: BannedSequences | None = None,
    ) -> None:
        if not prompt_ids:
            raise ValueError("a run needs at least one prompt token")
        if sampling.banned and banned is None:
            raise ValueError("banned phrases are needed as tokens")
        self._target = target
        self._sampling = sampling
        self._num_prompt = len(prompt_ids)
        self._ids = _GrowingIds([*prompt_ids, *generated_ids])
        self._window = PenaltyWindow(self._ids[:], sampling.penalty_window)
        self._pairs = PairWindow(self._ids[:]) if sampling.penalty_growth else None
        self._end = end or EndOfText()
        self._banned = banned or BannedSequences()
        rules = _rules(sampling, suppressed, self._end, self._num_prompt, self._banned.lasts)
        self._handover = LogitsTransfer(rules)
        self._near_tie = near_tie
        self._policy = ContextRule(target.context_length, BLOCK, num_front)
        self._prefill_plan = tuple(prefill_plan)
        self._newest: list[tuple[Sequence[int], WholeRows]] = []  # by the indexes that they decide
        target.rewind(num_cached)
        num_read = len(self._ids) - 1
        self._is_fresh = num_cached == 0 or num_cached < self._view(num_read).length(num_read)
        self._num_cached = num_cached if self._is_fresh else 0  # a later reading is of another view

    @property
    def num_prompt(self) -> int:
        """Tokens of the prompt."""
        return self._num_prompt

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
        """Tokens of the stream; the stream index of the next one."""
        return len(self._ids)

    @property
    def last_token(self) -> int:
        """The newest token: drawn, but not read yet."""
        return int(self._ids[len(self._ids) - 1 : len(self._ids)][0])

    @property
    def penalised(self) -> npt.NDArray[np.int64]:
        """The distinct ids in the penalty window, in no order; a view that the next token changes."""
        return self._window.distinct_ids()

    @property
    def sampling(self) -> SamplingConfig:
        """The settings, with the penalty's strength at the next token."""
        theta = self._theta(self._pairs)
        return self._sampling if theta is None else replace(self._sampling, repetition_penalty=theta)

    @property
    def draft_room(self) -> int:
        """Return how deep a draft tree may be: no path leaves the context window, nor its root's block where
        passes attend by blocks."""
        if self._target.reads_alike:
            return self._target.context_length - 1 - self._target.length
        return BLOCK - 1 - self._target.length % BLOCK

    @property
    def must_read(self) -> bool:
        """Say whether `read` must run before the next step: at the start, and when the context is full."""
        return self._is_fresh or self._policy.is_due(self._target.length)

    def cached_text(self, *, rows_repeat: bool) -> CachedText | None:
        """Return the text in the KV cache; None when the context was rebuilt.

        Valid after every step and every prefill chunk. rows_repeat: see CachedText.
        """
        num_read = len(self._ids) - 1
        if num_read >= self._policy.capacity:
            return None
        ids = self._ids[: self._target.length].copy()
        segments = prefill_segments(self._prefill_plan, self._num_prompt, num_read)
        return CachedText(ids, segments, rows_repeat, self._target.reads_alike)

    def read(self) -> Iterator[PrefillProgress]:
        """Prefill the context, chunk by chunk, after what is already cached.

        The prompt and rebuilt context are read in large chunks; tokens that this run generated since are read
        by decode passes of the run's width, which reproduces the bits of an uninterrupted run. Where chunks
        do so as well, only what `verify_resume` looks at is decoded.
        """
        num_read = len(self._ids) - 1  # the last token is the root of the next pass
        view = self._view(num_read)
        total = view.length(num_read)
        self._target.rewind(self._num_cached)
        self._num_cached = 0
        self._is_fresh = True
        self._newest.clear()
        # stream indexes in the context window: at the seam of a rolled-over view they jump
        places = np.concatenate((np.arange(view.pinned), np.arange(view.start, num_read)))
        for piece in self._pieces(view, total):
            while (done := max(piece.start, self._target.length)) < piece.end:
                room = self._decode_room(piece.end - done) if piece.decoded else piece.end - done
                read = places[done : done + room]
                self._read_alike(read, decoded=piece.decoded)
                # the token after each one that was read, which its hidden state decided
                yield PrefillProgress(self._target.length, total, self._ids[:][read + 1], self._target.hidden)
        self._is_fresh = False

    def _view(self, num_read: int) -> View:
        return self._policy.view(self._num_prompt, num_read)

    def _pieces(self, view: View, total: int) -> tuple[PrefillSegment, ...]:
        """Return how the context is read, by positions in it; after a rebuild the prompt's plan no longer
        applies.
        """
        if self._target.reads_alike:
            num_checked = len(self._ids) - self._oldest_checked
            return prefill_segments((), total - num_checked + 1, total)
        if view.start == 0:
            return prefill_segments(self._prefill_plan, self._num_prompt, total)
        return prefill_segments((), view.length(view.reread) + 1, total)

    def _decode_room(self, count: int) -> int:
        in_block = count if self._target.reads_alike else BLOCK - self._target.length % BLOCK
        return min(self._target.width, in_block, count)

    def _read_alike(self, places: npt.NDArray[np.int64], *, decoded: bool) -> None:
        """Read tokens in one pass, and keep the logits of the newest ones for `verify_resume`."""
        tokens = self._ids[:][places].tolist()
        if not decoded:
            self._target.prefill(tokens)
            return
        scores = self._target.decode(tokens, range(-1, len(tokens) - 1))
        self._target.commit(range(len(tokens)))
        decided = places + 1
        kept = np.flatnonzero(decided >= self._oldest_checked)
        if len(kept):
            # copies, because the next pass may use the same memory; they stay on the device unless asked for
            rows = scores[int(kept[0]) :].clone()
            indexes = decided[kept].tolist()
            self._newest.append((indexes, self._handover.keep(rows, indexes)))

    @property
    def _oldest_checked(self) -> int:
        """The first stream index that `verify_resume` looks at."""
        return max(self._num_prompt, len(self._ids) - self._target.width)

    def verify_resume(self) -> ResumeCheck:
        """Draw the newest generated tokens again, at most the width of a pass, from the last prefill's
        logits.

        Near-ties that are drawn by one-row passes are left out: prefill makes none.
        """
        num_checked = 0
        first: int | None = None
        for indexes, scores in self._newest:
            for row, place in enumerate(indexes):
                window = PenaltyWindow(self._ids[:place], self._sampling.penalty_window)
                pairs = None if self._pairs is None else PairWindow(self._ids[:place])
                drawn = self._draw_at(scores, row, place, window, pairs)
                if drawn.margin < self._near_tie:
                    continue
                num_checked += 1
                if first is None and drawn.token_id != self._ids[place : place + 1][0]:
                    first = place - self._num_prompt
        self._newest.clear()
        return ResumeCheck(num_checked, first)

    @torch.inference_mode()
    def step(self, tree: DraftTree | None = None) -> Step:
        """Verify a draft tree in one pass and accept the path that plain decoding would have generated.

        tree: draft tokens below the stream's last token; None decodes plainly. No wider than a pass, and
        within the root's block.
        """
        self._newest.clear()
        drafts = DraftTree(self.last_token) if tree is None else tree
        started = time.perf_counter()
        scores = self._decode(drafts)
        verify_ms = (time.perf_counter() - started) * 1000
        # One draw per node, not per leaf: a second draw at a shared node would favour drafted tokens
        # and the output would no longer follow the model's distribution.
        path = [ROOT]
        draws: list[Draw] = []
        while True:
            drawn = self._draw_at(scores, path[-1], len(self._ids), self._window, self._pairs)
            if drawn.margin < self._near_tie and len(drafts.tokens) > 1:
                return self._settle(drafts, path, draws, verify_ms)
            draws.append(drawn)
            self._append(drawn.token_id)
            node = drafts.child(path[-1], drawn.token_id)
            if node is None or drawn.token_id in self._end.ids:
                break
            path.append(node)
        raw = self._target.raw_states(path)
        self._target.commit(path)
        return self._step_of(drafts, draws, raw, verify_ms)

    def _settle(self, drafts: DraftTree, path: list[int], draws: list[Draw], verify_ms: float) -> Step:
        """Draw a near-tie by the passes of plain decoding: commit the path so far, then run its last node
        alone."""
        raw = self._target.raw_states(path[:-1])
        self._target.commit(path[:-1])
        started = time.perf_counter()
        scores = self._decode(DraftTree(drafts.tokens[path[-1]]))
        verify_ms += (time.perf_counter() - started) * 1000
        draws.append(self._draw_at(scores, ROOT, len(self._ids), self._window, self._pairs))
        self._append(draws[-1].token_id)
        raw = torch.cat([raw, self._target.raw_states([ROOT])])
        self._target.commit([ROOT])
        return self._step_of(drafts, draws, raw, verify_ms)

    def _step_of(self, drafts: DraftTree, draws: list[Draw], raw: Tensor, verify_ms: float) -> Step:
        tokens = tuple(drawn.token_id for drawn in draws)
        return Step(
            token_ids=tokens,
            num_drafted=len(drafts.tokens) - 1,
            draft_depth=drafts.depth,
            margin=min((drawn.margin for drawn in draws), default=math.inf),
            draws=tuple(draws),
            raw_states=raw,
            states=self._target.states,
            verify_ms=verify_ms,
            ended=tokens[-1] in self._end.ids,
        )

    def _decode(self, drafts: DraftTree) -> Scored:
        """Score a tree whose root is the stream's last token; the only synchronisation of a step."""
        logits = self._target.decode(drafts.tokens, drafts.parents)
        places = [len(self._ids) + depth for depth in drafts.depths]
        most_theta = self._theta(self._pairs, drafts.depth)
        return self._handover.take(logits, places, drafts.tokens, self._window.distinct_ids(), most_theta)

    def _draw_at(
        self, scores: Scored, node: int, place: int, window: PenaltyWindow, pairs: PairWindow | None
    ) -> Draw:
        """Draw the token after a node, at a stream index: every token of a run is drawn here.

        window, pairs: before that index. What is banned, and how strong the penalty is, depends on the stream
        alone, so no tree, pause or near-tie changes it.
        """
        before = self._ids[max(0, place - self._banned.reach) : place]
        return scores.draw(node, window.distinct_ids(), self._banned.after(before), self._theta(pairs))

    def _theta(self, pairs: PairWindow | None, num_more: int = 0) -> float | None:
        """Return the penalty's strength, or the strongest that it may have so many tokens later; None where
        it does not grow.
        """
        return None if pairs is None else grown_penalty(self._sampling, pairs.num_repeats + num_more)

    def _append(self, token_id: int) -> None:
        self._ids.append(token_id)
        self._window.slide(self._ids[-self._sampling.penalty_window - 1 :])
        if self._pairs is not None:
            self._pairs.slide(self._ids[:])


@dataclass(frozen=True, slots=True)
class PrefillProgress:
    """One chunk that was read.

    Attributes:
        num_read, num_total: of the tokens to read.
        successors: (n,) the stream's token after each one of the chunk.
        hidden: (n, width); row i is the hidden state whose successor is successors[i].
    """

    num_read: int
    num_total: int
    successors: npt.NDArray[np.int64]
    hidden: Tensor


@dataclass(frozen=True, slots=True)
class ResumeCheck:
    """num_checked: tokens that were drawn again. first_difference: index of a generated token, or None."""

    num_checked: int
    first_difference: int | None


def _rules(
    sampling: SamplingConfig,
    suppressed: Sequence[int],
    end: EndOfText,
    num_prompt: int,
    may_be_banned: npt.NDArray[np.int64],
) -> SamplingRules:
    return SamplingRules(
        sampling=sampling,
        suppressed_ids=np.array(sorted(set(suppressed) - set(end.ids)), dtype=np.int64),
        ids_before_min_tokens=np.array(sorted({*suppressed, *end.ids}), dtype=np.int64),
        eos_allowed_from=num_prompt + end.min_tokens,
        may_be_banned=may_be_banned,
    )


class _GrowingIds:
    """Token ids in one array that doubles, so that slices are views."""

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
