"""Real processes that end in every way there is, and what the next start knows of it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from quire.diagnostics.crash_reporting import Reporting
from quire.diagnostics.session_records import KEPT_REPORTS, LOG_LINES, kept_reports, last_time
from tests.fakes import ENVIRONMENT

PHRASE = "Mara went down to the ferry"
START = """
import asyncio, ctypes, faulthandler, logging, os, signal, sys, threading
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer, qWarning, Slot, QObject
from quire.diagnostics.crash_reporting import Reporting
from tests.fakes import ENVIRONMENT
app = QCoreApplication([])
reporting = Reporting(Path(sys.argv[1]))
reporting.start()
log = logging.getLogger("quire.services.example")
PHRASE = "Mara went down to the ferry"
"""


def start(folder: Path, code: str, *, finish: bool = True) -> subprocess.CompletedProcess[str]:
    """Run a start of Quire in a process of its own."""
    script = START + code + ("\nreporting.finish()\n" if finish else "")
    command = [sys.executable, "-c", script, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=150, check=False, env=ENVIRONMENT)


IN_A_SLOT = """
class Taker(QObject):
    @Slot()
    def take(self):
        QTimer.singleShot(0, app.quit)
        raise ValueError(PHRASE)
taker = Taker()
QTimer.singleShot(0, taker.take)
log.warning("about to fail with %s", PHRASE)
qWarning("QFoo::bar: " + PHRASE)
app.exec()
print(reporting.report())
"""


def test_what_a_slot_raises_is_in_the_report_without_a_word_of_the_text(tmp_path: Path) -> None:
    done = start(tmp_path, IN_A_SLOT)
    assert done.returncode == 0
    assert "ValueError" in done.stdout
    assert "in take" in done.stdout
    assert "about to fail with %s" in done.stdout
    assert "Qt warning: QFoo::bar" in done.stdout
    assert PHRASE not in done.stdout
    assert PHRASE in done.stderr  # where it always went: the terminal
    assert last_time(tmp_path).unexpectedly is False  # it went on and ended as it should
    assert list(tmp_path.iterdir()) == []


OTHERS = """
async def fail():
    raise KeyError(PHRASE)
async def main():
    reporting.watch_loop(asyncio.get_running_loop())
    task = asyncio.ensure_future(fail())
    await asyncio.wait([task])
    del task
asyncio.run(main())
def in_thread():
    raise LookupError(PHRASE)
thread = threading.Thread(target=in_thread)
thread.start(); thread.join()
class Bad:
    def __del__(self):
        raise ArithmeticError(PHRASE)
bad = Bad(); del bad
raise RuntimeError(PHRASE)
"""


def test_what_ends_a_task_a_thread_and_the_process_is_noted(tmp_path: Path) -> None:
    done = start(tmp_path, OTHERS, finish=False)
    assert done.returncode == 1
    found = last_time(tmp_path)
    assert found.unexpectedly
    for name in ("KeyError", "LookupError", "ArithmeticError", "RuntimeError"):
        assert name in found.report
    assert PHRASE not in found.report
    assert kept_reports(tmp_path)[0].read_text(encoding="utf-8") == found.report
    assert not last_time(tmp_path).unexpectedly  # it is said once


@pytest.mark.parametrize("end", ["faulthandler._sigsegv()", "os.abort()"])
def test_what_the_system_ends_leaves_where_it_was(tmp_path: Path, end: str) -> None:
    done = start(tmp_path, f"log.info('drafting %d', 3)\ndef deep():\n    {end}\ndeep()\n", finish=False)
    assert done.returncode < 0
    found = last_time(tmp_path)
    assert found.unexpectedly
    assert "Fatal Python error" in found.report
    assert "in deep" in found.report
    assert "Quire " in found.report
    assert "torch" in found.report


def test_the_log_is_in_the_report_of_a_fault(tmp_path: Path) -> None:
    many = f"log.setLevel(logging.INFO)\nfor n in range({LOG_LINES + 30}): log.info('line %d of it', n)\n"
    start(tmp_path, f"{many}faulthandler._sigsegv()", finish=False)
    report = last_time(tmp_path).report
    assert f"line {LOG_LINES + 29} of it" in report
    assert "line 30 of it" in report
    assert "line 29 of it" not in report


def test_a_kill_leaves_no_report_but_is_noticed(tmp_path: Path) -> None:
    done = start(tmp_path, "log.warning('all is well')\nos.kill(os.getpid(), signal.SIGKILL)", finish=False)
    assert done.returncode == -signal.SIGKILL
    found = last_time(tmp_path)
    assert (found.unexpectedly, found.report) == (True, "")
    assert kept_reports(tmp_path) == ()


def test_a_start_that_goes_on_elsewhere_was_not_cut_off(tmp_path: Path) -> None:
    script = START + "print('ready', flush=True); sys.stdin.read(); reporting.finish()"
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=ENVIRONMENT,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline().strip() == b"ready"
        assert not last_time(tmp_path).unexpectedly
        other.kill()
        other.wait()
        assert last_time(tmp_path).unexpectedly


DIE = "os.kill(os.getpid(), signal.SIGKILL)"


def test_after_two_early_ends_the_next_start_takes_care(tmp_path: Path) -> None:
    start(tmp_path, DIE)
    assert not last_time(tmp_path).calls_for_care
    start(tmp_path, DIE)
    found = last_time(tmp_path)
    assert (found.early_ends, found.calls_for_care) == (2, True)
    start(tmp_path, "")  # one that ends as it should
    start(tmp_path, DIE)
    assert last_time(tmp_path).early_ends == 1


def test_an_end_after_a_minute_was_not_early(tmp_path: Path) -> None:
    start(tmp_path, DIE)
    last_time(tmp_path)
    start(tmp_path, "reporting._note_steady()\n" + DIE)
    found = last_time(tmp_path)
    assert (found.unexpectedly, found.early_ends) == (True, 0)


def test_old_reports_go(tmp_path: Path) -> None:
    for number in range(KEPT_REPORTS + 3):
        (tmp_path / f"report-2020010100000{number}.txt").write_text("old")
    start(tmp_path, "raise ValueError", finish=False)
    last_time(tmp_path)
    reports = kept_reports(tmp_path)
    assert len(reports) == KEPT_REPORTS
    assert "ValueError" in reports[0].read_text(encoding="utf-8")


def test_a_file_that_was_cut_off_within_a_line_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    name = "running-20200101-000000-000000-1"
    (tmp_path / f"{name}.jsonl").write_bytes(
        b'["start", "2020-01-01 00:00:00"]\n["error", "ValueError"]\n[3, 4]\n\xff\n["log", "half a li'
    )
    (tmp_path / "early-ends.txt").write_bytes(b"\xff\xfe not a number")
    found = last_time(tmp_path)
    assert (found.unexpectedly, found.early_ends) == (True, 1)
    assert "Error:\nValueError" in found.report


@pytest.mark.skipif(sys.platform == "win32", reason="a file stands in for a folder there, too")
def test_a_folder_that_cannot_be_made_costs_the_report_only(
    tmp_path: Path, qapp: object, caplog: pytest.LogCaptureFixture
) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file")
    reporting = Reporting(taken)
    reporting.start()
    reporting.note(ValueError(PHRASE))
    assert "Quire" in reporting.report()
    reporting.finish()
    assert taken.read_text() == "a file"
    assert "no report can be kept" in caplog.text
