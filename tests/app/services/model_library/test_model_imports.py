"""Imports run in a process of their own: with progress, stopped, refused, and done only once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from quire.errors import WriterProblem
from quire.services.model_library import starter_model
from quire.services.model_library.model_by_name import find_by_name
from quire.services.model_library.model_imports import ImportState, ImportWish, ModelImports
from quire.services.model_library.model_library import ModelLibrary, ModelOrigin
from quire_engine.catalog.fingerprints import fingerprint
from quire_engine.catalog.imported_models import shown_name, source_digest
from quire_engine.catalog.inspection import FolderContents, ModelFacts, inspect_folder, look_into, name_of
from tests.app.services.model_library.test_model_discovery import put_ollama
from tests.engine.catalog.test_adapters import factors, written
from tests.engine.gguf_samples import write_gguf


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A small model as a GGUF file."""
    return write_gguf("llama", tmp_path / "Tiny.Q8_0.gguf", kind="Q8_0")


def test_a_file_becomes_a_folder_once(run_async: Callable[..., Any], file: Path, tmp_path: Path) -> None:
    imports, states = ModelImports(tmp_path / "home"), list[ImportState]()

    async def scenario() -> None:
        folder = await imports.bring(file, states.append)
        assert folder is not None
        assert folder.parent == tmp_path / "home" / "imported"
        assert isinstance(inspect_folder(folder), ModelFacts)
        assert states[-1].share == 1.0
        made = {each: each.stat().st_mtime_ns for each in folder.iterdir()}
        assert await imports.bring(file, states.append) == folder  # it is hashed, and nothing is made again
        assert {each: each.stat().st_mtime_ns for each in folder.iterdir()} == made

    run_async(scenario())


def test_a_stopped_import_leaves_nothing(run_async: Callable[..., Any], file: Path, tmp_path: Path) -> None:
    imports = ModelImports(tmp_path / "home")

    async def scenario() -> None:
        importing = asyncio.ensure_future(imports.bring(file, lambda state: None))
        await asyncio.sleep(0)  # it begins
        assert imports.is_running
        with pytest.raises(WriterProblem, match="Another model is being imported"):
            await imports.bring(file, lambda state: None)
        imports.stop()
        assert await importing is None
        assert not imports.is_running
        assert not list((tmp_path / "home").glob("imported/*"))
        assert await imports.bring(file, lambda state: None) is not None

    run_async(scenario())


@pytest.mark.parametrize(
    ("content", "template"),
    [(b"no model at all", "{file} is not a GGUF file."), (None, "{file} no longer exists. Choose it again.")],
)
def test_what_is_wrong_with_a_file_can_be_translated(
    run_async: Callable[..., Any], tmp_path: Path, content: bytes | None, template: str
) -> None:
    file = tmp_path / "tale.gguf"
    if content is not None:
        file.write_bytes(content)

    async def scenario() -> None:
        with pytest.raises(WriterProblem) as caught:
            await ModelImports(tmp_path / "home").bring(file, lambda state: None)
        message = caught.value.message
        templates = (
            message.template,
            *(getattr(each, "template", "") for each in message.arguments.values()),
        )
        assert any(each.startswith(template.split(".", maxsplit=1)[0]) for each in templates)
        assert "tale.gguf" in message

    run_async(scenario())


def bring(run_async: Callable[..., Any], imports: ModelImports, file: Path, wish: ImportWish) -> Path:
    """Import a file to the end."""
    folder = run_async(imports.bring(file, lambda state: None, wish))
    assert isinstance(folder, Path)
    return folder


def test_the_writer_decides_whether_the_adapter_is_merged_and_both_can_be_there(
    run_async: Callable[..., Any], file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starter_model, "NUM_BYTES", file.stat().st_size)
    name = "model.layers.0.self_attn.q_proj.weight"
    plain = ModelImports(tmp_path / "home", tmp_path / "adapters")
    folders = [bring(run_async, plain, file, ImportWish())]
    contents = look_into(folders[0])
    assert isinstance(contents, FolderContents)
    shape = contents.tensors[name].shape
    sizes = {"lora_a": (3, shape[1]), "lora_b": (shape[0], 3)}
    tensors = {f"{name}.{part}": torch.ones(size, dtype=torch.bfloat16) for part, size in sizes.items()}
    digest = source_digest((file,))
    library = ModelLibrary(tmp_path / "home", adapters=tmp_path / "adapters")
    assert not library.look_at(file).has_adapter
    written(tmp_path / "adapters" / "a.safetensors", tensors, base_sha256=digest)
    assert library.look_at(file).has_adapter
    folders.append(bring(run_async, plain, file, ImportWish()))
    assert bring(run_async, plain, file, ImportWish(is_adapted=False)) == folders[0]
    assert folders[0] != folders[1]
    found = [library.look_at(folder) for folder in folders]
    assert [(each.has_adapter, each.is_adapted, each.is_unadapted) for each in found] == [
        (True, False, True),
        (True, True, False),
    ]
    assert len({name_of(folder) for folder in folders}) == 1
    for folder, known in zip(folders, found, strict=True):
        assert known.facts is not None
        sought = fingerprint(known.facts.deciding_files)
        assert find_by_name(name_of(folder), sought, library, ()) == folder


def test_a_file_of_another_size_is_not_read_to_look_for_an_adapter(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "adapters" / "a.safetensors", factors(), base_sha256=source_digest((file,)))
    assert not ModelLibrary(tmp_path / "home", adapters=tmp_path / "adapters").look_at(file).has_adapter


def test_an_imported_model_of_ollamas_is_called_as_there(
    run_async: Callable[..., Any], file: Path, tmp_path: Path
) -> None:
    blob = put_ollama(tmp_path / "ollama", "registry.ollama.ai/library/tale/1b", file.read_bytes())
    library = ModelLibrary(tmp_path / "home")
    assert library.look_at(blob).name == "tale:1b"
    folder = bring(run_async, ModelImports(tmp_path / "home"), blob, ImportWish())
    known = library.look_at(folder)
    assert (known.origin, known.name) == (ModelOrigin.IMPORTED, "tale:1b")
    assert (name_of(folder), shown_name(folder)) == ("tale:1b", "tale:1b")
    assert folder.name.startswith("tale-1b-")  # as every system takes it
    library.remove(known)
    assert shown_name(folder) == "tale-1b"  # no digest, even when it is gone


def test_a_licence_that_only_the_source_states_is_kept(run_async: Callable[..., Any], tmp_path: Path) -> None:
    file = write_gguf("llama", tmp_path / "T.gguf", kind="Q8_0", extra={"general.license": "other"})
    folder = bring(run_async, ModelImports(tmp_path / "home"), file, ImportWish(licence="mit"))
    assert ModelLibrary(tmp_path / "home").look_at(folder).licence == "mit"
