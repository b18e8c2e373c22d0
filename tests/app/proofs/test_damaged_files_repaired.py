"""Values that once ended in an error without a sentence, found by `hostile_files.values`."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from quire.services.transactions.closed_projects import ProjectOverview
from tests.proofs.app import malicious_files
from tests.stored_rows import digested


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, ProjectOverview]:
    return malicious_files.a_project(tmp_path_factory.mktemp("hostile"))


def change(path: Path, statement: str, value: object) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert connection.execute(statement, [value]).rowcount >= 1
        digested(connection)


@pytest.mark.parametrize(
    ("statement", "value"),
    [
        ("UPDATE run SET reading = ?", "[" * 100_000),
        ("UPDATE run SET changed_at = ?", "[" * 100_000),
        ("UPDATE run SET sampling = ?", "[" * 100_000),
        ("UPDATE run_chunk SET num_words = ?", -(2**63)),
        ("UPDATE take SET place = ?", 2**63 - 1),
        ("UPDATE take SET place = ?", -1),
        ("UPDATE take SET text = ? WHERE text IS NOT NULL", b""),
        ("UPDATE take SET text = ? WHERE text IS NOT NULL", b"\x80\x04."),
        ("UPDATE snapshot SET reason = ?", "because"),
        ("UPDATE snapshot SET created = ?", "{"),
        (
            "UPDATE snapshot SET snapshot_id = ?"
            " WHERE snapshot_id IN (SELECT max(snapshot_id) FROM snapshot)",
            2**63 - 1,
        ),
    ],
)
def test_it_is_a_sentence_to_read_and_to_work_on(
    project: tuple[bytes, ProjectOverview], statement: str, value: object
) -> None:
    content, overview = project
    changed = partial(change, statement=statement, value=value)
    read = malicious_files.tried(content, changed, statement, "values", overview)
    work = malicious_files.worked_on(content, changed, statement)
    assert (read.wrong, work.wrong) == ("", "")
    assert "noticed" in read.phase or "noticed" in work.phase
