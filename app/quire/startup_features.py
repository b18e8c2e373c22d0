"""The features that exist when the window is first shown, in the order of their creation."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from quire.app_context import AppContext
from quire.charts.controller import ChartsController
from quire.charts.run_charts import RunCharts
from quire.diagnostics.crash_reporting import Reporting
from quire.drafting.controller import DraftingController
from quire.drafting.draft_controls import DraftControls
from quire.drafting.project_model_controller import ProjectModelController
from quire.drafting.target_controller import TargetController
from quire.help.controller import HelpController
from quire.import_export.controller import ImportExportController
from quire.manuscript.controller import ManuscriptController
from quire.overlays.page_overlays import PageOverlays
from quire.preferences.controller import PreferencesController
from quire.projects.backup_controller import BackupController
from quire.projects.elsewhere_controller import ElsewhereController
from quire.projects.project_dialogs import ProjectDialogs
from quire.projects.project_opener import ProjectOpener
from quire.projects.safe_mode import SafeMode
from quire.projects.starter_setup import StarterSetup
from quire.projects.welcome_controller import WelcomeController, WelcomeDependencies
from quire.search.controller import SearchController
from quire.settings.settings import ModelChoice
from quire.settings.settings_store import SettingsStore
from quire.shell.window_appearance import WindowAppearance
from quire.takes.controller import TakesController
from quire.takes.result_controller import ResultController
from quire.theme.motion import MotionSwitch
from quire.writing_statistics.controller import StatisticsController


class StartupFeatures:
    """Creates them around the window, and connects them with each other and with drafting.

    Args:
        notes_folder: where word counts of projects are stored, or None.
    """

    def __init__(
        self,
        context: AppContext,
        controls: DraftControls,
        drafts: DraftingController,
        safe_mode: SafeMode,
        reporting: Reporting,
        motion: MotionSwitch,
        notes_folder: Path | None,
    ) -> None:
        window, current, opener, tasks = context.window, context.current, context.opener, context.tasks
        window.commands.set_waiting(waiting=True)
        self.appearance = WindowAppearance(window)
        controls.bar.theme_clicked.connect(self.appearance.toggle_theme)
        self.dialogs = ProjectDialogs(window, context.projects_folder)
        self.help = HelpController(window, reporting)

        self.manuscript = ManuscriptController(window, current, tasks, opener.show_text)
        self.run_charts = RunCharts()
        self.takes = TakesController(
            window, current, tasks, self.run_charts, opener.show_text, drafts.draft_again, drafts.draft_like
        )
        self.result = ResultController(window, current, self.takes)
        self.search = SearchController(window, current, tasks, opener.show_text, opener.open_document)
        self.page_overlays = PageOverlays(window)
        self.charts = ChartsController(window, self.run_charts, drafts.pause, context.go_to_text)
        controls.strip.add_spark(self.charts.sparkline)
        self.backups = BackupController(window, current, tasks, opener.adopt, lambda: drafts.fast_resume)
        self.elsewhere = ElsewhereController(window, current, tasks, opener.adopt)
        self.import_export = ImportExportController(window, current, tasks, opener.adopt)
        self.statistics = StatisticsController(window, tasks)
        self.target = TargetController(
            window, current, tasks, controls.bar, opener.open_document, drafts.continue_here
        )
        self.starter = StarterSetup(
            context.settings,
            partial(_use_usual, drafts, context.settings),
            is_named=bool(context.named_model),
        )
        controls.bar.pause_asked.connect(self.starter.stop)
        self.welcome = self._make_welcome(context, drafts, safe_mode, reporting, notes_folder)
        self.preferences = PreferencesController(
            window, context.settings, self.appearance, controls.bar.goal_box, motion, tasks
        )
        self.project_model = ProjectModelController(
            window, context.settings, drafts, self.starter, context.named_model, context.named_file
        )
        context.settings.add(self.project_model)
        self._follow(opener, drafts)

    def _make_welcome(
        self,
        context: AppContext,
        drafts: DraftingController,
        safe_mode: SafeMode,
        reporting: Reporting,
        notes_folder: Path | None,
    ) -> WelcomeController:
        needs = WelcomeDependencies(
            context.settings, context.opener, self.dialogs, context.projects_folder,
            safe_mode, drafts.look_for_model, reporting.last_time, notes_folder, self.starter,
            lambda: drafts.model,
        )  # fmt: skip
        return WelcomeController(context.window, context.current, context.tasks, needs)

    def _follow(self, opener: ProjectOpener, drafts: DraftingController) -> None:
        """Let features follow the open project and its drafts."""
        opener.shown.append(self.manuscript.show)
        for feature in (
            self.statistics, self.takes, self.search, self.manuscript, self.charts, self.welcome,
            self.project_model, self.target, self.result,
        ):  # fmt: skip
            opener.followed.append(feature.follow)
        drafts.observers.add(self.charts)
        drafts.choosing.append(self.project_model.before_draft)
        drafts.before.append(self.charts.prepare)
        drafts.after += [
            self.takes.draft_ended, self.manuscript.draft_ended, self.project_model.draft_ended,
            self.result.draft_ended, self.target.draft_ended, self.statistics.draft_ended,
        ]  # fmt: skip
        drafts.pages.turned_to += [self.charts.page_turned, self.manuscript.advanced, self.target.turned_to]
        self.manuscript.rearranged.append(self.target.rearranged)
        self.target.marked.append(self.manuscript.panel.model.show_target)


def _use_usual(drafts: DraftingController, settings: SettingsStore) -> None:
    """Draft with the model that the settings name."""
    drafts.use_for_project(ModelChoice.of(settings.settings, settings.settings.model_folder))
