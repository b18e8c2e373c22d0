"""One run's speculative decoding: token stream, drafters and planner around a loaded model. Knows no text."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import torch

from quire_engine.api.config import DraftingConfig, SamplingConfig, Source
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.processor import pass_clock
from quire_engine.decoding.banned_sequences import NO_IDS, BannedSequences
from quire_engine.decoding.prefill_plan import CachedText
from quire_engine.decoding.token_stream import EndOfText, PrefillProgress, ResumeCheck, Step, TokenStream
from quire_engine.drafting.background_ngrams import BackgroundTable
from quire_engine.drafting.candidate_tree import PlannedTree
from quire_engine.drafting.draft_model import DraftModel
from quire_engine.drafting.drafter import Drafter, DrafterInput, Observed
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.drafting.phrase_counts import PhraseCounts
from quire_engine.drafting.planner import Planner
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.models.target_model import Runner
from quire_engine.runtime.drafter_factory import DRAFTERS, build_drafters

_log = logging.getLogger(__name__)

_MOST_BEHIND = 64  # steps of settled plain decoding that the drafters observe at once


class Loaded(Protocol):
    """What a session needs of a loaded model."""

    @property
    def target(self) -> Runner:
        """The model itself."""
        ...

    @property
    def suppressed(self) -> tuple[int, ...]:
        """Ids that are never drawn."""
        ...

    @property
    def vocab_size(self) -> int:
        """Rows of the embedding table."""
        ...

    @property
    def trained(self) -> TrainedDrafters | None:
        """Drafters trained for it."""
        ...

    @property
    def background(self) -> BackgroundTable | None:
        """Its own n-gram distribution, if it was distilled."""
        ...

    @property
    def draft_model(self) -> DraftModel | None:
        """A small model that guesses for it."""
        ...

    @property
    def pass_costs(self) -> tuple[PassCost, ...]:
        """Passes timed when the model was loaded."""
        ...

    @property
    def near_tie(self) -> float:
        """Margin below which a token is drawn again by a one-row pass; 0 where passes are
        bit-reproducible."""
        ...


@dataclass(frozen=True, slots=True)
class PassCost:
    """A timed pass: draft tokens, tokens of context, milliseconds."""

    num_nodes: int
    context_length: int
    milliseconds: float


class DraftingSession:
    """Generates tokens after a prompt; the drafting settings affect speed, never the tokens.

    Args:
        loaded: the model.
        prompt_ids, generated_ids: the stream so far.
        sampling, drafting: the run's settings.
        end: when the model may end the text.
        known: what was counted in other texts of the writer, for the n-gram drafter.
        forgiving: a fault in a drafter or the planner ends the acceleration, not the run, which continues
            with plain decoding and the same text; `fault` says what it was. Proofs and benchmarks want the
            exception.
        prefill_plan: how the prompt is read.
        num_cached: tokens of the context that are in the KV cache (see TokenStream).
        num_front: tokens at the front that stay in the context (see ContextRule).
        banned: sampling.banned as token sequences (see quire_engine.prompt.banned_phrases); required if there
            are any.
        before: planned an earlier draft with the same model: what it has measured need not be measured again.
    """

    def __init__(
        self,
        loaded: Loaded,
        prompt_ids: Sequence[int],
        generated_ids: Sequence[int],
        sampling: SamplingConfig,
        drafting: DraftingConfig,
        *,
        end: EndOfText | None = None,
        known: Sequence[PhraseCounts] = (),
        forgiving: bool = False,
        prefill_plan: Sequence[int] = (),
        num_cached: int = 0,
        num_front: int = 0,
        banned: Sequence[Sequence[int]] | None = None,
        before: Planner | None = None,
    ) -> None:
        self._forgiving = forgiving
        self.trained = loaded.trained
        self.fault = ""
        self.planned: PlannedTree | None = None
        self._warnings: list[str] = []
        self._prompt_ids = tuple(prompt_ids)
        self._prefill_plan = tuple(prefill_plan)
        self._num_front = num_front
        self._target = loaded.target
        if isinstance(self._target, PassRunner):
            self._target.record_queries = False  # the partial drafter asks for them
        self._sampling = sampling
        self._drafting = drafting
        self._clock = pass_clock(self._target.network.device.type)
        self._behind: list[Step] = []
        self._reads_hidden = False
        self._banned = None if banned is None else BannedSequences(banned)
        self._stream = self._make_stream(loaded, generated_ids, end, num_cached)
        self._draft_model = loaded.draft_model
        self.planner: Planner | None = None
        with self._only_hints():
            self.planner = self._build_planner(loaded, known, before)
            if self.planner is not None:
                # phrases may come from every text; what depends on positions is observed while the model
                # reads
                self.planner.observe(Observed([*prompt_ids, *generated_ids]))

    def _make_stream(
        self, loaded: Loaded, generated_ids: Sequence[int], end: EndOfText | None, num_cached: int
    ) -> TokenStream:
        return TokenStream(
            loaded.target,
            self._prompt_ids,
            generated_ids,
            self._sampling,
            loaded.suppressed,
            end=end,
            near_tie=loaded.near_tie,
            prefill_plan=self._prefill_plan,
            num_cached=num_cached,
            num_front=self._num_front,
            banned=self._banned,
        )

    @contextlib.contextmanager
    def _only_hints(self) -> Iterator[None]:
        """Let a fault in drafting cost only the acceleration, if the session is forgiving."""
        try:
            yield
        except EnvironmentProblem:
            raise  # a request that cannot be met, said before anything is written
        except Exception as error:
            if not self._forgiving:
                raise
            self.fault = repr(error)
            self.planner = None
            if self._draft_model is not None:
                self._draft_model.release()
            self._warnings.append(
                UserMessage(
                    "Acceleration failed ({reason}). The draft continues without it: more slowly, "
                    "with the same words.",
                    reason=self.fault,
                )
            )
            _log.warning("drafting failed; the run goes on plainly: %s", self.fault)
            _log.debug("where drafting failed", exc_info=True)

    def _build_planner(
        self, loaded: Loaded, known: Sequence[PhraseCounts], before: Planner | None
    ) -> Planner | None:
        if self._drafting.method == "plain":
            return None
        drafters = self._build_drafters(loaded, known)
        self._reads_hidden = any(DRAFTERS[drafter.source].reads_hidden for drafter in drafters)
        planner = Planner(
            drafters,
            self._drafting,
            max_nodes=loaded.target.width - 1,
            padded=loaded.target.padded,
            clock=self._clock,
        )
        if before is not None and planner.take_over(before):
            return planner
        for cost in loaded.pass_costs:
            planner.costs.measured(cost.num_nodes, cost.context_length, cost.milliseconds)
        if loaded.draft_model is not None and loaded.draft_model.pass_ms:
            planner.costs.learn_draft("draft_model", 0, loaded.draft_model.pass_ms)
        return planner

    def _build_drafters(self, loaded: Loaded, known: Sequence[PhraseCounts]) -> list[Drafter]:
        """Return the drafters, and note why others were left out."""
        left_out: list[UserMessage] = []
        drafters = build_drafters(
            loaded.target,
            self._drafting,
            loaded.trained,
            loaded.vocab_size,
            known,
            loaded.background,
            loaded.draft_model,
            left_out=left_out,
        )
        self._warnings += left_out
        return drafters

    @property
    def prompt_ids(self) -> tuple[int, ...]:
        """Tokens of the prompt."""
        return self._prompt_ids

    @property
    def prefill_plan(self) -> tuple[int, ...]:
        """How they are read."""
        return self._prefill_plan

    @property
    def num_front(self) -> int:
        """Tokens at the front that stay in the context."""
        return self._num_front

    @property
    def generated_ids(self) -> tuple[int, ...]:
        """The generated tokens."""
        return self._stream.generated_ids

    @property
    def num_generated(self) -> int:
        """Tokens generated so far."""
        return self._stream.num_generated

    @property
    def must_read(self) -> bool:
        """Say whether `read` must run before the next step."""
        return self._stream.must_read

    def is_at(
        self,
        prompt_ids: Sequence[int],
        generated_ids: Sequence[int],
        prefill_plan: Sequence[int],
        num_front: int = 0,
    ) -> bool:
        """Say whether the session is at exactly this point."""
        mine = (self._prompt_ids, self.generated_ids, self._prefill_plan, self._num_front)
        return mine == (tuple(prompt_ids), tuple(generated_ids), tuple(prefill_plan), num_front)

    def can_resume_as(
        self,
        prompt_ids: Sequence[int],
        generated_ids: Sequence[int],
        prefill_plan: Sequence[int],
        sampling: SamplingConfig,
        drafting: DraftingConfig,
        num_front: int = 0,
    ) -> bool:
        """Say whether a run with these tokens and settings can continue this session without prefill.

        Not after a fault in drafting: a new session tries again.
        """
        same_settings = (self._sampling, self._drafting) == (sampling, drafting) and not self.fault
        return (
            same_settings
            and not self.must_read
            and self.is_at(prompt_ids, generated_ids, prefill_plan, num_front)
        )

    def cached_text(self, *, rows_repeat: bool) -> CachedText | None:
        """Return the text in the KV cache; None when the context was rebuilt."""
        return self._stream.cached_text(rows_repeat=rows_repeat)

    def pop_warnings(self) -> list[str]:
        """Return and clear the messages about problems with drafting."""
        troubles, self._warnings = self._warnings, []
        return troubles

    def verify_resume(self) -> ResumeCheck:
        """Compare the newest stored tokens with what the prefill that just ended predicts for them."""
        return self._stream.verify_resume()

    def read(self) -> Iterator[tuple[int, int]]:
        """Prefill what is due, chunk by chunk; yields (tokens read, tokens to read)."""
        with self._only_hints():
            self._catch_up()
            if self.planner is not None:
                self.planner.reset()
        for progress in self._stream.read():
            self._observe_prefill(progress)
            yield progress.num_read, progress.num_total

    def _observe_prefill(self, progress: PrefillProgress) -> None:
        with self._only_hints():
            if self.planner is not None:
                self.planner.observe(Observed(progress.successors.tolist(), progress.hidden, is_reread=True))

    def step(self) -> Step:
        """Draft, verify in one pass, and learn from the result; `planned` is its plan, if it had one."""
        self.planned = None
        started = time.perf_counter()
        planned: PlannedTree | None = None
        rests = False
        with self._only_hints():
            rests = self.planner is not None and self.planner.rest()
            if not rests:
                planned = self._plan()
        if rests:
            return self._rest(started)
        draft_ms = 0.0 if planned is None else (time.perf_counter() - started) * 1000
        self.planned = planned
        begun = self._clock()
        step = self._stream.step(None if planned is None else planned.tree)
        if planned is None:
            return replace(step, rest_ms=(time.perf_counter() - started) * 1000 - step.verify_ms)
        with self._only_hints():
            self._learn(planned, step, begun)
        rest_ms = (time.perf_counter() - started) * 1000 - draft_ms - step.verify_ms
        sources = _accepted_sources(planned, step)
        return replace(step, accepted_sources=sources, draft_ms=draft_ms, rest_ms=rest_ms)

    def _rest(self, started: float) -> Step:
        """Take a plain step of settled plain decoding, of which the drafters will hear later."""
        step = self._stream.step()
        with self._only_hints():
            self._behind.append(step)
            if len(self._behind) >= _MOST_BEHIND:
                self._catch_up()
        return replace(step, rest_ms=(time.perf_counter() - started) * 1000 - step.verify_ms)

    def _plan(self) -> PlannedTree | None:
        if self.planner is None:
            return None
        length = self._target.length
        planned = self.planner.plain(self._stream.last_token, length)
        if planned is None:
            self._catch_up()
            planned = self.planner.draft(self._request(), length)
        return planned

    def _learn(self, planned: PlannedTree, step: Step, begun: float) -> None:
        """Pass the result of a plan to drafters and planner. begun: when its pass did, by the planner's
        clock."""
        if self.planner is None:
            return
        ended = self._clock()
        self._behind.append(step)
        # what is observed in plain steps serves drafts, and where they are settled much later and all at once
        if not self.planner.is_settled_on_plain or len(self._behind) >= _MOST_BEHIND:
            self._catch_up()
        rested = ended if len(planned.tree.tokens) == 1 else self._clock()
        rest_ms = (rested - ended) * 1000
        self.planner.learn(planned, step.token_ids, (ended - begun) * 1000, rest_ms)

    def _catch_up(self) -> None:
        """Let the drafters observe what they did not yet."""
        behind, self._behind = self._behind, []
        if behind and self.planner is not None:
            self.planner.observe(_observed(behind, with_hidden=self._reads_hidden))

    def _request(self) -> DrafterInput:
        return DrafterInput(
            root_token=self._stream.last_token,
            index=self._stream.num_stream,
            sampling=self._stream.sampling,
            penalised=self._stream.penalised,
            max_depth=self._stream.draft_room,
            same_noise=self._drafting.same_noise,
            forbidden=NO_IDS if self._banned is None else self._banned.always,
        )


def _observed(steps: Sequence[Step], *, with_hidden: bool) -> Observed:
    raw = torch.cat([step.raw_states for step in steps]) if with_hidden else None
    return Observed(
        [token for step in steps for token in step.token_ids],
        hidden=None if raw is None else steps[0].states(raw),
        raw=raw,
        kept_tokens=tuple((drawn.kept_tokens, drawn.scores) for step in steps for drawn in step.draws),
    )


def _accepted_sources(planned: PlannedTree, step: Step) -> tuple[Source, ...]:
    """Return the drafter of every accepted draft token, walking the tree along the step's tokens."""
    sources: list[Source] = []
    node = 0
    for token in step.token_ids[:-1]:
        child = planned.tree.child(node, token)
        source = None if child is None else planned.sources[child]
        if child is None or source is None:
            break
        sources.append(source)
        node = child
    return tuple(sources)
