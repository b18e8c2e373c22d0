"""Build a model in the number format in which it computes correctly, and keep what was found out."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from tokenizers import Tokenizer

from quire_engine.api.config import ModelConfig
from quire_engine.api.load_progress import LoadReport, unreported
from quire_engine.api.sampling_scale import SamplingScale
from quire_engine.api.user_message import UserMessage, joined
from quire_engine.catalog.load_verdicts import LoadVerdict, LoadVerdicts, PassCosts, conditions_key
from quire_engine.catalog.processor import processor_name
from quire_engine.forward import integer_build, model_builder, pass_timing
from quire_engine.forward.model_builder import BuildOrder, BuiltModel, MeasureScale, SelfTestFailed
from quire_engine.forward.pass_timing import LONG_CONTEXT
from quire_engine.models import loading, memory_footprint
from quire_engine.models.model_folder import ModelFolder
from quire_engine.models.target_model import Runner
from quire_engine.runtime import sampling_scale

_SELF_TEST = 1
"""Version of what is tested; a verdict of another one is not used."""
_IN_FLOAT32 = UserMessage(
    "This model doesn't compute correctly in bfloat16 on this computer, so it was loaded in float32. It "
    "takes twice the memory and is slower."
)
_TOO_FAR = UserMessage("Fast mode would change this model's words too much.")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CheckedModel:
    """A model in memory that passed its self-test, now or in an earlier load.

    Attributes:
        dtype: what it computes in.
        notice: for the writer; empty where it is what was asked for.
    """

    built: BuiltModel
    dtype: torch.dtype
    number_format: str
    pass_costs: PassCosts
    workspace_bytes: int
    notice: str = ""


def load_checked(
    folder: ModelFolder,
    tokenizer: Tokenizer,
    config: ModelConfig,
    dtype: torch.dtype,
    device: torch.device,
    report: LoadReport,
    measure: MeasureScale | None = None,
) -> CheckedModel:
    """Build a model, in float32 where it fails in a smaller format; SelfTestFailed where that fails too.

    config: with width and context decided; measure: how it weighs its words, where not as usual.
    """
    vocab_size = int(folder.config.vocab_size)

    def measure_scale(runner: Runner) -> SamplingScale | None:
        return sampling_scale.measure_scale(runner, tokenizer, vocab_size)

    order = BuildOrder(folder, tokenizer, config, dtype, device, None, report, measure or measure_scale)
    if dtype == torch.int8:
        return _in_integers(order)
    try:
        return _load(order)
    except SelfTestFailed:
        if dtype == torch.float32:
            raise
        _log.warning("%s is loaded in float32 instead.", folder.path)
    try:
        return replace(_load(replace(order, dtype=torch.float32)), notice=_IN_FLOAT32)
    except SelfTestFailed as failed:
        raise SelfTestFailed(
            "Quire doesn't compute the model in {folder} correctly, neither in bfloat16 nor in float32, so "
            "it can't be used. Choose another model, or look for a newer version of Quire.",
            folder=folder.path,
        ) from failed


def _in_integers(order: BuildOrder) -> CheckedModel:
    """Build a model in integers, or in the usual format with a sentence where that can't be."""
    try:
        integer_build.check_support(order.folder, order.device)
        return _load(order)
    except integer_build.NotInIntegers as problem:
        why = problem.message
    except SelfTestFailed:
        why = _TOO_FAR
    config = order.config
    usual = loading.choose_dtype("auto", order.device)
    checked = load_checked(
        order.folder, order.tokenizer, config, usual, order.device, order.report, order.measure_scale
    )
    said = UserMessage(
        "The model was loaded in {number_format}: it drafts more slowly, and its weights take {size:.1f} GB.",
        number_format=checked.number_format,
        size=checked.built.weight_bytes / 1e9,
    )
    return replace(checked, notice=joined(why, said, checked.notice))


def _load(order: BuildOrder) -> CheckedModel:
    """Load in one format: by the verdict of an earlier load, or with a new one that is kept."""
    folder, conditions = order.folder, _conditions(order)
    known = _known(order)
    if known is not None and not known.is_usable:
        raise SelfTestFailed(known.problem)
    try:
        build = integer_build.build_model if order.dtype == torch.int8 else model_builder.build_model
        built = build(replace(order, verdict=known))
    except SelfTestFailed as failed:
        verdict = LoadVerdict(folder.fingerprint, order.number_format, failed.message)
        _verdicts(order).keep(conditions_key(folder.fingerprint, conditions), verdict)
        raise
    started = time.perf_counter()
    config, sizes = folder.config, (order.dtype, order.device, order.config.width)
    with memory_footprint.workspace(config, *sizes) as workspace:
        costs = known.pass_costs if known is not None and order.device.type == "cpu" else ()
        costs = costs or pass_timing.measure_passes(built.target, order.vocab_size)
    if not built.target.store.saved_parts(1):  # of a known model no pass was needed yet
        built.target.prefill([0])  # which tells the store its shapes, and so what it takes
        built.target.reset()
    _log.info("load: timing passes took %.2f s", time.perf_counter() - started)
    if known is None:
        verdict = LoadVerdict(
            fingerprint=folder.fingerprint,
            number_format=order.number_format,
            reproducible=built.reproducible,
            threads=built.threads,
            backend=built.target.kernels,
            pass_costs=costs,
        )
        _verdicts(order).keep(conditions_key(folder.fingerprint, conditions), verdict)
    return CheckedModel(built, order.dtype, order.number_format, costs, workspace.num_bytes)


def known_pass_costs(
    folder: ModelFolder, tokenizer: Tokenizer, config: ModelConfig, dtype: torch.dtype, device: torch.device
) -> PassCosts:
    """Return what passes cost in an earlier load of the same kind; nothing where there was none."""
    known = _known(BuildOrder(folder, tokenizer, config, dtype, device, None, unreported))
    return () if known is None else known.pass_costs


def _known(order: BuildOrder) -> LoadVerdict | None:
    """Return the verdict of an earlier load under the same conditions."""
    folder = order.folder
    if not folder.pending.is_known:  # a digest that must be computed first takes longer than most checks
        return None
    return _verdicts(order).find(conditions_key(folder.fingerprint, _conditions(order)))


def _verdicts(order: BuildOrder) -> LoadVerdicts:
    return LoadVerdicts(Path(order.config.cache_folder) if order.config.cache_folder else None)


def _conditions(order: BuildOrder) -> tuple[object, ...]:
    """Return what a verdict depends on, besides the model."""
    config, device = order.config, order.device
    chip = processor_name()
    if device.type == "cuda":
        chip = f"{chip}, {torch.cuda.get_device_name(device)}, CUDA {torch.version.cuda}"
    return (
        integer_build.version() if order.dtype == torch.int8 else _SELF_TEST,
        order.number_format,
        device.type,
        config.width,
        config.reproducible,
        config.cache,
        config.threads,
        min(config.context, LONG_CONTEXT),
        loading.software_versions(),
        chip,
        torch.backends.cpu.get_cpu_capability(),
        loading.thread_choices(config.threads) if device.type == "cpu" else (),
    )
