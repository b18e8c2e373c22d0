"""One case of the proof: the same tokens and the same cache, plain and drafted, in one go and resumed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from quire_engine.api.config import PLAIN, DraftingConfig, SamplingConfig
from quire_engine.decoding.token_stream import TokenStream
from quire_engine.models.target_model import Runner
from quire_engine.runtime.loaded_model import LoadedModel, own_cache
from quire_engine.runtime.session import DraftingSession
from tests.benchmarks.engine.methods import read_all
from tests.proofs.engine.adversarial_drafts import MadeUpDrafts
from tests.proofs.engine.cases import SAMPLERS, Case


@dataclass(frozen=True, slots=True)
class EqualityResult:
    """What a case showed.

    Attributes:
        difference: what was not the same, empty when everything was.
        num_tokens, num_caches: tokens and whole caches compared.
        num_accepted: drafts that were right, in the run that was not paused; a proof whose drafts always miss
            proves little.
        place: where the run was resumed.
        seconds: of the run that was not paused, reading included.
    """

    difference: str
    num_tokens: int
    num_caches: int
    num_accepted: int
    num_passes: int
    place: int
    seconds: float = 0.0


class EqualityRun:
    """A run that can be advanced step by step.

    Args:
        source: what writes.
        step: lets it make one step and returns how many drafts were right.
    """

    def __init__(self, source: DraftingSession | TokenStream, step: Callable[[], int]) -> None:
        self._source = source
        self._step = step

    @property
    def generated_ids(self) -> tuple[int, ...]:
        """The generated tokens."""
        return self._source.generated_ids

    @property
    def num_generated(self) -> int:
        """Tokens generated so far."""
        return self._source.num_generated

    def advance(self) -> int:
        """Read what must be read and make one step; return how many drafts were right."""
        read_all(self._source)
        return self._step()


def _planned(
    loaded: LoadedModel,
    prompt_ids: Sequence[int],
    generated_ids: Sequence[int],
    sampling: SamplingConfig,
    drafting: DraftingConfig,
) -> EqualityRun:
    session = DraftingSession(loaded, prompt_ids, generated_ids, sampling, drafting)
    return EqualityRun(session, lambda: len(session.step().accepted_sources))


def _made_up(stream: TokenStream, drafts: MadeUpDrafts, max_nodes: int) -> EqualityRun:
    def step() -> int:
        tree = drafts.draft(stream.last_token, stream.num_generated, stream.draft_room, max_nodes)
        return stream.step(tree).num_accepted

    return EqualityRun(stream, step)


def prove(
    case: Case, loaded: LoadedModel, prompt_ids: Sequence[int], count: int, seed: int
) -> EqualityResult:
    """Write `count` tokens plainly and with the case's drafts, resume at a random place; compare everything.

    Every run has a cache of its own. Where a device does not repeat its bits, near-ties are taken by passes
    of one row: there the text is compared and the cache is not.
    """
    return prove_against(
        write_plainly(loaded, prompt_ids, SAMPLERS[case.sampler], count), case, prompt_ids, count, seed
    )


@dataclass(frozen=True, slots=True)
class Plain:
    """A plain run and the model with its cache: the truth. seconds: until it had what was asked for."""

    run: EqualityRun
    loaded: LoadedModel
    seconds: float


def write_plainly(
    loaded: LoadedModel, prompt_ids: Sequence[int], sampling: SamplingConfig, count: int
) -> Plain:
    """Write `count` tokens plainly, in a cache of its own."""
    started = time.perf_counter()
    model = own_cache(loaded)
    run = _planned(model, prompt_ids, (), sampling, PLAIN)
    advance_to(run, count)
    return Plain(run, model, time.perf_counter() - started)


def prove_resumed_plainly(
    plain: Plain, sampling: SamplingConfig, prompt_ids: Sequence[int], count: int, place: int
) -> tuple[str, bool]:
    """Resume a plain run at a place, without drafts; return what differs and whether caches were compared."""
    model = own_cache(plain.loaded)
    resumed = _planned(model, prompt_ids, plain.run.generated_ids[:place], sampling, PLAIN)
    advance_to(resumed, count)
    return _compare(f"a plain resume at {place}", plain.run, resumed, plain.loaded, model)


def prove_against(
    truth_run: Plain, case: Case, prompt_ids: Sequence[int], count: int, seed: int
) -> EqualityResult:
    """As `prove`, against a plain run that may serve several cases of one sampler, model and format.

    It has `count` tokens or more, by the case's own sampler.
    """
    plain, plain_model = truth_run.run, truth_run.loaded
    drafted_model = own_cache(plain_model)
    truth = plain.generated_ids
    started = time.perf_counter()
    drafted = _run(case, drafted_model, prompt_ids, (), truth, seed)
    num_accepted, num_passes = advance_to(drafted, count)
    seconds = time.perf_counter() - started
    comparisons = [_compare("drafts", plain, drafted, plain_model, drafted_model)]
    place = random.Random(f"{case.key} {seed}").randint(1, count - 1)
    resumed_model = own_cache(plain_model)
    resumed = _run(case, resumed_model, prompt_ids, plain.generated_ids[:place], truth, seed)
    advance_to(resumed, count)
    comparisons.append(_compare(f"a resume at {place}", plain, resumed, plain_model, resumed_model))
    return EqualityResult(
        difference="; ".join(difference for difference, _ in comparisons if difference),
        num_tokens=drafted.num_generated + resumed.num_generated - place,
        num_caches=sum(was_compared for _, was_compared in comparisons),
        num_accepted=num_accepted,
        num_passes=num_passes,
        place=place,
        seconds=seconds,
    )


def advance_to(run: EqualityRun, count: int) -> tuple[int, int]:
    """Let a run write until it has `count` tokens or a few more; return (drafts that were right, passes)."""
    num_accepted = num_passes = 0
    while run.num_generated < count:
        num_accepted += run.advance()
        num_passes += 1
    return num_accepted, num_passes


def _run(
    case: Case,
    loaded: LoadedModel,
    prompt_ids: Sequence[int],
    generated_ids: Sequence[int],
    truth: Sequence[int],
    seed: int,
) -> EqualityRun:
    sampling = SAMPLERS[case.sampler]
    if case.drafts == "planned":
        drafting = DraftingConfig("tokenswift", case.drafters, case.tree, case.partial_budget)
        return _planned(loaded, prompt_ids, generated_ids, sampling, drafting)
    vocab_size = loaded.tokenizer.get_vocab_size()
    drafts = MadeUpDrafts(case.drafts, truth, loaded.suppressed, vocab_size, seed)
    stream = TokenStream(
        loaded.target, prompt_ids, generated_ids, sampling, loaded.suppressed, near_tie=loaded.near_tie
    )
    return _made_up(stream, drafts, loaded.target.width - 1)


def _compare(
    name: str, plain: EqualityRun, other: EqualityRun, plain_model: LoadedModel, other_model: LoadedModel
) -> tuple[str, bool]:
    """Bring the plain run to the other's length; return what differs and whether caches were compared.

    Caches are compared as far as the shorter one reaches; not where the longer run filled its context since,
    because then they hold different views.
    """
    advance_to(plain, other.num_generated)
    wanted, got = plain.generated_ids, other.generated_ids
    for index, (a, b) in enumerate(zip(wanted, got, strict=False)):
        if a != b:
            return f"{name} changed token {index}: {b} instead of {a}", False
    ahead = len(wanted) - len(got)
    if plain_model.near_tie > 0 or plain_model.target.length - other_model.target.length != ahead:
        return "", False
    return _compare_caches(name, plain_model.target, other_model.target), True


def _compare_caches(name: str, plain: Runner, other: Runner) -> str:
    length = other.length
    wanted, got = plain.store.snapshot(), other.store.snapshot()
    if len(wanted) != len(got) or not got:
        return f"{name} left a cache of {len(got)} tensors instead of {len(wanted)}"
    for number, (a, b) in enumerate(zip(wanted, got, strict=True)):
        if not torch.equal(a[:, :length], b[:, :length]):
            changed = int((a[:, :length] != b[:, :length]).sum())
            return f"{name} changed {changed} numbers in tensor {number} of the cache"
    return ""
