"""Verdicts are found again, bounded, and never an obstacle when their file is damaged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.load_verdicts import FILE_NAME, LoadVerdict, LoadVerdicts, conditions_key

GOOD = LoadVerdict("f" * 64, "bfloat16", "", True, 3, "flash attention", ((0, 64, 1.5), (7, 64, 2.5)))
BAD = LoadVerdict("f" * 64, "float32", UserMessage("The model in {folder} is wrong.", folder="there"))


def test_what_was_kept_is_found_by_its_key_and_by_its_model(tmp_path: Path) -> None:
    verdicts = LoadVerdicts(tmp_path / "cache")
    assert verdicts.find("a") is None
    verdicts.keep("a", GOOD)
    verdicts.keep("b", BAD)
    again = LoadVerdicts(tmp_path / "cache")
    assert again.find("a") == GOOD
    found = again.find("b")
    assert found == BAD
    assert found is not None
    assert not found.is_usable
    assert isinstance(found.problem, UserMessage)  # it can still be translated
    assert found.problem.template == "The model in {folder} is wrong."
    assert again.of_model("f" * 64) == (BAD, GOOD)
    assert again.of_model("e" * 64) == ()
    again.forget("f" * 64)
    assert again.of_model("f" * 64) == ()


def test_the_key_depends_on_every_condition() -> None:
    keys = {
        conditions_key(*each) for each in (("a", ("x", 1)), ("b", ("x", 1)), ("a", ("y", 1)), ("a", ("x",)))
    }
    assert len(keys) == 4
    assert conditions_key("a", ("x", 1)) == conditions_key("a", ("x", 1))


def test_only_the_newest_are_kept(tmp_path: Path) -> None:
    verdicts = LoadVerdicts(tmp_path)
    for number in range(140):
        verdicts.keep(str(number), GOOD)
    assert verdicts.find("11") is None
    assert verdicts.find("12") == GOOD
    assert len(verdicts.of_model(GOOD.fingerprint)) == 128


def test_without_a_folder_or_where_it_cannot_be_written_nothing_is_kept(tmp_path: Path) -> None:
    nowhere = LoadVerdicts(None)
    nowhere.keep("a", GOOD)
    nowhere.forget(GOOD.fingerprint)
    assert nowhere.find("a") is None
    (tmp_path / "file").write_text("not a folder")
    blocked = LoadVerdicts(tmp_path / "file")
    blocked.keep("a", GOOD)
    assert blocked.find("a") is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'{"format": 2, "verdicts": {}}',
        b'{"format": 1}',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"format": 1, "verdicts": ' + b" " * (1 << 20) + b"{}}",
    ],
    ids=range(8),
)
def test_a_damaged_file_is_as_if_there_were_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    verdicts = LoadVerdicts(tmp_path)
    assert verdicts.find("a") is None
    verdicts.keep("a", GOOD)
    assert verdicts.find("a") == GOOD


@pytest.mark.parametrize(
    "change",
    [
        {"reproducible": 1},
        {"threads": -1},
        {"threads": "3"},
        {"backend": 7},
        {"problem": "x" * 600},
        {"problem": "{unknown}", "arguments": {"other": 1}},
        {"pass_costs": [[0, 64]]},
        {"pass_costs": [[0, 64, -1.0]]},
        {"pass_costs": [[0, 64, float("nan")]]},
        {"pass_costs": [[0, 64, 1.0]] * 100},
        {"fingerprint": None},
    ],
    ids=str,
)
def test_a_damaged_entry_is_left_out_and_the_others_stay(tmp_path: Path, change: dict[str, object]) -> None:
    verdicts = LoadVerdicts(tmp_path)
    verdicts.keep("a", GOOD)
    verdicts.keep("b", BAD)
    content = json.loads((tmp_path / FILE_NAME).read_text(encoding="utf-8"))
    content["verdicts"]["a"] |= change
    (tmp_path / FILE_NAME).write_text(json.dumps(content), encoding="utf-8")
    assert verdicts.find("a") is None
    assert verdicts.find("b") == BAD
