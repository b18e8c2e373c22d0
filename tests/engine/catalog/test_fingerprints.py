"""Fingerprints that are remembered: never another one, and never of content that changed."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from quire_engine.catalog.fingerprints import FILE_NAME, SETTLED_S, fingerprint

LARGE = 100


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A small file and a large one, both old enough."""
    small, large = tmp_path / "config.json", tmp_path / "model.safetensors"
    small.write_text("{}")
    large.write_bytes(bytes(range(200)))
    for file in (small, large):
        age(file)
    return [small, large]


def age(file: Path, seconds: float = 10 * SETTLED_S) -> None:
    then = time.time() - seconds
    os.utime(file, (then, then))


class Reads:
    """Counts how often the large file was read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        usual = Path.open

        def counted(path: Path, *arguments: Any, **more: Any) -> Any:
            self.count += path.suffix == ".safetensors"
            return usual(path, *arguments, **more)

        monkeypatch.setattr(Path, "open", counted)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    return Reads(monkeypatch)


def test_a_large_file_is_read_once(files: list[Path], tmp_path: Path, reads: Reads) -> None:
    plain = fingerprint(files)
    folder = tmp_path / "new" / "folder"
    found = [fingerprint(files, folder, large=LARGE) for _ in range(3)]
    assert found == [plain] * 3
    assert reads.count == 2
    assert [file.name for file in folder.iterdir()] == [FILE_NAME]


def test_small_files_are_always_read(files: list[Path], tmp_path: Path, reads: Reads) -> None:
    for _ in range(2):
        fingerprint(files, tmp_path / "cache", large=1000)
    assert reads.count == 4  # once for its own digest, once for all
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("which", [0, 1])
def test_a_changed_file_is_read_again(files: list[Path], tmp_path: Path, which: int) -> None:
    before = fingerprint(files, tmp_path / "cache", large=LARGE)
    data = bytearray(files[which].read_bytes())
    times = files[which].stat()
    data[-1] ^= 1
    files[which].write_bytes(data)
    os.utime(files[which], ns=(times.st_atime_ns, times.st_mtime_ns))  # as a copying tool may set it
    after = fingerprint(files, tmp_path / "cache", large=LARGE)
    assert after == fingerprint(files) != before


def test_a_file_put_in_the_place_of_another_is_read(files: list[Path], tmp_path: Path) -> None:
    before = fingerprint(files, tmp_path / "cache", large=LARGE)
    other = tmp_path / "other"
    other.write_bytes(bytes(200))
    os.utime(other, ns=(0, files[1].stat().st_mtime_ns))
    other.replace(files[1])
    assert fingerprint(files, tmp_path / "cache", large=LARGE) == fingerprint(files) != before


@pytest.mark.parametrize("seconds", [0.0, -3600.0])
def test_what_was_just_written_is_not_remembered(
    files: list[Path], tmp_path: Path, reads: Reads, seconds: float
) -> None:
    age(files[1], seconds)
    for _ in range(2):
        fingerprint(files, tmp_path / "cache", large=LARGE)
    assert reads.count == 2
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"null",
        b'{"format": 9, "fingerprints": {}}',
        b'{"format": 1, "fingerprints": 4}',
        b'{"format": 1, "fingerprints": {"a": "b"}}',
        b"[" * 100_000,
        b" " * (2 << 20),
    ],
    ids=range(9),
)
def test_damaged_content_is_passed_over_and_replaced(
    files: list[Path], tmp_path: Path, content: bytes
) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    assert fingerprint(files, tmp_path, large=LARGE) == fingerprint(files)
    assert len(json.loads((tmp_path / FILE_NAME).read_text())["fingerprints"]) == 1


def test_values_that_are_no_digests_are_passed_over(files: list[Path], tmp_path: Path) -> None:
    right = fingerprint(files, tmp_path, large=LARGE)
    file = tmp_path / FILE_NAME
    (key,) = json.loads(file.read_text())["fingerprints"]
    for wrong in ("", "x" * 64, 7, None, ["a"]):
        file.write_text(json.dumps({"format": 1, "fingerprints": {key: wrong}}))
        assert fingerprint(files, tmp_path, large=LARGE) == right


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(files: list[Path], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert fingerprint(files, tmp_path / "file", large=LARGE) == fingerprint(files)


def test_the_list_does_not_grow_for_ever(files: list[Path], tmp_path: Path) -> None:
    for number in range(80):
        files[0].write_text(str(number))
        fingerprint(files, tmp_path, large=LARGE)
    assert len(json.loads((tmp_path / FILE_NAME).read_text())["fingerprints"]) == 64
