"""The benchmark of a long draft: every way of drafting writes the same text, stretch by stretch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.engine.__main__ import main
from tests.benchmarks.engine.book_tables import over_own_plain, over_plain
from tests.engine.tiny import OPENING
from tests.proofs.engine.tiny_models import write_tiny_model


@pytest.fixture(scope="module")
def model(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model with random drafters."""
    return write_tiny_model("llama", tmp_path_factory.mktemp("book") / "llama")


@pytest.fixture
def common(model: Path, tmp_path: Path) -> list[str]:
    """Arguments of drafts of one text: two stretches and a short one."""
    prompt = tmp_path / "prompt.txt"
    prompt.write_text(OPENING, encoding="utf-8")
    return [
        *("book", "--folder", str(tmp_path / "book"), "--model", str(model), "--prompt-file", str(prompt)),
        *("--dtype", "float32", "--weights", "full", "--threads", "1", "--seed", "7", "--context", "256"),
        *("--words", "27", "--every", "12", "--page", "4"),
    ]


def drafted(common: list[str], tmp_path: Path, name: str, *more: str) -> dict[str, Any]:
    assert main([*common, *more]) == 0
    report: dict[str, Any] = json.loads((tmp_path / "book" / f"{name}.json").read_text(encoding="utf-8"))
    return report


@pytest.mark.sliced("rehearsals")
def test_every_way_writes_the_same_text_and_is_compared_with_the_plain_one(
    common: list[str], tmp_path: Path
) -> None:
    plain = drafted(common, tmp_path, "plain", "--drafters", "plain")
    both = drafted(common, tmp_path, "ngrams 1,1", "--drafters", "ngrams", "--tree", "1,1")
    auto = drafted(common, tmp_path, "auto")
    reports = (plain, both, auto)
    for report in reports:
        assert [row["name"] for row in report["stretches"]] == ["first page", "12", "24", "36"]
        assert [row["words"] for row in report["stretches"][1:]] == [12, 24, 27]
        assert report["same_text"]
    assert plain["digests"] == both["digests"] == auto["digests"]
    page, first, *_ = plain["stretches"]
    assert 0 < page["steps"] < first["steps"] == first["tokens"]
    assert first["led"] == "plain"
    # the context of 256 tokens rolled over: something was read in the middle of the draft
    assert plain["stretches"][-1]["reading_s"] > 0
    table = (tmp_path / "book" / "book.md").read_text(encoding="utf-8")
    assert "The same text in all: True." in table
    assert all(f"## {report['name']}" in table for report in reports)


def test_another_text_is_said(common: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    short = [*common, "--words", "6", "--drafters", "plain"]
    report = drafted(short, tmp_path, "plain")
    (place,) = report["digests"]
    report["digests"][place] = "0" * 64
    report["name"] = "another"
    (tmp_path / "book" / "another.json").write_text(json.dumps(report), encoding="utf-8")
    assert not drafted(short, tmp_path, "plain")["same_text"]
    assert "The same text as the others: False" in capsys.readouterr().out
    assert "The same text in all: False." in (tmp_path / "book" / "book.md").read_text(encoding="utf-8")


def test_the_speed_over_plain_is_that_of_tokens_with_or_without_reading() -> None:
    plain = {"1,000": {"name": "1,000", "tokens": 100, "writing_s": 4.0, "reading_s": 1.0}}
    row = {"name": "1,000", "tokens": 110, "writing_s": 2.2, "reading_s": 2.2}
    assert over_plain(row, plain, reading=False) == pytest.approx(50 / 25)
    assert over_plain(row, plain, reading=True) == pytest.approx(25 / 20)
    assert over_plain({**row, "name": "2,000"}, plain, reading=False) is None
    assert over_own_plain({**row, "plain_s": 0.6, "num_plain": 20}) == pytest.approx(50 * 0.03)
    assert over_own_plain({**row, "plain_s": 0.6, "num_plain": 19}) is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--drafters", "guesses"], "drafters"),
        (["--tree", "1,x", "--drafters", "ngrams"], "x"),
        (["--words", "0"], "--words"),
        (["--page", "50"], "--page"),
    ],
)
def test_what_cannot_be_asked_for_is_said(
    common: list[str], arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*common, *arguments]) == 1
    assert said in capsys.readouterr().err
