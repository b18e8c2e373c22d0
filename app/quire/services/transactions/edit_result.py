"""The result of an edit of the tree."""

from __future__ import annotations

from dataclasses import dataclass

from quire.domain.drafting.run import Run
from quire.domain.manuscript.tree import Tree


@dataclass(frozen=True, slots=True)
class Edited:
    """The result of an edit.

    Attributes:
        tree: the new one.
        open_id: the text to show from now on; None: the one that is shown.
        new_id: the new node.
        text_ids: texts that are new, changed or deleted.
        run_ids: runs that were deleted with their text.
        runs: every run that is left, where that changed.
        said: a message for the writer; empty: none.
    """

    tree: Tree
    open_id: int | None = None
    new_id: int | None = None
    text_ids: tuple[int, ...] = ()
    run_ids: tuple[int, ...] = ()
    runs: tuple[Run, ...] | None = None
    said: str = ""
