"""The slices of the slow tests: together they are all cases, and none leaves a test out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes import ENVIRONMENT
from tests.slices import NUM_SLICES, chosen_slice, dealt


@given(st.integers(1, 50), st.integers(1, 9))
def test_every_slice_has_a_case_and_together_they_have_all(num_cases: int, count: int) -> None:
    cases = range(num_cases)
    slices = [dealt(cases, number, count) for number in range(count)]
    assert all(slices)
    assert {case for one in slices for case in one} == set(cases)
    assert max(map(len, slices)) <= -(-num_cases // count)


def commit(folder: Path) -> None:
    names = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(
        ["git", *names, "commit", "-q", "--allow-empty", "--no-verify", "-m", "One"], cwd=folder, check=True
    )


def test_four_commits_in_a_row_are_all_slices(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    assert chosen_slice("commit", tmp_path) == f"0/{NUM_SLICES}"
    seen = []
    for _ in range(NUM_SLICES):
        commit(tmp_path)
        assert chosen_slice("commit", tmp_path) == chosen_slice("commit", tmp_path)
        seen.append(chosen_slice("commit", tmp_path))
    assert sorted(seen) == [f"{number}/{NUM_SLICES}" for number in range(NUM_SLICES)]


def test_what_has_no_history_runs_the_first(tmp_path: Path) -> None:
    assert chosen_slice("commit", tmp_path) == f"0/{NUM_SLICES}"
    whole, part = tmp_path / "whole", tmp_path / "part"
    subprocess.run(["git", "init", "-q", str(whole)], check=True)
    for _ in range(2):
        commit(whole)
    subprocess.run(["git", "clone", "-q", "--depth", "1", whole.as_uri(), str(part)], check=True)
    assert chosen_slice("commit", part) == f"0/{NUM_SLICES}"


def test_a_slice_can_be_named() -> None:
    assert [chosen_slice(asked, Path()) for asked in ("all", "0/1", "2/4")] == ["all", "0/1", "2/4"]


@pytest.mark.parametrize("asked", ["", "4/4", "-1/4", "1/0", "some"])
def test_what_is_no_slice_is_said(asked: str) -> None:
    with pytest.raises(pytest.UsageError, match="is neither"):
        chosen_slice(asked, Path())


_SAMPLE = """
import pytest

@pytest.mark.sliced
@pytest.mark.parametrize("case", range(6))
def test_table(case): ...

@pytest.mark.sliced("pair")
def test_one(): ...

@pytest.mark.sliced("pair")
def test_other(): ...

def test_always(): ...
"""


def test_a_run_takes_its_slice_whatever_else_is_chosen(tmp_path: Path) -> None:
    (tmp_path / "test_sample.py").write_text(_SAMPLE, encoding="utf-8")
    asked = ["--slice", "1/4", "-k", "not test_table[1]", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.slices", "--rootdir", ".", *asked],
        cwd=tmp_path,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=True,
    )
    names = [line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line]
    assert names == ["test_table[4]", "test_other", "test_always"]
