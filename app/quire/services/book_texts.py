"""The whole book at once, as it leaves Quire. Plain functions for a storage thread."""

from __future__ import annotations

from dataclasses import dataclass

from quire.domain.manuscript import Document, Project
from quire.domain.tree import Tree
from quire.storage.repository import ProjectFile

EXPORT_RECIPE = "export recipe"
"""The setting that says how the book was exported last."""


@dataclass(frozen=True, slots=True)
class BookTexts:
    """A project with every text of its book."""

    project: Project
    tree: Tree
    documents: dict[int, Document]


def book_texts(file: ProjectFile) -> BookTexts:
    """Return every text of the book."""
    with file.reading() as unit:
        tree = unit.manuscript.tree()
        order = (node.node_id for node in tree.reading_order())
        documents = {node_id: unit.manuscript.document(node_id) for node_id in order}
        return BookTexts(unit.manuscript.project(), tree, documents)


def kept_recipe(file: ProjectFile) -> str:
    """Return the recipe that the book was exported by last, as it was kept; empty where there is none."""
    with file.reading() as unit:
        kept = unit.records.setting(EXPORT_RECIPE)
    return kept if isinstance(kept, str) else ""


def keep_recipe(file: ProjectFile, recipe: str) -> None:
    """Keep the recipe for the next export."""
    with file.unit() as unit:
        unit.records.save_setting(EXPORT_RECIPE, recipe)
        unit.commit()
