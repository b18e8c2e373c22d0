"""Which cases of the slow tests a run takes: `pytest --slice commit`, `--slice 2/4` or, as ever, all.

The cases of a test that is marked `sliced` are dealt out like cards: a run takes one in N of them, and at
least one. `sliced("name")` deals out all tests of that name as if they were the cases of one test.
"""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import pytest

NUM_SLICES = 4
T = TypeVar("T")
_ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    told = f"of sliced tests: all, K/N (K from 0), or commit: one of {NUM_SLICES}, the next at each commit"
    parser.addoption("--slice", default="all", metavar="SLICE", help=told)


def pytest_configure(config: pytest.Config) -> None:
    """Decide once; the processes of xdist are told."""
    config.option.slice = chosen_slice(config.option.slice, _ROOT)


def pytest_report_header(config: pytest.Config) -> str:
    """Say what is run, and so what repeats it."""
    return f"sliced tests: --slice {config.option.slice}"


@pytest.hookimpl(tryfirst=True)  # before -k and -m, so that they do not change what is dealt out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the cases of the other slices."""
    if config.option.slice == "all":
        return
    number, count = map(int, config.option.slice.split("/"))
    groups: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if (mark := item.get_closest_marker("sliced")) is not None:
            groups[mark.args[0] if mark.args else item.nodeid.partition("[")[0]].append(item)
    left_out = {item for group in groups.values() for item in set(group) - set(dealt(group, number, count))}
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=list(left_out))


def dealt(cases: Sequence[T], number: int, count: int) -> list[T]:
    """Return the cases of one slice; of fewer cases than slices, one.

    Every round begins one slice later: a slice would otherwise meet the same value of a parameter each time.
    """
    count = min(count, len(cases))
    return [case for place, case in enumerate(cases) if (place + place // count) % count == number % count]


def chosen_slice(asked: str, root: Path) -> str:
    """Return "all" or "K/N"; the next slice at every commit, and the first where commits are not known."""
    if asked == "commit":
        return f"{_num_commits(root) % NUM_SLICES}/{NUM_SLICES}"
    found = re.fullmatch(r"(\d+)/(\d+)", asked)
    if asked != "all" and not (found and int(found[1]) < int(found[2])):
        raise pytest.UsageError(f"--slice: {asked} is neither all nor commit nor K/N, with K from 0 to N - 1")
    return asked


def _num_commits(root: Path) -> int:
    """Return how many commits lead to this one; 0 without a repository, or with a part of its history."""
    git = ["git", "-C", str(root)]
    try:
        if (root / ".git").exists() and _said(*git, "rev-parse", "--is-shallow-repository") == "false":
            return int(_said(*git, "rev-list", "--count", "HEAD"))
    except (OSError, subprocess.CalledProcessError):
        pass  # no git, or one that trusts this folder to nobody
    return 0


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
