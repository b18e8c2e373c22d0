"""Changes of the tree of the book on the open project."""

from __future__ import annotations

from quire.domain.book_edits import BookEdit, Edited
from quire.domain.manuscript import Document
from quire.services import manuscript_edits
from quire.services.projects import ProjectDesk
from quire.storage.repository import ProjectFile


async def change_book(desk: ProjectDesk, edit: BookEdit) -> Edited:
    """Change what is read as the book; only while no run writes. Another text may be open afterwards."""
    done: list[Edited] = []

    def perform(file: ProjectFile) -> Document:
        edited, document = manuscript_edits.perform_and_open(file, edit, desk.document_id)
        done.append(edited)
        return document

    await desk.change_text(perform)
    desk.arranged(done[0])
    return done[0]


async def note_in_book(desk: ProjectDesk, edit: BookEdit) -> Edited:
    """Change a title, a synopsis, a status: what no model reads, while a run writes too."""
    edited = await desk.write(manuscript_edits.perform, edit)
    desk.arranged(edited)
    return edited
