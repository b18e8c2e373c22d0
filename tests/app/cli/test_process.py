"""The commands in a process of their own: what they import, and output that ends badly."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from quire.cli import main
from tests.fakes import ENVIRONMENT, ScriptedBackend

OPENING = "It was a dark night."


@pytest.fixture
def project(tmp_path: Path) -> Path:
    opening, path = tmp_path / "opening.txt", tmp_path / "novel.quire"
    opening.write_text(OPENING)
    assert main.main(["new", str(path), "--opening", str(opening)], ScriptedBackend) == 0
    return path


def test_the_commands_import_neither_qt_nor_torch(project: Path) -> None:
    code = """
import sys
from quire.__main__ import main
main(sys.argv[1:])
heavy = {"torch", "transformers", "PySide6", "qasync", "quire.application"} & set(sys.modules)
sys.exit(f"imported {heavy}" if heavy else 0)
"""
    command = [sys.executable, "-c", code, "text", str(project)]
    ended = subprocess.run(command, env=ENVIRONMENT, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, OPENING.encode())


def written_to(stream: int, *arguments: object) -> tuple[int, str]:
    """Run a command whose output goes to a file descriptor; return its exit code and its complaint."""
    code = "import sys; from quire.__main__ import main; sys.exit(main(sys.argv[1:]))"
    ended = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=stream,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        check=False,
    )
    os.close(stream)
    return ended.returncode, ended.stderr


@pytest.mark.parametrize("command", ["text", "info"])
def test_a_reader_that_has_enough_is_no_error(project: Path, command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    assert written_to(writer, command, project) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("command", ["text", "info"])
def test_output_that_cannot_be_written_is_one_sentence(project: Path, command: str) -> None:
    code, complaint = written_to(os.open("/dev/full", os.O_WRONLY), command, project)
    assert code == 1
    assert complaint.startswith("quire: Could not write the output (No space left on device).")
    assert len(complaint.splitlines()) == 1


@pytest.mark.parametrize(("thread", "taken_apart"), [("engine", False), ("another", True)])
def test_an_engine_that_does_not_end_does_not_abort_the_process(thread: str, taken_apart: bool) -> None:
    """A thread inside torch, while Python is taken apart around it, would."""
    code = f"""
import atexit, threading
from quire import __main__ as quire
atexit.register(print, "taken apart", flush=True)
def main():
    threading.Thread(target=threading.Event().wait, name={thread!r}, daemon=True).start()
    print("stored")
    return 130
quire.main = main
quire.run()
"""
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT, check=False
    )
    assert (ended.returncode, ended.stderr) == (130, "")
    assert ended.stdout == ("stored\ntaken apart\n" if taken_apart else "stored\n")
