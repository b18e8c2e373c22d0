"""Connects the acceleration dialog to the settings, and to the draft that it shows."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Slot

from quire.domain.drafting.pass_course import CoursePoint
from quire.drafting.acceleration_dialog import AccelerationDialog, AccelerationState, DrafterRow
from quire.errors import WriterProblem
from quire_engine.api.config import SOURCES, Source

if TYPE_CHECKING:
    from quire.app import App

_SHOW_EVERY_MS = 500
_USUAL: tuple[Source, ...] = ("feature", "heads", "ngrams")
"""Rows that are there whatever the model has."""


class AccelerationController(QObject):
    """Shows what accelerates the drafts; what the writer switches there is kept in the settings."""

    def __init__(self, app: App) -> None:
        super().__init__(app.window)
        self._window, self._current, self._tasks = app.window, app.current, app.tasks
        self._settings, self._pace, self._drafts = app.settings, app.controls.pace, app.drafts
        self._course: tuple[CoursePoint, ...] = ()
        self._dialog: AccelerationDialog | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_SHOW_EVERY_MS)
        self._timer.timeout.connect(self._refresh)
        app.controls.strip.boost_clicked.connect(self.show_dialog)
        app.window.commands.acceleration.triggered.connect(self.show_dialog)

    @Slot()
    def show_dialog(self) -> AccelerationDialog:
        """Open the dialog, or bring it to the front."""
        if self._dialog is None:
            dialog = self._dialog = AccelerationDialog(self._window)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.turned.connect(self._turn)
            dialog.switched.connect(self._switch)
            dialog.train_asked.connect(self._window.commands.prepare.trigger)
            dialog.finished.connect(self._forget)
            self._timer.start()
            self._tasks.run_now(self._read_course)
        self._refresh()
        self._dialog.show()
        self._dialog.activateWindow()
        return self._dialog

    # ------------------------------------------------------------ inside
    @Slot()
    def _refresh(self) -> None:
        if self._dialog is not None:
            self._dialog.show_state(self._state())

    async def _read_course(self) -> None:
        """Read what the runs of the book say of their speed."""
        self._course = ()
        if (session := self._current.session) is not None:
            with suppress(WriterProblem):  # the charts say what is damaged
                self._course = await session.pass_course()
        self._refresh()

    def _state(self) -> AccelerationState:
        settings, earned = self._settings.settings, self._pace.earned
        return AccelerationState(
            is_on=settings.accelerate,
            boost=self._pace.boost,
            num_tokens=earned.num_tokens,
            rows=tuple(map(self._row, self._sources())),
            on_server=bool(self._window.status.words_go_to),
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
        loaded = self._drafts.loaded_model
        return DrafterRow(
            source,
            is_there=None if loaded is None else source in loaded.drafters,
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

    @Slot()
    def _forget(self) -> None:
        self._dialog = None
        self._timer.stop()
