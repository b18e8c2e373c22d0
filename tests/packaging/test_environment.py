"""What is installed, from where, and when it is left alone."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from console import Problem
from environment import (
    Environment,
    Finished,
    Stamp,
    choose_torch,
    inputs_of,
    nvidia_smi_works,
    pinned,
    read_stamp,
    torch_sources,
    write_stamp,
)

STAMP = Stamp(place="here", inputs="", torch="cpu", by_hand=False, nvidia_smi="", with_tests=False)
FILES = ("pyproject.toml", "packaging/constraints.txt", "packaging/environment.py")


class Machine:
    """Stands for the processes that an environment starts: remembers them, fails where told to."""

    def __init__(self) -> None:
        self.commands: list[list[str]] = []
        self.failing: tuple[str, ...] = ()
        self.interrupted = False

    def run(self, command: Sequence[str], variables: Mapping[str, str]) -> Finished:
        """Note a command; making an environment leaves an interpreter in it."""
        self.commands.append(list(command))
        if command[1:3] == ["-m", "venv"]:
            environment = Environment(Path(command[-1]).parent)
            environment.scripts.mkdir(parents=True, exist_ok=True)
            environment.python.touch()
        elif self.interrupted:
            raise KeyboardInterrupt
        if any(word in command for word in self.failing):
            return Finished(False, "ERROR: No matching distribution found")
        return Finished(True, "")

    def said(self) -> list[str]:
        """Return what was asked for, without interpreters and folders, and forget it."""
        found = [" ".join(Path(word).name for word in command[1:]) for command in self.commands]
        self.commands.clear()
        return found


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with the files that decide what is installed."""
    (tmp_path / "packaging").mkdir()
    for name in FILES:
        (tmp_path / name).write_text("", encoding="utf-8")
    (tmp_path / "packaging/constraints.txt").write_text("numpy==2.4.6\ntorch==2.13.0\n", encoding="utf-8")
    return tmp_path


@pytest.fixture(autouse=True)
def plain_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    """Linux without a GPU, whatever the tests run on."""
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.setattr("shutil.which", lambda name: None)


def test_torch_is_for_cuda_only_where_the_driver_answers() -> None:
    assert choose_torch(None, None, "", lambda _: True) == ("cpu", False)
    assert choose_torch(None, None, "/bin/nvidia-smi", lambda _: False) == ("cpu", False)
    assert choose_torch(None, None, "/bin/nvidia-smi", lambda _: True) == ("cuda", False)


@pytest.mark.parametrize("asked", ["cpu", "cuda"])
def test_torch_chosen_by_hand_stands(asked: str) -> None:
    assert choose_torch(asked, STAMP, "/bin/nvidia-smi", lambda _: asked == "cpu") == (asked, True)
    chosen = Stamp("here", "", asked, by_hand=True, nvidia_smi="", with_tests=False)
    assert choose_torch(None, chosen, "/bin/nvidia-smi", lambda _: asked == "cpu") == (asked, True)
    assert choose_torch("auto", chosen, "", lambda _: False) == ("cpu", False)


def test_the_driver_is_asked_again_only_when_it_came_or_went() -> None:
    def never(path: str) -> bool:
        raise AssertionError(path)

    assert choose_torch(None, STAMP, "", never) == ("cpu", False)
    assert choose_torch(None, STAMP, "/bin/nvidia-smi", lambda _: True) == ("cuda", False)


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")
@pytest.mark.parametrize(
    ("script", "works"),
    [
        ("echo 'GPU 0: NVIDIA H200 (UUID: GPU-1)'", True),
        ("echo 'No devices were found'", False),
        ("echo 'GPU access blocked by the operating system'; exit 9", False),
    ],
)
def test_a_driver_works_when_it_lists_a_gpu(tmp_path: Path, script: str, works: bool) -> None:
    tool = tmp_path / "nvidia-smi"
    tool.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    tool.chmod(0o755)
    assert nvidia_smi_works(str(tool)) is works


def test_a_driver_that_cannot_be_started_does_not_work(tmp_path: Path) -> None:
    assert not nvidia_smi_works(str(tmp_path / "nvidia-smi"))


@pytest.mark.parametrize(
    ("choice", "system", "requirements"),
    [
        ("cpu", "Linux", ["torch==2.13.0+cpu", "torch==2.13.0+cpu"]),
        ("cpu", "Windows", ["torch===2.13.0", "torch==2.13.0+cpu"]),
        ("cpu", "Darwin", ["torch===2.13.0"]),
        ("cuda", "Linux", ["torch===2.13.0"]),
        ("cuda", "Windows", ["torch==2.13.0+cu130"]),
    ],
)
def test_torch_comes_from_where_the_build_is(choice: str, system: str, requirements: list[str]) -> None:
    assert [source.requirement for source in torch_sources(choice, system, "2.13.0")] == requirements


def test_there_is_no_cuda_on_macos() -> None:
    with pytest.raises(Problem, match="no CUDA on macOS"):
        torch_sources("cuda", "Darwin", "2.13.0")


def test_the_pin_of_a_package_is_read_from_the_constraints() -> None:
    assert pinned("torchdata==1.0\ntorch==2.13.0 ; python_version >= '3.11'\n", "torch") == "2.13.0"
    with pytest.raises(Problem, match="does not pin torch"):
        pinned("torchdata==1.0\n", "torch")


def test_a_stamp_is_read_back(tmp_path: Path) -> None:
    write_stamp(tmp_path / "stamp.json", STAMP)
    assert read_stamp(tmp_path / "stamp.json") == STAMP


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"place": "here"}', '{"colour": "red"}'])
def test_a_damaged_stamp_counts_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "stamp.json").write_text(text, encoding="utf-8")
    assert read_stamp(tmp_path / "stamp.json") is None


@pytest.mark.parametrize("name", FILES)
def test_every_file_that_says_what_to_install_counts(root: Path, name: str) -> None:
    before = inputs_of(root)
    with (root / name).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert inputs_of(root) != before


def test_the_first_time_makes_everything_and_the_second_nothing(root: Path) -> None:
    machine = Machine()
    Environment(root, machine.run).ensure(None, with_tests=False)
    assert machine.said() == [
        "-m venv --clear .venv",
        "-m pip install --no-input --no-deps torch==2.13.0+cpu",
        "-m pip install --no-input -c constraints.txt -c torch.txt hatchling",
        f"-m pip install --no-input -c constraints.txt -c torch.txt --no-build-isolation -e {root.name}",
    ]
    Environment(root, machine.run).ensure(None, with_tests=False)
    assert machine.said() == []


def test_the_build_of_torch_is_pinned_for_its_dependents(root: Path) -> None:
    Environment(root, Machine().run).ensure(None, with_tests=False)
    assert (root / ".venv" / "torch.txt").read_text(encoding="utf-8") == "torch==2.13.0+cpu\n"


def test_the_test_tools_come_on_top_and_stay(root: Path) -> None:
    machine = Machine()
    Environment(root, machine.run).ensure(None, with_tests=False)
    machine.said()
    Environment(root, machine.run).ensure(None, with_tests=True)
    said = machine.said()
    assert not any("venv --clear" in command for command in said)
    assert said[-1].endswith(f"-e {root.name}[test]")
    Environment(root, machine.run).ensure(None, with_tests=False)
    assert machine.said() == []


def test_a_change_of_the_pins_updates_the_environment_in_place(root: Path) -> None:
    machine = Machine()
    Environment(root, machine.run).ensure(None, with_tests=False)
    machine.said()
    with (root / "packaging/constraints.txt").open("a", encoding="utf-8") as file:
        file.write("regex==1\n")
    Environment(root, machine.run).ensure(None, with_tests=False)
    assert machine.said()[0] == "-m pip install --no-input --no-deps torch==2.13.0+cpu"


def test_another_place_makes_the_environment_anew(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    machine = Machine()
    Environment(root, machine.run).ensure(None, with_tests=False)
    machine.said()
    moved = tmp_path_factory.mktemp("moved") / "quire"
    root.rename(moved)
    Environment(moved, machine.run).ensure(None, with_tests=False)
    assert machine.said()[0] == "-m venv --clear .venv"


def test_an_interrupted_installation_is_made_anew(root: Path) -> None:
    machine = Machine()
    Environment(root, machine.run).ensure(None, with_tests=False)
    (root / "pyproject.toml").write_text("changed", encoding="utf-8")
    machine.interrupted = True
    with pytest.raises(KeyboardInterrupt):
        Environment(root, machine.run).ensure(None, with_tests=False)
    machine.interrupted = False
    machine.said()
    Environment(root, machine.run).ensure(None, with_tests=False)
    assert machine.said()[0] == "-m venv --clear .venv"


def test_a_failed_update_keeps_the_environment_and_is_tried_again(root: Path) -> None:
    machine = Machine()
    machine.failing = ("hatchling",)
    with pytest.raises(Problem, match=r"same command again(.|\n)*No matching distribution"):
        Environment(root, machine.run).ensure(None, with_tests=False)
    assert "No matching distribution" in (root / ".venv" / "bootstrap.log").read_text(encoding="utf-8")
    machine.failing = ()
    machine.said()
    Environment(root, machine.run).ensure(None, with_tests=False)
    assert len(machine.said()) == 3


def test_torch_is_then_looked_for_on_its_own_index_and_never_in_the_cuda_build(root: Path) -> None:
    machine = Machine()
    machine.failing = ("torch==2.13.0+cpu",)
    with pytest.raises(Problem, match=r"torch 2\.13\.0 for CPU(.|\n)*PIP_FIND_LINKS"):
        Environment(root, machine.run).ensure(None, with_tests=False)
    assert machine.said()[1:] == [
        "-m pip install --no-input --no-deps torch==2.13.0+cpu",
        "-m pip install --no-input --no-deps --index-url cpu --timeout 15 --retries 0 torch==2.13.0+cpu",
    ]


def test_the_environment_is_not_made_anew_from_inside(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.prefix", str(root / ".venv"))
    with pytest.raises(Problem, match=r"outside \.venv"):
        Environment(root, Machine().run).ensure(None, with_tests=False)


def test_variables_of_another_environment_stay_out(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    monkeypatch.setenv("PYTHONHOME", "/elsewhere")
    environment = Environment(root)
    variables = environment.variables()
    assert not {"PYTHONPATH", "PYTHONHOME"} & variables.keys()
    assert variables["PATH"].startswith(str(environment.scripts))
