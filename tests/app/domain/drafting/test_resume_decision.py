from __future__ import annotations

from dataclasses import replace

import pytest

from quire.domain.drafting.resume_decision import ResumeChoice, RunRequest, ViewLimits, decide
from quire.domain.drafting.run import Run, RunState
from quire.errors import WriterProblem
from quire_engine.api.config import CacheForm, Dtype, SamplingConfig, Weights, number_format
from quire_engine.api.messages import FinishReason
from quire_engine.api.model_identity import ModelIdentity

MODEL = ModelIdentity("novelist", "f" * 64, "bfloat16", 8, "torch 2")
PAUSED = Run(
    run_id=3,
    document_id=1,
    sampling=SamplingConfig(seed=7),
    goal_words=500,
    base_digest="base",
    end_digest="text",
    state=RunState.PAUSED,
    model=MODEL,
    num_prompt=2,
    num_words=120,
)
FINISHED = replace(PAUSED, state=RunState.FINISHED, num_words=510, finish_reason=FinishReason.GOAL)
ASKED = RunRequest(500)


@pytest.mark.parametrize("is_loaded", [True, False])
@pytest.mark.parametrize(("then", "now"), [("full", "int8"), ("int8", "full")])
@pytest.mark.parametrize("dtype", ["auto", "bfloat16"])
def test_a_run_goes_on_only_with_the_weights_it_was_begun_with(
    is_loaded: bool, then: Weights, now: Weights, dtype: Dtype
) -> None:
    """Smaller weights are another model in all but its files."""
    named = replace(MODEL, dtype=number_format("bfloat16", then))
    run = replace(PAUSED, model=named)
    assert decide(run, "text", ASKED, dtype, named if is_loaded else None, then).course is ResumeChoice.RESUME
    found = decide(run, "text", ASKED, dtype, None, now)
    assert found.course is ResumeChoice.BEGIN
    asked = {"full": "full precision", "int8": "8-bit numbers"}[now]
    asked = asked if dtype == "auto" else number_format(dtype, now)
    assert f"precision ({named.dtype}, now {asked})" in found.notice


@pytest.mark.parametrize("cache", ["full", "float8"])
def test_a_run_in_whole_numbers_goes_on_in_them(cache: CacheForm) -> None:
    model = replace(MODEL, dtype="int8")
    run, limits = replace(PAUSED, model=model), ViewLimits(0, cache)
    for dtype, weights in (("auto", "auto"), ("auto", "int8"), ("int8", "auto"), ("int8", "full")):
        found = decide(run, "text", ASKED, dtype, model, weights, limits)  # type: ignore[arg-type]
        assert found.course is ResumeChoice.RESUME
    assert "now full precision" in decide(run, "text", ASKED, "auto", model, "full", limits).notice
    assert "now bfloat16" in decide(run, "text", ASKED, "bfloat16", model, "full", limits).notice


def test_the_same_text_and_model_go_on() -> None:
    assert decide(PAUSED, "text", ASKED, "auto", MODEL).course is ResumeChoice.RESUME
    assert decide(PAUSED, "text", ASKED, "bfloat16", None).course is ResumeChoice.RESUME


def test_other_software_goes_on_too() -> None:
    assert (
        decide(PAUSED, "text", ASKED, "auto", replace(MODEL, software="torch 3")).course
        is ResumeChoice.RESUME
    )


@pytest.mark.parametrize("run", [None, replace(PAUSED, num_prompt=0), replace(PAUSED, model=None)])
def test_without_a_run_that_the_model_began_a_new_one_begins(run: Run | None) -> None:
    assert decide(run, "text", ASKED, "auto", None).course is ResumeChoice.BEGIN


def test_another_text_begins_a_new_run_with_any_seed() -> None:
    assert decide(PAUSED, "edited", RunRequest(500, seed=8), "auto", MODEL).course is ResumeChoice.BEGIN


@pytest.mark.parametrize(
    ("identity", "why"),
    [
        (replace(MODEL, fingerprint="e" * 64), "another model"),
        (replace(MODEL, dtype="float32"), "precision (bfloat16, now float32)"),
        (replace(MODEL, width=16), "16 rows at a time, not 8"),
        (replace(MODEL, cache="float8"), "memory is now stored differently"),
    ],
)
def test_another_model_begins_a_new_run_and_says_so(identity: ModelIdentity, why: str) -> None:
    decision = decide(PAUSED, "text", ASKED, "auto", identity)
    assert decision.course is ResumeChoice.BEGIN
    assert why in decision.notice


def test_another_dtype_is_known_before_the_model_is_loaded() -> None:
    decision = decide(FINISHED, "text", ASKED, "float32", None)
    assert decision.course is ResumeChoice.BEGIN
    assert "precision (bfloat16, now float32)" in decision.notice


def test_another_seed_for_an_unfinished_run_is_refused() -> None:
    request = RunRequest(500, seed=8)
    assert (
        decide(PAUSED, "text", request, "auto", None).course is ResumeChoice.RESUME
    )  # the model may be another
    with pytest.raises(WriterProblem, match=r"Run 3 is not finished and uses seed 7"):
        decide(PAUSED, "text", request, "auto", MODEL)


def test_another_seed_after_the_end_begins_a_new_run() -> None:
    assert decide(FINISHED, "text", RunRequest(500, seed=8), "auto", None).course is ResumeChoice.BEGIN


def test_a_run_that_has_its_words_is_done() -> None:
    decision = decide(FINISHED, "text", RunRequest(500, seed=7), "auto", None)
    assert decision.course is ResumeChoice.DONE
    assert "already has 510 words" in decision.notice
    assert decide(PAUSED, "text", RunRequest(100), "auto", None).course is ResumeChoice.DONE


def test_a_finished_run_goes_on_to_more_words() -> None:
    assert decide(FINISHED, "text", RunRequest(600), "auto", MODEL).course is ResumeChoice.RESUME
    assert decide(FINISHED, "text", RunRequest(5, extend=True), "auto", MODEL).course is ResumeChoice.RESUME


def test_nothing_follows_the_end_of_a_text() -> None:
    ended = replace(FINISHED, num_words=90, finish_reason=FinishReason.END_OF_TEXT)
    assert decide(ended, "text", ASKED, "auto", None).course is ResumeChoice.DONE
    decision = decide(ended, "text", RunRequest(500, extend=True), "auto", MODEL)
    assert decision.course is ResumeChoice.BEGIN
    assert "ended the text" in decision.notice


@pytest.mark.parametrize(("goal_words", "seed"), [(0, None), (-3, None), (5, -1), (5, 2**63)])
def test_a_request_checks_itself(goal_words: int, seed: int | None) -> None:
    with pytest.raises(WriterProblem):
        RunRequest(goal_words, seed)


# ---------------------------------------------------------------- how much it may take
VIEWED = replace(PAUSED, model=replace(MODEL, context_length=4096))
SMALL = replace(PAUSED, model=replace(MODEL, cache="float8"))


@pytest.mark.parametrize("identity", [None, VIEWED.model])
@pytest.mark.parametrize(
    ("limits", "why"),
    [
        (ViewLimits(2048), "from 4,096 to 2,048 tokens"),
        (ViewLimits(0, "float8"), "memory is now compressed"),
    ],
)
def test_a_run_that_takes_more_than_it_may_now_ends_and_a_new_one_begins(
    limits: ViewLimits, why: str, identity: ModelIdentity | None
) -> None:
    decision = decide(VIEWED, "text", ASKED, "auto", identity, limits=limits)
    assert decision.course is ResumeChoice.BEGIN
    assert why in decision.notice


@pytest.mark.parametrize(
    ("run", "limits"),
    [
        (VIEWED, ViewLimits(4096)),
        (VIEWED, ViewLimits(8192, "computer")),
        (PAUSED, ViewLimits(256)),  # of format 1: nobody knows
        (SMALL, ViewLimits()),
        (SMALL, ViewLimits(cache="float8")),
        (SMALL, ViewLimits(cache="computer")),
    ],
)
def test_a_run_that_takes_no_more_goes_on_as_it_was_begun(run: Run, limits: ViewLimits) -> None:
    for identity in (None, run.model):
        assert decide(run, "text", ASKED, "auto", identity, limits=limits).course is ResumeChoice.RESUME


def test_a_run_whose_record_is_damaged_is_not_resumed_and_not_repeated() -> None:
    damaged = replace(PAUSED, damaged=True)
    decision = decide(damaged, "text", ASKED, "auto", MODEL)
    assert decision.course is ResumeChoice.BEGIN
    assert "record of the last draft is damaged" in decision.notice
    assert decide(PAUSED, "text", ASKED, "auto", MODEL).course is ResumeChoice.RESUME
    with pytest.raises(WriterProblem, match="can't be repeated"):
        RunRequest(20, like=damaged)
