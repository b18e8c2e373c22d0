"""Archives that were made to do harm, or are none."""

from __future__ import annotations

import contextlib
import io
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quire.book_formats.export_settings import ExportSettings, Format
from quire.book_formats.exporter import made
from quire.book_formats.importer import read_manuscript
from quire.book_formats.importing import safe_archive
from quire.book_formats.importing.safe_archive import BadArchive, opened
from quire.errors import WriterProblem
from tests.app.book_formats.novels import novel

_XXE = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'
_LAUGHS = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><a>&c;</a>'


def packed(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def changed(kind: Format, member: str, change: Callable[[bytes], bytes]) -> bytes:
    """Return one of our own files with one of its members changed."""
    with zipfile.ZipFile(io.BytesIO(made(novel(200), ExportSettings(kind)))) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members[member] = change(members[member])
    return packed(members)


def with_attributes(external: int = 0, flags: int = 0) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        info = zipfile.ZipInfo("word/document.xml")
        info.external_attr = external
        archive.writestr(info, "<a/>")
    content = bytearray(stream.getvalue())
    content[content.rindex(b"PK\1\2") + 8] |= flags
    return bytes(content)


def with_end(members: int, directory: int) -> bytes:
    return b"PK\5\6" + struct.pack("<4H2LH", 0, 0, members, members, directory, 0, 0)


@pytest.mark.sliced
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\3\4",
        b"%PDF-1.7",
        b"x" * 100_000,
        with_end(65_535, 1000),
        with_end(3, 2**31),
        b"PK\6\7" + b"\0" * 16 + with_end(1, 100),
        packed({f"{number}.xml": b"" for number in range(safe_archive.MAX_MEMBERS + 1)}),
        packed({"word/document.xml": b"\0" * (safe_archive.MAX_MEMBER_BYTES + 1)}),
        packed({"word/document.xml": b" " * (8 * 2**20)}),
        packed({"/etc/passwd.xml": b"<a/>"}),
        packed({"../../a.xml": b"<a/>"}),
        packed({"word/../../a.xml": b"<a/>"}),
        packed({"C:/a.xml": b"<a/>"}),
        packed({"word\\..\\a.xml": b"<a/>"}),
        packed({"a" * 600 + ".xml": b"<a/>"}),
        packed({"word/document.xml": b"<a/>", "WORD/document.xml": b"<b/>"}),
        packed({"word/document.xml": _XXE}),
        packed({"word/document.xml": _LAUGHS}),
        packed({"word/document.xml": _XXE.decode().encode("utf-16")}),
        packed({"word/document.xml": b"\0<\0!"}),
        packed({"word/document.xml": b"<a/>"}, zipfile.ZIP_BZIP2),
        packed({"word/document.xml": b"<a/>"}, zipfile.ZIP_LZMA),
        with_attributes(external=0o120777 << 16),
        with_attributes(flags=0x1),
    ],
)
def test_what_is_not_to_be_trusted_is_not_opened(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(BadArchive):
        opened(content)
    path = tmp_path / "novel.docx"
    path.write_bytes(content)
    with pytest.raises(WriterProblem, match=r"novel\.docx .*\. Save it again"):
        read_manuscript(path)


def test_many_small_bombs_are_one_bomb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_archive, "MAX_ALL_BYTES", 2**20)
    members = {f"word/{number}.xml": b"<a>" + b"x" * 2**17 for number in range(9)}
    with pytest.raises(BadArchive, match="it unpacks to more text than any"):
        opened(packed(members))


def test_a_size_that_lies_is_found_out() -> None:
    content = bytearray(packed({"word/document.xml": b"x" * 5000}))
    place = content.rindex(b"PK\1\2") + 24
    content[place : place + 4] = struct.pack("<L", 10)
    with pytest.raises(BadArchive):
        opened(bytes(content))


def test_pictures_and_programs_are_emptied() -> None:
    archive = opened(packed({"a.png": b"png", "vbaProject.bin": b"x", "b.XML": b"<b/>", "dir/": b""}))
    with zipfile.ZipFile(io.BytesIO(archive.content)) as clean:
        assert {name: clean.read(name) for name in clean.namelist()} == {
            "a.png": b"",
            "vbaProject.bin": b"",
            "b.XML": b"<b/>",
        }


def test_members_in_utf_16_are_read(tmp_path: Path) -> None:
    archive = opened(packed({"a.xml": '<?xml version="1.0" encoding="utf-16"?><a>é</a>'.encode("utf-16")}))
    with zipfile.ZipFile(io.BytesIO(archive.content)) as clean:
        assert clean.read("a.xml").decode() == "<a>é</a>"


def test_document_types_without_entities_only_go() -> None:
    page = b'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://a/b.dtd"><html/>'
    archive = opened(packed({"a.xhtml": page}))
    with zipfile.ZipFile(io.BytesIO(archive.content)) as clean:
        assert clean.read("a.xhtml") == b"<html/>"


@pytest.mark.parametrize(
    ("name", "kind"), [("novel.docx", Format.EPUB), ("novel.odt", Format.DOCX), ("novel.epub", Format.ODT)]
)
def test_another_kind_of_archive_is_told_from_a_book(name: str, kind: Format, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(made(novel(200), ExportSettings(kind)))
    with pytest.raises(WriterProblem, match=r"is not a valid file of the type .*Choose another file\."):
        read_manuscript(path)


@pytest.mark.parametrize("suffix", ["docx", "odt", "epub"])
def test_an_archive_without_a_book_ends_in_a_sentence(suffix: str, tmp_path: Path) -> None:
    kinds = {"odt": b"application/vnd.oasis.opendocument.text", "epub": b"application/epub+zip"}
    members = {
        "mimetype": kinds.get(suffix, b""),
        "[Content_Types].xml": b"<Types/>",
        "content.xml": b"<broken",
        "META-INF/container.xml": b"<container/>",
    }
    path = tmp_path / f"novel.{suffix}"
    path.write_bytes(packed(members))
    with pytest.raises(WriterProblem, match=r"novel\..*can't be read|There is no text"):
        read_manuscript(path)


def test_a_remote_picture_is_only_left_out(tmp_path: Path) -> None:
    path = tmp_path / "novel.epub"
    picture = b'<p>Before <img src="http://192.0.2.1/a.png" alt="x"/> after.</p></body>'
    path.write_bytes(
        changed(Format.EPUB, "EPUB/text/ch001.xhtml", lambda page: page.replace(b"</body>", picture))
    )
    manuscript = read_manuscript(path).manuscript
    assert "Before after." in manuscript.text
    assert ("picture", 2) in manuscript.left_out  # with the cover


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_archive_is_opened_or_refused(data: st.DataObject) -> None:
    content = bytearray(packed({"mimetype": b"x", "word/document.xml": b"<a>text</a>" * 40}))
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    length = data.draw(st.integers(0, len(content)))
    with contextlib.suppress(BadArchive):
        assert len(opened(bytes(content[:length])).content) < 10_000
