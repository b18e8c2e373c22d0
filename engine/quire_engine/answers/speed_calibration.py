"""How long a token takes on this computer, plain and speculative, at growing context lengths.

The plain time per token is nearly affine in the context length, t_plain(L) = p0 + p1 L, and is fitted by
least squares; p1 is never negative. The speculative time is that of a step at a length divided by the tokens
per pass: where the text at hand is repeated to fill a length, its phrases repeat too easily, so tokens per
pass are taken from the lengths that it fills without repeating (or else from the first).
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from quire_engine.api.config import PLAIN
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.queries import Calibrate, Calibrated, PacePoint, QueryProgressed
from quire_engine.models.attention import BLOCK
from quire_engine.prompt.tokenization import encode_text
from quire_engine.runtime.loaded_model import LoadedModel, own_cache
from quire_engine.runtime.session import DraftingSession

FIRST_LENGTH = 512
"""Context length of the first measurement; each further one doubles it."""
_PLAIN_STEPS = 8
_FAST_TOKENS = 48
_GROWTH = 1.5  # reading the second half of a text takes longer than the first half did


@dataclass(slots=True)
class _Measured:
    """plain_ms, step_ms: medians by length. num_tokens, num_steps: accelerated, on text that is no repeat."""

    lengths: list[int] = field(default_factory=list)
    plain_ms: list[float] = field(default_factory=list)
    step_ms: list[float] = field(default_factory=list)
    num_tokens: int = 0
    num_steps: int = 0


def calibrate(
    loaded: LoadedModel, query: Calibrate, clock: Callable[[], float] = time.perf_counter
) -> Iterator[QueryProgressed | Calibrated]:
    """Measure speed at as many lengths as the time allows, at least one."""
    started = clock()
    model = own_cache(loaded)
    room = loaded.target.context_length - BLOCK - _FAST_TOKENS - 2 * loaded.target.width
    own_ids = [*encode_text(loaded.tokenizer, query.text, marks=False).ids] if query.text else []
    ids = _filled(own_ids, room, loaded)
    measured = _Measured()
    num_cached, length, took_s = 0, min(FIRST_LENGTH, room), 0.0
    while length <= room and (not measured.lengths or _is_time(query, clock() - started, took_s)):
        begun = clock()
        session = DraftingSession(
            model,
            ids[:length],
            (),
            query.sampling,
            query.drafting,
            forgiving=True,
            num_cached=num_cached,
        )
        if session.must_read:
            for _ in session.read():
                yield _progress(query, clock() - started)
        counts_tokens = length <= len(own_ids) or not measured.lengths
        for _ in _steps(session, measured, counts_tokens=counts_tokens):
            yield _progress(query, clock() - started)
        num_cached = length - 1
        plain = DraftingSession(model, ids[:length], (), query.sampling, PLAIN, num_cached=num_cached)
        taken = [plain.step() for _ in range(_PLAIN_STEPS)]
        measured.plain_ms.append(statistics.median(step.verify_ms + step.rest_ms for step in taken[1:]))
        measured.lengths.append(length)
        took_s = clock() - begun
        yield _progress(query, clock() - started)
        length *= 2
    yield _answer(query, measured)


def _is_time(query: Calibrate, elapsed_s: float, took_s: float) -> bool:
    """Say whether twice the length is likely to fit: it takes more than twice what the last one took."""
    return elapsed_s + 2 * _GROWTH * took_s <= query.seconds


def _filled(own_ids: Sequence[int], count: int, loaded: LoadedModel) -> list[int]:
    """Return `count` tokens: the text's own, repeated, or arbitrary ones if there is no text."""
    if count < 1:
        raise EnvironmentProblem("This model's context is too short to be measured.")
    if own_ids:
        return (list(own_ids) * (count // len(own_ids) + 1))[:count]
    never = set(loaded.suppressed)
    usual = [number for number in range(loaded.vocab_size) if number not in never]
    return [usual[(7919 * i * i + 31 * i + 1) % len(usual)] for i in range(count)]


def _steps(session: DraftingSession, measured: _Measured, *, counts_tokens: bool) -> Iterator[None]:
    """Make accelerated steps and note what they took."""
    times: list[float] = []
    while session.num_generated < _FAST_TOKENS or len(times) < 3:
        step = session.step()
        times.append(step.draft_ms + step.verify_ms + step.rest_ms)
        if counts_tokens:
            measured.num_tokens += len(step.token_ids)
            measured.num_steps += 1
        yield
    measured.step_ms.append(statistics.median(times[1:]))


def _progress(query: Calibrate, elapsed_s: float) -> QueryProgressed:
    return QueryProgressed(query.query_id, min(elapsed_s / query.seconds, 1.0))


def _answer(query: Calibrate, measured: _Measured) -> Calibrated:
    is_plain = query.drafting.method == "plain"
    per_pass = measured.num_tokens / measured.num_steps
    points = tuple(
        PacePoint(length, plain_ms, None if is_plain else step_ms / per_pass)
        for length, plain_ms, step_ms in zip(
            measured.lengths, measured.plain_ms, measured.step_ms, strict=True
        )
    )
    p0_ms, p1_ms = fitted([(point.length, point.plain_ms) for point in points])
    return Calibrated(query.query_id, points, p0_ms, p1_ms, per_pass)


def fitted(points: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """Return p0 and p1 of milliseconds = p0 + p1 * length, by least squares; p1 is 0 where it would fall."""
    lengths = np.array([length for length, _ in points], dtype=np.float64)
    times = np.array([taken for _, taken in points], dtype=np.float64)
    if len(points) > 1:
        slope, start = np.polyfit(lengths, times, 1)
        if slope > 0:
            return float(start), float(slope)
    return float(times.mean()), 0.0
