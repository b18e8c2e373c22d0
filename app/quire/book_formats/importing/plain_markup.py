"""Rewrites Word and OpenDocument files so that Pandoc sees every word of them.

Pandoc drops what it does not know: words in fields, content controls, text boxes, right-to-left runs, and
paragraphs in the styles of a title page. Here each of them becomes the plain runs and paragraphs that it
stands for, and tracked changes are accepted.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_PARTS = ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml", "word/comments.xml")
_UNWRAPPED = {"bdo", "dir", "customXml", "smartTag", "fldSimple", "sdtContent", "ins", "moveTo", "rubyBase"}
_DROPPED = {"del", "moveFrom", "sdtPr", "sdtEndPr", "customXmlPr", "smartTagPr", "rubyPr", "delText"}
_ALIKE = {"cr": f"{_W}br", "ptab": f"{_W}tab"}
_ADDRESSES = {
    f"{_W}anchor", "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id",
}  # fmt: skip
_PRIVATE = range(0xE000, 0xF900)
_OF_TITLE_PAGE = ("subtitle", "date", "abstract")
_USUAL_SIZE, _LARGE, _LONGEST_LARGE = 24, 1.2, 70
"""Half points of text whose size is not told; lines larger by so much, with so few characters, are titles."""
_KEPT = {
    "span", "s", "tab", "line-break", "a", "note", "bookmark", "bookmark-start", "bookmark-end",
    "bookmark-ref", "reference-ref", "soft-page-break", "p", "h", "list", "list-item", "section",
    "note-citation", "note-body", "tracked-changes", "changed-region", "deletion", "insertion", "change",
    "change-start", "change-end", "sequence-decls", "variable-decls", "user-field-decls", "forms",
    "list-header", "table-of-content", "index-body", "index-title", "numbered-paragraph",
}  # fmt: skip
"""Elements of the text that Pandoc reads, or whose text is none of the book's."""
_WRAPPING = {"meta", "meta-field", "ruby", "ruby-base"}
_NUMBERED = f"{_TEXT}numbered-paragraph"
_ANNOTATION = re.compile(rb"<office:annotation[\s>]")


def plain_word(content: bytes) -> bytes:
    """Return a Word file with its words in plain runs and paragraphs; ValueError where it is no XML."""

    def rewritten(name: str, part: bytes) -> bytes:
        return _rewritten(part, lambda root: _plain_part(root, styles)) if name in _PARTS else part

    styles = _style_names(content)
    return _with_members(content, rewritten)


def plain_opendocument(content: bytes) -> bytes:
    """Return an OpenDocument file with its words in plain spans and paragraphs; ValueError as above."""

    def rewritten(name: str, part: bytes) -> bytes:
        return _rewritten(part, _plain_content) if name == "content.xml" else part

    return _with_members(content, rewritten)


def num_annotations(content: bytes) -> int:
    """Return how many comments an OpenDocument file has; Pandoc leaves them out."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return len(_ANNOTATION.findall(archive.read("content.xml")))


def _with_members(content: bytes, rewritten: Callable[[str, bytes], bytes]) -> bytes:
    made = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as archive,
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new,
    ):
        for info in archive.infolist():
            new.writestr(info.filename, rewritten(info.filename, archive.read(info)))
    return made.getvalue()


def _rewritten(part: bytes, change: Callable[[Element], None]) -> bytes:
    try:
        for _, (prefix, address) in ElementTree.iterparse(io.BytesIO(part), events=("start-ns",)):
            if not prefix.startswith("ns"):  # Pandoc looks names up by these prefixes
                ElementTree.register_namespace(prefix, address)
        root = ElementTree.fromstring(part)
    except ElementTree.ParseError as error:
        raise ValueError(f"not XML: {error}") from error
    try:
        change(root)
    except RecursionError as error:
        raise ValueError("nested too deeply for a book") from error
    return bytes(ElementTree.tostring(root, "utf-8", xml_declaration=True))


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


# ---------------------------------------------------------------- Word
def _style_names(content: bytes) -> dict[str, str]:
    """Return the names of paragraph styles by their ids, in small letters."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if "word/styles.xml" not in archive.namelist():
            return {}
        try:
            root = ElementTree.fromstring(archive.read("word/styles.xml"))
        except ElementTree.ParseError as error:
            raise ValueError(f"not XML: {error}") from error
    found = {}
    for style in root.iter(f"{_W}style"):
        name = style.find(f"{_W}name")
        if name is not None:
            found[style.get(f"{_W}styleId", "")] = name.get(f"{_W}val", "").lower()
    return found


def _plain_part(root: Element, styles: dict[str, str]) -> None:
    _unwrap(root)
    for parent in list(root.iter()):
        _take_boxes_out(parent)
        _join_deleted_breaks(parent)
    if (body := root.find(f"{_W}body")) is not None:
        _embolden_large_lines(body)
        _arrange_title_page(body, styles)


def _unwrap(parent: Element) -> None:
    """Replace what only wraps words by its children, and leave out what was deleted, in all of a tree."""
    children: list[Element] = []
    for child in parent:
        children.extend(_plain_children(child))
    if [id(one) for one in children] != [id(one) for one in parent]:
        parent[:] = children


def _plain_children(child: Element) -> Iterator[Element]:
    name = _local(child)
    if not child.tag.startswith(_W) and name not in ("AlternateContent", "Choice", "Fallback"):
        _unwrap(child)
        yield child
    elif name in _DROPPED and (name not in ("del", "moveFrom") or len(child)):
        return  # an empty one marks a deleted paragraph's end or row: see _join_deleted_breaks
    elif name in ("AlternateContent", "sdt", "ruby"):
        yield from _of_alternatives(child)
    elif (name in _UNWRAPPED and len(child)) or (name == "hyperlink" and _ADDRESSES.isdisjoint(child.keys())):
        _unwrap(child)
        yield from child
    elif name == "sym":
        yield _symbol(child)
    elif name == "r":
        _unwrap(child)
        yield from _flat_runs(child)
    else:
        child.tag = _ALIKE.get(name, child.tag)
        _unwrap(child)
        yield child


def _flat_runs(run: Element) -> Iterator[Element]:
    """Yield a run, or where it has runs within it, one for each stretch of it."""
    if not any(part.tag == run.tag for part in run):
        yield run
        return
    about = run.find(f"{_W}rPr")
    for part in run:
        if part.tag == run.tag:
            yield part
        elif part is not about:
            piece = Element(run.tag)
            piece.extend([part] if about is None else [about, part])
            yield piece


def _of_alternatives(child: Element) -> Iterator[Element]:
    """Yield one form of what a file has in several: the first one with text, which others repeat."""
    name = _local(child)
    if name == "sdt":
        content = child.find(f"{_W}sdtContent")
        yield from () if content is None else _plain_children(content)
    elif name == "ruby":
        for part, marks in ((f"{_W}rubyBase", ""), (f"{_W}rt", "()")):
            if (found := child.find(part)) is not None:
                _unwrap(found)
                yield from (*_run(marks[:1]), *found, *_run(marks[1:]))
    else:
        forms = list(child)
        chosen = next((one for one in forms if any(_words(one))), forms[0] if forms else None)
        if chosen is not None:
            _unwrap(chosen)
            yield from chosen


def _run(text: str) -> list[Element]:
    if not text:
        return []
    run = Element(f"{_W}r")
    ElementTree.SubElement(run, f"{_W}t").text = text
    return [run]


def _words(element: Element) -> Iterator[str]:
    return (text.text for text in element.iter(f"{_W}t") if text.text and text.text.strip())


def _symbol(element: Element) -> Element:
    """Return a symbol as text; one that only its font knows as a square, so that it is seen."""
    try:
        code = int(element.get(f"{_W}char", ""), 16)
        character = "□" if code in _PRIVATE or not chr(code).isprintable() else chr(code)
    except (ValueError, OverflowError):
        character = "□"
    text = Element(f"{_W}t")
    text.text = character
    return text


def _take_boxes_out(parent: Element) -> None:
    """Put the paragraphs of text boxes after the paragraph at which they are anchored."""
    children = [part for child in parent for part in _without_boxes(child)]
    if len(children) != len(parent):
        parent[:] = children


def _without_boxes(child: Element) -> Iterator[Element]:
    """Yield an element, and after a paragraph what is in its text boxes, and in those within them."""
    yield child
    for box in _boxes(child) if child.tag == f"{_W}p" else ():
        inside, box[:] = list(box), []
        for part in inside:
            yield from _without_boxes(part)


def _boxes(paragraph: Element) -> Iterator[Element]:
    """Yield the outermost text boxes of a paragraph."""
    waiting = list(reversed(list(paragraph)))
    while waiting:
        element = waiting.pop()
        if element.tag == f"{_W}txbxContent":
            yield element
        else:
            waiting.extend(reversed(list(element)))


def _join_deleted_breaks(parent: Element) -> None:
    """Join a paragraph whose end was deleted, or moved away, with the next one."""
    children = list(parent)
    for place in range(len(children) - 2, -1, -1):
        first, second = children[place], children[place + 1]
        mark = first.find(f"{_W}pPr/{_W}rPr")
        is_gone = mark is not None and any(_local(one) in ("del", "moveFrom") for one in mark)
        if first.tag == second.tag == f"{_W}p" and is_gone:
            first.extend(one for one in second if one.tag != f"{_W}pPr")
            assert mark is not None
            for one in [one for one in mark if _local(one) in ("del", "moveFrom")]:
                mark.remove(one)
            if (last := second.find(f"{_W}pPr/{_W}rPr")) is not None:
                mark.extend(one for one in last if _local(one) in ("del", "moveFrom"))
            parent.remove(second)
            children = list(parent)


def _embolden_large_lines(body: Element) -> None:
    """Make short paragraphs bold whose words are all larger than most: a look that Pandoc does not tell."""
    sizes = {run: _size_of(run) for run in body.iter(f"{_W}r")}
    chars = Counter[int]()
    for run, size in sizes.items():
        chars[size] += sum(map(len, _words(run)))
    usual = max(chars, key=lambda size: chars[size], default=0) or _USUAL_SIZE
    for paragraph in body.iter(f"{_W}p"):
        runs = [run for run in paragraph.iter(f"{_W}r") if any(_words(run))]
        is_large = bool(runs) and all((sizes[run] or _USUAL_SIZE) >= _LARGE * usual for run in runs)
        if is_large and sum(len(word) for run in runs for word in _words(run)) <= _LONGEST_LARGE:
            for run in runs:
                about = run.find(f"{_W}rPr")
                if about is not None and about.find(f"{_W}b") is None:
                    about.insert(0, Element(f"{_W}b"))


def _size_of(run: Element) -> int:
    """Return the size of a run in half points; 0 where its style tells it."""
    size = run.find(f"{_W}rPr/{_W}sz")
    value = "" if size is None else size.get(f"{_W}val", "")
    return int(value) if value.isdecimal() and len(value) < 5 else 0


def _arrange_title_page(body: Element, styles: dict[str, str]) -> None:
    """Make headings of several titles; of a title page keep the words that Pandoc would take for metadata."""
    styled = {paragraph: _style_of(paragraph, styles) for paragraph in body.iter(f"{_W}p")}
    titles = [paragraph for paragraph, name in styled.items() if name == "title"]
    if len(titles) > 1:
        heading = next((key for key, name in styles.items() if name == "heading 1"), "Heading1")
        for paragraph in titles:
            _set_style(paragraph, heading)
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


def _style_of(paragraph: Element, styles: dict[str, str]) -> str:
    style = paragraph.find(f"{_W}pPr/{_W}pStyle")
    key = "" if style is None else style.get(f"{_W}val", "")
    return styles.get(key, key.lower())


def _set_style(paragraph: Element, key: str) -> None:
    about = paragraph.find(f"{_W}pPr")
    style = None if about is None else about.find(f"{_W}pStyle")
    if about is None or style is None:
        return
    if key:
        style.set(f"{_W}val", key)
    else:
        about.remove(style)


# ---------------------------------------------------------------- OpenDocument
def _plain_content(root: Element) -> None:
    for parent in list(root.iter()):
        if parent.tag.startswith(_OFFICE) and _local(parent) != "text":
            continue
        _take_frames_out(parent)
    for element in root.iter():
        name = _local(element)
        is_inline = element.tag.startswith(_TEXT) and name not in _KEPT
        if name == "ruby-text":
            element.text = f"({element.text or ''})"
        if is_inline and (name in _WRAPPING or (element.text or "").strip()):
            element.tag = f"{_TEXT}span"  # a field, or a mark around words
            element.attrib.clear()


def _take_frames_out(parent: Element) -> None:
    """Put the paragraphs of text boxes after the paragraph that holds them, or in place of their frame.

    A numbered paragraph is one of those within it.
    """
    children: list[Element] = []
    is_changed = False
    for child in parent:
        if child.tag == _NUMBERED:
            is_changed = True
            _take_frames_out(child)
            children.extend(child)
            continue
        boxes = [box for box in child.iter(f"{_DRAW}text-box") if len(box)]
        if not boxes or child.tag not in (f"{_TEXT}p", f"{_TEXT}h", f"{_DRAW}frame", f"{_DRAW}g"):
            children.append(child)
            continue
        is_changed = True
        found = [paragraph for box in boxes for paragraph in box]
        for box in boxes:
            box[:] = []
        children.extend([*([child] if child.tag.startswith(_TEXT) else []), *found])
    if is_changed:
        parent[:] = children
