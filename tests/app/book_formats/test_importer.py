from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from docx import Document
from hypothesis import given, settings
from hypothesis import strategies as st

from quire.book_formats.book import book_of_text
from quire.book_formats.export_settings import ExportSettings, Format
from quire.book_formats.exporter import made
from quire.book_formats.importer import read_manuscript
from quire.book_formats.importing import import_plan
from quire.book_formats.importing.import_plan import Division, PreviewPiece, divided
from quire.book_formats.importing.pandoc_reader import Manuscript, manuscript_of
from quire.domain.manuscript.tree import NodeKind
from quire.errors import WriterProblem
from quire.system.text_file import MAX_BYTES

TEXT = "# Part One\n\n## Dawn\n\nIt rained.\n\n* * *\n\nIt stopped at last.\n\n## Dusk\n\nThe end."


def read(path: Path, content: str) -> Manuscript:
    path.write_text(content, encoding="utf-8")
    return read_manuscript(path).manuscript


def tree(*blocks: dict[str, Any], **meta: Any) -> bytes:
    return json.dumps({"blocks": blocks, "meta": meta}).encode()


def test_text_is_taken_as_it_stands(tmp_path: Path) -> None:
    assert read(tmp_path / "a.txt", "One\r\ntwo *three*\n") == Manuscript("", "", "One\ntwo *three*\n")


def test_markdown_of_other_programs_becomes_a_manuscript(tmp_path: Path) -> None:
    manuscript = read(
        tmp_path / "a.md",
        "---\ntitle: The *Ferry*\nauthor:\n- Ann\n- Bo\n---\n\nPart One\n========\n\nDawn\n----\n\n"
        "It _rained_ and __rained__\nall [day](http://a.b) <i>long</i>.![p](c.png)[^1]\n\n---\n\n"
        "- a\n- b\n\n> c\n\n\\# d\n\n<p>raw &amp; <b>cooked</b></p>\n\n[^1]: note\n",
    )
    assert manuscript == Manuscript(
        "The Ferry",
        "Ann, Bo",
        "# Part One\n\n## Dawn\n\nIt *rained* and **rained** all day *long*.\n\n* * *\n\n- a\n\n- b\n\nc"
        "\n\n\\# d\n\nraw & **cooked**",
        (("note", 1), ("picture", 1)),
        left_out_text="p\n\nnote",
    )


@pytest.mark.sliced
@pytest.mark.parametrize(
    ("head", "title", "author", "rest"),
    [
        ("# The *Ferry*\n\nby Anna Fox\n\n", "The Ferry", "Anna Fox", ""),
        ("# Die Fähre\n*von Anna Fox*\n\n", "Die Fähre", "Anna Fox", ""),
        ("# The Ferry\n\n", "", "", "# The Ferry\n\n"),  # it may be a part
        ("# The Ferry\n\nby the river they met.\n\n", "", "", "# The Ferry\n\nby the river they met.\n\n"),
        ("# The Ferry\n\nby Jean-Luc O’Brien de la Mare\n\n", "The Ferry", "Jean-Luc O’Brien de la Mare", ""),
        *(
            (f"# The Ferry\n\n{line}\n\n", "", "", f"# The Ferry\n\n{line}\n\n")
            for line in (
                "By and by he slept",
                "By God, I said “no”",
                "By now it was 7",
                "Von nun an war alles anders",
                "By God – no",
                "By The Time It Rained Anna Slept",
            )
        ),
        ("# One\n\nby Anna Fox\n\n# Two\n\n", "", "", "# One\n\nby Anna Fox\n\n# Two\n\n"),
    ],
)
def test_a_lone_heading_with_its_author_is_the_title_of_markdown(
    tmp_path: Path, head: str, title: str, author: str, rest: str
) -> None:
    chapters = "## Dawn\n\nIt rained.\n\n## Dusk\n\nThe end."
    assert read(tmp_path / "a.md", head + chapters) == Manuscript(title, author, rest + chapters)


def test_word_documents_of_other_programs_become_a_manuscript(tmp_path: Path) -> None:
    document = Document()
    document.add_paragraph("The Ferry", style="Title")
    document.add_heading("Dawn", 1).runs[0].italic = True
    paragraph = document.add_paragraph("It ")
    paragraph.add_run("rained ").italic = True
    paragraph.add_run("and").underline = True
    paragraph.add_run(" rained").bold = True
    paragraph.add_run("\tall\u00a0day.")
    document.add_paragraph("***").runs[0].bold = True
    document.add_paragraph("")
    document.add_paragraph("5 * 3 * 2, *so*")
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "left", "right"
    path = tmp_path / "a.docx"
    document.save(str(path))
    manuscript = read_manuscript(path).manuscript
    assert manuscript.title == "The Ferry"
    assert manuscript.text == (
        "# Dawn\n\nIt *rained* *and* **rained** all\u00a0day.\n\n* * *\n\n"
        "5 \\* 3 \\* 2, \\*so\\*\n\nleft\n\nright"
    )
    assert manuscript.left_out == (("table", 1),)


def test_comments_stay_on_their_words_without_the_title_page(tmp_path: Path) -> None:
    document = Document()
    document.core_properties.title, document.core_properties.author = "The Ferry", "Ann Fox"
    first = document.add_paragraph().add_run("The Ferry")
    document.add_paragraph("Ann Fox")
    document.add_paragraph("About 80,000 words")
    paragraph = document.add_paragraph("It rained ")
    word = paragraph.add_run("hard")
    paragraph.add_run(" all day.")
    document.add_comment(first, "A fine title", "Ed")
    document.add_comment(word, "How hard?", "Ed")
    path = tmp_path / "a.docx"
    document.save(str(path))
    manuscript = read_manuscript(path).manuscript
    assert manuscript.text == "It rained hard all day."
    assert [(one.words, one.text) for one in manuscript.comments] == [
        ("It", "A fine title"), ("hard", "How hard?"),
    ]  # fmt: skip


def test_the_preview_shows_what_would_be_made(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(TEXT)
    plan = read_manuscript(path)
    assert (plan.path, plan.manuscript) == (path, Manuscript("", "", TEXT))
    assert plan.title == "a"
    assert plan.pieces() == (
        PreviewPiece(NodeKind.PART, "Part One", 2),
        PreviewPiece(NodeKind.CHAPTER, "Dawn", 7),
        PreviewPiece(NodeKind.CHAPTER, "Dusk", 3),
    )
    assert plan.pieces(Division.SCENES)[2] == PreviewPiece(NodeKind.SCENE, "It stopped at last.", 4)
    assert plan.pieces(Division.WHOLE) == (PreviewPiece(NodeKind.CHAPTER, "", 12),)


@pytest.mark.parametrize("division", Division)
def test_division_loses_nothing(division: Division) -> None:
    assert "".join(piece.text for piece in import_plan.divided(TEXT, division)) == TEXT


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.txt", b"", "There is no text in a.txt"),
        ("a.txt", b"\xff\xfe\0", "Save it as UTF-8 and try again"),
        ("a.md", b"\0", "Save it as UTF-8 and try again"),
        ("a.md", b"![](a.png)\n", "There is no text in a.md"),
    ],
)
def test_a_file_without_text_ends_in_a_sentence(name: str, content: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(WriterProblem, match=says):
        read_manuscript(tmp_path / name)


def test_a_missing_file_and_a_folder_end_in_sentences(tmp_path: Path) -> None:
    with pytest.raises(WriterProblem, match="doesn't exist"):
        read_manuscript(tmp_path / "no.docx")
    with pytest.raises(WriterProblem, match="can't be read"):
        read_manuscript(tmp_path)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(WriterProblem, match="larger than 64 MiB"):
        read_manuscript(path)


@settings(deadline=None)
@given(st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(
    st.sampled_from(["t", "c", "blocks", "meta"]), inner | st.sampled_from(["Para", "Str", "Header", "Table"])
)))  # fmt: skip
def test_no_tree_ends_in_another_error(value: Any) -> None:
    for document in (value, {"blocks": value, "meta": {}}, {"blocks": [value], "meta": {"title": value}}):
        try:
            manuscript_of(json.dumps(document).encode())
        except ValueError:
            continue


def test_a_deep_tree_ends_in_a_sentence() -> None:
    block: dict[str, Any] = {"t": "Para", "c": []}
    for _ in range(400):
        block = {"t": "BlockQuote", "c": [block]}
    assert manuscript_of(tree(block)).text == ""
    deep = (
        b'{"blocks": ' + b'[{"t": "BlockQuote", "c": ' * 100_000 + b"0" + b"}]" * 100_000 + b', "meta": {}}'
    )
    with pytest.raises(ValueError, match="not a document tree"):
        manuscript_of(deep)


def test_quotes_notes_and_formulas() -> None:
    words: list[dict[str, Any]] = [
        {"t": "Quoted", "c": [{"t": "DoubleQuote"}, [{"t": "Str", "c": "a"}]]},
        {"t": "Math", "c": [{"t": "InlineMath"}, "x^2"]},
        {"t": "Note", "c": []},
        {"t": "SmallCaps", "c": [{"t": "Str", "c": "b"}]},
    ]
    assert manuscript_of(tree({"t": "Para", "c": words})) == Manuscript("", "", "“a”x^2b", (("note", 1),))


def test_text_in_a_span_is_kept() -> None:
    span = {"t": "Span", "c": [["", ["x"], []], [{"t": "Str", "c": "b"}, {"t": "Space"}]]}
    words = [{"t": "Str", "c": "a"}, {"t": "Space"}, span, {"t": "Str", "c": "c"}]
    assert manuscript_of(tree({"t": "Para", "c": words})).text == "a b c"


def test_a_heading_may_end_with_hashes_and_may_be_too_long() -> None:
    def heading(text: str) -> dict[str, Any]:
        return {"t": "Header", "c": [5, ["", [], []], [{"t": "Str", "c": text}]]}

    assert manuscript_of(tree(heading("C#"), heading(" "))).text == "### C# #"
    assert manuscript_of(tree(heading("a" * 500))).text == "a" * 500


@pytest.mark.sliced
@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("a.txt", "The café.".encode("utf-16"), "The café."),
        ("a.txt", "The café.".encode("cp1252"), "The café."),
        ("a.html", b"<title>T</title><p>The <i>tide</i>.</p>", "The *tide*."),
        ("a.rtf", rb"{\rtf1\ansi The tide.\par}", "The tide."),
        ("a.md", b"---\nIt: was: [dark\n---\n\nEnd.\n", "* * *\n\nIt: was: [dark\n\n* * *\n\nEnd."),
        ("a.md", b"He read <Hidden Quest>.\n", "He read <Hidden Quest>."),
        (
            "a.md",
            b"> [Ship]: Warning.\n\n[ship]: Halt!\n\nEnd.\n",
            "[Ship]: Warning.\n\n[ship]: Halt!\n\nEnd.",
        ),
        ("a.md", b"See [the map][m].\n\n[M]: http://a.b\n\n[//]: # (no)\n", "See the map."),
        ("a.md", b"End.\n\n[^1]: A note.\n", "End.\n\n[^1]: A note."),
    ],
)
def test_texts_come_as_they_are(name: str, content: bytes, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert read_manuscript(path).manuscript.text.strip() == text


@pytest.mark.parametrize(
    ("rich", "text"),
    [
        (r"Sulaco\u8212?the town", "Sulaco—the town"),
        (r"Sulaco\u8212-the town \u8220\'93Go\u8221\'94", "Sulaco—the town “Go”"),
        (r"\uc0\u8220 Go\u8221  on", "“Go” on"),
        (r"{\uc2\u228 ae}x\u228?y", "äxäy"),
        (r"a\u55357?\u56832?b\u-10179?\u-8704?c", "a😀b😀c"),
        (r"a\u57344?b", "a\ue000b"),
        ("a\\u8212\r\n?b", "a—b"),
        (r"{\b a\u8212?b} \{c\}", r"**a—b** {c}"),
    ],
)
def test_no_character_of_rich_text_is_lost(tmp_path: Path, rich: str, text: str) -> None:
    assert read(tmp_path / "a.rtf", rf"{{\rtf1\ansi {rich}\par}}").text == text


@pytest.mark.parametrize("kind", [Format.HTML, Format.RTF, Format.TXT], ids=lambda kind: str(kind.value))
def test_what_is_exported_with_a_title_page_is_read_without_it(tmp_path: Path, kind: Format) -> None:
    story = "CHAPTER I\n\nSulaco—the town—“lay” 😀 there.\n\nCHAPTER II\n\nIt rained."
    path = tmp_path / f"a.{kind.value}"
    path.write_bytes(made(book_of_text(story, "Nostromo", "Joseph Conrad", "en"), ExportSettings(kind)))
    found = read_manuscript(path).manuscript
    assert (found.title, found.author) == ("Nostromo", "Joseph Conrad")
    assert [piece.title for piece in divided(found.text, Division.CHAPTERS)] == ["CHAPTER I", "CHAPTER II"]
    assert "Sulaco—the town—“lay” 😀 there." in found.text
