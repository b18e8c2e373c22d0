"""What the overlay of guesses reads from a project file."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.tree import Node, NodeKind
from quire.domain.text_quality.overlays import SpanKind
from quire.domain.text_quality.source_spans import guess_spans
from quire.services.transactions import project_text
from quire.services.transactions.draft_sources import book_in_order, run_stretches
from quire.storage.project_file import create_project_file, open_project_file
from quire_engine.api.config import SamplingConfig, Source


def step(num_tokens: int, num_words: int, *kept: Source) -> StepRecord:
    return StepRecord(num_tokens, num_words, 3, 6, len(kept), 5.0, 1.0, 3.0, 0.5, kept)


def test_runs_are_read_with_their_text_and_steps(tmp_path: Path) -> None:
    path = tmp_path / "night.quire"
    second = (Node(3, NodeKind.CHAPTER, "Two", 2, position=5), Document(3, "Two", "Nobody sang."))
    project = Project("Night", datetime.now(UTC))
    create_project_file(path, project, Document(1, "One", "It rained."), [second])
    file = open_project_file(path)
    try:
        run = Run(1, 1, SamplingConfig(seed=5), 10, "a" * 64, "a" * 64)
        run = project_text.begin_run(file, run).moved_to(RunState.RUNNING)
        run = replace(run, num_prompt=2)
        project_text.save_prompt(file, run, (5, 6))
        chunks = (
            Chunk((7, 8), " The ferry", 1, 1, 5.0, (step(2, 1, "heads"),)),
            Chunk((9, 10), " came.", 2, 1, 5.0, (step(2, 2, "ngrams"),)),
        )
        for chunk in chunks:
            run = run.grown_by(chunk)
            project_text.append(file, run, chunk)
        _, document = project_text.merge_drafted_text(file, run.moved_to(RunState.PAUSED), None)
        runs = run_stretches(file, [1])
        assert list(runs) == [1]
        assert runs[1].text == " The ferry came."
        assert not runs[1].is_exact
        found = guess_spans(document.text, document.provenance, runs)
        shown = [(document.text[span.start : span.end], span.kind) for span in found.spans]
        assert found.by_pass
        assert shown == [(" The ferry", SpanKind.GUESSER), (" came.", SpanKind.PHRASES)]
        assert run_stretches(file, []) == {}
        assert book_in_order(file) == [(1, "One", "It rained. The ferry came."), (3, "Two", "Nobody sang.")]
    finally:
        file.close()
