"""Finds the parts of a Word file, and counts those that are none of its text, as running heads and charts."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from quire.book_formats.importing.left_out import LeftOut
from quire.book_formats.importing.plain_markup import local_name, parsed_xml, with_members

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
_NAMES_OF_PAGES = re.compile(r"\s*(?:PAGE|NUMPAGES|SECTIONPAGES|SECTION)\b", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")


def in_usual_names(content: bytes) -> bytes:
    """Return a Word file of the strict kind with the names that all programs know."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if not _STRICT.search(archive.read("_rels/.rels") if "_rels/.rels" in archive.namelist() else b""):
            return content
    usual = rb"http://schemas.openxmlformats.org/\1/2006/"
    return with_members(content, lambda _, part: _STRICT.sub(usual, part))


@dataclass(slots=True)
class WordPackage:
    """The parts of a Word file, found by their relations: programs name them as they like.

    Attributes:
        main: the name of the part with the text.
        related: the names of the others by their kind and id, as the main part refers to them.
    """

    archive: zipfile.ZipFile
    main: str = "word/document.xml"
    related: dict[tuple[str, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = {name.lower(): name for name in self.archive.namelist()}
        for kind, _, name in self._relations("", names):
            self.main = name if kind == "officeDocument" else self.main
        self.related = {(kind, key): name for kind, key, name in self._relations(self.main, names)}

    def names(self, kind: str) -> list[str]:
        """Return the parts of a kind; the usual name where no relation tells one."""
        found = [name for (one, _), name in self.related.items() if one == kind]
        usual = f"word/{kind}.xml"
        return found or ([usual] if usual in self.archive.namelist() else [])

    def roots(self, kind: str) -> Iterator[Element]:
        """Yield the trees of the parts of a kind; ValueError where one is no XML."""
        for name in self.names(kind):
            if part := self.archive.read(name):
                yield parsed_xml(part)

    def _relations(self, name: str, names: dict[str, str]) -> Iterator[tuple[str, str, str]]:
        folder, file = posixpath.split(name)
        listed = names.get(posixpath.join(folder, "_rels", f"{file}.rels").lower())
        if listed is None:
            return
        for one in parsed_xml(self.archive.read(listed)):
            target = one.get("Target", "")
            path = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
            if (found := names.get(posixpath.normpath(path).lower())) is not None:
                yield one.get("Type", "").rpartition("/")[2], one.get("Id", ""), found


def count_rest(package: WordPackage, left_out: LeftOut) -> None:
    """Count what a Word file shows beside its text: running heads, charts and diagrams."""
    for kind in ("header", "footer"):
        for root in package.roots(kind):
            if _LETTER.search("\n".join(_lines(root, with_pages=False))):
                left_out.add_once("running head", "\n".join(_lines(root)))
    for kind in ("chart", "diagramData"):
        for root in package.roots(kind):
            words = [one.text or "" for one in root.iter() if _is_label(one)]
            words += [
                value.text or ""
                for cache in root.iter()
                if local_name(cache) == "strCache"
                for value in cache.iter()
                if local_name(value) == "v"
            ]
            left_out.add("diagram", "\n".join(dict.fromkeys(filter(None, map(str.strip, words)))))


def comments_of(package: WordPackage) -> dict[str, str]:
    """Return the words of all comments by their ids."""
    return {
        comment.get(f"{W}id", ""): words
        for root in package.roots("comments")
        for comment in root.iter(f"{W}comment")
        if (words := "\n".join(_lines(comment)).strip())
    }


def _is_label(element: Element) -> bool:
    return element.tag == "{http://schemas.openxmlformats.org/drawingml/2006/main}t"


def _lines(root: Element, *, with_pages: bool = True) -> list[str]:
    """Return the paragraphs of a part; with_pages: with what its fields say of pages."""
    lines = list[str]()
    for paragraph in root.iter(f"{W}p"):
        words, code, is_number = "", "", False
        for one in paragraph.iter():
            name = local_name(one)
            if name == "fldChar":
                kind = one.get(f"{W}fldCharType")
                code = "" if kind == "begin" else code
                is_number = kind == "separate" and bool(_NAMES_OF_PAGES.match(code))
            elif name == "instrText":
                code += one.text or ""
            elif name == "t" and one.tag.startswith(W) and (with_pages or not is_number):
                words += one.text or ""
            elif name == "textpath":  # a watermark
                words += f" {one.get('string', '')} "
            elif name in ("tab", "br"):
                words += " "
        lines.append(" ".join(words.split()))
    return [line for line in dict.fromkeys(lines) if line]
