from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from dataclasses import astuple
from pathlib import Path

import pytest

from quire.system.limited_process import LimitPassed, ProcessFailed, result_of
from quire.system.resource_limits import LIMIT_EXIT, ResourceLimits, is_limit_passed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a job keeps the limits there")

_MIB = 2**20
_MODULE = """
import os, subprocess, sys, time
from quire.system.resource_limits import ResourceLimits, limit_this_process, sharing_cpu_time
*numbers, deed, note = sys.argv[1:]
limits = ResourceLimits(*map(int, numbers[:3]), float(numbers[3]))
limit_this_process(limits)
def busy(seconds):
    while time.process_time() < seconds:
        pass
if deed == "answer":
    sys.stdout.write("low water")
elif deed == "busy":
    busy(1e9)
elif deed == "greedy":
    try:
        held = [bytearray(2**20) for _ in range(10_000)]
    except MemoryError:
        sys.exit(75)
elif deed == "talkative":
    while True:
        os.write(1, bytes(2**20))
elif deed == "patient":
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with open(note, "w") as file:
        file.write(str(child.pid))
    child.wait()
elif deed == "busy child":
    with sharing_cpu_time(limits):
        done = subprocess.run([sys.executable, "-c", "while True: pass"])
    print(done.returncode)
elif deed == "busy after a child":
    with sharing_cpu_time(limits):
        subprocess.run([sys.executable, "-c", "import time\\nwhile time.process_time() < 1.2: pass"])
    busy(1e9)
else:
    raise ValueError(deed)
"""


@pytest.fixture
def deeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "deeds.py").write_text(_MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path / "note"


def done(deed: str, note: Path, **limits: float) -> bytes:
    kept = ResourceLimits(**({"cpu_s": 20, "memory_bytes": 512 * _MIB, "output_bytes": 8 * _MIB} | limits))  # type: ignore[arg-type]
    return result_of("deeds", [*map(str, astuple(kept)), deed, str(note)], kept, lambda _seconds: None)


def test_what_stays_within_the_limits_has_a_result(deeds: Path) -> None:
    assert done("answer", deeds) == b"low water"


@pytest.mark.parametrize(
    ("deed", "limits"),
    [
        ("busy", {"cpu_s": 1}),
        ("greedy", {"memory_bytes": 64 * _MIB}),
        ("talkative", {"output_bytes": _MIB}),
        ("patient", {"wall_s": 0.5}),
        ("busy after a child", {"cpu_s": 2}),
    ],
)
def test_what_passes_a_limit_is_ended(deed: str, limits: dict[str, float], deeds: Path) -> None:
    with pytest.raises(LimitPassed):
        done(deed, deeds, **limits)


def test_a_child_gets_what_is_left_of_the_processor_time(deeds: Path) -> None:
    assert is_limit_passed(int(done("busy child", deeds, cpu_s=3)))


def test_what_fails_has_no_result(deeds: Path) -> None:
    with pytest.raises(ProcessFailed, match="exit status 1"):
        done("fail", deeds)


def test_a_process_ends_with_all_that_it_started(deeds: Path) -> None:
    class Enough(Exception):
        pass

    def poll(_seconds: float) -> None:
        if deeds.exists() and deeds.read_text():
            raise Enough

    limits = ResourceLimits()
    with pytest.raises(Enough):
        result_of("deeds", [*map(str, astuple(limits)), "patient", str(deeds)], limits, poll)
    child = int(deeds.read_text())
    state = Path(f"/proc/{child}/stat")
    if state.exists():  # it may be ending, and nobody may have waited for it yet
        with contextlib.suppress(ProcessLookupError), os.fdopen(os.pidfd_open(child)) as ended:
            assert select.select([ended], [], [], 60)[0]
    elif sys.platform != "linux":
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)


def test_the_ends_that_a_limit_makes() -> None:
    assert all(map(is_limit_passed, (LIMIT_EXIT, -signal.SIGXCPU, -signal.SIGKILL, -signal.SIGXFSZ)))
    assert not any(map(is_limit_passed, (0, 1, 2, -signal.SIGSEGV, 251)))
