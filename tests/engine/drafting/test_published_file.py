"""Published heads are read as they are published, kept with the model, and refused where they don't fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from quire_engine.__main__ import main
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog import weight_files
from quire_engine.drafting import drafter_file
from quire_engine.drafting.drafter_file import FILE_NAME, TrainedDrafters
from quire_engine.drafting.published_file import add_published, read_published, remove_published
from quire_engine.drafting.published_heads import ChainWeights, MedusaWeights
from quire_engine.models.loading import inspect_folder
from tests.engine import tiny
from tests.engine.drafting.neural import random_feature, random_heads
from tests.engine.drafting.published import (
    medusa_folder,
    random_chain,
    random_medusa,
    token_swift_folder,
)


@pytest.fixture
def swift(llama: Path, tmp_path: Path) -> Path:
    """A checkpoint as TokenSwift releases them."""
    return token_swift_folder(llama, tmp_path / "TokenSwift-Tiny", random_chain())


@pytest.fixture
def medusa(tmp_path: Path) -> Path:
    """Medusa's heads as they are published."""
    return medusa_folder(tmp_path / "medusa-tiny", random_medusa())


# ---------------------------------------------------------------- what is published is read
def test_a_token_swift_checkpoint_gives_its_three_heads(llama: Path, swift: Path, tmp_path: Path) -> None:
    model = inspect_folder(llama)
    found = add_published(model, swift, tmp_path / "out")
    assert (found.kind, found.count) == ("TokenSwift", 3)
    kept = drafter_file.load(tmp_path / "out" / FILE_NAME, model.fingerprint).heads
    assert isinstance(kept, ChainWeights)
    tensors = random_chain()
    assert torch.equal(kept.weight[1], tensors["model.medusa_layers.1.linear.weight"])
    assert torch.equal(kept.norm[2], tensors["model.medusa_layers.2.input_layernorm.weight"])
    assert torch.equal(kept.post_norm[0], tensors["model.medusa_layers.0.post_layernorm.weight"])
    assert kept.eps == model.config.rms_norm_eps


@pytest.mark.parametrize("prefix", ["", "medusa_head."])
@pytest.mark.parametrize("blocks", [0, 1, 2])
def test_medusas_heads_are_read_with_any_number_of_blocks(
    llama: Path, tmp_path: Path, prefix: str, blocks: int
) -> None:
    tensors = random_medusa(blocks=blocks, prefix=prefix)
    folder = medusa_folder(tmp_path / "heads", tensors)
    model = inspect_folder(llama)
    found = add_published(model, folder / "medusa_lm_head.safetensors", tmp_path / "out")
    assert (found.kind, found.count) == ("Medusa", 2)
    kept = drafter_file.load(tmp_path / "out" / FILE_NAME, model.fingerprint).heads
    assert isinstance(kept, MedusaWeights)
    assert kept.weight.shape == (2, blocks, 64, 64)
    assert torch.equal(kept.head[1], tensors[f"{prefix}1.{blocks}.weight"].bfloat16())
    if blocks:
        assert torch.equal(kept.bias[0, -1], tensors[f"{prefix}0.{blocks - 1}.linear.bias"].bfloat16())


def test_other_drafters_of_the_model_are_kept_and_heads_can_be_taken_out_again(
    own_llama: Path, medusa: Path, tmp_path: Path
) -> None:
    """Also where the heads go to another folder than the drafters that were there."""
    model, out = inspect_folder(own_llama), tmp_path / "out"
    earlier = TrainedDrafters(model.fingerprint, random_heads(), random_feature(), {"n": 1})
    drafter_file.save(earlier, own_llama)
    assert add_published(model, medusa, out).replaced == "Quire"
    both = drafter_file.load(out / FILE_NAME, model.fingerprint)
    assert both.feature is not None
    assert isinstance(both.heads, MedusaWeights)
    assert both.figures == {"n": 1, "published_heads": {"kind": "Medusa", "from": "medusa-tiny"}}
    assert remove_published(model, out)
    left = drafter_file.load(out / FILE_NAME, model.fingerprint)
    assert left.heads is None
    assert left.feature is not None
    assert left.figures == {"n": 1}
    assert not remove_published(model, out)
    own = drafter_file.load(own_llama / FILE_NAME, model.fingerprint)
    assert own.heads is not None  # Quire trained them, and they stay


def test_heads_are_also_taken_out_of_the_models_folder(
    own_llama: Path, medusa: Path, swift: Path, tmp_path: Path
) -> None:
    model = inspect_folder(own_llama)
    assert add_published(model, swift, own_llama).replaced == ""
    assert add_published(model, medusa, own_llama).replaced == "TokenSwift"
    assert remove_published(model, tmp_path / "out")
    assert not (own_llama / FILE_NAME).exists()


# ---------------------------------------------------------------- what is refused, in a sentence
def without(name: str) -> Callable[[dict[str, Tensor]], object]:
    return lambda tensors: tensors.pop(name)


EAGLE = {"fc.weight": torch.zeros(64, 128), "layers.0.mlp.up_proj.weight": torch.zeros(96, 64)}
EAGLE3 = {
    "fc.weight": torch.zeros(64, 192),
    "midlayer.hidden_norm.weight": torch.ones(64),
    "d2t": torch.ones(9),
}
ELSE = {"model.embed_tokens.weight": torch.zeros(320, 64)}
REFUSED: dict[str, tuple[dict[str, Tensor], str]] = {
    "EAGLE": (EAGLE, r"These are EAGLE heads.*Choose TokenSwift's or Medusa's"),
    "EAGLE-3": (EAGLE3, r"These are EAGLE-3 heads"),
    "no heads": (ELSE, r"There are no draft heads in"),
    "another width": (random_chain(width=32), r"don't fit .*32.* in the heads, 64.* in the model"),
    "another vocabulary": (random_medusa(vocab=400), r"don't fit .*400x64 in the heads, 320x64 in the model"),
    "a head is missing": (random_medusa(count=3), "incomplete or damaged"),
    "too many blocks": (random_medusa(blocks=5), "incomplete or damaged"),
    "too many heads": (random_chain(count=17), "incomplete or damaged"),
    "not finite": (random_chain(), "incomplete or damaged"),
    "too large": (random_medusa(), "incomplete or damaged"),
    "8 bits": (random_chain(), r"form that Quire doesn't read \(F8_E4M3\)"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_heads_that_do_not_fit_are_refused(llama: Path, tmp_path: Path, case: str) -> None:
    tensors, said = REFUSED[case]
    tensors = {name: tensor.clone() for name, tensor in tensors.items()}
    if case == "a head is missing":
        for name in [name for name in tensors if name.startswith("1.")]:
            del tensors[name]
    if case == "not finite":
        tensors["model.medusa_layers.0.linear.weight"][0, 0] = torch.nan
    if case == "too large":  # for bfloat16, in which heads are kept
        tensors["0.1.weight"] = torch.full((320, 64), torch.finfo(torch.float32).max)
    if case == "8 bits":
        tensors = {name: tensor.to(torch.float8_e4m3fn) for name, tensor in tensors.items()}
    folder = medusa_folder(tmp_path / "heads", tensors)
    with pytest.raises(EnvironmentProblem, match=said):
        add_published(inspect_folder(llama), folder, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("key", ["hidden_size", "vocab_size", "num_hidden_layers"])
def test_a_checkpoint_of_another_base_is_refused_by_its_config(llama: Path, swift: Path, key: str) -> None:
    tiny.edit_config(swift, **{key: 7})
    with pytest.raises(EnvironmentProblem, match=f"don't fit .*{key}: 7 in the heads"):
        read_published(inspect_folder(llama), swift)


def test_a_checkpoint_with_other_weights_of_the_same_size_is_refused(llama: Path, swift: Path) -> None:
    file = swift / "model.safetensors"
    weights = load_file(file)
    weights["model.norm.weight"] = weights["model.norm.weight"].flip(0).contiguous()
    save_file(weights, file)
    with pytest.raises(EnvironmentProblem, match="another model of the size"):
        read_published(inspect_folder(llama), swift)


def test_a_checkpoint_with_another_tokenizer_is_refused(llama: Path, swift: Path) -> None:
    file = swift / "tokenizer.json"
    found = json.loads(file.read_text(encoding="utf-8"))
    vocabulary = found["model"]["vocab"]
    first, second = list(vocabulary)[40:42]
    vocabulary[first], vocabulary[second] = vocabulary[second], vocabulary[first]
    file.write_text(json.dumps(found), encoding="utf-8")
    with pytest.raises(EnvironmentProblem, match="another tokenizer"):
        read_published(inspect_folder(llama), swift)


def test_a_family_that_the_form_is_not_for_is_refused(any_folder: Callable[[str], Path], swift: Path) -> None:
    for family in ("apertus", "olmo2"):
        with pytest.raises(EnvironmentProblem, match="Llama, Mistral and Qwen families"):
            read_published(inspect_folder(any_folder(family)), swift)


def test_a_source_that_cannot_be_read_is_named(
    llama: Path, medusa: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(weight_files, "read_tensors", refuse)
    with pytest.raises(EnvironmentProblem, match=r"medusa-tiny can't be read \(Permission denied\)"):
        read_published(inspect_folder(llama), medusa)


@pytest.mark.parametrize("named", ["folder", "file"])
def test_pickles_are_never_opened(llama: Path, tmp_path: Path, named: str) -> None:
    folder = tmp_path / "heads"
    folder.mkdir()
    file = folder / "medusa_lm_head.pt"
    file.write_bytes(b"cos\nsystem\n(S'false'\ntR.")
    with pytest.raises(EnvironmentProblem, match=r"pickle file \(medusa_lm_head\.pt\).*safetensors only"):
        read_published(inspect_folder(llama), folder if named == "folder" else file)


def test_damaged_missing_and_foreign_files_are_refused(llama: Path, medusa: Path, tmp_path: Path) -> None:
    model, file = inspect_folder(llama), medusa / "medusa_lm_head.safetensors"
    with pytest.raises(EnvironmentProblem, match="doesn't exist"):
        read_published(model, tmp_path / "not there")
    (tmp_path / "notes.txt").write_text("heads", encoding="utf-8")
    with pytest.raises(EnvironmentProblem, match="no draft heads"):
        read_published(model, tmp_path / "notes.txt")
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(EnvironmentProblem, match="bytes are missing"):
        read_published(model, medusa)


# ---------------------------------------------------------------- the command, and the law from end to end
def test_the_command_adds_heads_and_the_text_stays_the_same(
    own_llama: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "opening.txt").write_text(tiny.OPENING, encoding="utf-8")
    swift = token_swift_folder(own_llama, tmp_path / "swift", random_chain())
    out = tmp_path / "drafters"
    assert main(["heads", str(own_llama), "--from", str(swift), "--out", str(out)]) == 0
    assert "3 heads of TokenSwift's form" in capsys.readouterr().out
    words = ["generate", "--model", str(own_llama), "--prompt-file", str(tmp_path / "opening.txt")]
    words += ["--tokens", "24", "--dtype", "float32", "--threads", "1", "--drafters-folder", str(out)]
    texts = []
    for more in (["--method", "plain"], ["--method", "tokenswift", "--drafters", "heads", "--tree", "2,1"]):
        assert main([*words, *more]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    assert main(["heads", str(own_llama), "--remove", "--out", str(out)]) == 0
    assert "removed" in capsys.readouterr().out
    assert not (out / FILE_NAME).exists()
    assert main(["heads", str(own_llama), "--from", str(tmp_path / "gone"), "--out", str(out)]) == 1
    assert "doesn't exist" in capsys.readouterr().err
