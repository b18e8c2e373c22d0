"""A small book in a real project file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.provenance import Origin, Provenance
from quire.domain.manuscript.takes import Take
from quire.domain.manuscript.tree import Node, NodeKind
from quire.storage.project_file import ProjectFile, create_project_file
from quire_engine.api.config import SamplingConfig

HARBOUR, BOOK, LETTERS, STORM, FERRY, MARA = range(1, 7)
HARBOUR_TEXT = "The harbour lay still.\n\nNobody spoke. The gulls slept on the roofs.\n\nThen it rained."
TEXTS = {
    HARBOUR: HARBOUR_TEXT,
    LETTERS: "A letter came.",
    STORM: "The storm began at night.",
    FERRY: "They took the ferry.",
    MARA: "She fears water.",
}


def make_book(path: Path) -> None:
    """Write the book: three chapters, one with a scene, and a character."""
    more = [
        (Node(LETTERS, NodeKind.CHAPTER, "Letters", BOOK, 3), Document(LETTERS, "Letters", TEXTS[LETTERS])),
        (Node(STORM, NodeKind.SCENE, "Storm", LETTERS, 4), Document(STORM, "Storm", TEXTS[STORM])),
        (Node(FERRY, NodeKind.CHAPTER, "Ferry", BOOK, 5), Document(FERRY, "Ferry", TEXTS[FERRY])),
        (Node(MARA, NodeKind.CHARACTER, "Mara", None, 6), Document(MARA, "Mara", TEXTS[MARA])),
    ]
    first = Document(HARBOUR, "Harbour", HARBOUR_TEXT)
    create_project_file(path, Project("The Crossing", datetime.now(UTC)), first, more)


def add_run(
    file: ProjectFile, run_id: int, document_id: int, text: str = "", take_id: int | None = None
) -> Run:
    """Store a run at rest; text: what it drafted at the end of a text."""
    run = Run(
        run_id, document_id, SamplingConfig(), 50, "", "", RunState.PAUSED, num_prompt=2, take_id=take_id
    )
    with file.unit() as unit:
        unit.runs.save_prompt(run, (1, 2))
        if text:
            chunk = Chunk((7, 8), text, 2, 1, 1.0)
            run = run.grown_by(chunk)
            unit.runs.append(run, chunk)
            unit.runs.mark_folded(run_id)
            unit.manuscript.save(unit.manuscript.document(document_id).drafted(text, run_id))
        unit.commit()
    return run


def texts_of(file: ProjectFile) -> dict[str, str]:
    """Return every text by title, in reading order."""
    with file.reading() as unit:
        order = unit.manuscript.tree().reading_order()
        return {node.title: unit.manuscript.document(node.node_id).text for node in order}


def dump(file: ProjectFile) -> dict[str, object]:
    """Return everything in a project that an edit could touch; texts and runs checked on the way."""
    with file.reading() as unit:
        nodes = sorted(unit.manuscript.tree().nodes, key=lambda node: node.node_id)
        documents = {
            node.node_id: unit.manuscript.document(node.node_id) for node in nodes if node.kind.has_text
        }
        takes = {number: unit.takes.of(number).all for number in documents}
        aside = {
            take.take_id: unit.takes.text(take.take_id)
            for found in takes.values()
            for take in found
            if not take.stands
        }
        unit.runs.verify()
        return {
            "nodes": nodes,
            "documents": documents,
            "takes": {number: [_without_times(take) for take in found] for number, found in takes.items()},
            "aside": {number: (text.text, text.provenance) for number, text in aside.items()},
            "runs": unit.runs.all(),
            "snapshots": [(one.title, one.document_ids) for one in unit.snapshots.all()],
            "goals": unit.records.goals(),
        }


def drafted(text: str, run_id: int) -> Provenance:
    """Return the provenance of a text that a run drafted."""
    return Provenance.of(len(text), Origin.DRAFTED, run_id)


def _without_times(take: Take) -> tuple[int, int, int | None, int, bool]:
    return take.take_id, take.document_id, take.parent_id, take.place, take.stands
