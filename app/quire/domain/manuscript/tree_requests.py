"""Edits of the tree as data: the window sends them, storage carries them out."""

from __future__ import annotations

from dataclasses import dataclass

from quire.domain.manuscript.tree import NodeKind, Status
from quire.domain.manuscript.tree_edits import Spot


@dataclass(frozen=True, slots=True)
class AddText:
    """Add a new, empty text; `beside_id` is what it comes after or into, None for the default place."""

    kind: NodeKind
    title: str
    beside_id: int | None = None


@dataclass(frozen=True, slots=True)
class Rename:
    """Change the title."""

    node_id: int
    title: str


@dataclass(frozen=True, slots=True)
class SetStatus:
    """Set how far the writer has come with a text."""

    node_id: int
    status: Status


@dataclass(frozen=True, slots=True)
class SetKind:
    """Make a note, a character or a place another one of these."""

    node_id: int
    kind: NodeKind


@dataclass(frozen=True, slots=True)
class SetSynopsis:
    """Set the synopsis."""

    node_id: int
    synopsis: str


@dataclass(frozen=True, slots=True)
class SetExported:
    """Include in exports, or exclude from them."""

    node_id: int
    exported: bool


@dataclass(frozen=True, slots=True)
class Move:
    """Move to another place in the tree; this also restores from the trash."""

    node_id: int
    spot: Spot


@dataclass(frozen=True, slots=True)
class Shift:
    """Move one place up (-1) or down (1)."""

    node_id: int
    steps: int


@dataclass(frozen=True, slots=True)
class Trash:
    """Move to the trash, with everything below."""

    node_id: int


@dataclass(frozen=True, slots=True)
class Restore:
    """Restore from the trash."""

    node_id: int


@dataclass(frozen=True, slots=True)
class EmptyTrash:
    """Delete for good; `node_ids` are nodes in the trash, None for all of them."""

    node_ids: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Split:
    """Split a text in two.

    Attributes:
        place: characters that stay in the first.
        title: of the second; empty for the default.
    """

    document_id: int
    place: int
    title: str = ""


@dataclass(frozen=True, slots=True)
class Merge:
    """Merge a text into the one before it."""

    document_id: int


@dataclass(frozen=True, slots=True)
class CutLong:
    """Split a text that has become too long."""

    document_id: int


BookEdit = (
    AddText
    | Rename
    | SetStatus
    | SetKind
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
    """Return whether it changes the book's text or which text is open, so it has to wait for a draft."""
    return not isinstance(edit, Rename | SetStatus | SetKind | SetSynopsis | SetExported)
