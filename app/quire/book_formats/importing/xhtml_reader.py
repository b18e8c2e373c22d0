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
_UNSEEN = frozenset(("head", "script", "style", "template", "title", "figcaption"))
_OF_HEAD = ("head", "title")
"""Elements that end where the text begins, even without an end tag."""
_ITALIC = frozenset(("em", "i", "u", "ins"))
_BOLD = frozenset(("b", "strong"))
_PICTURES = frozenset(("img", "svg"))
_LEFT_OUT_TYPES = frozenset(
    ("titlepage", "toc", "landmarks", "page-list", "footnotes", "endnotes", "rearnotes")
)
_NOTE_TYPES = frozenset(("footnote", "endnote", "rearnote"))
_SPACE = re.compile(r"[ \t\r\n\f]+")
_HEAD = 2048
_ENCODING = re.compile(
    rb"""(?:<\?xml[^>]{0,200}encoding|charset)\s*=\s*["']?([A-Za-z0-9._-]{1,40})""", re.IGNORECASE
)


def page_text(content: bytes) -> str:
    """Return the text of a page in its encoding; ValueError where it is in none."""
    found = _ENCODING.search(content[:_HEAD])
    return text_of(content, found[1].decode("ascii") if found else "")


class XhtmlReader(HTMLParser):
    """Collects the blocks of the pages it is fed, one after another.

    Attributes:
        blocks: paragraphs, headings and rules, in order.
        left_out: how many pictures, notes and tables there were.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks = list[Block]()
        self.left_out = Counter[str]()
        self._inlines = list[Inline]()
        self._heading = 0
        self._italic = self._bold = self._preformatted = 0
        self._unseen_tag, self._unseen_depth = "", 0
        self._num_references = self._num_notes = 0

    def read_page(self, page: str) -> None:
        """Add the blocks of a page."""
        self.reset()
        self.feed(page)
        self.close()
        self.clear_cdata_mode()
        self._unseen_depth = self._preformatted = 0
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
            return
        if tag in _BLOCKS:
            self._begin_block(tag)
        if self._is_left_out(tag, {name: value or "" for name, value in attrs}):
            self._unseen_tag, self._unseen_depth = tag, 1
        elif tag == "br":
            self._inlines.append("\n")
        elif tag == "q":
            self._add("“")
        self._italic += tag in _ITALIC
        self._bold += tag in _BOLD

    def handle_endtag(self, tag: str) -> None:
        """End a block or a style."""
        if self._unseen_depth:
            self._unseen_depth -= tag == self._unseen_tag
            return
        if tag in _BLOCKS:
            self._end_block()
            self._preformatted = max(self._preformatted - (tag == "pre"), 0)
        elif tag == "q":
            self._add("”")
        self._italic = max(self._italic - (tag in _ITALIC), 0)
        self._bold = max(self._bold - (tag in _BOLD), 0)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an empty element as XHTML means it."""
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        """Add text."""
        if not self._unseen_depth:
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
        return tag not in ("body", "html") and not (_NOTE_TYPES | _LEFT_OUT_TYPES).isdisjoint(types)

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
