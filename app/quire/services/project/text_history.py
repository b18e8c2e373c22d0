"""Takes and snapshots of the open text."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import dataclass, field
from typing import Concatenate, ParamSpec, TypeVar

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
from quire.services.transactions.last_draft import LastDraft, TakenBack
from quire.services.transactions.split_and_merge import Edited
from quire.services.transactions.take_changes import Branched, TakeChosen
from quire.services.transactions.take_queries import Counted, TakeSource
from quire.storage.project_file import ProjectFile

P = ParamSpec("P")
C = TypeVar("C", Branched, TakeChosen, TakenBack)


@dataclass(slots=True)
class Remembered:
    """A cache of counts while a project is open; a changed text has another key."""

    counted: Counted = field(default_factory=dict)
    measured: MutableMapping[tuple[str, int], TextFigures] = field(default_factory=dict)
    snapshots: dict[tuple[int, int], int] = field(default_factory=dict)


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

    async def begin_take(self, place: int) -> None:
        """Put aside the text from a place on, in characters; what is drafted next is another take."""
        await self._change(take_changes.branch, self._session.document_id, place)

    async def choose(self, take_id: int) -> None:
        """Put a take into the text that it begins in, which is open then; what was in its place is put
        aside.
        """
        await self._change(take_changes.choose, take_id)

    async def rename(self, take_id: int, title: str) -> None:
        """Give a take a name; empty: none."""
        await self._session.write(take_changes.rename, take_id, title)

    async def put_in_trash(self, take_id: int) -> None:
        """Move a take to the trash that is not in the text; it is kept for 30 days."""
        await self._session.write(take_changes.put_in_trash, take_id)

    async def take_from_trash(self, take_id: int) -> None:
        """Restore a take from the trash."""
        await self._session.write(take_changes.take_from_trash, take_id)

    async def delete_for_good(self, take_ids: tuple[int, ...] | None) -> None:
        """Delete takes in the trash; None: all of them."""
        gone = await self._session.write(take_changes.delete_for_good, self._session.document_id, take_ids)
        self._session.forget_runs(gone)

    async def _change(
        self, work: Callable[Concatenate[ProjectFile, P], C], *args: P.args, **kwargs: P.kwargs
    ) -> C:
        """Run a change of the takes, and show the book as it is then."""
        done: list[C] = []

        def perform(file: ProjectFile) -> Document:
            done.append(work(file, *args, **kwargs))
            return done[0].document

        await self._session.change_text(perform)
        self._session.arranged(Edited(done[0].tree))
        return done[0]

    # ------------------------------------------------------------ the last draft
    async def last_run(self) -> Run | None:
        """Return the run that the text ends with, even if the writer changed the text before it."""
        return await self._session.resting_run() or self._session.run_at_end

    async def last_draft(self) -> LastDraft:
        """Return what can be done about the last draft."""
        return await self._session.read(last_draft.look, self._session.document_id, self._session.run_at_end)

    async def take_back(self) -> int:
        """Put aside what the last draft wrote, as a take, and return that; the text that it began in is open
        then. WriterProblem if the text does not end with a draft.
        """
        run = self._session.run_at_end
        if run is None:
            raise WriterProblem("This text doesn't end with a draft, so there is nothing to undo.")
        return (await self._change(last_draft.take_back, run)).take_id

    async def bring_back(self, take_id: int | None = None) -> None:
        """Put back what was last undone, and open the text that it ends in; WriterProblem without such a take
        at the end of the text.
        """
        await self._change(last_draft.bring_back, self._session.document_id, take_id)

    async def begin_again(self, run_id: int) -> None:
        """Put aside what a run wrote last; what is drafted next is another take of it."""
        await self._change(last_draft.begin_again, self._session.run(run_id))

    async def keep(self, run: Run) -> None:
        """Note that the writer keeps what a run has written so far."""
        await self._session.write(last_draft.keep, run)

    async def kept(self) -> dict[int, int]:
        """Return up to which place the writer has kept the words of each run."""
        return await self._session.read(last_draft.kept, self._session.document_id)

    # ------------------------------------------------------------ comparing
    async def source_of_take(self, take_id: int) -> TakeSource:
        """Return the text with a take in it, and how the take was drafted."""
        return await self._session.read(take_queries.source_of_take, take_id)

    async def source_of_text(self, beside: TakeSource | None = None) -> TakeSource:
        """Return the text as it is, and how it was drafted; beside a take, from where that begins, with the
        chapters that continue it.
        """
        if beside is None:
            return await self._session.read(take_queries.source_of_text, self._session.document_id)
        begins_in = beside.document.document_id
        return await self._session.read(take_queries.source_of_text, begins_in, beside.start)

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

    async def words_of_snapshot(self, snapshot_id: int, document_id: int) -> int | None:
        """Return how many words a text has in a snapshot; None where that is damaged or gone."""
        known, key = self._remembered.snapshots, (snapshot_id, document_id)
        if key not in known:
            with contextlib.suppress(WriterProblem, KeyError):
                known[key] = await self._session.read(take_queries.words_of_snapshot, *key)
        return known.get(key)

    async def take_snapshot(self, title: str) -> Snapshot:
        """Take a snapshot of every text of the book."""
        return await self._session.write(take_changes.keep_snapshot, title, SnapshotReason.BY_HAND)

    async def restore(self, snapshot_id: int) -> None:
        """Restore the text of a snapshot; the current text is kept in a snapshot, too."""
        await self._session.change_text(_restored, self._session.document_id, snapshot_id)


def _restored(file: ProjectFile, document_id: int, snapshot_id: int) -> Document:
    return take_changes.restore_text(file, snapshot_id, document_id)
