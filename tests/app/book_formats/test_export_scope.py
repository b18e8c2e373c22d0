"""What is exported of a project, and the page that says how it was written."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.book_formats.authorship_page import TITLE, AuthorshipShares, closing_text, with_closing_page
from quire.book_formats.blocks import about_words, title_page
from quire.book_formats.book import book_of_text
from quire.book_formats.export_scope import book_to_export
from quire.book_formats.export_settings import ExportSettings, Format, Numbering, Scope
from quire.book_formats.text_and_markdown import text_file
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.provenance import Origin, Provenance, Span
from quire.domain.manuscript.tree import Node, NodeKind, Tree
from quire.services.transactions.book_texts import BookTexts

NODES = (
    Node(1, NodeKind.BOOK, "The Crossing"),
    Node(2, NodeKind.CHAPTER, "One", 1, 0),
    Node(3, NodeKind.CHAPTER, "Two", 1, 1),
    Node(4, NodeKind.CHAPTER, "Aside", 1, 2, exported=False),
    Node(5, NodeKind.CHARACTER, "Mara"),
)
DRAFTED = Document(3, "Two", "Mara went.").drafted(" Nobody saw her leave.", 1)
DOCUMENTS = {
    2: Document(2, "One", "It rained."),
    3: DRAFTED,
    4: Document(4, "Aside", "Not for you."),
}
TEXTS = BookTexts(Project("The Crossing", datetime.now(UTC)), Tree(NODES), DOCUMENTS)


def said(recipe: ExportSettings, pieces: dict[Scope, Document] | None = None) -> str:
    return text_file(book_to_export(TEXTS, recipe, pieces or {}), recipe).decode()


def plain(**choices: object) -> ExportSettings:
    return ExportSettings(Format.TXT, title_page=False, **choices)  # type: ignore[arg-type]


def test_the_book_is_what_is_chosen() -> None:
    assert " ".join(said(plain()).split()) == "One It rained. Two Mara went. Nobody saw her leave."
    assert said(plain(chosen=(2,))).split() == ["One", "It", "rained."]


def test_a_text_is_exported_with_its_title() -> None:
    assert said(plain(scope=Scope.TEXT), {Scope.TEXT: DRAFTED}).split()[:2] == ["Two", "Mara"]


@pytest.mark.parametrize(
    "piece", [Document(5, "Mara", "She fears water."), Document(4, "Aside", "She fears water.")]
)
def test_a_note_or_what_is_not_in_the_book_can_be_exported_by_itself(piece: Document) -> None:
    assert said(plain(scope=Scope.TEXT), {Scope.TEXT: piece}).strip() == "She fears water."


def test_a_selection_and_a_take_are_what_they_are() -> None:
    for scope in (Scope.SELECTION, Scope.TAKE):
        assert said(plain(scope=scope), {scope: DRAFTED.part(0, 4)}).strip() == "Mara"


def test_a_piece_that_is_not_there_any_more_is_the_book() -> None:
    assert said(plain(scope=Scope.SELECTION)) == said(plain())


def test_the_closing_page_counts_what_is_exported_alone() -> None:
    assert "All 2 words of this text were written by the author." in said(
        plain(chosen=(2,), closing_page=True)
    )
    book = said(plain(closing_page=True, numbering=Numbering.NUMBERS))
    assert TITLE in book
    assert "Chapter 3" not in book
    assert "Of the 8 words of this text, 50% were written by the author, and 50% were drafted" in " ".join(
        book.split()
    )


@pytest.mark.parametrize(
    ("shares", "sentence"),
    [
        (AuthorshipShares(), "There are no words in this text."),
        (AuthorshipShares(7), "All 7 words of this text were written by the author."),
        (AuthorshipShares(0, 5), "Of the 5 words of this text, 100% were drafted with a language model."),
        (
            AuthorshipShares(1, 1000, 999),
            "Of the 2,000 words of this text, less than 1% were written by the author, 50% were drafted with"
            " a language model, and 50% were drafted with a language model and changed by the author.",
        ),
        (
            AuthorshipShares(9_999, 1),
            "Of the 10,000 words of this text, more than 99% were written by the author, and less than 1%"
            " were drafted with a language model.",
        ),
    ],
)
def test_the_closing_page_says_how_much_was_drafted(shares: AuthorshipShares, sentence: str) -> None:
    assert closing_text(shares) == sentence


def test_the_closing_page_is_in_the_language_of_the_book() -> None:
    shares = AuthorshipShares(written=500, drafted=700, edited=3)
    assert closing_text(shares, "de_AT") == (
        "Von den 1.203 Wörtern dieses Textes sind 42\u00a0% von Hand geschrieben, 58\u00a0% mit einem "
        "Sprachmodell entworfen und weniger als 1\u00a0% mit einem Sprachmodell entworfen und von Hand "
        "geändert."
    )
    assert closing_text(shares, "fr") == closing_text(shares, "en")
    book = with_closing_page(book_of_text("Es regnete.", language="de"), shares)
    assert book.chapters[-1].title == "Nachwort"
    assert about_words(12_400, "de") == "Etwa 12.000 Wörter"


def test_the_closing_page_is_the_last_chapter() -> None:
    book = with_closing_page(book_of_text("# One\n\nIt rained.", "The Crossing"), AuthorshipShares(2))
    assert book.chapters[-1].title == TITLE
    assert len(book.chapters) == 2


@given(st.lists(st.sampled_from(Origin), max_size=6))
def test_every_word_has_a_share(origins: list[Origin]) -> None:
    spans = [Span(4, origin, int(origin.has_run)) for origin in origins]
    document = Document(1, "", "one " * len(origins), Provenance(tuple(spans)))
    shares = AuthorshipShares.of([document, document])
    assert shares.total == 2 * len(origins)
    assert shares.drafted == 2 * (origins.count(Origin.DRAFTED) + origins.count(Origin.REWRITTEN))
    assert shares.edited == 2 * origins.count(Origin.EDITED)


def test_the_settings_name_the_author_and_how_to_reach_them() -> None:
    texts = replace(TEXTS, project=replace(TEXTS.project, author="A. Vane"))
    assert book_to_export(texts, ExportSettings(), {}).author == "A. Vane"
    asked = ExportSettings(author=" Anna Vane ", contact="anna@vane.example")
    book = book_to_export(texts, asked, {})
    assert (book.author, book.contact) == ("Anna Vane", "anna@vane.example")
    (_, author, _) = title_page(book, with_length=True)
    assert author.spans[0].text == "Anna Vane\nanna@vane.example"
    assert title_page(book, with_length=False)[1].spans[0].text == "Anna Vane"  # only a manuscript has it
    assert ExportSettings.from_json(asked.to_json()) == asked
