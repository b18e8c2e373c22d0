from __future__ import annotations

from pathlib import Path

from tests.proofs.app import damaged_files


def test_a_file_cut_short_is_a_sentence(tmp_path: Path) -> None:
    found = list(damaged_files.cut_short(tmp_path, 4096))
    assert [one for one in found if one.wrong] == []
    assert {"cut short, noticed"} <= {one.phase for one in found}


def test_changed_bits_are_noticed_or_harmless(tmp_path: Path) -> None:
    found = list(damaged_files.changed_bits(tmp_path, 1, 60))
    assert [one for one in found if one.wrong] == []
    assert {one.phase for one in found} == {"changed bits, noticed", "changed bits, harmless"}


def test_noise_is_no_project() -> None:
    found = list(damaged_files.noise(1, 20))
    assert {(one.phase, one.wrong) for one in found} == {("noise, noticed", "")}
