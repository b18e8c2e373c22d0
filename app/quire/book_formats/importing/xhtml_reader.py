"""Reads web pages and the pages of an EPUB as blocks of a document tree.

In memory and time that grow with the page only: nothing nests, however deep its tags are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html.parser import HTMLParser

from quire.book_formats.importing.left_out import LeftOut
from quire.book_formats.importing.pandoc_reader import Block, Inline, text_of_blocks
from quire.book_formats.importing.plain_markup import numeral
from quire.book_formats.importing.style_rules import StyleRules
from quire.system.text_file import text_of

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(_HEADINGS) | {
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog",
    "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup",
    "hr", "legend", "li", "main", "menu", "nav", "ol", "optgroup", "option", "p", "pre", "search",
    "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
}  # fmt: skip
_UNSEEN = frozenset(("script", "style", "title", "rp", "annotation", "annotation-xml"))
_HIDDEN = frozenset(("template", "datalist", "epub:case"))
_LISTS = ("ol", "ul", "menu", "dir")
_VOID = frozenset((
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr", "image", "use", "path", "rect",
))  # fmt: skip
_CELLS = frozenset(("td", "th", "tr", "tbody", "tfoot", "thead"))
_ENDED_BY = {
    "title": _BLOCKS, "p": _BLOCKS, "li": {"li"}, "dt": {"dt", "dd"}, "dd": {"dt", "dd"},
    "option": {"option", "optgroup"}, "td": _CELLS, "th": _CELLS, "tr": _CELLS - {"td", "th"},
}  # fmt: skip
"""Tags that end an element which often has no end tag of its own."""
_HOLDERS = frozenset((*_LISTS, "dl", "table", "select", "optgroup"))
_SHOWN_INPUTS = ("", "text", "button", "submit", "search", "email", "number", "date")
_ITALIC = frozenset(("em", "i", "u", "ins"))
_BOLD = frozenset(("b", "strong"))
_AROUND = {"rt": ("(", ")")}
_QUOTES = (("“", "”"), ("‘", "’"))
"""What a reader sees around the words of an element."""
_LARGE = re.compile(
    r"font-weight:\s*(?:bold|[6-9]00)|font-size:\s*(?:x*-?large|1[3-9]\d%|[2-9]\d\d%|1\.[3-9]\d*r?em|[2-9][\d.]*r?em)"
    r"|(?:^|\s)(?:chapter|section|part)?[-_]?(?:title|heading|number)\d*(?:\s|$)",
    re.IGNORECASE,
)
"""What a style or a class says of the lines that books have instead of headings."""
_PICTURES = frozenset(("img", "svg", "object", "video", "audio", "iframe", "embed", "canvas"))
_MOST_STYLED = 200
"""So many styled elements within one another; no page has as many, and they cost memory."""
_LEFT_OUT_TYPES = {"titlepage": "title page", "toc": "table of contents"}
_NAVIGATION = frozenset(("landmarks", "page-list"))
"""What programs show, and no reader of the pages."""
_NOTES = frozenset(("footnotes", "endnotes", "rearnotes"))
_NOTE_TYPES = frozenset(("footnote", "endnote", "rearnote"))
_NOTE_REFERENCE = "reference to a note"
_NOTE_MARK = re.compile(r"[\[({]?(?:[\d⁰¹²³⁴-⁹*†‡§¶※]{1,6}|[^\W\d_])[\])}]?[.:]?")
_LETTER = re.compile(r"[^\W\d_]")
_SPACE = re.compile(r"[ \t\r\n\f]+")
_COMMENT_END = re.compile(r"--\s*!?>")
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


@dataclass(slots=True)
class _Styled:
    """An open element with a look of its own. depth: of elements of its name within it, with itself."""

    tag: str
    italic: bool
    bold: bool
    after: str
    depth: int = 1


@dataclass(slots=True)
class _List:
    """A list that is open. form: of its numbers; empty for dashes, None without marks."""

    form: str | None
    next: int
    step: int = 1


class XhtmlReader(HTMLParser):
    """Collects the blocks of the pages it is fed, one after another.

    Attributes:
        blocks: paragraphs, headings and rules, in order.
        left_out: pictures, notes, tables and what else is no text of the book.
        rules: what style sheets say.
    """

    def __init__(self, left_out: LeftOut | None = None) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks = list[Block]()
        self.left_out = left_out or LeftOut()
        self.rules = StyleRules()
        self._inlines = list[Inline]()
        self._heading = 0
        self._italic = self._bold = self._preformatted = 0
        self._unseen_tag, self._unseen_depth, self._num_inner = "", 0, 0
        self._aside: list[str] | None = None
        self._aside_kind = ""
        self._styled = list[_Styled]()
        self._lists = list[_List]()
        self._marker = ""
        self._num_quotes = 0
        self._heading_start = (0, 0)
        self._titles = list[str]()
        self._num_references = self._num_notes = 0

    def read_page(self, page: str) -> None:
        """Add the blocks of a page."""
        self.reset()
        # behind the last end of a comment, the parser would look for each one's to the end of the page
        end = max((found.end() for found in _COMMENT_END.finditer(page)), default=0)
        self.feed(page[:end] + page[end:].replace("<!--", "&lt;!--"))
        self.close()
        self.clear_cdata_mode()
        self._unseen_depth = self._preformatted = self._num_quotes = 0
        self._end_aside()
        for one in reversed(self._styled):
            self._add(one.after)
        self._end_block()
        self._styled.clear()
        self._lists.clear()

    def end(self) -> None:
        """Count the notes of all pages: those that are referred to, or else those that are there; and what
        pages only show when somebody points at it.
        """
        text = text_of_blocks(self.blocks) if self._titles else ""
        for title in dict.fromkeys(self._titles):
            if title not in text:
                self.left_out.add("hidden text", title)
        if notes := max(self._num_references, self._num_notes):
            self.left_out.add("note", number=notes)

    # ---------------------------------------------------------------- called by the parser
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a block or a style, or leave out what has no text of the book."""
        if self._unseen_depth and not self._num_inner and tag in _ENDED_BY.get(self._unseen_tag, ()):
            self._unseen_depth = 0
            self._end_aside()
        about = {name: value or "" for name, value in attrs}
        if self._unseen_depth:
            self._unseen_depth += tag == self._unseen_tag and tag not in _ENDED_BY
            self._num_inner += tag in _HOLDERS
            self._add_aside("\n" if tag in (*_BLOCKS, "br") else "")
            self._add_aside(f" {about.get('alt', '')} " if tag == "img" else "")
            return
        if tag in _BLOCKS:
            self._begin_block(tag)
        look = self.rules.look(tag, about.get("class", "").split(), about.get("style", ""))
        is_hidden = look.hidden or "hidden" in about or (tag == "dialog" and "open" not in about)
        if self._is_left_out(tag, about, is_hidden=is_hidden and tag not in ("html", "body")):
            if tag in _VOID:  # nothing is in it, and it has no end
                self._add_aside(about.get("alt", ""))
                self._end_aside()
            else:
                self._unseen_tag, self._unseen_depth, self._num_inner = tag, 1, 0
            return
        self._begin_shown(tag, about)
        self._italic += tag in _ITALIC
        self._bold += tag in _BOLD
        if tag in _BLOCKS and tag not in (*_HEADINGS, "body"):  # the look of a block ends with it
            self._bold += any(map(_LARGE.search, (look.declared, about.get("class", ""))))
        if tag not in _VOID:
            is_bold = look.bold and tag not in _BLOCKS
            self._style(_Styled(tag, look.italic and tag != "a", is_bold, look.after))
        self._add(look.before)
        if tag in _LISTS:
            self._begin_list(tag, about, is_unmarked=look.unmarked)
        elif tag == "li":
            self._mark_item(about, is_unmarked=look.unmarked)
        if title := about.get("title", "").strip() if tag not in (*_PICTURES, "a", "link", "html") else "":
            self._titles += [title] if _LETTER.search(title) else []  # others number the pages of the print

    def _begin_shown(self, tag: str, about: Mapping[str, str]) -> None:
        """Add what a reader sees at the beginning of an element."""
        if tag == "br":
            self._inlines.append("\n")
        elif tag in _AROUND:
            self._add(_AROUND[tag][0])
        elif tag == "q":
            self._add(_QUOTES[self._num_quotes % 2][0])
            self._num_quotes += 1
        elif tag == "input" and about.get("type", "").lower() in _SHOWN_INPUTS:
            self._add(about.get("value", "") or about.get("placeholder", ""))

    def handle_endtag(self, tag: str) -> None:
        """End a block or a style."""
        if self._unseen_depth:
            is_own, enders = tag == self._unseen_tag, _ENDED_BY.get(self._unseen_tag)
            if enders is None:
                self._unseen_depth -= is_own
            elif not self._num_inner and (is_own or tag in enders or tag in _HOLDERS):
                self._unseen_depth = 0
            self._num_inner = max(self._num_inner - (tag in _HOLDERS), 0)
            self._add_aside("\n" if tag in _BLOCKS else "")
            if not self._unseen_depth:
                self._end_aside()
            if self._unseen_depth or is_own:
                return
        self._unstyle(tag)
        if tag in _BLOCKS:
            self._end_block()
            self._preformatted = max(self._preformatted - (tag == "pre"), 0)
            if tag in _HEADINGS:
                self._join_heading(_HEADINGS[tag])
            elif tag in _LISTS and self._lists:
                self._lists.pop()
        elif tag in _AROUND:
            self._add(_AROUND[tag][1])
        elif tag == "q" and self._num_quotes:
            self._num_quotes -= 1
            self._add(_QUOTES[self._num_quotes % 2][1])
        self._italic = max(self._italic - (tag in _ITALIC), 0)
        self._bold = max(self._bold - (tag in _BOLD), 0)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an empty element as XHTML means it."""
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        """Add text."""
        if self._unseen_depth:
            if self._unseen_tag == "style":
                self.rules.add(data)
            self._add_aside(data)
        else:
            self._add(data if self._preformatted else _SPACE.sub(" ", data))

    def unknown_decl(self, data: str) -> None:
        """Add the text of a CDATA section."""
        if data.startswith("CDATA["):
            self.handle_data(data.removeprefix("CDATA["))

    def handle_comment(self, data: str) -> None:
        """Add the text of a CDATA section where the parser takes it for a comment."""
        self.unknown_decl(data.removeprefix("[").removesuffix("]]"))

    # ---------------------------------------------------------------- inside
    def _is_left_out(self, tag: str, attributes: Mapping[str, str], *, is_hidden: bool) -> bool:
        """Return whether an element has no text of the book, and count it."""
        if tag in _UNSEEN:
            return True
        if tag in _HIDDEN or is_hidden:
            return self._begin_aside("hidden text")
        if tag in _PICTURES:
            said = dict.fromkeys(attributes.get(name, "").strip() for name in ("alt", "title"))
            self.left_out.add("picture", "\n".join(said))
            return tag == "svg" and self._begin_aside("")
        if tag == "table":
            self.left_out.add("table")
        types = attributes.get("epub:type", "").lower().split()
        types += [role.removeprefix("doc-") for role in attributes.get("role", "").lower().split()]
        if "noteref" in types:
            self._num_references += 1
            return self._begin_aside(_NOTE_REFERENCE)
        self._num_notes += not _NOTE_TYPES.isdisjoint(types)
        if tag in ("body", "html"):
            return False
        kind = next((kind for name, kind in _LEFT_OUT_TYPES.items() if name in types), "")
        if kind or not (_NOTE_TYPES | _NOTES).isdisjoint(types):
            self.left_out.counts.update(filter(None, [kind]))
            return self._begin_aside("")
        return not _NAVIGATION.isdisjoint(types)

    def _begin_aside(self, kind: str) -> bool:
        """Collect the words of an element apart; kind: as what they count if there are any."""
        self._aside, self._aside_kind = [], kind
        return True

    def _add_aside(self, text: str) -> None:
        if self._aside is not None:
            self._aside.append(text)

    def _end_aside(self) -> None:
        """Keep the words of what was left out."""
        words, kind = "".join(self._aside or ()), self._aside_kind
        self._aside, self._aside_kind = None, ""
        if kind == _NOTE_REFERENCE:
            self._add("" if _NOTE_MARK.fullmatch(words.strip()) else _SPACE.sub(" ", words))
        elif said := "\n".join(filter(None, (" ".join(line.split()) for line in words.split("\n")))):
            self.left_out.texts.append(said)
            self.left_out.counts.update(filter(None, [kind]))

    def _add(self, text: str) -> None:
        if not text:
            return
        inline: Inline = text
        if self._bold or any(one.bold for one in self._styled):
            inline = {"t": "Strong", "c": [inline]}
        if self._italic or any(one.italic for one in self._styled):
            inline = {"t": "Emph", "c": [inline]}
        if self._marker and text.strip():
            self._inlines.append(self._marker)
            self._marker = ""
        self._inlines.append(inline)

    # ---------------------------------------------------------------- styles and lists
    def _style(self, styled: _Styled) -> None:
        """Begin an element; only one with a look of its own is remembered."""
        for one in reversed(self._styled):
            if one.tag == styled.tag:
                if not (styled.italic or styled.bold or styled.after):
                    one.depth += 1
                    return
                break
        if (styled.italic or styled.bold or styled.after) and len(self._styled) < _MOST_STYLED:
            self._styled.append(styled)

    def _unstyle(self, tag: str) -> None:
        """End an element; those within it that were not ended end with it."""
        for place in range(len(self._styled) - 1, -1, -1):
            one = self._styled[place]
            if one.tag == tag:
                one.depth -= 1
                if not one.depth:
                    self._add(one.after)
                    del self._styled[place:]
                return

    def _begin_list(self, tag: str, about: Mapping[str, str], *, is_unmarked: bool) -> None:
        start = about.get("start", "").strip()
        form = None if is_unmarked else "" if tag != "ol" else about.get("type", "1")[:1]
        first = int(start) if re.fullmatch(r"-?\d{1,6}", start) else 1
        if len(self._lists) < _MOST_STYLED:
            self._lists.append(_List(form, first, -1 if "reversed" in about else 1))

    def _mark_item(self, about: Mapping[str, str], *, is_unmarked: bool) -> None:
        """Begin an item of a list with its number, or with a dash."""
        if not self._lists:
            return
        inner, value = self._lists[-1], about.get("value", "").strip()
        number = int(value) if re.fullmatch(r"\d{1,6}", value) else inner.next
        inner.next = number + inner.step
        if inner.form is not None and not is_unmarked:
            self._marker = f"{numeral(number, inner.form)}. " if inner.form else "- "

    # ---------------------------------------------------------------- blocks
    def _begin_block(self, tag: str) -> None:
        self._unstyle("p")  # one that has no end tag ends here
        self._end_block()
        self._heading = _HEADINGS.get(tag, 0)
        if self._heading:
            self._heading_start = (self._heading, len(self.blocks))
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

    def _join_heading(self, level: int) -> None:
        """Make one heading of the paragraphs within one."""
        begun, start = self._heading_start
        inside = self.blocks[start:]
        self._heading_start = (0, 0)
        if begun != level or not inside or not all(block["t"] in ("Para", "Header") for block in inside):
            return
        lines = [block["c"] if block["t"] == "Para" else block["c"][2] for block in inside]
        if sum(len(line) for line in lines) <= _MOST_STYLED:
            joined = [one for line in lines for one in (" ", *line)]
            self.blocks[start:] = [{"t": "Header", "c": [level, None, joined]}]
