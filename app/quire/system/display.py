"""What Qt needs to open a window on Linux: a display that answers, and libraries of the system.

Qt ends the process where one of them is missing, so this looks first. Only the standard library: the
bootstrap uses it before anything is installed.
"""

from __future__ import annotations

import ctypes
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Library:
    """A shared library that Qt's wheels expect from the system, and the packages that bring it."""

    soname: str
    apt: str
    dnf: str


QT_LIBRARIES = (
    Library("libGL.so.1", "libgl1", "libglvnd-glx"),
    Library("libEGL.so.1", "libegl1", "libglvnd-egl"),
    Library("libX11.so.6", "libx11-6", "libX11"),
    Library("libxkbcommon.so.0", "libxkbcommon0", "libxkbcommon"),
    Library("libglib-2.0.so.0", "libglib2.0-0", "glib2"),
    Library("libgthread-2.0.so.0", "libglib2.0-0", "glib2"),
    Library("libfontconfig.so.1", "libfontconfig1", "fontconfig"),
    Library("libfreetype.so.6", "libfreetype6", "freetype"),
    Library("libdbus-1.so.3", "libdbus-1-3", "dbus-libs"),
)
X11_LIBRARIES = (
    Library("libX11-xcb.so.1", "libx11-xcb1", "libX11-xcb"),
    Library("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", "libxkbcommon-x11"),
    Library("libxcb-cursor.so.0", "libxcb-cursor0", "xcb-util-cursor"),
    Library("libxcb-icccm.so.4", "libxcb-icccm4", "xcb-util-wm"),
    Library("libxcb-image.so.0", "libxcb-image0", "xcb-util-image"),
    Library("libxcb-keysyms.so.1", "libxcb-keysyms1", "xcb-util-keysyms"),
    Library("libxcb-render-util.so.0", "libxcb-render-util0", "xcb-util-renderutil"),
    Library("libxcb-util.so.1", "libxcb-util1", "xcb-util"),
    Library("libxcb-randr.so.0", "libxcb-randr0", "libxcb"),
    Library("libxcb-render.so.0", "libxcb-render0", "libxcb"),
    Library("libxcb-shape.so.0", "libxcb-shape0", "libxcb"),
    Library("libxcb-shm.so.0", "libxcb-shm0", "libxcb"),
    Library("libxcb-sync.so.1", "libxcb-sync1", "libxcb"),
    Library("libxcb-xfixes.so.0", "libxcb-xfixes0", "libxcb"),
    Library("libxcb-xkb.so.1", "libxcb-xkb1", "libxcb"),
)
WAYLAND_LIBRARIES = (
    Library("libwayland-client.so.0", "libwayland-client0", "libwayland-client"),
    Library("libwayland-cursor.so.0", "libwayland-cursor0", "libwayland-cursor"),
)


def needs_display(variables: Mapping[str, str]) -> bool:
    """Tell whether Qt draws on a screen here; platforms such as offscreen do not."""
    return (variables.get("QT_QPA_PLATFORM") or "xcb").startswith(("xcb", "wayland"))


def has_display(variables: Mapping[str, str]) -> bool:
    """Tell whether a screen was announced to this process (Linux)."""
    return bool(variables.get("DISPLAY") or variables.get("WAYLAND_DISPLAY"))


def libraries_for(variables: Mapping[str, str]) -> tuple[Library, ...]:
    """Return what Qt needs from the system to draw where these variables send it."""
    if not needs_display(variables):
        return QT_LIBRARIES
    return QT_LIBRARIES + (X11_LIBRARIES if variables.get("DISPLAY") else WAYLAND_LIBRARIES)


def can_load(soname: str) -> bool:
    """Tell whether the system's loader finds a library, which is what Qt will ask it."""
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def install_line(apt: Sequence[str], dnf: Sequence[str], which: Callable[[str], str | None]) -> str | None:
    """Return the line that installs packages on this system, None when its package manager is unknown."""
    if which("apt-get"):
        return f"sudo apt-get install {' '.join(apt)}"
    return f"sudo dnf install {' '.join(dnf)}" if which("dnf") else None


_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")
NO_DISPLAY = (
    "There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so Quire can't open its window. "
    "It drafts without one too:\n"
    "    {command} new NOVEL.quire --opening TEXTFILE\n"
    "    {command} draft NOVEL.quire --words 500"
)


def missing_libraries(libraries: Sequence[Library]) -> list[Library]:
    """Return those that the loader does not find."""
    return [library for library in libraries if not can_load(library.soname)]


def window_problem(variables: Mapping[str, str]) -> str:
    """Return why no window can be opened with these variables, and what to do; empty where one can."""
    if sys.platform != "linux":
        return ""
    ways = _ways(variables)
    if needs_display(variables) and not ways:
        return NO_DISPLAY.format(command="quire")
    if missing := missing_libraries(QT_LIBRARIES):
        return _missing(missing)
    lacking = [missing_libraries(way.libraries) for way in ways]
    if not ways or any(not missing and way.answers() for missing, way in zip(lacking, ways, strict=True)):
        return ""
    if found := next(filter(None, lacking), None):
        return _missing(found)
    announced = ", ".join(f"{name}={variables[name]}" for name in _SCREENS if variables.get(name))
    return (
        f"The display ({announced}) doesn't answer, so Quire can't open its window. Start Quire from a "
        "desktop session, or draft without a window: quire --help."
    )


@dataclass(frozen=True, slots=True)
class _Way:
    """How Qt may reach a screen. answers: whether the screen lets this process in."""

    libraries: tuple[Library, ...]
    answers: Callable[[], bool]


def _ways(variables: Mapping[str, str]) -> list[_Way]:
    if not needs_display(variables):
        return []
    wanted = variables.get("QT_QPA_PLATFORM", "")
    ways = list[_Way]()
    if variables.get("DISPLAY") and not wanted.startswith("wayland"):
        ways.append(_Way(X11_LIBRARIES, _x11_answers))
    if variables.get("WAYLAND_DISPLAY") and not wanted.startswith("xcb"):
        ways.append(_Way(WAYLAND_LIBRARIES, _wayland_answers))
    return ways


def _missing(libraries: Sequence[Library]) -> str:
    names = ", ".join(library.soname for library in libraries)
    apt = list(dict.fromkeys(library.apt for library in libraries))
    dnf = list(dict.fromkeys(library.dnf for library in libraries))
    line = install_line(apt, dnf, shutil.which)
    todo = (
        f"On Debian the packages are called {' '.join(apt)}; install yours."
        if line is None
        else f"Install them and start Quire again:\n    {line}"
    )
    return f"Quire's window needs libraries that are missing from this system ({names}). {todo}"


def _x11_answers() -> bool:
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # Qt may know another way
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = (ctypes.c_void_p,)
    connection = xcb.xcb_connect(None, None)
    try:
        return not xcb.xcb_connection_has_error(connection)
    finally:
        xcb.xcb_disconnect(connection)


def _wayland_answers() -> bool:
    try:
        wayland = ctypes.CDLL("libwayland-client.so.0")
    except OSError:
        return True
    wayland.wl_display_connect.restype = ctypes.c_void_p
    wayland.wl_display_connect.argtypes = (ctypes.c_char_p,)
    wayland.wl_display_disconnect.argtypes = (ctypes.c_void_p,)
    display = wayland.wl_display_connect(None)
    if not display:
        return False
    wayland.wl_display_disconnect(display)
    return True
