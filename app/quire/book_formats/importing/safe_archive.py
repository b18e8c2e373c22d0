"""Opens a writer's archives with limits, and rebuilds them with nothing but their texts.

Word, OpenDocument and EPUB files are ZIP archives of XML. The rebuilt archive has plain members with plain
names and no document type definitions; pictures, fonts and everything else are empty members, so that a
reader that looks for them finds nothing in them.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from quire_engine.api.errors import MessageError

MAX_MEMBERS = 2000
MAX_MEMBER_BYTES = 64 * 2**20
MAX_ALL_BYTES = 200 * 2**20
MAX_RATIO = 100
_RATIO_FROM = 2**20
"""Bytes of a member from which on its ratio counts; an empty style sheet packs well and does no harm."""
_MAX_DIRECTORY = MAX_MEMBERS * 600
_MAX_NAME = 500
_END = struct.Struct("<4s4H2LH")
_TEXTS = (".xml", ".rels", ".xhtml", ".html", ".htm", ".opf", ".ncx")
_AS_THEY_ARE = (".css", ".rtf", ".docx", ".txt", ".mht", ".mhtml")
"""Style sheets, and files within Word files: no XML."""
_DRAWING = ".svg"
_HEAD, _BEFORE_MARKUP = 64, b"\xef\xbb\xbf \t\r\n"
_DOCTYPE = re.compile(rb"<!DOCTYPE[^>\[]*>", re.IGNORECASE)
_KIND = "mimetype"
_ABOUT = ("docProps/core.xml", "meta.xml")
_DECLARATION = re.compile(rb"^<\?xml[^>]*\?>")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1
_SYMLINK = 0o120000


class BadArchive(MessageError):
    """The archive is invalid or refused; the text says why, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive whose members have all been read.

    Attributes:
        kind: its member "mimetype", as in OpenDocument and EPUB files.
        about: its member on title and author, empty where it has none.
        content: the rebuilt archive.
    """

    names: frozenset[str]
    kind: str
    about: bytes
    content: bytes


def opened(content: bytes) -> Archive:
    """Return an archive with its texts; BadArchive when it is invalid or not to be trusted."""
    _check_directory(content)
    names, kept, packed = set[str](), dict[str, bytes](), io.BytesIO()
    try:
        with (
            zipfile.ZipFile(io.BytesIO(content)) as archive,
            zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as clean,
        ):
            for name, text in _members(archive):
                names.add(name)
                clean.writestr(name, text)
                if name in (_KIND, *_ABOUT):
                    kept[name] = text
    except (
        zipfile.BadZipFile,
        zlib.error,
        OSError,
        EOFError,
        RuntimeError,
        ValueError,
        struct.error,
    ) as error:
        raise BadArchive("it is damaged or of another type") from error
    kind = kept.get(_KIND, b"")[:200].decode("ascii", "replace").strip()
    about = next((kept[name] for name in _ABOUT if name in kept), b"")
    return Archive(frozenset(names), kind, about, packed.getvalue())


def _check_directory(content: bytes) -> None:
    """Refuse an archive with too many members before the list is read."""
    place = len(content) - _END.size
    if place < 0 or content[place : place + 4] != b"PK\5\6" or content[-2:] != b"\0\0":
        place = content.rfind(b"PK\5\6", max(0, len(content) - _END.size - 0x10000))
    if place < 0 or len(content) - place < _END.size:
        raise BadArchive("it is damaged or of another type")
    _, _, _, _, num_members, directory_bytes, _, _ = _END.unpack_from(content, place)
    if content[max(0, place - 20) : place].startswith(b"PK\6\7"):
        raise BadArchive("its contents are larger than those of any book")
    if num_members > MAX_MEMBERS or directory_bytes > _MAX_DIRECTORY:
        raise BadArchive("it contains more than {most:,} files", most=MAX_MEMBERS)


def _members(archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    infos = archive.infolist()
    if len(infos) > MAX_MEMBERS:
        raise BadArchive("it contains more than {most:,} files", most=MAX_MEMBERS)
    seen, left = set[str](), MAX_ALL_BYTES
    for info in infos:
        _check_member(info)
        if info.is_dir():
            continue
        name = info.filename.lower()
        if name in seen:
            raise BadArchive("it contains two files of the same name")
        seen.add(name)
        if not _is_text(archive, info):
            yield info.filename, b""
            continue
        with archive.open(info) as member:
            text = member.read(min(MAX_MEMBER_BYTES, left) + 1)
        left -= len(text)
        if len(text) > MAX_MEMBER_BYTES or left < 0:
            raise BadArchive("it unpacks to more text than any book has")
        yield info.filename, text if name.endswith(_AS_THEY_ARE) else _without_definitions(text)


def _is_text(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bool:
    """Return whether a member is text: pages of books may have any name."""
    name = info.filename.lower()
    if info.filename == _KIND or name.endswith((*_TEXTS, *_AS_THEY_ARE)):
        return True
    try:
        with archive.open(info) as member:
            return not name.endswith(_DRAWING) and member.read(_HEAD).lstrip(_BEFORE_MARKUP).startswith(b"<")
    except (zipfile.BadZipFile, zlib.error, EOFError):
        return False  # a damaged picture


def _check_member(info: zipfile.ZipInfo) -> None:
    name = info.orig_filename
    path = PurePosixPath(name)
    strange = "\\" in name or ":" in name or "\0" in name or len(name) > _MAX_NAME
    if not name or strange or path.is_absolute() or ".." in path.parts:
        raise BadArchive("it contains a file that points outside of it")
    if info.external_attr >> 16 & 0o170000 == _SYMLINK:
        raise BadArchive("it contains a link instead of a file")
    if info.flag_bits & _ENCRYPTED:
        raise BadArchive("it is password-protected")
    if info.compress_type not in _METHODS:
        raise BadArchive("it uses an unsupported compression")
    if info.file_size > _RATIO_FROM and info.file_size > MAX_RATIO * max(info.compress_size, 1):
        raise BadArchive("it unpacks to far more than it claims")


def _without_definitions(text: bytes) -> bytes:
    """Return XML without its document type; BadArchive for entity definitions and UTF-16."""
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            text = _DECLARATION.sub(b"", text.decode("utf-16").encode())
        except UnicodeError as error:
            raise BadArchive("its text is damaged") from error
    if b"\0" in text:
        raise BadArchive("its text has an unsupported encoding")
    if b"<!ENTITY" in text.upper():
        raise BadArchive("it defines entities, which could read other files")
    return _DOCTYPE.sub(b"", text)
