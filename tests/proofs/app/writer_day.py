"""What a writer's day does to a project file, step by step, on the real storage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.manuscript.backup_rotation import Reason
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.project_records import SnapshotReason
from quire.services.transactions import maintenance, project_text, take_changes
from quire.storage.project_file import ProjectFile, create_project_file, open_project_file
from quire_engine.api.config import SamplingConfig
from quire_engine.api.messages import FinishReason
from quire_engine.api.model_identity import ModelIdentity

OPENING = "The ferry came late, and nobody was on it but Mara.\n\n"
_WORD = " water"
_MODEL = ModelIdentity("proof", "f" * 64, "bfloat16", 8, "none", "t" * 64, 16_384, "newest half")


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """What was acknowledged: the text of the project, and how many tokens each run has."""

    text: str
    tokens: tuple[int, ...] = ()


Acknowledge = Callable[[Acknowledged], None]
Phase = Callable[[str], None]


def a_day(
    path: Path, seed: int, acknowledge: Acknowledge, phase: Phase, *, runs: int = 2, chunks: int = 6
) -> None:
    """Make a project, draft, edit, take back, back up and close it; what is stored is acknowledged."""
    phase("making the project")
    create_project_file(
        path, Project("Proof", datetime(2026, 1, 1, tzinfo=UTC)), Document(1, "Proof", OPENING)
    )
    acknowledge(Acknowledged(OPENING))
    phase("opening")
    file = open_project_file(path)
    try:
        kept = Acknowledged(OPENING)
        for number in range(1, runs + 1):
            kept = _draft(file, seed + number, number, kept, acknowledge, phase, chunks)
            kept = _edit(file, kept, acknowledge, phase)
        phase("backing up")
        file.back_up(Reason.ASKED)
        phase("putting a take aside")
        take_changes.keep_snapshot(file, "Proof", SnapshotReason.BY_HAND)
        cut = take_changes.branch(file, 1, len(OPENING)).document
        acknowledge(kept := replace(kept, text=cut.text))
        kept = _draft(file, seed, runs + 1, kept, acknowledge, phase, chunks)
        phase("tidying")
        maintenance.tidy(file)
    finally:
        phase("closing")
        file.close()


def _draft(
    file: ProjectFile,
    seed: int,
    number: int,
    kept: Acknowledged,
    acknowledge: Acknowledge,
    phase: Phase,
    chunks: int,
) -> Acknowledged:
    phase("beginning a run")
    run = Run(number, 1, SamplingConfig(seed=seed), 50, "before", "before", model=_MODEL)
    run = project_text.begin_run(file, run.moved_to(RunState.RUNNING))
    acknowledge(kept := replace(kept, tokens=(*kept.tokens, 0)))
    run = replace(run, num_prompt=1_500)
    project_text.save_prompt(file, run, tuple(range(seed, seed + 1_500)))
    phase("drafting")
    for part in range(chunks):
        count = 3 + part % 5
        chunk = _chunk(run, count, seed + part)
        run = run.grown_by(chunk)
        project_text.append(file, run, chunk)
        kept = Acknowledged(kept.text + chunk.text, (*kept.tokens[:-1], run.num_tokens))
        acknowledge(kept)
    phase("ending a run")
    project_text.merge_drafted_text(file, run.moved_to(RunState.FINISHED, reason=FinishReason.GOAL), None)
    acknowledge(kept)
    return kept


def _chunk(run: Run, count: int, first: int) -> Chunk:
    words = run.num_words + count
    steps = tuple(
        StepRecord(1, run.num_words + 1 + step, 2, 4, 0, 5.0, 0.5, 4.0, 1.0) for step in range(count)
    )
    return Chunk(tuple(range(first, first + count)), _WORD * count, words, count, 5.0 * count, steps)


def _edit(file: ProjectFile, kept: Acknowledged, acknowledge: Acknowledge, phase: Phase) -> Acknowledged:
    phase("typing")
    text = kept.text
    for addition in (" And", " And then", " And then Mara laughed.\n\n" + "Low water. " * 400):
        project_text.save_text(file, 1, text + addition)
        acknowledge(kept := replace(kept, text=text + addition))
    return kept


def found(path: Path) -> Acknowledged:
    """Open a project as the product does, recovering what was cut off, and return what is in it."""
    file = open_project_file(path)
    try:
        opened = project_text.open_and_recover(file)
        tokens = tuple(len(project_text.token_ids(file, run.run_id)) for run in opened.runs)
        return Acknowledged(opened.document.text, tokens)
    finally:
        file.close()


def lost(promised: Acknowledged | None, there: Acknowledged | None) -> str:
    """Return what is missing of what was acknowledged; empty when nothing is."""
    if promised is None:
        return ""
    if there is None:
        return "the project is gone"
    if len(there.tokens) < len(promised.tokens):
        return f"run {len(promised.tokens)} is gone"
    for number, (then, now) in enumerate(zip(promised.tokens, there.tokens, strict=False), start=1):
        if now < then:
            return f"run {number} has {now} of {then} tokens"
    return ""
