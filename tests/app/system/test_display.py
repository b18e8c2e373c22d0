from __future__ import annotations

import sys
from collections.abc import Mapping

import pytest

from quire.system import display
from quire.system.display import QT_LIBRARIES, WAYLAND_LIBRARIES, X11_LIBRARIES, window_problem

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only there Qt needs a display announced")
X11, WAYLAND = {"DISPLAY": ":0"}, {"WAYLAND_DISPLAY": "wayland-0"}


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> dict[str, bool]:
    """A system that has everything; what is set to False is missing or does not answer."""
    there: dict[str, bool] = {}
    monkeypatch.setattr(display, "can_load", lambda soname: there.get(soname, True))
    monkeypatch.setattr(display, "_x11_answers", lambda: there.get("x11", True))
    monkeypatch.setattr(display, "_wayland_answers", lambda: there.get("wayland", True))
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}" if name == "apt-get" else None)
    return there


@pytest.mark.parametrize(
    "variables",
    [X11, WAYLAND, X11 | WAYLAND, {"QT_QPA_PLATFORM": "offscreen"}, X11 | {"QT_QPA_PLATFORM": ""}],
)
@pytest.mark.usefixtures("system")
def test_a_window_opens_where_all_is_there(variables: Mapping[str, str]) -> None:
    assert window_problem(variables) == ""


@pytest.mark.parametrize(
    "variables", [{}, {"DISPLAY": ""}, {"QT_QPA_PLATFORM": ""}, {"QT_QPA_PLATFORM": "xcb"}]
)
@pytest.mark.usefixtures("system")
def test_without_a_display_the_way_without_a_window_is_named(variables: Mapping[str, str]) -> None:
    said = window_problem(variables)
    assert said.startswith("There is no display here")
    assert "quire draft NOVEL.quire --words 500" in said


@pytest.mark.parametrize(
    ("library", "variables"),
    [(QT_LIBRARIES[0], X11), (X11_LIBRARIES[2], X11), (WAYLAND_LIBRARIES[0], WAYLAND)],
)
def test_a_missing_library_is_named_with_its_package(
    library: display.Library, variables: Mapping[str, str], system: dict[str, bool]
) -> None:
    system[library.soname] = False
    said = window_problem(variables)
    assert f"({library.soname})" in said
    assert said.endswith(f"sudo apt-get install {library.apt}")


def test_one_way_to_a_screen_is_enough(system: dict[str, bool]) -> None:
    system[X11_LIBRARIES[2].soname] = False
    assert window_problem(X11 | WAYLAND) == ""
    assert window_problem(X11 | WAYLAND | {"QT_QPA_PLATFORM": "xcb"}) != ""
    system["wayland"] = False
    assert X11_LIBRARIES[2].soname in window_problem(X11 | WAYLAND)


def test_a_screen_that_does_not_answer_is_named(system: dict[str, bool]) -> None:
    system["x11"] = False
    assert "The display (DISPLAY=:0) doesn't answer" in window_problem(X11)
    assert window_problem(X11 | WAYLAND) == ""
