"""Reads an EPUB: its package file says which pages there are, in which order, and who wrote them."""

from __future__ import annotations

import io
import posixpath
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator
from urllib.parse import unquote
from xml.etree import ElementTree

from quire.book_formats.importing.pandoc_reader import Manuscript, manuscript_of_blocks
from quire.book_formats.importing.xhtml_reader import XhtmlReader, page_text

_CONTAINER = "META-INF/container.xml"
_DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
_NO_PAGE = "application/x-dtbncx+xml"


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
    names = _LooseNames(archive.namelist())
    for reference in _of(package, "itemref"):
        if reference.get("linear", "yes") != "yes":
            continue
        item = items.get(reference.get("idref", ""))
        kind = "" if item is None else item.get("media-type", "").lower()
        name = None if item is None else names.found(folder, item.get("href", ""))
        if kind.startswith("image/"):
            reader.left_out["picture"] += 1
        elif name is None:
            reader.left_out["missing page"] += 1
        elif kind != _NO_PAGE:  # whatever type a program gave it
            reader.read_page(page_text(archive.read(name)))
    reader.end()
    if reader.left_out["missing page"] and not reader.blocks:
        raise KeyError("none of its pages is there")
    return manuscript_of_blocks(
        reader.blocks,
        reader.left_out,
        _joined(package, "title"),
        _joined(package, "creator"),
        reader.left_out_texts,
    )


class _LooseNames:
    """Finds members of an archive by addresses that differ from their names as programs let them differ."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {name: name for name in names}
        self._loose = {_loose(name): name for name in names}

    def found(self, folder: str, address: str) -> str | None:
        """Return the name of a member; None where there is none."""
        path = address.partition("#")[0]
        for written in (unquote(path), path):
            name = posixpath.normpath(posixpath.join(folder, written))
            if (found := self._names.get(name) or self._loose.get(_loose(name))) is not None:
                return found
        return None


def _loose(name: str) -> str:
    return unicodedata.normalize("NFC", unquote(name)).casefold()


def _of(root: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    """Yield the elements of a name, in whatever namespace."""
    return (one for one in root.iter() if one.tag.rpartition("}")[2] == name)


def _joined(package: ElementTree.Element, name: str) -> str:
    texts = (" ".join("".join(one.itertext()).split()) for one in package.iter(_DUBLIN_CORE + name))
    return ", ".join(filter(None, texts))
