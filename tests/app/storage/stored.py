"""A project with one run, and ways to store and to change it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.manuscript.manuscript import Project
from quire.storage.project_file import ProjectFile
from quire_engine.api.config import SamplingConfig
from quire_engine.api.messages import FinishReason
from quire_engine.api.model_identity import ModelIdentity
from tests.stored_rows import digested

PROJECT = Project("The Ferry", datetime(2025, 1, 2, 3, 4, tzinfo=UTC))
TEXT = "It was a dark\nand stormy night \u2014 \U0001f600."
RUN = Run(
    run_id=1,
    document_id=1,
    sampling=SamplingConfig(seed=2**62, temperature=0.7),
    goal_words=500,
    base_digest="base",
    end_digest="end",
    state=RunState.FAILED,
    goal_start=20,
    model=ModelIdentity("novelist", "f" * 64, "bfloat16", 8, "torch"),
    num_prompt=3,
    prefill_plan=(2, 1),
    num_words=7,
    read_tail=True,
    num_left_out=3,
    finish_reason=FinishReason.END_OF_TEXT,
    error="Out of memory.",
)
PROMPT = (5, 6, 2**32 - 1)
CHUNKS = (Chunk((5, 6), "a b", 2, 2, 3.0), Chunk((7,), "", 2, 1, 1.5), Chunk((8, 9), " c\n", 3, 1, 2.0))


def store_run(file: ProjectFile, run: Run = RUN, chunks: tuple[Chunk, ...] = CHUNKS) -> Run:
    with file.unit() as unit:
        unit.runs.save_prompt(run, PROMPT)
        unit.commit()
    for chunk in chunks:
        run = run.grown_by(chunk)
        with file.unit() as unit:
            unit.runs.append(run, chunk)
            unit.commit()
    return run


def save_text(file: ProjectFile, text: str) -> None:
    with file.unit() as unit:
        unit.manuscript.save(unit.manuscript.document(1).edited(text))
        unit.commit()


def changed(path: Path, *statements: str) -> Path:
    """Change a closed project behind Quire's back."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return path


def made_wrong(path: Path, *statements: str) -> Path:
    """Change a closed project, with the digests that its rows then have, as a foreign program could."""
    changed(path, *statements)
    with closing(sqlite3.connect(path)) as connection:
        digested(connection)
        connection.commit()
    return path
