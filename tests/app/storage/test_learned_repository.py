"""What was learned from a book: two versions of a model, four rows in all, and never a damaged one."""

from __future__ import annotations

from pathlib import Path

import pytest

from quire.domain.drafting.learned_drafter import LearnedDrafter
from quire.domain.manuscript.manuscript import Document
from quire.services.transactions.learned_drafters import change_learned, learned, store_learned
from quire.storage.learned_repository import MAX_ROWS
from quire.storage.project_check import check_project
from quire.storage.project_file import ProjectFile, create_project_file, open_project_file
from tests.app.storage.stored import PROJECT, TEXT, changed

MODEL, OTHER = "a" * 64, "b" * 64
VERSIONS = [LearnedDrafter(MODEL, number, 100 * number, bytes([number]) * 99) for number in (1, 2, 3)]


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    path = tmp_path / "novel.quire"
    create_project_file(path, PROJECT, Document(1, "The Ferry", TEXT))
    return path


def with_versions(path: Path, *versions: LearnedDrafter) -> ProjectFile:
    file = open_project_file(path)
    for version in versions:
        store_learned(file, version)
    return file


def test_the_newest_is_used_and_one_version_back_is_kept(novel: Path) -> None:
    file = with_versions(novel, *VERSIONS)
    assert learned(file, MODEL) == VERSIONS[2]
    change_learned(file, MODEL, "undo")
    assert learned(file, MODEL) == VERSIONS[1]
    change_learned(file, MODEL, "undo")
    assert learned(file, MODEL) is None
    file.close()


def test_a_later_state_of_a_sitting_takes_the_place_of_the_one_before(novel: Path) -> None:
    later = LearnedDrafter(MODEL, 2, 250, b"later")
    file = with_versions(novel, *VERSIONS[:2], later)
    assert learned(file, MODEL) == later
    change_learned(file, MODEL, "undo")
    assert learned(file, MODEL) == VERSIONS[0]
    file.close()


def test_each_model_has_its_own_and_the_oldest_go(novel: Path) -> None:
    models = [str(number) * 64 for number in range(MAX_ROWS + 1)]
    file = with_versions(novel, *(LearnedDrafter(model, 1, 7, b"x") for model in models))
    assert [learned(file, model) is None for model in models] == [True] + [False] * MAX_ROWS
    change_learned(file, models[2], "remove")
    assert [learned(file, model) is None for model in models] == [True, False, True, False, False]
    file.close()


@pytest.mark.parametrize(
    "damage", ["data = x'00'", "checksum = ''", "num_tokens = 7", "version = 9", f"fingerprint = '{OTHER}'"]
)
def test_a_damaged_one_is_not_used_and_is_replaced(novel: Path, damage: str) -> None:
    with_versions(novel, VERSIONS[0]).close()
    changed(novel, f"UPDATE learned_drafter SET {damage}")
    assert "draft model learned" in str(check_project(novel).findings)
    file = open_project_file(novel)
    assert learned(file, MODEL) is None
    assert learned(file, OTHER) is None
    change_learned(file, OTHER, "remove")
    store_learned(file, LearnedDrafter(MODEL, 9, 900, b"new"))
    file.close()
    assert check_project(novel).findings == ()
