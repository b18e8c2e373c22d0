"""What the window can do beyond writing and drafting; built when the first text is on the screen.

Each of them brings modules that would keep the writer waiting for the first key.
"""

from __future__ import annotations

from pathlib import Path

from quire.app_context import AppContext
from quire.domain.drafting.chapter_advance_rules import TurnRules
from quire.drafting.controller import DraftingController
from quire.drafting.low_memory_controller import LowMemoryController
from quire.drafting.queue_controller import QueueController
from quire.drafting.run_features import RunFeatures
from quire.import_export.mirror_controller import MirrorController
from quire.import_export.print_controller import PrintController
from quire.manuscript.formatting_controller import TextStyle
from quire.manuscript.outline_controller import OutlineController
from quire.model_library.controller import ModelLibraryController
from quire.overlays.controller import OverlaysController
from quire.projects.project_opener import Followed
from quire.reading.controller import ReadingActions, ReadingController
from quire.settings.settings import LoopGuard, Settings
from quire.spelling.controller import SpellingController
from quire.startup_features import StartupFeatures
from quire.steering.controller import SteeringController
from quire_engine.api.config import Weights


class DeferredFeatures:
    """Builds them; whoever does so lets them follow the text that is shown."""

    def __init__(self, around: AppContext, parts: StartupFeatures, drafts: DraftingController) -> None:
        window, models, current, tasks = around.window, around.models, around.current, around.tasks
        self._settings, self._parts, self._drafts = around.settings, parts, drafts
        self._charts = models.charts
        self.style = TextStyle(window, around.settings)
        self.overlays = OverlaysController(
            window, models, current, tasks, around.opener.open_document, parts.alternatives.redraft_with
        )
        self.spelling = SpellingController(window, models, tasks)  # last: its words come first in menus
        self.spelling.actions.fill(window.commands.edit_menu, window.commands.tools_menu)
        self.spelling.state_changed.connect(window.status_line.show_spelling)
        self.spelling.language_taken.connect(self._take_language)
        self.spelling.follow_settings(around.settings)
        self.steering = SteeringController(window, models, current, tasks, around.presets_path)
        self.steering.preset_chosen = self._keep_preset
        parts.alternatives.comparing.name_presets(lambda: self.steering.presets.known)
        self.queue = QueueController(window, current, tasks, self.steering, around.opener.open_document)
        self.steering.actions.panel.toggled.connect(self._keep_right_panel)
        reads = ReadingActions(window)
        reads.fill_view(window.commands.view_menu)
        reads.fill_file(window.commands.file_menu, before=window.commands.back_up)
        panel = window.book_panel
        self.reading = ReadingController(
            window, reads, models, current, tasks, around.go_to_text, panel.choose
        )
        self.outline = OutlineController(window, panel, current, reads.outline)
        for extra in (window.page.echo_map, window.page.head):
            self.reading.focus.add(extra)
        self.reading.focus.add(self.steering.dock, self.steering.actions.panel)
        self.reading.focus.hint_shown.connect(self._note_hint)
        self.printing = PrintController(window, reads.print_book, current, tasks)
        self.mirroring = MirrorController(
            window, reads.mirror_now, reads.mirror, models.status, current, tasks
        )
        panel.edit_asked.connect(self.mirroring.write_soon)
        self.modelling = ModelLibraryController(window, current, tasks)
        around.settings.add(self.modelling)
        self.modelling.show_in_use(drafts.model.folder)  # the command line may have named it
        self.modelling.weights_chosen.connect(self._keep_weights)
        drafts.steer_by(self.steering)
        self.queue.set_drafter(drafts.drafted)
        parts.inspector.alarmed.append(self.queue.raise_alarm)
        self.runs = RunFeatures(window, models, current, tasks, around.settings, drafts)
        self.runs.control.shown_from_changed.connect(self._keep_shown_from)
        self.runs.watch.speed_known.append(self.steering.set_reading_pace)
        drafts.takes_over = self.runs.control.takes_over
        drafts.observers.add(*self.runs.observers)
        self.overlays.set_scorer(self.runs.scorer)
        self.rescuing = LowMemoryController(window, around.settings, drafts)
        drafts.rescue = self.rescuing.offer
        parts.inspector.warned.append(self.runs.notifying.alarm)
        self._window = window
        around.settings.add(self)

    @property
    def followers(self) -> tuple[Followed, ...]:
        """What follows the text that is shown."""
        return (
            tuple(
                part.follow
                for part in (
                    self.overlays,
                    self.spelling,
                    self.reading,
                    self.outline,
                    self.mirroring,
                    self.steering,
                    self.queue,
                )
            )
            + self.runs.followers
        )

    def take(self, settings: Settings) -> None:
        """Work as the settings say."""
        self.reading.focus.set_hint_due(due=not settings.focus_hint_seen)
        self.steering.set_usual_preset(settings.preset)
        self.runs.take(settings)
        self._drafts.use_as(settings)
        self.runs.control.set_shown_from(settings.preflight_words)
        self._drafts.pages.rules = TurnRules(settings.chapter_at_headings, settings.chapter_words)
        self._drafts.keep_awake = settings.keep_awake
        self._parts.inspector.pauses_loops = settings.loop_guard is LoopGuard.PAUSE
        self._window.chart_deck.set_research(on=settings.research_view)
        self.steering.actions.panel.setChecked(settings.right_panel)

    def close(self) -> None:
        """End what runs beside the window."""
        self.spelling.close()
        self.modelling.close()
        self.runs.close()

    def _keep_shown_from(self, words: int) -> None:
        self._settings.change(preflight_words=words)

    def _keep_preset(self, name: str) -> None:
        self._settings.change(preset=name)

    def _keep_right_panel(self, on: bool) -> None:
        self._settings.change(right_panel=on)

    def _keep_weights(self, folder: Path, weights: Weights) -> None:
        self._settings.apply(self._settings.settings.with_weights(folder, weights))

    def _take_language(self, language: str) -> None:
        """The published novels that the charts compare with are English ones."""
        self._charts.set_bands(known=language.startswith("en"))

    def _note_hint(self) -> None:
        self._settings.change(focus_hint_seen=True)
