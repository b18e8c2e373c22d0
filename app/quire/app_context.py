"""What every feature gets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from quire.projects.current_project import CurrentProject
from quire.projects.project_opener import ProjectOpener
from quire.services.model_library.server_keys import ServerKeys
from quire.settings.settings_store import SettingsStore
from quire.shell.main_window import MainWindow
from quire.shell.task_queue import TaskQueue

if TYPE_CHECKING:
    from quire.services.model_library.kernel_compilation import KernelCompilation


@dataclass(frozen=True, slots=True)
class AppContext:
    """The window, the open project, and the ways to change them.

    Args:
        go_to_text: shows a place of a text, in characters.
        projects_folder: where new projects are created.
        presets_path: where the writer's presets are stored.
        keys: of the servers that the writer added.
        named_model: the folder or file of the model on the command line; empty for none.
        named_file: the same if it is imported before it is used; else None.
        kernels: compiled in the background; None: only by a load.
    """

    window: MainWindow
    current: CurrentProject
    opener: ProjectOpener
    tasks: TaskQueue
    settings: SettingsStore
    go_to_text: Callable[[int, int], None]
    projects_folder: Path
    presets_path: Path
    keys: ServerKeys
    named_model: str = ""
    named_file: Path | None = None
    kernels: KernelCompilation | None = None
