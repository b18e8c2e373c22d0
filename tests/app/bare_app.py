"""An App around a window, with those features that a test wants."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from quire.app import App
from quire.features import AT_START
from quire.settings.settings import SettingsFile
from quire.settings.settings_store import SettingsStore
from quire.shell.main_window import MainWindow
from quire.shell.task_queue import Action, TaskQueue


def bare_app(
    window: MainWindow,
    folder: Path,
    *features: str,
    do: Callable[[Action], None] | None = None,
    **parts: Any,
) -> App:
    """Build features by their names, after the parts that a test makes up.

    folder: where the settings are. do: runs whatever is asked for; None: nothing is run.
    """
    run = _ignore if do is None else do
    settings = SettingsStore(SettingsFile(folder / "settings.json"))
    app = App(window, TaskQueue(run, run, run), settings)
    # what the features of the window share, unless a test has its own
    usual = {"drafts": SimpleNamespace(is_writing=False, pause=_nothing)}
    for name, part in (usual | parts).items():
        setattr(app, name, part)
    window.destroyed.connect(lambda: settings.close())
    known = dict(AT_START)
    assert set(features) <= set(known)
    for name, make in known.items():
        if name in {"current", *features} - set(parts):
            setattr(app, name, make(app))
    return app


def _nothing() -> None:
    """Do nothing."""


def _ignore(_action: Action) -> None:
    """Run nothing."""
