"""The real command in a process of its own: its exit codes, and that it never ends in a traceback.

0 done, 1 a problem said in a sentence, 2 a command line that is not understood, 130 stopped.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from quire.cli import main
from tests.fakes import ENVIRONMENT, ScriptedBackend

on_unix = pytest.mark.skipif(sys.platform == "win32", reason="streams are closed with a shell")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only there a window needs a display")


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended."""

    code: int
    out: str
    err: str


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "opening.txt").write_text("It rained.\n" * 20)
    path = tmp_path / "novel.quire"
    assert main.main(["new", str(path), "--opening", str(tmp_path / "opening.txt")], ScriptedBackend) == 0
    return path


def environment(**changed: str) -> dict[str, str]:
    """Return the environment without a display, and without Qt's way around one."""
    left_out = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return {name: value for name, value in ENVIRONMENT.items() if name not in left_out} | changed


def quire(line: str, folder: Path, env: Mapping[str, str] | None = None) -> Ended:
    """Run a line of a shell in which `quire` is the command."""
    script = f'quire() {{ "{sys.executable}" -m quire "$@"; }}\n{line}'
    done = subprocess.run(
        ["/bin/bash", "-o", "pipefail", "-c", script],
        cwd=folder,
        env=environment() if env is None else env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return Ended(done.returncode, done.stdout, done.stderr)


@pytest.mark.sliced
@on_unix
@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("quire --version", 0, ""),
        ("quire --help", 0, ""),
        ("quire info novel.quire", 0, ""),
        ("quire info novel.quire --json | head -1", 0, ""),
        ("quire info nothing.quire", 1, "nothing.quire"),
        ("quire models check opening.txt", 1, "This is a file, not the folder of a model."),
        ("quire models check nowhere", 1, "This folder no longer exists."),
        ("quire info novel.quire >&-", 1, "Could not write the output (Bad file descriptor)."),
        ("quire info novel.quire >&- 2>&-", 1, ""),
        ("quire text novel.quire >&-", 1, "Could not write the output"),
        ("quire runs novel.quire >&-", 1, "Could not write the output"),
        ("quire --help >&-", 1, "Could not write the output"),
        ("quire new b.quire --opening - <&-", 1, "Standard input can't be read"),
        ("quire", 1, "There is no display here"),
        ("quire novel.quire", 1, "There is no display here"),
        ("quire --model nowhere", 1, "There is no display here"),
        ("quire drat novel.quire", 2, "There is no command or file “drat”. Did you mean “draft”?"),
        ("quire infos", 2, "Did you mean “info”?"),
        ("quire /no/such/project", 2, "There is no command or file “/no/such/project”. See quire --help."),
        ("quire models lst", 2, "There is no action “lst”. Did you mean “list”?"),
        ("quire models", 2, "quire models needs one of list, check, add"),
        ("quire draft novel.quire", 2, "quire draft needs --words."),
        ("quire draft novel.quire --words abc", 2, "“abc” is not a whole number from 1 to 10,000,000."),
        ("quire draft novel.quire --words 1 --seed x", 2, "--seed: “x” is not a whole number of at least 0."),
        ("quire draft novel.quire --words 1 --wrods 2", 2, "There is no option --wrods. Did you mean"),
        ("quire draft novel.quire --words 1 --dtype x", 2, "--dtype can be auto, float32, bfloat16 or int8,"),
        ("quire runs novel.quire --run x", 2, "--run: “x” is not a whole number of at least 1."),
        ("quire info novel.quire more", 2, "“more” is one argument too many. See quire --help."),
        ("quire --modle x", 2, "There is no option --modle. Did you mean “--model”?"),
        ("quire --dtype x novel.quire", 2, "--dtype can be auto"),
    ],
)  # fmt: skip
def test_a_command_ends_with_its_code_and_a_sentence(line: str, code: int, says: str, project: Path) -> None:
    ended = quire(line, project.parent)
    assert ended.code == code
    if says:
        assert says in ended.err
        assert ended.err.startswith("quire: ")
    else:
        assert ended.err == ""


@on_unix
def test_a_file_is_never_opened_as_the_standard_output(project: Path) -> None:
    """A project that were opened as the first closed stream would get whatever is printed."""
    before = project.read_bytes()
    quire("quire info novel.quire <&- >&- 2>&-", project.parent)
    assert project.read_bytes() == before


@on_linux
@pytest.mark.parametrize("variable", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_a_display_that_does_not_answer_is_no_abort(variable: str, tmp_path: Path) -> None:
    ended = quire("quire", tmp_path, environment(**{variable: ":4711"}))
    assert ended.code == 1
    assert "doesn't answer" in ended.err or "libraries that are missing" in ended.err


@pytest.mark.parametrize("arguments", [["info", "--help"], ["novel.quire"]], ids=["command", "window"])
def test_an_interrupt_while_it_starts_is_no_traceback(arguments: list[str], tmp_path: Path) -> None:
    """Whatever is imported when Ctrl-C comes, and comes again."""
    code = f"""
import builtins, signal, sys
sys.argv = ["quire", *{arguments!r}]
from quire import __main__ as quire
plain = builtins.__import__
def interrupted(name, *arguments, **named):
    if name.startswith(("quire.cli", "quire.launch_options")):
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            signal.raise_signal(signal.SIGINT)
    return plain(name, *arguments, **named)
builtins.__import__ = interrupted
quire.run()
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), cwd=tmp_path, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@on_unix
def test_an_interrupted_draft_pauses_and_a_second_interrupt_is_no_traceback(project: Path) -> None:
    code = """
import sys, os, signal, threading
from quire import __main__ as quire
from quire.cli import main
from tests.fakes import ScriptedBackend
def twice(what):
    if what == "forward":
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
quire.main = lambda: main.main(sys.argv[1:], lambda: ScriptedBackend(before=twice))
quire.run()
"""
    done = subprocess.run(
        [sys.executable, "-c", code, "draft", str(project), "--words", "5000", "--seed", "1"],
        env=environment(PYTHONPATH=os.pathsep.join([str(Path(__file__).parents[3]), *sys.path])),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 130
    assert "Traceback" not in done.stderr
    assert "Paused run 1" in done.stderr


@on_unix
def test_a_terminated_command_ends_without_a_traceback(project: Path) -> None:
    opening = project.parent / "opening"
    os.mkfifo(opening)
    process = subprocess.Popen(
        [sys.executable, "-m", "quire", "new", "b.quire", "--opening", str(opening)],
        cwd=project.parent,
        env=environment(),
        stderr=subprocess.PIPE,
    )
    with opening.open("wb") as writing:  # waits until the command reads it
        writing.write(b"It rained.")
        writing.flush()
        process.send_signal(signal.SIGINT)
    # only now: a signal that comes just before a read does not end it, but the end of the text does
    _, said = process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in said
