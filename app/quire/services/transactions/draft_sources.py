"""Where drafts of a project come from, and where they may go. Plain functions for a storage thread."""

from __future__ import annotations

from collections.abc import Iterable

from quire.domain.drafting.draft_place import DraftPlaces, places_in
from quire.domain.text_quality.source_spans import RunPasses, RunStretches, pass_stretches, passes_of
from quire.storage.project_file import ProjectFile


def run_stretches(file: ProjectFile, run_ids: Iterable[int]) -> dict[int, RunStretches]:
    """Return what runs wrote, by who proposed it."""
    with file.reading() as unit:
        runs = {
            run_id: RunPasses(unit.runs.text(run_id), passes_of(unit.runs.steps(run_id)))
            for run_id in run_ids
        }
    return {run_id: pass_stretches(run) for run_id, run in runs.items()}


def draft_places(file: ProjectFile, open_id: int) -> DraftPlaces:
    """Return where a draft may continue while a text is open."""
    with file.reading() as unit:
        return places_in(unit.manuscript.tree(), open_id, unit.manuscript.written_ids())


def book_in_order(file: ProjectFile) -> list[tuple[int, str, str]]:
    """Return every text of the book in reading order: its number, its title and itself."""
    with file.reading() as unit:
        order = unit.manuscript.tree().reading_order()
        return [(node.node_id, node.title, unit.manuscript.document(node.node_id).text) for node in order]
