"""`python -m tests.proofs.app.screen_reader`: what a screen reader is told on the way from start to export.

The real window, on a bus of its own: `screen_reader_walk` reads it through AT-SPI, as Orca does, and goes on
by the actions that controls offer there. Needs Xvfb, dbus-run-session and the system's Python with AT-SPI's
bindings (Debian: xvfb dbus at-spi2-core gir1.2-atspi-2.0 python3-gi); says so where they are missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from quire_resources import BUILT_IN_MODEL

_READER_PYTHON = "/usr/bin/python3"
"""Bindings of AT-SPI come with the system, not with a package that could be installed beside Quire."""
_HAS_BINDINGS = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"
_WALK = Path(__file__).with_name("screen_reader_walk.py")
_INSIDE = "--inside"
_SCREEN = "1366x768x24"


def main(arguments: Sequence[str]) -> int:
    """Return 0 if everything that a draft needs says what it is, or if nothing can be read here."""
    if list(arguments) == [_INSIDE]:
        return _walk_in_session()
    missing = _missing()
    if missing:
        sys.stdout.write(f"Not tried: {', '.join(missing)} missing.\n")
        return 0
    with tempfile.TemporaryDirectory(prefix="quire-screen-reader-") as home:
        command = ["dbus-run-session", "--", sys.executable, "-m", "tests.proofs.app.screen_reader", _INSIDE]
        return subprocess.run(command, env=_environment(Path(home)), check=False).returncode


def _missing() -> list[str]:
    missing = [name for name in ("Xvfb", "dbus-run-session") if shutil.which(name) is None]
    known = [_READER_PYTHON, "-c", _HAS_BINDINGS]
    has_bindings = (
        Path(_READER_PYTHON).exists()
        and not subprocess.run(known, env={}, capture_output=True, check=False).returncode
    )
    return missing if has_bindings else [*missing, "AT-SPI's Python bindings"]


def _environment(home: Path) -> dict[str, str]:
    """Return an environment in which everything that is stored lies below a folder."""
    folders = {"HOME": home, "XDG_CONFIG_HOME": home / "config", "XDG_CACHE_HOME": home / "cache"}
    folders |= {"XDG_DATA_HOME": home / "data", "XDG_RUNTIME_DIR": home / "run"}
    folders["XDG_RUNTIME_DIR"].mkdir(mode=0o700)
    named = {name: str(folder) for name, folder in folders.items()}
    shown = {"QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "LC_ALL": "C.UTF-8"}
    shown["QT_LOGGING_RULES"] = "qt.accessibility.atspi=false"  # about what went away while it was read
    return os.environ | named | shown


def _walk_in_session() -> int:
    """Start a screen and Quire on it, and read what it says."""
    with subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", _SCREEN, "-nolisten", "tcp"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as screen:  # fmt: skip
        assert screen.stdout is not None
        os.environ["DISPLAY"] = f":{screen.stdout.readline().strip()}"
        quire = subprocess.Popen(
            [sys.executable, "-m", "quire", "--model", str(BUILT_IN_MODEL), "--dtype", "bfloat16"]
        )
        try:
            # the reader is another Python: paths of this one are not for it
            bare = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
            return subprocess.run(
                [_READER_PYTHON, "-W", "ignore", str(_WALK)], env=bare, check=False
            ).returncode
        finally:
            for process in (quire, screen):
                process.kill()
                process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
