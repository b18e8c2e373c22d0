"""The law with the real drafters and the real planner: they change the speed and nothing else."""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest
import torch
from torch import Tensor

from quire_engine.api.config import PLAIN, SOURCES, DraftingConfig, SamplingConfig, Source
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.decoding import logits_transfer
from quire_engine.decoding.token_stream import EndOfText, Step
from quire_engine.drafting import drafter_bandit, vocabulary_subset
from quire_engine.drafting.background_ngrams import BackgroundTable
from quire_engine.drafting.draft_heads import HeadsWeights
from quire_engine.drafting.draft_model import DraftModel
from quire_engine.drafting.drafter import DrafterInput
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.drafting.feature_drafter import FeatureShape, FeatureWeights
from quire_engine.drafting.ngram_drafter import NgramDrafter
from quire_engine.drafting.ngram_table import MAX_CONTEXT
from quire_engine.drafting.paper.partial_cache_drafter import PartialDrafter
from quire_engine.drafting.phrase_counts import counted
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.integer.block_model import BlockModel
from quire_engine.integer.integer_runner import IntegerRunner
from quire_engine.models.target_model import Runner
from quire_engine.runtime.session import DraftingSession, PassCost
from tests.engine.blocks import in_blocks
from tests.engine.conftest import Networks
from tests.engine.tiny import VOCAB_SIZE, build, prompt_ids

NEVER = tuple(range(300, VOCAB_SIZE))
CONTEXT = 256  # the context window rolls over every 128 tokens
FORMATS = [torch.float32, torch.bfloat16, torch.int8]
FAST = DraftingConfig(method="tokenswift")
EACH: list[tuple[Source, ...]] = [(source,) for source in SOURCES]
OF_THE_MODEL: list[Source] = [source for source in SOURCES if source != "draft_model"]
PAIRS: list[tuple[Source, ...]] = [*combinations(OF_THE_MODEL, 2), ("ngrams", "draft_model")]
LOOPING = SamplingConfig(temperature=0.3, repetition_penalty=1.0, seed=4)
"""Little noise and no penalty: a tiny random model repeats itself, so that phrases come again."""


@dataclass(frozen=True)
class Model:
    """A loaded model as a session sees it."""

    target: Runner
    suppressed: tuple[int, ...] = NEVER
    vocab_size: int = VOCAB_SIZE
    trained: TrainedDrafters | None = None
    background: BackgroundTable | None = None
    pass_costs: tuple[PassCost, ...] = (PassCost(0, 64, 3.0), PassCost(7, 64, 3.2))
    near_tie: float = 0.0
    draft_model: DraftModel | None = None


def random_drafters() -> TrainedDrafters:
    """Return drafters that were never trained: what they propose is nearly always wrong."""
    torch.manual_seed(2)
    heads = HeadsWeights(torch.randn(3, 64, 64) * 0.1, torch.ones(3, 64), torch.ones(3, 64))
    shape = FeatureShape(64, 96, 4, 2, 16, 10_000.0, 1e-6, 32)
    tensors = {name: torch.randn(size) * 0.1 for name, size in shape.tensor_shapes().items()}
    return TrainedDrafters("", heads, FeatureWeights(shape, tensors))


def model_of(networks: Networks, dtype: torch.dtype = torch.float32, family: str = "llama") -> Model:
    small = "qwen3" if family == "llama" else "llama"  # it agrees by chance alone, and sees less
    runners: list[Runner] = [
        IntegerRunner(integers_of(each), 8, context)
        if dtype == torch.int8
        else PassRunner(networks(each, dtype), 8, context)
        for each, context in ((family, CONTEXT), (small, CONTEXT // 2))
    ]
    draft_model = DraftModel(runners[1], VOCAB_SIZE, NEVER)
    return Model(runners[0], trained=random_drafters(), draft_model=draft_model)


@cache
def integers_of(family: str) -> BlockModel:
    return in_blocks(build(family))


def advance(session: DraftingSession, count: int) -> list[Step]:
    """Write until at least `count` tokens were generated."""
    steps: list[Step] = []
    while session.num_generated < count:
        if session.must_read:
            list(session.read())
        steps.append(session.step())
    return steps


def text_of(
    model: Model,
    count: int,
    sampling: SamplingConfig,
    drafting: DraftingConfig = PLAIN,
    known: Sequence[int] = (),
) -> tuple[tuple[int, ...], list[Step]]:
    counts = [counted(np.array(known), MAX_CONTEXT)] if known else []
    session = DraftingSession(model, prompt_ids(60), (), sampling, drafting, known=counts)
    steps = advance(session, count)
    return session.generated_ids, steps


@cache
def looping_text(networks: Networks, dtype: torch.dtype) -> tuple[int, ...]:
    """Return a plain text of a new model, which all are compared with."""
    return text_of(model_of(networks, dtype), 300, LOOPING)[0]


def cache_after(model: Model, text: Sequence[int], sampling: SamplingConfig) -> tuple[Tensor, ...]:
    """Return the cache of a run that was resumed behind a text."""
    list(DraftingSession(model, prompt_ids(60), text, sampling, PLAIN).read())
    return model.target.store.snapshot()


# ---------------------------------------------------------------- the law
@pytest.mark.sliced
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
@pytest.mark.parametrize("sources", [(), *EACH, *PAIRS], ids=",".join)
def test_drafters_never_change_the_text_nor_the_cache(
    networks: Networks, dtype: torch.dtype, sources: tuple[Source, ...]
) -> None:
    """Over two rollovers; a forced tree asks the drafters at every step, whatever it costs."""
    model = model_of(networks, dtype)
    trees: list[tuple[int, ...]] = [(2, 1, 1)] if sources else [(), (3, 1)]
    if dtype == torch.int8 and "partial" in sources:
        with pytest.raises(EnvironmentProblem, match="Fast mode"):
            DraftingSession(model, prompt_ids(60), (), LOOPING, replace(FAST, drafters=sources))
        return
    wanted = looping_text(networks, dtype)
    for tree in trees:
        drafting = replace(FAST, drafters=sources, tree=tree, partial_budget=32)
        session = DraftingSession(model, prompt_ids(60), (), LOOPING, drafting)
        advance(session, 280)
        cache = model.target.store.snapshot()
        text = session.generated_ids
        assert text == wanted[: len(text)]
        again = cache_after(model, text, LOOPING)
        assert all(torch.equal(a, b) for a, b in zip(cache, again, strict=True))


def test_a_session_that_hands_over_little_of_a_row_is_the_one_that_hands_over_all(
    networks: Networks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a GPU: shortlists of what can be drawn, the best columns of draft logits. Every step is alike."""
    model = model_of(networks)
    sampling = SamplingConfig(seed=5, temperature=0.5)
    drafting = replace(FAST, drafters=SOURCES, tree=(2, 2, 1), partial_budget=32)
    known = text_of(model, 110, sampling)[0]  # so that drafts are accepted
    forms: list[list[tuple[object, ...]]] = []
    for devices in (set(), {"cpu"}):
        monkeypatch.setattr(logits_transfer, "SHORTLIST_DEVICES", devices)
        monkeypatch.setattr(vocabulary_subset, "SUBSET_DEVICES", devices)
        _, steps = text_of(model, 100, sampling, drafting, known)
        forms.append(
            [(step.token_ids, step.num_drafted, step.accepted_sources, step.margin) for step in steps]
        )
    assert forms[0] == forms[1]
    assert sum(len(tokens) for tokens, *_ in forms[0] if isinstance(tokens, tuple)) > 1.2 * len(forms[0])


@pytest.mark.sliced
@pytest.mark.parametrize("family", ["qwen2", "qwen3", "mistral"])
def test_drafters_never_change_the_text_of_any_family(networks: Networks, family: str) -> None:
    model = model_of(networks, torch.bfloat16, family)
    sampling = SamplingConfig(seed=3)
    wanted, _ = text_of(model, 120, sampling)
    for tree in ((), (2, 2, 1)):
        text, _ = text_of(model, 110, sampling, replace(FAST, drafters=SOURCES, tree=tree, partial_budget=32))
        assert text == wanted[: len(text)]


def test_a_run_paused_and_resumed_with_other_drafters_is_the_plain_run(networks: Networks) -> None:
    model, rng = model_of(networks, torch.bfloat16), random.Random(6)
    wanted, _ = text_of(model, 200, LOOPING)
    text: tuple[int, ...] = ()
    while len(text) < 190:
        drafters = tuple(source for source in SOURCES if rng.random() < 0.5)
        drafting = replace(FAST, drafters=drafters, tree=(2, 1) if drafters else ())
        session = DraftingSession(model, prompt_ids(60), text, LOOPING, drafting)
        advance(session, min(190, len(text) + rng.randint(1, 50)))
        text = session.generated_ids
        assert text == wanted[: len(text)]


@pytest.mark.parametrize("same_noise", [True, False])
def test_the_noise_of_the_drafters_does_not_change_the_text(networks: Networks, same_noise: bool) -> None:
    model = model_of(networks)
    sampling = SamplingConfig(seed=9)
    drafting = replace(FAST, same_noise=same_noise, drafters=("ngrams", "feature"), tree=(3, 1, 1))
    wanted, _ = text_of(model, 80, sampling)
    text, _ = text_of(model, 70, sampling, drafting)
    assert text == wanted[: len(text)]


@pytest.mark.parametrize(("gamma", "tails", "delay"), [(1, 1, None), (7, 20, 5)], ids=str)
def test_the_settings_of_the_papers_drafters_do_not_change_the_text(
    networks: Networks, gamma: int, tails: int, delay: int | None
) -> None:
    model = model_of(networks)
    paper = replace(FAST, drafters=("partial", "fourgrams"), tree=(1, 2, 1, 1), partial_budget=32)
    drafting = replace(paper, gamma=gamma, tails=tails, table_delay=delay)
    text, _ = text_of(model, 150, LOOPING, drafting)
    assert text == looping_text(networks, torch.float32)[: len(text)]


# ---------------------------------------------------------------- what drafters earn
def test_phrases_of_a_text_that_was_written_before_are_drafted_again(networks: Networks) -> None:
    """The very text as an earlier draft: nearly everything is accepted, far more than without it."""
    model, sampling = model_of(networks), SamplingConfig(seed=5)
    drafting = replace(FAST, drafters=("ngrams",), tree=(1, 1, 1, 1, 1, 1, 1))
    text, alone = text_of(model, 120, sampling, drafting)
    _, helped = text_of(model, 120, sampling, drafting, known=[*prompt_ids(60), *text])
    assert len(helped) < 0.5 * len(alone)


def test_a_draft_that_begins_with_what_another_one_measured_has_the_plain_text(networks: Networks) -> None:
    model = model_of(networks)
    first = DraftingSession(model, prompt_ids(40), (), SamplingConfig(seed=3), FAST)
    advance(first, 60)
    session = DraftingSession(model, prompt_ids(60), (), LOOPING, FAST, before=first.planner)
    assert first.planner is not None
    assert session.planner is not None
    assert sum(subset.steps for subset in session.planner.subsets()) == 0
    known = sum(subset.steps for subset in first.planner.subsets())
    steps = advance(session, 200)
    assert session.generated_ids[:200] == looping_text(networks, torch.float32)[:200]
    assert sum(subset.steps for subset in session.planner.subsets()) <= len(steps)
    assert sum(subset.steps for subset in first.planner.subsets()) == known


def test_every_accepted_token_has_a_source_and_figures_add_up(networks: Networks) -> None:
    model = model_of(networks)
    drafting = replace(FAST, drafters=("ngrams", "fourgrams"), tree=(2, 1, 1))
    text, steps = text_of(model, 250, LOOPING, drafting)
    assert sum(len(step.token_ids) for step in steps) == len(text)
    assert sum(step.num_accepted for step in steps) > 20
    for step in steps:
        assert step.num_accepted == len(step.token_ids) - 1 <= step.draft_depth <= step.num_drafted <= 7
        assert set(step.accepted_sources) <= {"ngrams", "fourgrams"}
        assert min(step.draft_ms, step.verify_ms, step.rest_ms) >= 0


def test_plain_decoding_plans_nothing(networks: Networks) -> None:
    session = DraftingSession(model_of(networks), prompt_ids(20), (), LOOPING, PLAIN)
    assert session.planner is None
    assert {(s.num_drafted, s.draft_depth, s.num_accepted, s.draft_ms) for s in advance(session, 5)} == {
        (0, 0, 0, 0.0)
    }


# ---------------------------------------------------------------- faults
@pytest.mark.sliced
@pytest.mark.parametrize("moment", ["begin", "expand", "observe", "reset"])
def test_a_fault_in_a_drafter_costs_the_acceleration_and_not_the_run(
    networks: Networks, monkeypatch: pytest.MonkeyPatch, moment: str, caplog: pytest.LogCaptureFixture
) -> None:
    model = model_of(networks)
    wanted, _ = text_of(model, 150, LOOPING)
    drafting = replace(FAST, drafters=("ngrams",), tree=(2, 1))
    left = [12]
    usual = getattr(NgramDrafter, moment)

    def faulty(*arguments: object) -> object:
        left[0] -= 4 if moment == "reset" else 1
        if left[0] < 0:
            raise RuntimeError("a fault")
        return usual(*arguments)

    monkeypatch.setattr(NgramDrafter, moment, faulty)
    session = DraftingSession(model, prompt_ids(60), (), LOOPING, drafting, forgiving=True)
    advance(session, 140)
    for _ in range(4 if moment == "reset" else 0):
        list(session.read())
    assert session.generated_ids == wanted[: session.num_generated]
    assert session.planner is None
    assert "a fault" in session.fault
    (trouble,) = session.pop_warnings()
    assert "a fault" in trouble
    assert trouble.endswith("the same words.")
    warnings = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert ["goes on plainly" in record.getMessage() for record in warnings] == [True]
    assert warnings[0].exc_info is None  # a traceback is for those who ask for it
    left[0] = 0
    with pytest.raises(RuntimeError, match="a fault"):
        advance(DraftingSession(model, prompt_ids(60), (), LOOPING, drafting), 10)


# ---------------------------------------------------------------- what is not there
@pytest.mark.parametrize("missing", ["heads", "feature", "draft_model"])
def test_a_drafter_that_was_never_prepared_is_named_in_a_sentence(
    networks: Networks, missing: Source
) -> None:
    model = replace(model_of(networks), trained=None, draft_model=None)
    with pytest.raises(EnvironmentProblem, match=missing.replace("draft_model", "smaller model")):
        DraftingSession(model, prompt_ids(20), (), LOOPING, replace(FAST, drafters=(missing,)))
    text, _ = text_of(model, 30, LOOPING, FAST)  # left to Quire, it does without
    assert text[:30] == text_of(model, 30, LOOPING)[0][:30]


def test_the_partial_cache_changes_no_text_where_it_was_not_named(
    networks: Networks, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, begin = list[int](), PartialDrafter.begin

    def counted_begin(self: PartialDrafter, request: DrafterInput) -> bool:
        begun.append(request.index)
        return begin(self, request)

    monkeypatch.setattr(PartialDrafter, "begin", counted_begin)
    monkeypatch.setattr(drafter_bandit, "_SAVED", 0.0)  # it need not be saved for
    others: tuple[Source, ...] = ("heads", "feature", "ngrams", "draft_model")
    drafting = replace(FAST, partial_budget=40, without=others)
    model = model_of(networks)
    text, _ = text_of(model, 300, LOOPING, drafting)
    wanted = looping_text(networks, torch.float32)
    assert text[:300] == wanted[:300]
    assert len(begun) > 4
    assert min(begun) > 2 * 40 - 60  # tokens behind a prompt of 60


@pytest.mark.parametrize("unfitting", ["heads", "feature", "both"])
def test_a_drafter_that_does_not_fit_is_left_out_where_the_choice_is_free(
    networks: Networks, unfitting: str
) -> None:
    model, fitting = model_of(networks), random_drafters()
    heads = HeadsWeights(torch.randn(3, 32, 32), torch.ones(3, 32), torch.ones(3, 32))
    shape = FeatureShape(32, 96, 4, 2, 16, 10_000.0, 1e-6, 32)
    feature = FeatureWeights(shape, {n: torch.randn(size) for n, size in shape.tensor_shapes().items()})
    trained = replace(
        fitting,
        heads=fitting.heads if unfitting == "feature" else heads,
        feature=fitting.feature if unfitting == "heads" else feature,
    )
    model = replace(model, trained=trained, draft_model=None)
    wanted, _ = text_of(model, 40, LOOPING)
    session = DraftingSession(model, prompt_ids(60), (), LOOPING, FAST, forgiving=True)
    assert session.planner is not None
    troubles = session.pop_warnings()
    assert len(troubles) == (2 if unfitting == "both" else 1)
    assert all("match this model" in trouble for trouble in troubles)
    assert session.pop_warnings() == []
    advance(session, 30)
    assert session.generated_ids == wanted[: session.num_generated]
    subsets = {source for subset in session.planner.subsets() for source in subset.sources}
    unfit = {"heads", "feature"} if unfitting == "both" else {unfitting}
    assert subsets == {"ngrams", "heads", "partial", "feature"} - unfit
    named: tuple[Source, ...] = ("heads",) if unfitting == "heads" else ("feature",)
    with pytest.raises(EnvironmentProblem, match="match"):
        DraftingSession(model, prompt_ids(60), (), LOOPING, replace(FAST, drafters=named), forgiving=True)


def test_a_model_may_end_its_text_in_the_middle_of_a_draft(networks: Networks) -> None:
    model, end = model_of(networks), EndOfText((7,), 0)
    texts: set[tuple[int, ...]] = set()
    for drafting in (PLAIN, replace(FAST, drafters=("ngrams",), tree=(3, 1))):
        session = DraftingSession(model, prompt_ids(60), (), SamplingConfig(seed=1), drafting, end=end)
        while not advance(session, session.num_generated + 1)[-1].ended:
            pass
        texts.add(session.generated_ids)
    (text,) = texts
    assert text.index(7) == len(text) - 1
