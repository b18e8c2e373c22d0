"""The virtual environment beside the repository: what is in it, which torch, and how it is made."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from console import Problem, last_lines, say
from system_libraries import install_system_packages

TORCH_INDEX = "https://download.pytorch.org/whl"
CUDA_LABEL = "cu130"  # what the torch in constraints.txt is built for


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a finished installation was made from; an environment without one is in an unknown state.

    place: interpreter and folder, which an environment cannot change. inputs: digest of the files that say
    what to install, empty while that is not done. by_hand: torch was chosen with --torch cpu or cuda.
    nvidia_smi: where it was found when torch was chosen, empty when nowhere.
    """

    place: str
    inputs: str
    torch: str
    by_hand: bool
    nvidia_smi: str
    with_tests: bool


def read_stamp(path: Path) -> Stamp | None:
    """Return the stamp, None when there is none or an older version of this file wrote it."""
    try:
        return Stamp(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def write_stamp(path: Path, stamp: Stamp) -> None:
    """Write the stamp in one step."""
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(asdict(stamp), indent=1), encoding="utf-8")
    fresh.replace(path)


def place_of(root: Path) -> str:
    """Return what binds an environment: the Python it was made with and the folder it stands in."""
    version = "{}.{}".format(*sys.version_info[:2])
    return f"{platform.python_implementation()} {version} {platform.system()} {platform.machine()} {root}"


def inputs_of(root: Path) -> str:
    """Return a digest of the files that decide what is installed and how."""
    digest = hashlib.sha256()
    for name in ("pyproject.toml", "packaging/constraints.txt", "packaging/environment.py"):
        digest.update((root / name).read_bytes())
        digest.update(b"\0")
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class TorchSource:
    """A torch build and where pip looks for it; no index means the sources that pip is configured with."""

    requirement: str
    index: str | None = None


def choose_torch(
    asked: str | None, stamp: Stamp | None, nvidia_smi: str, works: Callable[[str], bool]
) -> tuple[str, bool]:
    """Return cpu or cuda, and whether a person decided it; without a word the last choice stands."""
    if asked in ("cpu", "cuda"):
        return asked, True
    if asked is None and stamp is not None and (stamp.by_hand or stamp.nvidia_smi == nvidia_smi):
        return stamp.torch, stamp.by_hand
    return ("cuda" if nvidia_smi and works(nvidia_smi) else "cpu"), False


def nvidia_smi_works(path: str) -> bool:
    """Tell whether the driver's tool lists a GPU; being installed is not enough."""
    try:
        listed = subprocess.run([path, "-L"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return listed.returncode == 0 and "GPU" in listed.stdout


def torch_sources(choice: str, system: str, version: str) -> tuple[TorchSource, ...]:
    """Return where to look for torch, in order.

    PyPI's own build has no label: on Linux it is the CUDA one, elsewhere the one for the CPU. Three equals
    signs leave every labelled build out, two without a label let it in.
    """
    unlabelled = TorchSource(f"torch==={version}")
    if system == "Darwin":
        if choice == "cuda":
            raise Problem("There is no CUDA on macOS; leave --torch out.")
        return (unlabelled,)
    if choice == "cuda":
        labelled = TorchSource(f"torch=={version}+{CUDA_LABEL}", f"{TORCH_INDEX}/{CUDA_LABEL}")
        return (unlabelled,) if system == "Linux" else (labelled,)
    on_index = TorchSource(f"torch=={version}+cpu", f"{TORCH_INDEX}/cpu")
    first = TorchSource(on_index.requirement) if system == "Linux" else unlabelled
    return first, on_index


def pinned(constraints: str, package: str) -> str:
    """Return the version that the constraints pin a package to."""
    found = re.search(rf"^{re.escape(package)}==([^\s;]+)", constraints, re.MULTILINE)
    if found is None:
        raise Problem(f"packaging/constraints.txt does not pin {package}; restore that line.")
    return found[1]


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended and everything that it printed."""

    ok: bool
    output: str


def execute(command: Sequence[str], variables: Mapping[str, str]) -> Finished:
    """Run a command to its end without showing what it prints."""
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        env=variables,
        check=False,
    )
    return Finished(done.returncode == 0, done.stdout)


class Environment:
    """The virtual environment in .venv: made, kept up to date, and used to start things."""

    def __init__(
        self, root: Path, run: Callable[[Sequence[str], Mapping[str, str]], Finished] = execute
    ) -> None:
        self.root = root
        self.folder = root / ".venv"
        self.scripts = self.folder / ("Scripts" if os.name == "nt" else "bin")
        self.python = self.scripts / ("python.exe" if os.name == "nt" else "python")
        self.stamp_file = self.folder / "bootstrap.json"
        self.log = self.folder / "bootstrap.log"
        self._run = run

    def variables(self) -> dict[str, str]:
        """Return the variables of an activated environment, without what would leak another one in."""
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "PYTHONPATH")}
        return kept | {
            "VIRTUAL_ENV": str(self.folder),
            "PATH": os.pathsep.join([str(self.scripts), os.environ.get("PATH", os.defpath)]),
            "PYTHONNOUSERSITE": "1",
        }

    def ensure(self, asked: str | None, with_tests: bool) -> None:
        """Install what is missing; a glance at the stamp when nothing is."""
        stamp = read_stamp(self.stamp_file)
        nvidia_smi = shutil.which("nvidia-smi") or ""
        torch, by_hand = choose_torch(asked, stamp, nvidia_smi, nvidia_smi_works)
        wanted = Stamp(
            place=place_of(self.root),
            inputs=inputs_of(self.root),
            torch=torch,
            by_hand=by_hand,
            nvidia_smi=nvidia_smi,
            with_tests=with_tests or (stamp is not None and stamp.with_tests),
        )
        sound = stamp is not None and stamp.place == wanted.place and self.python.exists()
        if sound and stamp == wanted:
            return
        start = time.monotonic()
        if sound:
            say("Bringing the environment in .venv up to date ...")
        else:
            say("Making the environment in .venv (once; a minute or two) ...")
            self._make()
        # Gone while pip works: an interrupted one leaves no stamp, and the environment is made anew.
        self.stamp_file.unlink(missing_ok=True)
        try:
            self._install(torch, wanted.with_tests)
        except Problem:
            # pip gave up by itself, so what stood before still stands: it is kept, and tried again next time.
            write_stamp(self.stamp_file, replace(wanted, inputs=""))
            raise
        write_stamp(self.stamp_file, wanted)
        say(f"The environment is ready after {time.monotonic() - start:.0f} s.")

    def _make(self) -> None:
        if Path(sys.prefix) == self.folder:
            raise Problem("Start this with the Python outside .venv: the environment must be made anew.")
        if importlib.util.find_spec("ensurepip") is None:
            apt = "python{}.{}-venv".format(*sys.version_info[:2])
            install_system_packages("Python's venv module", [apt], ["python3-pip"])
        # --clear empties what an interrupted run or another Python left behind.
        made = self._run([sys.executable, "-m", "venv", "--clear", str(self.folder)], os.environ)
        if not made.ok:
            raise Problem(f"The environment could not be made in {self.folder}:\n{last_lines(made.output)}")

    def _install(self, choice: str, with_tests: bool) -> None:
        constraints = self.root / "packaging" / "constraints.txt"
        # Pins the build as well, so that no dependency can bring another one.
        exact = self.folder / "torch.txt"
        source = self._install_torch(
            choice,
            pinned(constraints.read_text(encoding="utf-8"), "torch"),
            present=exact.read_text(encoding="utf-8").strip() if exact.exists() else "",
        )
        exact.write_text(f"{source.requirement}\n", encoding="utf-8")
        say("Installing Quire and its libraries ...")
        # The build tool comes first and under the same pins; an isolated build would fetch its own.
        extra = "[test]" if with_tests else ""
        for what in (["hatchling"], ["--no-build-isolation", "-e", f"{self.root}{extra}"]):
            done = self._pip("-c", str(constraints), "-c", str(exact), *what)
            if not done.ok:
                raise Problem(
                    "Quire's libraries could not be installed; connect this machine to the network and run "
                    f"the same command again. The end of {self.log}:\n{last_lines(done.output)}"
                )

    def _install_torch(self, choice: str, version: str, present: str) -> TorchSource:
        sources = torch_sources(choice, platform.system(), version)
        if present not in [source.requirement for source in sources]:
            size = "3 GB with its CUDA libraries" if choice == "cuda" else "200 MB"
            say(f"Installing torch {version} for {choice.upper()} (about {size} to download) ...")
        ends = []
        for source in sources:
            # An index of its own is only asked briefly: many networks let nobody through to it.
            where = ["--index-url", source.index, "--timeout", "15", "--retries", "0"] if source.index else []
            done = self._pip("--no-deps", *where, source.requirement)
            if done.ok:
                return source
            ends.append(last_lines(done.output, 4))
        asked = " or ".join(source.index or "the sources that pip is set up with" for source in sources)
        raise Problem(
            f"torch {version} for {choice.upper()} and Python {platform.python_version()} could not be had "
            f"from {asked}. Connect this machine to the network and run the same command again, or put the "
            "wheel into a folder and name that folder in the variable PIP_FIND_LINKS. "
            f"The end of {self.log}:\n" + "\n".join(ends)
        )

    def download(self, requirements: Sequence[str], folder: Path, temporary: Path) -> Finished:
        """Let pip download wheels into a folder, from where it is set up to; nothing is installed.

        Args:
            temporary: where pip keeps them until they are complete.
        """
        places = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))
        # Few retries: without a network this is part of every start. Newer versions of pip resume.
        return self._run_pip(
            ("download", "--no-deps", "--only-binary", ":all:", "--retries", "2", "--timeout", "15"),
            (*("--progress-bar", "off", "--dest"), str(folder), *requirements),
            places | {"PIP_RESUME_RETRIES": "5"},
        )

    def _pip(self, *arguments: str) -> Finished:
        return self._run_pip(("install",), arguments, {})

    def _run_pip(
        self, command: Sequence[str], arguments: Sequence[str], variables: Mapping[str, str]
    ) -> Finished:
        own = {"PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", **variables}
        first, *options = command
        command = [str(self.python), "-m", "pip", first, "--no-input", *options, *arguments]
        done = self._run(command, self.variables() | own)
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"$ {' '.join(command)}\n{done.output}\n")
        return done
