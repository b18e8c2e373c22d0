"""What else the open text of a project is or was: takes and snapshots."""

from __future__ import annotations

from quire.domain.manuscript import Document
from quire.domain.records import Snapshot, SnapshotReason
from quire.domain.takes import TakeSummary
from quire.services import takes
from quire.services.projects import ProjectDesk
from quire.storage.repository import ProjectFile


class TextHistory:
    """Takes and snapshots of the text that is open; while a draft goes on it is not changed."""

    def __init__(self, desk: ProjectDesk) -> None:
        self._desk = desk

    async def takes(self) -> tuple[TakeSummary, ...]:
        """Return the takes, by where they begin."""
        return await self._desk.read(takes.summaries, self._desk.document_id)

    async def start_of_last_stretch(self, run_id: int) -> int:
        """Return where the words begin that a run wrote since it was last asked for more."""
        return await self._desk.read(takes.start_of_last_stretch, self._desk.run(run_id))

    async def begin_take(self, place: int) -> None:
        """Put aside the text from a place on, in characters; what is drafted next is another take."""
        await self._desk.change_text(_branched, self._desk.document_id, place)

    async def choose(self, take_id: int) -> None:
        """Have a take stand in the text; what stood in its place is put aside."""
        await self._desk.change_text(_chosen, self._desk.document_id, take_id)

    async def text_with(self, take_id: int) -> str:
        """Return the text as it would read with a take in it."""
        return (await self._desk.read(takes.read_take, take_id, self._desk.document_id)).text

    async def snapshots(self) -> tuple[Snapshot, ...]:
        """Return every snapshot, the newest first."""
        return await self._desk.read(takes.snapshots)

    async def take_snapshot(self, title: str) -> Snapshot:
        """Keep every text of the book as it is now."""
        return await self._desk.write(takes.keep_snapshot, title, SnapshotReason.BY_HAND)

    async def restore(self, snapshot_id: int) -> None:
        """Give the text back what it was; how it is now is kept in a snapshot, too."""
        await self._desk.change_text(_restored, self._desk.document_id, snapshot_id)

    async def text_in(self, snapshot_id: int) -> str:
        """Return the text as a snapshot holds it."""
        return await self._desk.read(takes.text_in_snapshot, snapshot_id, self._desk.document_id)


def _branched(file: ProjectFile, document_id: int, place: int) -> Document:
    return takes.branch(file, document_id, place).document


def _chosen(file: ProjectFile, document_id: int, take_id: int) -> Document:
    return takes.choose(file, take_id, document_id)


def _restored(file: ProjectFile, document_id: int, snapshot_id: int) -> Document:
    return takes.restore_text(file, snapshot_id, document_id)
