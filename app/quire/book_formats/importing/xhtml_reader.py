"""Reads web pages and the pages of an EPUB as blocks of a document tree.

In memory and time that grow with the page only: nothing nests, however deep its tags are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from html.parser import HTMLParser

from quire.book_formats.importing.pandoc_reader import Block, Inline
from quire.system.text_file import text_of

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(_HEADINGS) | {
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "li", "main", "nav", "ol",
    "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
}  # fmt: skip
_UNSEEN = frozenset(("head", "script", "style", "template", "title", "rp"))
_OF_HEAD = ("head", "title")
"""Elements that end where the text begins, even without an end tag."""
_ITALIC = frozenset(("em", "i", "u", "ins"))
_BOLD = frozenset(("b", "strong"))
_AROUND = {"q": ("“", "”"), "rt": ("(", ")")}
"""What a reader sees around the words of an element."""
_LARGE = re.compile(
    r"font-weight:\s*(?:bold|[6-9]00)|font-size:\s*(?:x*-?large|1[3-9]\d%|[2-9]\d\d%|1\.[3-9]\d*r?em|[2-9][\d.]*r?em)"
    r"|(?:^|\s)(?:chapter|section|part)?[-_]?(?:title|heading|number)\d*(?:\s|$)",
    re.IGNORECASE,
)
"""What a style or a class says of the lines that books have instead of headings."""
_PICTURES = frozenset(("img", "svg"))
_LEFT_OUT_TYPES = {"titlepage": "title page", "toc": "table of contents"}
_NAVIGATION = frozenset(("landmarks", "page-list"))
"""What programs show, and no reader of the pages."""
_NOTES = frozenset(("footnotes", "endnotes", "rearnotes"))
_NOTE_TYPES = frozenset(("footnote", "endnote", "rearnote"))
_SPACE = re.compile(r"[ \t\r\n\f]+")
_HEAD = 2048
_ENCODING = re.compile(
    rb"""(?:<\?xml[^>]{0,200}encoding|charset)\s*=\s*["']?([A-Za-z0-9._-]{1,40})""", re.IGNORECASE
)


def page_text(content: bytes) -> str:
    """Return the text of a page in its encoding; ValueError where it is in none."""
    return text_of(content, declared_encoding(content))


def declared_encoding(content: bytes) -> str:
    """Return the encoding that a page says that it is in; empty where it says nothing."""
    found = _ENCODING.search(content[:_HEAD])
    return found[1].decode("ascii") if found else ""


class XhtmlReader(HTMLParser):
    """Collects the blocks of the pages it is fed, one after another.

    Attributes:
        blocks: paragraphs, headings and rules, in order.
        left_out: how many pictures, notes and tables there were.
        left_out_texts: the words of notes and of what else is no text of the book.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks = list[Block]()
        self.left_out = Counter[str]()
        self.left_out_texts = list[str]()
        self._inlines = list[Inline]()
        self._heading = 0
        self._italic = self._bold = self._preformatted = 0
        self._unseen_tag, self._unseen_depth = "", 0
        self._aside: list[str] | None = None
        self._num_references = self._num_notes = 0

    def read_page(self, page: str) -> None:
        """Add the blocks of a page."""
        self.reset()
        self.feed(page)
        self.close()
        self.clear_cdata_mode()
        self._unseen_depth = self._preformatted = 0
        self._end_aside()
        self._end_block()

    def end(self) -> None:
        """Count the notes of all pages: those that are referred to, or else those that are there."""
        if notes := max(self._num_references, self._num_notes):
            self.left_out["note"] += notes

    # ---------------------------------------------------------------- called by the parser
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a block or a style, or leave out what has no text of the book."""
        if self._unseen_tag in _OF_HEAD and tag in _BLOCKS:
            self._unseen_depth = 0
        if self._unseen_depth:
            self._unseen_depth += tag == self._unseen_tag
            self._add_aside("\n" if tag in (*_BLOCKS, "br") else "")
            return
        if tag in _BLOCKS:
            self._begin_block(tag)
        if self._is_left_out(tag, {name: value or "" for name, value in attrs}):
            self._unseen_tag, self._unseen_depth = tag, 1
        elif tag == "br":
            self._inlines.append("\n")
        elif tag in _AROUND:
            self._add(_AROUND[tag][0])
        self._italic += tag in _ITALIC
        self._bold += tag in _BOLD
        if tag in _BLOCKS:  # the look of a block ends with it
            self._bold += any(
                _LARGE.search(value or "") for name, value in attrs if name in ("style", "class")
            )

    def handle_endtag(self, tag: str) -> None:
        """End a block or a style."""
        if self._unseen_depth:
            self._unseen_depth -= tag == self._unseen_tag
            self._add_aside("\n" if tag in _BLOCKS else "")
            if not self._unseen_depth:
                self._end_aside()
            return
        if tag in _BLOCKS:
            self._end_block()
            self._preformatted = max(self._preformatted - (tag == "pre"), 0)
        elif tag in _AROUND:
            self._add(_AROUND[tag][1])
        self._italic = max(self._italic - (tag in _ITALIC), 0)
        self._bold = max(self._bold - (tag in _BOLD), 0)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an empty element as XHTML means it."""
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        """Add text."""
        if self._unseen_depth:
            self._add_aside(data)
        else:
            self._add(data if self._preformatted else _SPACE.sub(" ", data))

    def unknown_decl(self, data: str) -> None:
        """Add the text of a CDATA section."""
        if data.startswith("CDATA["):
            self.handle_data(data.removeprefix("CDATA["))

    # ---------------------------------------------------------------- inside
    def _is_left_out(self, tag: str, attributes: Mapping[str, str]) -> bool:
        """Return whether an element has no text of the book, and count it."""
        if tag in _PICTURES:
            self.left_out["picture"] += 1
            return tag == "svg"
        if tag in _UNSEEN:
            return True
        self.left_out["table"] += tag == "table"
        types = attributes.get("epub:type", "").lower().split()
        types += [role.removeprefix("doc-") for role in attributes.get("role", "").lower().split()]
        if "noteref" in types:
            self._num_references += 1
            return True
        self._num_notes += not _NOTE_TYPES.isdisjoint(types)
        if tag in ("body", "html"):
            return False
        kinds = [kind for name, kind in _LEFT_OUT_TYPES.items() if name in types]
        self.left_out.update(kinds)
        if kinds or not (_NOTE_TYPES | _NOTES).isdisjoint(types):
            self._aside = []
        return self._aside is not None or not _NAVIGATION.isdisjoint(types)

    def _add_aside(self, text: str) -> None:
        if self._aside is not None:
            self._aside.append(text)

    def _end_aside(self) -> None:
        """Keep the words of what was left out."""
        lines = (" ".join(line.split()) for line in "".join(self._aside or ()).split("\n"))
        if said := "\n".join(filter(None, lines)):
            self.left_out_texts.append(said)
        self._aside = None

    def _add(self, text: str) -> None:
        inline: Inline = text
        if self._bold:
            inline = {"t": "Strong", "c": [inline]}
        if self._italic:
            inline = {"t": "Emph", "c": [inline]}
        self._inlines.append(inline)

    def _begin_block(self, tag: str) -> None:
        self._end_block()
        self._heading = _HEADINGS.get(tag, 0)
        self._preformatted += tag == "pre"
        if tag == "hr":
            self.blocks.append({"t": "HorizontalRule"})

    def _end_block(self) -> None:
        """Make a paragraph or a heading of the text since the last block; emphasis ends with it."""
        if self._inlines:
            content = [self._heading, None, self._inlines] if self._heading else self._inlines
            self.blocks.append({"t": "Header" if self._heading else "Para", "c": content})
            self._inlines = []
        self._heading = self._italic = self._bold = 0
