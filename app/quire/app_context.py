"""What the parts of the window have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from quire.projects.current_project import CurrentProject
from quire.projects.project_opener import ProjectOpener
from quire.settings.settings_store import SettingsStore
from quire.shell.main_window import MainWindow
from quire.shell.task_queue import TaskQueue
from quire.shell.window_models import WindowModels


@dataclass(frozen=True, slots=True)
class AppContext:
    """go_to_text: shows a place of a text, in characters. presets_path: where the writer's presets are."""

    window: MainWindow
    models: WindowModels
    current: CurrentProject
    opener: ProjectOpener
    tasks: TaskQueue
    settings: SettingsStore
    go_to_text: Callable[[int, int], None]
    presets_path: Path
