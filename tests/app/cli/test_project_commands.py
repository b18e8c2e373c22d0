from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from quire.__main__ import COMMANDS
from quire.cli import main
from quire.domain.manuscript.chapter_splitting import MAX_TEXTS
from tests.app.commands import Say, refused

NOVEL = (
    "PART ONE\n\nCHAPTER I\n\nIt rained.\n"
    + "And rained. " * 40
    + "\n\nCHAPTER II\n\nIt stopped, and nobody sang; later it rained again, as it did so often there.\n"
)


def test_every_command_runs_without_a_window(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main.main(["--help"])
    assert set(re.findall(r"^    ([a-z]+) ", capsys.readouterr().out, re.MULTILINE)) == COMMANDS


@pytest.mark.sliced
@pytest.mark.parametrize("num_chapters", [MAX_TEXTS + 1, 131_100])
def test_a_text_with_more_chapters_than_any_book_is_refused(
    tmp_path: Path, say: Say, num_chapters: int
) -> None:
    """A large text is refused before it is cut here."""
    (tmp_path / "novel.txt").write_text("# a\n\nb\n\n" * num_chapters)
    said = say("import", tmp_path / "novel.txt", tmp_path / "novel.quire")
    assert said.code == 1
    assert "novel.txt has more than 20,000 chapters and scenes." in said.err
    assert not (tmp_path / "novel.quire").exists()


def test_a_text_is_imported_chapter_by_chapter_and_nothing_is_lost(tmp_path: Path, say: Say) -> None:
    (tmp_path / "novel.txt").write_text(NOVEL, encoding="utf-8")
    said = say("import", tmp_path / "novel.txt", tmp_path / "novel.quire")
    assert "split into 3 texts" in said.err
    facts = json.loads(say("info", tmp_path / "novel.quire", "--json").out)
    assert facts["texts"] == ["PART ONE", "CHAPTER I", "CHAPTER II"]
    assert say("text", tmp_path / "novel.quire").out == NOVEL


def test_an_empty_text_is_not_imported(tmp_path: Path, say: Say) -> None:
    (tmp_path / "novel.txt").write_text(" \n", encoding="utf-8")
    assert "has no text to import" in refused(say("import", tmp_path / "novel.txt", tmp_path / "novel.quire"))
    assert not (tmp_path / "novel.quire").exists()


def test_every_step_of_a_run_can_be_exported(project: Path, say: Say) -> None:
    say("draft", project, "--words", 50, "--seed", 7)
    lines = list(csv.DictReader(say("runs", project).out.splitlines()))
    (run,) = [json.loads(line) for line in say("runs", project, "--json").out.splitlines()]
    assert len(lines) == len(run["steps"]) > 10
    assert sum(int(line["num_tokens"]) for line in lines) == run["tokens"] == int(lines[-1]["tokens"])
    assert (run["seed"], run["model"]["dtype"]) == (7, "float32")
    assert say("runs", project, "--run", 1).out.count("\n") == len(lines) + 1
    assert "has no run 9" in refused(say("runs", project, "--run", 9))


def test_a_backup_is_made_and_restored_beside_a_damaged_project(project: Path, say: Say) -> None:
    text = say("text", project).out
    assert "made and checked" in say("backup", project).err
    damaged = bytearray(project.read_bytes())
    damaged[len(damaged) // 2 :] = b"\0" * (len(damaged) - len(damaged) // 2)
    project.write_bytes(damaged)
    assert "is damaged" in refused(say("text", project))
    said = say("restore", project).err
    assert project.read_bytes() == damaged
    (restored,) = [path for path in project.parent.glob("*.quire") if "(restored" in path.name]
    assert restored.name in said
    assert say("text", restored).out == text


def test_without_a_backup_nothing_is_restored(tmp_path: Path, say: Say) -> None:
    assert "There is no good backup" in refused(say("restore", tmp_path / "novel.quire"))
    assert list(tmp_path.iterdir()) == []
