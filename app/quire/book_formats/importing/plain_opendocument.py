"""Rewrites OpenDocument files so that Pandoc sees every word of them: see `plain_word`."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from quire.book_formats.importing.left_out import LeftOut
from quire.book_formats.importing.opendocument_styles import (
    OUTLINE,
    STYLE,
    TEXT,
    OpenDocumentStyles,
    local_key,
)  # fmt: skip
from quire.book_formats.importing.plain_markup import local_name, parsed_xml, rewritten_xml, with_members
from quire.book_formats.importing.word_formulas import formula

_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
_MARKS = ("reference-mark", "reference-mark-start", "reference-mark-end", "bookmark-start", "bookmark-end")
_CONTENT, _STYLES = "content.xml", "styles.xml"
_KEPT = {
    "span", "s", "tab", "line-break", "a", "note", "bookmark", "bookmark-start", "bookmark-end",
    "bookmark-ref", "reference-ref", "soft-page-break", "p", "h", "list", "list-item", "section",
    "note-citation", "note-body", "tracked-changes", "changed-region", "deletion", "insertion", "change",
    "change-start", "change-end", "sequence-decls", "variable-decls", "user-field-decls", "forms",
    "list-header", "numbered-paragraph",
}  # fmt: skip
"""Elements of the text that Pandoc reads, or whose text is none of the book's."""
_WRAPPING = {"meta", "meta-field", "ruby", "ruby-base"}
_PARAGRAPHS = (f"{TEXT}p", f"{TEXT}h")
_INDEXES = {
    "alphabetical-index", "illustration-index", "table-index", "object-index",
    "user-index", "bibliography",
}  # fmt: skip
_RUNNING = ("header", "footer")
_LETTER = re.compile(r"[^\W\d_]")
_LARGE, _LONGEST_LARGE, _USUAL_SIZE = 1.2, 70, 12.0
_NOT_SEEN = {"annotation", "tracked-changes", "note", "title", "desc"}


def plain_opendocument(content: bytes, left_out: LeftOut) -> bytes:
    """Return an OpenDocument file with its words in plain spans and paragraphs; ValueError where it is no
    XML.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        styled = archive.read(_STYLES) if _STYLES in names else b""
        styles_root = parsed_xml(styled) if styled else None
        objects = {
            name.rpartition("/")[0]: archive.read(name) for name in names if name.endswith("/content.xml")
        }
    if styles_root is not None:
        _count_running_heads(styles_root, left_out)

    def rewritten(name: str, part: bytes) -> bytes:
        if name != _CONTENT:
            return part
        return rewritten_xml(part, lambda root: _Rewriter(root, styles_root, objects, left_out).rewrite())

    return with_members(content, rewritten)


def _count_running_heads(styles: Element, left_out: LeftOut) -> None:
    for part in styles.iter():
        if part.tag.startswith(STYLE) and local_name(part).startswith(_RUNNING):
            lines = [_said(paragraph) for paragraph in part.iter() if paragraph.tag in _PARAGRAPHS]
            words = "\n".join(filter(None, lines))
            if _LETTER.search(words):
                left_out.add_once("running head", words)


def _said(element: Element) -> str:
    """Return the words that an element shows."""
    return " ".join("".join(_seen(element)).split())


def _seen(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        name = local_name(child)
        if name in ("s", "tab", "line-break"):
            yield " "
        elif name not in _NOT_SEEN:
            yield from _seen(child)
            yield "\n" if child.tag in _PARAGRAPHS else ""
        yield child.tail or ""


@dataclass(slots=True)
class _Rewriter:
    root: Element
    styles_root: Element | None
    objects: dict[str, bytes]
    left_out: LeftOut
    styles: OpenDocumentStyles = field(init=False)

    def rewrite(self) -> None:
        """Rewrite the text as plain spans and paragraphs."""
        self.styles = OpenDocumentStyles.of(self.root, self.styles_root)
        body = next(self.root.iter(f"{_OFFICE}text"), None)
        if body is None:
            return
        self._leave_out(body)
        self._flatten_lists(body)
        for parent in list(body.iter()):
            _take_frames_out(parent)
        for element in body.iter():
            name = local_name(element)
            is_inline = element.tag.startswith(TEXT) and name not in _KEPT
            if name == "ruby-text":
                element.text = f"({element.text or ''})"
            if is_inline and (name in _WRAPPING or (element.text or "").strip()):
                element.tag = f"{TEXT}span"  # a field, or a mark around words
                element.attrib.clear()
        self._embolden_large_lines(body)
        self.left_out.source = "".join(_seen(body))

    def _leave_out(self, parent: Element) -> None:
        """Count comments and hidden words, and take them out; put the words of objects in their place."""
        children: list[Element] = []
        is_changed = False
        for child in parent:
            shown = self._shown(child)
            if shown == [child]:
                if child.tag != f"{TEXT}tracked-changes":
                    self._leave_out(child)
                children.append(child)
                continue
            is_changed = True
            tail, child.tail = child.tail or "", None
            children.extend(shown)
            if children:
                children[-1].tail = (children[-1].tail or "") + tail
            else:
                parent.text = (parent.text or "") + tail
        if is_changed:
            parent[:] = children

    def _shown(self, child: Element) -> list[Element]:
        """Return the visible form of an element, which is usually the element itself."""
        name = local_name(child)
        if name == "annotation":
            self.left_out.add("comment", "\n".join(map(_said, child.iter(f"{TEXT}p"))))
            return []
        if name in ("hidden-text", "hidden-paragraph") and child.get(f"{TEXT}is-hidden") == "true":
            self.left_out.add("hidden text", child.get(f"{TEXT}string-value", "") or _said(child))
            return []
        if name in _MARKS and not len(child):
            return []  # Pandoc doubles the words behind one that has no end in its paragraph
        if child.tag in (f"{_SVG}title", f"{_SVG}desc") and (words := _said(child)):
            self.left_out.texts.append(words)
        is_hidden = self._is_hidden(child, name)
        if is_hidden and (words := _said(child)):
            self.left_out.add("hidden text", words)
        if is_hidden:
            return []
        if name == "drop-down":
            chosen = [one for one in child if one.get(f"{TEXT}current-selected") == "true"]
            return [_span("".join(child.itertext()) or "".join(map(_value_of, chosen)))]
        if child.tag == f"{_DRAW}frame" and (inner := child.find(f"{_DRAW}object")) is not None:
            return self._object(child, inner)
        if name == "table-of-content":
            lines = [_said(one) for one in child.iter() if one.tag in _PARAGRAPHS]
            self.left_out.add("table of contents", "\n".join(lines))
            return []
        if name in _INDEXES:
            self._leave_out(child)
            return [one for body in child if local_name(body) == "index-body" for one in _unwrapped(body)]
        return [child]

    def _is_hidden(self, child: Element, name: str) -> bool:
        if name == "section":
            return child.get(f"{TEXT}display") == "none" or child.get(f"{TEXT}is-hidden") == "true"
        is_by_condition = child.tag in _PARAGRAPHS and any(
            local_name(one) == "hidden-paragraph" and one.get(f"{TEXT}is-hidden") == "true" for one in child
        )
        return is_by_condition or (
            child.tag in (*_PARAGRAPHS, f"{TEXT}span")
            and self.styles.hides(child.get(f"{TEXT}style-name", ""))
        )

    def _object(self, frame: Element, inner: Element) -> list[Element]:
        """Return a formula in one line; count the words of a chart."""
        address = next((value for key, value in inner.attrib.items() if local_key(key) == "href"), "")
        content = self.objects.get(address.removeprefix("./"), b"")
        root = parsed_xml(content) if content else next(iter(inner), None)
        if root is None:
            return [frame]
        if local_name(root) == "math":
            return [_span(_of_math(root))]
        self.left_out.add("diagram", "\n".join(filter(None, map(_said, root.iter(f"{TEXT}p")))))
        return []

    def _flatten_lists(self, body: Element) -> None:
        """Make paragraphs with their numbers and dashes of lists and numbered headings."""
        counts = dict[str, dict[int, int]]()

        def flat(element: Element, style: str, level: int) -> Iterator[Element]:
            key = element.get(f"{TEXT}style-name", "") or style
            goes_on = element.get(f"{TEXT}continue-numbering") == "true" or element.get(
                f"{TEXT}continue-list"
            )
            if level == 1 and not goes_on:
                counts.pop(key, None)
            counted = counts.setdefault(key, {})
            for deeper in [one for one in counted if one > level or (one == level and level > 1)]:
                del counted[deeper]
            for item in element:
                start = item.get(f"{TEXT}start-value", "")
                if start.isdecimal() and len(start) < 6:
                    counted[level] = int(start) - 1
                waits = local_name(item) == "list-item"
                for part in item:
                    if local_name(part) == "list":
                        yield from flat(part, key, level + 1)
                        continue
                    if waits and part.tag in _PARAGRAPHS and _said(part):
                        label = self.styles.label(key, level, counted)
                        _put_first(part, label if part.tag != f"{TEXT}h" or label != "-" else "")
                        waits = False
                    yield part

        def flattened(parent: Element) -> None:
            children: list[Element] = []
            for child in parent:
                if child.tag == f"{TEXT}list":
                    children.extend(flat(child, "", 1))
                else:
                    children.append(child)
            if len(children) != len(parent) or any(
                a is not b for a, b in zip(children, parent, strict=False)
            ):
                parent[:] = children
            for child in parent:
                flattened(child)

        flattened(body)
        outline = dict[int, int]()
        for heading in body.iter(f"{TEXT}h"):
            level = heading.get(f"{TEXT}outline-level", "1")
            if heading.get(f"{TEXT}is-list-header") != "true" and level.isdecimal():
                for deeper in [one for one in outline if one > int(level)]:
                    del outline[deeper]
                _put_first(heading, self.styles.label(OUTLINE, int(level), outline))

    def _embolden_large_lines(self, body: Element) -> None:
        """Make short paragraphs bold whose words are all larger than most: a look that Pandoc does not
        tell.
        """
        sizes = {paragraph: set(self._sizes(paragraph, 0.0)) for paragraph in body.iter(f"{TEXT}p")}
        chars = Counter[float]()
        for found in sizes.values():
            for size, number in found:
                chars[size] += number
        usual = max(chars, key=lambda size: chars[size], default=0.0) or _USUAL_SIZE
        for paragraph, found in sizes.items():
            if self.styles.is_title(paragraph.get(f"{TEXT}style-name", "")):
                continue
            is_large = bool(found) and all((size or _USUAL_SIZE) >= _LARGE * usual for size, _ in found)
            if is_large and sum(number for _, number in found) <= _LONGEST_LARGE:
                span = Element(f"{TEXT}span", {f"{TEXT}style-name": self.styles.bold})
                span.text, span[:] = paragraph.text, list(paragraph)
                paragraph.text, paragraph[:] = None, [span]

    def _sizes(self, element: Element, size: float) -> Iterator[tuple[float, int]]:
        """Yield the sizes of the letters in a paragraph, and how many there are of each."""
        size = self.styles.size(element.get(f"{TEXT}style-name", "")) or size
        for words in (element.text, *(child.tail for child in element)):
            if words and words.strip():
                yield size, len(words)
        for child in element:
            yield from self._sizes(child, size)


def _value_of(label: Element) -> str:
    return label.get(f"{TEXT}value", "")


def _span(words: str) -> Element:
    span = Element(f"{TEXT}span")
    span.text = words
    return span


def _put_first(paragraph: Element, label: str) -> None:
    if label:
        paragraph.text = f"{label} {paragraph.text or ''}"


def _of_math(root: Element) -> str:
    for parent in list(root.iter()):
        for child in [one for one in parent if local_name(one).startswith("annotation")]:
            parent.remove(child)
    return " ".join("".join(root.itertext()).split()) or formula(root)


def _unwrapped(body: Element) -> Iterator[Element]:
    """Yield the paragraphs of an index, with its title."""
    for child in body:
        if local_name(child) == "index-title":
            yield from child
        else:
            yield child


def _take_frames_out(parent: Element) -> None:
    """Put the paragraphs of text boxes and shapes after the paragraph that holds them, or in place of their
    frame; a numbered paragraph is one of those within it.
    """
    children: list[Element] = []
    is_changed = False
    for child in parent:
        if child.tag == f"{TEXT}numbered-paragraph":
            is_changed = True
            _take_frames_out(child)
            children.extend(child)
            continue
        boxes = list(_boxes(child))
        if not boxes or not (child.tag in _PARAGRAPHS or child.tag.startswith(_DRAW)):
            children.append(child)
            continue
        is_changed = True
        found = [paragraph for box in boxes for paragraph in box if _is_block(paragraph)]
        for box in boxes:
            box[:] = [one for one in box if not _is_block(one)]
        after = [part for paragraph in found for part in _with_boxes_out(paragraph)]
        children.extend([*([child] if child.tag.startswith(TEXT) else []), *after])
    if is_changed:
        parent[:] = children


def _with_boxes_out(paragraph: Element) -> list[Element]:
    holder = Element("holder")
    holder.append(paragraph)
    _take_frames_out(holder)
    return list(holder)


def _boxes(element: Element) -> Iterator[Element]:
    """Yield the outermost boxes and shapes with paragraphs in an element."""
    waiting = [element] if element.tag.startswith(_DRAW) else list(reversed(list(element)))
    while waiting:
        one = waiting.pop()
        if one.tag.startswith(_DRAW) and any(map(_is_block, one)):
            yield one
        else:
            waiting.extend(reversed(list(one)))


def _is_block(element: Element) -> bool:
    is_table = element.tag == "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}table"
    return is_table or element.tag in (*_PARAGRAPHS, f"{TEXT}list", f"{TEXT}section")
