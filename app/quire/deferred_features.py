"""The features that are created once the first text is shown, from top to bottom in that order.

Each of them imports modules that would keep the writer waiting for the first key.
"""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from quire.app_context import AppContext
from quire.comments.controller import CommentsController
from quire.drafting.controller import DraftingController
from quire.drafting.draft_controls import DraftControls
from quire.drafting.low_memory_controller import LowMemoryController
from quire.drafting.queue_controller import QueueController
from quire.drafting.run_features import AskedScorer, RunFeatures
from quire.import_export.print_controller import PrintController
from quire.manuscript.beside_controller import BesideController
from quire.manuscript.formatting_controller import TextStyle
from quire.manuscript.outline_controller import OutlineController
from quire.model_library.controller import ModelLibraryController
from quire.overlays.controller import OverlaysController
from quire.overlays.phrase_controller import PhraseController
from quire.projects.project_opener import Followed
from quire.reading.controller import ReadingController
from quire.services.model_library.kernel_compilation import needs_kernels
from quire.settings.settings import Settings
from quire.spelling.controller import SpellingController
from quire.startup_features import StartupFeatures
from quire.steering.controller import SteeringController
from quire_engine.api.config import Weights

if TYPE_CHECKING:  # SQLAlchemy is slow to import
    from quire.services.project.project_session import ProjectSession


class DeferredFeatures:
    """Creates them, and connects them with each other and with the existing ones; a SettingsListener."""

    def __init__(
        self,
        context: AppContext,
        startup: StartupFeatures,
        controls: DraftControls,
        drafts: DraftingController,
    ) -> None:
        context.window.commands.set_waiting(waiting=False)  # from here on each feature decides
        self._context, self._startup, self._controls, self._drafts = context, startup, controls, drafts
        window, current, tasks, opener = context.window, context.current, context.tasks, context.opener
        self.formatting = TextStyle(window, context.settings)
        self.overlays = OverlaysController(
            window, startup.page_overlays, current, tasks, opener.open_document,
            startup.takes.redraft_with, AskedScorer(drafts),
        )  # fmt: skip
        # after the overlays: its entries come first in the menu of the text
        self.spelling = SpellingController(window, tasks)
        self.steering = SteeringController(window, current, tasks, context.presets_path, self._keep_preset)
        controls.bar.add_after_goal(self.steering.presets.box)
        self.phrases = PhraseController(
            window, current, tasks, opener.open_document, self.steering.panel
        )  # fmt: skip
        self.comments = CommentsController(
            window, current, tasks, opener.open_document, self.steering.show_beside
        )
        self.steering.dock.add(self.comments.panel, self.comments.panel.title)
        self.queue = QueueController(
            window, current, tasks, window.commands.queue, controls.bar.goal_box, self.steering,
            opener.open_document, drafts.drafted,
        )  # fmt: skip
        self._build_views()
        self.model_library = ModelLibraryController(window, current, tasks, keys=context.keys)
        self.runs = RunFeatures(window, current, tasks, context.settings, controls, drafts)
        self.low_memory = LowMemoryController(window, context.settings, controls.bar.goal_box, drafts)
        self._connect()

    def _build_views(self) -> None:
        """Create what shows the book in other ways than the page."""
        context, startup = self._context, self._startup
        window, current, tasks = context.window, context.current, context.tasks
        tree = startup.manuscript.panel
        hidden = (
            self._controls.bar, startup.charts.deck, self._controls.strip, window.page.header,
        )  # fmt: skip
        self.reading = ReadingController(
            window, current, tasks, startup.appearance, hidden, context.go_to_text, tree.choose
        )
        self.reading.focus.add(self.steering.dock, window.commands.right_panel)
        self.outline = OutlineController(window, tree, current)
        self.beside = BesideController(window, tree, current, tasks, context.settings)
        startup.takes.panel.beside_asked.connect(self.beside.show_take)
        self.reading.focus.add(self.beside.pane)
        self.printing = PrintController(window, current, tasks)

    def _fill_text_menu(self) -> None:
        """Put what can be done with the words themselves on top of the menu of the text."""
        window, do = self._context.window, self._context.window.commands
        window.editor.menu_rows[:0] = [
            do.comment, do.alternatives, do.redraft, do.split, do.add_lore, None,
        ]  # fmt: skip

    def _connect(self) -> None:
        """Let them follow drafts, the settings and the writer's choices."""
        window, settings, drafts = self._context.window, self._context.settings, self._drafts
        self._fill_text_menu()
        drafts.steer_by(self.steering)
        self.steering.cards.tree_changed.connect(self._startup.manuscript.show_added)
        self.steering.cards.edit_asked.connect(self._startup.manuscript.panel.edit_asked)
        drafts.ask_before(self.runs.preflight.takes_over)
        self.runs.preflight.at_target = self._startup.target.at_target
        drafts.observers.add(*self.runs.observers, self.beside)
        drafts.after += [
            self.steering.draft_ended, self.low_memory.draft_ended, self.comments.draft_ended,
            self.beside.draft_ended,
        ]  # fmt: skip
        drafts.pages.turned_to.append(self.comments.advanced)
        self._startup.manuscript.rearranged.append(self.comments.rearranged)
        self._startup.charts.alarmed.append(self.queue.raise_alarm)
        self._startup.charts.warned.append(self.runs.notifications.alarm)
        self._startup.takes.comparing.name_presets(lambda: self.steering.presets.known)
        self.runs.resources.speed_known.append(self.steering.set_reading_pace)
        self.spelling.state_changed.connect(window.status_line.show_spelling)
        self.spelling.language_taken.connect(self._take_language)
        self.spelling.follow_settings(settings)
        importing = self.model_library.importing
        drafts.choosing.append(importing.before_draft)
        self._controls.bar.pause_asked.connect(importing.stop_waiting)
        if self._context.named_file is not None:
            importing.bring_named(self._context.named_file, self._startup.project_model.use_named)
        self._startup.manuscript.rearranged += [self._follow_tree, self.beside.rearranged]
        drafts.pages.turned_to.append(self.beside.turned)
        self._startup.project_model.chosen.append(self.model_library.show_in_use)
        self.model_library.weights_chosen.connect(self._keep_weights)
        self.model_library.draft_model_chosen.connect(self._keep_draft_model)
        self.runs.acceleration.train_asked.connect(window.commands.prepare.trigger)
        self._context.window.commands.right_panel.toggled.connect(self._keep_right_panel)
        self._startup.charts.deck.height_chosen.connect(self._keep_charts_height)
        self.reading.focus.hint_shown.connect(self._note_hint)
        self.runs.preflight.shown_from_changed.connect(self._keep_shown_from)
        settings.add(self.model_library)
        self.model_library.show_in_use(
            self._startup.project_model.folder_shown
        )  # a project may have another one
        settings.add(self)
        self._context.tasks.run_now(self._compile_kernels)
        importing.began.connect(self._compile_for_import)
        drafts.before.append(self._leave_kernels_to_load)

    @property
    def followers(self) -> tuple[Followed, ...]:
        """Return what follows the text that is shown."""
        features = (
            self.overlays, self.phrases, self.comments, self.spelling, self.reading, self.outline,
            self.beside, self.steering, self.queue,
        )  # fmt: skip
        return (*(feature.follow for feature in features), *self.runs.followers)

    def take(self, settings: Settings) -> None:
        """Apply the settings."""
        self.reading.focus.set_hint_due(due=not settings.focus_hint_seen)
        self.steering.set_usual_preset(settings.preset)
        self.runs.take(settings)
        self._drafts.use_as(settings)
        self.runs.preflight.set_shown_from(settings.preflight_words)
        self._startup.charts.take(settings)
        for part in (
            self._controls.strip, self._context.window.status_line, self.runs.memory_bar,
            self._startup.takes.comparing, self.steering.panel.space_bar,
        ):  # fmt: skip
            part.set_research(on=settings.research_view)
        self._context.window.commands.right_panel.setChecked(settings.right_panel)

    def close(self) -> None:
        """Stop background work."""
        self.spelling.close()
        self.model_library.close()
        self.runs.close()
        if self._context.kernels is not None:
            self._context.kernels.close()

    async def _compile_kernels(self) -> None:
        """Compile what the chosen model needs, if it is likely to be computed in Fast."""
        kernels, model = self._context.kernels, self._drafts.model
        if kernels is None or model.server is not None:
            return
        if await asyncio.to_thread(needs_kernels, model.folder, model.weights):
            await asyncio.to_thread(kernels.start)

    def _compile_for_import(self, _name: str) -> None:
        """Compile while a model is imported: it will most likely be computed in Fast."""
        if self._context.kernels is not None:
            self._context.tasks.run_now(partial(asyncio.to_thread, self._context.kernels.start))

    async def _leave_kernels_to_load(self, _session: ProjectSession) -> None:
        """Stop what a load would wait for without knowing how far it is."""
        if self._context.kernels is not None:
            await asyncio.to_thread(self._context.kernels.stop)

    def _follow_tree(self, session: ProjectSession) -> None:
        """Show notes under the titles that they have now."""
        self._context.tasks.run_now(partial(self._follow_notes, session))

    async def _follow_notes(self, session: ProjectSession) -> None:
        if session is self._context.current.session:
            await self.steering.follow(session)

    def _keep_shown_from(self, words: int) -> None:
        self._context.settings.change(preflight_words=words)

    def _keep_preset(self, name: str) -> None:
        self._context.settings.change(preset=name)

    def _keep_right_panel(self, on: bool) -> None:
        self._context.settings.change(right_panel=on)

    def _keep_charts_height(self, pixels: int) -> None:
        self._context.settings.change(charts_px=pixels)

    def _keep_weights(self, folder: Path, weights: Weights) -> None:
        settings = self._context.settings
        settings.apply(settings.settings.with_weights(folder, weights))

    def _keep_draft_model(self, folder: Path, small: str) -> None:
        settings = self._context.settings
        settings.apply(settings.settings.with_draft_model(folder, small))

    def _take_language(self, language: str) -> None:
        """Set the language: the published novels that the charts compare with are English."""
        self._startup.run_charts.set_bands(known=language.startswith("en"))
        self.phrases.set_language(language)

    def _note_hint(self) -> None:
        self._context.settings.change(focus_hint_seen=True)
