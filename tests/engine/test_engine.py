"""Whole runs of the real engine on tiny models."""

from __future__ import annotations

import queue
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from quire_engine.api.config import Dtype, Goal, ModelConfig, SamplingConfig
from quire_engine.api.errors import EngineBug, EnvironmentProblem
from quire_engine.api.messages import (
    Event,
    FinishReason,
    GenerationFailed,
    GenerationFinished,
    GenerationPaused,
    GenerationStarted,
    LoadModel,
    LoadProgressed,
    ModelLoaded,
    ModelLoadFailed,
    PauseGeneration,
    ReadingProgressed,
    ResumeGeneration,
    StartGeneration,
    StepCompleted,
)
from quire_engine.engine import Engine
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.metrics.word_count import WordCounter
from quire_engine.runtime.engine_thread import EngineWorker, RunEvent, StartCommand
from tests.engine.tiny import CONTEXT, FAMILIES, OPENING, SENTENCES, VOCAB_SIZE, edit_config

PATIENCE_S = 100
SAMPLING = SamplingConfig(seed=4)


def config_of(folder: Path, dtype: Dtype = "float32", width: int = 8) -> ModelConfig:
    return ModelConfig(str(folder), dtype, width, threads=1)


def loaded(folder: Path, dtype: Dtype = "float32") -> Engine:
    engine = Engine()
    engine.load(config_of(folder, dtype))
    return engine


@pytest.fixture(scope="module")
def engine(llama: Path) -> Engine:
    """An engine with the tiny Llama in float32."""
    return loaded(llama)


def start(goal: Goal, text: str = OPENING, *, read_tail: bool = False) -> StartGeneration:
    return StartGeneration(1, text, SAMPLING, goal, read_tail)


def resume(begun: StartGeneration, events: list[RunEvent], num_tokens: int) -> ResumeGeneration:
    """Return the command that continues a run after so many of its tokens."""
    return ResumeGeneration(1, prompt_of(events), tokens_of(events)[:num_tokens], begun.sampling, begun.goal)


def prompt_of(events: list[RunEvent]) -> tuple[int, ...]:
    first = events[0]
    assert isinstance(first, GenerationStarted)
    return first.prompt_ids


def steps_of(events: list[RunEvent]) -> list[StepCompleted]:
    return [event for event in events if isinstance(event, StepCompleted)]


def tokens_of(events: list[RunEvent]) -> tuple[int, ...]:
    return tuple(token for step in steps_of(events) for token in step.token_ids)


def text_of(events: list[RunEvent]) -> str:
    return "".join(step.text for step in steps_of(events))


# ---------------------------------------------------------------- loading
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_loaded_model_is_described(folders: dict[str, Path], family: str, dtype: Dtype) -> None:
    described = Engine().load(config_of(folders[family], dtype, width=4))
    identity = described.identity
    assert (identity.name, identity.dtype, identity.width) == (family, dtype, 4)
    assert len(identity.fingerprint) == 64
    assert "torch" in identity.software
    assert described.context_length == CONTEXT
    assert 50_000 < described.num_parameters < 300_000
    assert described.reproducible


def test_loading_the_same_model_again_keeps_it(llama: Path) -> None:
    engine = Engine()
    first = engine.load(config_of(llama))
    assert engine.load(config_of(llama)) is first
    assert engine.load(config_of(llama, width=4)).identity.width == 4


def test_a_model_that_does_not_load_leaves_none(llama: Path, tmp_path: Path) -> None:
    engine = loaded(llama)
    with pytest.raises(EnvironmentProblem):
        engine.load(config_of(tmp_path))
    with pytest.raises(EngineBug):
        list(engine.run(start(Goal(tokens=1))))


def test_an_unloaded_model_does_not_write(llama: Path) -> None:
    engine = loaded(llama)
    engine.unload()
    with pytest.raises(EngineBug):
        list(engine.run(start(Goal(tokens=1))))


def test_a_model_whose_arithmetic_fails_the_self_test_is_rejected(own_llama: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="doesn't compute the model"):
        Engine().load(
            config_of(edit_config(own_llama, rope_parameters={"rope_type": "default", "rope_theta": 1e-99}))
        )


def test_importing_the_engine_imports_no_torch() -> None:
    """The window is there before torch is."""
    check = (
        "import sys, quire_engine.engine, quire_engine.runtime.engine_thread\n"
        "import quire_engine.api.messages, quire_engine.__main__\n"
        "heavy = {'torch', 'transformers', 'tokenizers', 'numpy'} & set(sys.modules)\n"
        "print(*sorted(heavy))"
    )
    done = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, env={"PYTHONPATH": ":".join(sys.path)}
    )
    assert (done.stdout, done.stderr, done.returncode) == ("\n", "", 0)


# ---------------------------------------------------------------- a run
def test_a_run_says_what_it_read_and_wrote(engine: Engine, tokenizer: Tokenizer) -> None:
    engine.forget()
    events = list(engine.run(start(Goal(tokens=40))))
    ids = tuple(tokenizer.encode(OPENING).ids)
    assert events[0] == GenerationStarted(1, ids, 0, origins=(0, len(ids), 0))
    reading = [event for event in events if isinstance(event, ReadingProgressed)]
    assert [(event.num_read, event.num_total) for event in reading][-1] == (len(prompt_of(events)) - 1,) * 2
    assert events[1 : 1 + len(reading)] == reading
    steps = steps_of(events)
    assert len(steps) == 40
    assert all((step.run_id, step.draft_depth, step.num_accepted) == (1, 0, 0) for step in steps)
    assert all(step.step_ms > 0 and step.margin >= 0 for step in steps)
    assert events[-1] == GenerationFinished(1, 40, FinishReason.GOAL)
    words = WordCounter()
    for step in steps:
        words.add(step.text)
        assert step.num_words == words.num_words
    assert len(set(tokens_of(events))) > 10


def test_the_text_of_a_run_is_the_text_of_its_tokens(engine: Engine, tokenizer: Tokenizer) -> None:
    """A random model writes bytes that are no text too; what is held back is at most one character."""
    events = list(engine.run(start(Goal(tokens=60))))
    whole = tokenizer.decode([*prompt_of(events), *tokens_of(events)], skip_special_tokens=False)
    written = whole.removeprefix(OPENING)
    assert len(written) - 8 <= len(text_of(events)) <= len(written)
    assert written.startswith(text_of(events)[:20].rstrip("\ufffd"))


def test_the_first_token_reads_as_it_does_behind_the_prompt(own_llama: Path) -> None:
    """Many tokenizers drop the space in front of a text's first word; a run begins in the middle of one."""
    words = {f"▁w{number}": number for number in range(VOCAB_SIZE)}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="▁w0"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.save(str(own_llama / "tokenizer.json"))
    events = list(loaded(own_llama).run(start(Goal(tokens=4), "w7 w8 w9")))
    assert text_of(events) == "".join(f" w{token}" for token in tokens_of(events))


def test_marks_and_unused_rows_are_never_written(engine: Engine, tokenizer: Tokenizer) -> None:
    written = set(tokens_of(list(engine.run(start(Goal(tokens=100))))))
    assert 0 not in written
    assert max(written) < tokenizer.get_vocab_size() < VOCAB_SIZE


def test_a_goal_in_words_ends_at_a_sentence_or_its_slack(engine: Engine) -> None:
    events = list(engine.run(start(Goal(words=8, sentence_slack=3))))
    last = steps_of(events)[-1]
    assert events[-1] == GenerationFinished(1, len(tokens_of(events)), FinishReason.GOAL)
    assert 8 <= last.num_words <= 11
    assert all(step.num_words < 11 for step in steps_of(events)[:-1])


def test_the_same_seed_writes_the_same_text_and_another_one_another(engine: Engine) -> None:
    command = start(Goal(tokens=20))
    first, again = list(engine.run(command)), list(engine.run(command))
    other = list(engine.run(replace(command, sampling=replace(SAMPLING, seed=5))))
    assert tokens_of(first) == tokens_of(again)
    assert text_of(first) == text_of(again)
    assert tokens_of(first) != tokens_of(other)


def test_a_run_left_in_the_middle_does_not_show_in_the_next_one(engine: Engine) -> None:
    command = start(Goal(tokens=15))
    wanted = tokens_of(list(engine.run(command)))
    left = engine.run(start(Goal(tokens=50), OPENING[:100]))
    for _ in range(9):
        next(left)
    assert tokens_of(list(engine.run(command))) == wanted


@pytest.mark.parametrize("method", ["prefill", "decode"])
@pytest.mark.parametrize(
    "error", [MemoryError(), RuntimeError("DefaultCPUAllocator: can't allocate memory: 3 GB")], ids=repr
)
def test_memory_that_runs_out_is_a_problem_and_no_bug(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, method: str, error: Exception
) -> None:
    def fail(*_: object) -> None:
        raise error

    engine.forget()
    monkeypatch.setattr(PassRunner, method, fail)
    with pytest.raises(EnvironmentProblem, match="memory"):
        list(engine.run(start(Goal(tokens=1))))


def test_any_other_fault_of_a_pass_stays_a_bug(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("The size of tensor a (3) must match the size of tensor b (4)")

    engine.forget()
    monkeypatch.setattr(PassRunner, "decode", fail)
    with pytest.raises(RuntimeError, match="tensor a"):
        list(engine.run(start(Goal(tokens=1))))


# ---------------------------------------------------------------- resume
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("num_before", [0, 1, 13, 29])
def test_a_resumed_run_writes_the_rest_of_the_text(llama: Path, dtype: Dtype, num_before: int) -> None:
    engine, command = loaded(llama, dtype), start(Goal(tokens=30))
    whole = list(engine.run(command))
    engine.forget()
    rest = list(engine.run(resume(command, whole, num_before)))
    assert rest[0] == GenerationStarted(1, prompt_of(whole), 0)
    assert tokens_of(rest) == tokens_of(whole)[num_before:]
    assert [step.text for step in steps_of(rest)] == [step.text for step in steps_of(whole)[num_before:]]
    assert [step.num_words for step in steps_of(rest)] == [s.num_words for s in steps_of(whole)[num_before:]]
    assert rest[-1] == GenerationFinished(1, 30, FinishReason.GOAL)


def test_a_run_longer_than_the_context_rolls_over_and_resumes_the_same(llama: Path) -> None:
    engine, command = loaded(llama, "bfloat16"), start(Goal(tokens=460))
    whole = list(engine.run(command))
    first_step = next(place for place, event in enumerate(whole) if isinstance(event, StepCompleted))
    later = [event for event in whole[first_step:] if isinstance(event, ReadingProgressed)]
    assert later[-1] == ReadingProgressed(1, CONTEXT // 2, CONTEXT // 2)
    engine.forget()
    assert tokens_of(list(engine.run(resume(command, whole, 440)))) == tokens_of(whole)[440:]


def test_a_finished_run_that_is_resumed_ends_at_once(engine: Engine) -> None:
    command = start(Goal(tokens=5))
    whole = list(engine.run(command))
    again = list(engine.run(resume(command, whole, 5)))
    assert again == [GenerationStarted(1, prompt_of(whole), 0), GenerationFinished(1, 5, FinishReason.GOAL)]


def test_a_finished_run_with_a_farther_goal_continues(engine: Engine) -> None:
    far = start(Goal(tokens=12))
    whole = list(engine.run(far))
    near = list(engine.run(replace(far, goal=Goal(tokens=5))))
    rest = list(engine.run(replace(resume(far, near, 5), goal=far.goal)))
    assert tokens_of(near) + tokens_of(rest) == tokens_of(whole)


# ---------------------------------------------------------------- prompts
@pytest.mark.parametrize("text", ["", " ", "\n\n\t"])
def test_a_blank_text_is_rejected(engine: Engine, text: str) -> None:
    with pytest.raises(EnvironmentProblem, match="no text"):
        list(engine.run(start(Goal(tokens=1), text)))


def long_text(tokenizer: Tokenizer, num_tokens: int) -> str:
    """Return whole sentences of about so many tokens, never fewer."""
    text, number = "", 0
    while len(tokenizer.encode(text).ids) < num_tokens:
        text += SENTENCES[number % len(SENTENCES)]
        number += 1
    return text


def test_a_text_that_is_too_long_is_rejected_with_the_numbers(engine: Engine, tokenizer: Tokenizer) -> None:
    text = long_text(tokenizer, CONTEXT + 1)
    with pytest.raises(EnvironmentProblem, match=f"{len(tokenizer.encode(text).ids):,} tokens.*{CONTEXT}"):
        list(engine.run(start(Goal(tokens=1), text)))


def test_of_a_text_that_is_too_long_the_newest_part_is_read_where_wanted(
    engine: Engine, tokenizer: Tokenizer
) -> None:
    text = long_text(tokenizer, CONTEXT + 1)
    events = list(engine.run(start(Goal(tokens=3), text, read_tail=True)))
    started = events[0]
    assert isinstance(started, GenerationStarted)
    assert CONTEXT // 4 < len(started.prompt_ids) <= CONTEXT // 2
    assert started.num_left_out == len(tokenizer.encode(text).ids) - len(started.prompt_ids)
    assert text.endswith(tokenizer.decode(list(started.prompt_ids)))
    assert len(tokens_of(events)) == 3


def test_a_text_that_the_model_can_hold_is_read_whole_in_any_case(
    engine: Engine, tokenizer: Tokenizer
) -> None:
    """Leaving text out is for texts that are too long (StartGeneration.read_tail)."""
    text = long_text(tokenizer, CONTEXT * 3 // 5)
    ids = tuple(tokenizer.encode(text).ids)
    assert CONTEXT // 2 < len(ids) < CONTEXT
    for read_tail in (False, True):
        engine.forget()
        events = list(engine.run(start(Goal(tokens=1), text, read_tail=read_tail)))
        assert events[0] == GenerationStarted(1, ids, 0, origins=(0, len(ids), 0))


def test_a_text_that_the_tokenizer_cannot_read_at_all_is_a_problem(own_llama: Path) -> None:
    (own_llama / "tokenizer.json").write_text(
        '{"version": "1.0", "added_tokens": [], "model": {"type": "BPE", "vocab": {"a": 1}, "merges": []}}',
        encoding="utf-8",
    )
    with pytest.raises(EnvironmentProblem):
        list(loaded(own_llama).run(start(Goal(tokens=1), "zzz")))


# ---------------------------------------------------------------- on the worker's thread
class Desk:
    """The real engine on its thread."""

    def __init__(self) -> None:
        self.events: queue.Queue[Event] = queue.Queue()
        self.worker = EngineWorker(Engine(), self.events.put)
        self.worker.start()

    def load(self, folder: Path) -> Event:
        self.worker.send(LoadModel(config_of(folder)))
        while isinstance(event := self.events.get(timeout=PATIENCE_S), LoadProgressed):
            pass
        return event

    def run(self, command: StartCommand, *, pause: bool = False) -> list[Event]:
        """Send a run, and where wanted its pause right behind; return its events."""
        self.worker.send(command)
        if pause:
            self.worker.send(PauseGeneration(command.run_id))
        events = [self.events.get(timeout=PATIENCE_S)]
        while not isinstance(events[-1], GenerationFinished | GenerationPaused | GenerationFailed):
            events.append(self.events.get(timeout=PATIENCE_S))
        return events


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    assert desk.worker.close(PATIENCE_S)


def test_a_run_paused_at_once_and_resumed_writes_the_uninterrupted_text(
    desk: Desk, llama: Path, engine: Engine
) -> None:
    command = start(Goal(tokens=25))
    whole = list(engine.run(command))
    assert isinstance(desk.load(llama), ModelLoaded)
    events = desk.run(command, pause=True)
    written: tuple[int, ...] = ()
    while not isinstance(events[-1], GenerationFinished):
        written += tuple(t for event in events if isinstance(event, StepCompleted) for t in event.token_ids)
        assert events[-1] == GenerationPaused(1, len(written))
        events = desk.run(ResumeGeneration(1, prompt_of(whole), written, SAMPLING, command.goal), pause=False)
    rest = tuple(t for event in events if isinstance(event, StepCompleted) for t in event.token_ids)
    assert written + rest == tokens_of(whole)


def test_problems_and_bugs_arrive_as_events(desk: Desk, llama: Path, tmp_path: Path) -> None:
    failed = desk.run(start(Goal(tokens=1)))[-1]
    assert isinstance(failed, GenerationFailed)
    assert failed.is_bug  # the app may not start a run before a model is loaded
    not_loaded = desk.load(tmp_path)
    assert isinstance(not_loaded, ModelLoadFailed)
    assert not not_loaded.is_bug
    assert "config.json" in not_loaded.message
    assert isinstance(desk.load(llama), ModelLoaded)
    refused = desk.run(start(Goal(tokens=1), " "))[-1]
    assert isinstance(refused, GenerationFailed)
    assert not refused.is_bug
    assert isinstance(desk.run(start(Goal(tokens=2)))[-1], GenerationFinished)


def test_closing_in_the_middle_of_a_run_ends_it_where_it_can_continue(desk: Desk, llama: Path) -> None:
    desk.load(llama)
    desk.worker.send(start(Goal(tokens=100_000)))
    event = desk.events.get(timeout=PATIENCE_S)
    while not isinstance(event, StepCompleted):
        event = desk.events.get(timeout=PATIENCE_S)
    assert desk.worker.close(PATIENCE_S)
    num_tokens = 1
    while isinstance(event := desk.events.get_nowait(), StepCompleted | ReadingProgressed):
        num_tokens += isinstance(event, StepCompleted)
    assert event == GenerationPaused(1, num_tokens)
