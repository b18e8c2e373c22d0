from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from quire.system import keep_awake
from quire.system.keep_awake import SleepInhibitor

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there it is a call of the system")


@pytest.fixture(autouse=True)
def helper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A helper of the system that waits, as the real one does."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "systemd-inhibit").write_text("#!/bin/sh\nread -r line\n")
    (folder / "systemd-inhibit").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(sys, "platform", "linux")


def test_the_system_is_asked_once_and_let_go() -> None:
    keep = SleepInhibitor()
    keep.start()
    helper = keep._helper
    keep.start()
    assert helper is not None
    assert keep._helper is helper
    keep.stop()
    assert helper.returncode is not None
    keep.stop()
    keep.start()
    assert keep._helper is not helper
    keep.stop()


def test_a_system_that_cannot_be_asked_is_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    keep = SleepInhibitor()
    keep.start()
    keep.stop()
    monkeypatch.setattr(keep_awake, "_command", lambda: ["/nonexistent/helper"])
    keep.start()
    keep.stop()
    assert keep._helper is None


def test_a_mac_is_asked_for_as_long_as_quire_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert keep_awake._command() == ["/usr/bin/caffeinate", "-i", "-w", str(os.getpid())]
