"""Learning while drafting: the feature drafter goes on learning from what verification yields anyway.

A run's hidden states and the tokens that were drawn among are copied into samples of bounded size. While no
command runs, a thread of low priority learns from them, measures itself on the newest ones, and keeps what
is better. A command interrupts it within one operation of the tensor library. It never touches the target or
a run: a drafter can change the speed, and no token.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from quire_engine.api.config import SamplingConfig
from quire_engine.api.queries import LearningState
from quire_engine.api.user_message import UserMessage
from quire_engine.drafting import book_drafter
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.drafting.feature_drafter import FeatureWeights
from quire_engine.drafting.learned_file import Learned, LearnedFrom, LearnedVersions
from quire_engine.models.target_model import NetworkEnds
from quire_engine.runtime.text_collector import TextCollector
from quire_engine.training.draft_samples import DraftSample
from quire_engine.training.drafter_evaluation import expected_tokens
from quire_engine.training.feature_trainer import UNROLL, FeatureTrainer, LearningDiverged
from quire_engine.training.first_drafter import FirstDrafter
from quire_engine.training.interruption import Interruptible, LearningInterrupted
from quire_engine.training.trainable_drafters import FeatureLearner

_log = logging.getLogger(__name__)

WORTH_JOINING = 1.25
"""Tokens per pass of its first guesses from which a drafter that nobody prepared is tried in drafts."""

_LEARNED = 256  # samples held, the newest ones
_MEASURED = 8  # the newest of all: what is better is better on text that follows what was learnt
_BATCH = 2
_MOST_WEIGHTS = 50_000_000  # of the drafter's layer; each takes 16 bytes while it is learnt
_PASSES = 3  # times that a sample is learnt from, on average
_FIRST_PASSES = 12  # the same, for a drafter that nobody prepared: it has all to learn yet, from little text
_MEASURE_EVERY_S = 40.0  # of learning; what a crash can lose of it
_RATE = 0.3  # of the rate of a first training
_FIRST_RATE = 1.0  # the same, for one that nobody prepared
_FIRST_DEPTHS = 1  # tokens ahead that this one learns: a step takes half as long, and most drafts end there
_BETTER = 1.02  # times the tokens per pass: what is worth a file
_LOWEST_PRIORITY = 19
_LAST_STEP_S = 30.0


class OnlineLearner:
    """Learns while nothing else is done, on a thread of its own.

    Args:
        trained: the drafters in use.
        start: a feature drafter with a vocabulary of its own to go on from, or what makes a first one.
        network: the target's embeddings.
        versions: where what is learnt is kept.
        about: what `trained` was learnt from, if it was.
        clock: seconds.
    """

    def __init__(
        self,
        trained: TrainedDrafters,
        start: FeatureWeights | FirstDrafter,
        network: NetworkEnds,
        versions: LearnedVersions,
        about: LearnedFrom,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._trained, self._start, self._first = trained, start, start
        self._network, self._versions, self._clock = network, versions, clock
        self._about, self._is_new_version = about, True
        self._condition = threading.Condition()
        self._num_commands = 0  # that run now; a question may come in the middle of a run
        self._is_closed = self._is_working = False
        self._fresh: TrainedDrafters | None = None
        self._packed = b""
        self._warnings: list[UserMessage] = []
        self._learned: deque[DraftSample] = deque(maxlen=_LEARNED)
        self._measured: deque[DraftSample] = deque()
        self._steps_left = 0.0
        self._measured_at_s = 0.0
        self._is_unmeasured = False
        self._sampling: SamplingConfig | None = None
        self._trainer: FeatureTrainer | None = None
        self._thread = threading.Thread(target=self._run, name="learning", daemon=True)
        self._thread.start()
        # a thread that the end of the process finds inside torch would abort it
        atexit.register(self._end)

    @staticmethod
    def can_learn(start: FeatureWeights | FirstDrafter, network: NetworkEnds) -> bool:
        """Say whether that can be gone on from, and there is processor and memory to do it with."""
        if isinstance(start, FeatureWeights) and (start.vocabulary is None or start.head is None):
            return False
        size = sum(math.prod(size) for size in start.shape.tensor_shapes().values())
        return network.device.type == "cpu" and size <= _MOST_WEIGHTS

    # ------------------------------------------------------------ on the engine's thread
    def collector(self, sampling: SamplingConfig) -> TextCollector | None:
        """Return what collects the samples of a run; None for greedy runs, which draw from nothing."""
        if sampling.temperature <= 0:
            return None
        return TextCollector(lambda sample: self.take(sample, sampling), sampling)

    def take(self, sample: DraftSample, sampling: SamplingConfig) -> None:
        """Hold a sample; those of other sampling settings are let go of."""
        asked = _relevant(sampling)
        with self._condition:
            if asked != self._sampling:
                self._sampling = asked
                self._start_over()
            self._measured.append(sample)
            if len(self._measured) > _MEASURED:
                self._learned.append(self._measured.popleft())
                steps = (_FIRST_PASSES if self._is_first else _PASSES) / _BATCH
                self._steps_left = min(self._steps_left + steps, _LEARNED * steps)
                self._about = replace(self._about, num_tokens=self._about.num_tokens + len(sample))
            self._condition.notify_all()

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """Let nothing be learnt inside the block: a command runs."""
        with self._condition:
            self._num_commands += 1
        try:
            yield
        finally:
            with self._condition:
                self._num_commands -= 1
                self._condition.notify_all()

    def pop_fresh(self) -> TrainedDrafters | None:
        """Return drafters that turned out better since the last call."""
        with self._condition:
            fresh, self._fresh = self._fresh, None
            return fresh

    def pop_packed(self) -> tuple[LearnedFrom, bytes]:
        """Return what is to be kept with the book, if that is new since the last call, else nothing."""
        with self._condition:
            data, self._packed = self._packed, b""
            return self._about, data

    def pop_warnings(self) -> list[UserMessage]:
        """Return and clear what went wrong."""
        with self._condition:
            said, self._warnings = self._warnings, []
            return said

    @property
    def state(self) -> LearningState:
        """What it has to learn from now."""
        with self._condition:
            if not self._learned:
                return "empty"
            return "learning" if self._has_work() else "done"

    @property
    def about(self) -> LearnedFrom:
        """What the drafters in use were learnt from."""
        with self._condition:
            return self._about

    def settle(self) -> None:
        """Wait for the end of what a command has just interrupted."""
        with self._condition:
            self._condition.wait_for(lambda: not self._is_working, _LAST_STEP_S)

    def restart(self, trained: TrainedDrafters, start: FeatureWeights | None, about: LearnedFrom) -> None:
        """Go on from other drafters: those before, or those that were prepared.

        start: see the class; None: from the very beginning.
        """
        with self._condition:
            self._trained = self._fresh = trained
            self._start = self._first if start is None else start
            self._about, self._is_new_version, self._packed = about, True, b""
            self._start_over()

    def close(self) -> None:
        """End after the operation that is being computed; does not wait."""
        with self._condition:
            self._is_closed = True
            self._condition.notify_all()

    def join(self, timeout_s: float | None = None) -> None:
        """Wait for the end of the thread."""
        self._thread.join(timeout_s)

    # ------------------------------------------------------------ on its own thread
    def _run(self) -> None:
        _lower_priority()
        try:
            while self._wait():
                self._learn()
                with self._condition:
                    self._is_working = False
                    self._condition.notify_all()
        finally:
            atexit.unregister(self._end)

    def _end(self) -> None:
        self.close()
        self.join(_LAST_STEP_S)

    def _wait(self) -> bool:
        """Wait for something to learn in an idle moment; False at the end."""
        with self._condition:
            self._condition.wait_for(
                lambda: self._is_closed or (self._num_commands == 0 and self._has_work())
            )
            self._is_working = not self._is_closed
            return self._is_working

    def _has_work(self) -> bool:
        return bool(self._learned) and (self._steps_left > 0 or self._is_unmeasured)

    @property
    def _is_first(self) -> bool:
        """Whether the drafter started untrained."""
        return not self._about.prepared

    def _must_stop(self) -> bool:
        return self._num_commands > 0 or self._is_closed

    def _learn(self) -> None:
        """Learn a step or measure what was learnt, and say what goes wrong with it."""
        try:
            if self._is_due():
                self._measure()
            else:
                with Interruptible(self._must_stop):
                    self._step()
        except LearningInterrupted:
            return
        except LearningDiverged:
            self._give_up(
                UserMessage("Learning while drafting went astray; what was learned last is dropped.")
            )
        except OSError as error:
            self._warn(
                UserMessage(
                    "What was learned while drafting could not be saved ({reason}). Your text is safe.",
                    reason=error.strerror or error,
                )
            )
        except Exception as error:  # noqa: BLE001  learning may fail in any way, and only learning
            _log.warning("learning failed", exc_info=True)
            self._give_up(UserMessage("Learning while drafting failed ({reason}).", reason=repr(error)))

    def _is_due(self) -> bool:
        """Say whether to measure now what was learnt since the last time."""
        is_time = self._clock() - self._measured_at_s >= _MEASURE_EVERY_S
        return self._is_unmeasured and (is_time or self._steps_left <= 0)

    def _step(self) -> None:
        feature = self._started()
        with self._condition:
            if self._trainer is None:
                self._trainer = self._new_trainer(feature, self._sampling or SamplingConfig())
                self._measured_at_s = self._clock()
            trainer, samples = self._trainer, list(self._learned)
            rate, depths = (_FIRST_RATE, _FIRST_DEPTHS) if self._is_first else (_RATE, UNROLL)
        random = np.random.default_rng(trainer.num_steps)
        chosen = [samples[int(number)] for number in random.integers(0, len(samples), _BATCH)]
        # copied: what the engine made in inference mode cannot be learnt from
        trainer.step([_copied(each) for each in chosen], rate, depths=depths)
        with self._condition:
            self._steps_left -= 1
            self._is_unmeasured = True

    def _started(self) -> FeatureWeights:
        """Return what is gone on from; a first drafter is made now, of the samples that are there."""
        with self._condition:
            start, sampling = self._start, self._sampling or SamplingConfig()
            if isinstance(start, FeatureWeights):
                return start
            samples = [*self._measured, *self._learned]
        made = start.make([_copied(each) for each in samples], sampling, self._embed)
        with self._condition:
            if self._start is start:
                self._start = made
        return made

    def _new_trainer(self, feature: FeatureWeights, sampling: SamplingConfig) -> FeatureTrainer:
        assert feature.vocabulary is not None, "asked by can_learn"
        assert feature.head is not None
        learner = FeatureLearner(feature.shape)
        learner.start_from({name: tensor.float() for name, tensor in feature.tensors.items()})
        return FeatureTrainer(learner, feature.vocabulary, feature.head, self._embed, sampling)

    def _embed(self, ids: Tensor) -> Tensor:
        with torch.inference_mode():
            flat = self._network.embed(ids.reshape(-1))
        return flat.clone().view(*ids.shape, -1)

    def _measure(self) -> None:
        """Keep the drafters and offer them to the next run, if they guess better than those in use."""
        with Interruptible(self._must_stop):
            found = self._if_better()
        # packed here: the engine's thread waits for what is done under the lock
        packed = b"" if found is None else book_drafter.packed(found[0], self._trained.fingerprint)
        with self._condition:
            self._is_unmeasured, self._measured_at_s = False, self._clock()
            if found is None or self._trainer is None:  # it may have been told to start over meanwhile
                return
            feature, before, now = found
            fresh = replace(self._trained, feature=feature)
            self._start = feature
            if self._trained.feature is not None or now >= WORTH_JOINING:
                self._trained = self._fresh = fresh
                self._packed = packed
            number = self._about.version + int(self._is_new_version)
            before = before if self._is_new_version else self._about.before
            self._about = replace(self._about, version=number, before=before, now=now)
            about, is_new = self._about, self._is_new_version
        self._versions.save(Learned(fresh, about), is_new_version=is_new)
        with self._condition:
            self._is_new_version = False

    def _if_better(self) -> tuple[FeatureWeights, float, float] | None:
        """Return the drafter as it is now with the tokens per pass of that in use and its own; None if it
        is no better."""
        with self._condition:
            trainer, samples = self._trainer, list(self._measured)
            sampling = self._sampling or SamplingConfig()
        if trainer is None or not samples:
            return None
        measured = [_copied(each) for each in samples]
        tallies = trainer.measure(measured)
        now, before = expected_tokens(tallies), 1.0
        if isinstance(self._start, FeatureWeights):
            was = self._new_trainer(self._start, sampling).measure(measured)
            before = expected_tokens(was)
            # most drafts end after the first guess, which better deep guesses must not cost
            if tallies[0].hits[0][0] < min(1.0, _BETTER) * was[0].hits[0][0]:
                return None
        if now < _BETTER * before:
            return None
        return trainer.weights(tuple(tally.sharpness for tally in tallies)), before, now

    def _start_over(self) -> None:
        """Let go of what is being learnt, and of what it is learnt from."""
        self._trainer, self._steps_left, self._is_unmeasured = None, 0.0, False
        self._learned.clear()
        self._measured.clear()

    def _give_up(self, said: UserMessage) -> None:
        """Drop what was learnt since the last drafters that were kept."""
        with self._condition:
            self._start_over()
            self._warnings.append(said)

    def _warn(self, said: UserMessage) -> None:
        with self._condition:
            self._warnings.append(said)


def _relevant(sampling: SamplingConfig) -> SamplingConfig:
    """Return what of the settings decides the samples."""
    return SamplingConfig(
        temperature=sampling.temperature,
        min_p=sampling.min_p,
        repetition_penalty=sampling.repetition_penalty,
        penalty_window=sampling.penalty_window,
    )


def _copied(sample: DraftSample) -> DraftSample:
    return DraftSample(
        sample.before,
        sample.successors.clone(),
        sample.hidden.clone(),
        sample.kept.clone(),
        sample.shares.clone(),
    )


def _lower_priority() -> None:
    """Let every other thread go first, where the system lets a thread ask for that."""
    if hasattr(os, "setpriority") and os.name == "posix" and os.uname().sysname == "Linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWEST_PRIORITY)
