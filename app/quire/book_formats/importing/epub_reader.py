"""Reads an EPUB: its package file says which pages there are, in which order, and who wrote them."""

from __future__ import annotations

import io
import posixpath
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator
from urllib.parse import unquote
from xml.etree import ElementTree

from quire.book_formats.importing.left_out import LeftOut
from quire.book_formats.importing.pandoc_reader import Manuscript, manuscript_of_blocks, text_of_blocks
from quire.book_formats.importing.xhtml_reader import XhtmlReader, page_text

_CONTAINER = "META-INF/container.xml"
_DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
_PAGE = "application/xhtml+xml"
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
    left_out = reader.left_out
    items = {item.get("id", ""): item for item in _of(package, "item")}
    if any("cover-image" in item.get("properties", "") for item in items.values()):
        left_out.add("picture")
    names = _LooseNames(archive.namelist())
    for sheet in items.values():
        name = names.found(folder, sheet.get("href", ""))
        if name is not None and sheet.get("media-type", "") == "text/css":
            reader.rules.add(archive.read(name).decode("utf-8", "replace"))
    beside = dict.fromkeys(key for key, item in items.items() if _is_page(item))
    for reference in _of(package, "itemref"):
        key = reference.get("idref", "")
        if reference.get("linear", "yes") != "yes":
            continue
        beside.pop(key, None)
        item = items.get(key)
        kind = "" if item is None else item.get("media-type", "").lower()
        name = None if item is None else names.found(folder, item.get("href", ""))
        if kind.startswith("image/"):
            left_out.add("picture")
        elif name is None:
            left_out.add("missing page")
        elif kind != _NO_PAGE:  # whatever type a program gave it
            reader.read_page(page_text(archive.read(name)))
    reader.end()
    if left_out.counts["missing page"] and not reader.blocks:
        raise KeyError("none of its pages is there")
    for key in beside:
        if (name := names.found(folder, items[key].get("href", ""))) is not None:
            _count_page(archive.read(name), left_out)
    title, author = _joined(package, "title"), _joined(package, "creator")
    return manuscript_of_blocks(reader.blocks, left_out, title, author)


def _is_page(item: ElementTree.Element) -> bool:
    properties = item.get("properties", "").split()
    return item.get("media-type", "").lower() == _PAGE and "nav" not in properties


def _count_page(content: bytes, left_out: LeftOut) -> None:
    """Count a page that readers only reach by a link, with its words."""
    apart = XhtmlReader()
    try:
        apart.read_page(page_text(content))
    except ValueError:
        left_out.add("missing page")
        return
    apart.end()
    left_out.counts.update(apart.left_out.counts)
    if said := "\n\n".join(filter(None, [text_of_blocks(apart.blocks), *apart.left_out.texts])):
        left_out.add("page beside the text", said)


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
