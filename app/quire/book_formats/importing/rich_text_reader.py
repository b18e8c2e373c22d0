"""Reads RTF as blocks of a document tree; Pandoc's reader drops text boxes, and keeps what was deleted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from quire.book_formats.importing.left_out import LeftOut
from quire.book_formats.importing.pandoc_reader import Block, Inline, Manuscript, manuscript_of_blocks
from quire.book_formats.importing.rich_text_decoder import decode_rich_text

_SKIPPED = frozenset((
    "fonttbl", "colortbl", "objdata", "themedata", "colorschememapping", "latentstyles", "datastore",
    "listtable", "rsidtbl", "generator", "listoverridetable", "xmlnstbl", "wgrffmtfilter", "mmathPr",
    "fldinst", "bkmkstart", "bkmkend", "filetbl", "revtbl", "template", "background", "shprslt",
    "nonshppict", "pn", "xe", "tc", "tcn", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc",
    "aftncn", "nonesttables", "mathpict", "atnid", "atndate", "atnref", "atnparent", "atnicn",
    "atntime", "atnauthor", "ffname", "ffdeftext", "blipuid", "picprop", "pnseclvl", "docvar",
    "userprops", "password", "passwordhash", "keywords", "operator", "category", "doccomm", "hlinkbase",
    "company", "manager", "comment", "subject", "creatim", "revtim", "printim", "buptim", "listname",
    "objclass", "objname",
))  # fmt: skip
_READ_STARRED = frozenset((
    "shpinst", "ud", "annotation", "cs", "moMath", "moMathPara", "shppict", "do", "shptxt",
    "dptxbxtext", "footnote",
))  # fmt: skip
"""Groups whose text counts although programs that don't know them may skip them."""
_RUNNING = frozenset((
    "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf",
))  # fmt: skip
_CHARACTERS = {
    "emdash": "—", "endash": "–", "emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005",
    "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "zwj": "\u200d",
    "zwnj": "\u200c", "ltrmark": "\u200e", "rtlmark": "\u200f", "tab": "\t", "~": "\xa0", "_": "\u2011",
    "line": "\n", "lbr": "\n", "softline": "\n", "mden": "/", "msup": "",
}  # fmt: skip
_PARAGRAPH_ENDS = (
    "par", "sect", "page", "column", "cell", "nestcell", "row", "nestrow", "\r", "\n",
)  # fmt: skip
_LETTER = re.compile(r"[^\W\d_]")
_LARGE, _LONGEST_LARGE, _USUAL_SIZE = 1.2, 70, 24
_NO_LEVEL = 9
_WORD_ART = "gtextUNICODE"
_HEADING = re.compile(r"\s*(?:heading|überschrift|titre|título|titolo|kop)\s*(\d)\s*;?", re.IGNORECASE)


@dataclass(slots=True)
class _Aside:
    """Words that are collected apart. kind: as what they are counted."""

    kind: str
    parts: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _State:
    """What a group inherits.

    Attributes:
        level: of the outline, from 0.
        is_twice: its words come again, in Unicode.
    """

    italic: bool = False
    bold: bool = False
    size: int = _USUAL_SIZE
    level: int = _NO_LEVEL
    is_skipped: bool = False
    is_hidden: bool = False
    is_deleted: bool = False
    aside: _Aside | None = None
    is_box: bool = False
    is_twice: bool = False
    is_sheet: bool = False


_PLAIN = _State()


@dataclass(slots=True)
class _Paragraph:
    inlines: list[Inline] = field(default_factory=list)
    sizes: Counter[int] = field(default_factory=Counter)
    hidden: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Reader:
    """Collects the blocks of a file.

    Attributes:
        waiting: those of text boxes, until the paragraph ends at which they are anchored.
        holders: the paragraphs that are begun around a text box.
        is_starred: the next command is one that may be unknown.
        styles: the outline levels of styles.
        drawn: the name of the property of a shape that comes next.
    """

    left_out: LeftOut = field(default_factory=LeftOut)
    blocks: list[tuple[Block, Counter[int]]] = field(default_factory=list)
    waiting: list[tuple[Block, Counter[int]]] = field(default_factory=list)
    holders: list[_Paragraph] = field(default_factory=list)
    paragraph: _Paragraph = field(default_factory=_Paragraph)
    state: _State = _PLAIN
    outer: list[_State] = field(default_factory=list)
    is_starred: bool = False
    in_table: bool = False
    title: str = ""
    author: str = ""
    styles: dict[int, int] = field(default_factory=dict)
    style: int = 0
    drawn: str = ""

    # ------------------------------------------------------------ told by the decoder
    def text(self, words: str) -> None:
        """Add text where it belongs."""
        state = self.state
        self.is_starred = False
        if state.is_skipped or state.is_deleted or state.is_twice:
            return
        if state.aside is not None:
            state.aside.parts.append(words)
        elif state.is_sheet:
            self._name_style(words)
        elif state.is_hidden:
            self.paragraph.hidden.append(words)
        else:
            self._add(words)

    def open(self) -> None:
        """Begin a group."""
        self.is_starred = False
        self.outer.append(self.state)

    def close(self) -> None:
        """End a group, and what was collected in it."""
        ended = self.state
        if not self.outer:
            return
        self.state = self.outer.pop()
        if ended.aside is not None and ended.aside is not self.state.aside:
            self._end_aside(ended.aside)
        if ended.is_sheet and not self.state.is_sheet:
            self.style = 0
        if ended.is_box and not self.state.is_box:
            self._end_paragraph()
            self.paragraph = self.holders.pop()

    def command(self, word: str, number: int | None) -> None:
        """Follow a command."""
        if word == "*":
            self.is_starred = True
            return
        is_starred, self.is_starred = self.is_starred, False
        if self.state.is_skipped:
            return
        if word in _SKIPPED or (is_starred and word not in _READ_STARRED | _RUNNING):
            self.state = replace(self.state, is_skipped=True)
        elif word in _CHARACTERS:
            self.text(_CHARACTERS[word])
        elif word in _PARAGRAPH_ENDS:
            self._break(word)
        elif not self._begin(word, number):
            self._format(word, number)

    # ------------------------------------------------------------ groups
    def _begin(self, word: str, number: int | None) -> bool:
        """Begin what a group is for; return whether the command says that."""
        if word in ("footnote", "annotation") or word in _RUNNING:
            kinds = {"footnote": "note", "annotation": "comment"}
            self._set_aside(kinds.get(word, "running head"))
        elif word in ("title", "author"):
            self._set_aside(word)
        elif word == "pict":
            self.left_out.add("picture")
            self.state = replace(self.state, is_skipped=True)
        elif word in ("shptxt", "dptxbxtext"):
            self.holders.append(self.paragraph)
            self.paragraph = _Paragraph()
            self.state = replace(self.state, is_box=True)
        elif word in ("sn", "sv"):
            self._set_aside(word)
        elif word == "stylesheet":
            self.state = replace(self.state, is_sheet=True)
        elif word in ("upr", "ud"):
            self.state = replace(self.state, is_twice=word == "upr")
        elif word == "trowd" and not self.in_table and self.state.aside is None:
            self.left_out.add("table")
            self.in_table = True
        else:
            return False
        return True

    def _set_aside(self, kind: str) -> None:
        self.state = replace(self.state, aside=_Aside(kind), is_hidden=False)

    def _end_aside(self, aside: _Aside) -> None:
        words = "\n".join(" ".join(line.split()) for line in "".join(aside.parts).split("\n")).strip()
        if aside.kind == "title":
            self.title = words
        elif aside.kind == "author":
            self.author = words
        elif aside.kind == "running head":
            if _LETTER.search(words):
                self.left_out.add_once(aside.kind, words)
        elif aside.kind == "sn":
            self.drawn = words
        elif aside.kind == "sv":
            if self.drawn == _WORD_ART and words and self.state.aside is not None:
                self.state.aside.parts.append(words)
            elif self.drawn == _WORD_ART and words:
                self.waiting.append((_block([words], _NO_LEVEL), Counter()))
        else:
            self.left_out.add(aside.kind, words)

    # ------------------------------------------------------------ looks
    def _format(self, word: str, number: int | None) -> None:
        is_on, state = number != 0, self.state
        if word == "plain":
            state = replace(
                state, italic=False, bold=False, size=_USUAL_SIZE, is_hidden=False, is_deleted=False
            )
        elif word == "pard":
            state, self.style = replace(state, level=_NO_LEVEL), 0
            self.in_table = False
        elif word == "intbl":
            self.in_table = True
        elif word == "b":
            state = replace(state, bold=is_on)
        elif word == "i" or (word.startswith("ul") and word not in ("ulc", "ulnone")):
            state = replace(state, italic=is_on)
        elif word == "ulnone":
            state = replace(state, italic=False)
        elif word == "fs":
            state = replace(state, size=number or _USUAL_SIZE)
        elif word == "v":
            state = replace(state, is_hidden=is_on)
        elif word == "deleted":
            state = replace(state, is_deleted=is_on)
        elif word == "outlinelevel":
            state = replace(state, level=_NO_LEVEL if number is None else number)
            if state.is_sheet:
                self.styles[self.style] = state.level
        elif word == "s":
            self.style = number or 0
        self.state = state

    def _name_style(self, words: str) -> None:
        if (heading := _HEADING.fullmatch(words)) is not None:
            self.styles[self.style] = int(heading[1]) - 1

    def _add(self, words: str) -> None:
        inline: Inline = words
        if self.state.bold:
            inline = {"t": "Strong", "c": [inline]}
        if self.state.italic:
            inline = {"t": "Emph", "c": [inline]}
        self.paragraph.inlines.append(inline)
        self.paragraph.sizes[self.state.size] += len(words.strip())

    # ------------------------------------------------------------ paragraphs
    def _break(self, word: str) -> None:
        if self.state.aside is not None:
            self.state.aside.parts.append("\n")
        elif not (self.state.is_deleted or self.state.is_sheet):
            self._end_paragraph()

    def _end_paragraph(self) -> None:
        paragraph, self.paragraph = self.paragraph, _Paragraph()
        if words := "".join(paragraph.hidden).strip():
            self.left_out.add("hidden text", words)
        level = self.state.level if self.state.level < _NO_LEVEL else self.styles.get(self.style, _NO_LEVEL)
        made = [(_block(paragraph.inlines, level), +paragraph.sizes)] if paragraph.inlines else []
        if self.holders:
            self.waiting += made
        else:
            self.blocks += [*made, *self.waiting]
            self.waiting = []

    def manuscript(self) -> Manuscript:
        """Return what the file says."""
        while self.holders:
            self._end_paragraph()
            self.paragraph = self.holders.pop()
        self._end_paragraph()
        return manuscript_of_blocks(self._with_large_lines(), self.left_out, self.title, self.author)

    def _with_large_lines(self) -> Iterator[Block]:
        """Yield the blocks; short paragraphs are bold whose letters are all larger than most."""
        chars = Counter[int]()
        for _, sizes in self.blocks:
            chars.update(sizes)
        usual = max(chars, key=lambda size: chars[size], default=_USUAL_SIZE)
        for block, sizes in self.blocks:
            is_large = bool(sizes) and min(sizes) >= _LARGE * usual and sizes.total() <= _LONGEST_LARGE
            if is_large and block["t"] == "Para":
                yield {"t": "Para", "c": [{"t": "Strong", "c": block["c"]}]}
            else:
                yield block


def rich_text_manuscript(content: bytes) -> Manuscript:
    """Return the manuscript in RTF; ValueError where it is none."""
    reader = _Reader()
    decode_rich_text(content, reader)
    return reader.manuscript()


def _block(inlines: list[Inline], level: int) -> Block:
    if level < _NO_LEVEL:
        return {"t": "Header", "c": [level + 1, None, inlines]}
    return {"t": "Para", "c": inlines}
