"""Writes to the project, each whole or not at all. Plain functions for a storage thread."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.manuscript.manuscript import Document, Project, digest_of
from quire.domain.manuscript.project_records import Snapshot, SnapshotReason
from quire.domain.manuscript.provenance import change_between
from quire.domain.manuscript.tree import Tree, text_up_to
from quire.services.transactions.writing_records import count_recovered
from quire.storage.problems import ProjectDamaged
from quire.storage.project_file import ProjectFile
from quire.storage.unit_of_work import UnitOfWork
from quire_engine.metrics.word_count import count_words

OPEN_DOCUMENT = "open document"
"""The setting that says which text was open last."""
BEFORE_DRAFT = "Before drafting"


@dataclass(frozen=True, slots=True)
class Opened:
    """A project as it is when it is opened, with what an interrupted run had stored.

    Attributes:
        document: the text that was open last.
        recovered_words: how many words were recovered, in all texts.
        recovered_at: when they were stored last.
    """

    project: Project
    tree: Tree
    document: Document
    runs: tuple[Run, ...]
    recovered_words: int
    recovered_at: datetime | None


def read(file: ProjectFile) -> Opened:
    """Read a project without writing to it."""
    with file.reading() as unit:
        return _look(unit)[0]


def open_and_recover(file: ProjectFile) -> Opened:
    """Read a project; what an interrupted run had stored becomes part of the text for good."""
    with file.unit() as unit:
        opened, recovered = _look(unit)
        count_recovered(unit, [run for run, _ in recovered])
        for run, document in recovered:
            unit.manuscript.save(document)
            unit.runs.save(run)
            unit.runs.mark_folded(run.run_id)
        if recovered:
            unit.commit()
    return opened


def open_document(file: ProjectFile, document_id: int) -> Document:
    """Return another text of the project, and remember it as the open one."""
    with file.unit() as unit:
        document = unit.manuscript.document(document_id)
        unit.records.save_setting(OPEN_DOCUMENT, document_id)
        unit.commit()
    return document


def remember_open(file: ProjectFile, document_id: int) -> None:
    """Remember which text is open."""
    with file.unit() as unit:
        keep_open(unit, document_id)
        unit.commit()


def keep_open(unit: UnitOfWork, document_id: int) -> None:
    """Remember that within a transaction."""
    unit.records.save_setting(OPEN_DOCUMENT, document_id)


def read_document(file: ProjectFile, document_id: int) -> Document:
    """Return another text of a project that is only read."""
    with file.reading() as unit:
        return unit.manuscript.document(document_id)


def text_before(file: ProjectFile, document_id: int) -> str:
    """Return everything in the book that is read before a text."""
    with file.reading() as unit:
        return text_before_in(unit, document_id)


def story_up_to(file: ProjectFile, document_id: int) -> str:
    """Return everything in the book that is read before a text, and the text."""
    with file.reading() as unit:
        return text_up_to((text_before_in(unit, document_id), unit.manuscript.document(document_id).text))


def story(file: ProjectFile) -> str:
    """Return the book in reading order, with what interrupted runs had stored."""
    with file.reading() as unit:
        changed = {document.document_id: document for _, document in _look(unit)[1]}
        order = [node.node_id for node in unit.manuscript.tree().reading_order()]
        return text_up_to((changed.get(number) or unit.manuscript.document(number)).text for number in order)


def save_text(file: ProjectFile, document_id: int, text: str, run_id: int | None = None) -> Document:
    """Store a text as the writer left it; return it. run_id: of a run that has read another wording."""
    with file.unit() as unit:
        before = unit.manuscript.document(document_id)
        document = before.edited(text)
        replace_text(unit, before, document)
        if run_id is not None:
            _set_apart(unit, run_id)
        unit.commit()
    return document


def replace_text(unit: UnitOfWork, before: Document, after: Document) -> None:
    """Replace a text; takes keep their place in the text around them."""
    unit.manuscript.save(after)
    takes = unit.takes.of(after.document_id)
    if takes.all:
        for take in takes.after_edit(*change_between(before.text, after.text)):
            unit.takes.save(take)


def save_while_generating(file: ProjectFile, run: Run, text: str) -> Document:
    """Store the writer's changes to a text while a run writes into it; return it.

    Args:
        text: the whole of it, with everything that is stored of the run.
    """
    with file.unit() as unit:
        before = unit.manuscript.document(run.document_id)
        before = before.drafted(_unfolded_text(unit, run), run.run_id)
        unit.manuscript.save(before)  # apart from the edit: comments follow each change for itself
        document = before.edited(text)
        replace_text(unit, before, document)
        unit.runs.save(run)
        unit.runs.mark_folded(run.run_id)
        unit.commit()
    return document


def save_run(file: ProjectFile, run: Run) -> None:
    """Store the state of a run."""
    with file.unit() as unit:
        unit.runs.save(run)
        unit.commit()


def begin_run(file: ProjectFile, run: Run) -> Run:
    """Store that a run begins, in the take that the text ends with, and the text before it."""
    with file.unit() as unit:
        _keep_snapshot(unit, unit.manuscript.document(run.document_id))
        last = unit.takes.of(run.document_id).last
        run = replace(run, take_id=None if last is None else last.take_id)
        unit.runs.save(run)
        run = replace(run, created=unit.runs.created(run.run_id))
        unit.commit()
    return run


def save_prompt(file: ProjectFile, run: Run, prompt_ids: Sequence[int]) -> None:
    """Store the text that a run begins on as the model reads it."""
    with file.unit() as unit:
        unit.runs.save_prompt(run, prompt_ids)
        unit.commit()


def append(file: ProjectFile, run: Run, chunk: Chunk) -> None:
    """Store what a run generated last; `run` has the counters that include it."""
    with file.unit() as unit:
        unit.runs.append(run, chunk)
        unit.commit()


def merge_drafted_text(
    file: ProjectFile, run: Run, chunk: Chunk | None, prompt_ids: Sequence[int] | None = None
) -> tuple[Run, Document]:
    """Make what a run generated part of the text and store how the run ended; return both as stored.

    Args:
        chunk: what was not stored before; `run` already counts it.
        prompt_ids: what it began on, if not stored before.
    """
    with file.unit() as unit:
        if prompt_ids is not None:
            unit.runs.save_prompt(run, prompt_ids)
        if chunk is not None:
            unit.runs.append(run, chunk)
        document = unit.manuscript.document(run.document_id)
        document = document.drafted(_unfolded_text(unit, run), run.run_id)
        run = replace(run, end_digest=_digest_left_by(unit, run, document))
        unit.manuscript.save(document)
        unit.runs.save(run)
        unit.runs.mark_folded(run.run_id)
        unit.commit()
    return run, document


def prompt_ids(file: ProjectFile, run_id: int) -> tuple[int, ...]:
    """Return the tokens of the text that a run began on."""
    with file.unit() as unit:
        return unit.runs.prompt_ids(run_id)


def token_ids(file: ProjectFile, run_id: int) -> tuple[int, ...]:
    """Return every generated token of a run."""
    with file.unit() as unit:
        return unit.runs.token_ids(run_id)


def run_text(file: ProjectFile, run_id: int) -> str:
    """Return what a run has written, as it is stored."""
    with file.reading() as unit:
        return unit.runs.text(run_id)


def steps(file: ProjectFile, run_id: int) -> tuple[StepRecord, ...]:
    """Return every stored step of a run."""
    with file.reading() as unit:
        return unit.runs.steps(run_id)


def compact(file: ProjectFile) -> None:
    """Compact the runs that have ended, each in a commit of its own."""
    with file.reading() as unit:
        resting = [run.run_id for run in unit.runs.all() if run.state is not RunState.RUNNING]
    for run_id in resting:
        with file.unit() as unit:
            if unit.runs.compact(run_id):
                unit.commit()


def _look(unit: UnitOfWork) -> tuple[Opened, tuple[tuple[Run, Document], ...]]:
    """Return the project as it will be once the interrupted runs are recovered, and these runs."""
    tree = unit.manuscript.tree()
    first = unit.manuscript.document(_last_open(unit, tree))
    texts = {first.document_id: first}
    runs, recovered = [], []
    words, stored_at = 0, None
    for run in unit.runs.all():
        if run.state is not RunState.RUNNING:
            runs.append(run)
            continue
        text = texts.get(run.document_id) or unit.manuscript.document(run.document_id)
        # A run counts whole words alone; the text also has the one that it was in the middle of.
        words -= count_words(text.text)
        text = texts[run.document_id] = text.drafted(_unfolded_text(unit, run), run.run_id)
        words += count_words(text.text)
        stored_at = run.updated
        paused = replace(run.moved_to(RunState.PAUSED), end_digest=_digest_left_by(unit, run, text))
        runs.append(paused)
        recovered.append((paused, text))
    document = texts[first.document_id]
    opened = Opened(unit.manuscript.project(), tree, document, tuple(runs), words, stored_at)
    return opened, tuple(recovered)


def has_open_document(file: ProjectFile) -> bool:
    """Return whether a text was ever chosen to be open; otherwise the first one is."""
    with file.reading() as unit:
        return _last_open(unit, unit.manuscript.tree()) is not None


def _set_apart(unit: UnitOfWork, run_id: int) -> None:
    run = next(run for run in unit.runs.all() if run.run_id == run_id)
    if not run.diverged:
        unit.runs.save(replace(run, diverged=True))


def _last_open(unit: UnitOfWork, tree: Tree) -> int | None:
    found = unit.records.setting(OPEN_DOCUMENT)
    return next((node.node_id for node in tree.reading_order() if node.node_id == found), None)


def _digest_left_by(unit: UnitOfWork, run: Run, document: Document) -> str:
    """Return the digest of the story as a run leaves it; none when it has another wording cached."""
    return "" if run.diverged else digest_of(_story(unit, document))


def _unfolded_text(unit: UnitOfWork, run: Run) -> str:
    return "".join(chunk.text for chunk in unit.runs.unfolded(run.run_id))


def _story(unit: UnitOfWork, document: Document) -> str:
    return text_up_to((text_before_in(unit, document.document_id), document.text))


def text_before_in(unit: UnitOfWork, document_id: int) -> str:
    """Return everything that is read before a text, within a transaction."""
    texts: list[str] = []
    for node in unit.manuscript.tree().reading_order():
        if node.node_id == document_id:
            return text_up_to(texts)
        texts.append(unit.manuscript.document(node.node_id).text)
    return ""  # a note, or something in the trash: no text precedes it


def _keep_snapshot(unit: UnitOfWork, document: Document) -> None:
    """Take a snapshot of a text, unless the newest snapshot of it is the same."""
    for snapshot in unit.snapshots.all():
        if document.document_id in snapshot.document_ids:
            with contextlib.suppress(ProjectDamaged):  # a new one is needed all the more
                if unit.snapshots.document(snapshot.snapshot_id, document.document_id).text == document.text:
                    return
            break
    number = unit.snapshots.next_id()
    snapshot = Snapshot(number, BEFORE_DRAFT, SnapshotReason.BEFORE_DRAFT, datetime.now(UTC))
    unit.snapshots.take(snapshot, [document])
