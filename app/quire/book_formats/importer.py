"""Reads a manuscript of another program in a process of its own, and previews its import."""

from __future__ import annotations

import json
from dataclasses import astuple
from datetime import datetime
from pathlib import Path
from typing import Any

from quire.book_formats.importing.import_plan import Division, ImportPlan, PreviewPiece
from quire.book_formats.importing.import_worker import unpacked_message
from quire.book_formats.importing.pandoc_reader import Manuscript
from quire.book_formats.work_progress import WorkProgress
from quire.domain.manuscript.comments import anchored, unplaced
from quire.domain.manuscript.tree import NodeKind
from quire.errors import WriterProblem
from quire.system.limited_process import LimitPassed, ProcessFailed, result_of
from quire.system.resource_limits import ResourceLimits

LIMITS = ResourceLimits()
"""Of reading one file: a novel of 500,000 words takes about half of them."""
SUFFIXES = (".txt", ".md", ".markdown", ".docx", ".odt", ".epub", ".rtf", ".html", ".htm")
TEXTS = (".txt", ".md", ".markdown")
_WORKER = "quire.book_formats.importing.import_worker"
_BYTES_PER_S = 1_000_000
"""What is read in a second, measured; only for the progress that is shown."""
_START_S = 0.3


def read_manuscript(path: Path, watch: WorkProgress | None = None, encoding: str = "") -> ImportPlan:
    """Return the manuscript in a file; nothing of it is stored anywhere.

    WriterProblem when it cannot be read; Cancelled when the writer stopped it.

    Args:
        encoding: that of a text file; empty: the one that fits.
    """
    watch = watch or WorkProgress()
    watch.step(0.05)
    expected_s = _START_S + _num_bytes(path) / _BYTES_PER_S
    arguments = [*map(str, astuple(LIMITS)), str(path.absolute()), encoding]
    try:
        result = result_of(
            _WORKER, arguments, LIMITS, lambda seconds: watch.step(0.05 + 0.9 * min(seconds / expected_s, 1))
        )
    except LimitPassed as problem:
        raise _too_much(path) from problem
    except ProcessFailed as problem:
        raise WriterProblem(
            "{file} can't be read. Save it again in the program that made it, or as plain text.",
            file=path.name,
        ) from problem
    except OSError as error:
        raise WriterProblem(
            "The import could not be started ({reason}). Close other programs or free some disk space, and "
            "try again.",
            reason=error.strerror or str(error),
        ) from error
    plan = _plan(path, json.loads(result.decode("utf-8", "surrogatepass")))
    watch.step(1.0)
    return plan


def _plan(path: Path, answer: dict[str, Any]) -> ImportPlan:
    if "problem" in answer:
        raise WriterProblem(unpacked_message(answer["problem"]))
    title, author, text, left_out, left_out_text, encoding = answer["manuscript"]
    comments = tuple(
        anchored(unplaced(n, said, who, datetime.fromisoformat(made)), text, start, end)
        for n, (start, end, said, who, made) in enumerate(answer["comments"], start=1)
    )
    manuscript = Manuscript(
        title,
        author,
        text,
        tuple((name, count) for name, count in left_out),
        comments,
        left_out_text,
        encoding,
    )
    previews = tuple(
        (Division(division), tuple(PreviewPiece(NodeKind(kind), name, words) for kind, name, words in pieces))
        for division, pieces in answer["previews"]
    )
    return ImportPlan(path, manuscript, previews)


def _too_much(path: Path) -> WriterProblem:
    if path.suffix.lower() in TEXTS:
        return WriterProblem(
            "{file} takes too much time or memory to read. Split it into several files and import them one "
            "by one.",
            file=path.name,
        )
    return WriterProblem(
        "{file} takes too much time or memory to read. Save it as plain text and import that.",
        file=path.name,
    )


def _num_bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # the process that reads it says why
        return 0
