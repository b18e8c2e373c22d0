"""Read and write runs and what they generated."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, select

from quire.domain.drafting.run import Chunk, Run, RunState, joined
from quire.domain.drafting.run_metrics import StepRecord
from quire.storage.codec import ID_BYTES, NO_DIGEST, chained, crc_of, digest_of_parts, now, packed, unpacked
from quire.storage.packing import (
    packed_ids,
    packed_steps,
    packed_text,
    unpacked_bytes,
    unpacked_ids,
    unpacked_steps,
    unpacked_text,
)
from quire.storage.problems import StorageProblem, damaged
from quire.storage.rows import Rows, nearest
from quire.storage.tables import CHUNK, RUN
from quire_engine.api.config import SamplingConfig
from quire_engine.api.messages import FinishReason
from quire_engine.api.model_identity import ModelIdentity

PROMPT_BLOCK = 1024
"""Ids of a prompt that are stored together: runs that begin on the same text share them."""
COMPACT_BLOCK = 4096
"""Ids of a run at rest that are stored together."""
_DIGEST_BYTES = 32
_CACHE = ", cache in "
_AT_REST = frozenset(state.value for state in RunState) - {RunState.RUNNING.value}
"""States in which everything that a run wrote is part of the text."""


@dataclass(frozen=True, slots=True)
class _Content:
    """The checksummed content of a chunk, before it was packed."""

    seq: int
    ids: bytes
    text: bytes
    num_words: int
    steps: bytes
    crc32: int
    digest: str


class RunRepository:
    """Runs and what they generated, in one open transaction.

    Args:
        damaged_runs: runs that something was wrong with when the project was opened.
    """

    def __init__(self, rows: Rows, damaged_runs: Collection[int] = ()) -> None:
        self._rows = rows
        self._damaged_runs = damaged_runs

    def all(self) -> tuple[Run, ...]:
        """Return every run, the oldest first."""
        return tuple(self._run(row) for row in self._rows.all(select(RUN).order_by(RUN.c.run_id)))

    def save(self, run: Run) -> None:
        """Insert a run or overwrite the one of the same number; its prompt and its chunks stay."""
        row = self._rows.get(RUN, run.run_id)
        stored = 0 if row is None else row.num_prompt
        if stored != run.num_prompt:
            raise ValueError(f"run {run.run_id} counts {run.num_prompt} tokens of {stored}")
        self._write(run)

    def created(self, run_id: int) -> datetime | None:
        """Return when a run was stored first; None where that is damaged."""
        with contextlib.suppress(ValueError):
            return datetime.fromisoformat(self._row(run_id).created)
        return None

    def save_prompt(self, run: Run, token_ids: Sequence[int]) -> None:
        """Save a run with the prompt that the model reads; run counts its tokens."""
        if run.num_prompt != len(token_ids):
            raise ValueError(f"run {run.run_id} counts {run.num_prompt} tokens of {len(token_ids)}")
        blocks = (token_ids[at : at + PROMPT_BLOCK] for at in range(0, len(token_ids), PROMPT_BLOCK))
        digests = (self._rows.put_content(packed(block)) for block in blocks)
        prompt = b"".join(bytes.fromhex(digest) for digest in digests)
        checksum = _prompt_checksum(prompt, len(token_ids))
        self._write(run, prompt=prompt, num_prompt=len(token_ids), prompt_checksum=checksum)

    def prompt_ids(self, run_id: int) -> tuple[int, ...]:
        """Return the tokens of the text that a run began on, checked."""
        row = self._row(run_id)
        blocks = (self._rows.content(digest) for digest in _block_digests(row.prompt))
        ids = tuple(token for block in blocks for token in unpacked(block))
        if len(ids) != row.num_prompt:
            raise damaged(self._rows.path, f"the text that run {run_id} began on has {len(ids)} tokens")
        return ids

    def append(self, run: Run, chunk: Chunk) -> None:
        """Append a chunk; `run` has the counters that include it."""
        row = self._row(run.run_id)
        digest = self._insert(run.run_id, row.num_chunks, chunk, row.chain_digest, compact=False)
        values = {
            "run_id": run.run_id,
            "chain_digest": digest,
            "num_chunks": row.num_chunks + 1,
            "num_tokens": run.num_tokens,
            "num_words": run.num_words,
            "updated": now(),
        }
        self._rows.write(RUN, values)

    def unfolded(self, run_id: int) -> tuple[Chunk, ...]:
        """Return the chunks that are not yet merged into the document's text, in order."""
        folded = select(RUN.c.num_folded).where(RUN.c.run_id == run_id).scalar_subquery()
        rows = self._rows.all(_chunks_of(run_id).where(CHUNK.c.seq >= folded))
        return tuple(_chunk(row) for row in rows)

    def mark_folded(self, run_id: int) -> None:
        """Record that every chunk so far is merged into the document's text."""
        self._rows.write(RUN, {"run_id": run_id, "num_folded": self._row(run_id).num_chunks})

    def folded_words(self, run_id: int) -> int:
        """Return the whole words of a run when it was last merged."""
        folded = select(RUN.c.num_folded).where(RUN.c.run_id == run_id).scalar_subquery()
        query = select(CHUNK.c.num_words).where(CHUNK.c.run_id == run_id, CHUNK.c.seq == folded - 1)
        return self._rows.scalar(query) or 0

    def token_ids(self, run_id: int) -> tuple[int, ...]:
        """Return every generated token of a run in order, checked."""
        row = self._row(run_id)
        ids = tuple(token for content in self._checked(row) for token in unpacked(content.ids))
        if len(ids) != row.num_tokens:
            raise damaged(self._rows.path, f"run {run_id} has {len(ids)} of {row.num_tokens} tokens")
        return ids

    def text(self, run_id: int) -> str:
        """Return what a run wrote, as it wrote it."""
        return b"".join(content.text for content in self._checked(self._row(run_id))).decode()

    def steps(self, run_id: int) -> tuple[StepRecord, ...]:
        """Return the record of every step that was kept, in order."""
        query = select(CHUNK.c.steps).where(CHUNK.c.run_id == run_id).order_by(CHUNK.c.seq)
        return tuple(step for blob in self._rows.scalars(query) if blob for step in unpacked_steps(blob))

    def compact(self, run_id: int) -> bool:
        """Store the merged chunks of a run in less space; return whether there was anything to do.

        Only whole blocks that do not grow any more: a resumed run adds to what is there.
        """
        row = self._row(run_id)
        rows = self._rows.all(_chunks_of(run_id))
        # data that does not match its checksums is never resealed
        chunks_are_sound = all(self._rows.is_sound(CHUNK, one) for one in rows)
        if run_id in self._damaged_runs or not chunks_are_sound or not self._rows.is_sound(RUN, row):
            return False
        self.token_ids(run_id)
        if row.num_folded != row.num_chunks or len(rows) < 2 or all(r.compact for r in rows[:-1]):
            return False
        blocks = _in_blocks([_chunk(chunk_row) for chunk_row in rows])
        created = rows[0].created
        self._rows.delete(CHUNK, CHUNK.c.run_id == run_id)
        digest = NO_DIGEST
        for seq, block in enumerate(blocks):
            digest = self._insert(run_id, seq, block, digest, compact=True, created=created)
        number = len(blocks)
        values = {"run_id": run_id, "num_chunks": number, "num_folded": number, "chain_digest": digest}
        self._rows.write(RUN, values)
        return True

    def verify(self, *, excused: bool = False) -> frozenset[int]:
        """Check every run against its checksums; return the damaged ones.

        Args:
            excused: rows of runs are known to be damaged. ProjectDamaged without that, and for a run whose
                words are not part of the text yet.
        """
        lengths: dict[str, int] = {}
        found = set[int]()
        for row in self._rows.all(select(RUN)):
            try:
                if not self._rows.is_sound(RUN, row):
                    raise damaged(
                        self._rows.path, f"the record of run {row.run_id} does not match its checksum"
                    )
                self._verify(row, lengths)
            except (StorageProblem, ValueError):
                if not excused or row.state not in _AT_REST:
                    raise
                found.add(row.run_id)
        return frozenset(found)

    def _verify(self, row: Row[Any], lengths: dict[str, int]) -> None:
        for digest in _block_digests(row.prompt):
            if digest not in lengths:
                lengths[digest] = len(self._rows.content(digest)) // ID_BYTES
        num_prompt = sum(lengths[digest] for digest in _block_digests(row.prompt))
        num_tokens = sum(len(content.ids) // ID_BYTES for content in self._checked(row))
        if (num_prompt, num_tokens) != (row.num_prompt, row.num_tokens):
            raise damaged(self._rows.path, f"run {row.run_id} has {num_tokens} of {row.num_tokens} tokens")

    def _insert(
        self, run_id: int, seq: int, chunk: Chunk, previous: str, *, compact: bool, created: str = ""
    ) -> str:
        """Write a chunk; return its digest."""
        blob, text = packed(chunk.token_ids), chunk.text.encode()
        steps = packed_steps(chunk.steps) if chunk.steps else b""
        digest = chained(previous, blob, text, chunk.num_words, steps)
        values = {
            "run_id": run_id,
            "seq": seq,
            "compact": compact,
            "token_ids": packed_ids(chunk.token_ids) if compact else blob,
            "text": packed_text(chunk.text) if compact else text,
            "num_words": chunk.num_words,
            "num_steps": chunk.num_steps,
            "step_ms": chunk.step_ms,
            "steps": steps or None,
            "crc32": crc_of(blob, text),
            "digest": digest,
            "created": created or now(),
        }
        self._rows.insert(CHUNK, values)
        return digest

    def _checked(self, row: Row[Any]) -> Iterator[_Content]:
        digest, num_chunks = NO_DIGEST, 0
        for content in self._contents_of(row.run_id):
            digest = chained(digest, content.ids, content.text, content.num_words, content.steps)
            found = (content.seq, content.digest, content.crc32)
            if found != (num_chunks, digest, crc_of(content.ids, content.text)):
                raise damaged(
                    self._rows.path, f"the checksum of part {content.seq} of run {row.run_id} does not match"
                )
            num_chunks += 1
            yield content
        if (num_chunks, digest) != (row.num_chunks, row.chain_digest):
            raise damaged(self._rows.path, f"parts of run {row.run_id} are missing")

    def _contents_of(self, run_id: int) -> Iterator[_Content]:
        for row in self._rows.all(_chunks_of(run_id)):
            ids, text = row.token_ids, row.text
            if row.compact:
                ids, text = packed(unpacked_ids(ids)), unpacked_bytes(text)
            yield _Content(row.seq, ids, text, row.num_words, row.steps or b"", row.crc32, row.digest)

    def _row(self, run_id: int) -> Row[Any]:
        row = self._rows.get(RUN, run_id)
        if row is None:
            raise damaged(self._rows.path, f"run {run_id} is missing")
        return row

    def _write(self, run: Run, **prompt: object) -> None:
        values: dict[str, object] = {
            "run_id": run.run_id,
            "document_id": run.document_id,
            "take_id": run.take_id,
            "state": run.state.value,
            "apart": run.diverged,
            "updated": now(),
        }
        if not run.damaged:  # the rest may be something that stands in for what cannot be read
            values |= _content_of(run)
        new = {
            "prompt": b"",
            "num_prompt": 0,
            "prompt_checksum": _prompt_checksum(b"", 0),
            "num_chunks": 0,
            "num_folded": 0,
            "chain_digest": NO_DIGEST,
            "created": now(),
        }
        self._rows.write(RUN, values | prompt, new=new)

    def _run(self, row: Row[Any]) -> Run:
        if not self._rows.is_sound(RUN, row):
            return self._damaged_run(row)
        if _prompt_checksum(row.prompt, row.num_prompt) != row.prompt_checksum:
            raise damaged(self._rows.path, f"the checksum of run {row.run_id} does not match")
        run = self._read(row)
        return replace(run, damaged=True) if row.run_id in self._damaged_runs else run

    def _damaged_run(self, row: Row[Any]) -> Run:
        """Return what can be read of a damaged record: enough to show the run, never to resume it."""
        try:
            return replace(self._read(row), damaged=True)
        except (StorageProblem, RecursionError):  # JSON nested without an end
            return Run(
                row.run_id,
                row.document_id,
                SamplingConfig(),
                max(row.goal_words, 1),
                row.base_digest,
                row.end_digest,
                nearest(RunState, row.state, RunState.FAILED),
                take_id=row.take_id,
                num_prompt=row.num_prompt,
                num_tokens=row.num_tokens,
                num_words=row.num_words,
                diverged=row.apart,
                damaged=True,
            )

    def _read(self, row: Row[Any]) -> Run:
        try:
            return Run(
                run_id=row.run_id,
                document_id=row.document_id,
                take_id=row.take_id,
                sampling=_sampling_of(row.sampling, row.seed),
                goal_words=row.goal_words,
                goal_start=row.goal_start,
                base_digest=row.base_digest,
                end_digest=row.end_digest,
                state=RunState(row.state),
                model=None if row.model is None else _model_of(row.model),
                num_prompt=row.num_prompt,
                prefill_plan=tuple(int(count) for count in json.loads(row.reading)),
                num_tokens=row.num_tokens,
                num_words=row.num_words,
                read_tail=row.read_tail,
                num_left_out=row.num_left_out,
                finish_reason=None if row.finish_reason is None else FinishReason(row.finish_reason),
                changed_at=tuple(int(count) for count in json.loads(row.changed_at)),
                error=row.error,
                diverged=row.apart,
                steering=row.steering,
                asked=_asked(row.asked),
                pauses=tuple(int(count) for count in json.loads(row.pauses)),
                created=datetime.fromisoformat(row.created),
                updated=datetime.fromisoformat(row.updated),
            )
        except (TypeError, ValueError) as error:
            raise damaged(self._rows.path, f"run {row.run_id} cannot be read: {error}") from error


def _content_of(run: Run) -> dict[str, object]:
    return {
        "seed": run.sampling.seed,
        "sampling": _stored_sampling(run.sampling),
        "goal_words": run.goal_words,
        "goal_start": run.goal_start,
        "model": None if run.model is None else json.dumps(_model_record(run.model)),
        "reading": json.dumps(run.prefill_plan),
        "num_tokens": run.num_tokens,
        "num_words": run.num_words,
        "base_digest": run.base_digest,
        "end_digest": run.end_digest,
        "read_tail": run.read_tail,
        "num_left_out": run.num_left_out,
        "finish_reason": None if run.finish_reason is None else run.finish_reason.value,
        "changed_at": json.dumps(run.changed_at),
        "error": run.error,
        "steering": run.steering,
        "asked": json.dumps(run.asked),
        "pauses": json.dumps(run.pauses),
    }


def _model_record(model: ModelIdentity) -> dict[str, Any]:
    """Return the stored record of a model.

    A separate cache format is stored with the number format: older versions, which do not know it, then see
    another number format, and begin a new run.
    """
    record: dict[str, Any] = asdict(model)
    del record["cache"]
    return record | {"dtype": f"{model.dtype}{_CACHE}{model.cache}"} if model.cache else record


def _model_of(stored: str) -> ModelIdentity:
    model = ModelIdentity(**json.loads(stored))
    dtype, _, cache = str(model.dtype).partition(_CACHE)
    return replace(model, dtype=dtype, cache=cache or model.cache)


def _stored_sampling(sampling: SamplingConfig) -> str:
    """Return the settings but for the seed, which has a column of its own."""
    values = asdict(sampling)
    del values["seed"]
    for name in ("banned", "penalty_growth"):
        if not values[name]:  # keeps what an earlier Quire can resume readable by it
            del values[name]
    return json.dumps(values)


def _sampling_of(stored: str, seed: int) -> SamplingConfig:
    """Return settings as they were stored; in records from before there were banned phrases there are none,
    and before the penalty could grow it does not."""
    values = json.loads(stored)
    if not isinstance(values, dict):
        raise ValueError(f"the settings are {stored[:80]!r}")
    banned = values.pop("banned", [])
    if not isinstance(banned, list) or not all(isinstance(phrase, str) for phrase in banned):
        raise ValueError(f"the banned phrases are {str(banned)[:80]!r}")
    return SamplingConfig(**values | {"seed": seed, "banned": tuple(banned)})


def _asked(stored: str) -> dict[str, str]:
    found = json.loads(stored)
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise ValueError(f"what was asked for is {stored[:80]!r}")
    return found


def _chunks_of(run_id: int) -> Select[Any]:
    return select(CHUNK).where(CHUNK.c.run_id == run_id).order_by(CHUNK.c.seq)


def _chunk(row: Row[Any]) -> Chunk:
    ids = unpacked_ids(row.token_ids) if row.compact else unpacked(row.token_ids)
    text = unpacked_text(row.text) if row.compact else row.text.decode()
    steps = unpacked_steps(row.steps) if row.steps else ()
    return Chunk(ids, text, row.num_words, row.num_steps, row.step_ms, steps)


def _in_blocks(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Join consecutive chunks until each but the last has at least COMPACT_BLOCK ids."""
    blocks: list[Chunk] = []
    waiting: list[Chunk] = []
    for chunk in chunks:
        waiting.append(chunk)
        if sum(len(part.token_ids) for part in waiting) >= COMPACT_BLOCK:
            blocks.append(joined(waiting))
            waiting = []
    return [*blocks, joined(waiting)] if waiting else blocks


def _block_digests(prompt: bytes) -> Iterator[str]:
    return (prompt[at : at + _DIGEST_BYTES].hex() for at in range(0, len(prompt), _DIGEST_BYTES))


def _prompt_checksum(blocks: bytes, num_prompt: int) -> str:
    return digest_of_parts(blocks, str(num_prompt).encode())
