"""What a writer can wish for in the tree of the book, as data: the window asks, storage does it."""

from __future__ import annotations

from dataclasses import dataclass

from quire.domain.manuscript.tree import NodeKind, Status
from quire.domain.manuscript.tree_edits import Spot


@dataclass(frozen=True, slots=True)
class AddText:
    """A new, empty text. beside_id: what it comes after or into; None: wherever its kind belongs."""

    kind: NodeKind
    title: str
    beside_id: int | None = None


@dataclass(frozen=True, slots=True)
class Rename:
    """Another title."""

    node_id: int
    title: str


@dataclass(frozen=True, slots=True)
class SetStatus:
    """How far the writer has come with it."""

    node_id: int
    status: Status


@dataclass(frozen=True, slots=True)
class SetSynopsis:
    """What happens in it, in a few sentences."""

    node_id: int
    synopsis: str


@dataclass(frozen=True, slots=True)
class SetExported:
    """Whether it is part of what leaves Quire."""

    node_id: int
    exported: bool


@dataclass(frozen=True, slots=True)
class Move:
    """Another place in the tree; what lies in the trash comes back by it."""

    node_id: int
    spot: Spot


@dataclass(frozen=True, slots=True)
class Shift:
    """One place up (-1) or down (1)."""

    node_id: int
    steps: int


@dataclass(frozen=True, slots=True)
class Trash:
    """Into the trash, with everything that lies in it."""

    node_id: int


@dataclass(frozen=True, slots=True)
class Restore:
    """Out of the trash."""

    node_id: int


@dataclass(frozen=True, slots=True)
class EmptyTrash:
    """Deleted for good. node_ids: of what was put into the trash; None: all of it."""

    node_ids: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Split:
    """A text becomes two. place: characters that stay in the first; title: of the second, empty: its own."""

    document_id: int
    place: int
    title: str = ""


@dataclass(frozen=True, slots=True)
class Merge:
    """A text goes on the one that is read before it."""

    document_id: int


@dataclass(frozen=True, slots=True)
class CutLong:
    """A text that has become too long becomes several."""

    document_id: int


BookEdit = (
    AddText
    | Rename
    | SetStatus
    | SetSynopsis
    | SetExported
    | Move
    | Shift
    | Trash
    | Restore
    | EmptyTrash
    | Split
    | Merge
    | CutLong
)
"""Everything that can be done to the tree."""


def waits_for_pause(edit: BookEdit) -> bool:
    """Whether it changes what is read as the book, or which text is open: not while a draft is written."""
    return not isinstance(edit, Rename | SetStatus | SetSynopsis | SetExported)
