"""Headings that only their looks make, in files as word processors and web pages write them."""

from __future__ import annotations

from pathlib import Path

import pytest
from docx import Document
from docx.shared import Pt

from quire.book_formats.importer import read_manuscript
from quire.book_formats.importing.formatted_headings import with_formatted_headings

PROSE = "The ferry was late, and nobody on the pier had seen a light. " * 30
TITLES = ("The Ferry", "The Storm", "Afterwards")


def made_in(path: Path) -> list[str]:
    return [piece.title for piece in read_manuscript(path).pieces()]


@pytest.mark.parametrize("look", ["bold", "underline", "italic", "size"])
def test_lines_of_one_look_between_texts_are_headings_of_word(tmp_path: Path, look: str) -> None:
    document = Document()
    for title in TITLES:
        run = document.add_paragraph().add_run(title)
        setattr(run.font, look, Pt(18) if look == "size" else True)
        document.add_paragraph(PROSE)
    document.save(str(tmp_path / "a.docx"))
    assert made_in(tmp_path / "a.docx") == list(TITLES)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p><b>", "</b></p>"),
        ("<p><u>", "</u></p>"),
        ("<p class='chapter-title'>", "</p>"),
        ("<div style='text-align:center; font-size:150%'>", "</div>"),
        ("<p style='font-weight: bold'>", "</p>"),
    ],
)
def test_lines_of_one_look_are_headings_of_web_pages(tmp_path: Path, before: str, after: str) -> None:
    page = "".join(f"{before}{title}{after}<p>{PROSE}</p>" for title in TITLES)
    (tmp_path / "a.html").write_text(page)
    assert made_in(tmp_path / "a.html") == list(TITLES)


def test_a_line_that_reads_as_a_heading_is_one_beside_headings_by_style(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        f"# Prelude\n\n{PROSE}\n\n**Chapter 1**\n\n{PROSE}\n\n**Stop!**\n\n{PROSE}"
    )
    plan = read_manuscript(tmp_path / "a.md")
    assert [piece.title for piece in plan.pieces()] == ["Prelude", "Chapter 1"]
    assert "**Stop!**" in plan.manuscript.text


@pytest.mark.sliced
@pytest.mark.parametrize(
    "lines",
    [
        ["**Stop!**"],
        ["**Stop it,**", "**she said.**", "**And now this;**"],
        ["**a small letter first**", "**and another one**"],
        ["**One** more", "**Two** more"],
        ["**" + "A long line of words " * 6 + "**"] * 3,
        ["*What now?*", "*Who is there?*"],
        ["***", "* * *", "---"],
    ],
)
def test_emphasis_is_no_heading(tmp_path: Path, lines: list[str]) -> None:
    (tmp_path / "a.md").write_text("\n\n".join(f"{PROSE}\n\n{line}" for line in lines) + f"\n\n{PROSE}")
    assert len(made_in(tmp_path / "a.md")) == 1


def test_bold_lines_one_after_another_are_no_chapters() -> None:
    lines = [{"t": "Para", "c": [{"t": "Strong", "c": [f"Line {n}"]}]} for n in range(6)]
    assert with_formatted_headings(lines) == lines


@pytest.mark.parametrize(
    ("front", "title", "author", "kept"),
    [
        ("THE FERRY\n\nby Ann Lee\n\n", "THE FERRY", "Ann Lee", ""),
        ("The Ferry\nA Novel\nby Ann Lee\n\nTo M.\n\n", "The Ferry", "Ann Lee", "A Novel\n\nTo M.\n\n"),
        ("The Ferry\n\nAnn Lee\n\n", "The Ferry", "Ann Lee", ""),
        ("The Ferry\n\n", "The Ferry", "", ""),
        ("It was late.\n\n", "", "", "It was late.\n\n"),
        ("He came home,\n\nas he often did\n\n", "", "", "He came home,\n\nas he often did\n\n"),
    ],
)  # fmt: skip
def test_the_title_page_of_a_text_is_no_chapter(
    tmp_path: Path, front: str, title: str, author: str, kept: str
) -> None:
    book = "CHAPTER I\n\nIt rained.\n\nCHAPTER II\n\nIt stopped.\n"
    (tmp_path / "a.txt").write_text(front + book)
    found = read_manuscript(tmp_path / "a.txt").manuscript
    assert (found.title, found.author, found.text) == (title, author, kept + book)
