"""Learning while drafting: no token and no weight of the model changes, and a fault costs nothing."""

from __future__ import annotations

import errno
import threading
from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast

import pytest
import torch
from safetensors import safe_open

from quire_engine.api.config import DraftingConfig, Goal, ModelConfig, SamplingConfig
from quire_engine.api.messages import (
    DraftingTroubled,
    GenerationStarted,
    ResumeGeneration,
    StartGeneration,
    StepCompleted,
)
from quire_engine.api.queries import ChangeLearned, LearnedViewed, ViewLearned
from quire_engine.drafting import book_drafter, drafter_file, learned_file
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.drafting.feature_drafter import FeatureWeights
from quire_engine.engine import Engine
from quire_engine.models.loading import inspect_folder
from quire_engine.runtime import learned_drafters, online_learning, text_collector
from quire_engine.runtime.online_learning import OnlineLearner
from quire_engine.training import first_drafter
from quire_engine.training.feature_trainer import FeatureTrainer, LearningDiverged
from quire_engine.training.interruption import LearningInterrupted
from quire_engine.training.prepare_model import shape_of
from quire_engine.training.trainable_drafters import FeatureLearner
from tests.engine import tiny
from tests.engine.tiny import OPENING

PATIENCE_S = 100
SAMPLING = SamplingConfig(temperature=0.4, repetition_penalty=1.05, seed=9)
FORCED = DraftingConfig(method="tokenswift", drafters=("feature",), tree=(2, 1))
TOKENS = 160


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a sample be short, so that a short draft holds many."""
    monkeypatch.setattr(text_collector, "PIECE", 8)
    monkeypatch.setattr(text_collector, "SHARE", 1e9)  # however slow this machine is
    monkeypatch.setattr(online_learning, "_RATE", 3.0)
    monkeypatch.setattr(online_learning, "_MEASURED", 4)
    # on a machine that is busy with other things, a thread of the lowest priority would hardly ever run
    monkeypatch.setattr(online_learning, "_lower_priority", lambda: None)
    monkeypatch.setattr(online_learning, "_PASSES", 6)
    monkeypatch.setattr(online_learning, "_FIRST_PASSES", 4)


@pytest.fixture
def drafters(llama: Path, tmp_path: Path) -> Path:
    """A folder with a feature drafter that was never trained."""
    folder, model = inspect_folder(llama), cast("Any", tiny.build("llama"))
    torch.manual_seed(3)
    learner = FeatureLearner(shape_of(folder.config, 12))
    vocabulary = torch.arange(10, 300)
    head = model.get_output_embeddings().weight.detach()[vocabulary].to(torch.bfloat16)
    feature = FeatureWeights(learner.shape, learner.tensors(), vocabulary, head)
    drafter_file.save(TrainedDrafters(folder.fingerprint, None, feature), tmp_path / "drafters")
    return tmp_path / "drafters"


@dataclass
class Drafts:
    """One engine and a draft that is paused and continued on it."""

    engine: Engine
    drafting: DraftingConfig = FORCED
    prompt_ids: tuple[int, ...] = ()
    generated: tuple[int, ...] = ()
    troubles: tuple[str, ...] = ()

    @property
    def learner(self) -> OnlineLearner:
        """The learner of the loaded model."""
        loaded = self.engine._loaded
        assert loaded is not None
        assert loaded.learner is not None
        return loaded.learner

    def go_on(self, num_tokens: int) -> None:
        """Draft until the text has so many tokens, then pause."""
        goal = Goal(tokens=TOKENS)
        run = (
            ResumeGeneration(1, self.prompt_ids, self.generated, SAMPLING, goal, drafting=self.drafting)
            if self.generated
            else StartGeneration(1, OPENING, SAMPLING, goal, drafting=self.drafting)
        )
        for event in self.engine.run(run):
            if isinstance(event, GenerationStarted):
                self.prompt_ids = event.prompt_ids
            elif isinstance(event, DraftingTroubled):
                self.troubles += (event.message,)
            elif isinstance(event, StepCompleted):
                self.generated += event.token_ids
                if len(self.generated) >= num_tokens:
                    break

    @property
    def notice(self) -> str:
        """What was said when the model was loaded."""
        assert self.engine._loaded is not None
        return self.engine._loaded.description.notice

    def viewed(self) -> LearnedViewed:
        """What the engine says of it."""
        (reply,) = self.engine.answer(ViewLearned())
        assert isinstance(reply, LearnedViewed)
        return reply

    def changed(self, change: Literal["undo", "remove"]) -> LearnedViewed:
        """What is left after a change."""
        (reply,) = self.engine.answer(ChangeLearned(change))
        assert isinstance(reply, LearnedViewed)
        return reply

    def settle(self) -> None:
        """Wait until everything that was collected is learnt."""
        learner = self.learner
        with learner._condition:
            assert learner._condition.wait_for(
                lambda: not learner._has_work() and not learner._is_working, PATIENCE_S
            )


def drafts(llama: Path, drafters: Path, *, learning: bool = True) -> Drafts:
    """Return an engine with the tiny Llama that learns, or does not."""
    engine = Engine()
    engine.load(
        ModelConfig(
            str(llama),
            "float32",
            8,
            threads=1,
            drafters_folder=str(drafters),
            learning_folder=str(drafters),
            learns=learning,
        )
    )
    return Drafts(engine)


@pytest.fixture
def plain_text(llama: Path, drafters: Path) -> tuple[int, ...]:
    """What the model writes without learning."""
    one = drafts(llama, drafters, learning=False)
    one.go_on(TOKENS)
    return one.generated


@pytest.mark.parametrize("how", ["settled", "meanwhile", "killed"])
def test_learning_changes_no_token(
    llama: Path, drafters: Path, plain_text: tuple[int, ...], how: str
) -> None:
    """Paused every 40 tokens: until everything is learnt, for a moment, and with the learner closed."""
    one = drafts(llama, drafters)
    weights = [each.clone() for each in tensors_of(one)]
    for end in range(40, TOKENS + 1, 40):
        one.go_on(end)
        if how == "settled":
            one.settle()
        elif how == "killed" and end == 80:
            one.learner.close()
    one.go_on(TOKENS)
    assert one.generated == plain_text
    assert one.troubles == ()
    for now, was in zip(tensors_of(one), weights, strict=True):
        assert torch.equal(now, was)
    one.engine.unload()


def tensors_of(one: Drafts) -> list[torch.Tensor]:
    """Return the model's weights, as far as its network holds them as tensors."""
    loaded = one.engine._loaded
    assert loaded is not None
    network = loaded.target.network
    found = [each for each in vars(network).values() if isinstance(each, torch.Tensor)]
    found += [
        each for layer in getattr(network, "_layers", []) for each in vars(layer).values()
        if isinstance(each, torch.Tensor)
    ]  # fmt: skip
    assert found
    ids = torch.arange(100, device=network.device)
    with torch.inference_mode():
        return [*found, network.logits(network.embed(ids))]


def test_what_is_learnt_is_kept_and_joins_the_next_run(llama: Path, drafters: Path) -> None:
    one = drafts(llama, drafters)
    loaded = one.engine._loaded
    assert loaded is not None
    was = loaded.trained
    prepared = (drafters / drafter_file.FILE_NAME).read_bytes()
    one.go_on(TOKENS - 1)
    one.settle()
    about = one.viewed()
    assert about.now > about.before
    assert (about.state, about.version, about.has_before) == ("done", 1, False)
    one.go_on(TOKENS)
    assert one.engine._loaded is not None
    assert one.engine._loaded.trained is not was
    one.engine.unload()
    assert (drafters / drafter_file.FILE_NAME).read_bytes() == prepared
    again = drafts(llama, drafters, learning=False)
    assert (again.viewed().state, again.viewed().version, again.viewed().now) == ("off", 1, about.now)
    again.engine.unload()
    file = drafters / learned_file.FILE_NAME
    file.write_bytes(file.read_bytes()[:-100])
    damaged = drafts(llama, drafters)
    assert "learned while drafting is not used" in damaged.notice
    assert damaged.viewed().version == 0
    assert damaged.changed("remove").version == 0
    assert [each.name for each in drafters.iterdir()] == [drafter_file.FILE_NAME]
    damaged.engine.unload()


def test_learning_stops_and_starts_without_another_load(
    llama: Path, drafters: Path, plain_text: tuple[int, ...]
) -> None:
    one = drafts(llama, drafters)
    config, loaded, learner = one.engine._config, one.engine._loaded, one.learner
    assert config is not None
    assert loaded is not None
    one.go_on(TOKENS // 2)
    one.settle()
    about = one.viewed()
    one.engine.load(replace(config, learns=False))
    learner.join(PATIENCE_S)
    assert not learner._thread.is_alive()
    off = one.viewed()
    assert (off.state, off.version, off.now, off.is_used) == ("off", about.version, about.now, True)
    one.go_on(TOKENS // 2 + 20)
    (on,) = one.engine.answer(ChangeLearned("start"))
    assert isinstance(on, LearnedViewed)
    assert (on.state, on.version, one.engine._config) == ("empty", about.version, config)
    one.go_on(TOKENS)
    assert one.viewed().state != "empty"
    (off,) = cast("tuple[LearnedViewed]", tuple(one.engine.answer(ChangeLearned("stop"))))
    assert off.state == "off"
    now = one.engine._loaded
    assert now is not None
    assert now.target is loaded.target
    assert one.generated == plain_text
    one.engine.unload()


def test_going_back_to_a_version_that_cannot_be_used_is_said(llama: Path, drafters: Path) -> None:
    for name in (learned_file.FILE_NAME, learned_file.BEFORE_NAME):
        (drafters / name).write_bytes(b"damaged")
    one = drafts(llama, drafters)
    assert (one.viewed().version, one.viewed().has_any_file) == (0, True)
    said = one.notice
    left = one.changed("undo")
    assert (left.version, left.has_before, left.has_any_file) == (0, False, True)
    assert one.notice == said
    assert "learned while drafting is not used" in said
    assert not one.changed("remove").has_any_file
    one.engine.unload()


def test_nothing_is_learnt_while_a_run_goes(
    llama: Path, drafters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = drafts(llama, drafters)
    running: list[int] = []
    was = FeatureTrainer.step

    def step(trainer: FeatureTrainer, samples: object, factor: float = 1.0, **how: Any) -> float:
        running.append(one.learner._num_commands)
        return was(trainer, samples, factor, **how)  # type: ignore[arg-type]  # whatever it was given

    monkeypatch.setattr(FeatureTrainer, "step", step)
    one.go_on(TOKENS)
    one.settle()
    assert running
    # a run that starts in the middle of a step does not wait for it; here none did
    assert set(running) == {0}
    one.engine.unload()


@pytest.mark.parametrize("fault", ["loss", "bug", "disk"])
def test_a_fault_in_learning_is_said_and_costs_no_word(
    llama: Path,
    drafters: Path,
    plain_text: tuple[int, ...],
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
) -> None:
    def fail(*_: object, **_named: object) -> float:
        if fault == "disk":
            raise OSError(errno.ENOSPC, "No space left on device")
        raise LearningDiverged("nan") if fault == "loss" else ZeroDivisionError("a bug")

    if fault == "disk":
        monkeypatch.setattr(learned_file.LearnedVersions, "save", fail)
    else:
        monkeypatch.setattr(FeatureTrainer, "step", fail)
    before = (drafters / drafter_file.FILE_NAME).read_bytes()
    one = drafts(llama, drafters)
    one.go_on(TOKENS - 10)
    one.settle()
    one.go_on(TOKENS)
    said = {"loss": "went astray", "bug": "a bug", "disk": "No space left"}[fault]
    assert one.troubles
    assert said in one.troubles[0]
    assert one.generated == plain_text
    assert (drafters / drafter_file.FILE_NAME).read_bytes() == before
    one.engine.unload()


def test_what_is_held_is_bounded(llama: Path, drafters: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = drafts(llama, drafters)
    monkeypatch.setattr(one.learner, "_learned", deque(maxlen=4))
    one.go_on(TOKENS)
    assert len(one.learner._learned) <= 4
    one.engine.unload()


def test_a_model_that_nobody_prepared_begins_with_its_own_weights_and_joins_when_it_pays(
    llama: Path, tmp_path: Path, plain_text: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(online_learning, "_BETTER", 0.0)
    monkeypatch.setattr(online_learning, "WORTH_JOINING", 100.0)
    read = list[Path]()

    def open_file(file: Path, **named: Any) -> Any:
        read.append(file)
        return safe_open(file, **named)

    depths, was = list[int](), FeatureTrainer.step

    def step(trainer: FeatureTrainer, samples: Any, factor: float = 1.0, **how: Any) -> float:
        depths.append(how["depths"])
        return was(trainer, samples, factor, **how)

    monkeypatch.setattr(FeatureTrainer, "step", step)
    monkeypatch.setattr(first_drafter, "safe_open", open_file)
    one = drafts(llama, tmp_path / "nothing")
    one.drafting = DraftingConfig("tokenswift")
    one.go_on(TOKENS - 10)
    one.settle()
    learned, num_steps = one.viewed().num_tokens, len(depths)
    one.go_on(TOKENS)
    assert (one.viewed().version, one.viewed().is_used) == (1, False)
    # from so little text it learns often, and one token ahead
    assert num_steps == learned / text_collector.PIECE * 4 / 2
    assert set(depths) == {1}
    assert read == list(inspect_folder(llama).weights)  # once: a large model's take minutes to read
    assert one.generated == plain_text
    assert one.troubles == ()
    one.engine.unload()
    monkeypatch.setattr(learned_drafters, "WORTH_JOINING", 0.0)
    again = drafts(llama, tmp_path / "nothing")
    assert again.viewed().is_used
    again.engine.unload()


def test_a_drafter_that_would_take_too_much_memory_does_not_learn(
    llama: Path, drafters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(online_learning, "_MOST_WEIGHTS", 1000)
    one = drafts(llama, drafters)
    assert one.engine._loaded is not None
    assert one.engine._loaded.trained is not None
    assert one.engine._loaded.learner is None


def test_a_command_interrupts_what_is_learnt_and_it_goes_on_later(
    llama: Path, drafters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that begins in the middle of a step ends it at its next operation, and the step is made again."""
    one = drafts(llama, drafters)
    begun, go_on = threading.Event(), threading.Event()
    was, ended = FeatureTrainer.step, []

    def step(trainer: FeatureTrainer, samples: Any, factor: float = 1.0, **how: Any) -> float:
        begun.set()
        assert go_on.wait(PATIENCE_S)
        try:
            loss = was(trainer, samples, factor, **how)
        except LearningInterrupted:
            ended.append("interrupted")
            raise
        ended.append("made")
        return loss

    monkeypatch.setattr(FeatureTrainer, "step", step)
    one.go_on(TOKENS - 20)
    assert begun.wait(PATIENCE_S)
    left = one.learner._steps_left
    with one.learner.waiting():
        go_on.set()
        one.learner.settle()
        assert (ended, one.learner._steps_left) == (["interrupted"], left)
    one.settle()
    assert set(ended[1:]) == {"made"}
    one.engine.unload()


def test_the_engine_waits_for_nothing_that_is_copied_or_packed(
    llama: Path, drafters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(online_learning, "_BETTER", 0.0)
    one = drafts(llama, drafters)
    lock = cast("Any", one.learner._condition)
    held = dict[str, set[bool]]()

    def watch(module: Any, name: str) -> None:
        was = getattr(module, name)

        def look(*given: Any) -> Any:
            held.setdefault(name, set()).add(lock._is_owned())
            return was(*given)

        monkeypatch.setattr(module, name, look)

    watch(online_learning, "_copied")
    watch(book_drafter, "packed")
    one.go_on(TOKENS - 10)
    one.settle()
    about, data = one.learner.pop_packed()
    assert (about.version, held) == (1, {"_copied": {False}, "packed": {False}})
    assert data
    one.engine.unload()
