"""Every feature of the window, in the order in which they are built."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from quire.app import App
from quire.charts.controller import ChartsController
from quire.charts.run_charts import RunCharts
from quire.drafting.chosen_model import ChosenModel
from quire.drafting.controller import DraftingController
from quire.drafting.draft_controls import DraftControls
from quire.drafting.draft_display import DraftDisplay
from quire.drafting.loop_alarms import LoopAlarms
from quire.drafting.project_model_controller import ProjectModelController
from quire.drafting.target_controller import TargetController
from quire.help.controller import HelpController
from quire.import_export.controller import ImportExportController
from quire.manuscript.controller import ManuscriptController
from quire.overlays.page_overlays import PageOverlays
from quire.preferences.controller import PreferencesController
from quire.projects.backup_controller import BackupController
from quire.projects.current_project import CurrentProject
from quire.projects.elsewhere_controller import ElsewhereController
from quire.projects.navigation import Navigation
from quire.projects.problem_notices import ProblemNotices
from quire.projects.project_dialogs import ProjectDialogs
from quire.projects.project_opener import ProjectOpener
from quire.projects.safe_mode import SafeMode
from quire.projects.starter_setup import StarterSetup
from quire.projects.welcome_controller import WelcomeController
from quire.search.controller import SearchController
from quire.shell.window_appearance import WindowAppearance
from quire.takes.controller import TakesController
from quire.takes.result_controller import ResultController
from quire.writing_statistics.controller import StatisticsController

AT_START: tuple[tuple[str, Callable[[App], object]], ...] = (
    ("problems", ProblemNotices),
    ("current", CurrentProject),
    ("controls", DraftControls),
    ("display", DraftDisplay),
    ("safe_mode", SafeMode),
    ("chosen_model", ChosenModel),
    ("drafts", DraftingController),
    ("opener", ProjectOpener),
    ("navigation", Navigation),
    ("appearance", WindowAppearance),
    ("dialogs", ProjectDialogs),
    ("help", HelpController),
    ("manuscript", ManuscriptController),
    ("run_charts", lambda _app: RunCharts()),
    ("takes", TakesController),
    ("result", ResultController),
    ("search", SearchController),
    ("page_overlays", PageOverlays),
    ("charts", ChartsController),
    ("loop_alarms", LoopAlarms),
    ("backups", BackupController),
    ("elsewhere", ElsewhereController),
    ("import_export", ImportExportController),
    ("statistics", StatisticsController),
    ("target", TargetController),
    ("starter", StarterSetup),
    ("welcome", WelcomeController),
    ("preferences", PreferencesController),
    ("project_model", ProjectModelController),
)
"""Needed by the first paint. Each becomes an attribute of the App under its name."""

AFTER_FIRST_PAINT = (
    ("formatting", "manuscript.formatting_controller", "TextStyle"),
    ("overlays", "overlays.controller", "OverlaysController"),
    # after the overlays: its entries come first in the menu of the text
    ("spelling", "spelling.controller", "SpellingController"),
    ("steering", "steering.controller", "SteeringController"),
    ("rewriting", "rewriting.controller", "RewritingController"),
    ("phrases", "overlays.phrase_controller", "PhraseController"),
    ("comments", "comments.controller", "CommentsController"),
    ("queue", "drafting.queue_controller", "QueueController"),
    ("reading", "reading.controller", "ReadingController"),
    ("outline", "manuscript.outline_controller", "OutlineController"),
    ("beside", "manuscript.beside_controller", "BesideController"),
    ("summaries", "manuscript.summary_controller", "SummaryController"),
    ("printing", "import_export.print_controller", "PrintController"),
    ("model_library", "model_library.controller", "ModelLibraryController"),
    ("kernel_compiling", "model_library.kernel_controller", "KernelController"),
    ("preflight", "drafting.preflight_controller", "PreflightController"),
    ("resources", "drafting.resource_monitor", "ResourceMonitor"),
    ("notifications", "drafting.desktop_notifications", "DesktopNotifier"),
    ("self_check", "drafting.self_check_controller", "SelfCheckController"),
    ("acceleration", "drafting.acceleration_controller", "AccelerationController"),
    ("low_memory", "drafting.low_memory_controller", "LowMemoryController"),
)
"""Named by module and class: importing them before would keep the writer waiting for the first key."""


def import_all() -> None:
    """Import the features that wait for the first paint; on any thread."""
    for _, module, _ in AFTER_FIRST_PAINT:
        import_module(f"quire.{module}")


def build_at_start(app: App) -> None:
    """Build the features that the first paint needs."""
    app.window.commands.set_waiting(waiting=True)
    for name, feature in AT_START:
        setattr(app, name, feature(app))


def build_rest(app: App) -> None:
    """Build the features that have waited for it."""
    app.window.commands.set_waiting(waiting=False)  # from here on each feature decides
    for name, module, feature in AFTER_FIRST_PAINT:
        setattr(app, name, getattr(import_module(f"quire.{module}"), feature)(app))
    app.is_complete = True
