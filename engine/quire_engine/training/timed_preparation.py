"""Train a model's feature drafter for some minutes: `prepare MODEL --text FILE... --minutes 5`.

The time is cut into rounds that end after 2, 5, 20, 60 ... minutes. In each the model writes for a while, the
drafter learns from all that was written so far, and is measured on pieces set aside; where it is better than
what was there, it is written at once. Stop it at any time; the same command goes on. How much is written and
learnt follows from the speed of this computer, which the first seconds show.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from quire_engine.api.atomic_file import replace_file, replacing
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.trained_drafters import PROGRESS
from quire_engine.catalog.weight_shapes import head_size, num_key_value_heads
from quire_engine.drafting import drafter_file
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.models import loading
from quire_engine.models.model_folder import ModelFolder
from quire_engine.training.draft_samples import (
    OPENING,
    PIECE_LENGTH,
    DraftSample,
    OwnTextWriter,
    load_samples,
    save_samples,
)
from quire_engine.training.drafter_evaluation import expected_tokens
from quire_engine.training.drafter_trainer import usual_ids
from quire_engine.training.feature_trainer import FeatureTrainer, LearningDiverged, measure_draft
from quire_engine.training.hidden_states import FrozenTarget, Tokens
from quire_engine.training.prepare_model import WORK_FOLDER, ids_to_guess, shape_of
from quire_engine.training.timed_plan import Stage, TimedAdvance, TimedPlan, TimedResult, round_ends
from quire_engine.training.trainable_drafters import FeatureLearner, last_layer
from quire_engine.training.training_plan import warm_up

_WRITING, _MEASURING = 0.45, 0.06  # shares of a round; learning takes the rest
_HELD_OUT = 0.05  # share of the text whose continuations are only measured
_SET_ASIDE = 8  # one piece in so many is only measured
_MOST_MEASURED = 12
_MOST_ROWS = 32
_CACHE_BYTES = 1 << 29  # of keys and values of what is written at once
_SAMPLE_BYTES = 1 << 29  # of what is kept to learn from
_LEAST_WRITTEN, _LEAST_STEPS = 16, 8  # tokens of a piece and steps of a round, however slow the computer is
_BATCH, _LENGTH = 4, 128
_WARM_UP = 12  # steps at the start of each round
_FLOOR = 0.05  # of the learning rate at the end of a round
_SAVE_SECONDS = 60.0


@dataclass(slots=True)
class _Progress:
    """Where an interrupted preparation is; stored beside what it learnt.

    minutes: of the plan, for whoever wants to go on with it.
    """

    minutes: float
    seconds: float = 0.0
    round: int = 0
    round_started: float = 0.0
    num_batches: int = 0


class TimedPreparation:
    """One preparation. What it learnt is in a folder of unfinished work until its time is over.

    Args:
        folder: the model.
        text: token ids that the model goes on from.
        out: where the drafters' file lies or will lie.
        plan: how long.
        on_advance: told of every token and step; an exception from it (KeyboardInterrupt too) stops the
            preparation, which keeps what it has.
        clock: seconds.
    """

    def __init__(
        self,
        folder: ModelFolder,
        text: Tokens,
        out: Path,
        plan: TimedPlan,
        on_advance: Callable[[TimedAdvance], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock, self._last_time = clock, clock()
        self._last_saved = self._last_time
        self._folder, self._out, self._plan, self._on_advance = folder, out, plan, on_advance
        self._texts = _split(text)
        self._work = _work_folder(folder, text, out, plan)
        self._previous = _found(self._work, folder)
        self._progress = _Progress(plan.minutes)
        self._stopped: BaseException | None = None
        self._learned: list[DraftSample] = []
        self._measured: list[DraftSample] = []
        device = loading.choose_device(plan.device)
        model = loading.build_model(folder, loading.choose_dtype("auto", device), device)
        self._target = FrozenTarget(model)
        barred = loading.special_token_ids(loading.load_tokenizer(folder), self._target.vocab_size)
        self._writer = OwnTextWriter(self._target, plan.sampling, barred)
        self._trainer = _trainer(self._target, folder, text, barred, plan, self._previous)
        self._token_s = self._time_of_a_token(text)
        self._restore()
        self._save()

    def run(self) -> TimedResult:
        """Learn until the time is over; the folder of unfinished work is removed then.

        Raises LearningDiverged, and what `on_advance` raises.
        """
        ends = [60 * end for end in round_ends(self._plan.minutes - self._plan.reserved)]
        before = after = 1.0
        try:
            while self._progress.round < len(ends):
                before, after = self._round(ends[self._progress.round])
                self._progress.round += 1
                self._progress.round_started = self._seconds()
                self._check_stop()
        except LearningDiverged:
            shutil.rmtree(self._work, ignore_errors=True)
            raise
        except BaseException:
            self._save()
            raise
        shutil.rmtree(self._work, ignore_errors=True)
        return TimedResult(before, after, _found(self._out, self._folder), self._previous)

    def _round(self, end: float) -> tuple[float, float]:
        """Write, learn and measure until a time; return tokens per pass at the very start and now."""
        length = end - self._progress.round_started
        self._write_until(end - (1 - _WRITING) * length)
        self._learn_until(end - _MEASURING * length)
        return self._measure()

    # ------------------------------------------------------------ time and stops
    def _seconds(self) -> float:
        now = self._clock()
        self._progress.seconds += now - self._last_time
        self._last_time = now
        return self._progress.seconds

    def _tell(self, stage: Stage, done: int, loss: float | None = None) -> bool:
        """Report; False when it is to stop, which `_check_stop` raises once everything is in order."""
        try:
            self._on_advance(TimedAdvance(stage, done, self._seconds(), 60 * self._plan.minutes, loss))
        except BaseException as stopped:  # noqa: BLE001  raised again by `_check_stop`
            self._stopped = stopped
        return self._stopped is None

    def _check_stop(self) -> None:
        if self._stopped is not None:
            raise self._stopped

    # ------------------------------------------------------------ writing
    def _time_of_a_token(self, text: Tokens) -> float:
        """Return about how many seconds a token takes when many pieces are written at once."""
        ids = torch.from_numpy(text[None, :OPENING].astype(np.int64)).to(self._target.device)
        started = self._clock()
        self._target.hidden(ids)
        return 2 * (self._clock() - started) / OPENING

    def _write_until(self, end: float) -> None:
        """Let the model write; at least once if there is nothing to learn from or to measure with."""
        done = 0
        while not (self._learned and self._measured) or self._has_time_and_room(end):
            batch, base = self._progress.num_batches, done
            contexts, num_measured = self._contexts(batch, self._rows(end - self._seconds()))
            least = len(contexts) * (OPENING + _LEAST_WRITTEN)

            def go_on(tokens: int, base: int = base, least: int = least) -> bool:
                return self._tell("own text", base + tokens) and (tokens < least or self._seconds() < end)

            started = self._seconds()
            seed = self._plan.sampling.seed % (1 << 20) + (batch << 20)
            samples = self._writer.write(contexts, seed, go_on)
            if samples:
                done += sum(map(len, samples))
                self._token_s = max(1e-6, (self._seconds() - started) / sum(map(len, samples)))
                self._keep(samples[num_measured:], samples[:num_measured])
            self._check_stop()

    def _has_time_and_room(self, end: float) -> bool:
        size = sum(each.hidden.nbytes + each.kept.nbytes + each.shares.nbytes for each in self._learned)
        soonest = 2 * (OPENING + _LEAST_WRITTEN) * self._token_s
        return size < _SAMPLE_BYTES and self._seconds() + soonest < end

    def _rows(self, seconds: float) -> int:
        """Return how many pieces can be written at once in this time, within what memory allows."""
        config: Any = self._folder.config
        keys = 2 * num_key_value_heads(config) * head_size(config) * int(config.num_hidden_layers)
        fitting = _CACHE_BYTES // (keys * PIECE_LENGTH * self._target.head.dtype.itemsize)
        timely = int(seconds / (PIECE_LENGTH * self._token_s))
        return max(2, min(_MOST_ROWS, fitting, timely))

    def _contexts(self, batch: int, rows: int) -> tuple[list[Tokens], int]:
        """Return texts to go on from, and how many of them, the first ones, are to be measured with."""
        wanted = _MOST_MEASURED - len(self._measured)
        num_measured = max(0, min(wanted, max(1, rows // _SET_ASIDE)))
        random = np.random.default_rng((self._plan.seed, batch))
        contexts: list[Tokens] = []
        for row in range(rows):
            text = self._texts[1 if row < num_measured else 0]
            end = int(random.integers(OPENING, len(text) + 1))
            contexts.append(text[max(0, end - OPENING - self._plan.sampling.penalty_window) : end])
        return contexts, num_measured

    def _keep(self, learned: Sequence[DraftSample], measured: Sequence[DraftSample]) -> None:
        self._learned += learned
        self._measured += measured
        save_samples(self._work / f"samples-{self._progress.num_batches:05}.pt", learned, measured)
        self._progress.num_batches += 1
        self._save()

    # ------------------------------------------------------------ learning
    def _learn_until(self, end: float) -> None:
        """Learn at a rate that falls to almost nothing by the end."""
        begun, steps = self._seconds(), 0
        length = min(_LENGTH, *map(len, self._learned))
        while (now := self._seconds()) < end or steps < _LEAST_STEPS:
            share = min(1.0, (now - begun) / max(1e-6, end - begun))
            falling = _FLOOR + (1 - _FLOOR) * 0.5 * (1 + math.cos(math.pi * share))
            loss = self._trainer.step(self._pieces(length), warm_up(steps, _WARM_UP) * falling)
            steps += 1
            self._tell("feature", steps, loss)
            self._check_stop()
            if self._clock() - self._last_saved > _SAVE_SECONDS:
                self._save()

    def _pieces(self, length: int) -> list[DraftSample]:
        """Return a batch of pieces; which ones depends on the number of the step alone."""
        random = np.random.default_rng((self._plan.seed, 1, self._trainer.num_steps))
        pieces: list[DraftSample] = []
        for number in random.integers(0, len(self._learned), _BATCH):
            sample = self._learned[int(number)]
            pieces.append(sample.part(int(random.integers(0, len(sample) - length + 1)), length))
        return pieces

    # ------------------------------------------------------------ measuring
    def _measure(self) -> tuple[float, float]:
        """Write the drafters' file if they are better than what is there; return what was and what is."""
        self._tell("evaluation", 0)
        before = self._tokens_of(self._previous)
        there = _found(self._out, self._folder)
        best = before if self._progress.round == 0 else self._tokens_of(there)
        tallies = self._trainer.measure(self._measured)
        tokens = expected_tokens(tallies)
        self._tell("evaluation", 1)
        if tokens <= best:
            return before, best
        feature = self._trainer.weights(tuple(tally.sharpness for tally in tallies))
        heads = None if there is None else there.heads
        figures = {
            "feature": [tally.figures() for tally in tallies],
            "tokens_per_pass": {"feature": tokens},
            "settings": asdict(self._plan) | {"minutes": round(self._progress.seconds / 60, 1)},
        }
        drafters = TrainedDrafters(self._folder.fingerprint, heads, feature, figures)
        drafter_file.save(drafters, self._out)
        return before, tokens

    def _tokens_of(self, drafters: TrainedDrafters | None) -> float:
        """Return the tokens per pass of a file's feature drafter on the pieces that were set aside."""
        feature = None if drafters is None else drafters.feature
        if feature is None or feature.shape.width != self._target.width:
            return 1.0
        learner = FeatureLearner(feature.shape).to(self._target.device)
        learner.start_from({name: tensor.float() for name, tensor in feature.tensors.items()})
        head = self._target.head if feature.head is None else feature.head.to(self._target.device)
        vocabulary = torch.arange(len(head)) if feature.vocabulary is None else feature.vocabulary
        sampling = self._plan.sampling
        tallies = measure_draft(learner, vocabulary, head, self._target.embed, self._measured, sampling)
        return expected_tokens(tallies)

    # ------------------------------------------------------------ interruption
    def _save(self) -> None:
        self._seconds()
        with replacing(self._work / "trainer.pt") as file:
            torch.save(self._trainer.state(), file)
        replace_file(self._work / PROGRESS, json.dumps(asdict(self._progress)).encode())
        self._last_saved = self._clock()

    def _restore(self) -> None:
        """Go on from what an interrupted preparation left, as far as it fits."""
        file = self._work / PROGRESS
        if not file.is_file():
            return
        try:
            progress = _Progress(**json.loads(file.read_text(encoding="utf-8")))
            self._trainer.restore(torch.load(self._work / "trainer.pt", weights_only=True))
            for number in range(progress.num_batches):
                learned, measured = load_samples(self._work / f"samples-{number:05}.pt")
                self._learned += learned
                self._measured += measured
        except (OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise EnvironmentProblem(
                "What was prepared of this model is damaged ({reason}). Remove {folder} and prepare again.",
                reason=" ".join(str(error).split())[:200],
                folder=self._work,
            ) from error
        progress.seconds += self._progress.seconds
        progress.minutes = self._plan.minutes
        self._progress = progress


def _split(text: Tokens) -> tuple[Tokens, Tokens]:
    """Return the text to go on from, and the end of it, whose continuations are only measured."""
    if len(text) < 4 * OPENING:
        raise EnvironmentProblem(
            "The text has {num_tokens:,} tokens; drafters need at least {least:,} to learn from.",
            num_tokens=len(text),
            least=4 * OPENING,
        )
    kept = max(OPENING, int(len(text) * _HELD_OUT))
    return text[:-kept], text[-kept:]


def _found(folder: Path, model: ModelFolder) -> TrainedDrafters | None:
    """Return a model's drafters in a folder; what is damaged or another model's counts as none."""
    try:
        return drafter_file.find(folder, model.fingerprint)
    except EnvironmentProblem:
        return None


def _work_folder(model: ModelFolder, text: Tokens, out: Path, plan: TimedPlan) -> Path:
    """Return the folder of what is unfinished; emptied when that belongs to something else.

    The drafters that were there at the start lie in it, for they are what the result is compared with.
    """
    work = out / WORK_FOLDER
    settings = asdict(plan) | {"minutes": None, "reserved": None}
    said = json.dumps([model.fingerprint, settings, hashlib.sha256(text.tobytes()).hexdigest()])
    mark = work / "of.json"
    if not mark.is_file() or mark.read_text(encoding="utf-8") != said:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        if _found(out, model) is not None:
            shutil.copyfile(out / drafter_file.FILE_NAME, work / drafter_file.FILE_NAME)
        replace_file(mark, said.encode())
    return work


def _trainer(
    target: FrozenTarget,
    folder: ModelFolder,
    text: Tokens,
    barred: Sequence[int],
    plan: TimedPlan,
    previous: TrainedDrafters | None,
) -> FeatureTrainer:
    """Return a trainer that goes on from earlier drafters, or else from the target's last layer."""
    shape = shape_of(folder.config, plan.window)
    learner = FeatureLearner(shape).to(target.device)
    feature = None if previous is None else previous.feature
    vocabulary: Tensor | None = None
    if feature is not None and feature.shape == shape:
        learner.start_from({name: tensor.float() for name, tensor in feature.tensors.items()})
        vocabulary = feature.vocabulary
    else:
        sample = torch.from_numpy(text[None, : 4 * OPENING].astype(np.int64)).to(target.device)
        learner.start_from(last_layer(target, target.layer_inputs(sample)[0]))
    if vocabulary is None:
        count = ids_to_guess(plan.vocabulary, target.vocab_size) or target.vocab_size
        vocabulary = usual_ids(text, count, target.vocab_size, barred)
    head = target.head[vocabulary.to(target.device)]
    return FeatureTrainer(learner, vocabulary, head, target.embed, plan.sampling, seed=plan.seed)
