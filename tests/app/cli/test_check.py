from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from quire.storage.project_file import open_project_file
from tests.app.commands import OPENING, Say
from tests.app.storage.stored import changed

DATA = Path(__file__).parents[2] / "data"


def backups_of(project: Path) -> list[Path]:
    return sorted(project.with_name(f"{project.stem} backups").glob("*.quire"))


def test_a_sound_project_is_called_sound_with_what_was_read(project: Path, say: Say) -> None:
    assert say("backup", project).code == 0
    before = project.read_bytes()
    said = say("check", project)
    assert said.code == 0
    assert said.out.startswith("novel.quire is sound.")
    assert "- Texts: 1 of 1" in said.out
    assert f"  {backups_of(project)[-1]}\n" in said.out
    assert project.read_bytes() == before


def test_damage_is_named_with_where_it_can_be_had_back(project: Path, say: Say) -> None:
    assert say("backup", project).code == 0
    changed(
        project, "UPDATE node SET synopsis = 'x' WHERE kind = 'chapter'", "UPDATE document SET text = 'y'"
    )
    before = project.read_bytes()
    said = say("check", project)
    assert said.code == 1
    assert "novel.quire is damaged." in said.out
    assert "- The title, the synopsis, the status or the place of “novel”\n    The backup of" in said.out
    assert "- The text of “novel”\n    The backup of" in said.out
    assert "- Texts: 0 of 1" in said.out
    assert project.read_bytes() == before


def test_a_backup_that_has_the_same_damage_is_not_named(project: Path, say: Say) -> None:
    for made in backups_of(project):
        made.unlink()
    changed(project, "UPDATE node SET synopsis = 'x' WHERE kind = 'chapter'")
    backup = say("backup", project)
    assert backup.code == 1
    assert "It is an exact copy, but parts of the project are damaged:" in backup.err
    assert "of “novel”" in backup.err
    said = say("check", project)
    assert said.code == 1
    assert "The backup of" not in said.out
    assert "None of the backups in" in said.out


def test_what_a_killed_quire_left_in_the_log_is_read_too(project: Path, say: Say, tmp_path: Path) -> None:
    changed(project, "UPDATE node SET synopsis = 'x' WHERE kind = 'chapter'")
    killed = tmp_path / "killed.quire"
    file = open_project_file(project)
    with file.unit() as unit:  # goes into the file at once
        unit.records.save_setting("proof", 1)
        unit.commit()
    with file.unit() as unit:
        unit.manuscript.save_node(replace(unit.manuscript.tree().node(1), title="From the log"))
        unit.commit()
    for suffix in ("", "-wal"):
        shutil.copyfile(f"{project}{suffix}", f"{killed}{suffix}")
    file.close()
    log = killed.with_name("killed.quire-wal")
    before = killed.read_bytes(), log.read_bytes()
    assert before[1]
    assert say("check", killed).out.startswith("killed.quire is sound.")  # the log has the row as it is now
    assert (killed.read_bytes(), log.read_bytes()) == before
    log.unlink()
    said = say("check", killed)
    assert said.code == 1
    assert "of “novel”" in said.out


@pytest.mark.parametrize("size", [9_000, 20_000])
def test_a_project_cut_short_is_damaged(project: Path, say: Say, size: int) -> None:
    project.write_bytes(project.read_bytes()[:size])
    said = say("check", project)
    assert said.code == 1
    assert "is damaged." in said.out
    assert said.err == ""


def test_what_is_no_project_is_a_sentence(say: Say, opening: Path, tmp_path: Path) -> None:
    assert say("check", opening).err.endswith("is not a Quire project. Choose another file.\n")
    assert "doesn't exist" in say("check", tmp_path / "none.quire").err


def test_the_backup_of_another_project_is_refused_unless_asked_for(
    project: Path, say: Say, tmp_path: Path
) -> None:
    other = tmp_path / "other.quire"
    assert say("new", other, "--opening", tmp_path / "opening.txt", "--title", "The Other").code == 0
    assert say("backup", other).code == 0
    backup = backups_of(other)[-1]
    refused = say("restore", project, "--backup", backup)
    assert refused.code == 1
    assert "is a backup of another project, “The Other” (novel.quire is “novel”)" in refused.err
    assert not list(tmp_path.glob("novel (restored*"))
    assert say("restore", project, "--backup", backup, "--other-project").code == 0
    (restored,) = tmp_path.glob("novel (restored*")
    assert say("text", restored).out == OPENING


def test_a_draft_does_not_go_on_with_a_changed_seed(project: Path, say: Say) -> None:
    assert say("draft", project, "--words", 20, "--seed", 7).code == 0
    changed(project, "UPDATE run SET seed = 8, sampling = replace(sampling, '\"seed\": 7', '\"seed\": 8')")
    said = say("draft", project, "--words", 40)
    assert said.code == 0
    assert "Damaged in this project: The record of run 1 of" in said.err
    assert (
        "The record of the last draft is damaged in the project file, so this starts a new draft." in said.err
    )
    runs = say("info", project).out
    assert "run 1: finished, " in runs
    assert "run 2: finished, " in runs
