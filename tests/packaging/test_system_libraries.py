"""What Qt needs from a Linux system: found, installed or named."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import system_libraries
from console import Problem
from system_libraries import (
    QT_LIBRARIES,
    WAYLAND_LIBRARIES,
    X11_LIBRARIES,
    Library,
    can_load,
    ensure_libraries,
    has_display,
    install_line,
    libraries_for,
    needs_display,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux brings Qt's libraries itself")

Which = Callable[[str], str | None]


def only(*tools: str) -> Which:
    """Return a shutil.which that knows these tools."""
    return lambda name: f"/usr/bin/{name}" if name in tools else None


@pytest.fixture
def two_missing(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """A system without two of Qt's libraries; what is taken out of the set is there."""
    missing = {"libEGL.so.1", "libgthread-2.0.so.0"}
    monkeypatch.setattr(system_libraries, "can_load", lambda soname: soname not in missing)
    return missing


def test_the_loader_is_asked() -> None:
    assert can_load("libc.so.6")
    assert not can_load("libquire-has-no-such-library.so.1")


@pytest.mark.parametrize(
    ("variables", "libraries"),
    [
        ({"DISPLAY": ":0"}, QT_LIBRARIES + X11_LIBRARIES),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, QT_LIBRARIES + X11_LIBRARIES),
        ({"WAYLAND_DISPLAY": "wayland-0"}, QT_LIBRARIES + WAYLAND_LIBRARIES),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}, QT_LIBRARIES),
    ],
)
def test_what_is_needed_depends_on_the_screen(
    variables: dict[str, str], libraries: tuple[Library, ...]
) -> None:
    assert libraries_for(variables) == libraries


def test_a_display_is_one_of_two_variables() -> None:
    assert not has_display({"DISPLAY": ""})
    assert has_display({"DISPLAY": ":0"})
    assert has_display({"WAYLAND_DISPLAY": "wayland-0"})


@pytest.mark.parametrize(
    ("platform", "needed"),
    [("xcb", True), ("wayland;xcb", True), ("offscreen", False), ("vnc:port=5900", False)],
)
def test_some_platforms_need_no_display(platform: str, needed: bool) -> None:
    assert needs_display({"QT_QPA_PLATFORM": platform}) is needed
    assert needs_display({})


def test_the_line_fits_the_package_manager() -> None:
    assert install_line(["libegl1"], ["libglvnd-egl"], only("apt-get")) == "sudo apt-get install libegl1"
    assert install_line(["libegl1"], ["libglvnd-egl"], only("dnf")) == "sudo dnf install libglvnd-egl"
    assert install_line(["libegl1"], ["libglvnd-egl"], only("pacman")) is None


@pytest.mark.parametrize(
    ("tools", "user", "words"),
    [
        (("apt-get",), 1000, "    sudo apt-get install libegl1 libglib2.0-0"),
        (("dnf",), 0, "    sudo dnf install libglvnd-egl glib2"),
        (("pacman",), 0, "On Debian the packages are called libegl1 libglib2.0-0"),
    ],
)
def test_who_cannot_install_is_told_how(
    two_missing: set[str], monkeypatch: pytest.MonkeyPatch, tools: tuple[str, ...], user: int, words: str
) -> None:
    monkeypatch.setattr("shutil.which", only(*tools))
    monkeypatch.setattr("os.geteuid", lambda: user)
    with pytest.raises(Problem) as caught:
        ensure_libraries(QT_LIBRARIES)
    assert words in str(caught.value)
    assert "libEGL.so.1, libgthread-2.0.so.0" in str(caught.value)


@pytest.mark.parametrize("helped", [True, False])
def test_root_on_an_apt_system_installs_only_what_is_missing(
    two_missing: set[str], monkeypatch: pytest.MonkeyPatch, helped: bool
) -> None:
    commands: list[str] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        commands.append(" ".join(word for word in command if not word.startswith(("-", "DPkg"))))
        if helped and "install" in command:
            two_missing.clear()
        return subprocess.CompletedProcess(command, 0, "")

    monkeypatch.setattr("shutil.which", only("apt-get"))
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("subprocess.run", run)
    if helped:
        ensure_libraries(QT_LIBRARIES)
    else:
        with pytest.raises(Problem, match=r"still finds no libEGL\.so\.1"):
            ensure_libraries(QT_LIBRARIES)
    assert commands == ["apt-get update", "apt-get install libegl1 libglib2.0-0"]


def test_a_failed_installation_shows_its_last_words(
    two_missing: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 100, "E: Unable to locate package libegl1\n")

    monkeypatch.setattr("shutil.which", only("apt-get"))
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("subprocess.run", run)
    with pytest.raises(Problem, match="Unable to locate package"):
        ensure_libraries(QT_LIBRARIES)


def test_nothing_is_asked_for_where_nothing_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_libraries, "can_load", lambda soname: True)
    monkeypatch.setattr("shutil.which", only())
    ensure_libraries(QT_LIBRARIES + X11_LIBRARIES)
