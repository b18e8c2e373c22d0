"""Takes and snapshots of the open text."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass, field

from quire.domain.drafting.presets import Preset
from quire.domain.drafting.run import Run
from quire.domain.drafting.take_metrics import TakeFigures, TextFigures, draft_figures
from quire.domain.manuscript.manuscript import Document, digest_of
from quire.domain.manuscript.paragraph_merge import ParagraphCopy
from quire.domain.manuscript.project_records import Snapshot, SnapshotReason
from quire.domain.manuscript.takes import TakeSummary
from quire.errors import WriterProblem
from quire.services.project.project_session import ProjectSession
from quire.services.transactions import last_draft, take_changes, take_queries
from quire.services.transactions.last_draft import LastDraft
from quire.services.transactions.take_queries import Counted, TakeSource
from quire.storage.project_file import ProjectFile


@dataclass(slots=True)
class Remembered:
    """A cache of counts while a project is open; a changed text has another key."""

    counted: Counted = field(default_factory=dict)
    measured: MutableMapping[tuple[str, int], TextFigures] = field(default_factory=dict)


class TextHistory:
    """Takes and snapshots of the open text; it cannot be changed during a draft.

    Attributes:
        remembered: the cache of counts.
    """

    def __init__(self, session: ProjectSession, remembered: Remembered | None = None) -> None:
        self._session = session
        self._remembered = Remembered() if remembered is None else remembered

    # ------------------------------------------------------------ takes
    async def takes(self) -> tuple[TakeSummary, ...]:
        """Return the takes, by where they begin, each followed by those inside it."""
        return await self._session.read(
            take_queries.summaries, self._session.document_id, self._remembered.counted
        )

    async def start_of_last_stretch(self, run_id: int) -> int:
        """Return where the words begin that a run wrote for the last request."""
        here = self._session.document_id
        return await self._session.read(last_draft.start_of_last_stretch, here, self._session.run(run_id))

    async def begin_take(self, place: int) -> None:
        """Put aside the text from a place on, in characters; what is drafted next is another take."""
        await self._session.change_text(_branched, self._session.document_id, place)

    async def choose(self, take_id: int) -> None:
        """Put a take into the text; what was in its place is put aside."""
        await self._session.change_text(_chosen, self._session.document_id, take_id)

    async def rename(self, take_id: int, title: str) -> None:
        """Give a take a name; empty: none."""
        await self._session.write(take_changes.rename, take_id, self._session.document_id, title)

    async def put_in_trash(self, take_id: int) -> None:
        """Move a take to the trash that is not in the text; it is kept for 30 days."""
        await self._session.write(take_changes.put_in_trash, take_id, self._session.document_id)

    async def take_from_trash(self, take_id: int) -> None:
        """Restore a take from the trash."""
        await self._session.write(take_changes.take_from_trash, take_id, self._session.document_id)

    async def delete_for_good(self, take_ids: tuple[int, ...] | None) -> None:
        """Delete takes in the trash; None: all of them."""
        gone = await self._session.write(take_changes.delete_for_good, self._session.document_id, take_ids)
        self._session.forget_runs(gone)

    # ------------------------------------------------------------ the last draft
    async def last_run(self) -> Run | None:
        """Return the run that the text ends with, even if the writer changed the text before it."""
        return await self._session.resting_run() or self._session.run_at_end

    async def last_draft(self) -> LastDraft:
        """Return what can be done about the last draft."""
        return await self._session.read(last_draft.look, self._session.document_id, self._session.run_at_end)

    async def take_back(self) -> None:
        """Put aside what the last draft wrote, as a take; WriterProblem if the text does not end with it."""
        run = self._session.run_at_end
        if run is None:
            raise WriterProblem("This text doesn't end with a draft, so there is nothing to undo.")
        await self._session.change_text(last_draft.take_back, self._session.document_id, run)

    async def bring_back(self) -> None:
        """Put back what was last undone; WriterProblem without such a take at the end of the text."""
        await self._session.change_text(last_draft.bring_back, self._session.document_id)

    # ------------------------------------------------------------ comparing
    async def source_of_take(self, take_id: int) -> TakeSource:
        """Return the text with a take in it, and how the take was drafted."""
        return await self._session.read(take_queries.source_of_take, take_id, self._session.document_id)

    async def source_of_text(self, start: int = 0) -> TakeSource:
        """Return the text as it is, and how it was drafted from a place on."""
        return await self._session.read(take_queries.source_of_text, self._session.document_id, start)

    async def source_of_snapshot(self, snapshot_id: int) -> TakeSource:
        """Return the text of a snapshot, and how it was drafted."""
        return await self._session.read(
            take_queries.source_of_snapshot, snapshot_id, self._session.document_id
        )

    async def figures(self, source: TakeSource, presets: Iterable[Preset]) -> TakeFigures:
        """Return the figures of a text; measured once, in a thread."""
        from quire.domain.text_quality.text_metrics import measured

        text, known = source.document.text, self._remembered.measured
        key = (await asyncio.to_thread(digest_of, text), source.start)
        if key not in known:
            known[key] = await asyncio.to_thread(measured, text, source.start)
        return TakeFigures(known[key], draft_figures(source.stretches, presets))

    async def credit(self, copied: ParagraphCopy, source: TakeSource) -> None:
        """Store who wrote a paragraph that was just copied into the text from another one."""
        await self._session.change_text(
            take_changes.credit, self._session.document_id, copied, source.document
        )

    # ------------------------------------------------------------ snapshots
    async def snapshots(self) -> tuple[Snapshot, ...]:
        """Return every snapshot, the newest first."""
        return await self._session.read(take_changes.snapshots)

    async def take_snapshot(self, title: str) -> Snapshot:
        """Take a snapshot of every text of the book."""
        return await self._session.write(take_changes.keep_snapshot, title, SnapshotReason.BY_HAND)

    async def restore(self, snapshot_id: int) -> None:
        """Restore the text of a snapshot; the current text is kept in a snapshot, too."""
        await self._session.change_text(_restored, self._session.document_id, snapshot_id)


def _branched(file: ProjectFile, document_id: int, place: int) -> Document:
    return take_changes.branch(file, document_id, place).document


def _chosen(file: ProjectFile, document_id: int, take_id: int) -> Document:
    return take_changes.choose(file, take_id, document_id)


def _restored(file: ProjectFile, document_id: int, snapshot_id: int) -> Document:
    return take_changes.restore_text(file, snapshot_id, document_id)
