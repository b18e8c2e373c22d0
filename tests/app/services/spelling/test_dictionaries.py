from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from quire.errors import WriterProblem
from quire.services.spelling.dictionaries import (
    SHIPPED,
    Dictionary,
    add_dictionary,
    added_folder,
    best_for,
    find_dictionaries,
    language_of,
    usual_folders,
)
from quire.services.spelling.spelling_process import SpellingProcess
from tests.conftest import PATIENCE_MS


def put(folder: Path, *names: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).touch()


def test_quire_brings_both_kinds_of_english_and_their_licences() -> None:
    assert [found.language for found in find_dictionaries([SHIPPED])] == ["en_GB", "en_US"]
    for language, words in (
        ("en_GB", "GNU LESSER GENERAL PUBLIC LICENSE"),
        ("en_US", "Permission to use, copy, modify, distribute and sell"),
    ):
        assert words in (SHIPPED / f"LICENSE-{language}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["en_GB", "en_US"])
def test_english_words_with_accents_and_verbs_are_right(language: str) -> None:
    speller = SpellingProcess()
    try:
        speller.ask("open", str(SHIPPED / language), within_s=PATIENCE_MS / 1000)
        words = ["café", "cafés", "naïve", "résumé", "fiancé", "fiancée", "cliché", "façade", "teh", "Zoë"]
        assert speller.ask("check", words, within_s=PATIENCE_MS / 1000) == ["teh"]
        words = ["there'll", "There'd", "might've", "what'll", "ther'll", "there'l", "the'teh"]
        wrong = ["ther'll", "there'l", "the'teh"]
        assert speller.ask("check", words, within_s=PATIENCE_MS / 1000) == wrong
    finally:
        speller.close()


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("en_US", "en_US"),
        ("de", "de"),
        ("de_DE_frami", "de_DE"),
        ("sr-Latn-RS", "sr_Latn_RS"),
        ("es_419", "es_419"),
        ("ast", "ast"),
        ("hyph_de_DE", None),
        ("th_en_US_v2", "th"),
        ("Index", None),
        ("", None),
    ],
)
def test_names_of_files_say_the_language(name: str, language: str | None) -> None:
    assert language_of(name) == language


def test_the_first_folder_wins_and_halves_do_not_count(tmp_path: Path) -> None:
    own, system = tmp_path / "own", tmp_path / "system"
    put(own, "de_DE.aff", "de_DE.dic", "fr_FR.aff")
    put(system, "de_DE.aff", "de_DE.dic", "fr_FR.dic", "sv_SE.aff", "sv_SE.dic", "hyph_sv.dic")
    found = find_dictionaries([own, tmp_path / "none", system])
    assert found == (Dictionary("de_DE", own / "de_DE"), Dictionary("sv_SE", system / "sv_SE"))


def test_a_language_without_a_dictionary_of_its_own_takes_one_of_its_kin() -> None:
    known = [Dictionary(code, Path(code)) for code in ("de_AT", "de_DE", "en_GB", "en_US", "pt_BR", "pt_PT")]
    for wanted, taken in [("en_GB", "en_GB"), ("en_AU", "en_US"), ("de_CH", "de_DE"), ("pt", "pt_PT")]:
        found = best_for(wanted, known)
        assert found is not None
        assert found.language == taken
    assert best_for("fi_FI", known) is None
    assert best_for("en_US", []) is None


def test_system_folders_come_after_quires_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    put(tmp_path / "given", "fi_FI.aff", "fi_FI.dic", "en_US.aff", "en_US.dic")
    monkeypatch.setenv("DICPATH", str(tmp_path / "given"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    found = {each.language: each.stem.parent for each in find_dictionaries(usual_folders())}
    assert found["fi_FI"] == tmp_path / "given"
    assert found["en_US"] == SHIPPED
    assert usual_folders()[0] == added_folder()


@pytest.mark.parametrize("chosen", ["nl_NL.aff", "nl_NL.dic"])
def test_an_added_dictionary_is_copied_and_found(tmp_path: Path, chosen: str) -> None:
    source, folder = tmp_path / "download", tmp_path / "data" / "dictionaries"
    source.mkdir()
    (source / "nl_NL.aff").write_text("SET UTF-8\nSFX S Y 1\nSFX S 0 en .\n", encoding="utf-8")
    (source / "nl_NL.dic").write_text("1\nboek/S\n", encoding="utf-8")
    added = add_dictionary(source / chosen, folder)
    shutil.rmtree(source)
    assert find_dictionaries([folder]) == (added,)
    assert added == Dictionary("nl_NL", folder / "nl_NL")
    assert sorted(path.name for path in folder.iterdir()) == ["nl_NL.aff", "nl_NL.dic"]


def test_half_a_dictionary_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "nl_NL.aff")
    with pytest.raises(WriterProblem, match=r"nl_NL\.dic is missing"):
        add_dictionary(tmp_path / "nl_NL.aff", tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "nl_NL.aff").write_text("SET no-such-encoding\n", encoding="utf-8")
    (tmp_path / "nl_NL.dic").write_text("1\nboek\n", encoding="utf-8")
    with pytest.raises(WriterProblem, match="is not a valid Hunspell dictionary"):
        add_dictionary(tmp_path / "nl_NL.aff", tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_a_name_that_is_no_language_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "Index.aff", "Index.dic")
    with pytest.raises(WriterProblem, match="Rename the two files like de_DE"):
        add_dictionary(tmp_path / "Index.dic", tmp_path / "data")


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file in the way", encoding="utf-8")
    with pytest.raises(WriterProblem, match="can't be copied to"):
        add_dictionary(SHIPPED / "en_US.aff", tmp_path / "data")
