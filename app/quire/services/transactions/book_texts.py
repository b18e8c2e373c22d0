"""The whole book at once, for export. Plain functions for a storage thread."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from quire.domain.drafting.run import RunState
from quire.domain.manuscript.comments import Comment, checked
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.tree import Tree
from quire.storage.project_file import ProjectFile
from quire.storage.unit_of_work import UnitOfWork

EXPORT_RECIPE = "export recipe"
"""The setting that says how the book was exported last."""
EXPORTED_FILES = "exported files"
"""The setting with the digests of the files that the book was exported to, the newest last."""
_MAX_EXPORTED = 100


@dataclass(frozen=True, slots=True)
class BookTexts:
    """A project with every text of its book, and the comments on them."""

    project: Project
    tree: Tree
    documents: dict[int, Document]
    comments: dict[int, tuple[Comment, ...]] = field(default_factory=dict)


def book_texts(file: ProjectFile) -> BookTexts:
    """Return every text of the book."""
    with file.reading() as unit:
        tree = unit.manuscript.tree()
        order = [node.node_id for node in tree.reading_order()]
        texts = texts_now(unit, order)
        comments = {
            document_id: tuple(checked(one, texts[document_id].text) for one in found)
            for document_id, found in unit.comments.all().items()
            if document_id in texts
        }
        return BookTexts(unit.manuscript.project(), tree, texts, comments)


def texts_now(unit: UnitOfWork, document_ids: Iterable[int]) -> dict[int, Document]:
    """Return texts as they are now: what a run writes becomes part of them only when it ends."""
    documents = {document_id: unit.manuscript.document(document_id) for document_id in document_ids}
    for run in unit.runs.all():
        if run.state is RunState.RUNNING and run.document_id in documents:
            written = "".join(chunk.text for chunk in unit.runs.unfolded(run.run_id))
            grown = documents[run.document_id].drafted(written, run.run_id)
            documents[run.document_id] = grown
    return documents


def kept_recipe(file: ProjectFile) -> str:
    """Return the stored export settings of the book; empty where there are none."""
    with file.reading() as unit:
        kept = unit.records.setting(EXPORT_RECIPE)
    return kept if isinstance(kept, str) else ""


def keep_recipe(file: ProjectFile, recipe: str) -> None:
    """Store the export settings for the next export."""
    with file.unit() as unit:
        unit.records.save_setting(EXPORT_RECIPE, recipe)
        unit.commit()


def exported_digests(file: ProjectFile) -> tuple[str, ...]:
    """Return the digests of the files that the book was exported to, the newest last."""
    with file.reading() as unit:
        kept = unit.records.setting(EXPORTED_FILES)
    return tuple(one for one in kept if isinstance(one, str)) if isinstance(kept, list) else ()


def keep_exported(file: ProjectFile, digest: str) -> None:
    """Store the digest of a file that the book was exported to."""
    digests = [one for one in exported_digests(file) if one != digest]
    with file.unit() as unit:
        unit.records.save_setting(EXPORTED_FILES, [*digests, digest][-_MAX_EXPORTED:])
        unit.commit()


def words_wanted(file: ProjectFile) -> dict[int, int]:
    """Return the word goal of each text that has one."""
    with file.reading() as unit:
        return {goal.node_id: goal.words for goal in unit.records.goals() if goal.node_id is not None}
