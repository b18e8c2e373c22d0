"""The list of models on the disk: added, downloaded, removed; nothing that is not Quire's is ever deleted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from quire.errors import WriterProblem
from quire.services.model_library.model_library import (
    LIST_NAME,
    ModelLibrary,
    ModelOrigin,
    with_weights,
)
from quire.services.model_library.model_memory import ask_for_memory
from quire.system.app_folders import models_home
from quire_engine.catalog.download import Source, write_source
from quire_engine.catalog.fingerprints import fingerprint
from quire_engine.catalog.integer_files import FOLDER, SUFFIX, file_stem
from quire_engine.catalog.load_verdicts import LoadVerdict, LoadVerdicts
from quire_engine.catalog.memory_fit import FreeMemory
from quire_engine.catalog.repositories import Repository
from quire_engine.catalog.repository_file import RepositoryFile
from quire_engine.catalog.trained_drafters import Prepared
from quire_resources import BUILT_IN_MODEL

FROM = Repository("maker/tiny", "a" * 40, (RepositoryFile("config.json", 3, "", "b" * 40),), "mit", False)


@pytest.fixture
def library(tmp_path: Path) -> ModelLibrary:
    return ModelLibrary(tmp_path / "home")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model of the writer's own."""
    names = ("config.json", "model.safetensors", "tokenizer.json")
    place = tmp_path / "mine"
    place.mkdir()
    for name in names:
        shutil.copy(BUILT_IN_MODEL / name, place)
    return place


def downloaded(library: ModelLibrary, folder: Path, *, is_finished: bool) -> Path:
    place = library.home / "maker--tiny"
    shutil.copytree(folder, place)
    write_source(place, Source(FROM, is_finished))
    return place


def test_the_built_in_model_is_always_there(library: ModelLibrary) -> None:
    (known,) = library.models(FreeMemory(10**10))
    assert (known.origin, known.path) == (ModelOrigin.BUILT_IN, BUILT_IN_MODEL)
    assert known.is_usable
    assert known.fit is not None
    assert known.fit.fits
    assert library.with_prepared(known).prepared is Prepared.YES
    with pytest.raises(WriterProblem, match="The built-in model is part of Quire"):
        library.remove(known)


def test_smaller_weights_need_less(library: ModelLibrary) -> None:
    memory = FreeMemory(10**10)
    (known,) = library.models(memory)
    small = with_weights(known, "int8", memory)
    assert known.fit is not None
    assert small.fit is not None
    assert small.fit.weights < known.fit.weights
    assert small.fit.kv < known.fit.kv
    assert small.fit.workspace == known.fit.workspace
    assert with_weights(small, "full", memory) == known
    assert with_weights(library.look_at(BUILT_IN_MODEL), "int8", None).fit is None  # not known yet


def test_a_folder_is_added_once_and_only_taken_off_the_list(library: ModelLibrary, folder: Path) -> None:
    library.add(folder)
    known = library.add(folder)
    assert [each.path for each in library.models()] == [BUILT_IN_MODEL, folder]
    assert library.with_prepared(known).prepared is Prepared.NO
    library.remove(known)
    assert len(library.models()) == 1
    assert (folder / "model.safetensors").is_file()


def test_a_model_shows_what_loading_it_showed(tmp_path: Path, folder: Path) -> None:
    library = ModelLibrary(tmp_path / "home", tmp_path / "cache")
    assert library.with_prepared(library.look_at(folder)).verdict is None
    facts = library.look_at(folder).facts
    assert facts is not None
    mine = fingerprint(facts.deciding_files)
    verdicts = LoadVerdicts(tmp_path / "cache")
    verdicts.keep("half", LoadVerdict(mine, "bfloat16", "Not in bfloat16."))
    known = library.with_prepared(library.look_at(folder))
    assert known.verdict is None  # float32 may do
    assert known.can_be_prepared
    verdicts.keep("full", LoadVerdict(mine, "float32", "Not at all."))
    known = library.with_prepared(library.look_at(folder))
    assert known.verdict is not None
    assert known.verdict.problem == "Not at all."
    assert known.is_usable  # a newer library may compute it
    assert not known.can_be_prepared
    verdicts.keep("good", LoadVerdict(mine, "bfloat16, int8 weights", reproducible=True))
    known = library.with_prepared(library.look_at(folder))
    assert known.verdict is not None
    assert known.verdict.number_format == "bfloat16, int8 weights"
    assert known.can_be_prepared


def test_what_is_no_model_is_not_added(library: ModelLibrary, tmp_path: Path) -> None:
    with pytest.raises(WriterProblem, match=r"was not added.*config\.json"):
        library.add(tmp_path)
    assert not library.home.exists()


def test_a_folder_that_went_away_stays_on_the_list_and_says_so(library: ModelLibrary, folder: Path) -> None:
    library.add(folder)
    shutil.rmtree(folder)
    known = library.models()[1]
    assert known.facts is None
    assert "Choose the folder that contains config" in known.problem
    library.remove(known)
    assert len(library.models()) == 1


def test_a_download_is_deleted_from_the_disk(library: ModelLibrary, folder: Path) -> None:
    place = downloaded(library, folder, is_finished=True)
    known = library.models()[1]
    assert (known.origin, known.repository, known.licence) == (ModelOrigin.DOWNLOADED, "maker/tiny", "mit")
    library.remove(known)
    assert not place.exists()


def test_what_was_made_of_a_model_for_fast_goes_with_it(folder: Path, tmp_path: Path) -> None:
    library = ModelLibrary(tmp_path / "home", tmp_path / "cache")
    place = downloaded(library, folder, is_finished=True)
    known = library.look_at(place)
    kept = tmp_path / "cache" / FOLDER
    kept.mkdir(parents=True)
    stems = (file_stem(library.fingerprint_of(known)), file_stem("0" * 64))
    files = [kept / f"{stem}{form}{SUFFIX}" for stem in stems for form in ("1-a", "2-a")]
    for file in files:
        file.touch()
    library.remove(known)
    assert sorted(kept.iterdir()) == files[2:]


def test_a_download_that_is_not_finished_cannot_be_used(library: ModelLibrary, folder: Path) -> None:
    downloaded(library, folder, is_finished=False)
    known = library.models()[1]
    assert known.origin is ModelOrigin.UNFINISHED
    assert not known.is_usable
    assert "not finished" in known.problem


def test_a_link_to_a_foreign_folder_is_not_deleted(library: ModelLibrary, folder: Path) -> None:
    write_source(folder, Source(FROM, is_finished=True))
    library.home.mkdir()
    (library.home / "maker--tiny").symlink_to(folder)
    with pytest.raises(WriterProblem, match="not deleted"):
        library.remove(library.look_at(library.home / "maker--tiny"))
    assert (folder / "model.safetensors").is_file()


@pytest.mark.parametrize("content", ["", "[]", '{"format": 7, "folders": []}', '{"format": 1}', "x" * 99,
                                     '{"format": 1, "folders": [3, "", "a\\u0000b"]}'])  # fmt: skip
def test_a_damaged_list_is_an_empty_one(library: ModelLibrary, content: str) -> None:
    library.home.mkdir()
    (library.home / LIST_NAME).write_text(content)
    assert len(library.models()) == 1


def test_guessers_of_a_folder_that_cannot_be_written_go_home(library: ModelLibrary, folder: Path) -> None:
    assert library.drafters_place(folder) == folder
    assert library.drafters_place(BUILT_IN_MODEL) == library.home / "prepared" / BUILT_IN_MODEL.name


def test_a_list_that_cannot_be_written_is_told(library: ModelLibrary, folder: Path) -> None:
    library.home.write_text("a file in its place")
    with pytest.raises(WriterProblem, match="could not be saved"):
        library.add(folder)


def test_the_models_have_a_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert models_home() == tmp_path / "quire" / "models"
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert models_home() == tmp_path / "Quire" / "Models"
    monkeypatch.setattr("sys.platform", "darwin")
    assert models_home().parts[-2:] == ("Quire", "Models")


def test_memory_is_asked_of_another_process() -> None:
    found = ask_for_memory()
    assert found.ram > 10**7
    assert found.where_it_runs == (found.gpu or found.ram)
