"""Edits of the book's tree, each stored whole or not at all. Plain functions for a storage thread."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from quire.domain.drafting.run import Run, RunState
from quire.domain.manuscript import title_headings, tree_edits
from quire.domain.manuscript import tree_requests as requests
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.takes import Take
from quire.domain.manuscript.tree import Node, NodeKind, Status, Tree
from quire.domain.manuscript.tree_edits import Spot
from quire.domain.manuscript.tree_requests import BookEdit
from quire.domain.manuscript.word_counts import Words
from quire.errors import WriterProblem
from quire.services.transactions import draft_chapters, project_text, split_and_merge
from quire.services.transactions.split_and_merge import Edited
from quire.storage.project_file import ProjectFile
from quire.storage.unit_of_work import UnitOfWork

KEPT_IN_TRASH = timedelta(days=30)
"""How long the trash keeps what nobody asked to delete."""


def perform(file: ProjectFile, edit: BookEdit) -> Edited:
    """Carry out an edit; WriterProblem when that is impossible, and then nothing has changed."""
    match edit:
        case requests.AddText():
            return add_text(file, edit.kind, edit.title, edit.beside_id, has_heading=True)
        case requests.Rename():
            return rename(file, edit.node_id, edit.title)
        case requests.SetStatus():
            return set_status(file, edit.node_id, edit.status)
        case requests.SetKind():
            return set_kind(file, edit.node_id, edit.kind)
        case requests.SetSynopsis():
            return set_synopsis(file, edit.node_id, edit.synopsis)
        case requests.SetExported():
            return set_exported(file, edit.node_id, exported=edit.exported)
        case requests.Move():
            return move(file, edit.node_id, edit.spot)
        case requests.Shift():
            return shift(file, edit.node_id, edit.steps)
        case requests.Trash():
            return trash(file, edit.node_id)
        case requests.Restore():
            return restore(file, edit.node_id)
        case requests.EmptyTrash():
            return empty_trash(file, edit.node_ids)
        case requests.Split():
            return split_and_merge.split(file, edit.document_id, edit.place, edit.title)
        case requests.Merge():
            return split_and_merge.merge(file, edit.document_id)
        case requests.CutLong():
            return split_and_merge.cut_long(file, edit.document_id)


def perform_and_open(file: ProjectFile, edit: BookEdit, open_id: int) -> tuple[Edited, Document]:
    """Carry out an edit; return its result with the text to show from now on."""
    with file.reading() as unit:
        before = unit.manuscript.tree()
    edited = perform(file, edit)
    show_id = edited.open_id
    if show_id is None:
        show_id = tree_edits.text_to_show(before, edited.tree, open_id)
    return edited, project_text.open_document(file, show_id)


def add_text(
    file: ProjectFile, kind: NodeKind, title: str, beside_id: int | None = None, *, has_heading: bool = False
) -> Edited:
    """Add a new, empty text beside another one, or at the default place of its kind.

    Args:
        has_heading: begin it with a heading, if it is a chapter and the one before it has one.
    """
    with file.unit() as unit:
        tree = unit.manuscript.tree()
        nodes = tree_edits.added(tree, kind, title, tree_edits.spot_for(tree, kind, beside_id))
        new_id = tree.next_id
        heading = _heading_for(unit, tree_edits.changed(tree, nodes), new_id) if has_heading else ""
        for node in nodes:
            if node.node_id == new_id:
                unit.manuscript.add(node, Document(new_id, node.title, heading))
            else:
                unit.manuscript.save_node(node)
        unit.commit()
    return Edited(tree_edits.changed(tree, nodes), new_id, new_id, (new_id,))


def _heading_for(unit: UnitOfWork, tree: Tree, new_id: int) -> str:
    """Return the heading that a new chapter begins with, as the one before it does."""
    new, order = tree.node(new_id), [node.node_id for node in tree.reading_order()]
    if new.kind is not NodeKind.CHAPTER or new_id not in order or not order.index(new_id):
        return ""
    before = unit.manuscript.document(order[order.index(new_id) - 1])
    return title_headings.heading_like(before.text, new.title, new.kind)


def rename(file: ProjectFile, node_id: int, title: str) -> Edited:
    """Give a node another title."""
    return _store(file, lambda tree: tree_edits.renamed(tree, node_id, title))


def rename_heading(file: ProjectFile, document_id: int, old: str, new: str) -> None:
    """Give the heading that a text begins with another title, if it is the old one."""
    with file.unit() as unit:
        before = unit.manuscript.document(document_id)
        change = title_headings.renamed(before.text, old, new)
        if change is not None:
            project_text.replace_text(unit, before, before.edited(change.applied(before.text)))
            unit.commit()


def set_status(file: ProjectFile, node_id: int, status: Status) -> Edited:
    """Store how far the writer has come with a text."""
    return _store(file, lambda tree: tree_edits.with_status(tree, node_id, status))


def set_kind(file: ProjectFile, node_id: int, kind: NodeKind) -> Edited:
    """Make a note, a character or a place another one of these."""
    return _store(file, lambda tree: tree_edits.with_kind(tree, node_id, kind))


def set_synopsis(file: ProjectFile, node_id: int, synopsis: str) -> Edited:
    """Store the synopsis of a text."""
    return _store(file, lambda tree: tree_edits.with_synopsis(tree, node_id, synopsis))


def set_exported(file: ProjectFile, node_id: int, *, exported: bool) -> Edited:
    """Store whether a text is exported."""
    return _store(file, lambda tree: tree_edits.with_exported(tree, node_id, exported=exported))


def move(file: ProjectFile, node_id: int, spot: Spot) -> Edited:
    """Move a node with everything below it; this also restores it from the trash."""

    def moved(tree: Tree) -> tuple[Node, ...]:
        if not tree_edits.fits(tree, node_id, spot):
            raise WriterProblem("{name} can't be moved there.", name=tree_edits.named(tree.node(node_id)))
        return tree_edits.moved(tree, node_id, spot)

    return _store(file, moved)


def shift(file: ProjectFile, node_id: int, steps: int) -> Edited:
    """Move a node up (-1) or down (1) by one place; at the end it stays."""
    return _store(file, lambda tree: tree_edits.shifted(tree, node_id, steps))


def trash(file: ProjectFile, node_id: int) -> Edited:
    """Move a node with everything below it to the trash; nothing is deleted."""
    return _store(file, lambda tree: tree_edits.trashed(tree, node_id, datetime.now(UTC)))


def restore(file: ProjectFile, node_id: int) -> Edited:
    """Restore a node from the trash."""
    return _store(file, lambda tree: tree_edits.restored(tree, node_id))


def empty_trash(file: ProjectFile, node_ids: Iterable[int] | None = None) -> Edited:
    """Delete nodes in the trash for good, with their takes and runs; None: all of them.

    A run whose words are in a text that stays is kept, and belongs to that text from then on.
    """
    with file.unit() as unit:
        tree = unit.manuscript.tree()
        asked = [node.node_id for node in tree_edits.trash_of(tree)] if node_ids is None else node_ids
        return _delete(unit, tree, tree_edits.removed(tree, asked))


def tidy_trash(file: ProjectFile) -> Edited:
    """Delete what has been in the trash for 30 days."""
    with file.unit() as unit:
        tree = unit.manuscript.tree()
        old = tree_edits.expired(tree, datetime.now(UTC) - KEPT_IN_TRASH)
        return _delete(unit, tree, tree_edits.removed(tree, old))


def word_counts(file: ProjectFile, document_ids: Collection[int] | None = None) -> dict[int, Words]:
    """Return how many words each text has; None: every text of the project."""
    with file.reading() as unit:
        nodes = [node for node in unit.manuscript.tree().nodes if node.kind.has_text]
        wanted = [node.node_id for node in nodes if document_ids is None or node.node_id in document_ids]
        return {node_id: Words.of(unit.manuscript.document(node_id)) for node_id in wanted}


def _store(file: ProjectFile, change: Callable[[Tree], tuple[Node, ...]]) -> Edited:
    """Store the nodes that an edit changed."""
    with file.unit() as unit:
        tree = unit.manuscript.tree()
        nodes = change(tree)
        for node in nodes:
            unit.manuscript.save_node(node)
        if nodes:
            unit.commit()
    return Edited(tree_edits.changed(tree, nodes))


def _delete(unit: UnitOfWork, tree: Tree, node_ids: tuple[int, ...]) -> Edited:
    """Delete nodes with everything that belongs to them, children first."""
    if not node_ids:
        return Edited(tree)
    takes = [take for node_id in node_ids for take in unit.takes.of(node_id).all]
    with_takes = draft_chapters.gone_with(unit, takes)
    stay = [one for one in node_ids if tree.node(one).aside and one not in with_takes]
    for one in stay:  # its take begins in a text that is not deleted
        unit.manuscript.save_node(replace(tree.node(one), parent_id=tree.book.node_id))
    node_ids = (*with_takes, *(one for one in node_ids if one not in stay and one not in with_takes))
    gone = delete_texts(unit, tree, node_ids)
    left = unit.runs.all()
    unit.commit()
    return Edited(unit.manuscript.tree(), text_ids=node_ids, run_ids=gone, runs=left)


def delete_texts(unit: UnitOfWork, tree: Tree, node_ids: tuple[int, ...]) -> tuple[int, ...]:
    """Delete nodes within a transaction; return the runs that were deleted with them."""
    doomed = set(node_ids)
    runs = unit.runs.all()
    if any(run.state is RunState.RUNNING and run.document_id in doomed for run in runs):
        raise WriterProblem("A text to be deleted is being drafted. Pause the draft first.")
    gone = _without_runs(unit, tree, runs, doomed)
    for goal in unit.records.goals():
        if goal.node_id in doomed:
            unit.records.remove_goal(goal.goal_id)
    for node_id in node_ids:
        unit.manuscript.remove(node_id)
    return gone


def _without_runs(unit: UnitOfWork, tree: Tree, runs: tuple[Run, ...], doomed: set[int]) -> tuple[int, ...]:
    """Delete the takes of texts, and the runs whose words are in no other text; return the latter."""
    takes = {document_id: unit.takes.of(document_id) for document_id in doomed}
    doomed_takes = {take.take_id for found in takes.values() for take in found.all}
    touched = [run for run in runs if run.document_id in doomed or run.take_id in doomed_takes]
    homes = _homes(unit, tree, doomed) if touched else {}
    gone: list[int] = []
    for run in touched:
        home = run.document_id if run.document_id not in doomed else homes.get(run.run_id)
        if home is not None:
            unit.runs.save(replace(run, document_id=home, take_id=None))
        else:
            # a run is deleted with its take, so every run needs one of its own text
            take = Take(unit.takes.next_id(), run.document_id, None, 0, stands=True)
            unit.takes.save(take)
            unit.runs.save(replace(run, take_id=take.take_id))
            unit.takes.purge([take.take_id])
            gone.append(run.run_id)
    for found in takes.values():
        for take in sorted(found.all, key=lambda take: len(found.chain(take.take_id)), reverse=True):
            unit.takes.purge([take.take_id])
            unit.aside.put(take.take_id, ())
    return tuple(gone)


def _homes(unit: UnitOfWork, tree: Tree, doomed: set[int]) -> dict[int, int]:
    """Return for each run a text that stays and has words of it, possibly in its takes."""
    homes: dict[int, int] = {}
    for node in tree.nodes:
        if node.node_id in doomed or not node.kind.has_text:
            continue
        texts = [unit.manuscript.document(node.node_id)]
        aside = [take for take in unit.takes.of(node.node_id).all if not take.stands]
        texts += [unit.takes.text(take.take_id) for take in aside]
        for span in (span for text in texts for span in text.provenance.spans):
            homes.setdefault(span.run_id, node.node_id)
    return homes
