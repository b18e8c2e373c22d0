"""Kernels that are compiled in the background: one process, out of the way, gone with Quire."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from quire.services.model_library import kernel_compilation
from quire.services.model_library.kernel_compilation import KernelCompilation, needs_kernels
from quire_resources import BUILT_IN_MODEL

_CALLS_AND_WAITS = """
import os, socket, sys
line = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
line.sendall(f"{os.getpid()}\\n".encode())
line.recv(1)
"""


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Where a process that is started calls, and then waits for ever."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(60)
        port = str(listening.getsockname()[1])
        command = (sys.executable, "-c", _CALLS_AND_WAITS, port)
        monkeypatch.setattr(kernel_compilation, "_COMMAND", command)
        yield listening


def called(door: socket.socket) -> tuple[socket.socket, int]:
    """Wait for a process; return the line to it, and its number."""
    line, _ = door.accept()
    line.settimeout(60)
    with line.makefile("rb") as said:
        return line, int(said.readline())


def test_it_is_one_process_of_low_priority_until_it_is_stopped(door: socket.socket) -> None:
    kernels = KernelCompilation()
    kernels.start()
    kernels.start()
    line, number = called(door)
    with line:
        if sys.platform != "win32":
            lower = min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)  # a system has nothing below 19
            assert os.getpriority(os.PRIO_PROCESS, number) == lower
        kernels.stop()
        assert line.recv(1) == b""
    kernels.start()
    line, again = called(door)  # had the second start begun one, it would call before
    assert again != number
    with line:
        kernels.close()
        assert line.recv(1) == b""
    kernels.start()
    kernels.stop()
    door.setblocking(False)
    with pytest.raises(BlockingIOError):
        door.accept()


def test_a_command_that_is_not_there_is_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_compilation, "_COMMAND", ("no such program",))
    kernels = KernelCompilation()
    kernels.start()
    kernels.close()


def test_only_a_model_that_is_computed_in_fast_needs_them(tmp_path: Path) -> None:
    assert needs_kernels(BUILT_IN_MODEL, "auto")
    assert not needs_kernels(BUILT_IN_MODEL, "full")
    assert not needs_kernels(tmp_path / "none", "auto")
