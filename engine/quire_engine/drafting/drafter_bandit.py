"""Which drafters to use: a bandit over subsets of drafters, by measured tokens per millisecond.

Plain decoding, the empty subset, is always one of them. A run begins with it, which shows what a pass costs
at this load. The leader is used; the others are tried now and then for a few steps, less often the more they
lost, only if their optimistic bound beats the leader, and only while what trials lose against the leader
stays within a small share of the time, the first trials included. So a good subset is found again when the
text or the costs change, and bad ones cost almost nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from quire_engine.api.config import Source
from quire_engine.drafting.candidate_tree import PlannedTree
from quire_engine.drafting.cost_model import CostModel
from quire_engine.drafting.drafter_subset import FIRST_WAIT, DrafterSubset

PLAIN_SUBSET = 0
"""Index of the subset without drafters."""

_MAX_SUBSETS = 8
_PAIRS: tuple[tuple[Source, Source], ...] = (
    ("feature", "ngrams"),
    ("heads", "ngrams"),
    ("draft_model", "ngrams"),
    ("partial", "ngrams"),
    ("feature", "fourgrams"),
    ("heads", "fourgrams"),
    ("heads", "feature"),
)
_PHRASES: frozenset[Source] = frozenset({"ngrams", "fourgrams"})
_EARLIER = 0.5  # of what an earlier draft showed, this share is kept
_BOUND = 1.5  # standard errors of the confidence bound
_FIRST_TRIAL, _TRIAL = 8, 4
_HICCUP = 4.0  # a trial step counts for at most this many times what its subset usually takes
_PROVEN = 16  # steps after which a leading challenger becomes the leader
_PROVEN_PADDED = 32  # the same where passes are padded: its first drafts then explore, and say less
_HYSTERESIS = 1.02
_CLOSE, _SOME_TOKENS = 0.85, 1.1  # share of the leader's rate, tokens per step: worth trying more often
_REVIEW = 16  # steps between checks whether a subset has taken the lead
_GAP = 48  # steps between trials
_LONGEST_WAIT, _PLAIN_WAIT = 1024, 256  # most steps before a subset that lost is tried again
_EXPLORATION = 0.015  # share of the time that trials may lose
_FIRST_SAVINGS, _SAVED_STEPS = 6, 16  # savings at the start and at most, in steps of the leader
_SAVED = 0.9  # share of the most savings that pays for a trial of anything
_PLAIN_FIRST = 3  # steps that show what a pass costs at this load
_HOPED = 0.8  # of the first tokens of a small model at most so many are right
_SHARED = 0.75  # of what a drafter foresees, at most so much is new beside a better one


@dataclass(frozen=True, slots=True)
class SubsetMetrics:
    """What is known of one subset.

    Attributes:
        name: its sources joined by "+", or "plain".
        sources: its drafters.
        steps: steps that used it.
        tokens_per_ms: None until it was used.
    """

    name: str
    sources: tuple[Source, ...]
    steps: int
    tokens_per_ms: float | None


class DrafterBandit:
    """Chooses the subset of drafters for each step.

    Args:
        sources: available drafters.
        costs: pass and draft times.
        forced: always use all of them.
        from_context: tokens of context from which a drafter is tried at all, where not from the first on.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        costs: CostModel,
        *,
        forced: bool = False,
        from_context: Mapping[Source, int] | None = None,
    ) -> None:
        self._from_context = dict(from_context or {})
        self._costs = costs
        self._subsets = [DrafterSubset(chosen) for chosen in _sets_of(sources)]
        # those trained for the model come first: they usually lead, and a trial ends with the savings
        self._trial_order = sorted(range(len(self._subsets)), key=self._trial_place)
        self._leader = PLAIN_SUBSET
        self._is_over = forced or not sources
        if forced and sources:
            self._subsets = [DrafterSubset(()), DrafterSubset(tuple(sources))]
            self._leader = 1
        self._challenger: int | None = None
        self._trial_left = 0
        self._missed_ms = 0.0  # in which the challenger's drafters read what they had missed
        self._now = 0
        self._next_trial = 0
        self._savings = 0.0
        self._usual = 0.0  # time of the leader's step when it was last learned from
        self._context_length = 0
        self._last_sources: tuple[Source, ...] = ()
        self._steps_before = [0] * len(self._subsets)  # in an earlier draft

    def begin_again(self) -> None:
        """Begin another draft with what is known: no trial goes on, and everything counts half."""
        self._challenger, self._trial_left, self._missed_ms = None, 0, 0.0
        self._last_sources = ()
        self._steps_before = [subset.steps for subset in self._subsets]
        for subset in self._subsets:
            subset.keep(_EARLIER)

    def sources(self, subset: int) -> tuple[Source, ...]:
        """Return the drafters of a subset."""
        return self._subsets[subset].sources

    @property
    def is_settled_on_plain(self) -> bool:
        """Say whether plain decoding leads and nothing is tried."""
        return self._leader == PLAIN_SUBSET and self._challenger is None and self._now >= _PLAIN_FIRST

    def can_afford(self, milliseconds: float) -> bool:
        """Say whether a trial may lose this much against the leader."""
        return self._savings >= milliseconds

    def rate(self) -> float:
        """Return the leader's tokens per millisecond, which a trial has to beat."""
        return self._tokens(self._leader) / self._time(self._leader)

    def price(self) -> float:
        """Return the tokens that a millisecond is worth: what the best subset in use gives, a trial included.

        At the leader's price a better drafter on trial would get wider passes than it gets once it leads.
        """
        trial = self._challenger
        if trial is None or not self._subsets[trial].weight:
            return self.rate()
        return max(self.rate(), self._estimate(trial))

    @property
    def is_first_trial(self) -> bool:
        """Say whether a subset is used that little is known of."""
        return self._challenger is not None and self._subsets[self._challenger].steps < _FIRST_TRIAL

    def choose(self, context_length: int) -> int:
        """Return the subset to use at this context length."""
        self._context_length = context_length
        if self._is_over:
            return self._leader
        if self._is_early(self._subsets[self._leader]):  # another draft, or a context that began again
            self._leader, self._challenger = PLAIN_SUBSET, None
        if self._now < _PLAIN_FIRST:
            return self._leader
        if self._challenger is not None and self._trial_left <= 0:
            self._end_trial(self._challenger)
        if self._challenger is None and (self._now >= self._next_trial or self._now % _REVIEW == 0):
            self._challenger = self._find_challenger()
            if self._challenger is not None:
                self._subsets[self._challenger].start_trial()
                self._missed_ms = 0.0
                self._trial_left = _TRIAL if self._subsets[self._challenger].steps else _FIRST_TRIAL
        return self._leader if self._challenger is None else self._challenger

    def learn(self, number: int, tokens: int, planned: PlannedTree, verify_ms: float, rest_ms: float) -> None:
        """Update a subset with the tokens and the time of one of its steps."""
        subset, draft_ms = self._subsets[number], planned.draft_ms - planned.catch_up_ms
        self._now += 1
        self._missed_ms += planned.catch_up_ms
        milliseconds = draft_ms + verify_ms + rest_ms
        if planned.reads_on:  # a plain pass that says nothing about its drafters yet
            self._save(milliseconds)
            if number == self._challenger:
                self._missed_ms += max(0.0, milliseconds - tokens / self.rate())
            return
        if planned.explores:  # dearer than the steps that follow: it would speak against its drafters
            subset.steps += 1
            self._save(milliseconds)
            self._pay(tokens, milliseconds)
            return
        subset.fade(self._now - 1)
        subset.touched = self._now
        subset.take(tokens, planned.expected_tokens)
        if subset.sources and subset.forget_if_broken():
            self._reconsider()
        subset.nodes.add(len(planned.tree.tokens) - 1)
        subset.rest_ms.add(rest_ms)
        # the first draft after a break also processes the text in between
        if set(subset.sources) <= set(self._last_sources):
            subset.draft_ms.add(draft_ms)
        elif not subset.draft_ms.count:
            subset.draft_ms.value = draft_ms
        self._last_sources = subset.sources
        self._save(milliseconds)
        if number == self._challenger:
            self._trial_left -= 1
            self._pay(tokens, min(milliseconds, _HICCUP * self._time(number)))
            if self._is_lost(number):
                self._trial_left = 0

    def pass_by(self) -> None:
        """Count a step of the leader that nothing is learned from."""
        self._now += 1
        self._savings = min(self._savings + _EXPLORATION * self._usual, _SAVED_STEPS * self._usual)

    def figures(self) -> tuple[SubsetMetrics, ...]:
        """Return what is known of every subset, at the context length of the last step."""
        return tuple(
            SubsetMetrics(
                "+".join(subset.sources) or "plain",
                subset.sources,
                subset.steps - before,
                self._tokens(number) / self._time(number) if subset.steps > before else None,
            )
            for number, (subset, before) in enumerate(zip(self._subsets, self._steps_before, strict=True))
        )

    def _reconsider(self) -> None:
        """Try every subset soon: the text has changed."""
        for subset in self._subsets:
            subset.wait, subset.due = FIRST_WAIT, self._now

    def _save(self, milliseconds: float) -> None:
        """Save a share of a step's time for trials."""
        usual = self._usual = self._time(self._leader)
        if self._now == 1:
            self._savings = _FIRST_SAVINGS * usual
        self._savings = min(self._savings + _EXPLORATION * milliseconds, _SAVED_STEPS * usual)

    def _pay(self, tokens: int, milliseconds: float) -> None:
        """Deduct what a step lost against the leader, or add what it gained: one step says little."""
        usual = self._time(self._leader)
        self._savings = min(self._savings - milliseconds + tokens / self.rate(), _SAVED_STEPS * usual)

    def _is_lost(self, number: int) -> bool:
        """Say whether a trial cannot win any more, or can no longer be paid for."""
        # a drafter's first call may take longer than all others
        doubt = 2.0 if self._subsets[number].steps < _TRIAL // 2 else 1.0
        if self._bound(number) * doubt < self.rate():
            return True
        return self._savings < 0 and self._estimate(number) <= self.rate()

    def _end_trial(self, number: int) -> None:
        """Promote a challenger, continue while it leads but is not proven, or make it wait longer than
        before."""
        subset = self._subsets[number]
        if subset.sources:
            subset.forget_if_better()
        ahead = self._estimate(number) > self.rate()
        proven = _PROVEN_PADDED if self._costs.is_padded else _PROVEN
        if ahead and subset.sources and subset.weight < proven:
            self._trial_left = _TRIAL
            return
        self._challenger = None
        self._next_trial = self._now if subset.steps <= _FIRST_TRIAL else self._now + _GAP
        if self._estimate(number) > self.rate() * self._margin(number):
            self._subsets[self._leader].due = self._now + FIRST_WAIT
            self._leader = number
            subset.wait = FIRST_WAIT
        else:
            self._charge(subset)
            subset.due = self._now + subset.wait
            is_close = subset.tokens > _SOME_TOKENS and self._estimate(number) > _CLOSE * self.rate()
            is_close = is_close and self._leader != PLAIN_SUBSET  # where it leads, trials come at a loss
            longest = _LONGEST_WAIT if subset.sources else _PLAIN_WAIT
            subset.wait = FIRST_WAIT if is_close else min(2 * subset.wait, longest)

    def _charge(self, loser: DrafterSubset) -> None:
        """Let what would read the same text again wait until the time that it took is saved.

        The others need not pay for it: a trial of phrases costs next to nothing.
        """
        made_up = self._now + round(self._missed_ms / (_EXPLORATION * self._usual))
        for subset in self._subsets:
            if loser.sources and set(loser.sources) <= set(subset.sources):
                subset.made_up = max(subset.made_up, made_up)

    def _find_challenger(self) -> int | None:
        """Return the subset to try next: never tried, apparently ahead, or due and possibly ahead."""
        best: tuple[float, int] | None = None
        rate = self.rate()
        for number in self._trial_order:
            subset = self._subsets[number]
            if number == self._leader or self._is_early(subset):
                continue
            subset.fade(self._now)
            if self._now < subset.made_up:
                continue
            if not subset.steps:
                if self._has_saved_for(subset) and self._may_pay(subset, rate):
                    return number
                continue
            bound = self._bound(number)
            ahead = self._estimate(number) > rate * self._margin(number)
            allowed = self._now >= subset.due and self._now >= self._next_trial and self._can_afford(number)
            # only plain passes show how their cost grows with the context
            if (ahead or (allowed and (bound > rate or number == PLAIN_SUBSET))) and (
                best is None or bound > best[0]
            ):
                best = bound, number
        if best is None:
            self._next_trial = max(self._next_trial, self._now + _REVIEW)
        return None if best is None else best[1]

    def _may_pay(self, subset: DrafterSubset, rate: float) -> bool:
        """Say whether a subset that was never tried could beat a rate.

        What its drafters gained alone bounds it, and a pass of a small model takes a time that is known.
        """
        if self._parts_known(subset):
            return self._parts(subset) > rate
        drafting = self._costs.draft("draft_model", 0) if "draft_model" in subset.sources else 0.0
        return not drafting or (1 + _HOPED) / (self._costs.verify(1, self._context_length) + drafting) > rate

    def _has_saved_for(self, subset: DrafterSubset) -> bool:
        """Say whether a first trial may begin; one of drafts that cost a pass each waits for full savings."""
        if not set(subset.sources) & self._from_context.keys():
            return self._savings > 0
        return self._savings >= _SAVED * _SAVED_STEPS * self._time(self._leader)

    def _is_early(self, subset: DrafterSubset) -> bool:
        return any(self._from_context.get(source, 0) > self._context_length for source in subset.sources)

    def _trial_place(self, number: int) -> tuple[bool, int, bool]:
        sources = self._subsets[number].sources
        # drafts that cost a pass wait for what the others show
        return bool({"partial", "draft_model"} & set(sources)), len(sources), set(sources) <= _PHRASES

    def _margin(self, number: int) -> float:
        """Return by how much a subset must beat the leader; ties go to plain."""
        return _HYSTERESIS if number != PLAIN_SUBSET else 1.0

    def _can_afford(self, number: int) -> bool:
        loss = self._time(number) - self._tokens(number) / self.rate()
        # a trial ends when the savings do, so the dearest needs no more than there ever are
        return self._savings >= min(_TRIAL * loss, _SAVED * _SAVED_STEPS * self._time(self._leader))

    def _tokens(self, number: int) -> float:
        subset = self._subsets[number]
        return subset.tokens

    def _time(self, number: int) -> float:
        """Return the milliseconds of a subset's step at the current context length."""
        subset = self._subsets[number]
        return (
            self._costs.verify(subset.nodes.value, self._context_length)
            + subset.draft_ms.value
            + subset.rest_ms.value
        )

    def _estimate(self, number: int) -> float:
        return self._tokens(number) / self._time(number)

    def _bound(self, number: int) -> float:
        """Return an upper confidence bound of the subset's tokens per millisecond."""
        subset = self._subsets[number]
        if not subset.weight:
            return math.inf
        quickest = self._time(number) * math.exp(-_BOUND * self._costs.uncertainty(round(subset.nodes.value)))
        bound = (subset.tokens + _BOUND * subset.error) / quickest
        if len(subset.sources) > 1 and self._parts_known(subset):
            bound = min(bound, self._parts(subset, _BOUND))
        return bound

    def _parts_known(self, subset: DrafterSubset) -> bool:
        return len(subset.sources) > 1 and all(part.steps and part.weight for part in self._singles(subset))

    def _parts(self, subset: DrafterSubset, errors: float = 0.0) -> float:
        """Return the tokens per millisecond if the subset's drafters proposed the same token as rarely as
        ever."""
        singles = self._singles(subset)
        gains = sorted(max(0.0, part.tokens + errors * part.error - 1) for part in singles)
        tokens = 1 + gains[-1] + _SHARED * sum(gains[:-1])
        nodes, rest = max(part.nodes.value for part in singles), max(part.rest_ms.value for part in singles)
        drafting = sum(part.draft_ms.value for part in singles)
        return tokens / (self._costs.verify(nodes, self._context_length) + drafting + rest)

    def _singles(self, subset: DrafterSubset) -> list[DrafterSubset]:
        return [
            part for part in self._subsets if len(part.sources) == 1 and part.sources[0] in subset.sources
        ]


def _sets_of(sources: Sequence[Source]) -> list[tuple[Source, ...]]:
    """Return plain, each source, and the useful combinations: all of them with three sources or fewer.

    The partial cache, where it is one of many, is tried alone and with n-grams: it joins in long texts only.
    """
    others: list[Source] = [source for source in sources if source != "partial"]
    if len(sources) > 3 and len(others) < len(sources):
        pairs: list[tuple[Source, ...]] = [("partial", "ngrams")] if "ngrams" in others else []
        return [*_sets_of(others), ("partial",), *pairs]
    sets: list[tuple[Source, ...]] = [(), *((source,) for source in sources)]
    if len(sources) <= 3:
        return sets + [
            chosen for size in range(2, len(sources) + 1) for chosen in combinations(sources, size)
        ]
    useful = [pair for pair in _PAIRS if set(pair) <= set(sources)]
    return sets + useful[: _MAX_SUBSETS - len(sets)]
