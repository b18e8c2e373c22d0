"""`python -m tests.proofs.app --minutes N`: prove that nothing is lost; the next call goes on from there."""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Protocol

from quire_engine.api.errors import EnvironmentProblem
from tests.proofs.app import (
    another_life,
    damaged_files,
    desk_walks,
    file_events,
    hostile_documents,
    io_faults,
    kill_draft,
    kill_project_work,
    log_damaged,
    malicious_files,
    power_cut_backups,
    power_cut_proof,
    resume_equality,
    session_faults,
    side_effects,
    silent_rows,
    stop_draft,
    stop_session,
    walks,
)
from tests.proofs.app.sqlite_vfs import is_available
from tests.proofs.engine.ledger import Entry, Ledger

_LISTED = 20
_CUTS = 50
_BITS = 200
_STOPS = 5
_KILLS = 20
_RESUMES = 3
_EXAMPLES, _STEPS = 10, 50
_VALUES = 100
_DAMAGES = 50
_WALKS = 50
_DESK_WALKS = 25


class ProofCase(Protocol):
    """One thing that was tried. wrong: empty when all was as promised."""

    @property
    def phase(self) -> str:
        """What was going on."""
        ...

    @property
    def wrong(self) -> str:
        """What should not have happened."""
        ...


def _kill_draft(folder: Path, turn: int) -> Iterator[ProofCase]:
    yield from kill_draft.kills(folder, turn, ("float32", "bfloat16")[turn % 2])


def _kill_work(folder: Path, turn: int) -> Iterator[ProofCase]:
    yield from kill_project_work.work_kills(folder, turn, _KILLS)


def _power_cut_backups(folder: Path, turn: int) -> Iterator[ProofCase]:
    yield from power_cut_backups.backup_cuts(folder, turn, _CUTS)


def _resume(_folder: Path, turn: int) -> Iterator[ProofCase]:
    yield from resume_equality.resumes(turn, _RESUMES)


def _session_faults(_folder: Path, turn: int) -> Iterator[ProofCase]:
    kinds = [
        kind for kind in session_faults.KINDS if is_available() or kind not in session_faults.NEED_THE_LAYER
    ]
    yield from session_faults.troubles(kinds[turn // 2 % len(kinds)], for_ever=bool(turn % 2))


def _file_events(_folder: Path, _turn: int) -> Iterator[ProofCase]:
    yield from file_events.events()


def _store_model(_folder: Path, turn: int) -> Iterator[ProofCase]:
    from tests.proofs.app.store_state_machine import machine_cases  # Hypothesis: only where it is installed

    yield from machine_cases(turn, _EXAMPLES, _STEPS)


def _malicious_files(folder: Path, turn: int) -> Iterator[ProofCase]:
    content, overview = malicious_files.a_project(folder / f"{turn}")
    if turn == 0:
        yield from malicious_files.lookalikes()
        yield from malicious_files.added_parts(content, overview)
        yield from malicious_files.headers(content, overview)
    yield from malicious_files.values(content, overview, turn, _VALUES)
    yield from malicious_files.side_files(content, overview, turn, _VALUES // 2)


def _hostile_documents(_folder: Path, turn: int) -> Iterator[ProofCase]:
    yield from hostile_documents.attempts(turn)


def _stop_session(_folder: Path, turn: int) -> Iterator[ProofCase]:
    yield from stop_session.session_stops(turn, _KILLS)


def _side_effects(_folder: Path, _turn: int) -> Iterator[ProofCase]:
    yield from side_effects.walls()


def _power_cut(folder: Path, turn: int) -> Iterator[ProofCase]:
    record = power_cut_proof.record_an_upgrade if turn % 5 == 4 else power_cut_proof.record_a_day
    recording = record(folder, turn)
    yield from power_cut_proof.cuts(recording, folder, turn, _CUTS)


def _power_cut_control(folder: Path, turn: int) -> Iterator[ProofCase]:
    """Without the sync of every commit something must be lost, or the simulation proves nothing."""
    with power_cut_proof.synchronous_normal():
        recording = power_cut_proof.record_a_day(folder, turn)
    num_lost = sum(1 for found in power_cut_proof.cuts(recording, folder, turn, _CUTS) if found.wrong)
    phase = "lost something, as it must"
    yield power_cut_proof.Cut(0, phase, "" if num_lost else "nothing was lost without syncs")


def _io_faults(folder: Path, turn: int) -> Iterator[ProofCase]:
    names = list(io_faults.FAULTS)
    name, for_ever = names[turn // 2 % len(names)], bool(turn % 2)
    yield from io_faults.strikes(folder, name, for_ever=for_ever)


def _damaged_files(folder: Path, turn: int) -> Iterator[ProofCase]:
    if turn == 0:
        yield from damaged_files.cut_short(folder)
    yield from damaged_files.noise(turn, _BITS // 4)
    yield from damaged_files.changed_bits(folder / f"{turn}", turn, _BITS)


def _silent_rows(folder: Path, turn: int) -> Iterator[ProofCase]:
    yield from silent_rows.turned_over(folder, turn)


def _stop_draft(folder: Path, turn: int) -> Iterator[ProofCase]:
    yield from stop_draft.stops(folder, turn, _STOPS)


def _another_life(folder: Path, turn: int) -> Iterator[ProofCase]:
    yield from another_life.lives(folder, turn)


def _log_damaged(folder: Path, turn: int) -> Iterator[ProofCase]:
    yield from log_damaged.damaged_logs(folder, turn, _DAMAGES)


def _walks(folder: Path, turn: int) -> Iterator[ProofCase]:
    yield from walks.walks(folder, range(turn * _WALKS, (turn + 1) * _WALKS))


def _desk_walks(folder: Path, turn: int) -> Iterator[ProofCase]:
    yield from desk_walks.walks(folder, range(turn * _DESK_WALKS, (turn + 1) * _DESK_WALKS))


PROOFS: dict[str, tuple[str, Callable[[Path, int], Iterable[ProofCase]]]] = {
    "kill-draft": ("killed at random moments", _kill_draft),
    "kill-work": ("other work killed at random moments", _kill_work),
    "power-cut": ("power cut", _power_cut),
    "power-cut-control": ("power cut without syncs", _power_cut_control),
    "power-cut-backups": ("power cut during backups", _power_cut_backups),
    "resume": ("resumed in bfloat16", _resume),
    "io-faults": ("refused calls of the file layer", _io_faults),
    "session-faults": ("a writer who tries again", _session_faults),
    "file-events": ("what happens to files, folders and the clock", _file_events),
    "store-model": ("the store against a model", _store_model),
    "damaged-files": ("hostile project files", _damaged_files),
    "malicious-files": ("project files made to do harm", _malicious_files),
    "hostile-documents": ("documents that take all there is", _hostile_documents),
    "another-life": ("a log that another project left behind", _another_life),
    "log-damaged": ("a log damaged after a kill", _log_damaged),
    "silent-rows": ("one bit in every column of every table", _silent_rows),
    "walks": ("everything that happens to files, mixed", _walks),
    "desk-walks": ("a writer's steps in the window, mixed", _desk_walks),
    "stop-draft": ("asked to stop", _stop_draft),
    "stop-session": ("stopped at an exact place", _stop_session),
    "side-effects": ("walls", _side_effects),
}
_NEEDS_VFS = {"power-cut", "power-cut-control", "power-cut-backups", "io-faults"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove until the time is up; exit status: 0 all holds, 1 something was lost, 130 stopped."""
    args = _parser().parse_args(arguments)
    logging.disable(logging.CRITICAL)
    try:
        ledger = Ledger(args.work / "project-file.jsonl", {"proof": "project file"})
        if args.turn is not None:
            return _repeat(args.only.split(","), args.turn)
        if not args.report:
            _prove(ledger, args.only.split(","), time.monotonic() + args.minutes * 60)
    except EnvironmentProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Stopped. What was proved is kept; call again to go on.\n")
        return 130
    sys.stdout.write(_report(ledger))
    return 1 if ledger.failures else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.app", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long; the case in hand is finished")
    parser.add_argument(
        "--only",
        default=",".join(PROOFS),
        help="some of " + ", ".join(f"{k}: {v[0]}" for k, v in PROOFS.items()),
    )
    parser.add_argument(
        "--work", type=Path, default=Path("quire-proofs"), help="folder that remembers what is done"
    )
    parser.add_argument("--turn", type=int, help="repeat this turn of --only, and keep no count of it")
    parser.add_argument("--report", action="store_true", help="only show what was proved so far")
    return parser


def _check_names(names: Sequence[str]) -> None:
    if unknown := set(names) - PROOFS.keys():
        raise EnvironmentProblem(
            f"There is no proof {', '.join(sorted(unknown))}. Choose among {', '.join(PROOFS)}."
        )


def _repeat(names: Sequence[str], turn: int) -> int:
    _check_names(names)
    num_wrong = 0
    for name in names:
        with tempfile.TemporaryDirectory(prefix="quire-proof-") as folder:
            for number, case in enumerate(PROOFS[name][1](Path(folder), turn)):
                if case.wrong:
                    num_wrong += 1
                    sys.stdout.write(f"{name}/{turn}/{number} ({case.phase}): {case.wrong}\n")
    sys.stdout.write(f"{num_wrong:,} lost or wrong\n")
    return 1 if num_wrong else 0


def _prove(ledger: Ledger, names: Sequence[str], until_s: float) -> None:
    _check_names(names)
    if not is_available():
        sys.stderr.write("This Python hides its SQLite, so the proofs on the file layer are left out.\n")
        names = [name for name in names if name not in _NEEDS_VFS]
    if sys.platform == "win32":  # what a process takes is measured with getrusage
        names = [name for name in names if name != "hostile-documents"]
    if "store-model" in names and find_spec("hypothesis") is None:
        sys.stderr.write("Hypothesis is not installed, so the store is not compared with a model.\n")
        names = [name for name in names if name != "store-model"]
    turns = {name: _next_turn(ledger, name) for name in names}
    while names and time.monotonic() < until_s:
        # the one that has had the least time so far, so that slow and fast proofs get their share
        name = min(names, key=lambda name: sum(e.seconds for e in _entries(ledger, name)))
        with tempfile.TemporaryDirectory(prefix="quire-proof-") as folder:
            _one_turn(ledger, name, next(turns[name]), Path(folder))


def _one_turn(ledger: Ledger, name: str, turn: int, folder: Path) -> None:
    what, prove = PROOFS[name]
    started = time.monotonic()
    for number, case in enumerate(prove(folder, turn)):
        now = time.monotonic()
        key = f"{name}/{turn}/{number}"
        how = f"python -m tests.proofs.app --turn {turn} --only {name}  # turn {turn}, case {number}"
        ledger.add(Entry(key, f"{name} {what}: {case.phase}", case.wrong, 0, 0, now - started, how))
        started = now
        if case.wrong:
            sys.stderr.write(f"{key} ({case.phase}): {case.wrong}\n")


def _next_turn(ledger: Ledger, name: str) -> Iterator[int]:
    done = {int(entry.key.split("/")[1]) for entry in _entries(ledger, name)}
    return count(max(done, default=-1) + 1)


def _entries(ledger: Ledger, name: str) -> list[Entry]:
    return [entry for entry in ledger.entries.values() if entry.key.startswith(f"{name}/")]


def _report(ledger: Ledger) -> str:
    counts = Counter(entry.phase for entry in ledger.entries.values())
    failed = Counter(entry.phase for entry in ledger.failures)
    lines = [
        f"{count:>7,}  {failed[phase]:>4,} lost or wrong  {phase}" for phase, count in sorted(counts.items())
    ]
    lines += [f"{entry.how_to_repeat}\n  {entry.difference}" for entry in ledger.failures[:_LISTED]]
    lines.append(
        f"{sum(counts.values()):>7,} cases, {len(ledger.failures):,} of them lost something or went wrong"
    )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
