"""Reads and changes comments. Plain functions for a storage thread."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from quire.domain.manuscript.comments import Comment, checked
from quire.services.transactions.book_texts import texts_now
from quire.storage.project_file import ProjectFile
from quire.storage.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class CommentedText:
    """A text with the comments on it, in the order of their words."""

    document_id: int
    title: str
    comments: tuple[Comment, ...]


def comments_in_book(file: ProjectFile) -> tuple[CommentedText, ...]:
    """Return every text with comments: the book in reading order, then notes; nothing from the trash."""
    with file.reading() as unit:
        stored = unit.comments.all()
        nodes = [node for node in unit.manuscript.tree().texts() if node.node_id in stored]
        texts = texts_now(unit, (node.node_id for node in nodes))
    return tuple(
        CommentedText(
            node.node_id,
            " ".join(node.title.split()),
            tuple(checked(one, texts[node.node_id].text) for one in stored[node.node_id]),
        )
        for node in nodes
    )


def comments_of(file: ProjectFile, document_id: int) -> tuple[Comment, ...]:
    """Return the comments on a text."""
    with file.reading() as unit:
        return _comments_now(unit, document_id)


def add(file: ProjectFile, document_id: int, comment: Comment) -> Comment:
    """Store a new comment on a text; return it with its number and the author's name.

    One on words of a draft that are not stored yet keeps its place behind the stored text.
    """
    with file.unit() as unit:
        text = texts_now(unit, [document_id])[document_id].text
        placed = checked(comment, text)
        comment = comment if placed.is_lost and comment.end > len(text) else placed
        author = comment.author or unit.manuscript.project().author
        comment = replace(comment, comment_id=max(_numbers(unit), default=0) + 1, author=author)
        unit.comments.save(document_id, [*unit.comments.of(document_id), comment])
        unit.commit()
    return comment


def change(
    file: ProjectFile, comment_id: int, *, text: str | None = None, resolved: bool | None = None
) -> None:
    """Reword a comment, or resolve it or take that back; None leaves it. Nothing where it is gone."""
    with file.unit() as unit:
        for document_id, one in _everywhere(unit):
            if one.comment_id == comment_id:
                new = replace(
                    one,
                    text=one.text if text is None else text,
                    resolved=one.resolved if resolved is None else resolved,
                )
                _store(unit, document_id, one, new)
                unit.commit()
                return


def delete(file: ProjectFile, comment_id: int) -> tuple[int, Comment] | None:
    """Delete a comment; return which text it was on, and itself. None where it was gone before."""
    with file.unit() as unit:
        for document_id, one in _everywhere(unit):
            if one.comment_id == comment_id:
                _store(unit, document_id, one, None)
                unit.commit()
                return document_id, one
    return None


def put_back(file: ProjectFile, document_id: int, comment: Comment) -> Comment:
    """Store a deleted comment again, at its words in the text as it is now; return it.

    It gets another number where a later comment has got its own.
    """
    with file.unit() as unit:
        comment = checked(comment, texts_now(unit, [document_id])[document_id].text)
        numbers = _numbers(unit)
        if comment.comment_id in numbers:
            comment = replace(comment, comment_id=max(numbers) + 1)
        unit.comments.save(document_id, [*unit.comments.of(document_id), comment])
        unit.commit()
    return comment


def _comments_now(unit: UnitOfWork, document_id: int) -> tuple[Comment, ...]:
    stored = unit.comments.of(document_id)
    if not stored:
        return ()
    text = texts_now(unit, [document_id])[document_id].text
    return tuple(checked(comment, text) for comment in stored)


def _everywhere(unit: UnitOfWork) -> Iterator[tuple[int, Comment]]:
    for document_id, comments in unit.comments.all().items():
        for comment in comments:
            yield document_id, comment


def _numbers(unit: UnitOfWork) -> set[int]:
    return {one.comment_id for _, one in _everywhere(unit)}


def _store(unit: UnitOfWork, document_id: int, old: Comment, new: Comment | None) -> None:
    kept = [one for one in unit.comments.of(document_id) if one.comment_id != old.comment_id]
    unit.comments.save(document_id, kept if new is None else [*kept, new])
