"""Imports run in a process of their own: with progress, stopped, refused, and done only once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quire.errors import WriterProblem
from quire.services.model_library.model_imports import ImportState, ModelImports
from quire_engine.catalog.inspection import ModelFacts, inspect_folder
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
        changed = (folder / "model.safetensors").stat().st_mtime_ns
        states.clear()
        assert await imports.bring(file, states.append) == folder
        assert (folder / "model.safetensors").stat().st_mtime_ns == changed
        assert states == []

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
        assert not list((tmp_path / "home").rglob("*.safetensors"))
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
