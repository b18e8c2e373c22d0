from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.book_formats.importer import read_manuscript
from quire.book_formats.importing import safe_archive
from quire.book_formats.importing.epub_reader import epub_manuscript
from quire.book_formats.importing.pandoc_reader import Manuscript
from tests.proofs.app.hostile_documents import epub, packed

_OPF = "http://www.idpf.org/2007/opf"
_DC = "http://purl.org/dc/elements/1.1/"


def read(page: str | bytes) -> Manuscript:
    return epub_manuscript(epub(page))


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<h1>One</h1><p>It <i>rained</i>\n all <b>day</b>.</p>", "# One\n\nIt *rained* all **day**."),
        ("<h4>Deep</h4><p>a<br/>b</p>", "### Deep\n\na\nb"),
        ("<div>a<p>b</p>c</div>", "a\n\nb\n\nc"),
        ("<p>a</p><hr/><p>b</p>", "a\n\n* * *\n\nb"),
        ("<p>a</p><p>***</p><p>b</p>", "a\n\n* * *\n\nb"),
        ("<p><i>a</p><p>b</i></p>", "*a*\n\nb"),
        ("<ul><li>a</li><li>b</li></ul>", "- a\n\n- b"),
        ("<dl><dt>a</dt><dd>b</dd></dl>", "a\n\nb"),
        ("<p>a<q>b</q>&nbsp;&amp; &#8212;</p>", "a“b”\xa0& —"),
        ("<p>a<sup>b</sup><span class='x'>c</span><a href='d'>d</a></p>", "abcd"),
        ("<pre>a\n  b</pre><p>c\n  d</p>", "a\nb\n\nc d"),
        ("<html><head><title>No</title><style>no</style></head><body>a</body></html>", "a"),
        ("<script>no()</script><title/><p>a</p>", "a"),
        ("<html><head><title>No<body><p>a</p></body></html>", "a"),
        ("<p>a <![CDATA[b < c]]> d</p>", "a b < c d"),
        ("<p>5 *3* 2</p>", "5 \\*3\\* 2"),
        ("<section epub:type='titlepage'><h1>No</h1></section><p>a</p>", "a"),
        ("<nav epub:type='toc'><ol><li>No<nav>no</nav></li></ol></nav><p>a</p>", "a"),
    ],
)
def test_a_page_becomes_text(page: str, text: str) -> None:
    assert read(page).text == text


def test_what_is_no_text_is_counted() -> None:
    page = (
        "<p>a<img src='a.png'/><a epub:type='noteref' href='#n'>1</a></p><svg><text>no</text></svg>"
        "<figure><img src='b.png'/><figcaption>A boat</figcaption></figure>"
        "<table><tr><td>b</td><td>c</td></tr></table>"
        "<aside epub:type='footnote' id='n'><p>See</p> above.</aside>"
        "<nav epub:type='toc'><ol><li>One</li><li>Two</li></ol></nav>"
    )
    found = read(page)
    assert found.text == "a\n\nA boat\n\nb\n\nc"
    assert found.left_out == (("note", 1), ("picture", 3), ("table", 1), ("table of contents", 1))
    assert found.left_out_text == "no\n\nSee\nabove.\n\nOne\nTwo"


def test_what_ruby_says_is_set_apart_from_its_words() -> None:
    assert read("<p><ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>だ</p>").text == "漢字(かんじ)だ"


def test_notes_without_references_are_counted_too() -> None:
    page = "<p>a</p><section role='doc-endnotes'><li>c</li></section>"
    assert read(page + "<aside role='doc-footnote'>b</aside>" * 2).left_out == (("note", 2),)


def test_pages_come_in_the_order_of_the_spine() -> None:
    files = {
        "a": ("a%20b.xhtml", "application/xhtml+xml"),
        "b": ("../b.xhtml", "application/xhtml+xml"),
        "c": ("c.xhtml", "application/xhtml+xml"),
        "d": ("d.svg", "image/svg+xml"),
    }
    items = "".join(
        f'<item id="{name}" href="{href}" media-type="{kind}"/>' for name, (href, kind) in files.items()
    )
    spine = "".join(f'<itemref idref="{name}" linear="{"no" if name == "c" else "yes"}"/>' for name in "bcad")
    package = (
        f'<package xmlns="{_OPF}" xmlns:dc="{_DC}"><metadata><dc:title> The  Ferry </dc:title>'
        "<dc:creator>Ann</dc:creator><dc:creator>Bo</dc:creator></metadata><manifest>"
        f'<item id="e" properties="cover-image"/>{items}</manifest><spine>{spine}</spine></package>'
    )
    members = {
        "META-INF/container.xml": "<container xmlns='urn:c'><rootfile full-path='in/b.opf'/></container>",
        "in/b.opf": package,
        "in/a b.xhtml": "<p>second</p>",
        "b.xhtml": "<p>first</p>",
    }
    assert epub_manuscript(packed(members)) == Manuscript(
        "The Ferry", "Ann, Bo", "first\n\nsecond", (("picture", 2),)
    )


def test_old_encodings_are_read() -> None:
    assert read('<?xml version="1.0" encoding="ISO-8859-1"?><p>\xe9</p>'.encode("latin-1")).text == "é"
    assert read("\ufeff<p>é</p>".encode()).text == "é"
    assert read(b"<p>a\xff</p>").text == "a\xff"  # no character is replaced
    quoted = '<?xml version="1.0" encoding="ISO-8859-1"?><p>“It’s late”—now…</p>'
    assert read(quoted.encode("cp1252")).text == "“It’s late”—now…"


def test_a_page_in_utf_16_is_read_whatever_it_says_of_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.epub"
    path.write_bytes(epub('<head><meta charset="utf-16"/></head><p>Où</p>'.encode("utf-16")))
    assert read_manuscript(path).manuscript.text == "Où"


@pytest.mark.sliced
@pytest.mark.parametrize("name", ["a.xht", "a", "a.page", "a.xml"])
@pytest.mark.parametrize("kind", ["application/xhtml+xml", "application/xml", "text/plain"])
def test_pages_may_have_any_name_and_any_type(tmp_path: Path, name: str, kind: str) -> None:
    with zipfile.ZipFile(io.BytesIO(epub("", href=name))) as archive:
        members = {one: archive.read(one) for one in archive.namelist()}
    members["b.opf"] = members["b.opf"].replace(b"application/xhtml+xml", kind.encode())
    members[name] = b"\n<p>a</p>"
    path = tmp_path / "a.epub"
    path.write_bytes(packed(members))
    assert read_manuscript(path).manuscript.text == "a"


@pytest.mark.parametrize("missing", ["META-INF/container.xml", "b.opf", "a.xhtml"])
def test_a_missing_part_is_no_empty_book(missing: str) -> None:
    with zipfile.ZipFile(io.BytesIO(epub("<p>a</p>"))) as archive:
        members = {name: archive.read(name) for name in archive.namelist() if name != missing}
    with pytest.raises(ValueError, match="not an EPUB"):
        epub_manuscript(packed(members))


def test_deep_tags_cost_nothing(tmp_path: Path) -> None:
    page = "<div><em>" * 50_000 + "a" + "</em></div>" * 50_000
    path = tmp_path / "a.epub"
    path.write_bytes(epub(page))
    assert read_manuscript(path).manuscript.text == "*a*"


@given(st.text(alphabet='<>/&#;!-[]?"= abpi1\n', max_size=200))
def test_no_page_ends_in_another_error(page: str) -> None:
    archive = safe_archive.opened(epub(f"<p>a</p>{page}"))
    assert epub_manuscript(archive.content).text.startswith("a")
