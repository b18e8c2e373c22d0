"""What is written to the project together or not at all. Plain functions; they run on the storage thread."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from quire.domain.manuscript import Document, Project, digest_of
from quire.domain.run import Chunk, Run, RunState
from quire.storage.repository import ProjectFile, UnitOfWork


@dataclass(frozen=True, slots=True)
class Opened:
    """A project as it is when it is opened, with what a run that was cut off had stored.

    recovered_words: how many words that added to the text; recovered_at: when they were stored last.
    """

    project: Project
    document: Document
    runs: tuple[Run, ...]
    recovered_words: int
    recovered_at: datetime | None


def read(file: ProjectFile) -> Opened:
    """Read a project without writing to it."""
    with file.unit() as unit:
        return _look(unit)[0]


def open_and_recover(file: ProjectFile) -> Opened:
    """Read a project; what a run that was cut off had stored becomes part of the text for good."""
    with file.unit() as unit:
        opened, recovered = _look(unit)
        if recovered:
            unit.manuscript.save_text(opened.document.document_id, opened.document.text)
            for run in recovered:
                unit.runs.save(run)
                unit.runs.mark_folded(run.run_id)
            unit.commit()
    return opened


def save_text(file: ProjectFile, document_id: int, text: str) -> None:
    """Store the text as the writer left it."""
    with file.unit() as unit:
        unit.manuscript.save_text(document_id, text)
        unit.commit()


def save_run(file: ProjectFile, run: Run) -> None:
    """Store where a run stands."""
    with file.unit() as unit:
        unit.runs.save(run)
        unit.commit()


def append(file: ProjectFile, run: Run, chunk: Chunk) -> None:
    """Store what a run generated last; run carries the counters as they are with it."""
    with file.unit() as unit:
        unit.runs.append(run, chunk)
        unit.commit()


def fold(file: ProjectFile, run: Run, chunk: Chunk | None) -> tuple[Run, str]:
    """Make what a run generated part of the text and store how the run ended; return both as stored.

    chunk: what was not stored before; run already counts it.
    """
    with file.unit() as unit:
        if chunk is not None:
            unit.runs.append(run, chunk)
        text = unit.manuscript.document().text + _unfolded_text(unit, run)
        run = replace(run, end_digest=digest_of(text))
        unit.manuscript.save_text(run.document_id, text)
        unit.runs.save(run)
        unit.runs.mark_folded(run.run_id)
        unit.commit()
    return run, text


def token_ids(file: ProjectFile, run_id: int) -> tuple[int, ...]:
    """Return every generated token of a run."""
    with file.unit() as unit:
        return unit.runs.token_ids(run_id)


def _look(unit: UnitOfWork) -> tuple[Opened, tuple[Run, ...]]:
    """Return the project as it will be once the runs that were cut off are recovered, and these runs."""
    document = unit.manuscript.document()
    runs, recovered = [], []
    words, stored_at = 0, None
    for run in unit.runs.all():
        if run.state is not RunState.RUNNING:
            runs.append(run)
            continue
        document = replace(document, text=document.text + _unfolded_text(unit, run))
        words += run.num_words - unit.runs.folded_words(run.run_id)
        stored_at = run.updated
        paused = replace(run.moved_to(RunState.PAUSED), end_digest=digest_of(document.text))
        runs.append(paused)
        recovered.append(paused)
    project = unit.manuscript.project()
    return Opened(project, document, tuple(runs), words, stored_at), tuple(recovered)


def _unfolded_text(unit: UnitOfWork, run: Run) -> str:
    return "".join(chunk.text for chunk in unit.runs.unfolded(run.run_id))
