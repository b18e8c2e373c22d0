"""Checks whether acceleration changes any words, by drafting twice."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from quire.drafting.self_check_dialog import SelfCheckDialog
from quire.errors import WriterProblem
from quire.system.number_text import number_text
from quire_engine.api.config import SamplingConfig

if TYPE_CHECKING:
    from quire.app import App
    from quire_engine.api.queries import AgreementChecked

_CHECKED_CHARS = 24_000
"""Length of the end of the story that is enough for a test draft."""


class SelfCheckController(QObject):
    """Opens the dialog from the menu, drafts twice, and shows the result."""

    def __init__(self, app: App) -> None:
        window = app.window
        super().__init__(window)
        self._window, self._current, self._tasks = window, app.current, app.tasks
        self._drafts, self._action = app.drafts, window.commands.self_check
        app.events.closing.subscribe("self_check", self.stop)
        self._work: asyncio.Task[None] | None = None
        self._dialog: SelfCheckDialog | None = None
        self._action.triggered.connect(self.show_dialog)
        window.status.changed.connect(self._refresh)
        self._refresh()

    def show_dialog(self) -> SelfCheckDialog:
        """Offer to compare plain and accelerated drafting."""
        if self._dialog is not None:
            self._dialog.close()
        dialog = self._dialog = SelfCheckDialog(self._window.themes, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.begin_asked.connect(partial(self._begin, dialog))
        dialog.stop_asked.connect(self.stop)
        dialog.finished.connect(partial(self._forget, dialog))
        dialog.show()  # in the background: no check needs the text to be unchanged
        return dialog

    def stop(self) -> None:
        """Stop the running check."""
        if self._work is not None:
            self._work.cancel()

    # ------------------------------------------------------------ inside
    def _refresh(self) -> None:
        status = self._window.status
        is_elsewhere = bool(status.words_go_to)
        why = self.tr("This model runs on a server. Choose a model on this computer to use this.")
        self._action.setEnabled(status.can_continue and not is_elsewhere)
        self._action.setToolTip(why if is_elsewhere else "")

    def _forget(self, dialog: SelfCheckDialog, _result: int) -> None:
        if self._dialog is dialog:
            self._dialog = None

    def _begin(self, dialog: SelfCheckDialog) -> None:
        if self._work is None:
            dialog.show_progress(0.0, self.tr("Loading the model…"))
            self._tasks.run_now(partial(self._run, dialog))

    async def _run(self, dialog: SelfCheckDialog) -> None:
        """Check, and show the result in the dialog if it still exists."""
        self._work = asyncio.ensure_future(self._check(dialog))
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

    def _say(self, dialog: SelfCheckDialog, sentence: str) -> None:
        if dialog is self._dialog:
            dialog.show_result(sentence)

    def _show_progress(self, dialog: SelfCheckDialog, sentence: str, fraction: float) -> None:
        if dialog is self._dialog:
            dialog.show_progress(fraction, sentence)

    async def _story(self) -> str:
        session = self._current.session
        return "" if session is None else await session.story()

    async def _check(self, dialog: SelfCheckDialog) -> None:
        questions = await self._drafts.questions()
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
            checked = found.num_checked
            speed = self.tr("{0} tokens/s").format(number_text(checked / seconds, 1)) if seconds else "–"
            rows.append((name, number_text(seconds, 1), speed))
        return rows
