"""Quire opens no connection, writes nowhere but where it may, and touches no open project but by SQLite.

`python -m tests.proofs.app.side_effects FOLDER PROGRAM` does the work in a process that is watched by an
audit hook, and
ends with a line of JSON: what it should not have done. What C libraries do by themselves raises no audit
event; so every file that is new in the home folder of that process is looked at as well.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from quire_engine.integer.kernel_cache import all_compiled, kernels_folder
from quire_resources import SAMPLE_OPENING
from tests.proofs.app.outcome import CheckResult

SUFFIX = ".quire"
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_INTERNET = frozenset({2, 10, 23, 30})  # AF_INET and AF_INET6 of Linux, Windows and macOS
_NETWORK = frozenset({
    "socket.bind", "socket.connect", "socket.getaddrinfo", "socket.gethostbyaddr", "socket.gethostbyname",
    "socket.sendto", "socket.sendmsg", "urllib.Request", "http.client.connect", "ftplib.connect",
    "smtplib.connect",
})  # fmt: skip
_CODE = frozenset({"subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.fork"})
_CHANGES = frozenset({
    "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.truncate", "os.link", "os.symlink", "os.chmod",
    "os.utime", "shutil.rmtree",
})  # fmt: skip


class Wall:
    """An audit hook that notes what must not be done; there is no way to take one down again.

    allowed: folders that may be written to. projects: folders in which files of this ending are projects.
    """

    def __init__(self, allowed: Sequence[Path], projects: Path) -> None:
        self._allowed = [os.path.realpath(folder) for folder in allowed]
        self._projects = os.path.realpath(projects)
        self._noting = False
        self.num_events = 0
        self.broken: list[str] = []

    def build(self) -> None:
        """Watch from now on."""
        sys.addaudithook(self._asked)

    def _asked(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._noting:  # what is looked up here to judge an event
            return
        self._noting = True
        try:
            self.num_events += 1
            if said := self._wrong(event, arguments):
                self.broken.append(said)
        finally:
            self._noting = False

    def _wrong(self, event: str, arguments: tuple[Any, ...]) -> str:
        if event in _NETWORK or (event == "socket.__new__" and int(arguments[1]) in _INTERNET):
            return f"{event} {arguments[1:]!r:.200}"
        if event in _CODE and not _compiles_kernels(event, arguments):
            return f"{event} {arguments!r:.200}"
        if event == "open":
            return self._opened(*arguments)
        if event in _CHANGES:
            paths = [one for one in arguments[:2] if isinstance(one, str | bytes | os.PathLike)]
            return "".join(f"{event} {os.fsdecode(path)} " for path in paths if not self._may_write(path))
        return ""

    def _opened(self, path: Any, mode: str | None, flags: int) -> str:
        if not isinstance(path, str | bytes | os.PathLike):  # a descriptor, which somebody opened
            return ""
        if self._is_project(path):
            return f"a project was opened past SQLite: {os.fsdecode(path)}"
        writes = any(letter in mode for letter in "wax+") if mode else bool(flags & _WRITING)
        return f"written to: {os.fsdecode(path)}" if writes and not self._may_write(path) else ""

    def _is_project(self, path: Any) -> bool:
        name = os.path.realpath(os.fsdecode(path))
        base = os.path.basename(name)
        ours = (SUFFIX, f"{SUFFIX}-wal", f"{SUFFIX}-shm", f"{SUFFIX}-journal")
        return name.startswith(self._projects) and base.endswith(ours) and not base.startswith(".")

    def _may_write(self, path: Any) -> bool:
        name = os.path.realpath(os.fsdecode(path))
        return name == os.devnull or any(
            name == place or name.startswith(place + os.sep) for place in self._allowed
        )


def _compiles_kernels(event: str, arguments: tuple[Any, ...]) -> bool:
    """Whether this starts Quire's own process that compiles kernels; what it wrote is looked at later."""
    own = [sys.executable, "-P", "-m", "quire_engine.integer"]
    return event == "subprocess.Popen" and list(arguments[1]) in (own, [*own, "--without-gpu"])


# ---------------------------------------------------------------- what is watched
def _commands(folder: Path, *, scripted: bool) -> None:
    from quire.cli import main
    from tests.fakes import ScriptedBackend

    path, opening = folder / "novel.quire", folder / "opening.txt"
    opening.write_text(Path(SAMPLE_OPENING).read_text(encoding="utf-8")[:600], encoding="utf-8")
    words = 20

    def run(*arguments: object) -> None:
        words = [str(argument) for argument in arguments]
        code = main.main(words, ScriptedBackend) if scripted else main.main(words)
        if code:
            raise RuntimeError(f"quire {arguments[0]} ended with {code}")

    run("new", path, "--opening", opening)
    run("draft", path, "--words", words, "--seed", 1)
    run("draft", path, "--words", 2 * words)
    run("backup", path)
    run("import", opening, folder / "imported.quire")
    for command in ("info", "text", "runs"):
        run(command, path)
    run("restore", path)


def commands(folder: Path) -> None:
    """Do what the commands do, with an engine that holds no model."""
    _commands(folder, scripted=True)


def shipped_model(folder: Path) -> None:
    """Do the same with the model that Quire brings along."""
    _commands(folder, scripted=False)


PROGRAMS: dict[str, Callable[[Path], None]] = {"commands": commands, "the shipped model": shipped_model}
"""What is watched."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do one of the programs inside the wall; 1 when the wall was broken."""
    name, program = sys.argv[1:] if arguments is None else arguments
    folder = Path(name).resolve()
    home = folder / "home"
    allowed = [folder / "project", home / "config", home / "cache", Path(tempfile.gettempdir())]
    if shared := os.environ.get("NUMBA_CACHE_DIR"):
        allowed.append(Path(shared))
    wall = Wall(allowed, folder / "project")
    wall.build()
    PROGRAMS[program](folder / "project")
    sys.stdout.write("\n" + json.dumps({"events": wall.num_events, "broken": wall.broken}) + "\n")
    return 1 if wall.broken else 0


# ---------------------------------------------------------------- the proof
def watched_work(program: str) -> CheckResult:
    """Do one of the programs in a process of its own, with a home of its own, and return what was wrong."""
    with tempfile.TemporaryDirectory(prefix="quire-walls-") as name:
        folder = Path(name).resolve()
        places = {key: folder / place for key, place in _PLACES.items()}
        for place in (folder / "project", *places.values()):
            place.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "tests.proofs.app.side_effects", str(folder), program]
        environment = {key: value for key, value in os.environ.items() if not key.startswith("TORCH")}
        environment |= {key: str(place) for key, place in places.items()}  # torch notes its places there
        if all_compiled():  # or half of the time would be the compiler's
            environment["NUMBA_CACHE_DIR"] = str(kernels_folder())
        # it starts in another folder, where `tests` would be a package that a library left in site-packages
        environment["PYTHONPATH"] = os.pathsep.join([str(_CHECKOUT), *filter(None, sys.path)])
        ended = subprocess.run(
            command, env=environment, cwd=folder, capture_output=True, text=True, check=False, timeout=600
        )
        strays = _strays(folder)
    lines = ended.stdout.splitlines()
    if ended.returncode not in (0, 1) or not lines or not lines[-1].startswith("{"):
        return CheckResult(program, f"it ended with {ended.returncode}: {ended.stderr[-500:]}")
    told = json.loads(lines[-1])
    wrong = [*dict.fromkeys(told["broken"]), *(f"left behind: {stray}" for stray in strays)]
    if not told["events"]:
        wrong.append("the hook heard nothing")
    return CheckResult(program, "; ".join(wrong))


_CHECKOUT = Path(__file__).resolve().parents[3]
_PLACES = {
    "HOME": "home",
    "USERPROFILE": "home",
    "XDG_CONFIG_HOME": "home/config",
    "XDG_CACHE_HOME": "home/cache",
    "XDG_DATA_HOME": "home/data",
    "XDG_STATE_HOME": "home/state",
    "TMPDIR": "tmp",
    "TEMP": "tmp",
    "TMP": "tmp",
}


def _strays(folder: Path) -> list[str]:
    """Return files where none may be: anywhere but with the project, in configuration and caches."""
    allowed = (folder / "project", folder / "home" / "config", folder / "home" / "cache")
    files = [path for path in folder.rglob("*") if not path.is_dir()]
    return [str(path.relative_to(folder)) for path in files if not any(map(path.is_relative_to, allowed))]


def walls(programs: Sequence[str] = tuple(PROGRAMS)) -> Iterator[CheckResult]:
    """Watch all the programs."""
    for program in programs:
        yield watched_work(program)


if __name__ == "__main__":
    sys.exit(main())
