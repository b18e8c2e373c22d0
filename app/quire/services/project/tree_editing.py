"""Edits of the tree of the open project."""

from __future__ import annotations

from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.tree_requests import BookEdit
from quire.services.project.project_session import ProjectSession
from quire.services.transactions import project_text, tree_changes
from quire.services.transactions.split_and_merge import Edited
from quire.storage.project_file import ProjectFile


async def change_book(session: ProjectSession, edit: BookEdit) -> Edited:
    """Change the book's text; only while no run writes. Another text may be open afterwards."""
    done: list[Edited] = []

    def perform(file: ProjectFile) -> Document:
        edited, document = tree_changes.perform_and_open(file, edit, session.document_id)
        done.append(edited)
        return document

    await session.change_text(perform)
    session.arranged(done[0])
    return done[0]


async def rename_heading(session: ProjectSession, document_id: int, old: str, new: str) -> None:
    """Give the heading of a text that is not open the new title, too; only while no run writes."""

    def perform(file: ProjectFile) -> Document:
        tree_changes.rename_heading(file, document_id, old, new)
        return project_text.read_document(file, session.document_id)

    await session.change_text(perform)


async def note_in_book(session: ProjectSession, edit: BookEdit) -> Edited:
    """Change a title, a synopsis or a status: no text that a run writes, so allowed while one does."""
    edited = await session.write(tree_changes.perform, edit)
    session.arranged(edited)
    return edited
