"""Writing sessions in the project file, with what runs drafted in them, whatever ended the last one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import tzinfo

from quire.domain.drafting.run import Run
from quire.domain.manuscript.project_records import WritingSession
from quire.domain.manuscript.writing_statistics import IDLE_LIMIT_S, local_day
from quire.storage.project_file import ProjectFile
from quire.storage.unit_of_work import UnitOfWork
from quire_engine.metrics.word_count import count_words

COUNTED = "counted of run"
"""The setting with the run that was counted last, and how many of its words writing sessions have."""


@dataclass(frozen=True, slots=True)
class CountedRun:
    """How many words of a run writing sessions have; seed: a later run may get the same number."""

    run_id: int
    seed: int
    words: int

    def is_of(self, run: Run) -> bool:
        """Return whether it is about a run."""
        return (self.run_id, self.seed) == (run.run_id, run.sampling.seed)


def sessions_of(file: ProjectFile) -> tuple[WritingSession, ...]:
    """Return every writing session, the oldest first."""
    with file.reading() as unit:
        return unit.records.writing_sessions()


def counted_run(file: ProjectFile) -> CountedRun | None:
    """Return the run that was counted last; None before any."""
    with file.reading() as unit:
        return _counted(unit)


def store_sessions(
    file: ProjectFile, sessions: Iterable[WritingSession], counted: CountedRun | None = None
) -> None:
    """Insert writing sessions, or overwrite those of the same numbers, and store what they count of a run."""
    with file.unit() as unit:
        for session in sessions:
            unit.records.save_writing_session(session)
        if counted is not None:
            _save_counted(unit, counted)
        unit.commit()


def count_recovered(unit: UnitOfWork, runs: Iterable[Run], zone: tzinfo | None = None) -> None:
    """Count what interrupted runs had stored, and what no writing session has yet.

    A session is stored every half minute, a text much more often: after a crash the text has more.

    Args:
        runs: as recovered, before their texts are marked as merged.
        zone: None for the computer's.
    """
    counted = _counted(unit)
    for run in runs:
        known = unit.runs.folded_words(run.run_id)  # a run is counted whenever it rests
        if counted is not None and counted.is_of(run):
            known = counted.words
        words = count_words(unit.runs.text(run.run_id))  # with the last one, which nothing follows
        if words > known:
            _add_drafted(unit, run, words - known, zone)
            _save_counted(unit, CountedRun(run.run_id, run.sampling.seed, words))


def _add_drafted(unit: UnitOfWork, run: Run, words: int, zone: tzinfo | None) -> None:
    """Add drafted words to the session of the day on which they were stored, or to a new one."""
    if run.updated is None:
        return
    sessions = unit.records.writing_sessions()
    last = max(sessions, key=lambda one: one.session_id, default=None)
    if last is None or local_day(last.started, zone) != local_day(run.updated, zone):
        number = 1 if last is None else last.session_id + 1
        last = WritingSession(number, run.updated, run.updated)
    passed_s = max((run.updated - last.ended).total_seconds(), 0.0)
    ended, active_s = max(last.ended, run.updated), last.active_s + min(passed_s, IDLE_LIMIT_S)
    drafted = last.words_drafted + words
    unit.records.save_writing_session(replace(last, ended=ended, active_s=active_s, words_drafted=drafted))


def _counted(unit: UnitOfWork) -> CountedRun | None:
    match unit.records.setting(COUNTED):
        case [int(run_id), int(seed), int(words)]:
            return CountedRun(run_id, seed, words)
        case _:
            return None


def _save_counted(unit: UnitOfWork, counted: CountedRun) -> None:
    unit.records.save_setting(COUNTED, [counted.run_id, counted.seed, counted.words])
