"""What the parts of the window have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from quire.projects.current_project import ManuscriptKeeper
from quire.projects.project_opener import ProjectOpener
from quire.settings.settings_store import SettingsKeeper
from quire.shell.main_window import MainWindow
from quire.shell.task_queue import Doing
from quire.shell.window_models import WindowModels


@dataclass(frozen=True, slots=True)
class Surroundings:
    """go_to_text: shows a place of a text, in characters. presets_path: where the writer's presets are."""

    window: MainWindow
    models: WindowModels
    keeper: ManuscriptKeeper
    opener: ProjectOpener
    doing: Doing
    settings: SettingsKeeper
    go_to_text: Callable[[int, int], None]
    presets_path: Path
