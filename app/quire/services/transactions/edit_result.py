"""What an edit of the tree did, as storage answers it."""

from __future__ import annotations

from dataclasses import dataclass

from quire.domain.drafting.run import Run
from quire.domain.manuscript.tree import Tree


@dataclass(frozen=True, slots=True)
class Edited:
    """What an edit led to.

    tree: as it is now. open_id: the text to show from now on; None: the one that is shown. new_id: what was
    made. text_ids: texts that are new, different or gone. run_ids: runs that were deleted with their text.
    runs: every run that is left, where that changed. said: what the writer should know; empty: nothing.
    """

    tree: Tree
    open_id: int | None = None
    new_id: int | None = None
    text_ids: tuple[int, ...] = ()
    run_ids: tuple[int, ...] = ()
    runs: tuple[Run, ...] | None = None
    said: str = ""
