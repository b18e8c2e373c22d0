from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest

from quire.domain.manuscript.project_records import WritingGoal, WritingSession
from quire.domain.manuscript.writing_statistics import WritingTally
from quire.errors import WriterProblem
from quire.services.project.project_session import ProjectSession
from quire.services.project.writing_log import goals_of, remove_goal, set_goal, write_csv
from quire.storage.project_file import ProjectFile, open_project_file
from tests.app.services.sittings import MORNING, OPENING, RunAsync, Times, generation


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "night.quire"


# ---------------------------------------------------------------- goals and statistics
@pytest.fixture
def file(run_async: RunAsync, path: Path) -> Iterator[ProjectFile]:
    """A book of two parts of two chapters each, and what stands before them."""
    chapters = ("# Part One\n\n## Chapter 1\n\nOne two.", "## Chapter 2\n\nOne.")
    text = "\n\n".join((*chapters, "# Part Two\n\n## Chapter 3\n\nA b c."))

    async def scenario() -> None:
        await (await ProjectSession.create_cut(path, "Night", text)).close()

    run_async(scenario())
    file = open_project_file(path)
    yield file
    file.close()


def words_of_texts(file: ProjectFile) -> dict[int, int]:
    """Return how many words each text has."""
    with file.reading() as unit:
        numbers = [node.node_id for node in unit.manuscript.tree().reading_order()]
        texts = {number: unit.manuscript.document(number).text for number in numbers}
    return {number: len(text.replace("#", "").split()) for number, text in texts.items()}


def test_the_book_has_one_goal(file: ProjectFile) -> None:
    assert goals_of(file) == ()
    set_goal(file, 500)
    set_goal(file, 80_000, date(2026, 11, 30))
    ((goal, words),) = goals_of(file)
    assert goal == WritingGoal(1, 80_000, None, date(2026, 11, 30))
    assert words == sum(words_of_texts(file).values())
    remove_goal(file, goal.goal_id)
    remove_goal(file, goal.goal_id)
    assert goals_of(file) == ()


def test_a_part_has_a_goal_of_its_own(file: ProjectFile) -> None:
    words = words_of_texts(file)
    assert len(words) == 5
    with file.reading() as unit:
        tree = unit.manuscript.tree()
    for node_id in words:
        set_goal(file, 100, node_id=node_id)
    set_goal(file, 200)
    for goal, there in goals_of(file):
        if goal.node_id is None:
            assert (goal.words, there) == (200, sum(words.values()))
        else:
            below = [child.node_id for child in tree.children(goal.node_id)]
            assert there == words[goal.node_id] + sum(words[node_id] for node_id in below)


@pytest.mark.parametrize("words", [0, -5, 10**12])
def test_a_goal_that_no_book_has_is_refused_with_a_sentence(file: ProjectFile, words: int) -> None:
    with pytest.raises(WriterProblem, match="Choose another goal"):
        set_goal(file, words)
    with pytest.raises(WriterProblem, match="That part of the book no longer"):
        set_goal(file, 100, node_id=99)
    assert goals_of(file) == ()


def test_statistics_are_of_now_and_not_of_the_last_time_they_were_stored(
    run_async: RunAsync, path: Path
) -> None:
    async def scenario() -> None:
        async with generation(path, Times(MORNING - timedelta(days=1))) as at:
            await at.write(f"{OPENING} One", after_s=0)
        async with generation(path) as at:
            await at.log.set_goal(100, date(2026, 1, 6))
            await at.write(f"{OPENING} One two", after_s=0)
            await at.write(f"{OPENING} One two three", after_s=10)
            found = await at.log.statistics()
            assert (found.day, found.streak_days, found.today) == (
                WritingTally(10.0, 2, 0),
                2,
                date(2026, 1, 5),
            )
            assert [each.words_written for each in found.sessions] == [1, 2]
            (progress,) = found.goals
            assert (progress.num_words, progress.words_left, progress.words_per_day) == (8, 92, 46)
            await at.log.remove_goal(progress.goal.goal_id)
            assert (await at.log.statistics()).goals == ()

    run_async(scenario())


# ---------------------------------------------------------------- the table for other programs
def test_the_table_is_in_the_writers_own_time(tmp_path: Path) -> None:
    started = datetime(2026, 1, 5, 23, 30, 0, 900_000, tzinfo=UTC)
    sessions = [
        WritingSession(1, started, started + timedelta(minutes=50), 1_234.0, -17, 2_000),
        WritingSession(2, started, started, 0.0, 0, 0),
    ]
    write_csv(tmp_path / "a.csv", sessions, timezone(timedelta(hours=1)))
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows == [
        ["started", "ended", "active_minutes", "words_written", "words_drafted"],
        ["2026-01-06 00:30:00", "2026-01-06 01:20:00", "20.6", "-17", "2000"],
        ["2026-01-06 00:30:00", "2026-01-06 00:30:00", "0.0", "0", "0"],
    ]


def test_the_table_has_what_was_not_stored_yet(run_async: RunAsync, path: Path, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with generation(path) as at:
            await at.write(f"{OPENING} One", after_s=0)
            await at.write(f"{OPENING} One two", after_s=6)
            assert await at.log.export(tmp_path / "a.csv") == 1

    run_async(scenario())
    assert (tmp_path / "a.csv").read_text().splitlines()[
        1
    ] == "2026-01-05 09:00:00,2026-01-05 09:00:06,0.1,2,0"


def test_no_project_is_written_over(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with generation(path) as at:
            for name in (path, path.with_name("other.quire")):
                with pytest.raises(WriterProblem, match="is a project"):
                    await at.log.export(name)

    run_async(scenario())


def test_a_table_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(WriterProblem, match=r"could not be saved .* Choose another folder\."):
        write_csv(tmp_path / "nowhere" / "a.csv", [])
