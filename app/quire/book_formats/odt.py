"""Styles Pandoc's OpenDocument texts: our styles, paper, headers and page numbers."""

from __future__ import annotations

from datetime import datetime
from xml.sax.saxutils import escape, quoteattr

from quire.book_formats.book import Book
from quire.book_formats.export_settings import ExportSettings
from quire.book_formats.typography import LOOKS, Typography, running_head
from quire.book_formats.zip_rewriter import repacked

_NAMESPACES = " ".join(
    f'xmlns:{name}="{uri}"'
    for name, uri in {
        "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
        "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
        "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
        "fo": "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
        "svg": "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
        "meta": "urn:oasis:names:tc:opendocument:xmlns:meta:1.0",
        "dc": "http://purl.org/dc/elements/1.1/",
    }.items()
)
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_CENTRED = 'fo:text-align="center" '


def dressed(content: bytes, book: Book, recipe: ExportSettings, made: datetime) -> bytes:
    """Return an OpenDocument text in the style of the export settings."""
    return repacked(
        content,
        {"styles.xml": lambda _: _styles(book, recipe), "meta.xml": lambda _: _meta(book, made)},
    )


def _meta(book: Book, made: datetime) -> str:
    when = made.strftime("%Y-%m-%dT%H:%M:%SZ")
    return (
        f'{_DECLARATION}<office:document-meta {_NAMESPACES} office:version="1.3"><office:meta>'
        f"<dc:title>{escape(book.title)}</dc:title><meta:initial-creator>{escape(book.author)}"
        f"</meta:initial-creator><dc:creator>{escape(book.author)}</dc:creator>"
        f"<meta:creation-date>{when}</meta:creation-date><dc:date>{when}</dc:date>"
        f"<dc:language>{escape(book.language)}</dc:language></office:meta></office:document-meta>"
    )


def _styles(book: Book, recipe: ExportSettings) -> str:
    look = LOOKS[recipe.look]
    font = look.families[1 if look.running_head else 0]
    pitch = "fixed" if look.running_head else "variable"
    return (
        f'{_DECLARATION}<office:document-styles {_NAMESPACES} office:version="1.3">'
        f'<office:font-face-decls><style:font-face style:name="Book" svg:font-family={quoteattr(repr(font))}'
        f' style:font-pitch="{pitch}"/></office:font-face-decls><office:styles>'
        f"{_default(look, book)}{''.join(_paragraph_styles(look))}</office:styles>"
        f"<office:automatic-styles>{_layout(look, recipe)}</office:automatic-styles>"
        f"<office:master-styles>{_masters(look, book)}</office:master-styles></office:document-styles>"
    )


def _default(look: Typography, book: Book) -> str:
    tongue, _, country = book.language.partition("-")
    mode = ' style:writing-mode="rl-tb"' if book.runs_right_to_left else ""
    return (
        '<style:default-style style:family="paragraph"><style:paragraph-properties fo:orphans="2"'
        f' fo:widows="2"{mode}/><style:text-properties style:font-name="Book" fo:font-size="{look.size}pt"'
        f" fo:language={quoteattr(tongue)} fo:country={quoteattr(country or 'none')}/></style:default-style>"
    )


def _paragraph_styles(look: Typography) -> list[str]:
    line = f'fo:line-height="{round(100 * look.line)}%" '
    body = f'{line}fo:margin-bottom="{look.gap}pt" ' + ('fo:text-align="justify" ' if look.justified else "")
    first = look.indent if look.indents_first else 0
    bold = "" if look.running_head else 'fo:font-weight="bold" '
    opening = f'{_CENTRED}fo:break-before="page" fo:keep-with-next="always" fo:margin-bottom="24pt" '
    opening += f'fo:margin-top="{look.sink}pt" '
    heading = f'{bold}fo:font-size="{look.heading}pt"'
    air = f'{_CENTRED}fo:margin-top="12pt" fo:margin-bottom="12pt" '
    title = f'{_CENTRED}fo:margin-top="200pt" fo:margin-bottom="24pt" '
    return [
        _style("Standard", "", ""),
        _style("Text body", f'{body}fo:text-indent="{look.indent}pt"', ""),
        _style("First paragraph", f'{body}fo:text-indent="{first}pt"', ""),
        _style("Heading 1", opening, heading, level=1),
        _style("Heading 2", opening, heading, level=2),
        _style("Heading 3", air, bold, level=3),
        _style("Title", title, f'{bold}fo:font-size="{1.4 * look.heading:.1f}pt"', master="First"),
        _style("Author", air, ""),
        _style("Date", air, ""),
        _style("SceneBreak", air, ""),
        _style("Motto", air, 'fo:font-style="italic"'),
        _style("Header", 'fo:text-align="end"', ""),
        _style("Footer", _CENTRED, ""),
        '<style:style style:name="Emphasis" style:family="text"><style:text-properties'
        ' fo:font-style="italic"/></style:style>',
        '<style:style style:name="Strong_20_Emphasis" style:display-name="Strong Emphasis"'
        ' style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>',
    ]


def _style(name: str, paragraph: str, text: str, level: int = 0, master: str = "") -> str:
    outline = f' style:default-outline-level="{level}"' if level else ""
    page = f' style:master-page-name="{master}"' if master else ""
    parent = "" if name == "Standard" else ' style:parent-style-name="Standard"'
    return (
        f'<style:style style:name="{name.replace(" ", "_20_")}" style:display-name="{name}"'
        f' style:family="paragraph"{parent}{outline}{page}>'
        f"<style:paragraph-properties {paragraph}/><style:text-properties {text}/></style:style>"
    )


def _layout(look: Typography, recipe: ExportSettings) -> str:
    width, height = recipe.paper.size_mm
    area = "header" if look.running_head else "footer"
    gap = "bottom" if look.running_head else "top"
    page = (
        f'<style:page-layout-properties fo:page-width="{width}mm" fo:page-height="{height}mm"'
        f' fo:margin="{look.margin}pt" style:print-orientation="portrait"/>'
    )
    band = (
        f'<style:{area}-style><style:header-footer-properties fo:min-height="12pt" fo:margin-{gap}="12pt"/>'
        f"</style:{area}-style>"
    )
    return (
        f'<style:page-layout style:name="Page">{page}{band}</style:page-layout>'
        f'<style:page-layout style:name="Bare">{page}</style:page-layout>'
    )


def _masters(look: Typography, book: Book) -> str:
    head = running_head(book.author, book.title)
    number = '<text:page-number text:select-page="current">1</text:page-number>'
    if look.running_head:
        text = f"{escape(head)} / " if head else ""
        band = f'<style:header><text:p text:style-name="Header">{text}{number}</text:p></style:header>'
    else:
        band = f'<style:footer><text:p text:style-name="Footer">{number}</text:p></style:footer>'
    return (
        f'<style:master-page style:name="Standard" style:page-layout-name="Page">{band}</style:master-page>'
        '<style:master-page style:name="First" style:page-layout-name="Bare"'
        ' style:next-style-name="Standard"/>'
    )
