"""What was counted in texts: found again by text and tokenizer, never where it is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from quire.domain.manuscript.manuscript import Document
from quire.storage.phrase_repository import PhraseTable
from quire.storage.project_check import check_project
from quire.storage.project_file import create_project_file, open_project_file
from tests.app.storage.stored import PROJECT, TEXT, changed

ONE = PhraseTable("a" * 64, "1" * 64, 5, 100, b"\0" * 999)
SAME_TEXT = PhraseTable("a" * 64, "2" * 64, 5, 90, b"other ids")
TWO = PhraseTable("b" * 64, "1" * 64, 5, 40, b"two")
BOTH = {ONE.source, TWO.source}


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    path = tmp_path / "novel.quire"
    create_project_file(path, PROJECT, Document(1, "The Ferry", TEXT))
    return save(path, ONE, SAME_TEXT, TWO)


def save(path: Path, *tables: PhraseTable) -> Path:
    file = open_project_file(path)
    with file.unit() as unit:
        unit.phrases.save(tables)
        unit.commit()
    file.close()
    return path


def stored(path: Path, tokenizer: str = "1" * 64) -> dict[str, bytes]:
    file = open_project_file(path)
    with file.reading() as unit:
        found = unit.phrases.of(tokenizer, BOTH)
    file.close()
    return found


def test_they_are_found_by_text_and_tokenizer(novel: Path) -> None:
    assert stored(novel) == {ONE.source: ONE.data, TWO.source: TWO.data}
    assert stored(novel, "2" * 64) == {SAME_TEXT.source: SAME_TEXT.data}
    assert stored(novel, "3" * 64) == {}


@pytest.mark.parametrize(
    "damage",
    ["data = x'00'", "data = x'ff'", "checksum = ''", "max_context = 4", "num_tokens = 7", "created = ''"],
)
def test_a_damaged_one_is_as_good_as_none_and_is_replaced(novel: Path, damage: str) -> None:
    changed(novel, f"UPDATE phrase_table SET {damage} WHERE source = '{ONE.source}'")
    assert stored(novel) == {TWO.source: TWO.data}
    assert "Saved phrases" in str(check_project(novel).findings)
    save(novel, ONE, SAME_TEXT)
    assert stored(novel) == {ONE.source: ONE.data, TWO.source: TWO.data}
    assert check_project(novel).findings == ()


@pytest.mark.parametrize("damage", ["source = 'c'", "source = CAST(x'ff41' AS TEXT)", "data = x'00'"])
def test_those_of_other_texts_and_damaged_ones_are_deleted(novel: Path, damage: str) -> None:
    changed(novel, f"UPDATE phrase_table SET {damage} WHERE data = x'{packed(TWO)}'")
    file = open_project_file(novel)
    with file.unit() as unit:
        assert unit.phrases.keep_only({*BOTH, "c"})
        unit.commit()
    with file.unit() as unit:
        assert not unit.phrases.keep_only({*BOTH, "c"})
        assert unit.phrases.keep_only({TWO.source})
    file.close()
    assert stored(novel) == {ONE.source: ONE.data}
    assert check_project(novel).findings == ()


def packed(table: PhraseTable) -> str:
    """Return what the row holds: a short table is stored plainly."""
    return (b"\0" + table.data).hex()
