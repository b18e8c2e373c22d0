"""What Qt's wheels expect from a Linux system: finding out what is missing, and installing or naming it."""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from console import Problem, last_lines, say


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
    return variables.get("QT_QPA_PLATFORM", "xcb").startswith(("xcb", "wayland"))


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


def ensure_libraries(libraries: Sequence[Library]) -> None:
    """Make sure that Qt's system libraries are there; stop with the line that installs them otherwise."""
    if platform.system() != "Linux":
        return
    missing = [library for library in libraries if not can_load(library.soname)]
    if missing:
        names = ", ".join(library.soname for library in missing)
        apt, dnf = ([*dict.fromkeys(names)] for names in zip(*((m.apt, m.dnf) for m in missing), strict=True))
        install_system_packages(f"What Qt needs from the system ({names})", apt, dnf)
        still = [library.soname for library in missing if not can_load(library.soname)]
        if still:
            raise Problem(f"After installing {' '.join(apt)} the loader still finds no {', '.join(still)}.")


def install_line(apt: Sequence[str], dnf: Sequence[str], which: Callable[[str], str | None]) -> str | None:
    """Return the line that installs packages on this system, None when its package manager is unknown."""
    if which("apt-get"):
        return f"sudo apt-get install {' '.join(apt)}"
    return f"sudo dnf install {' '.join(dnf)}" if which("dnf") else None


def install_system_packages(what: str, apt: Sequence[str], dnf: Sequence[str]) -> None:
    """Install packages as root on an apt system; anywhere else stop and say how."""
    line = install_line(apt, dnf, shutil.which)
    if line is None:
        raise Problem(f"{what} is missing. On Debian the packages are called {' '.join(apt)}; install yours.")
    if not line.startswith("sudo apt-get") or os.geteuid() != 0:
        raise Problem(f"{what} is missing. Install it and run the same command again:\n    {line}")
    say(f"Installing {' '.join(apt)} ...")
    quiet = ["apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=120"]
    for command in ([*quiet, "update"], [*quiet, "install", "--no-install-recommends", *apt]):
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
            check=False,
        )
    # Without the newest lists the packages may well be there; only their installation decides.
    if done.returncode:
        raise Problem(f"{what} is missing and could not be installed:\n{last_lines(done.stdout)}\n    {line}")
