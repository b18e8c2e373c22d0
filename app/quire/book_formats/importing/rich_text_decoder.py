"""Decodes RTF: every character of its text, and its commands.

Bytes are in the code page of their font; a character beyond it is written as a number, and with others for
older programs behind it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol

_USUAL = "cp1252"
_CHARSETS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "cp950", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
_SETS = {b"ansi": _USUAL, b"mac": "mac_roman", b"pc": "cp437", b"pca": "cp850"}
_PAGES = {10_000: "mac_roman", 65_001: "utf-8"}
_UNIT = re.compile(rb"\\u(-?\d{1,10}) ?(\?|\\'[0-9a-fA-F]{2})?")
_PARTS = (
    rb"(?P<hex>(?:\\'[0-9a-fA-F]{2})+)|(?P<high>[\x80-\xff]+)|(?P<text>[^\\{}\x80-\xff]+)|(?P<group>[{}])"
    rb"|\\(?P<word>[a-zA-Z]+)(?P<number>-?\d{1,10})?(?P<space> ?)|(?P<symbol>\\.)|(?P<rest>.)"
)
_SINGLE = re.compile(rb"(?P<units>(?!))|" + _PARTS, re.DOTALL)
_TOKEN = re.compile(rb"(?P<units>(?:%s)+)|" % _UNIT.pattern + _PARTS, re.DOTALL)
_CONTROLS = dict.fromkeys(range(32), " ")
_MOST_DEEP = 5000
_HEAD = 1000
_ESCAPED = (b"\\\\", b"\\{", b"\\}")
_LINE_ENDS = b"\r\n"


@dataclass(frozen=True, slots=True)
class _State:
    """The properties that a group inherits. skipped: fallback characters after each numbered one."""

    font: int = -1
    skipped: int = 1
    is_table: bool = False


class RichTextSink(Protocol):
    """Takes what a file says."""

    def text(self, words: str) -> None:
        """Take text."""

    def command(self, word: str, number: int | None) -> None:
        """Take a command; that of a single sign has no letters."""

    def open(self) -> None:
        """Begin a group."""

    def close(self) -> None:
        """End a group."""


@dataclass(slots=True)
class _Decoder:
    """Takes the tokens of a file one after the other.

    Attributes:
        is_utf_8: whether bytes that are written as such are UTF-8.
        default: the font of text that names none.
        pending: the first byte of a character, whose second one may be a letter.
        half: the first unit of a character of two.
        left: fallback characters still to be skipped.
    """

    sink: RichTextSink
    is_utf_8: bool
    state: _State = field(default_factory=_State)
    outer: list[_State] = field(default_factory=list)
    fonts: dict[int, str] = field(default_factory=dict)
    default: int = -1
    usual: str = _USUAL
    pending: bytes = b""
    half: int = 0
    left: int = 0

    def take(self, token: re.Match[bytes]) -> None:
        """Add a token."""
        if token["units"] is not None:
            self._units(token["units"])
        elif token["text"] is not None:
            self._text(token["text"])
        elif token["high"] is not None and self.is_utf_8:
            self._flush()
            shown, self.left = token["high"].decode()[self.left :], 0
            self._show(shown)
        elif token["hex"] is not None or token["high"] is not None:
            content = token["high"] or bytes.fromhex(token["hex"].replace(rb"\'", b"").decode())
            skipped = min(self.left, len(content))
            self.left -= skipped
            self._bytes(content[skipped:])
        elif token["symbol"] in _ESCAPED and self.pending:
            self._bytes(token["symbol"][1:])
        else:
            self._flush()
            self._command(token)

    def _command(self, token: re.Match[bytes]) -> None:
        if token["word"] == b"u" and token["number"] is not None:
            self._numbered(int(token["number"]) & 0xFFFF)
        elif token["symbol"] is not None and self.left:
            self.left -= 1
        else:
            self.left = self.half = 0
            self._follow(token)
            self._tell(token)

    def _tell(self, token: re.Match[bytes]) -> None:
        word, group, symbol = token["word"], token["group"], token["symbol"]
        if group == b"{":
            self.sink.open()
        elif group == b"}":
            self.sink.close()
        elif word is not None:
            number = token["number"]
            self.sink.command(word.decode(), None if number is None else int(number))
        elif symbol in _ESCAPED:
            self.sink.text(symbol[1:].decode())
        elif symbol is not None:
            self.sink.command(symbol[1:].decode("latin-1"), None)

    def end(self) -> None:
        """Tell what is pending."""
        self._flush()

    def _follow(self, token: re.Match[bytes]) -> None:
        word, number, group = token["word"], int(token["number"] or 0), token["group"]
        if group == b"{":
            if len(self.outer) > _MOST_DEEP:
                raise ValueError("nested too deeply for a book")
            self.outer.append(self.state)
        elif group == b"}" and self.outer:
            self.state = self.outer.pop()
        elif word == b"fonttbl":
            self.state = replace(self.state, is_table=True)
        elif word in (b"f", b"af"):
            self.state = replace(self.state, font=number)
        elif word == b"plain":
            self.state = replace(self.state, font=-1)
        elif word == b"uc":
            self.state = replace(self.state, skipped=max(number, 0))
        elif word == b"fcharset" and self.state.is_table and number in _CHARSETS:
            self.fonts[self.state.font] = _CHARSETS[number]
        elif word in _SETS:
            self.usual = _SETS[word]
        elif word == b"ansicpg":
            self.usual = _known(_PAGES.get(number, f"cp{number}"))
        elif word == b"deff":
            self.default = number

    def _units(self, written: bytes) -> None:
        """Add many characters by their numbers, each with one or no character for older programs."""
        self._flush()
        units = _UNIT.findall(written)
        if self.half or self.state.skipped > 1 or any(bool(old) != self.state.skipped for _, old in units):
            for token in _SINGLE.finditer(written):
                self.take(token)
            return
        self.left = 0
        content = b"".join((int(number) & 0xFFFF).to_bytes(2, "little") for number, _ in units)
        self._show(content.decode("utf-16-le", "replace"))

    def _text(self, text: bytes) -> None:
        if self.pending:
            self._bytes(text[:1])
            text = text[1:]
        self._flush()
        if self.left:
            text = text.lstrip(_LINE_ENDS)
            self.left, text = max(self.left - len(text), 0), text[self.left :]
        if text.strip(_LINE_ENDS):
            self.half = 0
        if text := text.translate(None, _LINE_ENDS):
            self.sink.text(text.decode("latin-1"))

    def _numbered(self, unit: int) -> None:
        """Add a unit of UTF-16 by its number; a character of two units comes with the second."""
        self.left = self.state.skipped
        if 0xD800 <= unit < 0xDC00:
            self.half = unit
            return
        units, self.half = ((self.half, unit) if 0xDC00 <= unit < 0xE000 and self.half else (unit,)), 0
        content = b"".join(one.to_bytes(2, "little") for one in units)
        self._show(content.decode("utf-16-le", "replace"))

    @property
    def _encoding(self) -> str:
        font = self.default if self.state.font < 0 else self.state.font
        return self.fonts.get(font, self.usual)

    def _bytes(self, content: bytes) -> None:
        """Add bytes; a last one that lacks its second byte waits for it."""
        content = self.pending + content
        decoder = codecs.getincrementaldecoder(self._encoding)()
        try:
            decoder.decode(content)
            end = len(content) - len(decoder.getstate()[0])
        except UnicodeDecodeError:
            end = len(content)
        self.pending = content[:end]
        self._flush()
        self.pending = content[end:]

    def _flush(self) -> None:
        if self.pending:
            self.half = 0
            self._show(_decoded(self.pending, self._encoding))
            self.pending = b""

    def _show(self, text: str) -> None:
        self.sink.text(text.translate(_CONTROLS))


def decode_rich_text(content: bytes, sink: RichTextSink) -> None:
    """Tell a sink what RTF says; ValueError where it is none."""
    if not content[:_HEAD].lstrip(b"\xef\xbb\xbf\r\n\t ").startswith(b"{\\rtf"):
        raise ValueError("not RTF")
    decoder = _Decoder(sink, _is_whole(content, "utf-8"))
    for token in _tokens(content):
        decoder.take(token)
    decoder.end()


def _tokens(content: bytes) -> Iterator[re.Match[bytes]]:
    """Yield the tokens of a file, without the bytes of its pictures."""
    place = 0
    while (token := _TOKEN.match(content, place)) is not None:
        place = token.end()
        if token["word"] == b"bin":
            place += max(int(token["number"] or 0), 0)
        else:
            yield token


def _known(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return _USUAL


def _is_whole(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _decoded(content: bytes, encoding: str) -> str:
    """Return the text of bytes; where they are none of an encoding, in the usual one."""
    for one in (encoding, _USUAL):
        if _is_whole(content, one):
            return content.decode(one)
    return content.decode("latin-1")
