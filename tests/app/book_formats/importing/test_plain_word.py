"""No word of a Word or OpenDocument file is lost: an independent reader of its XML is the judge."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.book_formats.importer import read_manuscript
from tests.proofs.app.hostile_documents import docx, odt

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_BOX = (
    "<w:r><mc:AlternateContent xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'>"
    "<mc:Choice Requires='wps'><w:drawing><w:txbxContent><w:p>{0}</w:p></w:txbxContent></w:drawing>"
    "</mc:Choice>"
    "<mc:Fallback><w:pict><w:txbxContent><w:p>{0}</w:p></w:txbxContent></w:pict></mc:Fallback>"
    "</mc:AlternateContent></w:r>"
)
_CONSTRUCTS = (
    "{0}",
    "<w:bdo w:val='rtl'>{0}</w:bdo>",
    "<w:dir w:val='rtl'>{0}</w:dir>",
    "<w:fldSimple w:instr=' TITLE '>{0}</w:fldSimple>",
    "<w:customXml w:element='x'><w:customXmlPr/>{0}</w:customXml>",
    "<w:smartTag w:element='x'>{0}</w:smartTag>",
    "<w:sdt><w:sdtPr/><w:sdtContent>{0}</w:sdtContent></w:sdt>",
    "<w:ins w:id='1' w:author='E'>{0}</w:ins>",
    "<w:moveTo w:id='1' w:author='E'>{0}</w:moveTo>",
    "<w:hyperlink w:anchor='x'>{0}</w:hyperlink>",
    "<w:hyperlink w:tooltip='x'>{0}</w:hyperlink>",
    "<w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>"
    "<w:r><w:fldChar w:fldCharType='separate'/></w:r>{0}<w:r><w:fldChar w:fldCharType='end'/></w:r>",
    _BOX,
)
_GONE = ("<w:del w:id='2' w:author='E'>{0}</w:del>", "<w:moveFrom w:id='2' w:author='E'>{0}</w:moveFrom>")


def run(word: str) -> str:
    return f"<w:r><w:t xml:space='preserve'>{word} </w:t></w:r>"


def words_of(path: Path) -> set[str]:
    """Return the words that a reader of the page sees: of all text nodes but deleted ones."""
    with zipfile.ZipFile(path) as archive:
        root = ElementTree.fromstring(archive.read("word/document.xml"))
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{_W}del", f"{_W}moveFrom"):
                parent.remove(child)
    return {word for node in root.iter(f"{_W}t") for word in (node.text or "").split()}


@given(
    st.lists(
        st.lists(
            st.tuples(st.sampled_from(_CONSTRUCTS), st.sampled_from(_CONSTRUCTS[:-1])), min_size=1, max_size=3
        ),
        min_size=1,
        max_size=4,
    )
)
def test_every_visible_word_of_a_word_file_arrives_once(
    tmp_path_factory: pytest.TempPathFactory, paragraphs: list[list[tuple[str, str]]]
) -> None:
    number, body = 0, ""
    for constructs in paragraphs:
        inner = ""
        for outer, within in constructs:
            number += 1
            inner += outer.format(within.format(run(f"word{number}")))
        body += f"<w:p>{inner}{run(f'end{number}')}</w:p>"
    path = tmp_path_factory.mktemp("word") / "a.docx"
    path.write_bytes(docx(body))
    found = read_manuscript(path).manuscript.text.split()
    assert sorted(found) == sorted(words_of(path))


@pytest.mark.parametrize("gone", _GONE)
def test_deleted_words_stay_away_and_what_is_around_them_stays(tmp_path: Path, gone: str) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(docx(f"<w:p>{run('here')}{gone.format(run('gone'))}{run('there')}</w:p>"))
    assert read_manuscript(path).manuscript.text.split() == ["here", "there"]


@pytest.mark.parametrize(
    ("mark", "text"),
    [
        ("<w:r><w:sym w:font='Wingdings' w:char='F04A'/></w:r>", "A □"),
        ("<w:r><w:sym w:font='Arial' w:char='2665'/></w:r>", "A ♥"),
        ("<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>kan</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r>"
         "</w:rubyBase></w:ruby></w:r>", "A 漢(kan)"),
        ("<w:r><w:t>a</w:t><w:cr/><w:t>b</w:t><w:ptab/><w:t>c</w:t></w:r>", "A a\nb c"),
        (_BOX.format("<w:r><w:t>outer</w:t></w:r>" + _BOX.format("<w:r><w:t>inner</w:t></w:r>")),
         "A\n\nouter\n\ninner"),
    ],
)  # fmt: skip
def test_symbols_and_readings_are_text(tmp_path: Path, mark: str, text: str) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(docx(f"<w:p>{run('A')}{mark}</w:p>"))
    assert read_manuscript(path).manuscript.text.strip() == text


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (
            "a<text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby>b",
            "a漢(kan)b",
        ),
        ("a <text:meta><text:span>b</text:span></text:meta> c", "a b c"),
        ("a <text:meta-field><text:meta>b</text:meta></text:meta-field> c", "a b c"),
    ],
)
def test_marks_around_words_of_an_opendocument_file_leave_the_words(
    tmp_path: Path, inside: str, text: str
) -> None:
    path = tmp_path / "a.odt"
    for body in (
        f"<text:p>{inside}</text:p>",
        f"<text:numbered-paragraph text:level='1'><text:p>{inside}</text:p></text:numbered-paragraph>",
    ):
        path.write_bytes(odt(body))
        assert read_manuscript(path).manuscript.text == text


def test_comments_of_an_opendocument_file_are_said_to_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.odt"
    note = "<office:annotation office:name='1'><text:p>note</text:p></office:annotation>"
    path.write_bytes(odt(f"<text:p>a{note}b<office:annotation-end office:name='1'/>{note}</text:p>"))
    manuscript = read_manuscript(path).manuscript
    assert (manuscript.text, manuscript.left_out) == ("ab", (("comment", 2),))
