"""Measures the speed of the model on this computer, and whether acceleration changes any words."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt

from quire.domain.drafting.calibration import calibration_of, shape_of, with_calibration
from quire.drafting.calibration_dialog import Measuring, MeasuringDialog
from quire.drafting.pace_model import PaceModel
from quire.drafting.run_actions import RunActions
from quire.errors import WriterProblem
from quire.projects.current_project import CurrentProject
from quire.settings.settings_store import SettingsStore
from quire.shell.main_window import MainWindow
from quire.shell.task_queue import TaskQueue
from quire.system.number_text import number_text
from quire_engine.api.config import SamplingConfig

if TYPE_CHECKING:
    from quire.services.drafting.engine_queries import EngineQuestions
    from quire_engine.api.queries import AgreementChecked, Calibrated

CALIBRATION_S = 60.0
_TEXT_CHARS = 120_000
"""Length of the end of the story that is enough for a test draft."""
_CHECKED_CHARS = 24_000

Ask = Callable[[], Awaitable["EngineQuestions"]]
Measure = Callable[["EngineQuestions", MeasuringDialog], Coroutine[Any, Any, None]]


class CalibrationController(QObject):
    """Connects both measurements to the menus.

    The results are saved in the settings, by the model's fingerprint.

    Args:
        questions: returns the engine's query interface; raises WriterProblem if there is none.
    """

    def __init__(
        self,
        window: MainWindow,
        current: CurrentProject,
        tasks: TaskQueue,
        settings: SettingsStore,
        pace: PaceModel,
        actions: RunActions,
        questions: Ask,
    ) -> None:
        super().__init__(window)
        self._window, self._current, self._tasks = window, current, tasks
        self._settings, self._questions, self._actions = settings, questions, actions
        self._pace = pace
        self._work: asyncio.Task[None] | None = None
        self._dialog: MeasuringDialog | None = None
        actions.calibrate.triggered.connect(self.show_calibration)
        actions.self_check.triggered.connect(self.show_self_check)
        window.status.changed.connect(self._refresh)
        self._refresh()

    # ------------------------------------------------------------ actions
    def show_calibration(self) -> MeasuringDialog:
        """Offer to measure the model's speed on this computer."""
        what = Measuring(
            self.tr("Calibrate Speed"),
            self.tr(
                "Quire drafts a few words at several text lengths, with and without acceleration, and times"
                " them. This takes about a minute. After that, Quire can show your boost and estimate how"
                " long a draft will take. Nothing is added to your text."
            ),
            self.tr("Start"),
        )
        return self._open(what, self._calibrate)

    def show_self_check(self) -> MeasuringDialog:
        """Offer to compare plain and accelerated drafting."""
        what = Measuring(
            self.tr("Self-Check"),
            self.tr(
                "Acceleration should never change a single word. Quire drafts 256 tokens from the end of"
                " your text twice with the same seed, with and without acceleration, and compares the"
                " results. Nothing is added to your text."
            ),
            self.tr("Check"),
        )
        return self._open(what, self._check)

    def stop(self) -> None:
        """Stop the running measurement."""
        if self._work is not None:
            self._work.cancel()

    # ------------------------------------------------------------ inside
    def _refresh(self) -> None:
        status = self._window.status
        is_elsewhere = bool(status.words_go_to)
        why = self.tr("This model runs on a server. Choose a model on this computer to use this.")
        for action in (self._actions.calibrate, self._actions.self_check):
            action.setEnabled(status.can_continue and not is_elsewhere)
            action.setToolTip(why if is_elsewhere else "")

    def _open(self, what: Measuring, measure: Measure) -> MeasuringDialog:
        if self._dialog is not None:
            self._dialog.close()
        dialog = self._dialog = MeasuringDialog(what, self._window.themes, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.begin_asked.connect(partial(self._begin, dialog, measure))
        dialog.stop_asked.connect(self.stop)
        dialog.finished.connect(partial(self._forget, dialog))
        dialog.show()  # in the background: no measurement needs the text to be unchanged
        return dialog

    def _forget(self, dialog: MeasuringDialog, _result: int) -> None:
        if self._dialog is dialog:
            self._dialog = None

    def _begin(self, dialog: MeasuringDialog, measure: Measure) -> None:
        if self._work is None:
            dialog.show_progress(0.0, self.tr("Loading the model…"))
            self._tasks.run_now(partial(self._measured, dialog, measure))

    async def _measured(self, dialog: MeasuringDialog, measure: Measure) -> None:
        """Run a measurement, and show the result in the dialog if it still exists."""
        self._work = asyncio.ensure_future(self._asked(dialog, measure))
        try:
            await asyncio.wait({self._work})
            if self._work.cancelled():
                self._say(dialog, self.tr("Stopped. Nothing was saved."))
            elif isinstance(problem := self._work.exception(), WriterProblem):
                self._say(dialog, problem.message)
            else:
                self._work.result()
        finally:
            self._work = None

    async def _asked(self, dialog: MeasuringDialog, measure: Measure) -> None:
        await measure(await self._questions(), dialog)

    def _say(self, dialog: MeasuringDialog, sentence: str) -> None:
        if dialog is self._dialog:
            dialog.show_result(sentence)

    def _show_progress(self, dialog: MeasuringDialog, sentence: str, fraction: float) -> None:
        if dialog is self._dialog:
            dialog.show_progress(fraction, sentence)

    async def _story(self) -> str:
        session = self._current.session
        return "" if session is None else await session.story()

    # ------------------------------------------------------------ the two measurements
    async def _calibrate(self, questions: EngineQuestions, dialog: MeasuringDialog) -> None:
        identity = (await questions.ready()).identity
        story = (await self._story())[-_TEXT_CHARS:]
        progressed = partial(self._show_progress, dialog, self.tr("Measuring…"))
        progressed(0.0)
        found = await questions.calibrate(story, CALIBRATION_S, SamplingConfig(), progressed)
        today = datetime.now(UTC).astimezone().date()
        kept = calibration_of(found, today, shape_of(identity.dtype, identity.width))
        calibrations = with_calibration(self._settings.settings.calibrations, identity.fingerprint, kept)
        self._settings.change(calibrations=calibrations)
        self._pace.expect(kept)
        if dialog is self._dialog:
            dialog.show_result(self._calibrated(found), self._points(found))

    async def _check(self, questions: EngineQuestions, dialog: MeasuringDialog) -> None:
        model = await questions.ready()
        story = (await self._story())[-_CHECKED_CHARS:]
        if not story.strip():
            raise WriterProblem("There is no text to continue. Write or paste a few sentences first.")
        progressed = partial(self._show_progress, dialog, self.tr("Drafting twice…"))
        progressed(0.0)
        found = await questions.check_agreement(story, SamplingConfig(), progressed)
        if dialog is self._dialog:
            sentence = self._agreed(found, reproducible=model.reproducible)
            dialog.show_result(sentence, self._times(found))

    # ------------------------------------------------------------ texts
    def _calibrated(self, found: Calibrated) -> str:
        last = found.points[-1]
        if last.accelerated_ms is None or last.accelerated_ms <= 0:
            return self.tr("Speed measured. This model has no acceleration.")
        boost = last.plain_ms / last.accelerated_ms
        return self.tr(
            "With {0} tokens of context, accelerated drafting is {1} times as fast as plain drafting on"
            " this computer."
        ).format(number_text(last.length), number_text(boost, 1))

    def _points(self, found: Calibrated) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = [
            (self.tr("Context (tokens)"), self.tr("Plain"), self.tr("Accelerated"), self.tr("Boost"))
        ]
        for point in found.points:
            fast_ms = point.accelerated_ms
            boost = f"{number_text(point.plain_ms / fast_ms, 1)}×" if fast_ms else "–"
            rows.append((number_text(point.length), self._speed(point.plain_ms), self._speed(fast_ms), boost))
        return rows

    def _speed(self, milliseconds: float | None) -> str:
        if not milliseconds:
            return "–"
        return self.tr("{0} tokens/s").format(number_text(1000 / milliseconds, 1))

    def _agreed(self, found: AgreementChecked, *, reproducible: bool) -> str:
        if found.first_difference is None:
            return self.tr("Plain and accelerated drafting produced the same {0} tokens.").format(
                found.num_checked
            )
        said = self.tr("The first {0} of {1} tokens match; they differ from token {2}.").format(
            found.num_equal, found.num_checked, found.first_difference + 1
        )
        if not reproducible:
            return self.tr(
                "{0} Results are not reproducible with this model on this computer, so this can happen: the"
                " words differ, but they are just as likely."
            ).format(said)
        return self.tr("{0} This should not happen. Please report it (Help > Report a Problem).").format(said)

    def _times(self, found: AgreementChecked) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = [("", self.tr("Seconds"), self.tr("Speed"))]
        for name, seconds in (
            (self.tr("Plain"), found.plain_s),
            (self.tr("Accelerated"), found.accelerated_s),
        ):
            each_ms = 1000 * seconds / found.num_checked if found.num_checked else None
            rows.append((name, number_text(seconds, 1), self._speed(each_ms)))
        return rows
