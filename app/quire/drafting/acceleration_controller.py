"""Connects the acceleration dialog to the settings, and to the draft that it shows."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from quire.domain.drafting.pass_course import CoursePoint
from quire.drafting.acceleration_dialog import AccelerationDialog, AccelerationState, DrafterRow
from quire.drafting.draft_controls import DraftControls
from quire.drafting.draft_service import DraftService
from quire.drafting.learning_section import Change, LearningView
from quire.errors import WriterProblem
from quire.projects.current_project import CurrentProject
from quire.settings.settings_store import SettingsStore
from quire.shell.main_window import MainWindow
from quire.shell.task_queue import TaskQueue
from quire_engine.api.config import SOURCES, Source

if TYPE_CHECKING:
    from quire_engine.api.queries import LearnedViewed

_SHOW_EVERY_MS = 500
_USUAL: tuple[Source, ...] = ("feature", "heads", "ngrams")
"""Rows that are there whatever the model has."""


class AccelerationController(QObject):
    """Shows what accelerates the drafts; what the writer switches there is kept in the settings.

    Signals:
        train_asked: train a draft model for the model in use.
    """

    train_asked = Signal()

    def __init__(
        self,
        window: MainWindow,
        current: CurrentProject,
        tasks: TaskQueue,
        settings: SettingsStore,
        controls: DraftControls,
        drafts: DraftService,
    ) -> None:
        super().__init__(window)
        self._current, self._tasks, self._is_looking = current, tasks, False
        self._course: tuple[CoursePoint, ...] = ()
        self._learned: LearnedViewed | None = None
        self._window, self._settings = window, settings
        self._pace, self._drafts = controls.pace, drafts
        self._dialog: AccelerationDialog | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_SHOW_EVERY_MS)
        self._timer.timeout.connect(self._look_again)
        controls.strip.boost_clicked.connect(self.show_dialog)

    @Slot()
    def show_dialog(self) -> AccelerationDialog:
        """Open the dialog, or bring it to the front."""
        if self._dialog is None:
            dialog = self._dialog = AccelerationDialog(self._window)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.turned.connect(self._turn)
            dialog.switched.connect(self._switch)
            dialog.train_asked.connect(self.train_asked)
            dialog.learning.turned.connect(self._let_learn)
            dialog.learning.change_asked.connect(self._change)
            dialog.finished.connect(self._forget)
            self._timer.start()
            self._tasks.run_now(self._read_course)
            self._look_again()
        self._refresh()
        self._dialog.show()
        self._dialog.activateWindow()
        return self._dialog

    # ------------------------------------------------------------ inside
    @Slot()
    def _refresh(self) -> None:
        if self._dialog is not None:
            self._dialog.show_state(self._state())

    @Slot()
    def _look_again(self) -> None:
        """Show what is true once the engine has said what was learned; meanwhile with what it said last."""
        if self._is_looking:
            self._refresh()
        else:
            self._is_looking = True
            self._tasks.run_now(self._look)

    async def _look(self) -> None:
        """Ask the engine what was learned, and show it."""
        try:
            questions, loaded = self._drafts.questions_now, self._drafts.loaded_model
            if questions is None or loaded is None or self._on_server:
                self._learned = None
            else:
                with suppress(WriterProblem):  # the engine is stopping or restarting: asked again soon
                    self._learned = await questions.learned()
        finally:
            self._is_looking = False
        self._refresh()

    async def _read_course(self) -> None:
        """Read what the runs of the book say of their speed."""
        self._course = ()
        if (session := self._current.session) is not None:
            with suppress(WriterProblem):  # the charts say what is damaged
                self._course = await session.pass_course()
        self._refresh()

    @property
    def _on_server(self) -> bool:
        return bool(self._window.status.words_go_to)

    def _state(self) -> AccelerationState:
        settings, earned = self._settings.settings, self._pace.earned
        return AccelerationState(
            is_on=settings.accelerate,
            boost=self._pace.boost,
            num_tokens=earned.num_tokens,
            rows=tuple(map(self._row, self._sources())),
            learning=LearningView(settings.learn_while_drafting, self._learned, self._window.status.is_busy),
            on_server=self._on_server,
            course=self._course,
        )

    def _sources(self) -> list[Source]:
        """Return what is listed: the usual ones, those that the model has, and those that drafted here."""
        loaded, earned = self._drafts.loaded_model, self._pace.earned
        of_model = () if loaded is None else loaded.drafters
        return [
            source
            for source in SOURCES
            if source in _USUAL or source in of_model or earned.of(source) is not None
        ]

    def _row(self, source: Source) -> DrafterRow:
        loaded, learned = self._drafts.loaded_model, self._learned
        has_joined = source == "feature" and learned is not None and learned.is_used
        return DrafterRow(
            source,
            is_there=None if loaded is None else source in loaded.drafters or has_joined,
            is_on=source not in self._settings.settings.drafters_off,
            earned=self._pace.earned.of(source),
        )

    @Slot(bool)
    def _turn(self, on: bool) -> None:
        self._settings.change(accelerate=on)
        self._refresh()

    @Slot(object, bool)
    def _switch(self, source: Source, on: bool) -> None:
        off = set(self._settings.settings.drafters_off) - {source}
        if not on:
            off.add(source)
        self._settings.change(drafters_off=tuple(sorted(off)))
        self._refresh()

    @Slot(bool)
    def _let_learn(self, on: bool) -> None:
        self._settings.change(learn_while_drafting=on)
        self._refresh()

    @Slot(str)
    def _change(self, change: Change) -> None:
        self._tasks.run_now(partial(self._change_learned, change))

    async def _change_learned(self, change: Change) -> None:
        """Change what the model has and what the book has: both come from the same drafts."""
        from quire.services.drafting.book_learning import change_in_book

        questions, loaded = self._drafts.questions_now, self._drafts.loaded_model
        if questions is None or loaded is None:
            return
        self._learned = await questions.change_learned(change)
        fingerprint = loaded.identity.fingerprint
        if (of_book := self._drafts.book_learning) is not None:
            await of_book.change(change, fingerprint)
        elif (session := self._current.session) is not None:
            await change_in_book(session, change, fingerprint)
        self._refresh()

    @Slot()
    def _forget(self) -> None:
        self._dialog = None
        self._timer.stop()
