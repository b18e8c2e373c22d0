"""Reads text files of the writer."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from pathlib import Path

from quire.errors import WriterProblem
from quire.system.short_text_encoding import short_text_encoding

MAX_BYTES = 64 * 2**20
_SAMPLE = 65_536
"""Bytes that tell the encoding of the others."""
_TELLING, _SHORT = 64, 400
"""So many are needed for that; of so few the letters are judged one by one first."""
_MIXED = "quire-mixed"
_ASCII = bytes(range(128))
_CONTROLS, _OF_TWO_BYTES = tuple(bytes([byte]) for byte in (*range(9), *range(14, 26))), 0.3
"""Bytes that no text in single ones has many of; halves of Greek or Russian letters are such."""
_OF_UTF_8 = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_WEST = (
    "äöüß", "àâæçéèêëîïôœùûüÿ", "áéíóúüñª", "ãáàâçéêíóôõúü", "àèéìíîòóùú", "åäöé", "æøåéóò", "áéíóúýþæöð",
    "éëïóöèêü", "àèéíïòóúüç",
)  # fmt: skip
_CENTRE = ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîşţ", "čćđšž")
_LATIN = {
    "cp1252": _WEST,
    "cp1250": _CENTRE,
    "cp1254": ("çğıöşüâîûİ",),
    "cp1257": ("ąčęėįšųūž", "āčēģīķļņšūž", "äöõüšž"),
    "iso8859_2": _CENTRE,
    "mac_roman": _WEST,
    "cp850": _WEST,
}
"""The old encodings of Latin letters, likeliest first, with those of each language besides a to z."""
_SIGNS = frozenset("“”„‘’\u201a\u2039\u203a«»–—…¿¡•·°§©®™€£½¼¾²³ºª\xa0\xad")
_MOST_STRANGE = 0.2
"""Part of the letters and signs that may be of another language."""


def read_text(path: Path, what: str, *, any_encoding: bool = False) -> str:
    """Return a file's text; WriterProblem when it is not text.

    Args:
        what: the word for it in a message.
        any_encoding: take the one that fits, and not only UTF-8.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise WriterProblem(
            "The {what} {path} doesn't exist. Check the name.", path=path, what=what
        ) from None
    except OSError as error:
        raise WriterProblem(
            "The {what} {path} can't be read ({reason}). Choose a text file.",
            what=what,
            path=path,
            reason=error.strerror,
        ) from error
    if any_encoding and len(content) <= MAX_BYTES:
        try:
            return text_of(content)
        except ValueError:
            pass  # the message below says so
    return decoded(content, str(path), what)


def decoded(content: bytes, name: str, what: str) -> str:
    """Return the text of a file's bytes; WriterProblem when they are not text."""
    if len(content) > MAX_BYTES:
        raise WriterProblem(
            "The {what} {name} is larger than 64 MiB. Choose a shorter text.", what=what, name=name
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise WriterProblem(
            "The {what} {name} is not UTF-8 text. Save it as UTF-8 and try again.",
            what=what,
            name=name,
        )
    return text


def text_of(content: bytes, declared: str = "") -> str:
    """Return the text of bytes; see `text_and_encoding`."""
    return text_and_encoding(content, declared)[0]


def text_and_encoding(content: bytes, declared: str = "") -> tuple[str, str]:
    """Return the text of bytes, and the encoding that fits them, or else the one that they declare.

    ValueError where none does; no character is ever replaced.
    """
    # beyond ASCII nothing is UTF-8 by accident, whatever it declares to be
    first = (declared, "utf-8-sig") if content.isascii() else ("utf-8-sig", declared)
    for encoding in (_marked(content), *map(_meant, first)):
        if (text := in_encoding(content, encoding)) is not None:
            return text, encoding
    if (text := _mixed(content)) is not None:
        return text, "utf-8-sig"
    short = short_text_encoding(content) if len(content) < _SHORT else ""
    for encoding in (short, _latin(content)):
        if (text := in_encoding(content, encoding)) is not None:
            return text, encoding
    from charset_normalizer import from_bytes  # slow to load, and needed for old files only

    best = from_bytes(content[:_SAMPLE]).best() if len(content) >= _TELLING else None
    for encoding in ("" if best is None else best.encoding, "cp1252"):
        if (text := in_encoding(content, encoding)) is not None:
            return text, encoding
    raise ValueError("the bytes are in no known encoding")


def _meant(declared: str) -> str:
    """Return the encoding that is meant by a declared one; empty where it can't be true."""
    try:
        name = codecs.lookup(declared).name if declared else ""
    except (LookupError, ValueError):
        return ""
    if name in ("ascii", "iso8859-1"):
        return "cp1252"  # as browsers read it; real Latin-1 has no quotation marks
    return "" if name.startswith(("utf-16", "utf-32")) else name  # nothing declares that in single bytes


def _latin(content: bytes) -> str:
    """Return the old encoding in which all letters are of one language; empty for other scripts."""
    strange = Counter(content.translate(None, _ASCII))
    if not strange or 2 * strange.total() > len(content):
        return ""
    found, fewest = "", _MOST_STRANGE * strange.total()
    for encoding, languages in _LATIN.items():
        try:
            seen = {bytes([byte]).decode(encoding): number for byte, number in strange.items()}
        except UnicodeDecodeError:
            continue
        letters = {character: number for character, number in seen.items() if character not in _SIGNS}
        for language in languages:
            known = frozenset(language + language.upper())
            wrong = sum(number for character, number in letters.items() if character not in known)
            if wrong < fewest:
                found, fewest = encoding, wrong
    return found


def _marked(content: bytes) -> str:
    """Return the encoding that the first bytes tell, or the places of zeros; empty for others."""
    if content.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" not in content and _OF_TWO_BYTES * len(content) > sum(map(content.count, _CONTROLS)):
        return ""
    sample = content[:_SAMPLE]
    for encoding in ("utf-32-le", "utf-32-be"):
        if in_encoding(sample, encoding):
            return encoding
    best = max(("utf-16-le", "utf-16-be"), key=lambda encoding: _likeness(sample, encoding))
    return best if _likeness(sample, best) > _MOST_STRANGE else ""


def _likeness(sample: bytes, encoding: str) -> float:
    """Return which part of the characters are letters of the commonest script, spaces or ASCII signs."""
    text = sample.decode(encoding, "ignore")
    if "\0" in text or "\ufffd" in sample.decode(encoding, "replace")[:-1]:
        return 0.0
    pages = Counter(ord(character) >> 8 for character in text)
    usual = sum(character == " " or character == "\n" or character.isalpha() for character in text)
    common = pages[0] + max((number for page, number in pages.items() if page), default=0)
    return min(usual, max(common, _MOST_STRANGE * len(text) * 2)) / max(len(text), 1)


def _mixed(content: bytes) -> str | None:
    """Return the text of UTF-8 with some characters in Windows-1252, as after pasting; None for others."""
    strange = content.translate(None, _ASCII)
    whole = sum(len(found[0]) for found in _OF_UTF_8.finditer(content))
    if not whole or whole < 4 * (len(strange) - whole):
        return None
    text = content.decode("utf-8-sig", _MIXED)
    return None if "\0" in text else text


def _windows_character(error: UnicodeError) -> tuple[str, int]:
    """Return what one byte that is no UTF-8 stands for."""
    assert isinstance(error, UnicodeDecodeError)
    byte = error.object[error.start : error.start + 1]
    try:
        return byte.decode("cp1252"), error.start + 1
    except UnicodeDecodeError:
        return byte.decode("latin-1"), error.start + 1


codecs.register_error(_MIXED, _windows_character)


def in_encoding(content: bytes, encoding: str) -> str | None:
    """Return the text of bytes in an encoding; None where they are none of it."""
    try:
        text = content.decode(encoding) if encoding else "\0"
    except (LookupError, ValueError):
        return None
    return None if "\0" in text else text
