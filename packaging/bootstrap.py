"""Makes the environment beside this repository, then starts Quire or runs every check.

    python packaging/bootstrap.py run  [--torch auto|cpu|cuda] [--no-model] [-- arguments for Quire]
    python packaging/bootstrap.py test [--torch auto|cpu|cuda] [--no-model] [-- arguments for pytest]

Only the standard library: it runs before anything is installed.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

if sys.version_info < (3, 11):  # noqa: UP036  (the sentence is for whoever starts it with an older one)
    sys.exit(
        "Quire needs Python 3.11 or newer, and this is Python {}.{}. "
        "Start the same command with a newer one, for example python3.12.".format(*sys.version_info[:2])
    )

from console import Problem, say
from environment import Environment
from fetched_models import GEMMA, SMOLLM2, FetchedModel
from quire.__main__ import opens_window
from quire.system.display import NO_DISPLAY
from system_libraries import (
    QT_LIBRARIES,
    ensure_libraries,
    has_display,
    libraries_for,
    needs_display,
)

ROOT = Path(__file__).resolve().parent.parent
# The same list, in the same words, stands in CONTRIBUTING.md.
CHECKS = (
    "ruff format --check",
    "ruff check",
    "mypy",
    "pyright",
    "lint-imports",
    "pytest -n auto --maxprocesses 4 --dist worksteal --slice commit",
)
LAST_IN_LINE = ("nice", "-n", "19") if shutil.which("nice") else ()
"""Before a command that only has what others leave of the processors."""


def run_quire(
    environment: Environment, torch: str | None, model: bool | None, arguments: Sequence[str]
) -> int:
    """Make the environment and start Quire in it."""
    window = opens_window(arguments)
    on_linux = platform.system() == "Linux"
    no_screen = on_linux and window and needs_display(os.environ) and not has_display(os.environ)
    if window and not no_screen:
        ensure_libraries(libraries_for(os.environ))
    environment.ensure(torch, with_tests=False)
    FetchedModel(environment, SMOLLM2).ensure(model)
    if no_screen:
        raise Problem(NO_DISPLAY.format(command=f"{environment.python} -m quire"))
    compile_kernels(environment)
    start(environment, [str(environment.python), "-m", "quire", *arguments])


def compile_kernels(environment: Environment) -> subprocess.Popen[bytes]:
    """Begin to compile the kernels of Fast mode for this processor; a second where that was done.

    It goes on beside Quire or the checks, and outlives them. Whoever needs the kernels waits for it.
    """
    return subprocess.Popen(
        [str(environment.python), "-P", "-m", "quire_engine.integer"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=environment.root,
        env=environment.variables(),
        start_new_session=True,
    )


def start(environment: Environment, command: list[str]) -> NoReturn:
    """Become the command, where the system can; its signals and its exit status are then its own."""
    sys.stdout.flush()
    if os.name == "nt":
        sys.exit(subprocess.call(command, env=environment.variables()))
    os.execve(command[0], command, environment.variables())


def run_checks(
    environment: Environment, torch: str | None, model: bool | None, arguments: Sequence[str]
) -> int:
    """Make the environment with the test tools and run every check, also after one failed."""
    ensure_libraries(QT_LIBRARIES)
    environment.ensure(torch, with_tests=True)
    for pinned in (SMOLLM2, GEMMA):
        FetchedModel(environment, pinned).ensure(model, for_tests=True)
    commands = {check: command_of(environment, check) for check in CHECKS}  # what is missing is said first
    kernels = compile_kernels(environment)
    *static, tests = CHECKS
    # beside the tests, whose processes often wait for each other: the type checkers take what is left
    with ThreadPoolExecutor(len(static)) as pool:
        running = [pool.submit(run_check, environment, check, commands[check]) for check in static]
        wait_for_kernels(kernels)  # or every process of the tests would compile its own
        tests_passed = run_tests(environment, [*commands[tests], *arguments])
    complaints = {check: each.result() for check, each in zip(static, running, strict=True)}
    failed = [check for check, complaint in complaints.items() if complaint is not None]
    for check in failed:  # below what pytest says, where they are found
        say(f"{check}:\n{complaints[check]}")
    if not tests_passed:
        failed.append(tests)
    if failed:
        say(f"Failed: {', '.join(failed)}.")
    return 1 if failed else 0


def wait_for_kernels(kernels: subprocess.Popen[bytes]) -> None:
    """Wait until the kernels are compiled; say so where that takes time."""
    if kernels.poll() is None:
        say("Compiling the kernels of Fast mode (once) ...")
    if kernels.wait():
        say(f"Compiling the kernels ended with exit status {kernels.returncode}; the tests compile them.")


def run_check(environment: Environment, check: str, command: Sequence[str]) -> str | None:
    """Run a check that looks at the sources, after everything else; it says a line when it is over.

    Return what it complains of; None where it passed.
    """
    begin = time.monotonic()
    done = subprocess.run(
        [*LAST_IN_LINE, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=environment.root,
        env=environment.variables() | {"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
        check=False,
    )
    passed = done.returncode == 0
    say(f"{check:20} {'ok    ' if passed else 'FAILED'} {time.monotonic() - begin:5.1f} s")
    return None if passed else done.stdout.decode("utf-8", errors="replace").rstrip()


def run_tests(environment: Environment, command: Sequence[str]) -> bool:
    """Run pytest, which speaks for itself."""
    say("pytest")
    variables = environment.variables() | {
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONHASHSEED": "0",  # the same order of sets at every run
    }
    return subprocess.call(command, cwd=environment.root, env=variables) == 0


def command_of(environment: Environment, check: str) -> list[str]:
    """Return the command of a check, with the program of the environment."""
    name, *options = check.split()
    executable = shutil.which(name, path=str(environment.scripts))
    if executable is None:
        raise Problem(f"{name} is not in .venv; remove that folder and run the same command again.")
    return [executable, *options]


def main(arguments: Sequence[str]) -> int:
    """Run one of the two commands; return the exit status."""
    own = list(arguments)
    passed_on: list[str] = []
    if "--" in own:
        cut = own.index("--")
        own, passed_on = own[:cut], own[cut + 1 :]
    parser = argparse.ArgumentParser(
        prog="bootstrap.py", description="Make the environment, then start Quire or run every check."
    )
    parser.add_argument("command", choices=["run", "test"])
    parser.add_argument(
        "--torch",
        choices=["auto", "cpu", "cuda"],
        help="build of torch (auto: CUDA where nvidia-smi lists a GPU); without it the last choice stands",
    )
    parser.add_argument(
        "--model",
        action=argparse.BooleanOptionalAction,
        help="fetch SmolLM2, a model to write with (93 MB, once), and for the tests Gemma 3 270M (238 MB); "
        "--no-model leaves them out from now on",
    )
    parser.epilog = "What follows -- goes to Quire (run) or to pytest (test)."
    options = parser.parse_args(own)
    command = run_quire if options.command == "run" else run_checks
    try:
        return command(Environment(ROOT), options.torch, options.model, passed_on)
    except Problem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
