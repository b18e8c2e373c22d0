from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.project_records import MAX_ACTIVE_S, MAX_WORDS, WritingGoal, WritingSession
from quire.domain.manuscript.tree import Node, NodeKind
from quire.storage.problems import DiskFull, ProjectDamaged
from quire.storage.project_file import (
    ProjectFile,
    create_project_file,
    open_project_file,
    open_project_reader,
)
from quire.storage.rows import DamagedRow
from tests.fakes import Disk
from tests.proofs.app.malicious_files import VALUES
from tests.stored_rows import digested

STARTED = datetime(2026, 1, 5, 9, 30, 1, 250_000, tzinfo=UTC)
SESSION = WritingSession(1, STARTED, STARTED + timedelta(minutes=50), 1234.5, -17, 2_000)
GOAL = WritingGoal(1, 80_000, None, date(2026, 11, 30))

MOMENTS = st.datetimes(datetime(1970, 1, 1), datetime(2999, 12, 31), timezones=st.just(UTC))
SESSIONS = st.builds(
    lambda number, times, *rest: WritingSession(number, *sorted(times), *rest),
    st.integers(1, 2**62),
    st.tuples(MOMENTS, MOMENTS),
    st.floats(0, MAX_ACTIVE_S),
    st.integers(-MAX_WORDS, MAX_WORDS),
    st.integers(0, MAX_WORDS),
)
GOALS = st.builds(
    WritingGoal,
    st.integers(1, 2**62),
    st.integers(1, MAX_WORDS),
    st.sampled_from([None, 1, 2]),
    st.none() | st.dates(),
)
JSON = st.recursive(
    st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
fresh = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A project with one text, of number 1, and the book, of number 2."""
    path = tmp_path_factory.mktemp("records") / "novel.quire"
    create_project_file(path, Project("The Ferry", STARTED), Document(1, "The Ferry", "It was dark."))
    return path.read_bytes()


@pytest.fixture
def path(empty: bytes, tmp_path: Path) -> Path:
    """A closed project that remembers nothing."""
    path = tmp_path / "novel.quire"
    path.write_bytes(empty)
    return path


@pytest.fixture
def file(path: Path) -> Iterator[ProjectFile]:
    file = open_project_file(path)
    yield file
    file.close()


def keep(file: ProjectFile, *records: WritingSession | WritingGoal) -> None:
    with file.unit() as unit:
        for record in records:
            if isinstance(record, WritingGoal):
                unit.records.save_goal(record)
            else:
                unit.records.save_writing_session(record)
        unit.commit()


def goals(file: ProjectFile) -> tuple[WritingGoal, ...]:
    with file.reading() as unit:
        return unit.records.goals()


def sessions(file: ProjectFile) -> tuple[WritingSession, ...]:
    with file.reading() as unit:
        return unit.records.writing_sessions()


# ---------------------------------------------------------------- what is stored comes back
def test_a_new_project_remembers_nothing(file: ProjectFile) -> None:
    assert (goals(file), sessions(file)) == ((), ())
    with file.reading() as unit:
        assert unit.records.setting("anything") is None


def test_everything_is_there_when_the_project_is_opened_again(path: Path, file: ProjectFile) -> None:
    part = WritingGoal(2, 500, 1)
    keep(file, SESSION, GOAL, part)
    with file.unit() as unit:
        unit.records.save_setting("colours", {"sea": [1, 2.5, None, "é"]})
        unit.commit()
    file.close()
    again = open_project_reader(path)
    assert (goals(again), sessions(again)) == ((GOAL, part), (SESSION,))
    with again.reading() as unit:
        assert unit.records.setting("colours") == {"sea": [1, 2.5, None, "é"]}
    again.close()


def test_what_is_not_committed_was_never_there(file: ProjectFile) -> None:
    with file.unit() as unit:
        unit.records.save_writing_session(SESSION)
        unit.records.save_goal(GOAL)
        unit.records.save_setting("a", 1)
    assert (goals(file), sessions(file)) == ((), ())
    with file.reading() as unit:
        assert unit.records.setting("a") is None


def test_a_goal_gives_way_to_one_of_the_same_number_and_can_go(file: ProjectFile) -> None:
    keep(file, GOAL)
    other = WritingGoal(1, 90_000)
    keep(file, other)
    assert goals(file) == (other,)
    with file.unit() as unit:
        unit.records.remove_goal(1)
        unit.records.remove_goal(7)  # nobody has it
        unit.commit()
    assert goals(file) == ()


def test_a_part_that_goes_takes_its_goal_with_it(file: ProjectFile) -> None:
    with file.unit() as unit:
        unit.manuscript.add(Node(3, NodeKind.CHAPTER, "Two", 2, 1), Document(3, "Two", "It rained."))
        unit.commit()
    keep(file, GOAL, WritingGoal(2, 500, 3))
    with file.unit() as unit:
        unit.manuscript.remove(3)
        unit.commit()
    assert goals(file) == (GOAL,)


@given(SESSIONS)
@fresh
def test_a_stretch_of_work_comes_back_to_the_last_digit(file: ProjectFile, session: WritingSession) -> None:
    keep(file, session)
    assert {each.session_id: each for each in sessions(file)}[session.session_id] == session


@given(GOALS)
@fresh
def test_a_goal_comes_back(file: ProjectFile, goal: WritingGoal) -> None:
    keep(file, goal)
    assert {each.goal_id: each for each in goals(file)}[goal.goal_id] == goal


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0")), JSON)
@fresh
def test_a_setting_comes_back(file: ProjectFile, name: str, value: object) -> None:
    with file.unit() as unit:
        unit.records.save_setting(name, "before")
        unit.records.save_setting(name, value)
        unit.commit()
    with file.reading() as unit:
        assert unit.records.setting(name) == value
    with file.unit() as unit:
        unit.records.save_setting(name, None)
        unit.commit()
    with file.reading() as unit:
        assert unit.records.setting(name) is None


def test_numbers_come_in_order_whatever_was_stored_first(file: ProjectFile) -> None:
    keep(file, *(WritingSession(number, STARTED, STARTED) for number in (3, 1, 2)))
    assert [session.session_id for session in sessions(file)] == [1, 2, 3]


def test_what_json_does_not_know_is_not_stored(file: ProjectFile) -> None:
    with file.unit() as unit, pytest.raises(ValueError, match="JSON"):
        unit.records.save_setting("a", float("nan"))


def test_a_full_disk_leaves_what_was_there(file: ProjectFile, disk: Disk, path: Path) -> None:
    keep(file, SESSION, GOAL)
    file.close()
    again = open_project_file(path)
    disk.fill()
    many = [WritingSession(number, STARTED, STARTED) for number in range(2, 2_000)]
    with pytest.raises(DiskFull):
        keep(again, *many)
    assert (goals(again), sessions(again)) == ((GOAL,), (SESSION,))
    disk.make_room()
    keep(again, *many)
    assert len(sessions(again)) == len(many) + 1
    again.close()


# ---------------------------------------------------------------- what Quire never wrote
def change(path: Path, statement: str, *values: object, digests: bool = True) -> None:
    """Change one row; with digests as if Quire had written it so."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert connection.execute(statement, values).rowcount == 1
        if digests:
            digested(connection)


@pytest.fixture(scope="module")
def full(empty: bytes, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A project with one row in each of the three tables."""
    path = tmp_path_factory.mktemp("records") / "novel.quire"
    path.write_bytes(empty)
    file = open_project_file(path)
    keep(file, SESSION, GOAL)
    with file.unit() as unit:
        unit.records.save_setting("colours", [1])
        unit.commit()
    file.close()
    return path.read_bytes()


@pytest.fixture
def kept(full: bytes, path: Path) -> Path:
    """A closed project that remembers a goal, a stretch of work and a setting."""
    path.write_bytes(full)
    return path


def read_all(path: Path) -> tuple[object, ...]:
    file = open_project_reader(path)
    try:
        with file.reading() as unit:
            return unit.records.goals(), unit.records.writing_sessions(), unit.records.setting("colours")
    finally:
        file.close()


HOSTILE: list[tuple[str, str, object]] = [
    ("writing_session", "started", ""),
    ("writing_session", "started", "yesterday"),
    ("writing_session", "started", "2026-01-05"),
    ("writing_session", "started", "2026-01-05T09:30:00"),
    ("writing_session", "started", "0001-01-01T00:00:00-23:59"),
    ("writing_session", "started", "\0"),
    ("writing_session", "ended", "9999-12-31T23:59:59.999999+23:59"),
    ("writing_session", "ended", "9999-12-31T23:59:59+00:00"),
    ("writing_session", "ended", "2026-01-05T09:00:00+00:00"),
    ("writing_session", "ended", "x" * 100_000),
    ("writing_session", "active_s", -0.5),
    ("writing_session", "active_s", float("inf")),
    ("writing_session", "active_s", 1e308),
    ("writing_session", "words_written", 2**63 - 1),
    ("writing_session", "words_written", -(2**63)),
    ("writing_session", "words_drafted", -1),
    ("writing_session", "words_drafted", 2**63 - 1),
    ("goal", "words", 0),
    ("goal", "words", -(2**63)),
    ("goal", "words", 2**63 - 1),
    ("goal", "node_id", 99),
    ("goal", "node_id", -(2**63)),
    ("goal", "due", ""),
    ("goal", "due", "soon"),
    ("goal", "due", "2026-02-30"),
    ("goal", "due", "2026-01-05T09:30:00+00:00"),
    ("setting", "value", ""),
    ("setting", "value", "{"),
    ("setting", "value", "NaN"),
    ("setting", "value", '{"a": [-Infinity]}'),
    ("setting", "value", "9" * 5_000),
    ("setting", "value", "[" * 100_000),
]


@pytest.mark.parametrize(("table", "column", "value"), HOSTILE)
def test_a_value_that_quire_never_wrote_is_damage(kept: Path, table: str, column: str, value: object) -> None:
    read_all(kept)  # it is sound before
    change(kept, f"UPDATE {table} SET {column} = ?", value)
    with pytest.raises(ProjectDamaged, match=r"novel\.quire is damaged .*restore the project from a backup"):
        read_all(kept)


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("writing_session", "started"),
        ("writing_session", "ended"),
        ("goal", "due"),
        ("setting", "value"),
    ],
)
def test_text_that_is_no_text_is_damage(kept: Path, table: str, column: str) -> None:
    change(kept, f"UPDATE {table} SET {column} = CAST(? AS TEXT)", b"\xff\xfe", digests=False)
    file = open_project_reader(kept)
    file.close()
    assert file.damage == (DamagedRow(table, (1,) if table != "setting" else ("colours",)),)


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [("writing_session", "words_written", 7), ("goal", "words", 7), ("setting", "value", "[2]")],
)
def test_a_row_that_is_not_as_it_was_stored_does_not_count(
    kept: Path, table: str, column: str, value: object
) -> None:
    change(kept, f"UPDATE {table} SET {column} = ?", value, digests=False)
    file = open_project_file(kept)
    assert [row.table for row in file.damage] == [table]
    with file.unit() as unit:
        found = {
            "writing_session": unit.records.writing_sessions(),
            "goal": unit.records.goals(),
            "setting": unit.records.setting("colours"),
        }
        assert not found.pop(table)
        assert all(found.values())
        unit.records.save_writing_session(SESSION)
        unit.records.save_goal(GOAL)
        unit.records.save_setting("colours", [3])
        unit.commit()
    with file.reading() as unit:
        assert unit.records.setting("colours") == [3]
        assert unit.records.setting("colours (damaged)") == ("[2]" if table == "setting" else None)
    file.close()
    reopened = open_project_file(kept)
    reopened.close()
    assert reopened.damage == ()


COLUMNS = [
    ("writing_session", column)
    for column in ("session_id", "started", "ended", "active_s", "words_written", "words_drafted")
] + [("goal", column) for column in ("goal_id", "node_id", "words", "due", "created")] + [
    ("setting", column) for column in ("name", "value")
]  # fmt: skip


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_whatever_stands_there_it_is_damage_or_harmless(kept: Path, table: str, column: str) -> None:
    content, tried = kept.read_bytes(), 0
    for value in VALUES:
        kept.write_bytes(content)
        try:
            change(kept, f"UPDATE {table} SET {column} = ?", value)
        except sqlite3.Error:  # a strict table takes no such value
            continue
        tried += 1
        try:
            read_all(kept)
        except ProjectDamaged:
            continue
    assert tried


@pytest.fixture
def damaged(kept: Path) -> Iterator[ProjectFile]:
    """A project that is open, though a goal and a stretch of work in it cannot be read."""
    change(kept, "UPDATE writing_session SET started = 'yesterday'")
    change(kept, "UPDATE goal SET due = 'soon'")
    file = open_project_file(kept)
    yield file
    file.close()


def test_the_texts_can_be_worked_on_all_the_same(damaged: ProjectFile) -> None:
    for read in (goals, sessions):
        with pytest.raises(ProjectDamaged):
            read(damaged)
    with damaged.unit() as unit:
        unit.manuscript.save(unit.manuscript.document(1).edited("It was darker."))
        unit.commit()
    with damaged.reading() as unit:
        assert unit.manuscript.document(1).text == "It was darker."


def test_what_is_written_over_a_damaged_row_is_sound(damaged: ProjectFile) -> None:
    keep(damaged, SESSION, GOAL)
    assert (goals(damaged), sessions(damaged)) == ((GOAL,), (SESSION,))
