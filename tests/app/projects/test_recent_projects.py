from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.projects.recent_projects import MAX_NOTES, RecentNotes, RecentProject, days_ago

WHEN = datetime(2026, 11, 21, 12, tzinfo=UTC)


def test_what_is_noted_is_known_at_the_next_start(tmp_path: Path) -> None:
    project = tmp_path / "Ferry.quire"
    project.write_bytes(b"")
    RecentNotes(tmp_path / "state").note(project, "The Ferry", 12412, WHEN)
    notes = RecentNotes(tmp_path / "state")
    gone = tmp_path / "Gone.quire"
    assert notes.look([str(project), str(gone)]) == (
        RecentProject(project, "The Ferry", WHEN, 12412, exists=True),
        RecentProject(gone, "Gone", None, None, exists=False),
    )
    assert notes.known([str(gone)])[0].exists  # nobody has looked yet


def test_a_project_is_noted_once_and_can_be_forgotten(tmp_path: Path) -> None:
    notes = RecentNotes(tmp_path)
    for num_words in (1, 2):
        notes.note(tmp_path / "a.quire", "A", num_words, WHEN)
    assert notes.known([str(tmp_path / "a.quire")])[0].num_words == 2
    notes.forget(tmp_path / "a.quire")
    assert notes.known([str(tmp_path / "a.quire")])[0].num_words is None
    notes.forget(tmp_path / "never.quire")


def test_old_notes_go(tmp_path: Path) -> None:
    notes = RecentNotes(tmp_path)
    for number in range(MAX_NOTES + 5):
        notes.note(Path(f"/{number}.quire"), "x", number, WHEN)
    known = notes.known([f"/{number}.quire" for number in range(MAX_NOTES + 5)])
    assert [project.num_words for project in known] == [None] * 5 + list(range(5, MAX_NOTES + 5))


@given(
    st.binary(max_size=200)
    | st.from_regex(r'\{"/a": \[("x"|3), ("2026-01-01"|""|"x"), (3|-1|null)\]\}').map(str.encode)
)
def test_a_damaged_file_costs_only_the_notes(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    folder = tmp_path_factory.mktemp("state")
    (folder / "recent-projects.json").write_bytes(content)
    (project,) = RecentNotes(folder).known(["/a"])
    assert project.path == Path("/a")
    assert project.num_words is None or project.num_words >= 0


def test_names_that_cannot_be_names_are_not_there(tmp_path: Path) -> None:
    names = ["\0.quire", "x" * 5000, str(tmp_path)]
    assert [project.exists for project in RecentNotes(tmp_path).look(names)] == [False] * 3


def test_a_folder_that_cannot_be_written_to_costs_only_the_notes(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    notes = RecentNotes(tmp_path / "taken")
    notes.note(tmp_path / "a.quire", "A", 1)
    assert notes.known(["/a"])[0].opened is None


def test_days_are_days_of_the_calendar() -> None:
    here = timezone(timedelta(hours=0))
    assert days_ago(WHEN, WHEN.astimezone(here)) == 0
    assert days_ago(WHEN - timedelta(days=2), WHEN) == 2


def test_a_folder_of_the_writer_is_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ann"))
    assert RecentProject(Path("/home/ann/Books/a.quire"), "a").folder == str(Path("~/Books"))
    assert RecentProject(Path("/media/a.quire"), "a").folder == str(Path("/media"))
