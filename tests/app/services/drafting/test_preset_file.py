"""The writer's own presets, in their file."""

from __future__ import annotations

from pathlib import Path

import pytest

from quire.domain.drafting.presets import LIVELY, Preset, dumped
from quire.errors import WriterProblem
from quire.services.drafting.preset_file import (
    FILE_NAME,
    PresetFile,
    export_presets,
    import_presets,
    write_whole,
)
from quire_engine.api.config import SamplingConfig
from tests.fakes import ReadOnly

GOTHIC = Preset("Gothic", SamplingConfig(temperature=1.3), "Fog.")


def test_presets_come_back(tmp_path: Path) -> None:
    file = PresetFile(tmp_path / "new" / FILE_NAME)
    assert file.load() == ((), "")
    file.save((GOTHIC,))
    assert file.load() == ((GOTHIC,), "")
    assert [path.name for path in (tmp_path / "new").iterdir()] == [FILE_NAME]


def test_a_file_that_cannot_be_read_is_put_aside_and_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    for number, name in enumerate(("presets.unreadable.json", "presets.unreadable-2.json")):
        path.write_text(f"no presets {number}")
        own, said = PresetFile(path).load()
        assert own == ()
        assert name in said
        assert (tmp_path / name).read_text() == f"no presets {number}"
        assert not path.exists()


def test_names_that_are_taken_or_come_twice_get_a_number(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_text(dumped((GOTHIC, GOTHIC, LIVELY)), encoding="utf-8")
    own, said = PresetFile(path).load()
    assert said == ""
    assert [one.name for one in own] == ["Gothic", "Gothic 2", "Lively 2"]
    assert not any(one.built_in for one in own)


def test_importing_replaces_nothing(tmp_path: Path) -> None:
    export_presets(tmp_path / "out.json", (GOTHIC, LIVELY))
    own, added = import_presets(tmp_path / "out.json", (GOTHIC,))
    assert own[0] == GOTHIC
    assert added == ("Gothic 2", "Lively 2")
    assert own[1].sampling == GOTHIC.sampling


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"{}", dumped(()).encode()])
def test_what_is_no_file_of_presets_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(WriterProblem):
        import_presets(path, ())
    with pytest.raises(WriterProblem, match="doesn't exist"):
        import_presets(tmp_path / "missing.json", ())


def test_a_folder_that_cannot_be_written_to_is_told(read_only: ReadOnly) -> None:
    with read_only.now(), pytest.raises(WriterProblem, match="could not be saved"):
        PresetFile(read_only.folder / FILE_NAME).save((GOTHIC,))


def test_a_file_is_whole_or_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    write_whole(path, "before")

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", refuse)
    with pytest.raises(WriterProblem, match="No space left"):
        write_whole(path, "after")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
