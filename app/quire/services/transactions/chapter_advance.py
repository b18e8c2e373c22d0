"""Moves a running run to a new text. A plain function for a storage thread."""

from __future__ import annotations

from dataclasses import dataclass, replace

from quire.domain.drafting.chapter_advance_rules import Turn
from quire.domain.drafting.run import Run
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.tree import Tree
from quire.services.transactions.split_and_merge import split_off
from quire.storage.project_file import ProjectFile


@dataclass(frozen=True, slots=True)
class Turned:
    """`first` is what stays of the text that the run wrote into; `rest` the one that it writes into now."""

    tree: Tree
    first: Document
    rest: Document
    run: Run


def advance_chapter(file: ProjectFile, run: Run, turn: Turn) -> Turned:
    """Split off everything from a place on into a new text, and continue the run there.

    Args:
        turn: its place is in the text as far as it is stored; without a title it uses the heading there, or
            the next number.
    """
    with file.unit() as unit:
        document = unit.manuscript.document(run.document_id)
        unfolded = "".join(chunk.text for chunk in unit.runs.unfolded(run.run_id))
        document = document.drafted(unfolded, run.run_id)
        unit.manuscript.save(document)
        unit.runs.mark_folded(run.run_id)
        tree, new_id = split_off(
            unit, unit.manuscript.tree(), document, turn.place, turn.title, is_chapter=turn.is_chapter
        )
        first = unit.manuscript.document(document.document_id)
        rest = unit.manuscript.document(new_id)
        run = replace(run, document_id=new_id, take_id=None)
        unit.runs.save(run)
        unit.commit()
    return Turned(tree, first, rest, run)
