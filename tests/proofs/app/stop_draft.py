"""T11: `quire draft` is asked to stop while it loads, reads, drafts or stores, and has ended soon after."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from quire_resources import SAMPLE_OPENING
from tests.proofs.app.kill_draft import num_stored, quire

WITHIN_S = 5.0
_PAUSED = 130


@dataclass(frozen=True, slots=True)
class Stop:
    """One polite request to end. wrong: empty when it was followed in time."""

    phase: str
    wrong: str = ""


def stops(folder: Path, seed: int, number: int, within_s: float = WITHIN_S) -> Iterator[Stop]:
    """Ask drafts to end at random moments, by Ctrl-C or a polite kill."""
    rng = random.Random(seed)
    path = folder / f"stopped-{seed}.quire"
    quire("new", path, "--opening", SAMPLE_OPENING)
    for _ in range(number):
        before = num_stored(path)
        child = subprocess.Popen(
            [sys.executable, "-m", "quire", "draft", str(path), "--words", "100000", "--seed", str(seed)],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=os.environ,
        )  # fmt: skip
        assert child.stderr is not None
        child.stderr.readline()  # from its first words on it listens
        time.sleep(rng.random() * 5.0)
        child.send_signal(rng.choice((signal.SIGINT, signal.SIGTERM)))
        asked = time.monotonic()
        try:
            _, said = child.communicate(timeout=4 * within_s)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            yield Stop("never", f"it had not ended after {4 * within_s} s")
            continue
        took = time.monotonic() - asked
        phase = "before the first word" if num_stored(path) == before else "drafting"
        wrong = "" if took <= within_s else f"it took {took:.1f} s"
        if child.returncode != _PAUSED or "Traceback" in said:
            wrong = f"it ended with {child.returncode}: {said[-300:]}"
        yield Stop(phase, wrong)
