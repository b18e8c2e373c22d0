"""The text that is measured while a draft grows: what the window's charts and the command both watch."""

from __future__ import annotations

from dataclasses import dataclass

from quire.domain.drafting.run import Run
from quire.domain.manuscript.manuscript import Document
from quire.services.project.project_session import ProjectSession
from quire.storage.project_file import ProjectFile


@dataclass(frozen=True, slots=True)
class RunPages:
    """Consecutive texts, each with its separator from the next.

    Attributes:
        start: where the run begins.
        pages: where each begins in the whole, and its number.
    """

    text: str
    pages: tuple[tuple[int, int], ...]
    start: int


async def drafted_text(session: ProjectSession, run: Run | None) -> RunPages:
    """Return the open text, with the other texts that a run wrote into. run: None where none is resumed."""
    if run is None or not run.started:
        return pages_of(0, [session.document])
    return await session.read(run_pages, run.run_id, session.document)


def run_pages(file: ProjectFile, run_id: int, open_text: Document) -> RunPages:
    """Return the texts that hold words of a run, in reading order; `open_text` is as it is now."""
    with file.reading() as unit:
        order = [node.node_id for node in unit.manuscript.tree().reading_order()]
        if open_text.document_id not in order:
            order = [open_text.document_id]
        texts = [
            open_text if number == open_text.document_id else unit.manuscript.document(number)
            for number in order
        ]
    return pages_of(run_id, [text for text in texts if _start_in(run_id, text) is not None] or [open_text])


def pages_of(run_id: int, texts: list[Document]) -> RunPages:
    """Return texts as one."""
    whole, pages = "", list[tuple[int, int]]()
    for text in texts:
        pages.append((len(whole), text.document_id))
        whole += text.text
    start = _start_in(run_id, texts[0])
    return RunPages(whole, tuple(pages), len(texts[0].text) if start is None else start)


def _start_in(run_id: int, document: Document) -> int | None:
    at = 0
    for span in document.provenance.spans:
        if run_id and span.run_id == run_id:
            return at
        at += span.length
    return None
