"""The style sheets of web pages and of EPUB books."""

from __future__ import annotations

from quire.book_formats.export_settings import ExportStyle
from quire.book_formats.typography import LOOKS, Typography

_BOOK = """body {{ font-family: {fonts}; line-height: {line}; }}
p {{ margin: 0 0 {gap}em; text-indent: {indent}em; {aligned}widows: 2; orphans: 2; }}
p.first, h1 + p, h2 + p, h3 + p, .scene-break + p {{ text-indent: {first}em; }}
h1, h2, h3 {{ font-weight: {weight}; font-size: {heading}em; line-height: 1.25; text-align: center;
    margin: {sink}em 0 2em; page-break-after: avoid; break-after: avoid;
    hyphens: none; -webkit-hyphens: none; }}
h3 {{ font-size: 1em; margin: 2em 0 1em; }}
.scene-break, .scene-break p {{ text-align: center; text-indent: 0; margin: 1.5em 0; }}
.motto, .motto p {{ font-style: italic; text-align: center; text-indent: 0; margin: 1em 2em; }}
.title {{ font-size: {title}em; font-weight: {weight}; line-height: 1.2; text-align: center; text-indent: 0;
    margin: 20% 0 1em; }}
.author, .note {{ text-align: center; text-indent: 0; margin: 1em 0; }}
"""
_PAGE = """:root { color-scheme: light dark; }
body { margin: 0; color: #22201c; background: #fffefb; font-size: 1.125rem; }
main { max-width: 34em; margin: 0 auto; padding: 3rem 1.25rem 6rem; }
p { overflow-wrap: break-word; hanging-punctuation: first allow-end last; text-wrap: pretty; }
h1, h2, h3, .title { text-wrap: balance; }
@media (prefers-color-scheme: dark) { body { color: #dcd6ca; background: #1b1a18; } }
@media print { body { font-size: 11pt; background: none; color: black; }
    h1, h2 { break-before: page; } main { max-width: none; padding: 0; } }
"""


def page_style(look: ExportStyle) -> str:
    """Return the style sheet of a web page."""
    return _filled(LOOKS[look]) + _PAGE


def epub_style(look: ExportStyle) -> str:
    """Return the style sheet of an EPUB book; readers override it, so a plain one sets no font."""
    style = _filled(LOOKS[look])
    if look is not ExportStyle.MANUSCRIPT:
        style = style.partition("\n")[2]  # the font and the line height are the reader's own choice
    return style + "h1, h2 { page-break-before: always; break-before: page; }\nnav ol { list-style: none; }\n"


def _filled(look: Typography) -> str:
    families = ", ".join(f'"{family}"' for family in look.families)
    return _BOOK.format(
        fonts=f"{families}, {look.generic}",
        line=look.line,
        gap=round(look.gap / look.size, 2),
        indent=round(look.indent / look.size, 2),
        first=round(look.indent / look.size, 2) if look.indents_first else 0,
        aligned="text-align: justify; hyphens: auto; -webkit-hyphens: auto; " if look.justified else "",
        weight="normal" if look.running_head else "bold",
        heading=round(look.heading / look.size, 2),
        title=round(1.4 * look.heading / look.size, 2),
        sink=round(look.sink / look.size / 2, 1),
    )
