"""The measures of the three styles, in units that every format understands."""

from __future__ import annotations

from dataclasses import dataclass

from quire.book_formats.export_settings import ExportStyle


@dataclass(frozen=True, slots=True)
class Typography:
    """The measures of a style.

    Attributes:
        families: fonts, the best first.
        line: a multiple of the font's; sizes and gaps are in points.
        indent: of paragraphs below others.
        gap: between paragraphs.
        sink: above the title of a chapter.
        running_head: author, title and page at the top, as manuscripts have them, instead of a page number
            below.
    """

    families: tuple[str, ...]
    generic: str
    size: float
    line: float
    indent: float
    gap: float
    heading: float
    sink: float
    margin: float
    justified: bool
    running_head: bool
    indents_first: bool


_COURIER = ("Courier Prime", "Courier New", "Nimbus Mono PS", "Liberation Mono", "DejaVu Sans Mono")
_SERIF = ("Georgia", "Charter", "Literata", "Noto Serif", "DejaVu Serif")

LOOKS = {
    ExportStyle.MANUSCRIPT: Typography(_COURIER, "monospace", 12, 2.0, 36, 0, 12, 168, 72, False, True, True),
    ExportStyle.EBOOK: Typography(_SERIF, "serif", 11, 1.4, 18, 0, 20, 96, 72, True, False, False),
    ExportStyle.PLAIN: Typography(_SERIF, "serif", 11, 1.3, 0, 8, 16, 24, 72, False, False, False),
}


def running_head(author: str, title: str) -> str:
    """Return the running head of a manuscript, without the page number."""
    surname = author.split()[-1] if author.split() else ""
    return " / ".join(part for part in (surname, title.upper()) if part)
