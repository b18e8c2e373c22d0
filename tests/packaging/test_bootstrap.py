"""The two commands."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import bootstrap
from console import Problem, say
from environment import Environment
from fetched_models import FetchedModel

ROOT = Path(__file__).resolve().parents[2]


def _compiled(_: Environment) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process


@pytest.fixture
def ready(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """An environment that has everything; holds the commands that would have been started."""
    started: list[list[str]] = []
    monkeypatch.setattr(Environment, "ensure", lambda self, asked, with_tests: None)
    monkeypatch.setattr(FetchedModel, "ensure", lambda self, wanted, for_tests=False: True)
    monkeypatch.setattr(bootstrap, "ensure_libraries", lambda libraries: None)
    monkeypatch.setattr(bootstrap, "compile_kernels", _compiled)
    monkeypatch.setattr(bootstrap, "command_of", lambda environment, check: check.split())
    monkeypatch.setattr(bootstrap, "start", lambda environment, command: started.append(command))
    return started


@pytest.fixture
def without_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """Linux without a screen."""
    monkeypatch.setattr("platform.system", lambda: "Linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("without_display")
def test_without_a_display_the_headless_command_is_named(
    ready: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert bootstrap.main(["run"]) == 1
    sentence = capsys.readouterr().err
    assert "no display" in sentence
    assert f"{Environment(ROOT).python} -m quire draft " in sentence
    assert not ready


@pytest.mark.usefixtures("without_display")
@pytest.mark.parametrize(
    "arguments", [["draft", "novel.quire"], ["info", "novel.quire", "--json"], ["--help"]]
)
def test_without_a_display_the_commands_without_a_window_run(
    ready: list[list[str]], arguments: list[str]
) -> None:
    bootstrap.main(["run", "--torch", "cpu", "--", *arguments])
    assert ready == [[str(Environment(ROOT).python), "-m", "quire", *arguments]]


@pytest.mark.usefixtures("without_display")
@pytest.mark.parametrize(
    ("name", "value"), [("WAYLAND_DISPLAY", "wayland-0"), ("QT_QPA_PLATFORM", "offscreen")]
)
def test_the_window_opens_where_qt_can_draw(
    ready: list[list[str]], monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    bootstrap.main(["run", "--", "novel.quire"])
    assert ready == [[str(Environment(ROOT).python), "-m", "quire", "novel.quire"]]


@pytest.mark.usefixtures("without_display")
def test_a_mistyped_command_is_left_to_quire(ready: list[list[str]]) -> None:
    bootstrap.main(["run", "--", "drat", "novel.quire"])
    assert ready == [[str(Environment(ROOT).python), "-m", "quire", "drat", "novel.quire"]]


def test_every_check_runs_and_the_failed_ones_are_named(
    ready: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[str] = []

    def check(environment: Environment, name: str, command: Sequence[str]) -> str | None:
        seen.append(" ".join(command))
        return f"complaint of {name}" if name in ("mypy", "lint-imports") else None

    def tests(environment: Environment, command: Sequence[str]) -> bool:
        seen.append(" ".join(command))
        say("what pytest says")
        return True

    monkeypatch.setattr(bootstrap, "run_check", check)
    monkeypatch.setattr(bootstrap, "run_tests", tests)
    assert bootstrap.main(["test"]) == 1
    assert sorted(seen) == sorted(bootstrap.CHECKS)  # all run side by side
    said = capsys.readouterr().out
    assert said.endswith("Failed: mypy, lint-imports.\n")
    assert said.index("what pytest says") < said.index("complaint of mypy") < said.index("complaint of lint-")


def test_a_missing_tool_is_said_before_anything_runs(
    ready: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def command(environment: Environment, check: str) -> list[str]:
        if check == "pyright":
            raise Problem("pyright is not in .venv")
        return check.split()

    seen: list[str] = []
    monkeypatch.setattr(bootstrap, "command_of", command)
    monkeypatch.setattr(bootstrap, "run_check", lambda _, name, __: seen.append(name))
    monkeypatch.setattr(bootstrap, "run_tests", lambda *_: seen.append("pytest"))
    assert bootstrap.main(["test"]) == 1
    assert not seen
    assert "pyright is not in .venv" in capsys.readouterr().err


@pytest.mark.parametrize(("status", "complaint"), [(0, None), (1, "Line 3 is wrong.")])
def test_what_a_check_complains_of_is_kept_until_the_tests_are_over(
    capsys: pytest.CaptureFixture[str], status: int, complaint: str | None
) -> None:
    command = [sys.executable, "-c", f"print('Line 3 is wrong.'); raise SystemExit({status})"]
    assert bootstrap.run_check(Environment(ROOT), "mypy", command) == complaint
    assert "Line 3" not in capsys.readouterr().out


def test_kernels_that_cannot_be_compiled_are_named_and_stop_no_check(
    ready: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
    failing.wait()
    monkeypatch.setattr(bootstrap, "compile_kernels", lambda _: failing)
    monkeypatch.setattr(bootstrap, "run_check", lambda *_: None)
    monkeypatch.setattr(bootstrap, "run_tests", lambda *_: True)
    assert bootstrap.main(["test"]) == 0
    assert "exit status 3" in capsys.readouterr().out


def test_the_checks_are_those_of_contributing() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)
    assert "\n".join(bootstrap.CHECKS) + "\n" in blocks


def test_the_help_names_both_commands() -> None:
    shown = subprocess.run(
        [sys.executable, str(ROOT / "packaging" / "bootstrap.py"), "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "{run,test}" in shown.stdout
