"""The unit of work and the repositories over SQLAlchemy."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import Engine, Select, select, update
from sqlalchemy.orm import Session

from quire.domain.manuscript import Document, Project, digest_of
from quire.domain.run import Chunk, Run, RunState
from quire.storage.codec import NO_DIGEST, chained, crc_of, packed, unpacked
from quire.storage.problems import StorageFailed, damaged, told_plainly
from quire.storage.tables import ChunkRow, DocumentRow, ProjectRow, RunRow
from quire_engine.config import SamplingConfig
from quire_engine.messages import FinishReason, ModelIdentity


class SqliteManuscripts:
    """ManuscriptRepository over one open transaction."""

    def __init__(self, orm: Session, path: Path) -> None:
        self._orm = orm
        self._path = path

    def create(self, project: Project, document: Document) -> None:
        """Write the first project and document of a new file."""
        self._orm.add(
            ProjectRow(
                project_id=1,
                title=project.title,
                created=project.created.isoformat(),
                language=project.language,
            )
        )
        self._orm.add(
            DocumentRow(
                document_id=document.document_id,
                position=0,
                title=document.title,
                text=document.text,
                checksum=digest_of(document.text),
                updated=_now(),
            )
        )

    def project(self) -> Project:
        """Return the project."""
        row = self._orm.get(ProjectRow, 1)
        if row is None:
            raise damaged(self._path, "it has no project in it")
        return Project(row.title, datetime.fromisoformat(row.created), row.language)

    def document(self) -> Document:
        """Return the first document, checked against its checksum."""
        row = self._orm.scalars(select(DocumentRow).order_by(DocumentRow.position)).first()
        if row is None:
            raise damaged(self._path, "it has no text in it")
        if digest_of(row.text) != row.checksum:
            raise damaged(self._path, "the checksum of the manuscript does not match")
        return Document(row.document_id, row.title, row.text)

    def save_text(self, document_id: int, text: str) -> None:
        """Replace the text of a document."""
        self._orm.execute(
            update(DocumentRow)
            .where(DocumentRow.document_id == document_id)
            .values(text=text, checksum=digest_of(text), updated=_now())
        )


class SqliteRuns:
    """RunRepository over one open transaction."""

    def __init__(self, orm: Session, path: Path) -> None:
        self._orm = orm
        self._path = path

    def all(self) -> tuple[Run, ...]:
        """Return every run, the oldest first."""
        rows = self._orm.scalars(select(RunRow).order_by(RunRow.run_id)).all()
        return tuple(self._run(row) for row in rows)

    def save(self, run: Run) -> None:
        """Insert a run or overwrite the one of the same number; its chunks stay."""
        row = self._orm.get(RunRow, run.run_id)
        if row is None:
            row = RunRow(
                run_id=run.run_id, num_chunks=0, num_folded=0, chain_digest=NO_DIGEST, created=_now()
            )
            self._orm.add(row)
        blob = packed(run.prompt_ids)
        row.document_id = run.document_id
        row.state = run.state.value
        row.seed = run.sampling.seed
        row.sampling = json.dumps(asdict(run.sampling))
        row.goal_words = run.goal_words
        row.goal_start = run.goal_start
        row.model = None if run.model is None else json.dumps(asdict(run.model))
        row.prompt_ids = blob
        row.prompt_checksum = _prompt_checksum(blob)
        row.num_tokens = run.num_tokens
        row.num_words = run.num_words
        row.base_digest = run.base_digest
        row.end_digest = run.end_digest
        row.read_tail = run.read_tail
        row.num_left_out = run.num_left_out
        row.finish_reason = None if run.finish_reason is None else run.finish_reason.value
        row.error = run.error
        row.updated = _now()

    def append(self, run: Run, chunk: Chunk) -> None:
        """Add a chunk after all earlier ones; run carries the counters as they are with it."""
        query = select(RunRow.num_chunks, RunRow.chain_digest).where(RunRow.run_id == run.run_id)
        num_chunks, previous = self._orm.execute(query).one()
        blob = packed(chunk.token_ids)
        digest = chained(previous, blob, chunk.text, chunk.num_words)
        self._orm.add(
            ChunkRow(
                run_id=run.run_id,
                seq=num_chunks,
                token_ids=blob,
                text=chunk.text,
                num_words=chunk.num_words,
                num_steps=chunk.num_steps,
                step_ms=chunk.step_ms,
                crc32=crc_of(blob, chunk.text),
                digest=digest,
                created=_now(),
            )
        )
        self._orm.execute(
            update(RunRow)
            .where(RunRow.run_id == run.run_id)
            .values(
                num_chunks=num_chunks + 1,
                chain_digest=digest,
                num_tokens=run.num_tokens,
                num_words=run.num_words,
                updated=_now(),
            )
        )
        self._orm.flush()

    def unfolded(self, run_id: int) -> tuple[Chunk, ...]:
        """Return the chunks that are not yet part of the document's text, in order."""
        folded = select(RunRow.num_folded).where(RunRow.run_id == run_id).scalar_subquery()
        rows = self._orm.scalars(_chunks_of(run_id).where(ChunkRow.seq >= folded))
        return tuple(_chunk(row) for row in rows)

    def mark_folded(self, run_id: int) -> None:
        """Record that every chunk so far is part of the document's text."""
        self._orm.execute(update(RunRow).where(RunRow.run_id == run_id).values(num_folded=RunRow.num_chunks))

    def folded_words(self, run_id: int) -> int:
        """Return the whole words of a run up to where it was folded last."""
        folded = select(RunRow.num_folded).where(RunRow.run_id == run_id).scalar_subquery()
        query = select(ChunkRow.num_words).where(ChunkRow.run_id == run_id, ChunkRow.seq == folded - 1)
        return self._orm.scalar(query) or 0

    def token_ids(self, run_id: int) -> tuple[int, ...]:
        """Return every generated token of a run in order, checked."""
        row = self._orm.get(RunRow, run_id)
        if row is None:
            raise damaged(self._path, f"run {run_id} is missing")
        ids = tuple(token for blob in self._checked_ids(row) for token in unpacked(blob))
        if len(ids) != row.num_tokens:
            raise damaged(self._path, f"run {run_id} has {len(ids)} of {row.num_tokens} tokens")
        return ids

    def verify(self) -> None:
        """Check every run against its checksums."""
        for run_id in self._orm.scalars(select(RunRow.run_id)).all():
            self.token_ids(run_id)

    def _checked_ids(self, row: RunRow) -> Iterator[bytes]:
        digest, num_chunks = NO_DIGEST, 0
        chunk = ChunkRow
        query = select(chunk.seq, chunk.token_ids, chunk.text, chunk.num_words, chunk.crc32, chunk.digest)
        for seq, blob, text, num_words, crc32, found in self._orm.execute(
            query.where(chunk.run_id == row.run_id).order_by(chunk.seq)
        ):
            digest = chained(digest, blob, text, num_words)
            if (seq, found, crc32) != (num_chunks, digest, crc_of(blob, text)):
                raise damaged(self._path, f"the checksum of part {seq} of run {row.run_id} does not match")
            num_chunks += 1
            yield blob
        if (num_chunks, digest) != (row.num_chunks, row.chain_digest):
            raise damaged(self._path, f"parts of run {row.run_id} are missing")

    def _run(self, row: RunRow) -> Run:
        if _prompt_checksum(row.prompt_ids) != row.prompt_checksum:
            raise damaged(self._path, f"the checksum of run {row.run_id} does not match")
        try:
            return Run(
                run_id=row.run_id,
                document_id=row.document_id,
                sampling=SamplingConfig(**json.loads(row.sampling)),
                goal_words=row.goal_words,
                goal_start=row.goal_start,
                base_digest=row.base_digest,
                end_digest=row.end_digest,
                state=RunState(row.state),
                model=None if row.model is None else ModelIdentity(**json.loads(row.model)),
                prompt_ids=unpacked(row.prompt_ids),
                num_tokens=row.num_tokens,
                num_words=row.num_words,
                read_tail=row.read_tail,
                num_left_out=row.num_left_out,
                finish_reason=None if row.finish_reason is None else FinishReason(row.finish_reason),
                error=row.error,
                created=datetime.fromisoformat(row.created),
                updated=datetime.fromisoformat(row.updated),
            )
        except (TypeError, ValueError) as error:
            raise damaged(self._path, f"run {row.run_id} cannot be read: {error}") from error


class SqliteUnitOfWork:
    """UnitOfWork over a project file; use it from one thread at a time.

    place: where the file lay on the disk when it was opened.
    """

    def __init__(self, engine: Engine, path: Path, place: os.stat_result) -> None:
        self._engine = engine
        self._path = path
        self._place = place

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        self._stack.enter_context(told_plainly(self._path))
        # closing the session rolls back whatever was not committed
        self._orm = self._stack.enter_context(Session(self._engine))
        self.manuscript = SqliteManuscripts(self._orm, self._path)
        self.runs = SqliteRuns(self._orm, self._path)
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        self._stack.__exit__(exc_type, exc, tb)

    def commit(self) -> None:
        """Make everything since the last commit permanent; it has reached the disk on return."""
        # SQLite would go on writing to a file that nobody can find any more
        if not self._path.exists() or not os.path.samestat(self._place, self._path.stat()):
            raise StorageFailed(
                f"{self._path.name} was moved, replaced or deleted while it was open. Put it back to"
                f" {self._path.parent}, then try again."
            )
        self._orm.commit()


def _chunks_of(run_id: int) -> Select[ChunkRow]:
    return select(ChunkRow).where(ChunkRow.run_id == run_id).order_by(ChunkRow.seq)


def _chunk(row: ChunkRow) -> Chunk:
    return Chunk(unpacked(row.token_ids), row.text, row.num_words, row.num_steps, row.step_ms)


def _prompt_checksum(blob: bytes) -> str:
    return hashlib.sha256(blob).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
