"""`python -m tests.explore --minutes N`: property tests with new examples; the next call goes on from there.

The test command tries the same examples at every run. This one draws others: each round runs the property
tests of one file after another with a seed of its own. What failed is kept in the database of examples, so
every later call tries it again until it is mended.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_NO_TESTS = 5
"""Exit status of pytest where a file has none that were chosen."""


@dataclass(slots=True)
class Explored:
    """What was explored so far.

    Attributes:
        turn: files that were run; a round is one run of all of them.
        tests: how often a property test was run.
        failed: commands that repeat what failed, by file.
    """

    turn: int = 0
    tests: int = 0
    seconds: float = 0.0
    failed: dict[str, str] = field(default_factory=dict)


def main(arguments: Sequence[str] | None = None) -> int:
    """Explore until the time is up; exit status: 0 all holds, 1 something failed, 130 stopped."""
    parser = argparse.ArgumentParser(prog="python -m tests.explore", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long; the file in hand is finished")
    parser.add_argument("--work", type=Path, default=Path("quire-proofs"), help="folder that remembers")
    parser.add_argument("--report", action="store_true", help="only show what was explored so far")
    parser.add_argument("paths", nargs="*", type=Path, help="only these files or folders; default: all tests")
    options = parser.parse_args(arguments)
    options.work.mkdir(parents=True, exist_ok=True)
    store = options.work / "explored.json"
    done = Explored(**json.loads(store.read_text())) if store.exists() else Explored()
    ends = time.monotonic() + options.minutes * 60
    files = list(property_tests(options.paths or [ROOT / "tests"]))
    try:
        while files and not options.report and time.monotonic() < ends:
            _explore(files[done.turn % len(files)], done, options.work, seed=done.turn // len(files) + 1)
            store.write_text(json.dumps(asdict(done), indent=1))
    except KeyboardInterrupt:
        return 130
    sys.stdout.write(_report(done, len(files)))
    return 1 if done.failed else 0


def property_tests(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the files with property tests, in order."""
    for path in paths:
        found = [path] if path.is_file() else sorted(path.rglob("test_*.py"))
        yield from (one.resolve() for one in found if "from hypothesis import" in one.read_text("utf-8"))


def _explore(file: Path, done: Explored, work: Path, seed: int) -> None:
    name = file.relative_to(ROOT).as_posix()
    command = ["pytest", "-q", "-m", "hypothesis", "--hypothesis-profile", "explore"]
    command += [f"--hypothesis-seed={seed}", "-p", "no:cacheprovider", name]
    began = time.monotonic()
    ended = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=os.environ | {"QUIRE_EXAMPLES": str((work / "examples").absolute())},
        capture_output=True,
        text=True,
        check=False,
    )
    done.turn += 1
    done.seconds += time.monotonic() - began
    done.tests += sum(line.count(".") + line.count("F") for line in ended.stdout.splitlines()[:1])
    if ended.returncode in (0, _NO_TESTS):
        done.failed.pop(name, None)
    else:
        done.failed[name] = " ".join(command)
        sys.stdout.write(f"{ended.stdout[-6000:]}\n")
        sys.stdout.flush()


def _report(done: Explored, num_files: int) -> str:
    rounds = done.turn / max(num_files, 1)
    lines = [f"{done.tests:,} runs of property tests in {rounds:.1f} rounds, {done.seconds / 60:.0f} minutes"]
    lines += [f"failed: {command}" for command in done.failed.values()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
