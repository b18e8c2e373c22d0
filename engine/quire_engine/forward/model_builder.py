"""From a checked model folder to a pass runner: weights on their devices and the best backend."""

from __future__ import annotations

import contextlib
import gc
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from tokenizers import Tokenizer
from transformers.modeling_utils import PreTrainedModel

from quire_engine.api.config import CacheForm, ModelConfig, number_format
from quire_engine.api.errors import EngineBug, EnvironmentProblem
from quire_engine.api.load_progress import LoadReport, LoadStage
from quire_engine.api.sampling_scale import SamplingScale
from quire_engine.catalog.load_verdicts import LoadVerdict
from quire_engine.catalog.model_families import FUSED_TYPES
from quire_engine.forward import backend_choice, self_test, spare_core, text_sense, thread_choice, yardstick
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.forward.probe_text import natural_ids
from quire_engine.forward.self_test import SelfTest
from quire_engine.forward.text_sense import TextSense
from quire_engine.forward.yardstick import Yardstick
from quire_engine.gpu import multi_gpu
from quire_engine.gpu.static_decoder import DecodeBackend
from quire_engine.models import int8_weights, loading
from quire_engine.models.attention import BLOCK
from quire_engine.models.model_folder import ModelFolder
from quire_engine.models.network import FusedDecoder, LibraryNetwork, Network
from quire_engine.models.target_model import Runner

_log = logging.getLogger(__name__)


class SelfTestFailed(EnvironmentProblem):
    """The model does not compute in this number format what it should."""


MeasureScale = Callable[[Runner], SamplingScale | None]


def _no_scale(_: Runner) -> None:
    return None


@dataclass(frozen=True, slots=True)
class BuildOrder:
    """What is to be built, and what is known of it.

    Attributes:
        config: with width and context decided.
        verdict: of an earlier load under the same conditions, a good one; None: the model is checked.
        report: told how far the work is; may raise to stop it.
        measure_scale: how the model weighs its words, measured with a runner of its own.
    """

    folder: ModelFolder
    tokenizer: Tokenizer
    config: ModelConfig
    dtype: torch.dtype
    device: torch.device
    verdict: LoadVerdict | None
    report: LoadReport
    measure_scale: MeasureScale = _no_scale

    @property
    def vocab_size(self) -> int:
        """Rows of the embedding table."""
        return int(self.folder.config.vocab_size)

    @property
    def number_format(self) -> str:
        """What it computes in, for people and records."""
        return number_format(str(self.dtype).removeprefix("torch."), self.config.weights)

    def checking(self, share: float) -> Callable[[], None]:
        """Return a report of the share of the checks that is done."""
        return lambda: self.report(LoadStage.CHECKING, share)


@dataclass(frozen=True, slots=True)
class BuiltModel:
    """A model in memory.

    Attributes:
        weight_bytes: of its parameters.
        reproducible: its bits repeat.
        threads: of the CPU, as they were chosen.
        scale: as it was measured beside the self-test; None where there was none.
    """

    target: Runner
    num_parameters: int
    weight_bytes: int
    reproducible: bool
    threads: int
    num_cards: int = 1
    scale: SamplingScale | None = None


@dataclass(frozen=True, slots=True)
class _Placed:
    """A model on its devices. yardstick: None where nothing is to be checked."""

    network: Network
    yardstick: Yardstick | None
    num_parameters: int
    weight_bytes: int
    num_cards: int


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A runner that may be used, whether its bits repeat, the number of threads, and the sampling scale."""

    target: PassRunner
    reproducible: bool
    threads: int
    scale: SamplingScale | None = None


_Build = Callable[[DecodeBackend | None, CacheForm], PassRunner]


def build_model(order: BuildOrder) -> BuiltModel:
    """Return the model ready to run; SelfTestFailed when it does not compute what it should."""
    config, folder = order.config, order.folder
    torch.set_num_threads(loading.thread_choices(config.threads)[0])
    # passes of fixed shape know one card, and a cache that is kept as it was computed
    paths = backend_choice.gpu_backends(order.device, order.dtype) if config.cache == "full" else ()
    known = order.verdict
    if known is not None and known.backend not in ("", *(path.name for path in paths)):
        known = None
    if known is not None:
        placed = _place(order, None)
        usable = paths if placed.num_cards == 1 else ()
        return _as_built(placed, _as_known(known, config, _building(order, placed), usable))
    texts = natural_ids(order.tokenizer, order.vocab_size)
    if _may_be_brief(order):
        found = _place_and_check(order, texts[:1], paths)
        if found is not None:
            return found
        _log.info("load: one text left the self-test of %s undecided", folder.path)
        gc.collect()  # before the weights are read again
    found = _place_and_check(order, texts, paths)
    if found is None:
        raise EngineBug("all texts left a self-test undecided")
    return found


def _may_be_brief(order: BuildOrder) -> bool:
    """Say whether one text may decide the self-test: on a CPU it takes seconds, and a mixture of experts is
    judged by its middle token, which needs many."""
    return order.device.type == "cpu" and not order.folder.is_mixture


def _place_and_check(
    order: BuildOrder, texts: Sequence[Sequence[int]], paths: Sequence[DecodeBackend]
) -> BuiltModel | None:
    """Return a model that was judged on texts; None where they are too few to decide."""
    placed = _place(order, texts)
    chosen = _check(order, placed.yardstick, _building(order, placed), paths if placed.num_cards == 1 else ())
    return None if chosen is None else _as_built(placed, chosen)


def _building(order: BuildOrder, placed: _Placed) -> _Build:
    """Return what makes runners over a model."""
    config = order.config
    context_length = min(order.folder.context_length, config.context // BLOCK * BLOCK)

    def build(fast: DecodeBackend | None, form: CacheForm) -> PassRunner:
        padded = config.reproducible
        return PassRunner(placed.network, config.width, context_length, padded=padded, fast=fast, form=form)

    return build


def _as_built(placed: _Placed, chosen: _Chosen) -> BuiltModel:
    return BuiltModel(
        target=chosen.target,
        num_parameters=placed.num_parameters,
        weight_bytes=placed.weight_bytes,
        reproducible=chosen.reproducible,
        threads=chosen.threads,
        num_cards=placed.num_cards,
        scale=chosen.scale,
    )


def _as_known(
    known: LoadVerdict, config: ModelConfig, build: _Build, paths: Sequence[DecodeBackend]
) -> _Chosen:
    """Return what an earlier load chose."""
    path = next((path for path in paths if path.name == known.backend), None)
    threads = config.threads or known.threads or torch.get_num_threads()
    torch.set_num_threads(threads)
    target = build(None if path is None else replace(path, is_proven=True), config.cache)
    return _Chosen(target, known.reproducible, threads)


def _check(
    order: BuildOrder, yardstick: Yardstick | None, build: _Build, paths: Sequence[DecodeBackend]
) -> _Chosen | None:
    """Return the fastest runner that computes the model; None where the texts are too few to decide.

    SelfTestFailed if none does.
    """
    if yardstick is None:
        raise EngineBug("a model that nothing is known of was not measured")
    config = order.config

    def check(runner: PassRunner) -> SelfTest:
        return self_test.run_self_test(runner, yardstick, order.vocab_size, order.checking(0.6))

    trial = backend_choice.Trial(lambda fast: build(fast, "full"), check, yardstick, config.reproducible)
    found = backend_choice.fastest_that_passes(trial, paths)
    threads, scale = torch.get_num_threads(), None
    if found is None:
        target = build(None, "full")
        choices = loading.thread_choices(config.threads)
        with _timed("choosing the number of threads"):
            text = yardstick.texts[0]
            threads = thread_choice.fastest_threads(target, text, choices, order.checking(0.5))
        own = build(None, "full")
        with (
            _timed("self-test"),
            spare_core.beside(lambda: order.measure_scale(own), order.device) as measured,
        ):
            found = target, check(target)
        scale = measured.result()
    target, result = found
    if not result.deviation.is_clear:
        return None
    if not result.matches:
        _log.warning("%s in %s failed its self-test: %s", order.folder.path, order.number_format, result)
        raise SelfTestFailed(
            "Quire doesn't compute the model in {folder} correctly in {number_format}, so it can't be used. "
            "Choose another model, or look for a newer version of Quire.",
            folder=order.folder.path,
            number_format=order.number_format,
        )
    _log.info("%s in %s passed its self-test: %s", order.folder.path, order.number_format, result)
    reproducible = result.reproducible and config.reproducible
    if config.cache != "full":  # the library computes as the full form does; the law must hold in each
        target = build(None, config.cache)
        reproducible = check(target).reproducible and reproducible
    return _Chosen(target, reproducible, threads, scale)


def _place(order: BuildOrder, texts: Sequence[Sequence[int]] | None) -> _Placed:
    """Load the weights and move them to their devices; measure what the library scores on texts, if any."""
    folder, config, device = order.folder, order.config, order.device
    fused = folder.config.model_type in FUSED_TYPES and folder.config.hidden_act == "silu"
    with _timed("reading the weights"):
        model = loading.build_model(
            folder, order.dtype, None, config.weights, lambda share: order.report(LoadStage.WEIGHTS, share)
        )
    free = multi_gpu.free_on_cards() if device.type == "cuda" else ()
    cards = multi_gpu.cards_for(model, device, free, can_be_cut=fused)
    if not cards:
        multi_gpu.move(model, device)
    num_parameters = sum(parameter.numel() for parameter in model.parameters())
    weight_bytes = int8_weights.num_bytes(model)
    measured = None if texts is None else _measure(order, model, texts)
    if cards:  # only now: the library's own pass knows one device
        multi_gpu.spread(model, cards)
    with _timed("arranging the weights"):
        network = FusedDecoder(model, config.width, take_apart=True) if fused else LibraryNetwork(model)
    return _Placed(network, measured, num_parameters, weight_bytes, max(cards, default=0) + 1)


def _measure(order: BuildOrder, model: PreTrainedModel, texts: Sequence[Sequence[int]]) -> Yardstick:
    """Return what the library scores on texts, or on all of them where those say too little.

    EnvironmentProblem when it makes no sense.
    """
    order.checking(0.0)()
    with _timed("scoring text by the library"):
        rows = text_sense.some_rows(model)
        found = _scores_by_library(order, model, texts)
        sense = text_sense.sense_in(rows, found)
        if sense is TextSense.UNCLEAR:
            found = _scores_by_library(order, model, natural_ids(order.tokenizer, order.vocab_size))
            sense = text_sense.sense_in(rows, found)
    if sense is TextSense.NONSENSE:
        raise EnvironmentProblem(
            "The model in {folder} can't be used: it can't make sense of ordinary text. Its tokenizer.json "
            "belongs to another model, or its weights are damaged. Download it again, or choose another one.",
            folder=order.folder.path,
        )
    return found


def _scores_by_library(
    order: BuildOrder, model: PreTrainedModel, texts: Sequence[Sequence[int]]
) -> Yardstick:
    routed = order.folder.is_mixture
    return yardstick.measure(model, texts, order.dtype, routed=routed, report=order.checking(0.2))


@contextlib.contextmanager
def _timed(what: str) -> Iterator[None]:
    started = time.perf_counter()
    yield
    _log.info("load: %s took %.2f s", what, time.perf_counter() - started)
