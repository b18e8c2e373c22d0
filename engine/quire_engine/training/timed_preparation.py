"""Train a model's feature drafter for some minutes: `prepare MODEL --text FILE... --minutes 5`.

The time is cut into rounds that end after 2, 5, 20, 60 ... minutes. In each the model reads and writes for a
while, the drafter learns from all of it so far, and is measured on pieces set aside; where it is better than
what was there, it is written at once. Stop it at any time; the same command goes on. The model computes as it
will when it drafts, in 8 bits where it does, so that a minute holds as much text as it can.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch

from quire_engine.api.atomic_file import replace_file, replacing
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.trained_drafters import PROGRESS, UNFINISHED
from quire_engine.drafting import drafter_file
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.models.model_folder import ModelFolder
from quire_engine.training.draft_samples import DraftSample, Taught, TextReader, load_samples, save_samples
from quire_engine.training.drafter_evaluation import expected_tokens
from quire_engine.training.drafter_start import DrafterStart
from quire_engine.training.feature_trainer import FeatureTrainer, LearningDiverged, measure_draft
from quire_engine.training.hidden_states import Tokens
from quire_engine.training.timed_plan import Stage, TimedAdvance, TimedPlan, TimedResult, round_ends
from quire_engine.training.trainable_drafters import FeatureLearner
from quire_engine.training.training_plan import warm_up
from quire_engine.training.unfinished_work import emptied, mark

PIECE_LENGTH = 256
"""Tokens of a piece of text: a few windows of the drafter."""
OPENING = 64
"""Tokens that the model goes on from."""
_READING, _MEASURING = 0.45, 0.06  # shares of a round; learning takes the rest
_OWN = 0.5  # share of the reading that the model's own text takes, while there is other text
_HELD_OUT = 0.05  # share of the text whose continuations are only measured
_SET_ASIDE = 2  # one piece of its own text in so many is only measured
_MOST_MEASURED = 12
_SAMPLE_BYTES = 1 << 29  # of what is kept to learn from
_LEAST_WRITTEN, _LEAST_STEPS = 16, 8  # tokens of a piece and steps of a round, however slow the computer is
_BATCH, _LENGTH = 4, 128
_WARM_UP = 12  # steps at the start of each round
_FLOOR = 0.05  # of the learning rate at the end of a round
_AGREES, _DEEPER = 0.4, 0.7  # shares of a round's learning, from which on it learns as `_learn_until` says
_SAVE_SECONDS = 60.0


@dataclass(slots=True)
class _Progress:
    """Where an interrupted preparation is; stored beside what it learnt.

    minutes: of the plan, for whoever wants to go on with it.
    num_batches: files of samples.
    num_read: pieces of the given text that were read.
    own_seconds, reading_seconds: spent on its own text, and on all text.
    """

    minutes: float
    seconds: float = 0.0
    round: int = 0
    round_started: float = 0.0
    num_batches: int = 0
    num_read: int = 0
    own_seconds: float = 0.0
    reading_seconds: float = 0.0


class TimedPreparation:
    """One preparation. What it learnt is in a folder of unfinished work until its time is over.

    Args:
        model: whose drafter is taught.
        text: token ids to read, and to go on from.
        out: where the drafters' file lies or will lie.
        plan: how long.
        on_advance: told of every token and step; an exception from it (KeyboardInterrupt too) stops the
            preparation, which keeps what it has.
        clock: seconds.
        began: when it began, if that is earlier: the model was loaded since.
    """

    def __init__(
        self,
        model: Taught,
        text: Tokens,
        out: Path,
        plan: TimedPlan,
        on_advance: Callable[[TimedAdvance], None],
        clock: Callable[[], float] = time.monotonic,
        began: float | None = None,
    ) -> None:
        self._clock, self._last_saved = clock, clock()
        self._last_time = self._last_saved if began is None else began
        self._model, self._out, self._plan, self._on_advance = model, out, plan, on_advance
        self._text, self._texts = text, split(text)
        self._work = _work_folder(model.folder, text, out, plan)
        self._previous = _found(self._work, model.folder)
        self._progress = _Progress(plan.minutes)
        self._stopped: BaseException | None = None
        self._learned: list[DraftSample] = []
        self._measured: list[DraftSample] = []
        self._network = model.runner.network
        self._reader = TextReader(model.runner, plan.sampling, model.suppressed)
        self._start = DrafterStart(model, plan, self._tell_of_start)
        self._trainer: FeatureTrainer  # made by `run`, for that takes a while

    def run(self) -> TimedResult:
        """Learn until the time is over; the folder of unfinished work is removed then.

        Raises LearningDiverged, and what `on_advance` raises.
        """
        self._begin()
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
        return TimedResult(before, after, _found(self._out, self._model.folder), self._previous)

    def _begin(self) -> None:
        """Make the trainer; what an interrupted preparation left stays as it is until that is done."""
        if (self._work / PROGRESS).is_file():
            self._restore_progress()
        else:  # so that it is known how long it was to take, if it is stopped at once
            self._save_progress()
        is_resumed = self._progress.num_batches > 0 or (self._work / "trainer.pt").is_file()
        self._trainer = self._start.trainer(self._text, self._previous, is_resumed=is_resumed)
        if is_resumed:
            self._restore()
        self._save()

    def _tell_of_start(self, tokens: int) -> None:
        self._tell("given text", tokens)
        self._check_stop()

    def _round(self, end: float) -> tuple[float, float]:
        """Read, learn and measure until a time; return tokens per pass at the very start and now."""
        length = end - self._progress.round_started
        self._read_until(end - (1 - _READING) * length)
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

    # ------------------------------------------------------------ reading
    def _read_until(self, end: float) -> None:
        """Let the model read and write; at least once if there is nothing to learn from or to measure with.

        A stop keeps what was read so far.
        """
        done = 0
        while not (self._learned and self._measured) or self._has_time_and_room(end):
            started = self._seconds()
            is_own = self._writes_now()
            done = self._own_piece(done, end) if is_own else self._given_piece(done, end)
            spent = self._seconds() - started
            self._progress.reading_seconds += spent
            self._progress.own_seconds += spent * is_own
            self._check_stop()

    def _has_time_and_room(self, end: float) -> bool:
        size = sum(each.hidden.nbytes + each.kept.nbytes + each.shares.nbytes for each in self._learned)
        return size < _SAMPLE_BYTES and self._seconds() < end

    def _writes_now(self) -> bool:
        """Say whether it is its own text's turn: it has its share of the time, or all of it once the given
        text is used up."""
        if not self._measured or self._progress.num_read >= self._num_pieces:
            return True
        return bool(self._learned) and self._progress.own_seconds < _OWN * self._progress.reading_seconds

    def _given_piece(self, done: int, end: float) -> int:
        """Read the next piece of the given text; return the tokens of this round, `done` before it."""
        random = np.random.default_rng((self._plan.seed, 2))
        start = int(random.permutation(self._num_pieces)[self._progress.num_read]) * PIECE_LENGTH
        text = self._texts[0]
        self._progress.num_read += 1
        return self._take(text[:start], text[start : start + PIECE_LENGTH], False, done, end, "given text")

    def _own_piece(self, done: int, end: float) -> int:
        """Let the model go on with a place in the text, and read that; as `_given_piece`."""
        number = self._progress.num_batches
        wanted = len(self._measured) < _MOST_MEASURED
        is_measured = wanted and (not self._measured or number % _SET_ASIDE == 0)
        text = self._texts[1 if is_measured else 0]
        random = np.random.default_rng((self._plan.seed, number))
        place = int(random.integers(OPENING, len(text) + 1))
        opening = text[place - OPENING : place]

        def go_on(tokens: int) -> bool:
            goes_on = not tokens or self._tell("own text", done + tokens)
            goes_on = goes_on and tokens + OPENING < PIECE_LENGTH
            return goes_on and (tokens < _LEAST_WRITTEN or self._seconds() < end)

        seed = self._plan.sampling.seed % (1 << 20) + (number << 20)
        own = self._model.writer.write(opening, seed, go_on)
        ids = np.concatenate([opening, own])
        return self._take(text[: place - OPENING], ids, is_measured, done, end, "own text", len(own))

    def _take(
        self,
        before: Tokens,
        ids: Tokens,
        is_measured: bool,
        done: int,
        end: float,
        stage: Stage,
        told: int = 0,
    ) -> int:
        """Read a piece and keep the sample of it; return the tokens of this round with those.

        told: how many of the piece were reported as they were written.
        """

        def go_on(tokens: int) -> bool:
            goes_on = self._tell(stage, done + max(told, tokens))
            return goes_on and (tokens < _LEAST_WRITTEN or self._seconds() < end)

        window = self._plan.sampling.penalty_window
        before = np.unique(before[max(0, len(before) - window) :])
        sample = self._reader.read(before, ids, go_on)
        if sample is None:
            return done
        kept: tuple[list[DraftSample], list[DraftSample]] = ([], [sample]) if is_measured else ([sample], [])
        self._learned += kept[0]
        self._measured += kept[1]
        save_samples(self._work / f"samples-{self._progress.num_batches:05}.pt", *kept)
        self._progress.num_batches += 1
        self._save_progress()
        return done + max(told, len(sample))

    @property
    def _num_pieces(self) -> int:
        """Whole pieces of the given text."""
        return len(self._texts[0]) // PIECE_LENGTH

    # ------------------------------------------------------------ learning
    def _learn_until(self, end: float) -> None:
        """Learn at a rate that falls to almost nothing by the end.

        First to say what the target would, one token ahead; then to draw the same token with the same noise,
        which is what counts; at last two tokens ahead, too.
        """
        begun, steps = self._seconds(), 0
        length = sorted(min(_LENGTH, len(each)) for each in self._learned)[len(self._learned) // 2]
        while (now := self._seconds()) < end or steps < _LEAST_STEPS:
            share = min(1.0, (now - begun) / max(1e-6, end - begun))
            falling = _FLOOR + (1 - _FLOOR) * 0.5 * (1 + math.cos(math.pi * share))
            loss = self._trainer.step(
                self._pieces(length),
                warm_up(steps, _WARM_UP) * falling,
                depths=1 if share < _DEEPER else 2,
                agrees=share >= _AGREES,
            )
            steps += 1
            self._tell("feature", steps, loss)
            self._check_stop()
            if self._clock() - self._last_saved > _SAVE_SECONDS:
                self._save()

    def _pieces(self, length: int) -> list[DraftSample]:
        """Return a batch of pieces; which ones depends on the number of the step alone."""
        random = np.random.default_rng((self._plan.seed, 1, self._trainer.num_steps))
        pieces: list[DraftSample] = []
        long = [each for each in self._learned if len(each) >= length]
        for number in random.integers(0, len(long), _BATCH):
            sample = long[int(number)]
            pieces.append(sample.part(int(random.integers(0, len(sample) - length + 1)), length))
        return pieces

    # ------------------------------------------------------------ measuring
    def _measure(self) -> tuple[float, float]:
        """Write the drafters' file if they are better than what is there; return what was and what is."""
        self._tell("evaluation", 0)
        before = self._tokens_of(self._previous)
        there = _found(self._out, self._model.folder)
        best = before if self._progress.round == 0 else self._tokens_of(there)
        tallies = self._trainer.measure(self._measured)
        tokens = expected_tokens(tallies)
        self._tell("evaluation", 1)
        if tokens <= best:
            return before, best
        feature = self._trainer.weights(tuple(tally.sharpness for tally in tallies))
        earlier = None if self._previous is None else self._previous.feature
        if earlier is not None and earlier.vocabulary is None:  # it goes on with the target's own head
            feature = replace(feature, vocabulary=None, head=None)
        heads = None if there is None else there.heads
        figures = {
            "feature": [tally.figures() for tally in tallies],
            "tokens_per_pass": {"feature": tokens},
            "settings": asdict(self._plan) | {"minutes": round(self._progress.seconds / 60, 1)},
        }
        drafters = TrainedDrafters(self._model.folder.fingerprint, heads, feature, figures)
        drafter_file.save(drafters, self._out)
        return before, tokens

    def _tokens_of(self, drafters: TrainedDrafters | None) -> float:
        """Return the tokens per pass of a file's feature drafter on the pieces that were set aside."""
        if drafters is None or drafters.feature is None:
            return 1.0
        feature = self._start.completed(drafters.feature)
        assert feature.vocabulary is not None, "completed"
        assert feature.head is not None
        device = self._network.device
        learner = FeatureLearner(feature.shape).to(device)
        learner.start_from({name: tensor.float() for name, tensor in feature.tensors.items()})
        head, sampling = feature.head.to(device), self._plan.sampling
        tallies = measure_draft(
            learner, feature.vocabulary, head, self._start.embed, self._measured, sampling
        )
        return expected_tokens(tallies)

    # ------------------------------------------------------------ interruption
    def _save(self) -> None:
        self._seconds()
        with replacing(self._work / "trainer.pt") as file:
            torch.save(self._trainer.state(), file)
        self._save_progress()
        self._last_saved = self._clock()

    def _save_progress(self) -> None:
        replace_file(self._work / PROGRESS, json.dumps(asdict(self._progress)).encode())

    def _restore_progress(self) -> None:
        """Read how far an interrupted preparation came."""
        with self._telling_of_damage():
            progress = _Progress(**json.loads((self._work / PROGRESS).read_text(encoding="utf-8")))
        progress.seconds += self._progress.seconds
        progress.minutes = self._plan.minutes
        self._progress = progress

    def _restore(self) -> None:
        """Go on from what an interrupted preparation left."""
        with self._telling_of_damage():
            self._trainer.restore(torch.load(self._work / "trainer.pt", weights_only=True))
            for number in range(self._progress.num_batches):
                learned, measured = load_samples(self._work / f"samples-{number:05}.pt")
                self._learned += learned
                self._measured += measured

    @contextmanager
    def _telling_of_damage(self) -> Iterator[None]:
        try:
            yield
        except (OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise EnvironmentProblem(
                "What was prepared of this model is damaged ({reason}). Remove {folder} and prepare again.",
                reason=" ".join(str(error).split())[:200],
                folder=self._work,
            ) from error


def split(text: Tokens) -> tuple[Tokens, Tokens]:
    """Return the text to go on from, and the end of it, whose continuations are only measured.

    EnvironmentProblem of a text that is too short.
    """
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
    What was begun with other settings, or by a version that had others, starts again: a drafter that its
    rounds have written lies outside of this folder and stays.
    """
    work = out / UNFINISHED
    # what was measured of the model may differ in the last digit
    settings = asdict(plan) | {"minutes": None, "reserved": None, "sampling": None}
    about = json.dumps([model.fingerprint, settings, hashlib.sha256(text.tobytes()).hexdigest()])
    if emptied(work, about):
        if _found(out, model) is not None:
            shutil.copyfile(out / drafter_file.FILE_NAME, work / drafter_file.FILE_NAME)
        mark(work, about)
    return work
