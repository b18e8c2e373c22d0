"""Published draft heads are added to the selected model, in the window and by the command."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

import quire.model_library.controller
from quire.cli import model_commands
from quire.cli.main import PauseSignals
from quire.errors import WriterProblem
from quire.model_library import draft_heads_controller
from quire.model_library.controller import ModelLibraryController
from quire.model_library.draft_heads_controller import DraftHeadsController
from quire.services.model_library import published_heads
from quire.services.model_library.model_library import KnownModel, ModelLibrary, ModelOrigin
from quire.services.model_library.published_heads import HeadsAdded
from quire.shell.task_queue import TaskQueue
from quire_engine.__main__ import main
from quire_engine.catalog.memory_fit import FreeMemory
from quire_engine.catalog.safetensors_header import read_header, read_metadata
from quire_resources import BUILT_IN_MODEL
from tests.app.model_library.room import with_models
from tests.app.project_window import ProjectWindow, play
from tests.app.services.books import make_book
from tests.benchmarks.app.latency_probes import turns_until
from tests.engine.drafting.published import medusa_folder, random_chain, random_medusa, token_swift_folder


def own_model(folder: Path) -> Path:
    folder.mkdir()
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        shutil.copy(BUILT_IN_MODEL / name, folder)
    return folder


def test_the_command_adds_heads_that_fit_and_says_why_others_are_not_added(
    tmp_path: Path,
    run_async: Callable[..., Any],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mine, library = own_model(tmp_path / "mine"), ModelLibrary(tmp_path / "home")
    library.add(mine)
    parser = argparse.ArgumentParser()
    model_commands.add_parsers(parser.add_subparsers(dest="command"))

    def do(*words: str) -> int:
        options = parser.parse_args(["models", "heads", *words])
        code: int = run_async(model_commands.run(options, PauseSignals, library))
        return code

    width = json.loads((mine / "config.json").read_text(encoding="utf-8"))["hidden_size"]
    heads = token_swift_folder(mine, tmp_path / "TokenSwift", random_chain(width=width))
    assert do("mine", str(heads)) == 0
    assert "Added 3 draft heads of TokenSwift to mine." in capsys.readouterr().err
    file = mine / "drafters.safetensors"
    assert read_header(file)["heads.weight"].shape == (3, width, width)
    assert read_metadata(file)["format"] == "2"
    others = medusa_folder(tmp_path / "medusa", random_medusa())
    assert main(["heads", str(mine), "--from", str(others), "--out", str(mine), "--json"]) == 1
    answer = capsys.readouterr().out.strip()
    # a process that answers the same and is quicker
    monkeypatch.setattr(published_heads, "_COMMAND", (sys.executable, "-c", f"print({answer!r})"))
    with pytest.raises(WriterProblem, match="don't fit mine") as caught:
        do("mine", str(others))
    assert caught.value.message.template.startswith("These heads don't fit {name}")
    assert read_header(file)["heads.weight"].shape == (3, width, width)


@pytest.mark.parametrize("answer", ["{}", '{"count": "many", "kind": "Medusa", "replaced": ""}', "[]"])
def test_an_answer_that_nobody_expected_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.setattr(published_heads, "_COMMAND", (sys.executable, "-I", "-S", "-c", f"print({answer!r})"))
    for ask in (
        lambda: published_heads.add_heads(tmp_path, tmp_path, tmp_path),
        lambda: published_heads.remove_heads(tmp_path, tmp_path),
    ):
        with pytest.raises(WriterProblem, match="could not be read"):
            ask()


def test_no_heads_are_added_to_a_model_that_is_being_sped_up(qapp: QApplication, tmp_path: Path) -> None:
    said, ran = list[str](), list[object]()
    mine = KnownModel(own_model(tmp_path / "mine"), "mine", ModelOrigin.ADDED)
    part = DraftHeadsController(
        TaskQueue(ran.append, ran.append, ran.append),
        ModelLibrary(tmp_path / "home"),
        said.append,
        nothing,
        lambda folder: folder == mine.path,
    )
    part.add(mine, tmp_path / "heads")
    assert said == ["mine is being sped up. Wait for that to finish, or stop it, then add the heads."]
    assert not ran


async def nothing() -> None:
    """List no models again."""


def test_the_list_of_models_adds_heads_to_the_selected_one_and_tells_the_result(
    qapp: QApplication, run_async: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quire.model_library.controller, "ask_for_memory", lambda: FreeMemory(10**10))
    asked: list[tuple[Path, Path, Path]] = []
    may_go_on = threading.Event()

    def add(model: Path, source: Path, place: Path) -> HeadsAdded:
        asked.append((model, source, place))
        may_go_on.wait(60)
        if source.name == "wrong":
            raise WriterProblem("These heads are incomplete or damaged. Download them again.")
        return HeadsAdded(3, "TokenSwift", "Quire" if source.name == "again" else "")

    monkeypatch.setattr(draft_heads_controller, "add_heads", add)
    path, mine = tmp_path / "novel.quire", own_model(tmp_path / "mine")
    make_book(path)
    parts: list[ModelLibraryController] = []

    def make(shown: ProjectWindow) -> None:
        library = ModelLibrary(tmp_path / "home")
        library.add(mine)
        parts.append(ModelLibraryController(with_models(shown), library))

    async def inside(shown: ProjectWindow) -> None:
        dialog = parts[0].show_dialog()
        await shown.settle()
        dialog.choose(mine)
        assert "the same words" in dialog.draft_model.heads_button.accessibleDescription()
        choosing = dialog.draft_model.ask_for_heads()
        choosing.fileSelected.emit(str(tmp_path / "heads"))
        choosing.reject()
        assert dialog.said.text() == "Adding draft heads to mine…"
        dialog.draft_model.heads_asked.emit(tmp_path / "again")
        assert dialog.said.text() == "Draft heads are already being added. Wait for that to finish."
        dialog.prepare_asked.emit(dialog.chosen, (), True, 5)
        await turns_until(lambda: not dialog.said.text().startswith("Draft heads are already"))
        assert dialog.said.text().startswith("Draft heads are being added to mine. Wait for that to finish")
        may_go_on.set()
        await shown.settle()
        assert dialog.said.text() == "mine now has 3 TokenSwift draft heads. Reload the model to use them."
        dialog.draft_model.heads_asked.emit(tmp_path / "again")
        await shown.settle()
        assert dialog.said.text().endswith("to use them. They replace those from Quire.")
        dialog.draft_model.heads_asked.emit(tmp_path / "wrong")
        await shown.settle()
        assert dialog.said.text() == "These heads are incomplete or damaged. Download them again."
        assert asked == [(mine, tmp_path / name, mine) for name in ("heads", "again", "wrong")]

    play(qapp, run_async, path, inside, make)
