"""A model that computes in integers: from its folder, or from what an earlier load made of it.

The self-test has the promise of this form: on natural text the next token's probabilities are near those of
float32, and a token leaves the same bits however it is read. A model whose integers are too far from it is
computed in floating point instead.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from transformers import PreTrainedModel

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.load_progress import LoadStage
from quire_engine.catalog.safetensors_header import read_header
from quire_engine.forward import text_sense
from quire_engine.forward.model_builder import BuildOrder, BuiltModel, SelfTestFailed
from quire_engine.forward.probe_text import JUDGED, READ, natural_ids
from quire_engine.forward.text_sense import TextSense
from quire_engine.forward.yardstick import Yardstick
from quire_engine.models import loading
from quire_engine.models.attention import BLOCK
from quire_engine.models.model_folder import ModelFolder
from quire_engine.models.reference_scores import in_float32, library_scores

if TYPE_CHECKING:
    from quire_engine.integer.integer_runner import IntegerRunner
    from quire_engine.integer.stored_weights import IntegerForm

MOST_DIVERGENCE = 0.02
"""Nats by which the next token's probabilities may diverge from float32, on average over natural text."""
_SELF_TEST = 1
_TREE = (-1, 0, 0, 1, 1, 2, 3, 5)
_WIDTHS = (1, 3)
"""Nodes of the passes that are compared with those of full width."""

_log = logging.getLogger(__name__)


class NotInIntegers(EnvironmentProblem):
    """This model can't be computed in integers, or not on this computer; the message says why."""


@dataclass(frozen=True, slots=True)
class IntegerTest:
    """The result of the self-test.

    Attributes:
        divergence: mean Kullback-Leibler divergence from float32, in nats.
        nats: by how much the mean loss of a token is larger than in float32.
        repeats: a token left the same bits however it was read.
    """

    divergence: float
    nats: float
    repeats: bool

    @property
    def holds(self) -> bool:
        """Whether the model may be used in this form."""
        return self.repeats and self.divergence <= MOST_DIVERGENCE  # false for a NaN


def has_form(folder: ModelFolder, device: torch.device) -> bool:
    """Say whether this model is computed in integers on this device."""
    try:
        check_support(folder, device)
    except NotInIntegers as problem:
        _log.info("%s: %s", folder.path, problem)
        return False
    return True


def check_support(folder: ModelFolder, device: torch.device) -> None:
    """Raise NotInIntegers where a model can't be computed in integers here."""
    if device.type != "cpu":
        raise NotInIntegers("Fast mode works on a processor, not on a graphics card.")
    try:
        # compiles nothing, but needs numba and a folder for what it will compile
        importlib.import_module("quire_engine.integer.integer_runner")
        from quire_engine.integer.family_traits import unsupported_reason
    except Exception as error:
        _log.warning("integer passes can't be used here", exc_info=True)
        said = " ".join(str(error).split())[:200] or type(error).__name__
        raise NotInIntegers("Fast mode can't be used on this computer ({reason}).", reason=said) from error
    if (reason := unsupported_reason(folder.config)) is not None:
        _log.info("%s: %s", folder.path, reason)
        raise NotInIntegers("Fast mode isn't available for models of this family yet.")


def version() -> str:
    """Return the version of kernels and self-test; a verdict of another one is not used."""
    from quire_engine.integer.integer_runner import KERNELS

    return f"{KERNELS}, self-test {_SELF_TEST}"


def build_model(order: BuildOrder) -> BuiltModel:
    """Return the model ready to run; SelfTestFailed when it is not near enough to itself in float32."""
    from quire_engine.integer.compile_progress import compiling
    from quire_engine.integer.kernel_process import ensure_compiled
    from quire_engine.integer.stored_weights import StoredWeights

    config, folder = order.config, order.folder
    torch.set_num_threads(loading.thread_choices(config.threads)[0])
    stored = StoredWeights(Path(config.cache_folder) if config.cache_folder else None)

    def preparing(share: float) -> None:
        order.report(LoadStage.PREPARING, share)

    ensure_compiled(preparing)
    with compiling(preparing):
        form = stored.find(folder.fingerprint) if folder.pending.is_known else None
        if form is None or order.verdict is None:
            form = _checked_form(order, form)
            stored.keep(folder.fingerprint, form)
        runner = _runner_of(order, form)
    return BuiltModel(
        target=runner,
        num_parameters=folder.num_parameters,
        weight_bytes=form.weights.num_bytes,
        reproducible=True,
        threads=torch.get_num_threads(),
        loss_nats=None if form.quality is None else form.quality.nats,
    )


def _runner_of(order: BuildOrder, form: IntegerForm) -> IntegerRunner:
    from quire_engine.integer.integer_runner import IntegerRunner

    context_length = min(order.folder.context_length, order.config.context // BLOCK * BLOCK)
    return IntegerRunner(form.weights, order.config.width, context_length, torch.get_num_threads())


def _checked_form(order: BuildOrder, known: IntegerForm | None) -> IntegerForm:
    """Return the model in integers, with its quality; SelfTestFailed where it is not good enough.

    known: its integers, if they are there already.
    """
    from quire_engine.forward.digit_choice import choose_digits
    from quire_engine.integer.integer_weights import integer_weights
    from quire_engine.integer.stored_weights import IntegerForm, Quality

    folder = order.folder
    model = loading.build_model(
        folder, _own_dtype(folder), None, "full", lambda share: order.report(LoadStage.WEIGHTS, share)
    )
    texts = natural_ids(order.tokenizer, order.vocab_size)
    wanted = _wanted(order, model, texts)
    if known is None:
        weights = integer_weights(model, take_apart=True)
        choose_digits(weights, texts, lambda share: order.report(LoadStage.CHECKING, 0.3 + 0.4 * share))
    else:
        weights = known.weights
    del model
    runner = _runner_of(order, IntegerForm(weights))
    result = check_passes(runner, texts, wanted, order.checking(0.8))
    _log.info("%s in int8: %s", folder.path, result)
    if not result.holds:
        raise SelfTestFailed(
            "Quire doesn't compute the model in {folder} correctly in {number_format}, so it can't be used. "
            "Choose another model, or look for a newer version of Quire.",
            folder=folder.path,
            number_format=order.number_format,
        )
    return IntegerForm(weights, Quality(result.nats, result.divergence, len(wanted)))


def _own_dtype(folder: ModelFolder) -> torch.dtype:
    """Return the smallest format that loses nothing of the weights; the same on every computer.

    It only holds them: what is computed with them here is computed in float32.
    """
    kinds = {each.dtype for file in folder.weights for each in read_header(file).values()}
    if {"F32", "F64"} & kinds or {"F16", "BF16"} <= kinds:
        return torch.float32
    return torch.float16 if "F16" in kinds else torch.bfloat16


def _wanted(order: BuildOrder, model: PreTrainedModel, texts: Sequence[Sequence[int]]) -> Tensor:
    """Return what the library scores in float32; EnvironmentProblem when that makes no sense."""
    order.checking(0.0)()
    with in_float32(model, order.checking(0.2)):
        wanted = library_scores(model, texts, JUDGED).flatten(0, 1)
    found = Yardstick(tuple(tuple(text) for text in texts), wanted, None, torch.float32)
    if text_sense.sense_in(model, found) is TextSense.NONSENSE:
        raise EnvironmentProblem(
            "The model in {folder} can't be used: it can't make sense of ordinary text. Its tokenizer.json "
            "belongs to another model, or its weights are damaged. Download it again, or choose another one.",
            folder=order.folder.path,
        )
    return wanted


def check_passes(
    runner: IntegerRunner,
    texts: Sequence[Sequence[int]],
    wanted: Tensor,
    report: Callable[[], None] = lambda: None,
) -> IntegerTest:
    """Judge passes over natural text, and compare them with one another.

    Args:
        wanted: float32 (positions of all texts, vocab): the model's scores of the last JUDGED positions.
        report: called now and then; may raise to stop.
    """
    scores: list[Tensor] = []
    for text in texts:
        report()
        scores.append(_read(runner, text, runner.width))
    report()
    found = torch.cat(scores).double().log_softmax(-1)
    right = wanted.double().log_softmax(-1)
    divergence = float((right.exp() * (right - found)).sum(-1).mean())
    nats: list[Tensor] = []
    for place, text in enumerate(texts):
        following = torch.tensor(list(text[READ + 1 :]))
        rows = slice(place * JUDGED, place * JUDGED + JUDGED - 1)
        nats.append((right[rows] - found[rows]).gather(1, following[:, None]))
    repeats = _repeats(runner, texts[-1], scores[-1]) and _tree_repeats(runner, texts[0])
    runner.reset()
    return IntegerTest(divergence, float(torch.cat(nats).mean()), repeats)


def _read(runner: IntegerRunner, text: Sequence[int], width: int) -> Tensor:
    """Read the start of a text and decode the rest by passes of this many nodes: (JUDGED, vocab)."""
    runner.reset()
    runner.prefill(text[:READ])
    scores: list[Tensor] = []
    while (done := runner.length) < READ + JUDGED:
        room = min(width, READ + JUDGED - done)
        scores.append(runner.decode(text[done : done + room], range(-1, room - 1)))
        runner.commit(range(room))
    return torch.cat(scores)


def _repeats(runner: IntegerRunner, text: Sequence[int], scores: Tensor) -> bool:
    """Say whether passes of other widths, and a chunk, leave the bits of those that just read a text."""
    cache = runner.store.snapshot()
    for width in _WIDTHS:
        if not torch.equal(_read(runner, text, min(width, runner.width)), scores) or not _same(runner, cache):
            return False
    runner.reset()
    runner.prefill(text)
    return _same(runner, cache)


def _tree_repeats(runner: IntegerRunner, text: Sequence[int]) -> bool:
    """Say whether a path through a tree leaves the bits of plain passes."""
    count = min(runner.width, len(_TREE))
    path = [node for node in (0, 2, 5, 7) if node < count]
    runner.reset()
    runner.prefill(text[:READ])
    scores = runner.decode(text[READ : READ + count], _TREE[:count])[path]
    runner.commit(path)
    cache = runner.store.snapshot()
    runner.rewind(READ)
    plain: list[Tensor] = []
    for node in path:
        plain.append(runner.decode([text[READ + node]], [-1]))
        runner.commit([0])
    return torch.equal(torch.cat(plain), scores) and _same(runner, cache)


def _same(runner: IntegerRunner, cache: Sequence[Tensor]) -> bool:
    return all(torch.equal(a, b) for a, b in zip(runner.store.snapshot(), cache, strict=True))
