from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.proofs.app import __main__ as proofs
from tests.proofs.app.damaged_files import Tried


def scripted(wrong: str) -> dict[str, tuple[str, object]]:
    def prove(_folder: Path, turn: int) -> Iterator[Tried]:
        yield Tried("fine")
        yield Tried("sometimes", wrong if turn == 1 else "")

    return {"damaged-files": ("scripted", prove)}


def run(folder: Path, *arguments: str) -> int:
    return proofs.main(["--only", "damaged-files", "--work", str(folder), *arguments])


def test_counts_add_up_from_run_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(proofs, "PROOFS", scripted(""))
    clock = iter(range(1000))
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    assert run(tmp_path, "--minutes", "0.1") == 0
    first = capsys.readouterr().out
    assert run(tmp_path, "--minutes", "0.1") == 0
    assert run(tmp_path, "--report") == 0
    again, report = capsys.readouterr().out.split("lost something or went wrong\n")[:2]
    assert int(first.rsplit("\n", 2)[-2].split()[0]) * 2 == int(report.rsplit("\n", 1)[-1].split()[0])
    assert again


def test_a_loss_is_said_with_how_to_repeat_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(proofs, "PROOFS", scripted("3 of 9 stored tokens"))
    clock = iter(range(1000))
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    assert run(tmp_path, "--minutes", "0.2") == 1
    said = capsys.readouterr()
    assert "--only damaged-files  # turn 1, case 1" in said.out
    assert "3 of 9 stored tokens" in said.err
    assert run(tmp_path, "--report") == 1


def test_an_unknown_proof_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert proofs.main(["--only", "nonsense", "--work", str(tmp_path)]) == 1
    assert "There is no proof nonsense" in capsys.readouterr().err
