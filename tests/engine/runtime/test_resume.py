"""Going on with what the model still holds: nothing is read without need, and not one bit is another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import equal

from quire_engine.api.config import PLAIN, DraftingConfig, Dtype, Goal
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.known_texts import KnownText
from quire_engine.api.messages import (
    FinishReason,
    GenerationFinished,
    KeepCache,
    ReadingProgressed,
    ResumeChecked,
    StepCompleted,
)
from quire_engine.drafting.drafter import Drafter
from quire_engine.drafting.planner import Planner
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.runtime import drafter_factory
from tests.engine import worded
from tests.engine.desk import FAST, FORMATS, SAMPLING, Desk, Models, assert_same_bits, resume, start
from tests.engine.worded import words


@pytest.fixture(scope="module")
def models(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Models:
    """Models that hold long texts."""
    return Models(worded.save("llama", tmp_path_factory.mktemp("worded") / "model"))


# ---------------------------------------------------------------- pause, and on
@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("drafting", [PLAIN, FAST], ids=["plain", "fast"])
def test_a_run_that_is_resumed_reads_nothing(models: Models, dtype: Dtype, drafting: DraftingConfig) -> None:
    wanted = Desk(models.fresh(dtype)).run(start(words(700)), 100)
    desk = Desk(models.fresh(dtype))
    written = desk.run(start(words(700), drafting), 20)
    for other in (drafting, FAST, PLAIN, drafting):  # the text does not depend on them
        num_before = len(written)
        written += desk.run(resume(words(700), written, drafting=other), 15)
        assert desk.started.num_reused == 700 + num_before - 1
        assert (desk.num_read, desk.checked) == (0, [])
    assert written == wanted[: len(written)]


def test_drafters_are_built_again_only_where_something_about_them_changed(
    models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[DraftingConfig] = []
    usual = drafter_factory.build_drafters

    def counted(*arguments: Any, **options: Any) -> list[Drafter]:
        built.append(arguments[1])
        return usual(*arguments, **options)

    monkeypatch.setattr("quire_engine.runtime.session.build_drafters", counted)
    desk = Desk(models.fresh("float32"))
    written = desk.run(start(words(90), FAST), 10)
    wider = replace(FAST, tree=(3, 1))
    for drafting in (FAST, FAST, wider, wider, FAST):
        written += desk.run(resume(words(90), written, drafting=drafting), 5)
    known = replace(resume(words(90), written, drafting=FAST), known_texts=(KnownText("w5 w6 w7"),))
    desk.run(known, 5)
    assert built == [FAST, wider, FAST, FAST]


def test_what_a_draft_measured_outlasts_plain_drafts_and_other_settings(
    models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[bool] = []
    usual = Planner.take_over

    def noted(planner: Planner, before: Planner) -> bool:
        taken.append(usual(planner, before))
        return taken[-1]

    monkeypatch.setattr(Planner, "take_over", noted)
    desk = Desk(models.fresh("float32"))
    wider = replace(FAST, tree=(3, 1))
    for place, drafting in enumerate((FAST, PLAIN, wider, PLAIN, FAST, wider)):
        desk.run(start(words(90 + place), drafting), 10)
    assert taken == [True, True]
    assert all(not planner._drafters for planner in desk.runs._planners)


def test_a_run_that_rolled_over_is_resumed_too(models: Models) -> None:
    whole = Desk(models.fresh("bfloat16", 256)).run(start(words(200)), 300)
    desk = Desk(models.fresh("bfloat16", 256))
    written: tuple[int, ...] = ()
    for count in (57, 1, 5, 60, 128, 20):  # 57: the context window is just full
        drafting = FAST if count in (1, 60) else PLAIN  # a new session on a view that is held
        written += desk.run(
            resume(words(200), written, drafting=drafting) if written else start(words(200)), count
        )
        assert desk.num_read in (199, 0, 128)  # at the start, never, and where a rollover is due
    assert written == whole[: len(written)]
    shorter = written[:-3]
    rest = desk.run(resume(words(200), shorter), 3)
    assert desk.started.num_reused == 0  # another place of a view that rolled over is read again
    assert shorter + rest == written


@pytest.mark.parametrize("num_before", [10, 56, 57])
def test_a_rollover_after_a_start_that_read_nothing_or_little_is_the_usual_one(
    models: Models, tmp_path: Path, num_before: int
) -> None:
    """Live, behind tokens taken back, from a file: what was held is not taken for the context window that
    follows.
    """
    whole = Desk(models.fresh("bfloat16", 256)).run(start(words(200)), 80)
    file = str(tmp_path / "run.cache")
    desk = Desk(models.fresh("bfloat16", 256))
    desk.run(start(words(200)), 57)
    command = replace(resume(words(200), whole[:num_before], drafting=FAST), cache_file=file)
    assert desk.run(command, 80 - num_before)[: 80 - num_before] == whole[num_before:]
    desk = Desk(models.fresh("bfloat16", 256))
    desk.run(start(words(200)), num_before)
    desk.runs.keep_cache(KeepCache(1, file))
    later = Desk(models.fresh("bfloat16", 256))
    assert later.run(command, 80 - num_before)[: 80 - num_before] == whole[num_before:]


def test_a_run_paused_while_it_reads_continues_reading(models: Models) -> None:
    wanted = Desk(models.fresh("bfloat16")).run(start(words(1500)), 5)
    desk = Desk(models.fresh("bfloat16"))
    for event in desk.runs.run(start(words(1500))):
        if isinstance(event, ReadingProgressed):
            break
    assert desk.run(resume(words(1500), ()), 5) == wanted
    assert desk.started.num_reused == 512


@pytest.mark.parametrize("dtype", FORMATS)
def test_tokens_taken_back_or_beyond_a_goal_are_not_read_again(models: Models, dtype: Dtype) -> None:
    whole = Desk(models.fresh(dtype)).run(start(words(100)), 40)
    desk = Desk(models.fresh(dtype))
    assert desk.run(start(words(100), FAST, Goal(tokens=17))) == whole[:17]
    assert isinstance(desk.events[-1], GenerationFinished)
    assert desk.run(resume(words(100), whole[:17]), 10) == whole[17:27]
    assert desk.started.num_reused == 116
    assert desk.run(resume(words(100), whole[:8]), 10) == whole[8:18]  # undone
    assert desk.started.num_reused == 107
    assert desk.run(resume(words(100), whole[:30]), 10) == whole[30:40]  # redone
    assert desk.started.num_reused == 117  # what was written in between is still held
    assert desk.checked == [ResumeChecked(1, 8, None)]


def test_a_run_that_failed_is_read_again(models: Models, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(models.fresh("float32"))
    written = desk.run(start(words(100)), 10)

    def fail(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(PassRunner, "decode", fail)
        with pytest.raises(EnvironmentProblem, match="memory"):
            desk.run(resume(words(100), written), 1)
    desk.run(resume(words(100), written), 1)
    assert desk.started.num_reused == 0


# ---------------------------------------------------------------- edited texts
Edit = tuple[str, float, int]
edits = st.lists(
    st.tuples(
        st.sampled_from(["append", "cut", "replace", "insert", "remove"]), st.floats(0, 1), st.integers(1, 40)
    ),
    min_size=1,
    max_size=3,
)


def edited(text: tuple[int, ...], edit: Edit, number: int) -> tuple[int, ...]:
    kind, share, count = edit
    place = 1 + int(share * (len(text) - 2))
    new = words(count, seed=number + 1)
    match kind:
        case "append":
            return text + new
        case "cut":
            return text[:place]
        case "replace":
            return text[:place] + new + text[place + count :]
        case "insert":
            return text[:place] + new + text[place:]
        case _:
            return text[:place] + text[place + count :]


@pytest.mark.sliced
@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("drafting", [PLAIN, FAST], ids=["plain", "fast"])
@settings(derandomize=True, deadline=None, max_examples=8, database=None)
@given(num_prompt=st.integers(1, 1100), steps=edits)
def test_a_run_on_an_edited_text_is_the_one_that_reads_it_by_its_plan(
    models: Models, dtype: Dtype, drafting: DraftingConfig, num_prompt: int, steps: list[Edit]
) -> None:
    desk = Desk(models.fresh(dtype))
    prompt = words(num_prompt)
    written = desk.run(start(prompt, drafting), 30)
    for number, edit in enumerate(steps):
        text = prompt + written
        prompt = edited(text, edit, number)
        written = desk.run(start(prompt, drafting), 12)
        begun, cache = desk.started, desk.snapshot()
        same = next((i for i, pair in enumerate(zip(text, prompt, strict=False)) if pair[0] != pair[1]), None)
        assert begun.num_reused <= (min(len(text), len(prompt)) if same is None else same)
        for num_before in (0, 5):
            anew = Desk(models.fresh(dtype))
            rest = anew.run(
                resume(prompt, written[:num_before], begun.prefill_plan), len(written) - num_before
            )
            assert written[:num_before] + rest == written
            assert anew.started == replace(begun, num_reused=0, origins=())
            assert_same_bits(anew.snapshot(), cache)


@pytest.mark.parametrize("dtype", FORMATS)
def test_an_edit_behind_the_prompt_is_read_from_its_first_token_on(models: Models, dtype: Dtype) -> None:
    desk = Desk(models.fresh(dtype))
    written = desk.run(start(words(700)), 60)
    prompt = words(700) + written[:33] + words(200, seed=9)
    desk.run(start(prompt), 1)
    plan = () if dtype == "int8" else (699, 34, 199)
    assert (desk.started.prefill_plan, desk.started.num_reused) == (plan, 733)
    assert desk.num_read == 199


def test_chunks_and_decode_passes_really_round_differently(models: Models) -> None:
    """Or plans would be needless, and these tests could not fail."""
    desk, anew = Desk(models.fresh("bfloat16")), Desk(models.fresh("bfloat16"))
    written = desk.run(start(words(100)), 60)
    desk.run(start(words(100) + written), 1)
    anew.run(start(words(100) + written), 1)
    assert (desk.started.prefill_plan, anew.started.prefill_plan) == ((99, 60), ())
    assert not all(equal(a, b) for a, b in zip(desk.snapshot(), anew.snapshot(), strict=True))


def test_a_text_beyond_the_context_is_read_again(models: Models) -> None:
    desk = Desk(models.fresh("float32", 256))
    written = desk.run(start(words(200)), 100)
    desk.run(start(words(150)), 1)
    assert (desk.started.prefill_plan, desk.started.num_reused) == ((), 0)
    desk = Desk(models.fresh("float32", 256))
    written = desk.run(start(words(150)), 10)
    desk.run(resume(words(150), written + words(200)), 1)
    assert desk.started.num_reused == 0


def test_where_passes_do_not_repeat_only_whole_chunks_and_live_runs_are_used(models: Models) -> None:
    desk = Desk(models.fresh("bfloat16", 0, False))
    written = desk.run(start(words(700)), 20)
    written += desk.run(resume(words(700), written), 5)
    assert desk.started.num_reused == 719
    desk.run(start(words(700) + written), 1)
    assert (desk.started.prefill_plan, desk.started.num_reused) == ((), 512)
    assert desk.checked == []


def test_a_plan_that_cannot_be_made_out_is_reported_and_the_run_continues(models: Models) -> None:
    desk = Desk(models.fresh("float32"))
    written = desk.run(resume(words(100), words(10), (5, 5)), 3)
    assert len(written) == 3
    assert desk.started.prefill_plan == ()
    assert "usual way" in desk.started.notice


# ---------------------------------------------------------------- deciding again
@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("num_before", [1, 5, 8, 30])
def test_a_resumed_run_decides_its_newest_tokens_again(models: Models, dtype: Dtype, num_before: int) -> None:
    goal = Goal(tokens=40, stop_at_end=True, min_tokens=20)
    loaded = replace(models.fresh(dtype), end_ids=(7, 8, 9))
    whole = Desk(loaded).run(replace(start(words(60)), goal=goal))
    desk = Desk(replace(models.fresh(dtype), end_ids=(7, 8, 9)))
    num_before = min(num_before, len(whole) - 1)
    rest = desk.run(replace(resume(words(60), whole[:num_before]), goal=goal))
    assert whole[:num_before] + rest == whole
    assert desk.checked == [ResumeChecked(1, min(8, num_before), None)]
    places = [type(event) for event in desk.events]
    assert places.index(ResumeChecked) == places.index(StepCompleted) - 1


def test_the_words_of_a_run_are_counted_to_its_end_when_the_model_ends_the_text(models: Models) -> None:
    goal = Goal(tokens=400, stop_at_end=True, min_tokens=20)
    desk = Desk(replace(models.fresh("float32"), end_ids=tuple(range(100))))
    written = desk.run(replace(start(words(60)), goal=goal))
    assert desk.events[-1] == GenerationFinished(1, len(written), FinishReason.END_OF_TEXT)
    counts = [event.num_words for event in desk.events if isinstance(event, StepCompleted)]
    assert counts == sorted(counts)
    assert counts[-1] > 0


def test_tokens_that_would_be_others_today_are_pointed_out(models: Models) -> None:
    whole = Desk(models.fresh("bfloat16")).run(start(words(60)), 30)
    other = (*whole[:26], (whole[26] + 1) % 300, *whole[27:])
    desk = Desk(models.fresh("bfloat16"))
    written = desk.run(resume(words(60), other), 2)
    (checked,) = desk.checked
    assert (checked.num_checked, checked.first_difference) == (8, 26)
    assert len(written) == 2  # from the stored ids, whatever the machine says
    assert desk.run(replace(resume(words(60), whole), sampling=replace(SAMPLING, seed=12)), 1)
    assert desk.checked[0].first_difference is not None


def test_a_view_that_was_just_rebuilt_tells_nothing(models: Models) -> None:
    whole = Desk(models.fresh("float32", 256)).run(start(words(200)), 60)
    desk = Desk(models.fresh("float32", 256))
    desk.run(resume(words(200), whole[:57]), 3)
    assert desk.checked == [ResumeChecked(1, 0, None)]
