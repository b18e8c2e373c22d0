"""The features of a run in the window: pre-flight panel, speed, acceleration, memory, notifications,
self-check.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from quire.drafting.acceleration_controller import AccelerationController
from quire.drafting.desktop_notifications import DesktopNotifier
from quire.drafting.draft_controls import DraftControls
from quire.drafting.draft_service import DraftService
from quire.drafting.memory_bar import MemoryBar
from quire.drafting.memory_usage import MemoryModel
from quire.drafting.preflight_controller import PreflightController
from quire.drafting.resource_monitor import ResourceMonitor
from quire.drafting.self_check_controller import SelfCheckController
from quire.projects.current_project import CurrentProject
from quire.settings.settings import Settings
from quire.settings.settings_store import SettingsStore
from quire.shell.main_window import MainWindow
from quire.shell.task_queue import TaskQueue

if TYPE_CHECKING:
    from quire.projects.project_opener import Followed
    from quire.services.drafting.generation_session import DraftObserver
    from quire_engine.api.queries import TokenScore


class AskedScorer:
    """Asks the engine for the probabilities of a text, starting it if necessary."""

    def __init__(self, drafts: DraftService) -> None:
        self._drafts = drafts

    async def score(self, prompt_text: str, text: str) -> Sequence[TokenScore]:
        """Return the scores of each token of a text that follows another one."""
        return await (await self._drafts.questions()).score(prompt_text, text)


class RunFeatures:
    """Creates and connects these features.

    Attributes:
        observers: observe every draft.
    """

    def __init__(
        self,
        window: MainWindow,
        current: CurrentProject,
        tasks: TaskQueue,
        settings: SettingsStore,
        controls: DraftControls,
        drafts: DraftService,
    ) -> None:
        self.memory = MemoryModel(window)
        self.memory_bar = MemoryBar(self.memory, window.themes, window.status_line)
        window.status_line.add_before_model(self.memory_bar)
        self.preflight = PreflightController(window, current, tasks, settings, controls.bar, drafts)
        self.resources = ResourceMonitor(window, current, tasks, settings, self.memory, controls, drafts)
        self.notifications = DesktopNotifier(window, window.progress)
        self.self_check = SelfCheckController(window, current, tasks, drafts.questions)
        self.acceleration = AccelerationController(window, current, tasks, settings, controls, drafts)
        window.commands.acceleration.triggered.connect(self.acceleration.show_dialog)
        self.observers: tuple[DraftObserver, ...] = (self.resources, self.preflight, self.notifications)

    @property
    def followers(self) -> tuple[Followed, ...]:
        """Return what follows the text that is shown."""
        return (self.resources.follow, self.preflight.follow)

    def take(self, settings: Settings) -> None:
        """Apply the settings."""
        self.notifications.take(settings)

    def close(self) -> None:
        """Stop background work."""
        self.self_check.stop()
        self.resources.close()
