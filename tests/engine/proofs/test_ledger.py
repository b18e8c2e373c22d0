"""A proof can be stopped at any moment, between two lines or within one, and adds up afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from quire_engine.api.errors import EnvironmentProblem
from tests.proofs.engine.ledger import Entry, Ledger

CONDITIONS = {"models": {"llama": "abc"}, "tokens": 100}


def entry(key: str, difference: str = "") -> Entry:
    return Entry(key, "grid", difference, 100, 7, 1.5, "")


def test_what_was_proved_is_there_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "work" / "ledger.jsonl"
    first = Ledger(path, CONDITIONS)
    first.add(entry("one"))
    first.add(entry("two", "token 3 — “differs”"))
    second = Ledger(path, CONDITIONS)
    second.add(entry("three"))
    third = Ledger(path, CONDITIONS)
    assert list(third.entries) == ["one", "two", "three"]
    assert third.entries == {**first.entries, **second.entries}
    assert [failed.key for failed in third.failures] == ["two"]


@pytest.mark.parametrize("cut", [1, 20])
def test_a_line_that_was_cut_in_half_is_forgotten_and_nothing_else(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "ledger.jsonl"
    ledger = Ledger(path, CONDITIONS)
    ledger.add(entry("one"))
    ledger.add(entry("two"))
    path.write_bytes(path.read_bytes()[:-cut])
    reopened = Ledger(path, CONDITIONS)
    assert list(reopened.entries) == ["one"]
    reopened.add(entry("two"))
    assert list(Ledger(path, CONDITIONS).entries) == ["one", "two"]


def test_entries_under_other_conditions_do_not_add_up(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    Ledger(path, CONDITIONS).add(entry("one"))
    with pytest.raises(EnvironmentProblem, match="--again"):
        Ledger(path, {**CONDITIONS, "tokens": 200})
    assert list(Ledger(path, CONDITIONS).entries) == ["one"]


def test_a_case_that_is_done_again_replaces_its_entry(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    ledger = Ledger(path, CONDITIONS)
    ledger.add(entry("one", "differs"))
    ledger.add(entry("one"))
    assert Ledger(path, CONDITIONS).failures == []
