from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.project_records import Snapshot, SnapshotReason
from quire.services.transactions import known_phrases, project_text, take_changes, take_queries
from quire.storage.project_file import ProjectFile, create_project_file, open_project_file
from quire_engine.api.known_texts import KnownText

TEXT = "It was a dark night."


@pytest.fixture
def file(tmp_path: Path) -> Iterator[ProjectFile]:
    path = tmp_path / "novel.quire"
    create_project_file(path, Project("Night", datetime.now(UTC)), Document(1, "Night", TEXT))
    file = open_project_file(path)
    yield file
    file.close()


def text(file: ProjectFile) -> str:
    with file.reading() as unit:
        return unit.manuscript.document(1).text


def write(file: ProjectFile, new: str) -> None:
    project_text.save_text(file, 1, new)


def test_what_was_there_is_a_take_and_comes_back(file: ProjectFile) -> None:
    branched = take_changes.branch(file, 1, 8)
    assert (branched.document.text, text(file)) == ("It was a", "It was a")
    write(file, "It was a bright day.")
    dark, bright = take_changes.takes_of(file, 1).all
    assert (dark.stands, bright.stands, bright.take_id) == (False, True, branched.take.take_id)
    assert take_queries.source_of_take(file, dark.take_id).document.text == TEXT
    assert take_changes.choose(file, dark.take_id).document.text == text(file) == TEXT
    assert take_queries.source_of_take(file, bright.take_id).document.text == "It was a bright day."


def test_phrases_of_takes_put_aside_are_known(file: ProjectFile) -> None:
    assert known_phrases.known_texts(file, 1, "") == ()
    take_changes.branch(file, 1, 8)
    assert known_phrases.known_texts(file, 1, "") == (KnownText(" dark night."),)


def test_a_take_at_the_end_of_a_text_puts_nothing_aside(file: ProjectFile) -> None:
    first = take_changes.branch(file, 1, len(TEXT)).take
    assert take_changes.branch(file, 1, len(TEXT)).take.take_id == first.take_id
    assert (text(file), [take.take_id for take in take_changes.takes_of(file, 1).all]) == (
        TEXT,
        [first.take_id],
    )


def test_a_take_within_a_take_comes_back_with_it(file: ProjectFile) -> None:
    outer = take_changes.branch(file, 1, 7).take
    write(file, "It was bright. Then")
    inner = take_changes.branch(file, 1, 14).take
    write(file, "It was bright. Now")
    assert take_changes.takes_of(file, 1)[inner.take_id].parent_id == outer.take_id
    original = next(
        take for take in take_changes.takes_of(file, 1).all if not take.stands and take.parent_id is None
    )
    take_changes.choose(file, original.take_id)
    assert text(file) == TEXT
    then = next(
        take
        for take in take_changes.takes_of(file, 1).all
        if take.parent_id == outer.take_id and not take.stands
    )
    assert take_changes.choose(file, then.take_id).document.text == "It was bright. Then"


def test_a_cut_before_a_take_takes_it_along(file: ProjectFile) -> None:
    late = take_changes.branch(file, 1, 14).take
    write(file, "It was a dark morning.")
    take_changes.branch(file, 1, 3)
    write(file, "It is")
    assert take_queries.source_of_take(file, late.take_id).document.text == "It was a dark morning."
    assert take_changes.choose(file, late.take_id).document.text == "It was a dark morning."


def test_a_take_begins_where_its_text_went(file: ProjectFile) -> None:
    take = take_changes.branch(file, 1, 8).take
    write(file, "It was a bright day.")
    write(file, "Long ago it was a bright day.")
    take_changes.branch(file, 1, take_changes.takes_of(file, 1)[take.take_id].place)
    assert text(file) == "Long ago it was a"


def test_a_take_is_purged_with_older_ones_that_lie_in_it(file: ProjectFile) -> None:
    take_changes.branch(file, 1, 12)
    write(file, "It was a dark morning.")
    take_changes.branch(file, 1, 3)
    outer = next(
        take for take in take_changes.takes_of(file, 1).all if take.parent_id is None and not take.stands
    )
    with file.unit() as unit:
        unit.takes.purge([outer.take_id])
        unit.commit()
    assert [take.stands for take in take_changes.takes_of(file, 1).all] == [True]


@pytest.mark.parametrize("place", [-1, len(TEXT) + 1])
def test_a_take_begins_in_the_text(file: ProjectFile, place: int) -> None:
    with pytest.raises(ValueError, match="cannot begin"):
        take_changes.branch(file, 1, place)


ACTIONS = st.lists(
    st.tuples(st.sampled_from(["branch", "choose", "write", "edit"]), st.floats(0, 1), st.floats(0, 1)),
    max_size=8,
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=ACTIONS)
def test_no_order_of_wishes_loses_a_take(
    tmp_path_factory: pytest.TempPathFactory, actions: list[tuple[str, float, float]]
) -> None:
    path = tmp_path_factory.mktemp("takes") / "novel.quire"
    create_project_file(path, Project("Night", datetime.now(UTC)), Document(1, "Night", TEXT))
    file, expected = open_project_file(path), dict[int, str]()
    for number, (action, first, second) in enumerate(actions):
        now, known = text(file), take_changes.takes_of(file, 1)
        aside = [take.take_id for take in known.all if not take.stands]
        if action == "branch":
            place = round(first * len(now))
            take_changes.branch(file, 1, place)
        elif action == "choose" and aside:
            take_changes.choose(file, aside[round(first * (len(aside) - 1))])
        elif action == "write":
            write(file, f"{now} <{number}>")
        elif action == "edit" and now and not aside:  # an edit changes what every take goes on from
            start = round(first * len(now))
            write(file, now[:start] + "*" + now[start + round(second * (len(now) - start)) :])
        known = take_changes.takes_of(file, 1)
        aside = [take.take_id for take in known.all if not take.stands]
        assert now in {
            text(file),
            *(take_queries.source_of_take(file, take_id).document.text for take_id in aside),
        } or (action in ("write", "edit") or text(file).startswith(now)), "what stood there can be read"
        expected = {take_id: whole for take_id, whole in expected.items() if take_id in aside}
        for take_id in aside:
            whole = take_queries.source_of_take(file, take_id).document.text
            assert expected.setdefault(take_id, whole) == whole, "a take that was put aside stays as it is"
    file.close()


def test_a_snapshot_brings_a_text_back_and_keeps_what_it_replaces(file: ProjectFile) -> None:
    kept = take_changes.keep_snapshot(file, "First", SnapshotReason.BY_HAND)
    write(file, "Something else.")
    assert take_changes.restore_text(file, kept.snapshot_id, 1).text == text(file) == TEXT
    with file.reading() as unit:
        before, first = unit.snapshots.all()
        assert (first, before.reason) == (kept, SnapshotReason.BEFORE_RESTORE)
        assert [document.text for document in unit.snapshots.documents(before.snapshot_id)] == [
            "Something else."
        ]


def test_removing_a_snapshot_keeps_texts_that_another_one_holds(file: ProjectFile) -> None:
    first = take_changes.keep_snapshot(file, "First", SnapshotReason.BY_HAND)
    second = take_changes.keep_snapshot(file, "Second", SnapshotReason.BY_HAND)
    with file.unit() as unit:
        unit.snapshots.remove({first.snapshot_id})
        unit.commit()
    with file.reading() as unit:
        assert unit.snapshots.all() == (second,)
        assert [document.text for document in unit.snapshots.documents(second.snapshot_id)] == [TEXT]


def test_only_old_automatic_snapshots_are_thinned() -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    reasons = (SnapshotReason.BEFORE_DRAFT, SnapshotReason.BY_HAND)
    snapshots = tuple(
        Snapshot(number, "", reasons[number % 2], start + timedelta(hours=number), (1,))
        for number in range(240, 0, -1)
    )
    doomed = take_changes.superfluous(snapshots)
    assert not any(number % 2 for number in doomed)
    assert max(doomed) < 240 - 2 * take_changes.MAX_AUTOMATIC_SNAPSHOTS + 1
    left = [snapshot for snapshot in snapshots if snapshot.snapshot_id not in doomed]
    days = {snapshot.created.date() for snapshot in snapshots}
    assert {snapshot.created.date() for snapshot in left if snapshot.reason.is_automatic} == days
