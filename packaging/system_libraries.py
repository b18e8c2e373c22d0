"""Installing, or naming, what Qt's wheels expect from a Linux system."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "app"))  # nothing is installed yet

from console import Problem, last_lines, say
from quire.system.display import (
    QT_LIBRARIES,
    WAYLAND_LIBRARIES,
    X11_LIBRARIES,
    Library,
    can_load,
    has_display,
    install_line,
    libraries_for,
    needs_display,
)

__all__ = [
    "QT_LIBRARIES",
    "WAYLAND_LIBRARIES",
    "X11_LIBRARIES",
    "Library",
    "can_load",
    "ensure_libraries",
    "has_display",
    "install_line",
    "install_system_packages",
    "libraries_for",
    "needs_display",
]


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
