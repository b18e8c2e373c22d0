from __future__ import annotations

from pathlib import Path

import pytest

from quire.domain.manuscript.spelling import WordList
from quire.errors import WriterProblem
from quire.services.project.project_session import ProjectSession
from quire.services.transactions import project_word_list
from quire.services.transactions.project_word_list import (
    ProjectSpelling,
    change_words,
    choose_language,
    names_in_book,
    project_spelling,
    read_list,
    write_list,
)
from quire.storage.project_file import ProjectFile
from tests.app.services.table import RunAsync


def test_words_and_language_survive_closing(run_async: RunAsync, tmp_path: Path) -> None:
    path = tmp_path / "novel.quire"

    async def scenario() -> None:
        session = await ProjectSession.create(path, "The Ferry", "It rained.")
        assert await session.read(project_spelling) == ProjectSpelling(WordList())
        await session.write(change_words, ("Aelin", "O’Shea"))
        await session.write(change_words, ("grok",), ("Aelin",))
        await session.write(choose_language, "en_GB")
        await session.close()
        session = await ProjectSession.open(path)
        assert await session.read(project_spelling) == ProjectSpelling(WordList(["grok", "O'Shea"]), "en_GB")
        await session.close()

    run_async(scenario())


def test_names_of_a_book_are_those_that_its_text_repeats(run_async: RunAsync, tmp_path: Path) -> None:
    async def scenario() -> None:
        text = "So Aelin ran, and Aelin fell, and Aelin rose. It was Teh end."
        session = await ProjectSession.create(tmp_path / "novel.quire", "The Ferry", text)
        assert await session.read(names_in_book) == WordList(["Aelin"])
        await session.close()

    run_async(scenario())


def test_what_is_no_list_counts_as_none(run_async: RunAsync, tmp_path: Path) -> None:
    async def scenario() -> None:
        session = await ProjectSession.create(tmp_path / "novel.quire", "The Ferry", "It rained.")
        await session.write(_save, project_word_list.WORD_LIST, {"words": 3})
        await session.write(_save, project_word_list.LANGUAGE, ["en"])
        assert await session.read(project_spelling) == ProjectSpelling(WordList())
        await session.write(_save, project_word_list.WORD_LIST, ["Aelin", 3, "", "two words"])
        assert (await session.read(project_spelling)).word_list == WordList(["Aelin"])
        await session.close()

    run_async(scenario())


def test_a_list_has_an_end(run_async: RunAsync, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project_word_list, "MAX_WORDS", 3)

    async def scenario() -> None:
        session = await ProjectSession.create(tmp_path / "novel.quire", "The Ferry", "It rained.")
        await session.write(change_words, ("a", "b", "c"))
        with pytest.raises(WriterProblem, match="A word list holds at most 3 words, and this would be 4"):
            await session.write(change_words, ("d",))
        assert len((await session.read(project_spelling)).word_list) == 3
        await session.close()

    run_async(scenario())


def _save(file: ProjectFile, name: str, value: object) -> None:
    with file.unit() as unit:
        unit.records.save_setting(name, value)
        unit.commit()


def test_a_written_list_is_read_again(tmp_path: Path) -> None:
    words = WordList(["Aelin", "Émile", "grok"])
    write_list(tmp_path / "words.txt", words)
    assert (tmp_path / "words.txt").read_bytes() == "Aelin\ngrok\nÉmile\n".encode()
    assert WordList(read_list(tmp_path / "words.txt")) == words


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\xff\xfe\x00", "Save it as UTF-8, or choose another"),
        (b"1 2 3\n", "Choose a file with one word per"),
        (b"", "Choose a file with one word per"),
    ],
)
def test_a_file_without_words_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    with pytest.raises(WriterProblem, match=sentence):
        read_list(path)


def test_a_file_that_is_not_there_or_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(WriterProblem, match="can't be read"):
        read_list(tmp_path / "words.txt")
    (tmp_path / "words.txt").write_text("Aelin", encoding="utf-8")
    monkeypatch.setattr(project_word_list, "MAX_FILE_BYTES", 3)
    with pytest.raises(WriterProblem, match="too large"):
        read_list(tmp_path / "words.txt")


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(WriterProblem, match="could not be saved"):
        write_list(tmp_path / "no" / "words.txt", WordList(["Aelin"]))
