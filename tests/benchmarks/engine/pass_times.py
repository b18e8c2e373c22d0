"""How long passes, whole steps and drafts take over a cache of a given length, beside what they must cost.

Every round reads a large buffer before it times anything, so that a pass is compared with the bandwidth that
the machine had at that moment.
"""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.decoding.token_stream import TokenStream
from quire_engine.drafting.draft_heads import HeadsDrafter
from quire_engine.drafting.drafter import DrafterInput, Observed
from quire_engine.drafting.feature_drafter import FeatureDrafter
from quire_engine.drafting.paper.partial_cache_drafter import PartialDrafter
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.gpu.static_decoder import DecodeBackend
from quire_engine.models.attention import BLOCK
from quire_engine.models.network import Network
from tests.benchmarks.engine.device_limits import Clock, Reader
from tests.benchmarks.engine.model_shapes import Shape, Work
from tests.benchmarks.engine.pass_profile import PassPart, parts_of
from tests.benchmarks.engine.random_models import RandomNumbers, fill_store, random_feature, random_heads

PASS, PLAIN_STEP, VERIFY_STEP = "pass", "plain step", "verify step"
PARTIAL, SELECTION, HEADS = "partial draft", "partial draft, keys chosen anew", "heads draft"
ROOT_LEVEL, LEVEL = "feature drafter, root", "feature drafter, level"
MAX_ROUNDS = 25
"""Rounds of one measurement: with two tokens in each of them, a text stays within its block of 64."""
_WARM_UP = 2
_LEVEL_NODES = 4  # of a usual level of a draft tree
_SPARE = 4 * BLOCK


@dataclass(frozen=True, slots=True)
class Timing:
    """One thing that was timed: medians over the rounds.

    Attributes:
        rows: of the pass, or nodes of the level.
        ms, low_ms, high_ms: the median and the quartiles.
        best_ms: of the fastest round.
        work: what it must cost at the least.
        ratio: its time over the bandwidth roofline of the same round.
        calls: operations that a pass hands to the device, views not counted; 0 where not counted.
        parts: where the time of a pass goes, if that was asked for.
    """

    kind: str
    rows: int
    length: int
    ms: float
    low_ms: float
    high_ms: float
    best_ms: float
    work: Work
    ratio: float
    calls: int = 0
    parts: tuple[PassPart, ...] = ()

    def report(self) -> dict[str, Any]:
        """Return it for a JSON report."""
        return asdict(self)


def find(timings: Sequence[Timing], kind: str, rows: int, length: int) -> Timing:
    """Return the timing of a kind; StopIteration where there is none."""
    return next(t for t in timings if (t.kind, t.rows, t.length) == (kind, rows, length))


@dataclass(frozen=True, slots=True)
class Setup:
    """What is measured: a shape with as many layers as the model has, on a device.

    Attributes:
        width: rows of the passes that Quire writes with there.
        budget: positions of the partial cache.
        parts: tell where the time of the passes goes that plain steps make.
        fast: the decode backend, as a load would choose it; None: the portable passes.
    """

    shape: Shape
    device: torch.device
    dtype: torch.dtype
    numbers: RandomNumbers
    clock: Clock
    reader: Reader
    rounds: int
    width: int
    budget: int
    seed: int
    parts: bool = False
    fast: DecodeBackend | None = None

    @property
    def sampling(self) -> SamplingConfig:
        """The rules that steps draw by: Quire's own defaults."""
        return SamplingConfig(seed=self.seed)

    def timing(self, kind: str, rows: int, length: int, work: Work, action: Callable[[], float]) -> Timing:
        """Time an action, which returns its own seconds, as often as asked; the first times do not count."""
        for _ in range(_WARM_UP):
            action()
        taken: list[float] = []
        ratios: list[float] = []
        for _ in range(self.rounds):
            speed = self.reader.read()
            taken.append(1e3 * action())
            ratios.append(taken[-1] / work.memory_ms(speed))
        low, middle, high = statistics.quantiles(taken, n=4) if len(taken) > 1 else taken * 3
        return Timing(kind, rows, length, middle, low, high, min(taken), work, statistics.median(ratios))


def time_rows(setup: Setup, network: Network, rows: int, lengths: Sequence[int]) -> Iterator[Timing]:
    """Time passes of so many rows, and whole steps with them, at ascending lengths that are whole blocks.

    Where the rows are those that Quire writes with, plain steps and every kind of draft are timed too.
    """
    runner = PassRunner(network, rows, lengths[-1] + _SPARE, fast=setup.fast)
    runner.store.reserve(lengths[-1] + _SPARE)
    for length in lengths:
        fill_store(runner.store, setup.shape, setup.shape.num_layers, length, setup.numbers, _SPARE)
        yield _time_pass(setup, runner, rows, length)
        if rows in (1, setup.width):
            yield _time_step(setup, runner, PLAIN_STEP, 1, length)
        if rows > 1:
            yield _time_step(setup, runner, VERIFY_STEP, rows, length)
        if rows == setup.width:
            yield from _time_drafts(setup, runner, length)
        runner.rewind(length)
    runner.release()


def time_scores(setup: Setup, network: Network, rows: int) -> float:
    """Return the milliseconds of what is behind the layers: the scores of all tokens, for so many rows."""
    hidden = setup.numbers.of(rows, setup.shape.hidden_size)
    times = [setup.clock.seconds(lambda: network.logits(hidden)) for _ in range(_WARM_UP + setup.rounds)]
    return 1e3 * statistics.median(times[_WARM_UP:])


class _Calls(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch types it not
    """Counts the operations that are handed to the device."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.count = 0

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Count a call and make it."""
        del types
        returned = func._schema.returns
        views = any(r.alias_info is not None and not r.alias_info.is_write for r in returned)
        self.count += not views
        return func(*args, **(kwargs or {}))


def _time_pass(setup: Setup, runner: PassRunner, rows: int, length: int) -> Timing:
    """Time the pass alone: no drawing, and the scores stay on the device."""
    tokens, parents = _star(setup, rows)
    work = setup.shape.pass_work(rows, length, setup.dtype.itemsize)
    timing = setup.timing(
        *(PASS, rows, length, work),
        lambda: setup.clock.seconds(lambda: runner.decode(tokens, parents)),
    )
    with _Calls() as calls:
        runner.decode(tokens, parents)
    parts: tuple[PassPart, ...] = ()
    if setup.parts and rows in (1, setup.width):
        # plain: of a wide pass one row is real
        parts = parts_of(lambda: runner.decode(tokens[:1], parents[:1]), setup.device)
    return dataclasses.replace(timing, calls=calls.count, parts=parts)


def _star(setup: Setup, rows: int) -> tuple[list[int], list[int]]:
    """Return a root with as many draft tokens below it as there is room for: tokens and parents."""
    vocab_size = setup.shape.vocab_size
    return [(7919 * node) % vocab_size for node in range(rows)], [-1, *[ROOT] * (rows - 1)]


def _time_step(setup: Setup, runner: PassRunner, kind: str, nodes: int, length: int) -> Timing:
    """Time whole steps of a run: the pass, its scores on their way to the host, and the drawing."""
    ids = [place % setup.shape.vocab_size for place in range(length + 1)]
    stream = TokenStream(runner, ids, (), setup.sampling, (), num_cached=length)

    def step() -> float:
        tree = DraftTree(stream.last_token)
        for token in _star(setup, nodes)[0][1:]:
            tree.add_child(ROOT, token)
        return setup.clock.seconds(lambda: stream.step(tree))

    work = setup.shape.pass_work(nodes, length, setup.dtype.itemsize)
    timing = setup.timing(kind, runner.width, length, work, step)
    runner.rewind(length)
    return timing


def _time_drafts(setup: Setup, runner: PassRunner, length: int) -> Iterator[Timing]:
    yield from _time_partial(setup, runner, length)
    yield _time_heads(setup, runner, length)
    yield from _time_feature(setup, runner, length)


def _request(setup: Setup, runner: PassRunner) -> DrafterInput:
    window = np.arange(min(512, setup.shape.vocab_size), dtype=np.int64)
    return DrafterInput(0, runner.length, setup.sampling, window, max_depth=8)


def _time_partial(setup: Setup, runner: PassRunner, length: int) -> Iterator[Timing]:
    """Time the paper's draft pass, and the one in which it chooses its keys again (once in many steps)."""
    drafter = PartialDrafter(runner, random_heads(setup.shape, setup.numbers), setup.budget)
    work = setup.shape.partial_work(length, setup.budget, setup.dtype.itemsize)
    runner.record_queries = True  # which choose the keys

    def draft() -> float:
        runner.decode([0], [-1])
        runner.commit([ROOT])
        request = _request(setup, runner)
        return setup.clock.seconds(lambda: drafter.begin(request))

    def draft_anew() -> float:
        drafter.reset()
        return draft()

    yield setup.timing(PARTIAL, 1, length, work, draft)
    if length > setup.budget:
        # every key is scored, the selected ones are copied
        anew = Work(setup.shape.cache_bytes(setup.dtype.itemsize) * (length // 2 + 2 * setup.budget), 0)
        yield setup.timing(SELECTION, 1, length, work + anew, draft_anew)
    runner.record_queries = False
    runner.rewind(length)


def _time_heads(setup: Setup, runner: PassRunner, length: int) -> Timing:
    """Time the paper's heads on the hidden state that a pass left: no second forward."""
    drafter = HeadsDrafter(runner.network, random_heads(setup.shape, setup.numbers))
    drafter.observe(Observed([0], setup.numbers.of(1, setup.shape.hidden_size)))
    request = _request(setup, runner)
    work = setup.shape.heads_work(setup.dtype.itemsize)
    return setup.timing(HEADS, 3, length, work, lambda: setup.clock.seconds(lambda: drafter.begin(request)))


def _time_feature(setup: Setup, runner: PassRunner, length: int) -> Iterator[Timing]:
    """Time the first level of the feature drafter, after a step that brought two tokens, and a deeper one."""
    drafter = FeatureDrafter(runner.network, random_feature(setup.shape, setup.numbers))
    hidden = setup.numbers.of(BLOCK, setup.shape.hidden_size)
    drafter.observe(Observed([0] * BLOCK, hidden))
    tree = DraftTree(0)
    level = [tree.add_child(ROOT, 1 + token) for token in range(_LEVEL_NODES)]
    itemsize = setup.dtype.itemsize

    def root_level() -> float:
        drafter.observe(Observed([0, 0], hidden[:2]))
        request = _request(setup, runner)

        def both() -> None:
            drafter.begin(request)
            drafter.expand(tree, [ROOT])

        return setup.clock.seconds(both)

    def deeper_level() -> float:
        return setup.clock.seconds(lambda: drafter.expand(tree, level))

    yield setup.timing(ROOT_LEVEL, 1, length, setup.shape.root_level_work(itemsize), root_level)
    yield setup.timing(
        LEVEL, _LEVEL_NODES, length, setup.shape.level_work(_LEVEL_NODES, itemsize), deeper_level
    )
