"""Comments in exported files: real ones in Word, none anywhere else."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

from quire.book_formats.export_scope import book_to_export
from quire.book_formats.export_settings import ExportSettings, Format, Numbering, Scope
from quire.book_formats.exporter import made
from quire.book_formats.importer import read_manuscript
from quire.book_formats.importing.import_plan import Division, divided
from quire.book_formats.importing.pandoc_reader import Manuscript, manuscript_of
from quire.domain.manuscript.comment_marks import MARK
from quire.domain.manuscript.comments import Comment, anchored
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.tree import Node, NodeKind, Tree
from quire.services.transactions.book_texts import BookTexts
from quire.services.transactions.comment_changes import comments_in_book
from quire.services.transactions.project_creation import create_cut
from quire.storage.project_file import open_project_file

MADE = datetime(2026, 5, 1, 12, 30, tzinfo=UTC)
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
TEXT = (
    "# Harbour\n\nThe *harbour* lay still.\n\n***\n\nNobody spoke. The gulls slept on the **old roofs**"
    " and woke.\n\nThen it rained."
)


def comment(words: str, said: str, text: str = TEXT) -> Comment:
    start = text.index(words)
    blank = Comment(1, 0, 1, "?", said, "Anna Fox", MADE)
    return anchored(blank, text, start, start + len(words))


def texts(*comments: Comment, text: str = TEXT) -> BookTexts:
    tree = Tree([Node(1, NodeKind.BOOK, "The Ferry", None, 0), Node(2, NodeKind.CHAPTER, "Harbour", 1, 0)])
    project = Project("The Ferry", MADE, author="Anna Fox")
    return BookTexts(project, tree, {2: Document(2, "Harbour", text)}, {2: comments})


def word_file(
    book_texts: BookTexts, recipe: ExportSettings | None = None
) -> Mapping[str, ElementTree.Element]:
    """Return the parts of a Word document that hold words and comments."""
    recipe = recipe or ExportSettings(title_page=False, comments=True)
    pieces = {Scope.TEXT: book_texts.documents[2]}
    content = made(book_to_export(book_texts, recipe, pieces), recipe)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert not any(
            MARK.search(archive.read(name).decode("utf-8", "ignore")) for name in archive.namelist()
        )
        return {
            name: ElementTree.fromstring(archive.read(f"word/{name}.xml"))
            for name in ("document", "comments")
        }


def commented(document: ElementTree.Element) -> dict[str, str]:
    """Return the words between the beginning and the end of each comment."""
    found: dict[str, str] = {}
    inside: list[str] = []
    for element in document.iter():
        if element.tag == f"{W}commentRangeStart":
            inside.append(element.attrib[f"{W}id"])
            found[inside[-1]] = ""
        elif element.tag == f"{W}commentRangeEnd":
            inside.remove(element.attrib[f"{W}id"])
        elif element.tag == f"{W}t":
            for number in inside:
                found[number] += element.text or ""
    assert not inside
    return found


def test_word_shows_comments_at_their_words_with_author_and_date() -> None:
    parts = word_file(
        texts(comment("gulls slept", "Do they?\nAsk <Ben> & me."), comment("spoke. The gulls", "Cut?"))
    )
    remarks = list(parts["comments"].iter(f"{W}comment"))
    assert [(one.attrib[f"{W}author"], one.attrib[f"{W}date"]) for one in remarks] == [
        ("Anna Fox", "2026-05-01T12:30:00Z")
    ] * 2
    said = {one.attrib[f"{W}id"]: " ".join(text.text or "" for text in one.iter(f"{W}t")) for one in remarks}
    assert {said[number]: words for number, words in commented(parts["document"]).items()} == {
        "Do they? Ask <Ben> & me.": "gulls slept",
        "Cut?": "spoke. The gulls",
    }
    references = [one.attrib[f"{W}id"] for one in parts["document"].iter(f"{W}commentReference")]
    assert sorted(references) == sorted(said)


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("harbour", "harbour"),  # in italics
        ("*harbour* lay", "harbour lay"),
        ("old", "old"),  # a part of what is bold
        ("Harbour", "The"),  # a heading: the first word below it
        ("# Harbour\n\nThe", "The"),
        ("spoke. The gulls slept on the **old roofs** and woke.\n\nThen", None),  # across paragraphs
        ("still.\n\n***\n\nNobody", None),  # across a scene break
    ],
)
def test_comments_are_on_words_and_leave_what_is_around_them_as_it_is(words: str, shown: str | None) -> None:
    plain, with_comment = word_file(texts()), word_file(texts(comment(words, "Here.")))
    (found,) = commented(with_comment["document"]).values()
    if shown is not None:
        assert found == shown
    text = ["".join(part["document"].itertext()) for part in (plain, with_comment)]
    assert text[0] == text[1]
    bold = [re.sub(r"\s", "", _bold(part["document"])) for part in (plain, with_comment)]
    assert bold[0] == bold[1] == "oldroofs"


def _bold(document: ElementTree.Element) -> str:
    runs = (run for run in document.iter(f"{W}r") if run.find(f"{W}rPr/{W}b") is not None)
    return "".join(text.text or "" for run in runs for text in run.iter(f"{W}t"))


def test_what_is_resolved_lost_or_unticked_is_left_out() -> None:
    open_one, other = comment("gulls", "Here."), comment("rained", "There.")
    kept = word_file(texts(open_one, replace(other, resolved=True), replace(other, end=other.start)))
    assert len(commented(kept["document"])) == 1
    none = word_file(texts(open_one), ExportSettings(title_page=False))
    assert list(none["comments"]) == []
    assert (
        len(
            commented(word_file(texts(open_one), ExportSettings(scope=Scope.TEXT, comments=True))["document"])
        )
        == 1
    )


@pytest.mark.parametrize("kind", [Format.MD, Format.TXT, Format.HTML])
def test_other_formats_have_no_comments(kind: Format) -> None:
    recipe = ExportSettings(kind, comments=True)
    plain, commented_on = texts(), texts(comment("gulls", "Do they?"))
    assert made(book_to_export(commented_on, recipe, {}), recipe) == made(
        book_to_export(plain, recipe, {}), recipe
    )


def test_comments_of_a_word_file_come_along(tmp_path: Path) -> None:
    chapters = "Chapter One\n\nThe *harbour* lay still.\n\nChapter Two\n\nNobody spoke. The gulls slept."
    on_words = comment("gulls slept", "Do they?\nAsk <Ben> & me.", chapters)
    on_heading = comment("Chapter Two", "Rename?", chapters)
    book_texts = texts(comment("harbour", "Where?", chapters), on_heading, on_words, text=chapters)
    recipe = ExportSettings(title_page=False, comments=True)
    (tmp_path / "ferry.docx").write_bytes(made(book_to_export(book_texts, recipe, {}), recipe))
    manuscript = read_manuscript(tmp_path / "ferry.docx").manuscript
    assert not MARK.search(manuscript.text)
    assert [(one.words, one.text, one.author, one.created) for one in manuscript.comments] == [
        ("*harbour*", "Where?", "Anna Fox", MADE),
        ("Nobody", "Rename?", "Anna Fox", MADE),
        ("gulls slept", "Do they?\nAsk <Ben> & me.", "Anna Fox", MADE),
    ]
    pieces = divided(manuscript.text, Division.CHAPTERS)
    create_cut(tmp_path / "ferry.quire", "The Ferry", pieces, comments=manuscript.comments)
    file = open_project_file(tmp_path / "ferry.quire")
    found = comments_in_book(file)
    file.close()
    assert [(text.title, [one.words for one in text.comments]) for text in found] == [
        ("Chapter One", ["*harbour*"]), ("Chapter Two", ["Nobody", "gulls slept"]),
    ]  # fmt: skip
    assert not any(one.is_lost for text in found for one in text.comments)


@pytest.mark.parametrize(
    ("chapter", "on", "numbering", "last"),
    [
        ("# Harbour", "Harbour", Numbering.NUMBERED, "Chapter 1: Harbour"),  # the tree has this title, too
        ("Chapter 12\n\nIt rained.\n\nEpilogue\n\n", "Epilogue", Numbering.KEPT, "Epilogue"),
        ("# The *Ferry*\n\n### Ashore", "Ashore", Numbering.NUMBERED, "Ashore"),
    ],
)
def test_comments_on_a_heading_with_nothing_below_are_on_it_in_word_and_back(
    chapter: str, on: str, numbering: Numbering, last: str, tmp_path: Path
) -> None:
    remarked_on = texts(comment(on, "Rename?", chapter), comment(on[:3], "Why?", chapter), text=chapter)
    recipe = ExportSettings(title_page=False, comments=True, numbering=numbering)
    parts, without = word_file(remarked_on, recipe), word_file(texts(text=chapter), recipe)
    assert "".join(parts["document"].itertext()) == "".join(without["document"].itertext())
    (tmp_path / "ferry.docx").write_bytes(made(book_to_export(remarked_on, recipe, {}), recipe))
    manuscript = read_manuscript(tmp_path / "ferry.docx").manuscript
    assert manuscript.text.rpartition("\n")[2].lstrip("# ") == last
    assert [(one.words, one.text) for one in manuscript.comments] == [(last, "Rename?"), (last, "Why?")]
    assert dict(manuscript.left_out).keys() <= {"running head"}


@pytest.mark.parametrize("part", ["# Part One", "PART ONE"])
def test_comments_on_headings_that_follow_each_other_stay_on_theirs(part: str, tmp_path: Path) -> None:
    chapter = f"{part}\n\n## Ferry\n\n### Ashore\n\nIt rained.\n\n## Sea\n\n### Gulls"
    words = (part.lstrip("# "), "Ferry", "Ashore", "rained", "Sea", "Gulls")
    remarks = [comment(on, f"On {on}", chapter) for on in words]
    recipe = ExportSettings(title_page=False, comments=True, numbering=Numbering.KEPT)
    parts = word_file(texts(*remarks, text=chapter), recipe)
    without = word_file(texts(text=chapter), recipe)
    assert "".join(parts["document"].itertext()) == "".join(without["document"].itertext())
    exported = made(book_to_export(texts(*remarks, text=chapter), recipe, {}), recipe)
    (tmp_path / "ferry.docx").write_bytes(exported)
    found = read_manuscript(tmp_path / "ferry.docx").manuscript.comments
    shown = {one.text.removeprefix("On "): one.words for one in found}
    assert shown == {**{on: on for on in words}, "Ashore": "It"}  # a heading with prose: its first word


def test_a_comment_on_a_heading_with_nothing_below_names_and_numbers_no_chapter_anew() -> None:
    nodes = [
        Node(1, NodeKind.BOOK, "The Ferry", None, 0), Node(2, NodeKind.PART, "Harbour", 1, 0),
        Node(3, NodeKind.CHAPTER, "Harbour", 2, 0), Node(4, NodeKind.SCENE, "Dawn", 3, 0),
    ]  # fmt: skip
    documents = {
        2: Document(2, "Harbour", "# Harbour"), 3: Document(3, "Harbour", ""),
        4: Document(4, "Dawn", "It rained."),
    }  # fmt: skip
    project, tree = Project("The Ferry", MADE, author="Anna Fox"), Tree(nodes)
    on_part: dict[int, tuple[Comment, ...]] = {2: (comment("Harbour", "Rename?", "# Harbour"),)}
    recipe = ExportSettings(title_page=False, comments=True)
    plain, remarked_on = (
        book_to_export(BookTexts(project, tree, documents, comments), recipe, {})
        for comments in ({}, on_part)
    )
    assert [[one.title for one in book.chapters] for book in (plain, remarked_on)] == [[""], [""]]
    assert [one.title for one in plain.parts] == ["Harbour"]
    assert [MARK.sub("", one.title) for one in remarked_on.parts] == ["Harbour"]
    assert [len(MARK.findall(one.title)) for one in remarked_on.parts] == [2]
    assert plain.num_words == remarked_on.num_words == 2


def span(classes: str, words: str = "", **about: str) -> dict[str, object]:
    inside = [{"t": "Str", "c": words}] if words else []
    return {"t": "Span", "c": [["", [classes], [list(one) for one in about.items()]], inside]}


def header(*inlines: object) -> dict[str, object]:
    return {"t": "Header", "c": [1, ["", [], []], list(inlines)]}


def remarked(words: str, said: str, number: str) -> list[dict[str, object]]:
    """Return words with a comment on them."""
    first = span("comment-start", said, id=number, author="Ben", date="no date")
    return [first, {"t": "Str", "c": words}, span("comment-end", id=number)]


def read(*blocks: dict[str, object]) -> Manuscript:
    return manuscript_of(json.dumps({"meta": {}, "blocks": blocks}).encode())


def test_comments_on_a_heading_are_on_what_is_below_and_tracked_changes_are_accepted() -> None:
    words = [span("deletion", "Old"), span("insertion", "New words"), span("comment-end", id="9")]
    manuscript = read(header(*remarked("One", "Rename?", "4")), {"t": "Para", "c": words})
    assert manuscript.text == "# One\n\nNew words"
    assert [(one.words, one.text, one.author) for one in manuscript.comments] == [("New", "Rename?", "Ben")]


def test_comments_on_a_heading_without_text_stay_on_it(tmp_path: Path) -> None:
    manuscript = read(
        header(*remarked("One", "Rename?", "4")), header({"t": "Str", "c": "Two"}),
        {"t": "Para", "c": [{"t": "Str", "c": "It rained."}]}, header(*remarked("The End", "Really?", "5")),
        {"t": "Para", "c": remarked("", "And then?", "6")},
    )  # fmt: skip
    assert manuscript.text == "# One\n\n# Two\n\nIt rained.\n\n# The End"
    assert manuscript.left_out == ()
    found = [("One", "Rename?"), ("The End", "Really?"), ("End", "And then?")]
    assert [(one.words, one.text) for one in manuscript.comments] == found
    pieces = divided(manuscript.text, Division.CHAPTERS)
    create_cut(tmp_path / "rain.quire", "Rain", pieces, comments=manuscript.comments)
    file = open_project_file(tmp_path / "rain.quire")
    stored = comments_in_book(file)
    file.close()
    assert [(text.title, one.words, one.is_lost) for text in stored for one in text.comments] == [
        ("One", "One", False), ("The End", "The End", False), ("The End", "End", False),
    ]  # fmt: skip


def test_private_characters_of_another_text_are_no_comments() -> None:
    book_texts = texts(comment("gulls", "Do they?"))
    nodes = [
        *book_texts.tree.reading_order(),
        Node(1, NodeKind.BOOK, "The Ferry", None, 0),
        Node(3, NodeKind.CHAPTER, "Sea", 1, 1),
    ]
    documents = {**book_texts.documents, 3: Document(3, "Sea", "A \U000f0010 and \U000f0011.")}
    both = replace(book_texts, tree=Tree(nodes), documents=documents)
    recipe = ExportSettings(title_page=False, comments=True)
    with zipfile.ZipFile(io.BytesIO(made(book_to_export(both, recipe, {}), recipe))) as archive:
        content = archive.read("word/document.xml").decode()
    assert "A \U000f0010 and \U000f0011." in content


def _comment_at(number: str, date: str = "") -> list[dict[str, object]]:
    about = [["id", number], ["author", "Ben"], ["date", date]]
    said = [{"t": "Str", "c": f"Note {number}"}]
    return [
        {"t": "Span", "c": [["", ["comment-start"], about], said]},
        {"t": "Span", "c": [["", ["comment-end"], [["id", number]]], []]},
    ]


def test_comments_on_no_words_are_on_the_nearest_word_or_counted() -> None:
    blocks: list[dict[str, object]] = [
        {"t": "Para", "c": _comment_at("1", "0001-01-01T00:00:00Z")},
        {"t": "Para", "c": [{"t": "Str", "c": "It rained "}, *_comment_at("2"), {"t": "Str", "c": "again."}]},
        {"t": "Para", "c": _comment_at("3")},
    ]
    manuscript = read(*blocks)
    assert manuscript.text == "It rained again."
    found = [("Note 1", "It"), ("Note 2", "again."), ("Note 3", "again.")]
    assert [(one.text, one.words) for one in manuscript.comments] == found
    assert manuscript.left_out == ()
    assert manuscript.comments[0].created.year > 2000
    assert read(blocks[0]).left_out == (("comment", 1),)
