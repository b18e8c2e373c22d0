"""A model that computes in integers.

The self-test has the promise of this form: on natural text the next token's probabilities are near those of
float32, and a token leaves the same bits however it is read. A model whose integers are too far from it is
computed in floating point instead.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.load_progress import LoadStage
from quire_engine.forward import text_sense
from quire_engine.forward.model_builder import BuildOrder, BuiltModel, SelfTestFailed
from quire_engine.forward.probe_text import JUDGED, READ, natural_ids
from quire_engine.forward.text_sense import TextSense
from quire_engine.forward.yardstick import Yardstick
from quire_engine.models import loading
from quire_engine.models.attention import BLOCK
from quire_engine.models.model_folder import ModelFolder
from quire_engine.models.reference_scores import in_digits, library_scores

if TYPE_CHECKING:
    from quire_engine.integer.block_model import BlockModel
    from quire_engine.integer.integer_runner import IntegerRunner

MOST_DIVERGENCE = 0.02
"""Nats by which the next token's probabilities may diverge from float32, on average over natural text."""
_MOST_TIMES = 3.0
"""Largest error of a sound model, as a multiple of the library's with rounded inputs."""
_SELF_TEST = 3
_TREE = (-1, 0, 0, 1, 1, 2, 3, 5)
_MORE_IDS = 256
"""Ids scored in addition to those of the texts."""
_SAMPLE_CONTEXT = 4 * BLOCK
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
        usual: the same of the library, where only the inputs of its linear layers are digits.
        repeats: a token left the same bits however it was read.
    """

    divergence: float
    usual: float
    repeats: bool

    @property
    def holds(self) -> bool:
        """Whether the model may be used in this form."""
        most = MOST_DIVERGENCE + _MOST_TIMES * self.usual
        return self.repeats and self.divergence <= most  # false for a NaN


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
    from quire_engine.integer.block_model import assemble
    from quire_engine.integer.block_packing import NotFinite
    from quire_engine.integer.compile_progress import compiling
    from quire_engine.integer.family_parts import model_parts
    from quire_engine.integer.kernel_process import ensure_compiled

    config, folder = order.config, order.folder
    torch.set_num_threads(loading.thread_choices(config.threads)[0])

    def preparing(share: float) -> None:
        order.report(LoadStage.PREPARING, share)

    ensure_compiled(preparing)
    with compiling(preparing):
        if order.verdict is None:
            _check_layers(order)
        parts = model_parts(folder.tensors, folder.config)
        try:
            packed = assemble(parts, lambda share: order.report(LoadStage.WEIGHTS, share))
        except NotFinite as error:
            raise EnvironmentProblem(
                "The model in {folder} can't be used. Its weights are damaged: they contain numbers that are "
                "not finite (NaN or infinity). Download the model again, or choose another one.",
                folder=folder.path,
            ) from error
        if not folder.is_as_inspected():
            raise loading.changed_while_loading(folder)
        runner = _runner_of(order, packed)
        if order.verdict is None:
            _check_sense(order, runner, packed)
    return BuiltModel(
        target=runner,
        num_parameters=folder.num_parameters,
        weight_bytes=packed.num_bytes,
        reproducible=True,
        threads=runner.threads,
    )


def _runner_of(order: BuildOrder, model: BlockModel) -> IntegerRunner:
    from quire_engine.integer.integer_runner import IntegerRunner

    config = order.config
    context_length = min(order.folder.context_length, config.context // BLOCK * BLOCK)
    threads = loading.pass_threads(config.threads, model.num_bytes)
    return IntegerRunner(model, config.width, context_length, threads)


def _check_layers(order: BuildOrder) -> None:
    """Compare a layer of each kind and both ends with the library's; SelfTestFailed where they differ."""
    from quire_engine.forward.layer_sample import sample_of
    from quire_engine.integer.block_model import assemble
    from quire_engine.integer.family_parts import model_parts
    from quire_engine.integer.integer_runner import IntegerRunner

    order.checking(0.0)()
    texts = natural_ids(order.tokenizer, order.vocab_size)
    ids = sorted({*range(min(_MORE_IDS, order.vocab_size)), *(token for text in texts for token in text)})
    place = {token: number for number, token in enumerate(ids)}
    texts = tuple(tuple(place[token] for token in text) for text in texts)
    sample = sample_of(order.folder, ids)
    model = loading.build_model(sample, torch.float32)
    order.checking(0.2)()
    wanted = library_scores(model, texts, JUDGED).flatten(0, 1)
    with in_digits(model):
        usual = divergence_of(wanted, library_scores(model, texts, JUDGED).flatten(0, 1))
    del model
    packed = assemble(model_parts(sample.tensors, sample.config), lambda _share: order.checking(0.3)())
    runner = IntegerRunner(packed, order.config.width, _SAMPLE_CONTEXT, torch.get_num_threads())
    result = check_passes(runner, texts, wanted, usual, order.checking(0.4))
    _log.info("%s in blocks: %s", order.folder.path, result)
    if not result.holds:
        raise SelfTestFailed(
            "Quire doesn't compute the model in {folder} correctly in {number_format}, so it can't be used. "
            "Choose another model, or look for a newer version of Quire.",
            folder=order.folder.path,
            number_format=order.number_format,
        )


def _check_sense(order: BuildOrder, runner: IntegerRunner, packed: BlockModel) -> None:
    """Look whether the model knows which token follows in a text; EnvironmentProblem where it does not."""
    from quire_engine.integer.block_packing import rows_of

    texts = natural_ids(order.tokenizer, order.vocab_size)
    places = text_sense.row_places(packed.num_ids)
    rows = torch.from_numpy(np.concatenate([rows_of(packed.embedding, row, row + 1) for row in places]))
    for few in (texts[:1], texts):
        order.checking(0.8)()
        scores = torch.cat([_read(runner, text, runner.width) for text in few])
        sense = text_sense.sense_in(rows, Yardstick(few, scores, None, torch.float32))
        if sense is not TextSense.UNCLEAR:
            break
    runner.reset()
    if sense is TextSense.NONSENSE:
        raise EnvironmentProblem(
            "The model in {folder} can't be used: it can't make sense of ordinary text. Its tokenizer.json "
            "belongs to another model, or its weights are damaged. Download it again, or choose another one.",
            folder=order.folder.path,
        )


def check_passes(
    runner: IntegerRunner,
    texts: Sequence[Sequence[int]],
    wanted: Tensor,
    usual: float = 0.0,
    report: Callable[[], None] = lambda: None,
) -> IntegerTest:
    """Judge passes over natural text, and compare them with one another.

    Args:
        wanted: float32 (positions of all texts, vocab): the model's scores of the last JUDGED positions.
        usual: divergence of the library where it reads digits, too.
        report: called now and then; may raise to stop.
    """
    scores: list[Tensor] = []
    for text in texts:
        report()
        scores.append(_read(runner, text, runner.width))
    report()
    divergence = divergence_of(wanted, torch.cat(scores))
    repeats = _repeats(runner, texts[-1], scores[-1]) and _tree_repeats(runner, texts[0])
    runner.reset()
    return IntegerTest(divergence, usual, repeats)


def divergence_of(wanted: Tensor, found: Tensor) -> float:
    """Return the mean Kullback-Leibler divergence of scores, in nats."""
    right = wanted.double().log_softmax(-1)
    return float((right.exp() * (right - found.double().log_softmax(-1))).sum(-1).mean())


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
