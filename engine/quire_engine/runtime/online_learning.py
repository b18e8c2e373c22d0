"""Learning while drafting: the feature drafter goes on learning from what verification yields anyway.

A run's hidden states and the tokens that were drawn among are copied into samples of bounded size. While no
command runs, a thread of low priority learns from them, measures itself on samples set aside, and keeps what
is better. It never touches the target or a run: a drafter can change the speed, and no token.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import threading
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from quire_engine.api.config import SamplingConfig
from quire_engine.api.user_message import UserMessage
from quire_engine.drafting import drafter_file
from quire_engine.drafting.drafter import Observed
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.models.target_model import NetworkEnds
from quire_engine.training.draft_samples import MAX_KEPT, DraftSample, likeliest
from quire_engine.training.drafter_evaluation import expected_tokens
from quire_engine.training.feature_trainer import FeatureTrainer, LearningDiverged
from quire_engine.training.trainable_drafters import FeatureLearner

_log = logging.getLogger(__name__)

PIECE = 128
"""Places of a sample."""
_LEARNED, _MEASURED = 256, 12  # samples held, the newest ones
_SET_ASIDE = 4  # one sample in so many is only measured, until there are enough
_LEAST_MEASURED = 4  # samples that say something about what is better
_BATCH = 2
_MOST_WEIGHTS = 50_000_000  # of the drafter's layer; each takes 16 bytes while it is learnt
_PASSES = 3  # times that a sample is learnt from, on average
_MEASURE_EVERY = 48  # steps
_RATE = 0.3  # of the rate of a first training
_BETTER = 1.02  # times the tokens per pass: what is worth a file
_LOWEST_PRIORITY = 19
_LAST_STEP_S = 30.0


class TextCollector:
    """Makes samples of what a run observes; belongs to the engine's thread."""

    def __init__(self, learner: OnlineLearner, sampling: SamplingConfig) -> None:
        self._learner = learner
        self._sampling = sampling
        self._recent: deque[int] = deque(maxlen=max(1, sampling.penalty_window))
        self._start_piece()

    def observe(self, observed: Observed) -> None:
        """Take a step's tokens; of a text that is only read, what the penalty sees."""
        if observed.is_reread:
            return
        if observed.hidden is None or not observed.kept_tokens:
            self._recent.extend(observed.token_ids)
            self._start_piece()
            return
        # copied: the rows are views of the pass buffers
        self._hidden.append(observed.hidden.detach().to("cpu", torch.bfloat16, copy=True))
        self._kept += [likeliest(kept, scores) for kept, scores in observed.kept_tokens]
        self._successors += observed.token_ids
        self._recent.extend(observed.token_ids)
        if len(self._successors) >= PIECE:
            self._learner.take(self._sample(), self._sampling)
            self._start_piece()

    def _start_piece(self) -> None:
        self._before = np.unique(np.array(self._recent, dtype=np.int64))
        self._hidden: list[Tensor] = []
        self._kept: list[tuple[Tensor, Tensor]] = []
        self._successors: list[int] = []

    def _sample(self) -> DraftSample:
        kept, shares = (torch.stack(each)[:PIECE] for each in zip(*self._kept, strict=True))
        return DraftSample(
            self._before,
            torch.tensor(self._successors[:PIECE]),
            torch.cat(self._hidden)[:PIECE],
            kept.view(PIECE, MAX_KEPT),
            shares.view(PIECE, MAX_KEPT),
        )


class OnlineLearner:
    """Learns while nothing else is done, on a thread of its own.

    Args:
        trained: what it goes on from; has a feature drafter with a vocabulary of its own.
        network: the target's embeddings.
        folder: where what is learnt is kept.
    """

    def __init__(self, trained: TrainedDrafters, network: NetworkEnds, folder: Path) -> None:
        self._trained, self._network, self._folder = trained, network, folder
        self._mark = _mark_of(folder)
        self._condition = threading.Condition()
        self._num_commands = 0  # that run now; a question may come in the middle of a run
        self._is_closed = self._is_working = False
        self._fresh: TrainedDrafters | None = None
        self._warnings: list[UserMessage] = []
        self._learned: deque[DraftSample] = deque(maxlen=_LEARNED)
        self._measured: deque[DraftSample] = deque(maxlen=_MEASURED)
        self._num_taken = 0
        self._steps_left = 0.0
        self._sampling: SamplingConfig | None = None
        self._trainer: FeatureTrainer | None = None
        self._thread = threading.Thread(target=self._run, name="learning", daemon=True)
        self._thread.start()
        # a thread that the end of the process finds inside torch would abort it
        atexit.register(self._end)

    @staticmethod
    def can_learn(trained: TrainedDrafters | None, network: NetworkEnds) -> bool:
        """Say whether there is something to go on from, and processor and memory to do it with."""
        feature = None if trained is None else trained.feature
        if feature is None or feature.vocabulary is None or feature.head is None:
            return False
        size = sum(tensor.numel() for tensor in feature.tensors.values())
        return network.device.type == "cpu" and size <= _MOST_WEIGHTS

    # ------------------------------------------------------------ on the engine's thread
    def collector(self, sampling: SamplingConfig) -> TextCollector | None:
        """Return what collects the samples of a run; None for greedy runs, which draw from nothing."""
        return TextCollector(self, sampling) if sampling.temperature > 0 else None

    def take(self, sample: DraftSample, sampling: SamplingConfig) -> None:
        """Hold a sample; those of other sampling settings are let go of."""
        asked = _relevant(sampling)
        with self._condition:
            if asked != self._sampling:
                self._sampling, self._trainer = asked, None
                self._learned.clear()
                self._measured.clear()
                self._steps_left = 0.0
            is_set_aside = self._num_taken % _SET_ASIDE == 0
            self._num_taken += 1
            (self._measured if is_set_aside else self._learned).append(sample)
            if not is_set_aside:
                self._steps_left = min(self._steps_left + _PASSES / _BATCH, _LEARNED * _PASSES / _BATCH)
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

    def pop_warnings(self) -> list[UserMessage]:
        """Return and clear what went wrong."""
        with self._condition:
            said, self._warnings = self._warnings, []
            return said

    def close(self) -> None:
        """End after the step that is being learnt; does not wait."""
        with self._condition:
            self._is_closed = True
            self._condition.notify_all()

    def join(self, timeout_s: float | None = None) -> None:
        """Wait for the end of the thread."""
        self._thread.join(timeout_s)

    # ------------------------------------------------------------ on its own thread
    def _run(self) -> None:
        _lower_priority()
        steps = 0
        try:
            while self._wait():
                steps += 1
                self._learn(steps)
                with self._condition:
                    self._is_working = False
                    self._condition.notify_all()
        finally:
            atexit.unregister(self._end)

    def _end(self) -> None:
        self.close()
        self.join(_LAST_STEP_S)

    def _learn(self, steps: int) -> None:
        """Learn a step, and say what goes wrong with it."""
        try:
            self._step()
            if steps % _MEASURE_EVERY == 0 or self._steps_left <= 0:
                self._keep_if_better()
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

    def _wait(self) -> bool:
        """Wait for something to learn in an idle moment; False at the end."""
        with self._condition:
            self._condition.wait_for(
                lambda: (
                    self._is_closed
                    or (self._num_commands == 0 and self._steps_left > 0 and self._learned and self._measured)
                )
            )
            self._is_working = not self._is_closed
            return self._is_working

    def _step(self) -> None:
        with self._condition:
            if self._trainer is None:
                self._trainer = self._new_trainer(self._sampling or SamplingConfig())
            trainer, samples = self._trainer, list(self._learned)
            self._steps_left -= 1
        random = np.random.default_rng(trainer.num_steps)
        chosen = [samples[int(number)] for number in random.integers(0, len(samples), _BATCH)]
        # copied: what the engine made in inference mode cannot be learnt from
        trainer.step([_copied(each) for each in chosen], _RATE)

    def _new_trainer(self, sampling: SamplingConfig) -> FeatureTrainer:
        feature = self._trained.feature
        assert feature is not None, "asked by can_learn"
        assert feature.vocabulary is not None
        assert feature.head is not None
        learner = FeatureLearner(feature.shape)
        learner.start_from({name: tensor.float() for name, tensor in feature.tensors.items()})
        return FeatureTrainer(learner, feature.vocabulary, feature.head, self._embed, sampling)

    def _embed(self, ids: Tensor) -> Tensor:
        with torch.inference_mode():
            flat = self._network.embed(ids.reshape(-1))
        return flat.clone().view(*ids.shape, -1)

    def _keep_if_better(self) -> None:
        """Write the drafters and offer them to the next run, if they guess better than those in use."""
        with self._condition:
            trainer, measured = self._trainer, [_copied(each) for each in self._measured]
            sampling = self._sampling or SamplingConfig()
        if trainer is None or len(measured) < _LEAST_MEASURED:
            return
        tallies = trainer.measure(measured)
        now, before = expected_tokens(tallies), expected_tokens(self._new_trainer(sampling).measure(measured))
        if now < _BETTER * before:
            return
        feature = trainer.weights(tuple(tally.sharpness for tally in tallies))
        figures = {**self._trained.figures, "learned_while_drafting": {"before": before, "now": now}}
        fresh = TrainedDrafters(self._trained.fingerprint, self._trained.heads, feature, figures)
        with self._condition:
            self._trained = self._fresh = fresh
        if _mark_of(self._folder) == self._mark:
            drafter_file.save(fresh, self._folder)
            self._mark = _mark_of(self._folder)

    def _give_up(self, said: UserMessage) -> None:
        """Drop what was learnt since the last drafters that were kept."""
        with self._condition:
            self._trainer, self._steps_left = None, 0.0
            self._learned.clear()
            self._warnings.append(said)

    def _warn(self, said: UserMessage) -> None:
        with self._condition:
            self._warnings.append(said)


def _mark_of(folder: Path) -> tuple[int, int] | None:
    """Return what tells one file of drafters from another: one that was prepared meanwhile is the better."""
    try:
        found = (folder / drafter_file.FILE_NAME).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


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
