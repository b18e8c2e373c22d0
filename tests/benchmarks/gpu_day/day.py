"""Runs the slices: what is done stays done, what was stopped goes on, what lacks something waits."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import platform
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from quire.system.display import can_load
from quire_engine.api.atomic_file import replacing
from quire_engine.forward import backend_choice
from quire_engine.models.loading import software_versions
from tests.benchmarks.engine.options import processor_name
from tests.benchmarks.gpu_day.figures import OUTPUT, table
from tests.benchmarks.gpu_day.parcels import LIBRARIES, SITE
from tests.benchmarks.gpu_day.place import Day
from tests.benchmarks.gpu_day.slices import MINUTES, Slice, plan
from tests.engine.models.static_forms import Tape, fast_path

DONE, FAILED, UNFINISHED, WAITING = "done", "failed", "unfinished", "waiting"
RESULTS, TABLE = "results.json", "table.md"
_GRACE_S = 25.0  # in which a command that was asked to stop can save
_RESERVE_MIN = 0.4  # of its own minutes that a command gets to load and to save
_SHORTEST_MIN = 1.0  # with less left, nothing that takes long is begun
_GOES_ON = ("time is up", "the same command goes on", "the same command continues")
_SAID = 600  # characters of a failure that are kept


@dataclass(frozen=True, slots=True)
class Way:
    """How slices are run.

    Attributes:
        minutes: for all of them in this call.
        only: names or points, in the order in which they are run; empty: all.
        again: names that are run although they are done.
        inside: run them in this process, unless they need one of their own; for a trial.
    """

    minutes: float
    out: Path
    only: tuple[str, ...] = ()
    again: frozenset[str] = frozenset()
    inside: bool = False


class Ledger:
    """What is known of every slice, in a file that is written after each of them."""

    def __init__(self, day: Day, out: Path) -> None:
        self._day, self._out = day, out
        self._file = day.work / RESULTS
        self.machine: dict[str, Any] = {}
        self.slices: dict[str, dict[str, Any]] = {}
        self.take(self._file)

    def take(self, file: Path) -> None:
        """Take over what an earlier call found, maybe on another machine."""
        if file.is_file():
            known = json.loads(file.read_text(encoding="utf-8"))
            self.machine = known["machine"]
            self.slices |= known["slices"]

    def keep(self, name: str, found: dict[str, Any]) -> None:
        """Keep what a slice came to, and write everything."""
        self.slices[name] = found
        self.write()

    def write(self) -> None:
        """Write results and table, here and where they are fetched."""
        said = json.dumps({"machine": self.machine, "slices": self.slices}, indent=1) + "\n"
        rows = [(one.point, one.name, one.title, self.slices.get(one.name, {})) for one in plan(self._day)]
        for folder in dict.fromkeys((self._file.parent, self._out)):
            folder.mkdir(parents=True, exist_ok=True)
            for name, text in ((RESULTS, said), (TABLE, table(self.machine, rows))):
                with replacing(folder / name) as file:
                    file.write(text.encode())


def run(day: Day, way: Way, say: Callable[[str], None]) -> int:
    """Run what is left of the day; exit status: 0 nothing failed, 1 something did."""
    until = time.monotonic() + 60 * way.minutes
    for folder in (day.work, day.trained, way.out):
        folder.mkdir(parents=True, exist_ok=True)
    ledger = Ledger(day, way.out)
    ledger.machine = describe(day.device)
    ledger.write()
    failed = False
    for one in _chosen(plan(day), way.only):
        state = ledger.slices.get(one.name, {}).get("state")
        if state == DONE and one.name not in way.again:
            continue
        left = (until - time.monotonic()) / 60
        if left < min(_SHORTEST_MIN, one.minutes):
            say(f"{one.name}: no time is left for it in this call")
            break
        found = _tried(day, one, min(left, one.minutes), inside=way.inside)
        found["tries"] = ledger.slices.get(one.name, {}).get("tries", 0) + (found["state"] != WAITING)
        ledger.keep(one.name, found)
        say(f"{one.name}: {found['state']} {found.get('said', '')}".rstrip())
        failed = failed or found["state"] == FAILED
    return int(failed)


def _chosen(slices: Sequence[Slice], only: Sequence[str]) -> list[Slice]:
    """Return the slices that have these names or are of these points, in the order of what was asked for."""
    wanted = [one for each in only for one in slices if each in (one.name, str(one.point))]
    return list({one.name: one for one in wanted}.values()) if only else list(slices)


def _tried(day: Day, one: Slice, minutes: float, *, inside: bool) -> dict[str, Any]:
    """Run one slice; return what is kept of it."""
    if missing := [str(path) for path in one.needs if not path.exists()]:
        return {"state": WAITING, "said": f"needs {', '.join(missing)}"}
    folder = day.folder(one.name)
    folder.mkdir(parents=True, exist_ok=True)
    inner = max(minutes - _RESERVE_MIN, minutes / 2)
    arguments = [f"{inner:.2f}" if each == MINUTES else each for each in one.arguments]
    began = time.monotonic()
    with (folder / OUTPUT).open("w", encoding="utf-8") as output:
        if inside and not one.own_process:
            with _ways_of_a_card():
                code: int | None = _called(one.module, arguments, output)
        else:
            code = _started(one, arguments, output, 60 * minutes)
    said = (folder / OUTPUT).read_text(encoding="utf-8", errors="replace")
    found: dict[str, Any] = {
        "state": _state(one, code, said),
        "command": f"python -m {one.module} {' '.join(arguments)}",
        "exit": code,
        "seconds": time.monotonic() - began,
        "at": time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime()),
    }
    try:
        found["figures"] = [figure.report() for figure in one.read(folder)]
    except (OSError, ValueError, LookupError) as error:  # it ended before it could report
        if code == 0:
            found |= {"state": FAILED, "said": f"its report cannot be read: {error!r}"}
    if found["state"] == FAILED:
        found.setdefault("said", " ".join(said[-_SAID:].split()))
    elif found["state"] == UNFINISHED:
        found["said"] = "goes on in the next call"
    return found


def _state(one: Slice, code: int | None, said: str) -> str:
    if one.goes_on and (code in (None, 130) or any(sign in said[-400:] for sign in _GOES_ON)):
        return UNFINISHED
    return DONE if code == 0 else FAILED


def _started(one: Slice, arguments: Sequence[str], output: Any, seconds: float) -> int | None:
    """Run a command in a process of its own; None when it had to be stopped."""
    command = [sys.executable, "-m", one.module, *arguments]
    environment = os.environ | {"PYTHONUNBUFFERED": "1", "PYTHONFAULTHANDLER": "1", **one.environment}
    with subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=environment) as program:
        try:
            return program.wait(seconds - _GRACE_S if one.goes_on and seconds > 2 * _GRACE_S else seconds)
        except subprocess.TimeoutExpired:
            program.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            program.wait(_GRACE_S)
        if program.poll() is None:
            program.kill()
        output.write(f"\nstopped after {seconds / 60:.1f} minutes\n")
        return None


def _called(module: str, arguments: Sequence[str], output: io.TextIOBase) -> int:
    """Run a command in this process."""
    try:
        place = f"{module}.__main__" if hasattr(importlib.import_module(module), "__path__") else module
        main: Callable[[Sequence[str]], int] = importlib.import_module(place).main
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            return main(arguments)
    except Exception:  # noqa: BLE001  as in a process of its own, where it would end with a traceback
        output.write(traceback.format_exc())
        return 1


@contextlib.contextmanager
def _ways_of_a_card() -> Iterator[None]:
    """Give a processor stand-ins for a card's ways to run passes: a tape for its graphs, calls for calls."""
    usual = backend_choice.gpu_backends
    stand_ins = (fast_path(Tape, "recorded"), fast_path(name="step by step"))
    backend_choice.gpu_backends = lambda device, dtype: stand_ins if dtype == torch.bfloat16 else ()
    try:
        yield
    finally:
        backend_choice.gpu_backends = usual


def describe(device: str) -> dict[str, Any]:
    """Return where the day runs: every figure is one of this machine."""
    card = "none"
    if device == "cuda" and torch.cuda.is_available():
        asked = (
            "import torch; print(torch.cuda.get_device_name(), torch.cuda.mem_get_info()[1] // 10**9, 'GB')"
        )
        # asked by another process: this one must not hold any of the card's memory
        card = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True).stdout.strip()
    return {
        "card": card,
        "processor": f"{processor_name()}, {os.cpu_count()} cores",
        "system": f"{platform.system()}, Python {platform.python_version()}",
        "software": software_versions(),
        "device": device,
    }


@contextlib.contextmanager
def travelled(store: Path) -> Iterator[None]:
    """Let the processes that are started inside find packages and libraries that travelled here.

    Of the libraries, those alone that the machine lacks itself.
    """
    lacking = store / "lacking"
    lacking.mkdir(parents=True, exist_ok=True)
    for file in sorted((store / LIBRARIES).glob("*.so*")):
        if not (lacking / file.name).exists() and not can_load(file.name):
            (lacking / file.name).symlink_to(file)
    for name, folder in (("PYTHONPATH", store / SITE), ("LD_LIBRARY_PATH", lacking)):
        if folder.is_dir() and any(folder.iterdir()):
            os.environ[name] = os.pathsep.join(filter(None, (os.environ.get(name), str(folder))))
    yield
