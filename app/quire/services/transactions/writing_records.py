"""Writing sessions in the project file, with what runs drafted in them, whatever ended the last one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Self

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
    """How many words of a run writing sessions have.

    A later run may get the number of one that was deleted, and a preset may fix its seed: created, when the
    run was stored first, tells them apart. It is empty where an earlier Quire stored the rest alone.
    """

    run_id: int
    seed: int
    words: int
    created: str = ""

    @classmethod
    def of(cls, run: Run, words: int) -> Self:
        """Return that so many words of a run are counted."""
        return cls(run.run_id, run.sampling.seed, words, _created(run))

    def is_of(self, run: Run) -> bool:
        """Return whether it is about a run."""
        is_same = (self.run_id, self.seed) == (run.run_id, run.sampling.seed)
        return is_same and self.created in ("", _created(run))


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

    A session is stored every half minute, a text much more often: after a crash the text has more. What
    `quire draft` added since the last count is counted with it where that was killed: a run does not say who
    drafted it, so it looks like a crash of the window.

    Args:
        runs: as recovered, before their texts are marked as merged.
        zone: None for the computer's.
    """
    counted = _counted(unit)
    for run in runs:
        words = count_words(unit.runs.text(run.run_id))  # with the last one, which nothing follows
        known = unit.runs.folded_words(run.run_id)  # a run is counted whenever it rests
        if counted is None:  # an earlier Quire counted, and did not store of which run
            known = max(known, min(words, _drafted_meanwhile(unit, run)))
        elif counted.is_of(run):
            known = counted.words
        if words > known:
            _add_drafted(unit, run, words - known, zone)
            _save_counted(unit, CountedRun.of(run, words))


def _drafted_meanwhile(unit: UnitOfWork, run: Run) -> int:
    """Return how many words, of any run, the sessions count in which a run was drafted."""
    if run.created is None or run.updated is None:
        return 0
    return sum(
        session.words_drafted
        for session in unit.records.writing_sessions()
        if session.started <= run.updated and run.created <= session.ended
    )


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
        case [int(run_id), int(seed), int(words)]:  # of an earlier Quire
            return CountedRun(run_id, seed, words)
        case [int(run_id), int(seed), int(words), str(created)]:
            return CountedRun(run_id, seed, words, created)
        case _:
            return None


def _save_counted(unit: UnitOfWork, counted: CountedRun) -> None:
    created = [counted.created] if counted.created else []
    unit.records.save_setting(COUNTED, [counted.run_id, counted.seed, counted.words, *created])


def _created(run: Run) -> str:
    return "" if run.created is None else run.created.isoformat()
