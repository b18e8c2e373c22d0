"""The command that makes a project of an opening."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from quire.system import text_file
from tests.app.commands import OPENING, Say, refused
from tests.fakes import Disk, ReadOnly


def test_new_makes_a_project(tmp_path: Path, opening: Path, say: Say) -> None:
    path = tmp_path / "novel.quire"
    assert "an opening of 5 words" in say("new", path, "--opening", opening, "--title", "Night").err
    facts = json.loads(say("info", path, "--json").out)
    assert (facts["title"], facts["words"], facts["characters"], facts["runs"]) == ("Night", 5, 20, [])


def test_the_title_is_the_files_name_if_not_given(project: Path, say: Say) -> None:
    assert json.loads(say("info", project, "--json").out)["title"] == "novel"


def test_an_opening_may_come_from_any_editor(tmp_path: Path, opening: Path, say: Say) -> None:
    opening.write_bytes(b"\xef\xbb\xbfOne.\r\nTwo \xe2\x80\x94 \xf0\x9f\x98\x80.\n")
    path = tmp_path / "novel.quire"
    assert say("new", path, "--opening", opening).code == 0
    assert say("text", path).out == "One.\nTwo \u2014 \U0001f600.\n"


def test_an_opening_may_come_from_standard_input(
    tmp_path: Path, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"One.\r\nTwo.")))
    path = tmp_path / "novel.quire"
    assert say("new", path, "--opening", "-").code == 0
    assert say("text", path).out == "One.\nTwo."


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "The opening is empty"),
        (b" \r\n\t\n", "The opening is empty"),
        (b"\xef\xbb\xbf", "The opening is empty"),
        (b"caf\xe9", "Save it as UTF-8 and try again"),
        (b"\x89PNG\r\n\x1a\n\0\0", "Save it as UTF-8 and try again"),
        ("na\u00efve".encode("utf-16"), "Save it as UTF-8 and try again"),
        (b"a\0b", "Save it as UTF-8 and try again"),
    ],
)
def test_an_opening_without_text_is_refused(
    tmp_path: Path, opening: Path, say: Say, content: bytes, sentence: str
) -> None:
    opening.write_bytes(content)
    path = tmp_path / "novel.quire"
    assert sentence in refused(say("new", path, "--opening", opening))
    assert not path.exists()


def test_an_opening_that_is_too_long_is_refused(
    tmp_path: Path, opening: Path, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_file, "MAX_BYTES", 10)
    assert "larger than 64 MiB" in refused(say("new", tmp_path / "novel.quire", "--opening", opening))


def test_an_opening_that_cannot_be_read_is_refused(tmp_path: Path, say: Say) -> None:
    path = tmp_path / "novel.quire"
    assert "doesn't exist" in refused(say("new", path, "--opening", tmp_path / "none.txt"))
    assert "can't be read" in refused(say("new", path, "--opening", tmp_path))


def test_new_overwrites_nothing(project: Path, opening: Path, say: Say) -> None:
    before = project.read_bytes()
    assert "Choose another name" in refused(say("new", project, "--opening", opening))
    assert project.read_bytes() == before


def test_a_project_needs_its_suffix(tmp_path: Path, opening: Path, say: Say) -> None:
    sentence = refused(say("new", tmp_path / "novel", "--opening", opening))
    assert "use novel.quire" in sentence


def test_a_project_needs_a_folder(tmp_path: Path, opening: Path, say: Say) -> None:
    path = tmp_path / "none" / "novel.quire"
    assert "Create it first, or choose another one" in refused(say("new", path, "--opening", opening))


def test_a_full_disk_is_one_sentence_and_leaves_nothing(
    tmp_path: Path, opening: Path, say: Say, disk: Disk
) -> None:
    disk.fill()
    assert "The disk is full" in refused(say("new", tmp_path / "novel.quire", "--opening", opening))
    assert list(tmp_path.iterdir()) == [opening]


def test_a_read_only_folder_is_one_sentence(read_only: ReadOnly, say: Say) -> None:
    path, text = read_only.folder / "novel.quire", read_only.folder / "opening.txt"
    text.write_text(OPENING)
    with read_only.now():
        sentence = refused(say("new", path, "--opening", text))
    assert "read-only" in sentence
    assert say("new", path, "--opening", text).code == 0
    with read_only.now():
        assert "read-only" in refused(say("draft", path, "--words", 5))
        assert say("text", path).out == OPENING
