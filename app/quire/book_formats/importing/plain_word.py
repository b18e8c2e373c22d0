"""Rewrites Word files so that Pandoc sees every word of them.

Pandoc drops what it does not know: words in fields, content controls, text boxes, right-to-left runs, and
paragraphs in the styles of a title page. Here each of them becomes the plain runs and paragraphs that it
stands for, lists are numbered as Word shows them, and tracked changes are accepted.
"""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from quire.book_formats.importing.left_out import LeftOut
from quire.book_formats.importing.plain_markup import local_name, rewritten_xml, with_members
from quire.book_formats.importing.word_fields import without_fields
from quire.book_formats.importing.word_formulas import formula
from quire.book_formats.importing.word_numbering import WordNumbering
from quire.book_formats.importing.word_package import (
    W,
    WordPackage,
    comments_of,
    count_rest,
    in_usual_names,
)
from quire.book_formats.importing.word_styles import WordStyles, is_on

_PARTS = ("footnotes", "endnotes", "comments")
_UNWRAPPED = {"bdo", "dir", "customXml", "smartTag", "fldSimple", "sdtContent", "ins", "moveTo", "rubyBase"}
_DROPPED = {"del", "moveFrom", "sdtPr", "sdtEndPr", "customXmlPr", "smartTagPr", "rubyPr", "delText"}
_ALIKE = {"cr": f"{W}br", "ptab": f"{W}tab"}
_ADDRESSES = {
    f"{W}anchor", "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id",
}  # fmt: skip
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_DRAWN = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_COUNTED_APART = ("/chart", "/diagram")
_GREEK = dict(
    zip(
        (*range(0x41, 0x5B), *range(0x61, 0x7B)),
        "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ",
        strict=True,
    )
)
"""The letters of the font Symbol."""
_PRIVATE = range(0xE000, 0xF900)
_OF_TITLE_PAGE = ("subtitle", "date", "abstract")
_USUAL_SIZE, _LARGE, _LONGEST_LARGE = 24, 1.2, 70
"""Half points of text whose size is not told; lines larger by so much, with so few characters, are titles."""


def plain_word(content: bytes, left_out: LeftOut) -> tuple[bytes, dict[str, tuple[str, bytes]]]:
    """Return a Word file with its words in plain runs and paragraphs, and the files within it, each by the
    line that stands for it with its name; ValueError where it is no XML.
    """
    content = in_usual_names(content)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        package = WordPackage(archive)
        styles = WordStyles.of(next(package.roots("styles"), None))
        numbering = WordNumbering.of(next(package.roots("numbering"), None))
        count_rest(package, left_out)
        left_out.remarks = comments_of(package)
        chunks = {
            _line_for(key): (name, archive.read(name))
            for (kind, key), name in package.related.items()
            if kind == "aFChunk"
        }
        of_text = {package.main, *(name for kind in _PARTS for name in package.names(kind))}
        of_styles = package.names("styles")
    rewriter = _WordRewriter(styles, numbering, left_out, frozenset(chunks))

    def rewritten(name: str, part: bytes) -> bytes:
        if name in of_styles and part:
            return rewritten_xml(part, _without_numbers)
        return rewritten_xml(part, rewriter.rewrite) if name in of_text and part else part

    return with_members(content, rewritten), chunks


def _line_for(key: str) -> str:
    return f"\uf8ff{key}\uf8ff"


def _without_numbers(styles: Element) -> None:
    """Take the numbers out of styles: the paragraphs have theirs already."""
    for about in styles.iter(f"{W}pPr"):
        for number in about.findall(f"{W}numPr"):
            about.remove(number)


@dataclass(frozen=True, slots=True)
class _WordRewriter:
    styles: WordStyles
    numbering: WordNumbering
    left_out: LeftOut
    chunks: frozenset[str]

    def rewrite(self, root: Element) -> None:
        """Rewrite one part as plain runs and paragraphs."""
        self._unwrap(root)
        seen = {one.tag for one in root.iter()}  # most books have few of them, and looking takes long
        if f"{W}fldChar" in seen:
            without_fields(root)
        if f"{W}commentReference" in seen:
            _give_comments_places(root)
        if f"{W}vanish" in seen or self.styles.hide_any:
            self._take_hidden_out(root)
        changes = [
            (_take_boxes_out, {f"{W}txbxContent", f"{_DRAWN}t", "{urn:schemas-microsoft-com:vml}textpath"}),
            (_join_deleted_breaks, {f"{W}del", f"{W}moveFrom"}),
            (_join_drop_caps, {f"{W}framePr"}),
        ]
        needed = [change for change, tags in changes if not tags.isdisjoint(seen)]
        for parent in list(root.iter()) if needed else ():
            for change in needed:
                change(parent)
        self._number(root)
        if (body := root.find(f"{W}body")) is not None:
            self.left_out.source = "\n".join(map(_line_of, body.iter(f"{W}p")))
            self._embolden_large_lines(body)
            self._arrange_title_page(body)

    # ------------------------------------------------------------ what wraps words
    def _unwrap(self, parent: Element) -> None:
        """Replace what only wraps words by its children, and leave out what was deleted, in all of a tree."""
        children: list[Element] = []
        for child in parent:
            children.extend(self._plain_children(child))
        if [id(one) for one in children] != [id(one) for one in parent]:
            parent[:] = children

    def _plain_children(self, child: Element) -> Iterator[Element]:
        name = local_name(child)
        if name in ("oMath", "oMathPara"):
            yield from _run(formula(child))
        elif name == "graphicData" and any(one in child.get("uri", "") for one in _COUNTED_APART):
            return  # counted with its own part
        elif not child.tag.startswith(W) and name not in ("AlternateContent", "Choice", "Fallback"):
            self._unwrap(child)
            yield child
        elif name in _DROPPED and (name not in ("del", "moveFrom") or len(child)):
            return  # an empty one marks a deleted paragraph's end or row: see _join_deleted_breaks
        elif name in ("AlternateContent", "sdt", "ruby"):
            yield from self._of_alternatives(child)
        elif (name in _UNWRAPPED and len(child)) or (
            name == "hyperlink" and _ADDRESSES.isdisjoint(child.keys())
        ):
            self._unwrap(child)
            yield from child
        elif name == "sym":
            yield self._symbol(child)
        elif name in ("altChunk", "subDoc"):
            yield from self._chunk(child)
        elif name == "tr" and child.find(f"{W}trPr/{W}del") is not None:
            return
        elif name == "r":
            self._unwrap(child)
            yield from _flat_runs(child)
        else:
            child.tag = _ALIKE.get(name, child.tag)
            self._unwrap(child)
            yield child

    def _of_alternatives(self, child: Element) -> Iterator[Element]:
        """Yield one form of what a file has in several: the first one with text, which others repeat."""
        name = local_name(child)
        if name == "sdt":
            content = child.find(f"{W}sdtContent")
            yield from () if content is None else self._plain_children(content)
        elif name == "ruby":
            for part, marks in ((f"{W}rubyBase", ""), (f"{W}rt", "()")):
                if (found := child.find(part)) is not None:
                    self._unwrap(found)
                    yield from (*_run(marks[:1]), *found, *_run(marks[1:]))
        else:
            forms = list(child)
            chosen = next((one for one in forms if any(_words(one))), forms[0] if forms else None)
            if chosen is not None:
                self._unwrap(chosen)
                yield from chosen

    def _symbol(self, element: Element) -> Element:
        """Return a symbol as text; one that only its font knows as a square, so that it is seen."""
        try:
            code = int(element.get(f"{W}char", ""), 16)
            is_greek = element.get(f"{W}font", "") == "Symbol"
            known = _GREEK.get(code & 0xFF) if is_greek else None
            character = known or ("□" if code in _PRIVATE or not chr(code).isprintable() else chr(code))
        except (ValueError, OverflowError):
            character = "□"
        text = Element(f"{W}t")
        text.text = character
        return text

    def _chunk(self, child: Element) -> Iterator[Element]:
        """Yield a line that stands for a file within this one; one that lies elsewhere is counted."""
        line = _line_for(child.get(_ID, ""))
        if line not in self.chunks:
            self.left_out.add("missing page")
            return
        paragraph = Element(f"{W}p")
        paragraph.extend(_run(line))
        yield paragraph

    def _take_hidden_out(self, root: Element) -> None:
        """Take out, and count, the words that are formatted as hidden."""
        for paragraph in root.iter(f"{W}p"):
            styled = self.styles.hides(_style_key(paragraph, "p"))
            words = list[str]()
            for parent in list(paragraph.iter()):
                for run in [one for one in parent if one.tag == f"{W}r" and self._is_hidden(one, styled)]:
                    if said := "".join(_words(run, blank=True)):
                        words.append(said)
                        for text in [one for one in run if one.tag == f"{W}t"]:
                            run.remove(text)
            if any(map(str.strip, words)):
                self.left_out.add("hidden text", "".join(words))

    def _is_hidden(self, run: Element, styled: bool) -> bool:
        about = run.find(f"{W}rPr")
        if about is not None and (own := about.find(f"{W}vanish")) is not None:
            return is_on(own)
        return self.styles.hides(_style_key(run, "r")) or styled

    # ------------------------------------------------------------ how paragraphs look
    def _number(self, root: Element) -> None:
        """Begin the paragraphs of lists and numbered headings with their numbers or dashes."""
        for paragraph in root.iter(f"{W}p"):
            key = _style_key(paragraph, "p")
            about = _about(paragraph, "p")
            own = None if about is None else about.find(f"{W}numPr")
            number, level = self.styles.number(key, own)
            label = self.numbering.label(number, level) if number else ""
            if about is not None and own is not None and (not number or self.numbering.knows(number, level)):
                about.remove(own)
            words = any(_words(paragraph))
            if label and (words or (self.styles.is_heading(key) and not _has_picture(paragraph))):
                place = 0 if about is None else 1
                for run in reversed(_run(f"{label} " if words else label)):
                    paragraph.insert(place, run)

    def _embolden_large_lines(self, body: Element) -> None:
        """Make short paragraphs bold whose words are all larger than most: a look that Pandoc does not
        tell.
        """
        sizes = dict[Element, int]()
        for paragraph in body.iter(f"{W}p"):
            styled = self.styles.size(_style_key(paragraph, "p"))
            for run in paragraph.iter(f"{W}r"):
                sizes[run] = _size_of(run) or self.styles.size(_style_key(run, "r")) or styled
        chars = Counter[int]()
        for run, size in sizes.items():
            chars[size] += sum(map(len, _words(run)))
        usual = max(chars, key=lambda size: chars[size], default=0) or _USUAL_SIZE
        for paragraph in body.iter(f"{W}p"):
            runs = [run for run in paragraph.iter(f"{W}r") if any(_words(run))]
            key = _style_key(paragraph, "p")
            if self.styles.is_heading(key) or self.styles.name(key) in ("title", *_OF_TITLE_PAGE):
                continue
            is_large = bool(runs) and all((sizes[run] or _USUAL_SIZE) >= _LARGE * usual for run in runs)
            if is_large and sum(len(word) for run in runs for word in _words(run)) <= _LONGEST_LARGE:
                for run in runs:
                    about = run.find(f"{W}rPr")
                    if about is None:
                        about = Element(f"{W}rPr")
                        run.insert(0, about)
                    if about.find(f"{W}b") is None:
                        about.insert(0, Element(f"{W}b"))

    def _arrange_title_page(self, body: Element) -> None:
        """Make headings of several titles; of a title page keep the words that Pandoc would take for
        metadata.
        """
        styled = {paragraph: self.styles.name(_style_key(paragraph, "p")) for paragraph in body.iter(f"{W}p")}
        titles = [paragraph for paragraph, name in styled.items() if name == "title"]
        if len(titles) > 1:
            for paragraph in titles:
                _set_style(paragraph, self.styles.key("heading 1", "Heading1"))
        first: list[Element] = []
        for paragraph in list(body):
            name = styled.get(paragraph, "")
            if name in ("title", "author") and len(titles) == 1:
                first.append(paragraph)
            elif name in _OF_TITLE_PAGE or (name in ("author",) and len(titles) != 1):
                _set_style(paragraph, "")
            elif any(_words(paragraph)):
                break
        for place, paragraph in enumerate(first):
            body.remove(paragraph)
            body.insert(place, paragraph)


def _flat_runs(run: Element) -> Iterator[Element]:
    """Yield a run, or where it has runs within it, one for each stretch of it."""
    if not any(part.tag == run.tag for part in run):
        yield run
        return
    about = run.find(f"{W}rPr")
    for part in run:
        if part.tag == run.tag:
            yield part
        elif part is not about:
            piece = Element(run.tag)
            piece.extend([part] if about is None else [about, part])
            yield piece


def _run(text: str) -> list[Element]:
    if not text:
        return []
    run = Element(f"{W}r")
    words = ElementTree.SubElement(run, f"{W}t")
    words.text = text
    words.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    return [run]


def _words(element: Element, *, blank: bool = False) -> Iterator[str]:
    """Yield the texts in an element, also those of drawings; blank: with spaces alone, but of runs only."""
    for one in element.iter():
        if one.tag == f"{W}t" or (not blank and one.tag == f"{_DRAWN}t"):
            text = one.text
        else:
            text = one.get("string") if not blank and local_name(one) == "textpath" else None
        if text and (blank or text.strip()):
            yield text


def _line_of(paragraph: Element) -> str:
    """Return the words of a paragraph that the import must keep."""
    parts = list[str]()
    for one in paragraph.iter():
        if one.tag == f"{W}t":
            parts.append(one.text or "")
        elif one.tag in (f"{W}tab", f"{W}br", f"{W}noBreakHyphen"):
            parts.append(" ")
    return "".join(parts)


def _has_picture(paragraph: Element) -> bool:
    return any(local_name(one) in ("drawing", "pict", "object") for one in paragraph.iter())


def _give_comments_places(root: Element) -> None:
    """Give comments without a range an empty range at their own position."""
    placed = {one.get(f"{W}id") for one in root.iter(f"{W}commentRangeStart")}
    for paragraph in list(root.iter(f"{W}p")):
        for run in list(paragraph):
            mark = run.find(f"{W}commentReference")
            if mark is not None and (key := mark.get(f"{W}id", "")) not in placed:
                place = list(paragraph).index(run)
                paragraph[place:place] = [
                    Element(f"{W}{name}", {f"{W}id": key})
                    for name in ("commentRangeStart", "commentRangeEnd")
                ]


def _take_boxes_out(parent: Element) -> None:
    """Put the paragraphs of text boxes after the paragraph at which they are anchored."""
    children = [part for child in parent for part in _without_boxes(child)]
    if len(children) != len(parent):
        parent[:] = children


def _without_boxes(child: Element) -> Iterator[Element]:
    """Yield an element, and after a paragraph what is in its text boxes, and in those within them."""
    yield child
    for box in _boxes(child) if child.tag == f"{W}p" else ():
        if box.tag != f"{W}txbxContent":
            paragraph = Element(f"{W}p")
            paragraph.extend(_run("".join(_words(box))))
            box.clear()
            yield paragraph
            continue
        inside, box[:] = list(box), []
        for part in inside:
            yield from _without_boxes(part)


def _boxes(paragraph: Element) -> Iterator[Element]:
    """Yield the outermost text boxes of a paragraph, and the words that are drawn in it."""
    waiting = list(reversed(list(paragraph)))
    while waiting:
        element = waiting.pop()
        is_drawn = element.tag == f"{_DRAWN}p" or local_name(element) == "textpath"
        if element.tag == f"{W}txbxContent" or (is_drawn and any(_words(element))):
            yield element
        else:
            waiting.extend(reversed(list(element)))


def _join_deleted_breaks(parent: Element) -> None:
    """Join a paragraph whose end was deleted, or moved away, with the next one."""
    children, mark = list[Element](), None
    for child in parent:
        about = child.find(f"{W}pPr/{W}rPr") if child.tag == f"{W}p" else None
        gone = [one for one in about or () if local_name(one) in ("del", "moveFrom")]
        if mark is not None and child.tag == f"{W}p":
            children[-1].extend(one for one in child if one.tag != f"{W}pPr")
            mark[:] = [*(one for one in mark if local_name(one) not in ("del", "moveFrom")), *gone]
            mark = mark if gone else None
        else:
            children.append(child)
            mark = about if gone else None
    if len(children) != len(parent):
        parent[:] = children


def _join_drop_caps(parent: Element) -> None:
    """Put a large first letter, which is a paragraph of its own, before the words that it begins."""
    children = list(parent)
    for cap, rest in pairwise(children):
        frame = cap.find(f"{W}pPr/{W}framePr") if cap.tag == rest.tag == f"{W}p" else None
        if frame is not None and frame.get(f"{W}dropCap", "none") != "none" and any(_words(rest)):
            place = 0 if rest.find(f"{W}pPr") is None else 1
            rest[place:place] = [one for one in cap if one.tag != f"{W}pPr"]
            parent.remove(cap)


def _size_of(run: Element) -> int:
    """Return the font size of a run in half points; 0 if it is left to the style."""
    size = None if (about := _about(run, "r")) is None else about.find(f"{W}sz")
    value = "" if size is None else size.get(f"{W}val", "")
    return int(value) if value.isdecimal() and len(value) < 5 else 0


def _about(element: Element, kind: str) -> Element | None:
    """Return what a run or a paragraph says of itself, which comes first in it; quicker than a path."""
    first = element[0] if len(element) else None
    return first if first is not None and first.tag == f"{W}{kind}Pr" else None


def _style_key(element: Element, kind: str) -> str:
    about = _about(element, kind)
    style = None if about is None else about.find(f"{W}{kind}Style")
    return "" if style is None else style.get(f"{W}val", "")


def _set_style(paragraph: Element, key: str) -> None:
    about = paragraph.find(f"{W}pPr")
    style = None if about is None else about.find(f"{W}pStyle")
    if about is None or style is None:
        return
    if key:
        style.set(f"{W}val", key)
    else:
        about.remove(style)
