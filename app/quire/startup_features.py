"""What works on the open project beside drafting: files, takes, chapters, searching, statistics, charts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from quire.charts.controller import ChartsController
from quire.import_export.controller import ImportExportController
from quire.manuscript.controller import ManuscriptController
from quire.projects.backup_controller import BackupController
from quire.projects.current_project import CurrentProject
from quire.projects.project_opener import ProjectOpener
from quire.search.controller import SearchController
from quire.shell.main_window import MainWindow
from quire.shell.task_queue import TaskQueue
from quire.shell.window_models import WindowModels
from quire.takes.controller import TakesController
from quire.writing_statistics.controller import StatisticsController

if TYPE_CHECKING:
    from quire.domain.drafting.run import Run


class DraftControl(Protocol):
    """What drafts; a DraftingController."""

    def draft_again(self, careful: bool) -> None:
        """Begin another draft at the end of the text."""
        ...

    def draft_like(self, run: Run) -> None:
        """Draft at the end of the text as a run did: with its seed, its settings, and to as many words."""
        ...

    def pause(self) -> None:
        """Stop drafting at the next word."""
        ...


class StartupFeatures:
    """Builds them, and lets each follow what text is shown.

    go_to_text: shows a place of another text, in characters.
    """

    def __init__(
        self,
        window: MainWindow,
        models: WindowModels,
        current: CurrentProject,
        opener: ProjectOpener,
        tasks: TaskQueue,
        drafts: DraftControl,
        go_to_text: Callable[[int, int], None],
    ) -> None:
        show_text = opener.show_text
        self.files = BackupController(window, current, tasks, opener.adopt)
        self.exchange = ImportExportController(window, current, tasks, opener.adopt)
        self.alternatives = TakesController(window, models, current, tasks, show_text, drafts.draft_again)
        self.alternatives.make_again_with(drafts.draft_like)
        self.writing = StatisticsController(window, models, tasks)
        self.searching = SearchController(
            window, models.status, current, tasks, show_text, opener.open_document
        )
        self.arranging = ManuscriptController(window, models.status, current, tasks, show_text)
        self.inspector = ChartsController(window, models.charts, drafts.pause, go_to_text)
        for part in (self.writing, self.alternatives, self.searching, self.arranging, self.inspector):
            opener.followed.append(part.follow)
