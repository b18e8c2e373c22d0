"""Every format, opened by readers that are not ours."""

from __future__ import annotations

import io
import posixpath
import zipfile
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from docx import Document
from docx.document import Document as WordDocument
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.styles.style import ParagraphStyle
from docx.text.parfmt import ParagraphFormat
from hypothesis import given, settings
from pypdf import PdfReader
from pytestqt.qtbot import QtBot

from quire.book_formats import pandoc
from quire.book_formats.book import Book, book_of_text
from quire.book_formats.export_settings import (
    ExportSettings,
    ExportStyle,
    Format,
    Numbering,
    Paper,
    Separator,
)
from quire.book_formats.exporter import made
from quire.book_formats.paragraphs import Paragraph, plain
from quire.book_formats.work_progress import WorkProgress
from tests.app.book_formats.novels import book_of_paragraphs, hostile_paragraphs, novel

TEXT = (
    "# Part One\n\n## Chapter 1: Dawn & <Dusk>\n\nIt *rained*, **hard** and\nfor long.\n\nIt stopped."
    "\n\n* * *\n\nAgain.\n\n## Chapter 2\n\nThe end."
)
_XHTML = "{http://www.w3.org/1999/xhtml}"
_OPF = "{http://www.idpf.org/2007/opf}"
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@lru_cache
def small() -> Book:
    return book_of_text(TEXT, "The <Salt> Road", "Ann Lee", "en-GB")


def test_plain_text_has_the_words_alone() -> None:
    text = made(small(), ExportSettings(Format.TXT, separator=Separator.ASTERISM)).decode()
    assert text == (
        "The <Salt> Road\n\nAnn Lee\n\n\n\nPart One\n\n\n\nChapter 1: Dawn & <Dusk>\n\nIt rained, hard "
        "and\nfor long.\n\nIt stopped.\n\n⁂\n\nAgain.\n\n\n\nChapter 2\n\nThe end.\n"
    )


def test_markdown_is_quieted_where_it_would_mean_something() -> None:
    book = book_of_text(
        "# A\n\n1. [a](b) <b> &amp; \\_c\\_ `d` ~e~\n\n- f\n\n> g\n\nun*h*i\n\n*“j”*", "It's", "B"
    )
    text = made(book, ExportSettings(Format.MD)).decode()
    assert text.startswith("---\ntitle: 'It''s'\nauthor: 'B'\nlang: 'en'\n---\n\n# A\n\n")
    assert "1\\. \\[a\\](b) \\<b> \\&amp; \\_c\\_ \\`d\\` \\~e\\~\n\n\\- f\n\n\\> g\n\n" in text
    assert text.endswith("un<em>h</em>i\n\n*“j”*\n")


class _Page(HTMLParser):
    """Notes what stands where in a page."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "style", "onload")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.append((self.open[-1], data))


@pytest.mark.parametrize("look", ExportStyle)
def test_a_web_page_is_whole_and_loads_nothing(look: ExportStyle) -> None:
    page = _Page()
    page.feed(made(small(), ExportSettings(Format.HTML, look)).decode())
    page.close()
    assert page.open == []
    assert page.links == []
    assert set(page.tags) <= {
        "html", "head", "meta", "title", "style", "body", "main", "header", "p", "h1", "h2", "em", "strong",
        "br",
    }  # fmt: skip
    assert ("title", "The <Salt> Road") in page.texts
    assert ("h2", "Chapter 1: Dawn & <Dusk>") in page.texts
    assert ("em", "rained") in page.texts
    assert ("strong", "hard") in page.texts
    style = next(data for tag, data in page.texts if tag == "style")
    assert "url(" not in style
    assert "@import" not in style


@settings(deadline=None, max_examples=60)
@given(hostile_paragraphs())
def test_no_text_is_taken_for_html(paragraph: Paragraph) -> None:
    page = _Page()
    book = book_of_paragraphs([paragraph])
    page.feed(made(book, ExportSettings(Format.HTML, title_page=False)).decode())
    page.close()
    words = "".join(data for tag, data in page.texts if tag in ("p", "em", "strong"))
    assert words.replace("\n", "").split() == plain(paragraph).replace("\n", "").split()


def test_word_manuscripts_follow_the_standard_format() -> None:
    recipe = ExportSettings(
        Format.DOCX, ExportStyle.MANUSCRIPT, paper=Paper.LETTER, numbering=Numbering.NUMBERED
    )
    document = Document(io.BytesIO(made(small(), recipe)))
    styled = [(one.style.name, one.text) for one in document.paragraphs if one.style is not None]
    assert styled == [
        ("Title", "The <Salt> Road"),
        ("Author", "Ann Lee"),
        ("Date", "About 100 words"),
        ("Heading 1", "Part One"),
        ("Heading 2", "Chapter 1: Dawn & <Dusk>"),
        ("First Paragraph", "It rained, hard and\nfor long."),
        ("Body Text", "It stopped."),
        ("Scene Break", "* * *"),
        ("First Paragraph", "Again."),
        ("Heading 2", "Chapter 2"),
        ("First Paragraph", "The end."),
    ]
    runs = {run.text: (run.italic, run.bold) for run in document.paragraphs[5].runs}
    assert runs["rained"] == (True, None)
    assert runs["hard"] == (None, True)
    section = document.sections[0]
    assert section.page_width is not None
    assert round(section.page_width.inches, 2) == 8.5
    assert [round(side.inches, 2) for side in (section.left_margin, section.top_margin) if side] == [1.0, 1.0]
    assert section.header.paragraphs[0].text == "Lee / THE <SALT> ROAD / "
    assert [one.get(f"{_WORD}instr") for one in section.header._element.iter(f"{_WORD}fldSimple")] == [
        " PAGE "
    ]
    assert section.different_first_page_header_footer
    body, heading = _paragraph_format(document, "Body Text"), _paragraph_format(document, "Heading 2")
    assert body.line_spacing == 2.0
    assert body.first_line_indent is not None
    assert body.first_line_indent.inches == 0.5
    assert heading.page_break_before
    assert heading.alignment is WD_ALIGN_PARAGRAPH.CENTER
    assert document.core_properties.title == "The <Salt> Road"
    assert document.core_properties.author == "Ann Lee"


def _paragraph_format(document: WordDocument, name: str) -> ParagraphFormat:
    style = document.styles[name]
    assert isinstance(style, ParagraphStyle)
    form: ParagraphFormat = style.paragraph_format
    return form


@pytest.mark.parametrize("kind", [Format.DOCX, Format.ODT, Format.EPUB])
@pytest.mark.parametrize("look", ExportStyle)
def test_every_member_of_an_archive_can_be_parsed(kind: Format, look: ExportStyle) -> None:
    book = book_of_text(TEXT, "“T” & <i>'\"", "A'\"<>&", 'x"<&')
    with zipfile.ZipFile(io.BytesIO(made(book, ExportSettings(kind, look)))) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert len(names) == len(set(names))
        for name in names:
            if name.endswith((".xml", ".rels", ".xhtml", ".opf", ".ncx", ".rdf")):
                ElementTree.fromstring(archive.read(name))


def test_word_documents_name_every_part_they_have() -> None:
    with zipfile.ZipFile(io.BytesIO(made(small(), ExportSettings(Format.DOCX)))) as archive:
        types = ElementTree.fromstring(archive.read("[Content_Types].xml"))
        named = {part.get("PartName", "")[1:] for part in types if part.get("PartName")}
        assert named <= set(archive.namelist())
        styles = ElementTree.fromstring(archive.read("word/styles.xml"))
        known = {style.get(f"{_WORD}styleId") for style in styles}
        text = ElementTree.fromstring(archive.read("word/document.xml"))
        used = {style.get(f"{_WORD}val") for style in text.iter(f"{_WORD}pStyle")}
        assert used <= known


def test_open_documents_use_only_styles_that_they_have() -> None:
    with zipfile.ZipFile(io.BytesIO(made(small(), ExportSettings(Format.ODT)))) as archive:
        assert archive.namelist()[0] == "mimetype"
        assert archive.getinfo("mimetype").compress_type == zipfile.ZIP_STORED
        style = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
        known = {
            one.get(f"{style}name")
            for name in ("styles.xml", "content.xml")
            for one in ElementTree.fromstring(archive.read(name)).iter(f"{style}style")
        }
        text = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
        used = [
            one.get(f"{text}style-name")
            for tag in ("p", "h", "span")
            for one in ElementTree.fromstring(archive.read("content.xml")).iter(f"{text}{tag}")
        ]
        assert set(used) <= known
        assert {"Title", "Author", "Date", "Heading_20_1", "SceneBreak", "First_20_paragraph"} <= set(used)


@pytest.mark.parametrize("title_page", [True, False])
def test_an_epub_is_one_that_shops_take(title_page: bool) -> None:
    content = made(novel(6000), ExportSettings(Format.EPUB, ExportStyle.EBOOK, title_page=title_page))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        first = archive.infolist()[0]
        assert (first.filename, first.compress_type, first.extra) == ("mimetype", zipfile.ZIP_STORED, b"")
        assert archive.read("mimetype") == b"application/epub+zip"
        container = ElementTree.fromstring(archive.read("META-INF/container.xml"))
        (root,) = container.iter("{urn:oasis:names:tc:opendocument:xmlns:container}rootfile")
        opf = root.get("full-path", "")
        package = ElementTree.fromstring(archive.read(opf))
        folder = posixpath.dirname(opf)
        items = {
            item.get("id"): posixpath.join(folder, item.get("href", ""))
            for item in package.iter(f"{_OPF}item")
        }
        inside = {name for name in archive.namelist() if not name.startswith(("META-INF/", "mimetype"))}
        assert set(items.values()) | {opf} == inside
        spine = [items[one.get("idref")] for one in package.iter(f"{_OPF}itemref")]
        pages = {name: ElementTree.fromstring(archive.read(name)) for name in spine}
        headings = [one for page in pages.values() for one in page.iter(f"{_XHTML}h2")]
        assert len(headings) == len(novel(6000).chapters)
        assert any("titlepage" in name or "title_page" in name for name in spine) is title_page
        _check_targets(archive, items, folder)
        assert b"1970" not in archive.read(opf)
        assert not [name for name in archive.namelist() if name.endswith((".ttf", ".otf", ".woff", ".woff2"))]


def _check_targets(archive: zipfile.ZipFile, items: dict[str | None, str], folder: str) -> None:
    """Check that the table of contents leads somewhere, and that pages load only what is there."""
    nav = ElementTree.fromstring(archive.read(posixpath.join(folder, "nav.xhtml")))
    targets = [one.get("href", "") for one in nav.iter(f"{_XHTML}a")]
    assert len(targets) >= 4
    for target in targets:
        name, _, anchor = target.partition("#")
        page = ElementTree.fromstring(archive.read(posixpath.join(folder, name)))
        assert not anchor or any(one.get("id") == anchor for one in page.iter())
    for name in items.values():
        if name.endswith(".xhtml"):
            page = ElementTree.fromstring(archive.read(name))
            for link in page.iter(f"{_XHTML}link"):
                there = posixpath.normpath(posixpath.join(posixpath.dirname(name), link.get("href", "")))
                assert there in items.values()
            assert not list(page.iter(f"{_XHTML}img"))
            assert not list(page.iter(f"{_XHTML}script"))


def test_an_epub_keeps_its_identifier() -> None:
    found = []
    for _ in range(2):
        with zipfile.ZipFile(io.BytesIO(made(small(), ExportSettings(Format.EPUB)))) as archive:
            package = ElementTree.fromstring(archive.read("EPUB/content.opf"))
            assert b"Courier" not in archive.read("EPUB/styles/stylesheet1.css")  # never typewritten
            found.append([one.text for one in package.iter("{http://purl.org/dc/elements/1.1/}identifier")])
    assert found[0] == found[1]
    assert str(found[0][0]).startswith("urn:uuid:")


def test_a_pdf_manuscript_has_pages_with_running_heads(qtbot: QtBot) -> None:
    reader = PdfReader(
        io.BytesIO(made(small(), ExportSettings(Format.PDF, ExportStyle.MANUSCRIPT, paper=Paper.LETTER)))
    )
    texts = [" ".join(page.extract_text().split()) for page in reader.pages]
    assert len(texts) == 4
    assert "The <Salt> Road" in texts[0]
    assert "Ann Lee" in texts[0]
    assert "About 100 words" in texts[0]
    assert "Lee / THE" not in texts[0]
    assert "Part One" in texts[1]
    assert "Lee / THE <SALT> ROAD / 1" in texts[1]
    assert "Chapter 1: Dawn & <Dusk>" in texts[2]
    assert "It rained, hard and for long." in texts[2].replace(" ,", ",")
    assert "The end." in texts[3]
    assert "Lee / THE <SALT> ROAD / 3" in texts[3]
    box = reader.pages[0].mediabox
    assert [round(float(side)) for side in (box.width, box.height)] == [612, 792]
    assert reader.metadata is not None
    assert reader.metadata.title == "The <Salt> Road"


def test_a_pdf_is_made_on_another_thread(qtbot: QtBot) -> None:
    recipe = ExportSettings(Format.PDF, ExportStyle.EBOOK)
    with ThreadPoolExecutor(1) as threads:
        content = threads.submit(made, small(), recipe).result()
    assert len(PdfReader(io.BytesIO(content)).pages) == 4


def test_a_pdf_has_every_word(qtbot: QtBot) -> None:
    book = book_of_text(
        "\n\n".join(f"## Chapter {one}\n\n{'Rain fell here. ' * 900}" for one in range(1, 4)), "R"
    )
    reader = PdfReader(
        io.BytesIO(made(book, ExportSettings(Format.PDF, ExportStyle.EBOOK, title_page=False)))
    )
    text = " ".join(page.extract_text() for page in reader.pages)
    assert text.count("Rain") == 2700
    assert len(reader.pages) > 6
    numbers = [page.extract_text().split()[-1] for page in reader.pages]
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]


def test_rich_text_reads_back_as_the_same_paragraphs() -> None:
    content = made(small(), ExportSettings(Format.RTF, separator=Separator.ASTERISM))
    assert content.startswith(b"{\\rtf1")
    read = pandoc.converted(
        ["-f", "rtf", "-t", "plain", "--wrap=none"], content, WorkProgress(), limit_s=60
    ).decode()
    for line in ("The <Salt> Road", "Ann Lee", "Chapter 1: Dawn & <Dusk>", "It stopped.", "⁂", "The end."):
        assert line in read.splitlines(), line


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (Format.DOCX, b"<w:bidi/>"),
        (Format.ODT, b'style:writing-mode="rl-tb"'),
        (Format.EPUB, b'page-progression-direction="rtl"'),
        (Format.HTML, b'dir="rtl"'),
    ],
)
def test_only_a_hebrew_book_runs_from_right_to_left(kind: Format, says: bytes) -> None:
    for language, is_so in (("he", True), ("en", False)):
        content = made(book_of_text("# A\n\nb", "T", "A", language), ExportSettings(kind))
        if content.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                content = b"".join(map(archive.read, archive.namelist()))
        assert (says in content) == is_so
