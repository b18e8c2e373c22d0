"""What an import leaves on the disk, and when it leaves nothing."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog import inspection
from quire_engine.catalog.adapter_sources import FORMAT
from quire_engine.catalog.adapters import FACTOR_A, FACTOR_B, Adapter, read_adapter
from quire_engine.catalog.gguf_files import GgufSource, inspect_gguf
from quire_engine.catalog.gguf_header import BLOCK_TYPES
from quire_engine.catalog.imported_models import (
    IMPORT_VERSION,
    RECORD,
    find_imported,
    largest_id,
    read_record,
    shown_name,
    source_digest,
)
from quire_engine.catalog.inspection import ModelFacts, inspect_folder
from quire_engine.catalog.rejection import Rejection
from quire_engine.drafting import drafter_file
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.importing.earlier_import import put_aside
from quire_engine.importing.model_import import (
    ImportProgress,
    ImportStopped,
    add_shipped,
    import_model,
)
from quire_engine.integer.block_forms import FILE_TYPES
from quire_engine.integer.block_model import assemble
from quire_engine.integer.family_parts import model_parts
from quire_engine.models.loading import inspect_folder as inspect_model
from tests.engine.drafting.neural import SHAPE, random_feature
from tests.engine.gguf_samples import write_gguf
from tests.engine.stored_weights import weights_of


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_gguf("llama", tmp_path / "Tiny-7B.Q8_0.gguf", kind="Q8_0")


def test_the_folder_says_where_it_comes_from(file: Path, tmp_path: Path) -> None:
    folder = import_model(file, tmp_path / "imported")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    assert folder == tmp_path / "imported" / f"Tiny-7B.Q8_0-{digest[:12]}"
    assert shown_name(folder) == "Tiny-7B.Q8_0"
    record = read_record(folder)
    assert record is not None
    assert (record.source, record.source_bytes) == (file.name, file.stat().st_size)
    assert (record.source_sha256, record.adapter_sha256) == (digest, None)
    assert record.quantisations.keys() == {"F32", "Q8_0"}
    assert source_digest((file,)) == digest
    assert find_imported(tmp_path / "imported", digest) == folder
    assert find_imported(tmp_path / "imported", digest, "0" * 64) is None
    assert "license: apache-2.0" in (folder / "README.md").read_text(encoding="utf-8")
    assert (folder / "chat_template.jinja").is_file()
    assert json.loads((folder / "generation_config.json").read_text(encoding="utf-8"))["eos_token_id"] == [0]


def test_what_a_file_is_can_be_said_before_it_is_imported(file: Path, tmp_path: Path) -> None:
    source = inspect_gguf(file)
    assert isinstance(source, GgufSource)
    assert (source.title, source.licence, source.quantisation) == ("Tiny", "apache-2.0", "Q8_0")
    assert source.is_chat
    folder = import_model(file, tmp_path / "imported")
    weights = weights_of(folder)
    assert source.num_parameters == sum(weight.numel() for weight in weights.values())


def test_progress_goes_over_every_byte(file: Path, tmp_path: Path) -> None:
    seen: list[ImportProgress] = []
    import_model(file, tmp_path / "imported", on_progress=seen.append)
    size = file.stat().st_size
    assert seen[-1] == ImportProgress(size, size)
    assert [each.done for each in seen] == sorted({each.done for each in seen})


def test_a_stopped_import_leaves_nothing(file: Path, tmp_path: Path) -> None:
    with pytest.raises(ImportStopped):
        import_model(file, tmp_path / "imported", is_stopped=lambda: True)
    assert not (tmp_path / "imported").exists()


def test_a_model_in_several_files_is_the_same_model(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    whole = write_gguf("llama", tmp_path / "whole.gguf")
    first = write_gguf("llama", tmp_path / "parts" / "m.gguf", parts=7)
    parts = sorted(first.parent.iterdir())
    assert len(parts) > 2
    folders = [import_model(file, tmp_path / "imported") for file in (whole, parts[1], first)]
    assert folders[1] == folders[2]
    one, other = (weights_of(folder) for folder in folders[:2])
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)
    assert source_digest(tuple(parts)).startswith(folders[1].name[-12:])
    parts[2].unlink()
    found = inspect_gguf(first)
    assert isinstance(found, Rejection)
    assert parts[2].name in found.sentence


NAME = "model.layers.1.self_attn.q_proj.weight"


def adapter_of(folder: Path, name: str = NAME) -> Adapter:
    """Return an adapter that adds a half to every number of one weight."""
    factors = {
        f"{name}{FACTOR_A}": torch.ones(1, 64, dtype=torch.bfloat16),
        f"{name}{FACTOR_B}": torch.ones(64, 1, dtype=torch.bfloat16),
    }
    metadata = {"format": FORMAT, "rank": "1", "alpha": "0.5", "base_sha256": "0" * 64}
    save_file(factors, folder / "adapter-of-one.safetensors", metadata)
    return read_adapter(folder / "adapter-of-one.safetensors")


def test_an_adapter_is_added_to_the_weights_it_names(file: Path, tmp_path: Path) -> None:
    adapter = adapter_of(tmp_path)
    plain = weights_of(import_model(file, tmp_path / "imported"))
    folder = import_model(file, tmp_path / "imported", adapter=adapter)
    adapted = weights_of(folder)
    assert {name for name in plain if not torch.equal(plain[name], adapted[name])} == {NAME}
    assert torch.equal(plain[NAME] + 0.5, adapted[NAME])
    record = read_record(folder)
    assert record is not None
    assert record.adapter_sha256 == adapter.digest
    assert find_imported(tmp_path / "imported", record.source_sha256, adapter.digest) == folder


def test_a_file_that_was_moved_is_found_again_and_one_that_changed_is_refused(
    file: Path, tmp_path: Path
) -> None:
    folder = import_model(file, tmp_path / "imported")
    fingerprint = inspect_model(folder).fingerprint
    moved = file.rename(tmp_path / "elsewhere.gguf")
    with pytest.raises(EnvironmentProblem, match="no longer in"):
        inspect_model(folder)
    assert import_model(moved, tmp_path / "imported") == folder
    assert inspect_model(folder).fingerprint == fingerprint
    content = bytearray(moved.read_bytes())
    content[-1] ^= 1
    moved.write_bytes(content)
    with pytest.raises(EnvironmentProblem, match="has changed"):
        inspect_model(folder)


def test_phrases_of_its_tokenizer_are_put_beside_a_model(file: Path, tmp_path: Path) -> None:
    tokenizer = import_model(file, tmp_path / "plain") / "tokenizer.json"
    digest = hashlib.sha256(tokenizer.read_bytes()).hexdigest()
    (tmp_path / "ngrams-0123456789ab.npz").write_bytes(b"of another tokenizer")
    without = import_model(file, tmp_path / "without", shipped=tmp_path)
    assert not (without / "ngrams.npz").exists()
    (tmp_path / f"ngrams-{digest[:12]}.npz").write_bytes(b"of this one")
    folder = import_model(file, tmp_path / "imported", shipped=tmp_path)
    assert (folder / "ngrams.npz").read_bytes() == b"of this one"


def test_drafters_of_its_adapter_are_put_beside_a_model(file: Path, tmp_path: Path) -> None:
    adapter = adapter_of(tmp_path)
    trained = TrainedDrafters("f" * 64, feature=random_feature())
    drafter_file.save(trained, tmp_path, f"drafters-{adapter.digest[:12]}.safetensors", small=True)
    without = import_model(file, tmp_path / "imported", shipped=tmp_path)
    assert not (without / drafter_file.FILE_NAME).exists()
    folder = import_model(file, tmp_path / "imported", adapter=adapter, shipped=tmp_path)
    fingerprint = inspect_model(folder).fingerprint
    found = drafter_file.find(folder, fingerprint)
    assert found is not None
    assert found.feature is not None
    assert found.feature.shape == SHAPE
    with pytest.raises(EnvironmentProblem, match="another model"):
        drafter_file.load(tmp_path / f"drafters-{adapter.digest[:12]}.safetensors", fingerprint)


def test_what_ships_later_is_put_beside_a_model_that_was_imported_before(file: Path, tmp_path: Path) -> None:
    adapter = adapter_of(tmp_path)
    folder = import_model(file, tmp_path / "imported", adapter=adapter)
    trained = TrainedDrafters("f" * 64, feature=random_feature())
    drafter_file.save(trained, tmp_path, f"drafters-{adapter.digest[:12]}.safetensors")
    add_shipped(folder, tmp_path, adapter)
    assert drafter_file.find(folder, inspect_model(folder).fingerprint) is not None
    (folder / drafter_file.FILE_NAME).write_bytes(b"the writer's own")
    add_shipped(folder, tmp_path, adapter)
    assert (folder / drafter_file.FILE_NAME).read_bytes() == b"the writer's own"


def test_the_tokenizer_that_an_import_made_is_known_until_it_is_another(file: Path, tmp_path: Path) -> None:
    folder = import_model(file, tmp_path / "imported")
    tokenizer = folder / "tokenizer.json"
    content = json.loads(tokenizer.read_text(encoding="utf-8"))
    assert largest_id(folder) == max(content["model"]["vocab"].values())
    assert isinstance(inspect_folder(folder), ModelFacts)
    content["model"]["vocab"]["one more"] = 1_000_000
    tokenizer.write_text(json.dumps(content), encoding="utf-8")
    assert largest_id(folder) is None
    found = inspect_folder(folder)
    assert isinstance(found, Rejection)
    assert "more entries than the model" in str(found.sentence)


def an_earlier_import(file: Path, models: Path) -> Path:
    """Return the folder of a version that copied the weights, with drafters that a writer trained for it."""
    folder = import_model(file, models)
    said = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    (folder / RECORD).write_text(json.dumps(said | {"import_version": 1}), encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"the same weights in bfloat16")
    drafter_file.save(TrainedDrafters("0" * 64, feature=random_feature()), folder)
    (folder / "drafters.unfinished").mkdir()
    (folder / "drafters.unfinished" / "page").write_bytes(b"learned")
    return folder


def test_what_was_added_to_an_earlier_import_is_kept(file: Path, tmp_path: Path) -> None:
    earlier = an_earlier_import(file, tmp_path / "imported")
    folder = import_model(file, tmp_path / "imported")
    assert_kept(earlier, folder)


@pytest.mark.parametrize("is_in_place", [False, True])
def test_an_import_that_was_cut_off_while_it_took_over_is_ended_by_the_next(
    file: Path, tmp_path: Path, is_in_place: bool
) -> None:
    earlier = an_earlier_import(file, tmp_path / "imported")
    put_aside(earlier)
    if is_in_place:
        os.rename(import_model(file, tmp_path / "other"), earlier)
    assert_kept(earlier, import_model(file, tmp_path / "imported"))


def assert_kept(earlier: Path, folder: Path) -> None:
    assert folder == earlier
    assert [each.name for each in folder.parent.iterdir()] == [folder.name]
    assert drafter_file.find(folder, inspect_model(folder).fingerprint) is not None
    assert (folder / "drafters.unfinished" / "page").read_bytes() == b"learned"
    assert not (folder / "model.safetensors").exists()
    record = read_record(folder)
    assert record is not None
    assert record.version == IMPORT_VERSION


def test_an_adapter_of_another_model_is_refused(file: Path, tmp_path: Path) -> None:
    other = adapter_of(tmp_path, "model.layers.9.self_attn.q_proj.weight")
    with pytest.raises(EnvironmentProblem, match="doesn't belong"):
        import_model(file, tmp_path / "imported", adapter=other)
    assert list((tmp_path / "imported").iterdir()) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"general.architecture": "mamba"}, "mamba"),
        ({"tokenizer.ggml.pre": "never-heard"}, "never-heard"),
        ({"tokenizer.ggml.model": "t5"}, "t5"),
        ({"llama.attention.clamp_kqv": 8.0}, "clamp_kqv"),
        ({"llama.rope.scaling.type": "longrope"}, "longrope"),
        ({"llama.rope.scaling.attn_factor": 1.1}, "attn_factor"),
        ({"llama.rope.scaling.alpha": 1000.0}, "alpha"),
        ({"llama.rope.freq_base_swa": 5000.0}, "freq_base_swa"),
        ({"llama.expert_group_count": 4}, "expert_group_count"),
    ],
)
def test_what_is_unknown_is_named(tmp_path: Path, change: dict[str, object], words: str) -> None:
    file = write_gguf("llama", tmp_path / "m.gguf", extra=change)
    with pytest.raises(EnvironmentProblem) as caught:
        import_model(file, tmp_path / "imported")
    assert words in str(caught.value)
    assert "Choose" in str(caught.value)
    assert list((tmp_path / "imported").iterdir()) == []


def test_a_file_is_no_folder_and_says_what_to_do(file: Path) -> None:
    found = inspect_folder(file)
    assert isinstance(found, Rejection)
    assert "imported before it is used" in found.sentence


# ---------------------------------------------------------------- memory
def test_the_types_that_are_computed_as_they_are_are_those_that_can_be_packed() -> None:
    assert {each.name for each in FILE_TYPES.values()} == BLOCK_TYPES


@pytest.mark.parametrize("kind", ["Q4_0", "Q8_0", "F16"])
def test_what_an_import_needs_in_memory_is_what_it_takes_and_a_tenth(tmp_path: Path, kind: str) -> None:
    folder = import_model(write_gguf("llama", tmp_path / "a.gguf", kind=kind), tmp_path / "models")
    facts, model = inspect_folder(folder), inspect_model(folder)
    assert isinstance(facts, ModelFacts)
    taken = assemble(model_parts(model.tensors, model.config)).num_bytes
    assert facts.integer_bytes() == pytest.approx(1.1 * taken, rel=0.06)


def test_what_is_cut_into_other_numbers_is_said(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = import_model(file, tmp_path / "models")
    found = inspect_folder(folder)
    assert isinstance(found, ModelFacts)
    assert not found.notes
    monkeypatch.setattr(inspection, "CUT_TYPES", frozenset({"Q8_0"}))
    cut = inspect_folder(folder)
    assert isinstance(cut, ModelFacts)
    assert "doesn't compute in Q8_0: it cuts these weights into 8 bits" in cut.notes[0]
