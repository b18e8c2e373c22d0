"""Tells the tags of HTML from words that people put into angle brackets, as games show them."""

from __future__ import annotations

import re
from html import unescape

_TAG = re.compile(r"<[^<>]*>")
_REAL_TAG = re.compile(
    r"""</?([A-Za-z][A-Za-z0-9]*)"""
    r"""(?:\s+(?:[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+)|hidden|open|checked|disabled|reversed))*\s*/?>"""
)
_SAID = re.compile(r"""\s(?:alt|title)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""", re.IGNORECASE)
_TAG_WORDS = (
    "a abbr acronym address article aside audio b bdi bdo big blockquote body br button caption"
    " center cite code col colgroup data dd del details dfn div dl dt em embed fieldset figcaption"
    " figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label"
    " legend li link main map mark meta nav noscript object ol option p picture pre q rp rt ruby s"
    " samp script section select small source span strike strong style sub summary sup svg table tbody"
    " td template textarea tfoot th thead time title tr tt u ul var video wbr"
)
_TAG_NAMES = frozenset(_TAG_WORDS.split())


def has_other_brackets(text: str) -> bool:
    """Return whether words in brackets are no tags."""
    return any(map(_words_in_brackets, _TAG.finditer(text)))


def without_tags(text: str, instead: str = " ") -> str:
    """Return text with other words instead of its tags; words in brackets that are no tags stay."""
    return _TAG.sub(lambda tag: _words_in_brackets(tag) or instead, text)


def said_by_tag(tag: str) -> str:
    """Return the words in a tag's attributes: its title, and the alternative text of a picture."""
    return "\n".join(dict.fromkeys(unescape("".join(found)).strip() for found in _SAID.findall(tag)))


def _words_in_brackets(tag: re.Match[str]) -> str:
    """Return words in angle brackets that are no tag, as games show them; empty for a tag."""
    found = _REAL_TAG.fullmatch(tag[0])
    is_tag = tag[0].startswith(("<!", "<?")) or (
        found is not None and found[1].lower() in _TAG_NAMES and (found[1].islower() or found[1].isupper())
    )
    return "" if is_tag else tag[0]
