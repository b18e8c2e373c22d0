"""The library's own error is the measure: sound passes are accepted in every format, wrong ones are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from transformers.modeling_utils import PreTrainedModel

from quire_engine.forward.pass_runner import PassRunner
from quire_engine.forward.probe_text import JUDGED, PIECES, READ, natural_ids
from quire_engine.forward.self_test import run_self_test
from quire_engine.forward.yardstick import Yardstick, measure
from quire_engine.models.int8_weights import plainly
from quire_engine.models.loading import build_model, inspect_folder
from quire_engine.models.reference_scores import in_float32, library_scores, twin_of
from tests.engine.model_fixtures import AnyNetwork, Folder, Reference
from tests.engine.reference_model import tiny_yardstick
from tests.engine.tiny import FAMILIES, LIBRARY_FAMILIES, VOCAB_SIZE, build_tokenizer

TEXTS = natural_ids(build_tokenizer(), VOCAB_SIZE)
MIXTURES = [family for family in LIBRARY_FAMILIES if "moe" in family or family == "mixtral"]


# ---------------------------------------------------------------- the reference
@pytest.mark.sliced
@pytest.mark.parametrize("family", [*FAMILIES, *LIBRARY_FAMILIES])
def test_layer_by_layer_gives_the_bits_of_the_whole_model_in_float32(any_folder: Folder, family: str) -> None:
    model = build_model(inspect_folder(any_folder(family)), torch.bfloat16)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    with in_float32(model):
        by_layers = library_scores(model, TEXTS, JUDGED)
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())
    torch.nn.Module.float(model)  # the library's own method carries no types
    assert torch.equal(by_layers, library_scores(model, TEXTS, JUDGED))


@pytest.mark.parametrize("family", ["llama", "gpt_neox", "gemma2"])
def test_rounded_weights_are_the_models_own(any_folder: Folder, family: str) -> None:
    folder = inspect_folder(any_folder(family))
    small = build_model(folder, torch.bfloat16, weights="int8")
    with plainly(small), in_float32(small):
        by_layers = library_scores(small, TEXTS, JUDGED)
    torch.nn.Module.float(small)
    with plainly(small):
        assert torch.equal(by_layers, library_scores(small, TEXTS, JUDGED))


def test_a_pass_that_fails_leaves_the_weights_as_they_were(any_folder: Folder) -> None:
    class Stopped(Exception):
        pass

    calls = iter(range(100))

    def stop() -> None:
        if next(calls) == 2:
            raise Stopped

    model = build_model(inspect_folder(any_folder("llama")), torch.bfloat16)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    own = library_scores(model, TEXTS, JUDGED)
    with pytest.raises(Stopped), in_float32(model, stop):
        library_scores(model, TEXTS, JUDGED)
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())
    assert torch.equal(library_scores(model, TEXTS, JUDGED), own)


# ---------------------------------------------------------------- the rule
@pytest.mark.sliced
@pytest.mark.parametrize("family", ["llama", "qwen3", "gemma", "gemma3_text", "granite", *MIXTURES])
def test_a_sound_model_passes_in_float16(
    references: Reference, library_networks: AnyNetwork, family: str
) -> None:
    dtype = torch.float16
    yardstick = tiny_yardstick(references(family, dtype), dtype, routed=family in MIXTURES)
    assert run_self_test(PassRunner(library_networks(family, dtype), 8, 512), yardstick, VOCAB_SIZE).matches


@pytest.fixture(params=[torch.float32, torch.bfloat16, torch.float16], ids=str)
def yardstick(request: pytest.FixtureRequest, references: Reference) -> Yardstick:
    """The yardstick of a tiny Llama in each format."""
    return tiny_yardstick(references("llama", request.param), request.param)


def scores_of(model: PreTrainedModel) -> Tensor:
    return library_scores(model, TEXTS, JUDGED).flatten(0, 1)


def test_what_is_wanted_and_what_the_library_scores_are_accepted(
    references: Reference, yardstick: Yardstick
) -> None:
    assert yardstick.judge(yardstick.wanted).matches
    own = yardstick.judge(scores_of(references("llama", yardstick.dtype)))
    assert own.matches
    if yardstick.noise is not None:
        assert (own.kl_ratio, own.rms_ratio) == pytest.approx((1, 1))


FAULTS: dict[str, Callable[[Tensor], Tensor]] = {
    "scaled by 5%": lambda scores: scores * 1.05,
    "ids shifted": lambda scores: scores.roll(1, -1),
    "positions shifted": lambda scores: scores.roll(1, 0),
    "one id off": lambda scores: scores + 0.5 * scores.std() * torch.eye(VOCAB_SIZE)[17],
    "NaN": lambda scores: scores.masked_fill(torch.eye(VOCAB_SIZE)[17] > 0, torch.nan),
    "infinite": lambda scores: scores.masked_fill(torch.eye(VOCAB_SIZE)[17] > 0, torch.inf),
    "all the same": torch.zeros_like,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_other_scores_are_not_accepted(yardstick: Yardstick, fault: str) -> None:
    assert not yardstick.judge(FAULTS[fault](yardstick.wanted)).matches


def test_a_library_that_overflows_in_a_format_makes_no_yardstick(references: Reference) -> None:
    found = tiny_yardstick(references("llama", torch.bfloat16), torch.bfloat16)
    assert found.noise is not None
    for noise in (float("nan"), float("inf")):
        overflown = Yardstick(found.texts, found.wanted, (noise, noise, noise), found.dtype)
        assert not overflown.judge(found.wanted).matches


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_where_nothing_is_computed_nothing_is_wrong(any_folder: Folder, dtype: torch.dtype) -> None:
    """Both errors are zero: a model whose scores are all the same."""
    model = build_model(inspect_folder(any_folder("llama")), dtype)
    for weight in model.parameters():
        weight.zero_()
    found = measure(model, TEXTS, dtype)
    assert found.spread == 0
    assert found.judge(scores_of(model)).matches
    assert not found.judge(scores_of(model) + 0.1 * torch.eye(VOCAB_SIZE)[17]).matches


def test_two_backends_agree_up_to_their_noise(references: Reference, yardstick: Yardstick) -> None:
    own = scores_of(references("llama", yardstick.dtype))
    assert yardstick.agree(own, yardstick.wanted)
    assert yardstick.agree(own[:3], yardstick.wanted[:3])
    assert not yardstick.agree(own.roll(1, 0), yardstick.wanted)
    assert not yardstick.agree(own * 1.3, yardstick.wanted)
    assert not yardstick.agree(own * torch.nan, yardstick.wanted)


# ---------------------------------------------------------------- one text, where that is enough
@pytest.fixture(params=[torch.float32, torch.bfloat16], ids=str)
def brief(request: pytest.FixtureRequest, references: Reference) -> Yardstick:
    """The yardstick of a tiny Llama on the first text."""
    return measure(references("llama", request.param), TEXTS[:1], request.param)


def off_by(yardstick: Yardstick, share: float) -> Tensor:
    """Return scores whose root mean square error is a share of what is allowed."""
    allowed = 1e-3 * yardstick.spread if yardstick.noise is None else 1.3 * yardstick.noise[1]
    sign = torch.ones_like(yardstick.wanted)
    sign[:, ::2] = -1
    return yardstick.wanted + share * allowed * sign


def test_one_text_decides_what_is_clear_and_nothing_else(brief: Yardstick) -> None:
    found = {share: brief.judge(off_by(brief, share)) for share in (0.3, 0.95, 1.2, 9.0)}
    assert [(each.is_clear, each.matches) for each in found.values() if each.is_clear] == [
        (True, True),
        (True, False),
    ]
    assert not found[0.95].is_clear
    assert not found[1.2].is_clear
    assert brief.judge(brief.wanted * torch.nan).is_clear
    assert not brief.judge(brief.wanted * torch.nan).matches


def test_all_texts_decide_everything(yardstick: Yardstick) -> None:
    assert all(yardstick.judge(off_by(yardstick, share)).is_clear for share in (0.3, 0.95, 1.2, 9.0))


def test_a_twin_computes_the_same_and_keeps_its_numbers(any_folder: Folder) -> None:
    for family in ("llama", "gpt_neox", "gpt_oss"):
        model = build_model(inspect_folder(any_folder(family)), torch.bfloat16)
        own = library_scores(model, TEXTS, JUDGED)
        twin = twin_of(model)
        shared = {weight.data_ptr() for weight in model.parameters()}
        assert {weight.data_ptr() for weight in twin.parameters()} == shared
        seen: list[Tensor] = []
        with in_float32(model, lambda: seen.append(library_scores(twin, TEXTS, JUDGED))):  # noqa: B023
            library_scores(model, TEXTS, JUDGED)
        assert all(torch.equal(scores, own) for scores in seen)
        assert len(seen) > 1


# ---------------------------------------------------------------- the text
def test_every_tokenizer_makes_enough_of_the_text() -> None:
    assert [len(text) for text in TEXTS] == [READ + JUDGED] * len(PIECES)
    assert len({text[:READ] for text in TEXTS}) == len(PIECES)
    assert all(0 <= token < VOCAB_SIZE for text in TEXTS for token in text)
    few = natural_ids(build_tokenizer(), 70)  # an embedding of fewer rows leaves less of the text
    assert all(len(text) == READ + JUDGED and max(text) < 70 for text in few)
