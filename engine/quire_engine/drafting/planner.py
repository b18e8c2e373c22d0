"""Decide what one pass verifies: which drafters to use, how deep, and how many draft tokens to keep.

Maximises expected tokens per second. In the long run that is the same as maximising, step by step, expected
tokens - rate x milliseconds, where the rate is that of the best drafter subset (Dinkelbach's rule for a
ratio): one price for everything, a level of drafting and a node of the pass alike. No decision here can
change the text.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from quire_engine.api.config import DraftingConfig, Source
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting.acceptance_calibration import Acceptance, AcceptanceCalibration
from quire_engine.drafting.candidate_tree import Candidates, PlannedTree
from quire_engine.drafting.cost_model import CostModel, SteadyMean
from quire_engine.drafting.drafter import (
    MAX_DRAFT_TOKENS,
    Drafter,
    DrafterInput,
    DraftTokens,
    Observed,
)
from quire_engine.drafting.drafter_bandit import DrafterBandit, SubsetMetrics

MAX_DEPTH = 16
"""Draft tokens on the longest path of a measured tree; the same limit as for a fixed one."""

_BEAM = 4
_CHILDREN = 5
_BEST_RANKS = 3  # draft tokens per node that decide what a level is worth
_FLOOR = 0.004  # path chance below which a draft token is dropped
_EXPLORE_EVERY = 96  # drafts after which one is as deep and wide as possible, to keep all estimates current
_EXPLORE_FORGOTTEN = 4  # the same where little is known of wide passes: those at load may have been outliers
_FORGOTTEN = 0.12
_LIKELY = 0.3  # chance of a first guess; where such a guess pays, a first trial stays narrow
_OPTIMISM = 1.5  # standard errors by which a wide pass may cost less than it seems
_LOOK_EVERY, _LOOK_RARELY = 4, 64  # steps of settled plain decoding of which one is learned from
_LOOKING = 0.0025  # share of the time that such looks may take
_LONG = 2  # times the partial cache, from which it is worth a trial
_CURVE_STEPS = 16  # steps for which the cost curve is reused


class Planner:
    """Plans the tree of every step and learns from the result.

    With config.drafters and config.tree both given, exactly these are used at every step; otherwise the
    drafters (all, or those given) compete with each other and with plain decoding. What was learned about
    speed survives `reset`.

    Args:
        drafters: those of the model.
        config: which of them may be used, and the shape of the tree.
        max_nodes: most draft tokens, one fewer than a pass has rows.
        padded: every pass has the same width.
        clock: seconds, for the cost of drafting.

    Raises:
        ValueError: config names a drafter that is not there.
    """

    def __init__(
        self,
        drafters: Sequence[Drafter],
        config: DraftingConfig,
        *,
        max_nodes: int,
        padded: bool,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        if max_nodes < 0:
            raise ValueError(f"max_nodes must be 0 or more, got {max_nodes}")
        by_source: dict[Source, Drafter] = {drafter.source: drafter for drafter in drafters}
        if missing := [source for source in config.drafters if source not in by_source]:
            raise ValueError(f"there is no drafter for {', '.join(missing)}")
        self.costs = CostModel(padded=padded)
        self.config = config
        self._drafters = tuple(drafters)
        self._by_source, self._sources = by_source, tuple(by_source)
        self._shape = config.tree
        self._num_tokens = max(MAX_DRAFT_TOKENS, *config.tree, 1)
        self._max_nodes = max_nodes
        self._clock = clock
        self._calibration = AcceptanceCalibration()
        asked: tuple[Source, ...] = (config.drafters or tuple(by_source)) if max_nodes else ()
        forced = bool(config.drafters and config.tree)
        self._bandit = DrafterBandit(asked, self.costs, forced=forced, from_context=_from_context(config))
        self._num_drafts = 0
        self._num_rested = _LOOK_RARELY  # the first trial need not wait
        self._look_ms, self._plain_ms = SteadyMean(50), SteadyMean(50)
        self._chosen_ms = 0.0
        self._look_every = _LOOK_EVERY
        self._asked_last: tuple[Source, ...] = ()
        self._catch_up_ms = 0.0
        self._reads_on = False
        self._curve: list[float] = []
        self._curve_left = 0

    def take_over(self, before: Planner) -> bool:
        """Begin with what a planner of an earlier draft has measured; return whether it did.

        It did not where that planned with other drafters, other settings or other passes. What is counted for
        the metrics begins anew. What the subsets of drafters brought counts half, as the text may be another
        one; costs and chances stay as they were, and follow what comes as they always do.
        """
        mine, others = (
            (planner.config, planner._sources, planner._max_nodes, planner.costs.is_padded)
            for planner in (self, before)
        )
        if mine != others:
            return False
        measured = (before.costs, before._calibration, before._bandit, before._look_ms, before._plain_ms)
        # in one copy: the bandit reads these very costs
        self.costs, self._calibration, self._bandit, self._look_ms, self._plain_ms = copy.deepcopy(measured)
        self.costs.begin_again()
        self._calibration.count_anew()
        self._bandit.begin_again()
        self._num_drafts, self._look_every = before._num_drafts, before._look_every
        return True

    def without_drafters(self) -> Planner:
        """Return what `take_over` needs of this planner; it shares that, but not the drafters' memory."""
        kept = copy.copy(self)
        kept._drafters, kept._by_source = (), {}
        return kept

    def reset(self) -> None:
        """Reset every drafter: positions are about to change."""
        for drafter in self._drafters:
            drafter.reset()

    def observe(self, observed: Observed) -> None:
        """Pass tokens that the stream gained to every drafter, used or not."""
        for drafter in self._drafters:
            drafter.observe(observed)

    @property
    def is_settled_on_plain(self) -> bool:
        """Say whether plain decoding was chosen for more than a step: no drafter need be kept up to date."""
        return self._bandit.is_settled_on_plain

    def rest(self) -> bool:
        """Say whether the next step is plain without further thought: it needs no plan and teaches nothing.

        Plain steps are known well where they are settled, and shall cost no more than themselves: the
        quicker they are, the fewer of them are planned and learned from.
        """
        if not self._bandit.is_settled_on_plain:
            return False
        self._asked_last = ()
        if self._num_rested + 1 >= self._look_every:
            self._num_rested = 0
            return False
        self._num_rested += 1
        self._bandit.pass_by()
        return True

    def _steps_between_looks(self) -> int:
        if not self._plain_ms.value:
            return _LOOK_EVERY
        steps = math.ceil(self._look_ms.value / (_LOOKING * self._plain_ms.value))
        return min(max(_LOOK_EVERY, steps), _LOOK_RARELY)

    def plain(self, root_token: int, context_length: int) -> PlannedTree | None:
        """Return the plan of a plain step if the next one shall be plain: it needs no request.

        context_length: tokens before the root.
        """
        started = self._clock()
        subset = self._bandit.choose(context_length)
        if self._bandit.sources(subset):
            return None
        self._asked_last = ()
        self._chosen_ms = (self._clock() - started) * 1000
        return PlannedTree(DraftTree(root_token), context_length=context_length, subset=subset)

    def draft(self, request: DrafterInput, context_length: int) -> PlannedTree:
        """Return the tree for the next pass to verify; only the root for a plain step.

        context_length: tokens before the root.
        """
        if request.max_depth < 1:
            return PlannedTree(DraftTree(request.root_token), context_length=context_length)
        if plain := self.plain(request.root_token, context_length):
            return plain
        started = self._clock()
        subset = self._bandit.choose(context_length)
        sources = self._bandit.sources(subset)
        if self._shape:
            candidates = self._grow_shape(replace(request, num_tokens=self._num_tokens), sources)
            planned = candidates.keep(candidates.best_first(self._max_nodes))
        else:
            planned = self._grow_measured(request, sources, context_length)
        return replace(
            planned,
            draft_ms=(self._clock() - started) * 1000,
            catch_up_ms=self._catch_up_ms,
            reads_on=self._reads_on,
            context_length=context_length,
            subset=subset,
        )

    def learn(self, planned: PlannedTree, drawn: Sequence[int], verify_ms: float, rest_ms: float) -> None:
        """Learn from the result of a plan.

        Args:
            planned: the plan.
            drawn: the step's tokens, accepted ones and the bonus token.
            verify_ms: time of the pass.
            rest_ms: time of the rest of the step, without drafting.
        """
        if not drawn:
            return
        started = self._clock()
        self.costs.learn(len(planned.tree.tokens) - 1, planned.context_length, verify_ms)
        if planned.explores:
            self._curve_left = 0  # it may cost anything but what was thought
        if planned.candidates is not None:
            planned.candidates.teach(self._calibration, drawn)
        if planned.subset is not None:  # a step without room for draft tokens says nothing about drafters
            self._bandit.learn(planned.subset, len(drawn), planned, verify_ms, rest_ms)
        if self._bandit.is_settled_on_plain and len(planned.tree.tokens) == 1:
            self._plain_ms.add(verify_ms)
            self._look_ms.add(self._chosen_ms + (self._clock() - started) * 1000)
            self._look_every = self._steps_between_looks()

    def acceptance(self) -> tuple[Acceptance, ...]:
        """Return acceptance counts by source, depth and rank."""
        return self._calibration.acceptance()

    def subsets(self) -> tuple[SubsetMetrics, ...]:
        """Return every drafter subset, plain first."""
        return self._bandit.figures()

    def _grow_shape(self, request: DrafterInput, sources: Sequence[Source]) -> Candidates:
        """Grow a tree of fixed shape; nodes that the pass cannot hold are not expanded.

        The paper's 4-grams are appended to the shape of the other drafters (section 3.3).
        """
        candidates = self._begin(request, sources)
        appended: Source | None = "fourgrams" if len(sources) > 1 else None
        level = [ROOT]
        for depth, children in enumerate(self._shape[: request.max_depth]):
            answers = self._ask(sources, candidates.tree, level, depth)
            fresh = candidates.grow(level, answers, self._calibration, children=children, appended=appended)
            level = candidates.worth_expanding(fresh, len(fresh), candidates.threshold(self._max_nodes))
            if not level:
                break
        return candidates

    def _grow_measured(
        self, request: DrafterInput, sources: Sequence[Source], context_length: int
    ) -> PlannedTree:
        """Grow a tree while levels are worth their cost, and keep the nodes that are worth theirs."""
        candidates = self._begin(request, sources)
        self._num_drafts += not self._reads_on
        curve = self._costs_of_nodes(context_length)
        rate = self._bandit.rate() if self.costs.is_padded else self._bandit.price()
        explores = not self._reads_on and self._explores(curve)
        # below this chance a node costs more than it gains; exploration ignores the cost
        node_price = 0.0 if explores else rate * (curve[-1] - curve[0]) / max(1, len(curve) - 1)
        level, threshold = [ROOT], 0.0
        asked: Sequence[Source] = sources
        for depth in range(min(request.max_depth, self._max_nodes, MAX_DEPTH)):
            if depth and not explores:
                reaches = [candidates.chances[node] for node in level]
                asked = [s for s in asked if self._is_worth_asking(s, depth, reaches, threshold, rate)]
            answers = self._ask(asked, candidates.tree, level, depth)
            fresh = candidates.grow(
                level, answers, self._calibration, children=_CHILDREN, ranks=_CHILDREN, floor=_FLOOR
            )
            threshold = max(candidates.threshold(self._max_nodes), node_price)
            level = candidates.worth_expanding(fresh, _BEAM, threshold)
            if not level:
                break
        best = candidates.best_first(self._max_nodes)
        count = len(best) if explores else self._node_count(candidates, best, curve, rate)
        return replace(candidates.keep(best[:count]), explores=explores)

    def _explores(self, curve: Sequence[float]) -> bool:
        """Say whether this draft shall be as deep and wide as possible, which may cost more than it
        brings."""
        pays_narrow = not self.costs.is_padded and self._bandit.price() * (curve[1] - curve[0]) < _LIKELY
        if pays_narrow and self._bandit.is_first_trial:
            return False
        error = self.costs.uncertainty(self._max_nodes)
        is_forgotten = error > _FORGOTTEN
        is_due = self._num_drafts % (_EXPLORE_FORGOTTEN if is_forgotten else _EXPLORE_EVERY) == 0
        if not is_due and not (is_forgotten and 1 < self._num_drafts < _EXPLORE_FORGOTTEN):
            return False
        return self._bandit.can_afford(curve[-1] * math.exp(-_OPTIMISM * error) - curve[0])

    def _begin(self, request: DrafterInput, sources: Sequence[Source]) -> Candidates:
        self._catch_up_ms = 0.0
        ready: list[Source] = []
        for source in sources:
            started = self._clock()
            reads_on = self._by_source[source].begin(request)
            milliseconds = (self._clock() - started) * 1000
            if source in self._asked_last and not reads_on:
                self.costs.learn_draft(source, -1, milliseconds)
            else:
                self._catch_up_ms += milliseconds
            if not reads_on:
                ready.append(source)
        self._reads_on = len(ready) < len(sources)
        self._asked_last = tuple(ready)
        return Candidates(request.root_token)

    def _ask(
        self, sources: Sequence[Source], tree: DraftTree, nodes: Sequence[int], depth: int
    ) -> list[tuple[Source, list[DraftTokens]]]:
        answers: list[tuple[Source, list[DraftTokens]]] = []
        for source in sources:
            started = self._clock()
            answers.append((source, self._by_source[source].expand(tree, nodes)))
            self.costs.learn_draft(source, depth, (self._clock() - started) * 1000)
        return answers

    def _is_worth_asking(
        self, source: Source, depth: int, reaches: Sequence[float], threshold: float, rate: float
    ) -> bool:
        """Say whether what a source usually adds below nodes reached with these chances pays for its time.

        Only the part above the threshold counts: a draft token takes the place of another one. Later levels
        need no credit: they bring less at the same cost, so they pay only if this one does.
        """
        expected = self._calibration.expected(source, depth + 1, _BEST_RANKS)
        gain = sum(
            [reach * hit - threshold for reach in reaches for hit in expected if reach * hit > threshold]
        )
        return gain > rate * self.costs.draft(source, depth)

    def _node_count(
        self, candidates: Candidates, best: Sequence[int], curve: Sequence[float], rate: float
    ) -> int:
        """Return how many of the best draft tokens to keep: the count with the highest tokens - rate x
        time."""
        count, value, highest = 0, 0.0, 0.0
        for place, node in enumerate(best, 1):
            value += candidates.chances[node]
            if (worth := value - rate * (curve[place] - curve[0])) > highest:
                count, highest = place, worth
        return count

    def _costs_of_nodes(self, context_length: int) -> list[float]:
        """Return the time of a pass by number of draft tokens, 0 to max_nodes; refreshed every few steps."""
        if self._curve_left == 0:
            self._curve = self.costs.curve(self._max_nodes, context_length)
            self._curve_left = _CURVE_STEPS
        self._curve_left -= 1
        return self._curve


def _from_context(config: DraftingConfig) -> dict[Source, int]:
    """Return the tokens of context from which drafters are tried that nobody named."""
    # a draft pass over the partial cache costs as much as a pass behind a text of that length
    return {} if config.drafters else {"partial": _LONG * config.partial_budget}
