"""One run's decoding: stream, drafters and planner around a loaded model. Knows tokens, never text."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from quire_engine.api.config import DraftingConfig, SamplingConfig, Source
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.user_message import UserMessage
from quire_engine.decoding.banned_sequences import NO_IDS, BannedSequences
from quire_engine.decoding.prefill_plan import CachedText
from quire_engine.decoding.token_stream import Checked, EndOfText, PrefillProgress, Step, TokenStream
from quire_engine.drafting.background_ngrams import BackgroundTable
from quire_engine.drafting.candidate_tree import PlannedTree
from quire_engine.drafting.drafter import Drafter, DrafterInput, Observed
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.drafting.planner import Planner
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.runtime.drafter_factory import available_sources, build_drafters

_log = logging.getLogger(__name__)

_TRAINED: tuple[Source, ...] = ("heads", "feature")


class Loaded(Protocol):
    """What a session needs of a loaded model."""

    @property
    def target(self) -> PassRunner:
        """The model itself."""
        ...

    @property
    def suppressed(self) -> tuple[int, ...]:
        """Ids that are never written."""
        ...

    @property
    def vocab_size(self) -> int:
        """Rows of its embedding table."""
        ...

    @property
    def trained(self) -> TrainedDrafters | None:
        """Drafters that were prepared for it."""
        ...

    @property
    def background(self) -> BackgroundTable | None:
        """What it says after a few tokens in general."""
        ...

    @property
    def pass_costs(self) -> tuple[PassCost, ...]:
        """What passes cost when the model was loaded."""
        ...

    @property
    def near_tie(self) -> float:
        """Decisions closer than this are taken by a pass of one row; 0 where passes repeat their bits."""
        ...


@dataclass(frozen=True, slots=True)
class PassCost:
    """A measured pass: draft tokens checked beside the root, tokens of context before it, milliseconds."""

    num_nodes: int
    context_length: int
    milliseconds: float


class DraftingSession:
    """Writes tokens after a prompt; the drafting settings decide how fast, and never which.

    known_texts: other texts of the writer, as token ids: sources of phrases for the n-gram drafters.
    forgiving: a fault in a drafter or in the planner ends the acceleration and not the run, which continues
    plainly with the same text; `fault` then says what it was. Proofs and benchmarks want to see it raised.
    reading, num_held: how the prompt is read, and what of the context window is held already (see
    TokenStream). num_front: tokens at the front that stay in the context window (see ContextRule). banned:
    what the phrases of sampling.banned are in tokens (see quire_engine.prompt.banned_phrases); needed where
    there are any.
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
        known_texts: Sequence[Sequence[int]] = (),
        forgiving: bool = False,
        reading: Sequence[int] = (),
        num_cached: int = 0,
        num_front: int = 0,
        banned: Sequence[Sequence[int]] | None = None,
    ) -> None:
        self._forgiving = forgiving
        self.fault = ""
        self._warnings: list[str] = []
        self._prompt_ids = tuple(prompt_ids)
        self._reading = tuple(reading)
        self._num_front = num_front
        self._target = loaded.target
        self._target.record_queries = False  # the partial drafter asks for them
        self._sampling = sampling
        self._drafting = drafting
        self._banned = None if banned is None else BannedSequences(banned)
        self._stream = TokenStream(
            loaded.target,
            prompt_ids,
            generated_ids,
            sampling,
            loaded.suppressed,
            end=end,
            near_tie=loaded.near_tie,
            reading=reading,
            num_cached=num_cached,
            num_front=num_front,
            banned=self._banned,
        )
        self.planner: Planner | None = None
        with self._only_hints():
            self.planner = self._build_planner(loaded, known_texts)
            if self.planner is not None:
                # phrases may come from every text; what depends on positions is observed while the model
                # reads
                self.planner.observe(Observed([*prompt_ids, *generated_ids]))

    @contextlib.contextmanager
    def _only_hints(self) -> Iterator[None]:
        """Let a fault in drafting cost the acceleration only, if this session forgives."""
        try:
            yield
        except EnvironmentProblem:
            raise  # a request that cannot be met, said before anything is written
        except Exception as error:
            if not self._forgiving:
                raise
            self.fault = repr(error)
            self.planner = None
            self._warnings.append(
                UserMessage(
                    "Acceleration failed ({reason}). The draft continues without it: more slowly, "
                    "with the same words.",
                    reason=self.fault,
                )
            )
            _log.warning("drafting failed; the run goes on plainly: %s", self.fault)
            _log.debug("where drafting failed", exc_info=True)

    def _build_planner(self, loaded: Loaded, known_texts: Sequence[Sequence[int]]) -> Planner | None:
        if self._drafting.method == "plain":
            return None
        drafters = self._build_drafters(loaded, known_texts)
        planner = Planner(
            drafters, self._drafting, max_nodes=loaded.target.width - 1, padded=loaded.target.padded
        )
        for cost in loaded.pass_costs:
            planner.costs.measured(cost.num_nodes, cost.context_length, cost.milliseconds)
        return planner

    def _build_drafters(self, loaded: Loaded, known_texts: Sequence[Sequence[int]]) -> list[Drafter]:
        """Return the drafters, and note which of the trained ones were left out because they do not fit."""
        drafters = build_drafters(
            loaded.target,
            self._drafting,
            loaded.trained,
            loaded.vocab_size,
            known_texts,
            loaded.background,
        )
        built = {drafter.source for drafter in drafters}
        for source in _TRAINED if not self._drafting.drafters else ():
            if source in available_sources(loaded.trained) and source not in built:
                self._warnings.append(
                    UserMessage(
                        "The trained drafters of the kind {source} do not fit this model, so the "
                        "text is written without them. Prepare them again.",
                        source=source,
                    )
                )
        return drafters

    @property
    def prompt_ids(self) -> tuple[int, ...]:
        """The tokens of the prompt."""
        return self._prompt_ids

    @property
    def reading(self) -> tuple[int, ...]:
        """How they are read."""
        return self._reading

    @property
    def num_front(self) -> int:
        """Tokens at the front that stay in the context window."""
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
        reading: Sequence[int],
        num_front: int = 0,
    ) -> bool:
        """Say whether this is where the session is."""
        mine = (self._prompt_ids, self.generated_ids, self._reading, self._num_front)
        return mine == (tuple(prompt_ids), tuple(generated_ids), tuple(reading), num_front)

    def can_resume_as(
        self,
        prompt_ids: Sequence[int],
        generated_ids: Sequence[int],
        reading: Sequence[int],
        sampling: SamplingConfig,
        drafting: DraftingConfig,
        num_front: int = 0,
    ) -> bool:
        """Say whether a run with these tokens and settings would be this one, with nothing left to read.

        After a fault in the drafting it is not: a new one tries again.
        """
        same_settings = (self._sampling, self._drafting) == (sampling, drafting) and not self.fault
        return (
            same_settings and not self.must_read and self.is_at(prompt_ids, generated_ids, reading, num_front)
        )

    def held(self, *, rows_repeat: bool) -> CachedText | None:
        """Return what the model holds of the text; None when its view has rolled over."""
        return self._stream.held(rows_repeat=rows_repeat)

    def pop_warnings(self) -> list[str]:
        """Return sentences about what went wrong with the drafting since they were last asked for."""
        troubles, self._warnings = self._warnings, []
        return troubles

    def verify_resume(self) -> Checked:
        """Compare the newest tokens with what the reading that just ended says of them."""
        return self._stream.verify_resume()

    def read(self) -> Iterator[tuple[int, int]]:
        """Let the model read what it must, chunk by chunk; yields (tokens read, tokens to read)."""
        with self._only_hints():
            if self.planner is not None:
                self.planner.reset()
        for reading in self._stream.read():
            self._observe_reading(reading)
            yield reading.num_read, reading.num_total

    def _observe_reading(self, reading: PrefillProgress) -> None:
        with self._only_hints():
            if self.planner is not None:
                self.planner.observe(Observed(reading.successors.tolist(), reading.hidden, is_reread=True))

    def step(self) -> Step:
        """Draft, verify in one pass, and learn from what came out."""
        started = time.perf_counter()
        planned: PlannedTree | None = None
        with self._only_hints():
            if self.planner is not None:
                planned = self.planner.draft(self._request(), self._target.length)
        step = self._stream.step(None if planned is None else planned.tree)
        if planned is None:
            return replace(step, rest_ms=(time.perf_counter() - started) * 1000 - step.verify_ms)
        with self._only_hints():
            self._learn(planned, step, started)
        rest_ms = (time.perf_counter() - started) * 1000 - planned.draft_ms - step.verify_ms
        sources = _accepted_sources(planned, step)
        return replace(step, accepted_sources=sources, draft_ms=planned.draft_ms, rest_ms=rest_ms)

    def _learn(self, planned: PlannedTree, step: Step, started: float) -> None:
        """Tell drafters and planner what came of a plan."""
        if self.planner is None:
            return
        self.planner.observe(
            Observed(
                step.token_ids,
                hidden=step.hidden,
                kept_tokens=tuple((drawn.kept_tokens, drawn.scores) for drawn in step.draws),
            )
        )
        rest_ms = (time.perf_counter() - started) * 1000 - planned.draft_ms - step.verify_ms
        self.planner.learn(planned, step.token_ids, step.verify_ms, rest_ms)

    def _request(self) -> DrafterInput:
        return DrafterInput(
            root_token=self._stream.last_token,
            index=self._stream.num_stream,
            sampling=self._sampling,
            penalised=self._stream.penalised,
            max_depth=self._stream.draft_room,
            same_noise=self._drafting.same_noise,
            forbidden=NO_IDS if self._banned is None else self._banned.always,
        )


def _accepted_sources(planned: PlannedTree, step: Step) -> tuple[Source, ...]:
    """Return the source of every accepted draft, walking the tree along the step's tokens."""
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
