"""`quire models` on real folders and a hub on this computer."""

from __future__ import annotations

import argparse
import hashlib
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from quire.cli import download_console, model_commands
from quire.cli.main import PauseSignals
from quire.errors import WriterProblem
from quire.services.model_library import model_library
from quire.services.model_library.model_download import ModelDownloads, TokenNeeded
from quire.services.model_library.model_library import ModelLibrary
from quire_engine.catalog.memory_fit import FreeMemory
from quire_engine.catalog.stored_secret import StoredSecret
from quire_resources import BUILT_IN_MODEL
from tests.engine.catalog.conftest import serve
from tests.engine.catalog.hub_server import NAME, Behaviour, HubServer
from tests.engine.gguf_samples import write_gguf

__all__ = ["serve"]  # the fixture
RunAsync = Callable[[Any], Any]
Do = Callable[..., int]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def behaviour() -> Behaviour:
    names = ("config.json", "model.safetensors", "tokenizer.json")
    files = {name: (BUILT_IN_MODEL / name).read_bytes() for name in names}
    return Behaviour(files, {"license": "mit"}, large=1 << 20)


@pytest.fixture
def hub(
    serve: Callable[[Behaviour], HubServer], behaviour: Behaviour, monkeypatch: pytest.MonkeyPatch
) -> HubServer:
    server = serve(behaviour)
    monkeypatch.setattr(download_console, "ModelDownloads", partial(ModelDownloads, endpoint=server.address))
    monkeypatch.setattr(StoredSecret, "read", lambda keeper: "")
    return server


@pytest.fixture
def do(home: Path, run_async: RunAsync) -> Do:
    """Run a command as its words say."""
    parser = argparse.ArgumentParser()
    model_commands.add_parsers(parser.add_subparsers(dest="command"))

    def run(*words: str) -> int:
        options = parser.parse_args(["models", *words])
        code: int = run_async(model_commands.run(options, PauseSignals, ModelLibrary(home)))
        return code

    return run


def test_a_folder_is_checked_added_and_listed(
    do: Do, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        shutil.copy(BUILT_IN_MODEL / name, mine)
    assert do("check", str(mine)) == 0
    told = capsys.readouterr().out
    assert "5,048,576 parameters" in told
    assert "Fits" in told
    assert do("add", str(mine)) == 0
    assert do("list") == 0
    told = capsys.readouterr().out
    assert "Built-in model" in told
    assert str(mine) in told


def test_what_cannot_be_used_is_told(do: Do, tmp_path: Path) -> None:
    for action in ("check", "add"):
        with pytest.raises(WriterProblem, match=r"config\.json"):
            do(action, str(tmp_path))


def test_a_model_is_downloaded_and_listed(
    do: Do, hub: HubServer, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert do("download", NAME, "--yes") == 0
    told = capsys.readouterr().err
    assert "Licence: mit" in told
    assert "100%" in told
    assert (home / "maker--tiny-model" / "model.safetensors").is_file()
    assert do("list") == 0
    assert "tiny-model" in capsys.readouterr().out


def test_nobody_agrees_for_the_writer(do: Do, hub: HubServer, home: Path) -> None:
    with pytest.raises(WriterProblem, match="--yes"):
        do("download", NAME)
    assert not home.exists()


def test_a_token_is_needed_and_where_to_get_it_is_told(do: Do, hub: HubServer, behaviour: Behaviour) -> None:
    behaviour.gate = "hf_right"
    with pytest.raises(TokenNeeded, match="settings/tokens"):
        do("download", NAME, "--yes")


def test_a_file_is_imported_listed_and_deleted(
    do: Do, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_gguf("llama", tmp_path / "Tiny.Q8_0.gguf", kind="Q8_0")
    assert do("check", str(file)) == 0
    said = capsys.readouterr().out
    assert "Q8_0" in said
    assert "quire models import" in said
    assert do("add", str(file)) == 0
    capsys.readouterr()
    assert do("list") == 0
    assert f"Tiny.Q8_0: Q8_0, 1 MB, licence: apache-2.0; to use it: quire models import {file}" in (
        capsys.readouterr().out
    )
    assert do("remove", str(file)) == 0
    capsys.readouterr()
    assert do("import", str(file)) == 0
    (folder,) = (home / "imported").iterdir()
    said = capsys.readouterr().err
    assert "100% imported" in said
    assert str(folder) in said
    assert do("list") == 0
    assert "Tiny.Q8_0: llama" in capsys.readouterr().out
    with pytest.raises(WriterProblem, match="Pass --yes"):
        do("remove", "Tiny.Q8_0")
    assert folder.is_dir()
    assert do("remove", "Tiny.Q8_0", "--yes") == 0
    assert not folder.exists()
    assert file.is_file()
    with pytest.raises(WriterProblem, match="No model is called"):
        do("remove", "Tiny.Q8_0", "--yes")


def test_the_list_says_whether_a_model_was_trained_on_novels(
    do: Do, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write_gguf("llama", tmp_path / "Tiny.Q8_0.gguf", kind="Q8_0")
    monkeypatch.setattr(
        model_library, "adapted_sources", lambda folder: {hashlib.sha256(file.read_bytes()).hexdigest()}
    )
    assert do("import", str(file), "--original") == 0
    assert do("list") == 0
    assert "as its makers published it" in capsys.readouterr().out


def test_what_needs_no_import_is_said(do: Do, tmp_path: Path) -> None:
    with pytest.raises(WriterProblem, match="needs no import"):
        do("import", str(BUILT_IN_MODEL))
    with pytest.raises(WriterProblem, match="doesn't exist"):
        do("import", str(tmp_path / "gone.gguf"))
    damaged = tmp_path / "damaged.gguf"
    damaged.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(WriterProblem, match="version 0 of the GGUF format"):
        do("import", str(damaged))


@pytest.fixture
def gguf(hub: HubServer, behaviour: Behaviour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Behaviour:
    """A repository with GGUF files alone."""
    memory = FreeMemory(10**10, dtype="bfloat16")
    monkeypatch.setattr(download_console, "ask_for_memory", lambda: memory)
    names = {kind: f"Tiny-{kind}.gguf" for kind in ("Q8_0", "BF16")}
    behaviour.files.clear()
    for kind, name in names.items():
        behaviour.files[name] = write_gguf("llama", tmp_path / name, kind=kind).read_bytes()
    return behaviour


def test_the_recommended_quantisation_is_downloaded_and_imported(
    do: Do, gguf: Behaviour, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert do("download", NAME, "--yes") == 0
    said = capsys.readouterr().err
    assert "fits this computer, recommended" in said
    assert f"{NAME} Q8_0: 1 MB to download. Licence: mit." in said
    assert "100% imported" in said
    (folder,) = (home / "imported").iterdir()
    assert f"quire draft --model {folder}" in said
    assert [each.name for each in home.iterdir()] == ["imported"]  # the download is gone, and its file kept
    assert list(folder.glob("*.gguf"))
    assert do("list") == 0
    assert "Tiny-Q8_0: llama" in capsys.readouterr().out


def test_a_quantisation_is_named_after_a_colon(do: Do, gguf: Behaviour, home: Path) -> None:
    assert do("download", f"{NAME}:bf16", "--yes") == 0
    assert [name for name, _, _ in gguf.asked] == ["Tiny-BF16.gguf"]
    with pytest.raises(WriterProblem, match="It has: Q8_0, BF16"):
        do("download", f"{NAME}:Q2_K", "--yes")


def test_where_none_fits_nothing_is_downloaded_unasked(
    do: Do, gguf: Behaviour, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download_console, "ask_for_memory", lambda: FreeMemory(10**8))
    with pytest.raises(WriterProblem, match=f"name it: {NAME}:Q8_0"):
        do("download", NAME, "--yes")
    assert not home.exists()
