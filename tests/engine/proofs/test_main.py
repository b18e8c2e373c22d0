"""The proof from the command line: it continues where it stopped, and says with its status what it found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.proofs.engine.__main__ import main
from tests.proofs.engine.equality import EqualityResult

SMALL = ["--only", "llama", "--tiny-tokens", "30", "--runs", "20", "--threads", "1", "--minutes", "9"]


def keys(work: Path) -> list[str]:
    lines = (work / "ledger.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["key"] for line in lines[1:]]


def test_a_second_call_continues_and_a_third_starts_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work = ["--work", str(tmp_path / "work")]
    assert main([*SMALL, *work, "--cases", "2"]) == 0
    first = keys(tmp_path / "work")
    assert len(first) == 2
    assert main([*SMALL, *work, "--cases", "1"]) == 0
    both = keys(tmp_path / "work")
    assert both[:2] == first
    assert len(set(both)) == 3
    said = capsys.readouterr().out
    assert "every pair of settings" in said
    assert "FAILED" not in said
    assert main([*SMALL, *work, "--cases", "1", "--again"]) == 0
    assert keys(tmp_path / "work") == first[:1]
    assert main([*SMALL, *work, "--case", first[1]]) == 0
    assert main([*SMALL, *work, "--case", "no such case"]) == 1
    assert "no such case" in capsys.readouterr().err


def test_what_differed_is_reported_with_the_way_to_repeat_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def differs(*_: object) -> EqualityResult:
        return EqualityResult("drafts changed token 3: 5 instead of 4", 40, 0, 9, 30, 17)

    work = ["--work", str(tmp_path)]
    with monkeypatch.context() as spoiled:
        spoiled.setattr("tests.proofs.engine.__main__.prove", differs)
        assert main([*SMALL, *work, "--cases", "1"]) == 1
    said = capsys.readouterr().out
    key = keys(tmp_path)[0]
    assert f"FAILED {key}" in said
    assert "drafts changed token 3" in said
    assert f'--case "{key}"' in said
    assert "--tiny-tokens 30" in said
    assert main([*SMALL, *work, "--case", key]) == 0
    assert main([*SMALL, *work, "--cases", "0"]) == 1  # a failure stays one until the proof starts over
