"""What export settings select from a project: the book, chapters of it, or a part of one text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from quire.book_formats.authorship_page import AuthorshipShares, with_closing_page
from quire.book_formats.book import Book, book_of, book_of_text, exported_nodes
from quire.book_formats.export_settings import ExportSettings, Format, Scope
from quire.domain.manuscript.comment_marks import with_marks
from quire.domain.manuscript.comments import Comment
from quire.domain.manuscript.manuscript import Document
from quire.services.transactions.book_texts import BookTexts


def book_to_export(texts: BookTexts, recipe: ExportSettings, pieces: Mapping[Scope, Document]) -> Book:
    """Return the book that export settings select; `pieces` is what else there is to export."""
    piece = pieces.get(recipe.scope)
    if recipe.scope is Scope.BOOK or piece is None:
        marked, comments = _with_comments(texts, texts.documents, recipe)
        book = replace(book_of(texts.project, texts.tree, marked, recipe.chosen), comments=comments)
        nodes = exported_nodes(texts.tree, recipe.chosen)
        documents = [texts.documents[node.node_id] for node in nodes if node.node_id in texts.documents]
    else:
        # in a part of a text, comments have other places
        whole = {piece.document_id: piece} if recipe.scope is Scope.TEXT else {}
        marked, comments = _with_comments(texts, whole, recipe)
        marked_piece = marked.get(piece.document_id, piece)
        book = replace(_book_of_piece(texts, recipe.scope, marked_piece), comments=comments)
        documents = [piece]
    book = replace(book, author=recipe.author.strip() or book.author, contact=recipe.contact.strip())
    return with_closing_page(book, AuthorshipShares.of(documents)) if recipe.closing_page else book


def _with_comments(
    texts: BookTexts, documents: Mapping[int, Document], recipe: ExportSettings
) -> tuple[dict[int, Document], tuple[Comment, ...]]:
    """Return texts with marks for their comments where the format has any."""
    wanted = texts.comments if recipe.comments and recipe.format is Format.DOCX else {}
    return with_marks(documents, wanted)


def _book_of_piece(texts: BookTexts, scope: Scope, piece: Document) -> Book:
    project = texts.project
    if scope is Scope.TEXT:
        book = book_of(project, texts.tree, {piece.document_id: piece})
        if book.chapters:  # a note, or a chapter that is not part of the book, is none of it
            return book
    title = " ".join(piece.title.split()) or project.title
    return book_of_text(piece.text, title, project.author, project.language)
