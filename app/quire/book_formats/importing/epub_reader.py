"""Reads an EPUB: its package file says which pages there are, in which order, and who wrote them."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from urllib.parse import unquote
from xml.etree import ElementTree

from quire.book_formats.importing.pandoc_reader import Manuscript, manuscript_of_blocks
from quire.book_formats.importing.xhtml_reader import XhtmlReader

_CONTAINER = "META-INF/container.xml"
_DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
_PAGES = ("application/xhtml+xml", "text/html", "text/x-oeb1-document")
_ENCODING = re.compile(rb"""^<\?xml[^>]{0,200}encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})""")
_OLD_ENCODINGS = ("iso-8859-1", "iso-8859-15", "windows-1252", "us-ascii")


def epub_manuscript(content: bytes) -> Manuscript:
    """Return the manuscript in a rebuilt archive; ValueError when it is no EPUB."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return _read(archive)
    except (ElementTree.ParseError, KeyError, LookupError) as error:
        raise ValueError(f"not an EPUB: {error!r}") from error


def _read(archive: zipfile.ZipFile) -> Manuscript:
    container = ElementTree.fromstring(archive.read(_CONTAINER))
    package_name = next(_of(container, "rootfile")).get("full-path", "")
    package = ElementTree.fromstring(archive.read(package_name))
    reader, folder = XhtmlReader(), posixpath.dirname(package_name)
    items = {item.get("id", ""): item for item in _of(package, "item")}
    if any("cover-image" in item.get("properties", "") for item in items.values()):
        reader.left_out["picture"] += 1
    for reference in _of(package, "itemref"):
        if reference.get("linear", "yes") != "yes":
            continue
        item = items[reference.get("idref", "")]
        kind = item.get("media-type", "").lower()
        if kind in _PAGES:
            name = posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))
            reader.read_page(_decoded(archive.read(name)))
        elif kind.startswith("image/"):
            reader.left_out["picture"] += 1
    reader.end()
    return manuscript_of_blocks(
        reader.blocks, reader.left_out, _joined(package, "title"), _joined(package, "creator")
    )


def _of(root: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    """Yield the elements of a name, in whatever namespace."""
    return (one for one in root.iter() if one.tag.rpartition("}")[2] == name)


def _joined(package: ElementTree.Element, name: str) -> str:
    texts = (" ".join("".join(one.itertext()).split()) for one in package.iter(_DUBLIN_CORE + name))
    return ", ".join(filter(None, texts))


def _decoded(page: bytes) -> str:
    found = _ENCODING.match(page)
    declared = found[1].decode("ascii").lower() if found else ""
    return page.decode(declared if declared in _OLD_ENCODINGS else "utf-8-sig", errors="replace")
