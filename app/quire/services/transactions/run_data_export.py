"""The steps of a project's runs, for other programs: CSV and JSON."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from quire.domain.drafting.pass_course import CoursePoint, pass_course
from quire.domain.drafting.run import Run
from quire.domain.drafting.run_metrics import StepRecord
from quire.errors import WriterProblem
from quire.services.transactions import project_text
from quire.storage.project_file import ProjectFile, open_project_reader
from quire_engine.metrics.acceptance import PHRASES

COLUMNS = (
    "run", "step", "num_tokens", "tokens", "words", "depth", "drafted", "accepted", "sources",
    "step_ms", "draft_ms", "verify_ms", "margin",
)  # fmt: skip
"""run: its number. step: from 1 on, one draft and one verify pass each. num_tokens: that the step added; its
mean is the tokens per pass. tokens, words: in the run after it. depth: longest drafted path, 0 for a plain
step; drafted: guesses that its pass checked; accepted: those that were right. Sum of accepted / sum of depth
is alpha, which JSON names, with its part beta: that of the steps whose accepted tokens all came from phrases,
and with the course of the run, its tokens per pass and milliseconds per token by thousand words.
sources: which drafter each accepted token came from. step_ms: milliseconds of the step, draft_ms
and verify_ms parts of it. margin: smallest distance between the best two scores, in logits; empty (in JSON
null) where no other token could have been drawn. On a server a step is a piece of text as it came, and what
only the server knows is empty: its tokens, its parts, and draft tokens of which it told nothing."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class RunData:
    """A run and the record of its steps; runs of projects of format 1 have none."""

    run: Run
    steps: tuple[StepRecord, ...]


def read_runs(path: Path, run_id: int | None = None) -> tuple[RunData, ...]:
    """Return the runs of a project, or one of them, without changing the file."""
    file = open_project_reader(path)
    try:
        return runs_of(file, run_id)
    finally:
        file.close()


def runs_of(file: ProjectFile, run_id: int | None = None) -> tuple[RunData, ...]:
    """Return the runs of an open project, or one of them."""
    runs = project_text.read(file).runs
    with file.reading() as unit:
        return tuple(
            RunData(run, unit.runs.steps(run.run_id))
            for run in runs
            if run_id is None or run.run_id == run_id
        )


def book_course(file: ProjectFile) -> tuple[CoursePoint, ...]:
    """Return the tokens per pass over all that was drafted in a project by models of this computer."""
    runs = (each for each in runs_of(file) if each.run.model is None or not each.run.model.is_on_server)
    return pass_course([each.steps for each in runs])


def write_file(path: Path, runs: Sequence[RunData]) -> None:
    """Write runs to a file, in the format of its name; WriterProblem when it cannot be written."""
    write = write_json if path.suffix.lower() == ".json" else write_csv
    try:
        with path.open("w", encoding="utf-8", newline="") as stream:
            write(stream, runs)
    except OSError as error:
        raise WriterProblem(
            "{path} could not be saved ({reason}). Choose another folder.", path=path, reason=error.strerror
        ) from error


def write_csv(stream: TextIO, runs: Sequence[RunData]) -> None:
    """Write one line for each step."""
    writer = csv.writer(stream)
    writer.writerow(COLUMNS)
    for data in runs:
        for row in run_rows(data.run, data.steps):
            writer.writerow([_cell(value) for value in row])


def write_json(stream: TextIO, runs: Sequence[RunData]) -> None:
    """Write one object for each run, with its settings and its model, on a line of its own."""
    for data in runs:
        steps = [dict(zip(COLUMNS[1:], row[1:], strict=True)) for row in run_rows(data.run, data.steps)]
        json.dump(
            {
                **run_facts(data.run),
                **_acceptance(data.run, data.steps),
                "course": _course(data),
                "steps": steps,
            },
            stream,
            allow_nan=False,
        )
        stream.write("\n")


def _acceptance(run: Run, steps: Sequence[StepRecord]) -> dict[str, float | None]:
    """Return alpha and beta (see `quire_engine.metrics`) of a run; None where nothing was drafted ahead.

    A server doesn't tell where its draft tokens came from, so beta is None there.
    """
    on_server = run.model is not None and run.model.is_on_server
    depth = sum(step.depth or (step.num_drafted if on_server else 0) for step in steps)
    if not depth:
        return {"alpha": None, "beta": None}
    accepted = sum(step.num_accepted for step in steps)
    by_phrases = sum(len(step.sources) for step in steps if PHRASES.issuperset(step.sources))
    return {"alpha": accepted / depth, "beta": None if on_server else by_phrases / depth}


def _course(data: RunData) -> list[dict[str, Any]] | None:
    """Return the tokens per pass by thousand words of a run; None for a server's, which only it knows."""
    if data.run.model is not None and data.run.model.is_on_server:
        return None
    return [
        {
            "words": point.words,
            "tokens_per_pass": round(point.tokens_per_pass, 4),
            "ms_per_token": _rounded(point.ms_per_token, 3),
        }
        for point in pass_course([data.steps])
    ]


def run_facts(run: Run) -> dict[str, Any]:
    """Return the facts of a run, in JSON types."""
    on_server = run.model is not None and run.model.is_on_server
    return {
        "id": run.run_id,
        "state": run.state.value,
        "seed": run.sampling.seed,
        "settings": asdict(run.sampling),
        "goal_words": run.goal_words,
        "words": run.num_words,
        "tokens": None if on_server else run.num_tokens,
        "prompt_tokens": None if on_server else run.num_prompt,
        "left_out_tokens": None if on_server else run.num_left_out,
        "model": None if run.model is None else asdict(run.model),
        "finish_reason": None if run.finish_reason is None else run.finish_reason.value,
        "changed_at": list(run.changed_at),
        "error": run.error,
        "created": None if run.created is None else run.created.isoformat(),
        "updated": None if run.updated is None else run.updated.isoformat(),
    }


def run_rows(run: Run, steps: Iterable[StepRecord]) -> Iterator[tuple[Any, ...]]:
    """Yield the values of COLUMNS for each step; sources are a tuple, and values that are not finite are
    None.
    """
    if run.model is not None and run.model.is_on_server:
        yield from _server_rows(run, steps)
        return
    tokens = 0
    for number, step in enumerate(steps, start=1):
        tokens += step.num_tokens
        yield (
            run.run_id, number, step.num_tokens, tokens, step.num_words, step.depth, step.num_drafted,
            step.num_accepted, step.sources, _rounded(step.step_ms, 3), _rounded(step.draft_ms, 3),
            _rounded(step.verify_ms, 3), _rounded(step.margin, 4),
        )  # fmt: skip


def _server_rows(run: Run, steps: Iterable[StepRecord]) -> Iterator[tuple[Any, ...]]:
    """As run_rows, for a run whose tokens only the server knows."""
    for number, step in enumerate(steps, start=1):
        told = (
            (step.depth or None, step.num_drafted, step.num_accepted)
            if step.num_drafted
            else (None, None, None)
        )
        yield (
            run.run_id, number, None, None, step.num_words, *told, step.sources, _rounded(step.step_ms, 3),
            None, None, None,
        )  # fmt: skip


def _rounded(number: float, digits: int) -> float | None:
    return round(number, digits) if math.isfinite(number) else None  # JSON has no other numbers


def _cell(value: object) -> object:
    """Return a value for a cell; a text that a spreadsheet would read as a formula is escaped."""
    text = " ".join(value) if isinstance(value, tuple) else value
    return f"'{text}" if isinstance(text, str) and text.startswith(_FORMULA) else text


def export_runs(file: ProjectFile, path: Path) -> int:
    """Write every step of every run to a file; return how many runs there are."""
    if path.resolve() == file.path or path.suffix == file.path.suffix:
        raise WriterProblem("{file} is a project. Choose another name for the run data.", file=path.name)
    runs = runs_of(file)
    write_file(path, runs)
    return len(runs)
