"""Styles Pandoc's Word documents: our styles, the paper size, headers and page numbers."""

from __future__ import annotations

from datetime import datetime
from xml.sax.saxutils import escape

from quire.book_formats.book import Book
from quire.book_formats.export_settings import ExportSettings
from quire.book_formats.typography import LOOKS, Typography, running_head
from quire.book_formats.zip_rewriter import repacked

_NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def dressed(content: bytes, book: Book, recipe: ExportSettings, made: datetime) -> bytes:
    """Return a Word document in the style of the export settings."""
    look = LOOKS[recipe.look]
    place = "header" if look.running_head else "footer"
    override = f'<Override PartName="/word/{place}1.xml" ContentType="{_TYPE}.{place}+xml"/>'
    relation = f'<Relationship Id="rIdPages" Type="{_RELATION}/{place}" Target="{place}1.xml"/>'
    return repacked(
        content,
        {
            "word/styles.xml": lambda _: _styles(look, book),
            "word/document.xml": lambda text: _with_section(text, _section(look, recipe, place)),
            "word/_rels/document.xml.rels": lambda text: text.replace(
                "</Relationships>", f"{relation}</Relationships>"
            ),
            "[Content_Types].xml": lambda text: text.replace("</Types>", f"{override}</Types>"),
            "docProps/core.xml": lambda _: _core(book, made),
        },
        {f"word/{place}1.xml": _pages(look, book, place).encode()},
        stored="",
    )


def _with_section(text: str, section: str) -> str:
    place = text.rindex("</w:body>")
    start = text.rfind("<w:sectPr", 0, place)
    return text[: start if start >= 0 else place] + section + text[place:]


def _section(look: Typography, recipe: ExportSettings, place: str) -> str:
    width, height = (round(side / 25.4 * 1440) for side in recipe.paper.size_mm)
    margin = _twips(look.margin)
    title = "<w:titlePg/>" if recipe.title_page else ""
    return (
        f'<w:sectPr><w:{place}Reference w:type="default" r:id="rIdPages"/>'
        f'<w:pgSz w:w="{width}" w:h="{height}"/>'
        f'<w:pgMar w:top="{margin}" w:right="{margin}" w:bottom="{margin}" w:left="{margin}"'
        f' w:header="720" w:footer="720" w:gutter="0"/>{title}</w:sectPr>'
    )


def _pages(look: Typography, book: Book, place: str) -> str:
    tag, style = ("hdr", "Header") if place == "header" else ("ftr", "Footer")
    head = running_head(book.author, book.title)
    text = (
        f'<w:r><w:t xml:space="preserve">{escape(head)} / </w:t></w:r>' if look.running_head and head else ""
    )
    number = '<w:fldSimple w:instr=" PAGE "><w:r><w:t>1</w:t></w:r></w:fldSimple>'
    return (
        f'{_DECLARATION}<w:{tag} {_NAMESPACES}><w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>'
        f"{text}{number}</w:p></w:{tag}>"
    )


def _core(book: Book, made: datetime) -> str:
    when = made.strftime("%Y-%m-%dT%H:%M:%SZ")
    stamp = "".join(
        f'<dcterms:{name} xsi:type="dcterms:W3CDTF">{when}</dcterms:{name}>'
        for name in ("created", "modified")
    )
    return (
        f'{_DECLARATION}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/'
        'core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"'
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{escape(book.title)}</dc:title><dc:creator>{escape(book.author)}</dc:creator>"
        f"<dc:language>{escape(book.language)}</dc:language>{stamp}</cp:coreProperties>"
    )


def _styles(look: Typography, book: Book) -> str:
    font = escape(look.families[1 if look.running_head else 0], {'"': "&quot;"})
    first = _twips(look.indent if look.indents_first else 0)
    indent, gap, line = _twips(look.indent), _twips(look.gap), round(240 * look.line)
    justified = '<w:jc w:val="both"/>' if look.justified else ""
    body = f'<w:spacing w:after="{gap}" w:line="{line}" w:lineRule="auto"/>'
    centred = '<w:jc w:val="center"/>'
    tight = '<w:spacing w:after="240" w:line="300" w:lineRule="auto"/>'
    one_line = '<w:spacing w:line="240" w:lineRule="auto"/>'
    bold = "" if look.running_head else "<w:b/><w:bCs/>"
    size = f'<w:sz w:val="{round(2 * look.heading)}"/><w:szCs w:val="{round(2 * look.heading)}"/>'
    large = f'<w:sz w:val="{round(2.8 * look.heading)}"/><w:szCs w:val="{round(2.8 * look.heading)}"/>'
    sink = f'<w:spacing w:before="{_twips(look.sink)}" w:after="480" w:line="300" w:lineRule="auto"/>'
    opening = f"<w:keepNext/><w:pageBreakBefore/>{sink}{centred}"
    styles = (
        _style("BodyText", "Body Text", f'{body}<w:ind w:firstLine="{indent}"/>{justified}'),
        _style("FirstParagraph", "First Paragraph", f'{body}<w:ind w:firstLine="{first}"/>{justified}'),
        _style("Heading1", "heading 1", f'{opening}<w:outlineLvl w:val="0"/>', bold + size),
        _style("Heading2", "heading 2", f'{opening}<w:outlineLvl w:val="1"/>', bold + size),
        _style("Heading3", "heading 3", f'<w:keepNext/>{tight}{centred}<w:outlineLvl w:val="2"/>', bold),
        _style("Title", "Title", f'<w:spacing w:before="4000" w:after="480"/>{centred}', bold + large),
        _style("Author", "Author", f"{tight}{centred}"),
        _style("Date", "Date", f"{tight}{centred}"),
        _style("SceneBreak", "Scene Break", f'<w:spacing w:before="240" w:after="240"/>{centred}'),
        _style("Motto", "Motto", f"{tight}{centred}", "<w:i/><w:iCs/>"),
        _style("Header", "header", f'{one_line}<w:jc w:val="right"/>'),
        _style("Footer", "footer", f"{one_line}{centred}"),
    )
    remark = '<w:rPr><w:sz w:val="20"/><w:szCs w:val="20"/></w:rPr>'
    comments = (
        '<w:style w:type="paragraph" w:styleId="CommentText"><w:name w:val="annotation text"/>'
        f'<w:basedOn w:val="Normal"/>{remark}</w:style>'
        '<w:style w:type="character" w:styleId="CommentReference"><w:name w:val="annotation reference"/>'
        '<w:rPr><w:sz w:val="16"/><w:szCs w:val="16"/></w:rPr></w:style>'
    )
    tongue = escape(book.language, {'"': "&quot;"})
    right = book.runs_right_to_left
    run, paragraph = ("<w:rtl/>", "<w:bidi/>") if right else ("", "")
    script = f' w:bidi="{tongue}"' if right else ""
    return (
        f"{_DECLARATION}<w:styles {_NAMESPACES}><w:docDefaults><w:rPrDefault><w:rPr>"
        f'<w:rFonts w:ascii="{font}" w:hAnsi="{font}" w:eastAsia="{font}" w:cs="{font}"/>'
        f'<w:sz w:val="{round(2 * look.size)}"/><w:szCs w:val="{round(2 * look.size)}"/>'
        f'{run}<w:lang w:val="{tongue}"{script}/></w:rPr></w:rPrDefault>'
        f"<w:pPrDefault><w:pPr>{paragraph}</w:pPr></w:pPrDefault></w:docDefaults>"
        '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
        f"{''.join(styles)}{comments}</w:styles>"
    )


def _style(style_id: str, name: str, paragraph: str, run: str = "") -> str:
    following = "" if style_id == "BodyText" else '<w:next w:val="BodyText"/>'
    return (
        f'<w:style w:type="paragraph" w:styleId="{style_id}"><w:name w:val="{name}"/>'
        f'<w:basedOn w:val="Normal"/>{following}<w:qFormat/><w:pPr>{paragraph}</w:pPr>'
        f"<w:rPr>{run}</w:rPr></w:style>"
    )


def _twips(points: float) -> int:
    return round(20 * points)
