"""Answers beside a run: the words of a run on the same prompt, and the run's own cache unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from quire_engine.api.config import PLAIN, Goal, ModelConfig, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import StartGeneration, StepCompleted
from quire_engine.api.queries import QueryProgressed, TextWritten, WriteText
from quire_engine.engine import Engine
from quire_engine.prompt.chat_template import ChatTemplate
from quire_engine.runtime import written_text
from quire_engine.runtime.engine_thread import RunEvent, StartCommand
from tests.engine.tiny import OPENING, SENTENCES

SAMPLING = SamplingConfig(seed=11)
GOAL = Goal(tokens=40)
QUERY = WriteText("Shorten it.", Goal(tokens=30), OPENING, GOAL, SAMPLING, query_id=5)
TEMPLATE = ChatTemplate("{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}", ())


@pytest.fixture(scope="module")
def engine(llama: Path) -> Engine:
    made = Engine()
    made.load(ModelConfig(str(llama), "float32", 8, threads=1))
    return made


def written(engine: Engine, query: WriteText) -> TextWritten:
    *before, last = engine.answer(query)
    assert isinstance(last, TextWritten)
    progress = [event for event in before if isinstance(event, QueryProgressed)]
    assert len(progress) == len(before)
    assert "".join(event.text for event in progress) == last.text
    fractions = [event.fraction for event in progress]
    assert fractions == sorted(fractions)
    assert 0 <= fractions[0] < fractions[-1] <= 1
    return last


def run_text(engine: Engine, command: StartGeneration) -> str:
    return "".join(event.text for event in engine.run(command) if isinstance(event, StepCompleted))


def test_an_answer_has_the_words_of_a_run_with_every_drafter(engine: Engine) -> None:
    wanted = run_text(engine, StartGeneration(1, OPENING, SAMPLING, GOAL))
    answered = written(engine, QUERY)
    assert (answered.text, answered.was_asked, answered.num_tokens) == (wanted, False, 40)
    assert not answered.is_cut  # a continuation has no end of its own
    assert written(engine, replace(QUERY, drafting=PLAIN)) == answered
    assert written(engine, replace(QUERY, sampling=replace(SAMPLING, seed=12))).text != wanted


def test_a_paused_run_keeps_its_cache(engine: Engine) -> None:
    story = "".join(SENTENCES)
    events = engine.run(StartGeneration(2, story, SAMPLING, Goal(tokens=30)))
    for event in events:
        if isinstance(event, StepCompleted):
            break
    assert engine._loaded is not None
    store = engine._loaded.target.store
    before = [part.clone() for part in store.snapshot()]
    written(engine, QUERY)
    assert all(torch.equal(a, b) for a, b in zip(before, store.snapshot(), strict=True))


def test_a_chat_model_is_asked_and_answers_from_its_first_word(engine: Engine, llama: Path) -> None:
    asked = Engine()
    asked.load(ModelConfig(str(llama), "float32", 8, threads=1))
    assert asked._loaded is not None
    asked._loaded = replace(asked._loaded, chat=TEMPLATE)
    answered = written(asked, QUERY)
    assert answered.was_asked
    assert answered.is_cut  # it would have gone on
    assert answered.num_tokens == 30
    assert answered.text != written(engine, QUERY).text
    other = written(asked, replace(QUERY, request="Expand it."))
    assert other.text != answered.text  # it reads the request


def test_a_request_that_leaves_no_room_for_an_answer_is_refused(llama: Path) -> None:
    asked = Engine()
    asked.load(ModelConfig(str(llama), "float32", 8, threads=1))
    assert asked._loaded is not None
    asked._loaded = replace(asked._loaded, chat=TEMPLATE)
    with pytest.raises(EnvironmentProblem, match="can't read so much at once"):
        list(asked.answer(replace(QUERY, request="".join(SENTENCES) * 4)))


def test_a_continuation_needs_a_story(engine: Engine) -> None:
    with pytest.raises(EnvironmentProblem, match="no text to continue"):
        list(engine.answer(replace(QUERY, prompt_text=" ")))


def test_a_run_that_has_to_pause_is_a_sentence() -> None:
    from quire_engine.api.messages import GenerationPaused, PauseReason

    def gone(command: StartCommand) -> Iterator[RunEvent]:
        yield GenerationPaused(command.run_id, 0, PauseReason.SERVER_GONE, "The server is gone.")

    with pytest.raises(EnvironmentProblem, match="server is gone"):
        list(written_text.write_text(gone, QUERY, can_ask=True))
