"""Runs with a front and a note: what stays in the context window, what a resume needs, and the same bits as
ever.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import pytest

from quire_engine.api.config import PLAIN, DraftingConfig, Dtype
from quire_engine.api.context_rules import DEFAULT_CONTEXT_RULE, context_rule, front_length
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import GenerationStarted, KeepCache, ResumeGeneration, StartGeneration
from quire_engine.decoding.context_window import ContextRule
from tests.engine import worded
from tests.engine.desk import FAST, FORMATS, Desk, Models, assert_same_bits, resume, start
from tests.engine.worded import text_of, words

CONTEXT = 512
FRONT = words(150, seed=3)


@pytest.fixture(scope="module")
def models(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Models:
    """Models that hold a short text, so that it rolls over."""
    return Models(worded.save("llama", tmp_path_factory.mktemp("steered") / "model", CONTEXT))


def steered(drafting: DraftingConfig = PLAIN) -> StartGeneration:
    """Begin a run; its tokenizer reads the last word of a paragraph and the next one as one unknown word."""
    note = text_of(words(5, seed=9))
    return replace(start(words(200), drafting), front_text=text_of(FRONT), note_text=note)


def gone_on_with(
    begun: GenerationStarted, written: tuple[int, ...], drafting: DraftingConfig = PLAIN
) -> ResumeGeneration:
    return replace(resume(begun.prompt_ids, written, begun.prefill_plan, drafting), rollover=begun.rollover)


@pytest.mark.sliced
@pytest.mark.parametrize("dtype", FORMATS)
def test_a_run_with_a_front_is_the_same_plain_accelerated_and_resumed_past_rollovers(
    models: Models, dtype: Dtype
) -> None:
    plain = Desk(models.fresh(dtype))
    wanted = plain.run(steered(), 700)
    begun = plain.started
    assert sum(begun.origins) == len(begun.prompt_ids)
    assert begun.origins == (150, 200 - 1, 5 - 1)
    assert begun.rollover == context_rule(begun.origins[0]) != DEFAULT_CONTEXT_RULE
    fast = Desk(models.fresh(dtype))
    written = fast.run(steered(FAST), 700)
    length = min(len(written), len(wanted))
    assert written[:length] == wanted[:length]
    for num_before in (1, 150, 401, 699):  # before the first rollover, between, and after others
        command = gone_on_with(begun, wanted[:num_before], FAST)
        again = Desk(models.fresh(dtype))
        rest = again.run(command, 700 - num_before)[: 700 - num_before]
        assert wanted[:num_before] + rest == wanted
        assert all(event.first_difference is None for event in again.checked)


def test_the_front_stays_in_the_context_and_without_the_rule_it_would_not(models: Models) -> None:
    desk = Desk(models.fresh("float32"))
    written = desk.run(steered(), 400)
    begun = desk.started
    as_before = Desk(models.fresh("float32")).run(resume(begun.prompt_ids, ()), 400)
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(written, as_before, strict=True))))
    assert same < 400
    assert len(begun.prompt_ids) + same > CONTEXT - 5  # the same text until the context window is full


def test_a_kept_cache_belongs_to_its_rule(models: Models, tmp_path: Path) -> None:
    file = str(tmp_path / "cache")
    desk = Desk(models.fresh("bfloat16"))
    written = desk.run(steered(), 300)
    begun = desk.started
    desk.runs.keep_cache(KeepCache(1, file))
    wanted = written + desk.run(gone_on_with(begun, written), 60)
    command = replace(resume(begun.prompt_ids, written), cache_file=file)
    kept = Desk(models.fresh("bfloat16"))
    assert written + kept.run(replace(command, rollover=begun.rollover), 60) == wanted
    assert kept.num_read == 0
    assert_same_bits(kept.snapshot(), desk.snapshot())
    other = Desk(models.fresh("bfloat16"))
    other.run(command, 1)
    assert "another text" in other.started.notice


def test_a_run_paused_here_continues_at_once_by_its_own_rule_only(models: Models) -> None:
    desk = Desk(models.fresh("float32"))
    written = desk.run(steered(), 20)
    begun = desk.started
    desk.run(gone_on_with(begun, written), 1)
    assert desk.num_read == 0


def test_a_story_that_is_too_long_loses_its_oldest_part_behind_the_front(models: Models) -> None:
    command = replace(steered(), prompt_text=text_of(words(900)), read_tail=True)
    desk = Desk(models.fresh("float32"))
    desk.run(command, 1)
    begun = desk.started
    assert begun.prompt_ids[:149] == FRONT[:149]
    assert begun.prompt_ids[-1] == words(900)[-1]
    assert begun.num_left_out == 900 - 1 - begun.origins[1]
    assert CONTEXT // 6 <= begun.origins[1] < CONTEXT


def test_runs_of_earlier_versions_roll_over_as_they_did(models: Models) -> None:
    assert models.fresh("float32").description.identity.rollover == DEFAULT_CONTEXT_RULE
    desk = Desk(models.fresh("float32"))
    wanted = desk.run(start(words(200)), 500)
    assert desk.started.rollover == ""
    for rule in ("", DEFAULT_CONTEXT_RULE):
        again = Desk(models.fresh("float32"))
        rest = again.run(replace(resume(words(200), wanted[:350]), rollover=rule), 150)
        assert wanted[:350] + rest == wanted


def test_a_rule_of_a_later_version_is_rejected_with_a_message(models: Models) -> None:
    identity = models.fresh("float32").description.identity
    for rule in ("kept front of x, version 2", "kept front of 3, version 3", "anything"):
        assert front_length(rule) is None
        assert not identity.rolls_over_as(rule)
        with pytest.raises(EnvironmentProblem, match="newer version"):
            Desk(models.fresh("float32")).run(replace(resume(words(20), ()), rollover=rule), 1)
    for count in (0, 1, 312):
        assert front_length(context_rule(count)) == count
        assert identity.rolls_over_as(context_rule(count))


def test_a_chat_needs_a_model_that_has_a_template(models: Models) -> None:
    assert not models.fresh("float32").description.has_chat_template
    with pytest.raises(EnvironmentProblem, match="chat template"):
        Desk(models.fresh("float32")).run(replace(start(words(20)), chat=True), 1)


def test_a_front_is_pinned_whole_up_to_half_of_the_context() -> None:
    assert ContextRule(1024, 64, 200).view(300, 1024).pinned == 256
    assert ContextRule(1024, 64, 512).view(600, 1024).pinned == 512
    assert ContextRule(1024, 64, 512).view(600, 1024).length(1024) == 512 + 256
    assert ContextRule(1024, 64, 10).view(300, 1024) == ContextRule(1024, 64).view(300, 1024)
