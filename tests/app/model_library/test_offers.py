"""The list shows models of other programs and those to download, each with where it is from."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

import quire.model_library.controller
from quire.errors import WriterProblem
from quire.model_library.controller import ModelLibraryController
from quire.model_library.model_file_dialog import ModelFileDialog
from quire.model_library.models_dialog import ModelsDialog
from quire.services.model_library.model_download import ModelDownloads
from quire.services.model_library.model_library import ModelLibrary, ModelOrigin
from quire.services.model_library.model_offers import ModelOffers, add_from
from quire.services.model_library.model_places import ModelPlace, PlaceKind
from quire.services.model_library.recommended_models import RECOMMENDED, RecommendedModel
from quire.settings.settings import Settings
from quire_engine.catalog.memory_fit import FreeMemory
from quire_engine.catalog.stored_secret import StoredSecret
from quire_engine.importing.model_import import import_model
from quire_resources import BUILT_IN_MODEL
from tests.app.model_library.room import with_models
from tests.app.project_window import ProjectWindow, play
from tests.app.services.books import make_book
from tests.engine.catalog.conftest import serve
from tests.engine.catalog.hub_server import NAME, Behaviour, HubServer
from tests.engine.gguf_samples import write_gguf

__all__ = ["serve"]  # the fixture
NEEDED = ("config.json", "model.safetensors", "tokenizer.json")
MEMORY = FreeMemory(13 * 10**9, dtype="bfloat16")


def put_model(folder: Path) -> Path:
    """Put a model that works into a folder."""
    folder.mkdir(parents=True)
    for name in NEEDED:
        shutil.copy(BUILT_IN_MODEL / name, folder)
    return folder


def put_folder(folder: Path) -> Path:
    """Make a folder."""
    folder.mkdir(parents=True)
    return folder


def offers_in(tmp_path: Path, *recommended: RecommendedModel) -> ModelOffers:
    """Return offers of folders below the test's own."""
    places = (
        ModelPlace(PlaceKind.LM_STUDIO, tmp_path / "lm"),
        ModelPlace(PlaceKind.HUB_CACHE, tmp_path / "hub"),
    )
    return ModelOffers(places, recommended)


def test_usable_models_of_other_programs_are_offered_once(tmp_path: Path) -> None:
    library = ModelLibrary(tmp_path / "home")
    mine = put_model(tmp_path / "lm" / "maker" / "mine")
    library.add(mine)
    there = put_model(tmp_path / "lm" / "maker" / "there")
    put_model(tmp_path / "hub" / "models--maker--tale" / "snapshots" / ("a" * 40))
    broken = put_model(tmp_path / "lm" / "maker" / "broken")
    (broken / "config.json").write_text('{"model_type": "bert"}', encoding="utf-8")
    found = offers_in(tmp_path).beside(library, library.models(MEMORY), MEMORY)
    assert [(each.name, each.origin, each.place) for each in found] == [
        ("tale", ModelOrigin.FOUND, PlaceKind.HUB_CACHE),
        ("there", ModelOrigin.FOUND, PlaceKind.LM_STUDIO),
    ]
    assert all(each.is_usable and each.fit is not None and each.fit.fits for each in found)
    early = offers_in(tmp_path, *RECOMMENDED).beside(library, library.models(), None)
    assert [(each.name, each.fit) for each in early] == [("tale", None), ("there", None)]
    for each in found:
        with pytest.raises(WriterProblem, match="does not belong to Quire"):
            library.remove(each)
    assert (there / "config.json").is_file()


def test_what_is_there_already_is_not_suggested(tmp_path: Path) -> None:
    library = ModelLibrary(tmp_path / "home")
    put_model(tmp_path / "hub" / "models--HuggingFaceTB--SmolLM2-360M" / "snapshots" / ("a" * 40))
    offered = offers_in(tmp_path, *RECOMMENDED).beside(library, library.models(MEMORY), MEMORY)
    suggested = [each.name for each in offered if each.origin is ModelOrigin.SUGGESTED]
    assert suggested == [model.name for model in RECOMMENDED[1:]]
    assert [each.name for each in offered if each.is_best] == ["Qwen3 4B"]
    assert not any(each.is_usable or each.is_removable for each in offered[1:])


def test_models_in_folders_below_the_chosen_one_are_added_together(tmp_path: Path) -> None:
    library = ModelLibrary(tmp_path / "home")
    one = put_model(tmp_path / "models" / "maker" / "one")
    two = put_model(tmp_path / "models" / "two")
    (put_model(tmp_path / "models" / "three") / "tokenizer.json").unlink()
    assert {each.path for each in add_from(library, tmp_path / "models")} == {one, two}
    assert {each.path for each in library.models()} == {BUILT_IN_MODEL, one, two}
    assert [each.path for each in add_from(library, one)] == [one]


def test_a_folder_without_models_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(WriterProblem, match=r"config\.json is missing"):
        add_from(ModelLibrary(tmp_path / "home"), tmp_path / "empty")


def test_gguf_files_are_offered_to_import_and_added(tmp_path: Path) -> None:
    library = ModelLibrary(tmp_path / "home")
    file = write_gguf("llama", put_folder(tmp_path / "lm" / "maker") / "Tale.Q8_0.gguf", kind="Q8_0")
    (found,) = offers_in(tmp_path).beside(library, library.models(MEMORY), MEMORY)
    assert (found.name, found.place, found.is_usable) == ("Tale.Q8_0", PlaceKind.LM_STUDIO, False)
    assert found.gguf is not None
    assert (found.gguf.quantisation, found.licence) == ("Q8_0", "apache-2.0")
    assert [each.path for each in add_from(library, tmp_path / "lm")] == [file]
    assert [each.path for each in library.models()] == [BUILT_IN_MODEL, file]
    library.remove(library.look_at(file))
    assert file.is_file()


def test_an_ollama_model_keeps_its_name_when_it_is_imported(tmp_path: Path) -> None:
    blob = put_folder(tmp_path / "blobs") / f"sha256-{'a' * 64}"
    write_gguf("llama", tmp_path / "tiny.gguf", kind="Q8_0").rename(blob)
    library = ModelLibrary(tmp_path / "home")
    folder = import_model(blob, library.home / "imported")
    known = library.look_at(folder)
    assert (known.origin, known.name) == (ModelOrigin.IMPORTED, "Tiny")


def test_a_found_file_is_imported_in_the_list_used_and_deleted(
    qapp: QApplication,
    run_async: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(quire.model_library.controller, "ask_for_memory", lambda: MEMORY)
    make_book(tmp_path / "novel.quire")
    file = write_gguf("llama", put_folder(tmp_path / "lm" / "maker") / "Tale.Q8_0.gguf", kind="Q8_0")
    before = file.read_bytes()
    made: list[ModelLibraryController] = []
    used: list[str] = []

    def make(shown: ProjectWindow) -> None:
        library = ModelLibrary(tmp_path / "home")
        made.append(ModelLibraryController(with_models(shown), library, offers=offers_in(tmp_path)))
        shown.window.model_chosen.connect(used.append)

    async def scenario(shown: ProjectWindow) -> None:
        made[0].actions.models.trigger()
        await shown.settle()
        dialog = made[0].show_dialog()
        assert [row[0] for row in rows(dialog)] == ["\u25cf Built-in model", "Tale, 8 bits"]
        dialog.choose(file)
        assert rows(dialog)[1][-1] == "Import first"
        assert "Quire imports its tokenizer and settings (about 34 MB)" in dialog.details.text()
        assert dialog.use_button.text() == "Use"
        assert not dialog.remove_button.isEnabled()
        QTest.mouseClick(dialog.use_button, Qt.MouseButton.LeftButton)
        asking = dialog.findChild(QMessageBox)
        assert isinstance(asking, QMessageBox)
        assert "of disk space" in asking.informativeText()
        assert not (tmp_path / "home").exists()  # nothing before the writer has seen the size
        next(button for button in asking.buttons() if button.text() == "Import").click()
        await shown.settle()
        assert dialog.said.text() == "Tale, 8 bits is imported. Choose Use to draft with it."
        assert [(row[0], row[1]) for row in rows(dialog)][1:] == [("Tale, 8 bits", "Imported")]
        chosen = dialog.chosen
        assert chosen is not None
        QTest.mouseClick(dialog.use_button, Qt.MouseButton.LeftButton)
        assert used == [str(chosen.path)]
        shown.app.settings.apply(Settings())
        dialog.remove_asked.emit(chosen)
        await shown.settle()
        assert not chosen.path.exists()
        assert [(row[0], row[1]) for row in rows(dialog)][1:] == [("Tale, 8 bits", "LM Studio")]

    play(qapp, run_async, tmp_path / "novel.quire", scenario, make)
    assert file.read_bytes() == before


def test_a_file_is_chosen_or_dropped(
    qapp: QApplication, run_async: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quire.model_library.controller, "ask_for_memory", lambda: MEMORY)
    make_book(tmp_path / "novel.quire")
    files = [write_gguf("llama", tmp_path / f"{name}.gguf", kind="Q8_0") for name in ("One", "Two")]
    made: list[ModelLibraryController] = []

    def make(shown: ProjectWindow) -> None:
        library = ModelLibrary(tmp_path / "home")
        made.append(ModelLibraryController(with_models(shown), library))

    async def scenario(shown: ProjectWindow) -> None:
        made[0].actions.models.trigger()
        await shown.settle()
        dialog = made[0].show_dialog()
        QTest.mouseClick(dialog.file_button, Qt.MouseButton.LeftButton)
        chooser = dialog.findChild(ModelFileDialog)
        assert isinstance(chooser, ModelFileDialog)
        assert chooser.nameFilters()[0] == "Models (*.gguf)"
        chooser.fileSelected.emit(str(files[0]))
        chooser.close()
        await shown.settle()
        for path, is_taken in ((files[1], True), (tmp_path / "novel.quire", False)):
            dropped = QMimeData()
            dropped.setUrls([QUrl.fromLocalFile(str(path))])
            where = QPointF(dialog.rect().center())
            action, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
            event = QDropEvent(where, action, dropped, left, Qt.KeyboardModifier.NoModifier)
            dialog.dropEvent(event)
            assert event.isAccepted() == is_taken
        await shown.settle()
        assert [(row[0], row[-1]) for row in rows(dialog)][1:] == [
            ("One", "Import first"),
            ("Two", "Import first"),
        ]

    play(qapp, run_async, tmp_path / "novel.quire", scenario, make)


@pytest.fixture
def behaviour() -> Behaviour:
    return Behaviour({name: (BUILT_IN_MODEL / name).read_bytes() for name in NEEDED}, {"license": "mit"})


def rows(dialog: ModelsDialog) -> list[list[str]]:
    """Return what the table shows."""
    table = dialog.table
    columns = range(table.columnCount())
    return [
        [str(table.data(table.index(row, column))) for column in columns] for row in range(table.rowCount())
    ]


def test_the_list_says_where_each_is_and_downloads_after_showing_the_size(
    qapp: QApplication,
    run_async: Callable[..., Any],
    tmp_path: Path,
    serve: Callable[[Behaviour], HubServer],
    behaviour: Behaviour,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(quire.model_library.controller, "ask_for_memory", lambda: MEMORY)
    monkeypatch.setattr(StoredSecret, "read", lambda current: "")
    make_book(tmp_path / "novel.quire")
    put_model(tmp_path / "lm" / "maker" / "there")
    endpoint = serve(behaviour).address
    large = next(model for model in RECOMMENDED if model.name == "Qwen3 14B")
    small = RecommendedModel(NAME, "Tiny", False, "mit", RECOMMENDED[0].architecture)
    made: list[ModelLibraryController] = []

    def make(shown: ProjectWindow) -> None:
        library = ModelLibrary(tmp_path / "home")
        downloads = ModelDownloads(library.home, endpoint)
        offers = offers_in(tmp_path, small, large)
        made.append(ModelLibraryController(with_models(shown), library, downloads, offers=offers))

    async def scenario(shown: ProjectWindow) -> None:
        made[0].actions.models.trigger()
        await shown.settle()
        dialog = made[0].show_dialog()
        assert [(row[0], row[1], row[-1]) for row in rows(dialog)] == [
            ("\u25cf Built-in model", "Built in", "Fits"),
            ("there", "LM Studio", "Fits"),
            ("Tiny", "To download", "Recommended"),
            ("Qwen3 14B", "To download", "Too large"),
        ]
        dialog.choose(Path("Qwen/Qwen3-14B-Base"))
        assert "Downloads 29.5 GB from huggingface.co/Qwen/Qwen3-14B-Base." in dialog.details.text()
        assert "Licence: apache-2.0" in dialog.details.text()
        assert not dialog.remove_button.isEnabled()
        assert not dialog.prepare_button.isEnabled()
        assert not dialog.small_box.isEnabled()
        dialog.choose(Path(NAME))
        assert dialog.use_button.text() == "Download…"
        QTest.mouseClick(dialog.use_button, Qt.MouseButton.LeftButton)
        await shown.settle()
        assert dialog.downloads.download_button.isVisible()
        assert "to download. Licence: mit." in dialog.downloads.said.text()
        assert not (tmp_path / "home").exists()  # nothing before the writer says so
        QTest.mouseClick(dialog.downloads.download_button, Qt.MouseButton.LeftButton)
        await shown.settle()
        assert [row[1] for row in rows(dialog)] == ["Built in", "Downloaded", "LM Studio", "To download"]

    play(qapp, run_async, tmp_path / "novel.quire", scenario, make)
