"""Shared fixtures."""

from __future__ import annotations

import asyncio
import gc
import itertools
import os
import random
import secrets
import shutil
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.database import DirectoryBasedExampleDatabase
from pytestqt.qtbot import QtBot
from sqlalchemy import event
from sqlalchemy.pool import Pool

from quire.system.number_text import use_marks
from tests.fakes import Disk, ReadOnly
from tests.slices import (
    pytest_addoption,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_report_header,
)

__all__ = [
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_report_header",
]  # hooks

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent  # before qasync, which binds to the Qt already imported
from PySide6.QtWidgets import QApplication, QMainWindow
from qasync import QEventLoop

# The same examples at every run; `python -m tests.explore` draws others each time. No test is timed.
settings.register_profile("everyday", max_examples=25, deadline=None, derandomize=True, database=None)
settings.register_profile("thorough", max_examples=300, deadline=None, derandomize=True, database=None)
settings.register_profile(
    "explore",
    max_examples=100,
    deadline=None,
    database=DirectoryBasedExampleDatabase(os.environ.get("QUIRE_EXAMPLES", "quire-proofs/examples")),
    print_blob=True,
)
settings.load_profile("everyday")


PATIENCE_MS = 120_000

_FULL_PASS_EVERY = 64


def pytest_collection_finish() -> None:
    """Leave what was imported out of the collections between tests: they take a tenth of a second with it."""
    gc.collect()
    gc.freeze()


_tests_done = itertools.count(1)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Let every test, and every fixture that it makes, draw the same numbers whatever ran before."""
    random.seed(0)
    for name in ("torch", "numpy"):
        if (library := sys.modules.get(name)) is not None:
            (library.manual_seed if name == "torch" else library.random.seed)(0)


@pytest.fixture(autouse=True)
def _same_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A draft without a seed draws one; in a test it is the same at every run."""
    monkeypatch.setattr(secrets, "randbelow", random.Random(0).randrange)


def _fixed_pass_clock(device: str) -> Callable[[], float]:
    """A clock by which every pass takes a millisecond and every other timed piece of work a twentieth.

    The planner drafts ahead where that has been quicker. Measured times would make its choices, and with them
    what a test covers, depend on the machine and on the work of others.
    """
    seconds = 0.0

    def read() -> float:
        nonlocal seconds
        of_pass = sys._getframe(1).f_globals["__name__"].endswith(("runtime.session", "pass_timing"))
        seconds += 1e-3 if of_pass else 5e-5
        return seconds

    return read


# before any module takes it by name; it lasts as long as the tests do
pytest.MonkeyPatch().setattr("quire_engine.catalog.processor.pass_clock", _fixed_pass_clock)


@pytest.fixture(autouse=True)
def _english_numbers() -> Iterator[None]:
    """Write numbers in English again after a test in another language."""
    yield
    use_marks(",", ".")


@pytest.fixture(autouse=True)
def gc_on_the_main_thread() -> Iterator[None]:
    """Do in tests what GcGuard does in the app; a full pass takes 20 ms, so there is one now and then."""
    gc.disable()
    yield
    if isinstance(app := QCoreApplication.instance(), QApplication):
        for left in app.topLevelWidgets():  # a theme dresses all that there are, in every test after this one
            if isinstance(left, QMainWindow):
                left.deleteLater()
    if app is not None:  # no loop runs that would delete what was let go of
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect(2 if next(_tests_done) % _FULL_PASS_EVERY == 0 else 1)


class PatientQtBot(QtBot):
    """Waits as long as a busy machine may need, and not five seconds; what hangs is ended with its test."""

    def waitSignal(self, *args: Any, timeout: int = PATIENCE_MS, **kwargs: Any) -> Any:
        return super().waitSignal(*args, timeout=timeout, **kwargs)

    def waitSignals(self, *args: Any, timeout: int = PATIENCE_MS, **kwargs: Any) -> Any:
        return super().waitSignals(*args, timeout=timeout, **kwargs)

    def waitUntil(self, *args: Any, timeout: int = PATIENCE_MS, **kwargs: Any) -> None:
        super().waitUntil(*args, timeout=timeout, **kwargs)


@pytest.fixture
def qtbot(qapp: Any, request: pytest.FixtureRequest) -> QtBot:
    return PatientQtBot(request)


@pytest.fixture
def run_async(qapp: Any) -> Iterator[Callable[[Coroutine[Any, Any, Any]], Any]]:
    """Run one coroutine on a real qasync loop and return its result."""
    loop = QEventLoop(qapp)
    asyncio.set_event_loop(loop)
    with loop:
        yield lambda coroutine: loop.run_until_complete(asyncio.wait_for(coroutine, 120))
    asyncio.set_event_loop(None)


@pytest.fixture
def disk() -> Iterator[Disk]:
    """A disk that can be full for every project file opened in the test."""
    disk = Disk()
    event.listen(Pool, "connect", disk.connected)
    yield disk
    event.remove(Pool, "connect", disk.connected)


@pytest.fixture
def read_only() -> Iterator[ReadOnly]:
    """A folder of its own that can be made read-only, for root too."""
    if sys.platform == "win32":
        pytest.skip("a folder cannot be made read-only there")
    folder = Path(tempfile.mkdtemp(prefix="quire-test-"))
    folder.chmod(0o777)
    yield ReadOnly(folder)
    folder.chmod(0o777)
    shutil.rmtree(folder)
