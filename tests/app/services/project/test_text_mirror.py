from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quire.domain.manuscript import tree_requests as wish
from quire.errors import WriterProblem
from quire.services.project import text_mirror
from quire.services.project.text_mirror import MANIFEST, TextFile, folder_of, read_texts, write_files
from quire.services.transactions import tree_changes
from quire.storage.project_file import ProjectFile, open_project_file
from tests.app.services.books import FERRY, LETTERS, MARA, TEXTS, make_book
from tests.fakes import ReadOnly


@pytest.fixture
def file(tmp_path: Path) -> Iterator[ProjectFile]:
    make_book(tmp_path / "novel.quire")
    file = open_project_file(tmp_path / "novel.quire")
    yield file
    file.close()


def listing(folder: Path) -> dict[str, str]:
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST)
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def write(folder: Path, **texts: str) -> text_mirror.Mirrored:
    return write_files(folder, [TextFile(f"{name[1:]}.md", text.encode()) for name, text in texts.items()])


def test_a_project_becomes_a_folder_of_files_in_reading_order(file: ProjectFile) -> None:
    folder = folder_of(file.path)
    assert folder.name == "novel (text)"
    done = write_files(folder, read_texts(file).files)
    assert (done.num_files, done.num_written, done.num_removed, done.kept) == (5, 5, 0, ())
    assert listing(folder) == {
        "01 Harbour.md": f"{TEXTS[1]}\n",
        "02 Letters.md": f"{TEXTS[LETTERS]}\n",
        "03 Storm.md": "The storm began at night.\n",
        "04 Ferry.md": f"{TEXTS[FERRY]}\n",
        "notes/01 Mara.md": f"{TEXTS[MARA]}\n",
    }


def test_only_what_is_different_is_written(file: ProjectFile) -> None:
    folder = folder_of(file.path)
    write_files(folder, read_texts(file).files)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.md")}
    manifest = (folder / MANIFEST).stat().st_ino
    assert write_files(folder, read_texts(file).files).num_written == 0
    assert (folder / MANIFEST).stat().st_ino == manifest
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.md")} == before


def test_what_moves_or_goes_moves_or_goes_there_too(file: ProjectFile) -> None:
    folder = folder_of(file.path)
    write_files(folder, read_texts(file).files)
    tree_changes.perform(file, wish.Trash(LETTERS))
    tree_changes.perform(file, wish.Trash(MARA))
    done = write_files(folder, read_texts(file).files)
    assert listing(folder) == {"01 Harbour.md": f"{TEXTS[1]}\n", "02 Ferry.md": f"{TEXTS[FERRY]}\n"}
    assert (done.num_written, done.num_removed) == (1, 4)
    assert not (folder / "notes").exists()


def test_whether_they_are_kept_is_stored(file: ProjectFile) -> None:
    assert not text_mirror.is_kept(file)
    text_mirror.set_kept(file, kept=True)
    assert text_mirror.is_kept(file)
    text_mirror.set_kept(file, kept=False)
    assert not text_mirror.is_kept(file)


def test_a_file_that_somebody_changed_is_left_and_the_text_stands_beside_it(tmp_path: Path) -> None:
    write(tmp_path, _1="one", _2="two")
    (tmp_path / "1.md").write_text("mine")
    assert write(tmp_path, _1="one more", _2="two").kept == ("1.md",)
    assert listing(tmp_path) == {"1.md": "mine", "1 (2).md": "one more", "2.md": "two"}
    assert write(tmp_path, _1="one again", _2="two").kept == ("1.md",)
    assert listing(tmp_path)["1 (2).md"] == "one again"
    (tmp_path / "1.md").unlink()
    done = write(tmp_path, _1="one again", _2="two")
    assert (done.kept, listing(tmp_path)) == ((), {"1.md": "one again", "2.md": "two"})


def test_a_changed_file_that_belongs_there_no_more_stays(tmp_path: Path) -> None:
    write(tmp_path, _1="one", _2="two")
    (tmp_path / "2.md").write_text("mine")
    assert write(tmp_path, _1="one").num_removed == 0
    assert listing(tmp_path) == {"1.md": "one", "2.md": "mine"}
    assert write(tmp_path, _1="one").num_removed == 0


def test_git_may_end_the_lines_in_another_way(tmp_path: Path) -> None:
    write(tmp_path, _1="a\nb\n")
    (tmp_path / "1.md").write_bytes(b"a\r\nb\r\n")
    assert write(tmp_path, _1="a\nb\nc\n").kept == ()
    assert listing(tmp_path) == {"1.md": "a\nb\nc\n"}


def test_foreign_files_and_folders_are_not_touched(tmp_path: Path) -> None:
    for name in ("README.md", "1.md", ".gitignore"):
        (tmp_path / name).write_text(name)
    (tmp_path / "2.md").mkdir()
    done = write(tmp_path, _1="one", _2="two")
    assert done.kept == ("1.md", "2.md")
    write(tmp_path)
    assert sorted(os.listdir(tmp_path)) == [".gitignore", MANIFEST, "1.md", "2.md", "README.md"]
    assert (tmp_path / "1.md").read_text() == "1.md"


def test_a_manifest_that_lies_deletes_nothing_elsewhere(tmp_path: Path) -> None:
    folder, outside = tmp_path / "in", tmp_path / "1 out.md"
    folder.mkdir()
    outside.write_text("x")
    digest = text_mirror.digest_of(b"x")
    names = ["../1 out.md", str(outside), "notes/../../1 out.md", "1 deep/1/1.md"]
    (folder / MANIFEST).write_text(json.dumps({"files": {name: [digest] for name in names}}))
    assert write(folder, _1="one").num_removed == 0
    assert outside.read_text() == "x"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"files": 7}', '{"files": {"1.md": 7}}', "[" * 10**5])
def test_a_manifest_that_cannot_be_read_says_nothing(text: str, tmp_path: Path) -> None:
    write(tmp_path, _1="one")
    (tmp_path / MANIFEST).write_text(text)
    assert write(tmp_path, _1="one").kept == ()
    assert listing(tmp_path) == {"1.md": "one"}


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "in", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (elsewhere / "a.md").write_text("mine")
    (folder / "1.md").symlink_to(elsewhere / "a.md")
    assert write(folder, _1="one").kept == ("1.md",)
    assert (elsewhere / "a.md").read_text() == "mine"
    (folder / "notes").symlink_to(elsewhere)
    with pytest.raises(WriterProblem, match="is a link to another place, so"):
        write(folder, _1="one")


@pytest.mark.parametrize("stage", range(1, 7))
def test_a_crash_between_two_files_leaves_none_that_quire_takes_for_foreign(
    stage: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, _1="one", _2="two", _3="three")
    replace, calls = os.replace, list[Path]()

    def cut_off(source: Path, target: Path) -> None:
        calls.append(target)
        if len(calls) == stage:
            raise KeyboardInterrupt
        replace(source, target)

    monkeypatch.setattr(os, "replace", cut_off)
    try:
        write(tmp_path, _1="ONE", _2="TWO", _4="four")
        was_cut = False
    except KeyboardInterrupt:
        was_cut = True
    monkeypatch.undo()
    assert was_cut == (stage <= 5)
    assert write(tmp_path, _1="uno", _2="due").kept == ()
    assert listing(tmp_path) == {"1.md": "uno", "2.md": "due"}


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_ends_in_a_sentence(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, _1="one")

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, full)
    with pytest.raises(WriterProblem, match="No space left on device"):
        write(tmp_path, _1="other")
    monkeypatch.undo()
    assert listing(tmp_path) == {"1.md": "one"}


def test_a_folder_that_cannot_be_written_to_ends_in_a_sentence(read_only: ReadOnly) -> None:
    with read_only.now(), pytest.raises(WriterProblem, match="could not be saved"):
        write(read_only.folder, _1="one")


NAMES = st.text(st.characters(codec="utf-8"), max_size=90) | st.sampled_from(
    ["con", "aux.", "..", "a/b", " "]
)


@settings(max_examples=30, deadline=None)
@given(st.lists(NAMES, min_size=1, max_size=5))
def test_every_title_becomes_a_name_that_every_system_takes(
    tmp_path_factory: pytest.TempPathFactory, titles: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("names")
    path = folder / "b.quire"
    make_book(path)
    file = open_project_file(path)
    try:
        for node_id, title in zip((1, LETTERS, FERRY, MARA), titles, strict=False):
            with file.unit() as unit:
                node = unit.manuscript.tree().node(node_id)
                changed = type(node)(node_id, node.kind, title, node.parent_id, node.position)
                unit.manuscript.save_node(changed)
                unit.commit()
        files = read_texts(file).files
    finally:
        file.close()
    assert len({one.path.lower() for one in files}) == 5
    for one in files:
        name = one.path.removeprefix("notes/")
        assert not set(name) & set('<>:"/\\|?*\n\r\t\0')
        assert len(name.encode()) < 200
        assert name[0].isdecimal()
        assert name.removesuffix(".md").rstrip(" .") == name.removesuffix(".md")
    write_files(folder / "out", files)
    assert write_files(folder / "out", files).num_written == 0
    assert write_files(folder / "out", []).num_removed == 5
