"""The manual: its pages and how to search them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from quire_resources import ROOT

MANUAL = ROOT / "manual"
LINK = "manual:"
"""Prefix of a link to another page, followed by its name."""
_FILE = re.compile(r"\d+-(?P<name>[a-z-]+)\.md")
_MARKUP = re.compile(r"\[(?P<shown>[^\]]*)\]\([^)]*\)|[*`#|>]|^-+\|.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ManualPage:
    """One page.

    Attributes:
        name: its name in links.
        title: its title.
        text: its content in Markdown.
    """

    name: str
    title: str
    text: str

    @property
    def plain_text(self) -> str:
        """Return approximately what a reader sees, good enough for searching."""
        shown = _MARKUP.sub(lambda found: found["shown"] or "", self.text)
        return " ".join(shown.split())


@cache
def manual_pages() -> tuple[ManualPage, ...]:
    """Return the pages in the order of their files."""
    return tuple(
        page_of(found["name"], path.read_text(encoding="utf-8"))
        for path in sorted(MANUAL.glob("*.md"))
        if (found := _FILE.fullmatch(path.name))
    )


def page_of(name: str, text: str) -> ManualPage:
    """Return a page whose first line is the title."""
    first = text.partition("\n")[0]
    return ManualPage(name, first.lstrip("#").strip(), text)


def pages_with(pages: Sequence[ManualPage], query: str) -> tuple[ManualPage, ...]:
    """Return the pages that contain every word of a query, those with it in the title first."""
    words = query.casefold().split()
    found = [page for page in pages if all(word in page.plain_text.casefold() for word in words)]
    return tuple(sorted(found, key=lambda page: not any(word in page.title.casefold() for word in words)))
