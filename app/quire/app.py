"""The object that every feature receives: the window, its services and the other features."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from quire.client.local_engine import real_backend
from quire.diagnostics.crash_reporting import Reporting
from quire.events import Events
from quire.launch_options import Options
from quire.services.model_library.server_keys import ServerKeys

if TYPE_CHECKING:  # for types only: the features import this module
    from quire.charts.controller import ChartsController
    from quire.charts.run_charts import RunCharts
    from quire.client.engine_client import Backend
    from quire.comments.controller import CommentsController
    from quire.drafting.acceleration_controller import AccelerationController
    from quire.drafting.chosen_model import ChosenModel
    from quire.drafting.controller import DraftingController
    from quire.drafting.desktop_notifications import DesktopNotifier
    from quire.drafting.draft_controls import DraftControls
    from quire.drafting.draft_display import DraftDisplay
    from quire.drafting.loop_alarms import LoopAlarms
    from quire.drafting.low_memory_controller import LowMemoryController
    from quire.drafting.preflight_controller import PreflightController
    from quire.drafting.project_model_controller import ProjectModelController
    from quire.drafting.queue_controller import QueueController
    from quire.drafting.resource_monitor import ResourceMonitor
    from quire.drafting.self_check_controller import SelfCheckController
    from quire.drafting.target_controller import TargetController
    from quire.help.controller import HelpController
    from quire.import_export.controller import ImportExportController
    from quire.import_export.print_controller import PrintController
    from quire.manuscript.beside_controller import BesideController
    from quire.manuscript.controller import ManuscriptController
    from quire.manuscript.formatting_controller import TextStyle
    from quire.manuscript.outline_controller import OutlineController
    from quire.manuscript.summary_controller import SummaryController
    from quire.model_library.controller import ModelLibraryController
    from quire.model_library.kernel_controller import KernelController
    from quire.overlays.controller import OverlaysController
    from quire.overlays.page_overlays import PageOverlays
    from quire.overlays.phrase_controller import PhraseController
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
    from quire.reading.controller import ReadingController
    from quire.rewriting.controller import RewritingController
    from quire.search.controller import SearchController
    from quire.services.model_library.kernel_compilation import KernelCompilation
    from quire.settings.settings_store import SettingsStore
    from quire.shell.main_window import MainWindow
    from quire.shell.task_queue import TaskQueue
    from quire.shell.window_appearance import WindowAppearance
    from quire.spelling.controller import SpellingController
    from quire.steering.controller import SteeringController
    from quire.takes.controller import TakesController
    from quire.takes.result_controller import ResultController
    from quire.theme.motion import MotionSwitch
    from quire.writing_statistics.controller import StatisticsController


class App:
    """The open project and its window; the features add themselves, and find each other here.

    Attributes:
        keys: of the servers that the writer added.
        is_complete: whether the features that wait for the first text are there.
        notes_folder: where word counts of projects are stored, or None.

    Args:
        projects_folder: where new projects are created.
        reporting: records errors; its folder has the word counts of projects as well. None: neither is kept.
        kernels: compiled in the background; None: only by a load.
    """

    # built with the window, in the order of features.AT_START
    problems: ProblemNotices
    current: CurrentProject
    controls: DraftControls
    display: DraftDisplay
    safe_mode: SafeMode
    chosen_model: ChosenModel
    drafts: DraftingController
    opener: ProjectOpener
    navigation: Navigation
    appearance: WindowAppearance
    dialogs: ProjectDialogs
    help: HelpController
    manuscript: ManuscriptController
    run_charts: RunCharts
    takes: TakesController
    result: ResultController
    search: SearchController
    page_overlays: PageOverlays
    charts: ChartsController
    loop_alarms: LoopAlarms
    backups: BackupController
    elsewhere: ElsewhereController
    import_export: ImportExportController
    statistics: StatisticsController
    target: TargetController
    starter: StarterSetup
    welcome: WelcomeController
    motion: MotionSwitch
    preferences: PreferencesController
    project_model: ProjectModelController
    # built once the first text is shown, in the order of features.AFTER_FIRST_PAINT
    formatting: TextStyle
    overlays: OverlaysController
    spelling: SpellingController
    steering: SteeringController
    rewriting: RewritingController
    phrases: PhraseController
    comments: CommentsController
    queue: QueueController
    reading: ReadingController
    outline: OutlineController
    beside: BesideController
    summaries: SummaryController
    printing: PrintController
    model_library: ModelLibraryController
    kernel_compiling: KernelController
    preflight: PreflightController
    resources: ResourceMonitor
    notifications: DesktopNotifier
    self_check: SelfCheckController
    acceleration: AccelerationController
    low_memory: LowMemoryController

    def __init__(
        self,
        window: MainWindow,
        tasks: TaskQueue,
        settings: SettingsStore,
        options: Options | None = None,
        projects_folder: Path = Path(),
        make_backend: Callable[[], Backend] = real_backend,
        reporting: Reporting | None = None,
        kernels: KernelCompilation | None = None,
    ) -> None:
        self.window, self.tasks, self.settings = window, tasks, settings
        self.options, self.projects_folder = options or Options(), projects_folder
        self.make_backend, self.kernels = make_backend, kernels
        self.reporting = reporting or Reporting()
        self.notes_folder = None if reporting is None else reporting.folder
        self.events, self.keys = Events(), ServerKeys()
        self.is_complete = False
