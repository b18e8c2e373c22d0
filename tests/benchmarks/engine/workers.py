"""Processes that hold a model each and take orders: a line of JSON on stdin, an answer on stdout.

So every program is loaded, timed and weighed on its own, llama.cpp may be another environment's, and no
program finds what another left. It imports the standard library alone, for llama_worker's sake.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parents[3]
_STATUS = Path("/proc/self/status")


class WorkerEnded(Exception):
    """A process ended before it answered; it said why."""


class Worker:
    """A process, started from one of the modules with a `serve`. peak_bytes: the most memory it ever held."""

    def __init__(self, name: str, module: str, python: str = sys.executable) -> None:
        self.name, self.peak_bytes = name, 0
        command = [python, "-m", f"tests.benchmarks.engine.{module}"]
        self._process = subprocess.Popen(
            command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def do(self, order: str, **details: Any) -> dict[str, Any]:
        """Give an order and return its answer, with what it took; WorkerEnded where there is none."""
        sent, received = self._process.stdin, self._process.stdout
        assert sent is not None
        assert received is not None
        try:
            sent.write(json.dumps({"do": order, **details}) + "\n")
            sent.flush()
            answer: dict[str, Any] = json.loads(received.readline())
        except (BrokenPipeError, json.JSONDecodeError) as error:
            raise WorkerEnded(f"{self.name} ended; it said why.") from error
        self.peak_bytes = answer["peak_bytes"]
        return answer

    def stop(self) -> None:
        """End the process."""
        self._process.communicate()


def serve(model: object) -> None:
    """Carry out orders, which are methods of `model`, until stdin ends; then end the process.

    An answer says how long it took by the clock and of the processor, unless the method said that, and the
    most memory that the process ever held.
    """
    answers, sys.stdout = sys.stdout, sys.stderr  # whatever a library prints is no answer
    try:
        for line in sys.stdin:
            answers.write(json.dumps(_answer(model, json.loads(line))) + "\n")
            answers.flush()
    except Exception:  # noqa: BLE001  whatever it is, it is said, and the process ends
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(0)  # threads of a library may wait for each other at the end of Python


def _answer(model: object, order: dict[str, Any]) -> dict[str, Any]:
    do: Callable[..., dict[str, Any]] = getattr(model, order.pop("do"))
    started = time.perf_counter(), time.process_time()
    answer = do(**order)
    took = {
        "seconds": time.perf_counter() - started[0],
        "processor_s": time.process_time() - started[1],
        "peak_bytes": peak_bytes(),
    }
    return took | answer


def peak_bytes() -> int:
    """Return the most memory that the process ever held."""
    try:
        for line in _STATUS.read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass  # only Linux has it
    if sys.platform == "win32":
        from quire_engine.api.errors import EnvironmentProblem

        raise EnvironmentProblem("This system does not tell how much memory a process holds.")
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024  # the same field, in other units
