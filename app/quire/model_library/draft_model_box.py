"""The row of the list of models that chooses what drafts ahead: a smaller model, or heads for this one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from quire.services.model_library.draft_models import DraftChoice, draft_choices, runs_here
from quire.services.model_library.model_library import KnownModel
from quire.shell.task_queue import TaskQueue
from quire.theme.text_size import fit
from quire.ui.calm_fields import CalmCombo
from quire.ui.file_dialogs import FolderDialog
from quire.ui.form_parts import caption

_LIST_PX = 360


class DraftModelBox(QWidget):
    """Lists the models that fit the selected one.

    Signals:
        chosen: the folder of the small model; empty for none.
        heads_asked: add the draft heads in this folder.
    """

    chosen = Signal(str)
    heads_asked = Signal(Path)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        label = QLabel(self.tr("&Draft ahead with a smaller model:"), self)
        self.list = CalmCombo(self)
        self.list.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)  # which come later
        fit(self.list.setMaximumWidth, _LIST_PX)
        label.setBuddy(self.list)
        self.heads_button = QPushButton(self.tr("Add Draft Heads…"), self)
        self.heads_button.setAutoDefault(False)
        self.heads_button.setToolTip(
            self.tr(
                "Draft heads others have trained for this exact model (TokenSwift, Medusa)."
                " Your drafts keep the same words."
            )
        )
        self.heads_button.setAccessibleDescription(self.heads_button.toolTip())
        self.heads_button.clicked.connect(self.ask_for_heads)
        self.said = caption(self)
        row = QHBoxLayout()
        row.setSpacing(14)
        row.addWidget(label)
        row.addWidget(self.list)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(row)
        below = QHBoxLayout()
        below.setSpacing(14)
        below.addWidget(self.said, 1)
        below.addWidget(self.heads_button)
        layout.addLayout(below)
        self.list.activated.connect(self._choose)
        self.show_looking()

    def show_looking(self) -> None:
        """Say that what fits is not known yet."""
        self.list.clear()
        self.list.setEnabled(False)
        self._say(self.tr("Looking for smaller models…"))

    def show_choices(self, choices: Sequence[DraftChoice], chosen: str) -> None:
        """Show the models that fit; one that was chosen stays in the list where it is gone."""
        self.list.clear()
        self.list.addItem(self.tr("None"), "")
        for each in choices:
            name = self.tr("{0} (suggested)").format(each.name) if each.is_suggested else each.name
            self.list.addItem(name, str(each.folder))
        if chosen and self.list.findData(chosen) < 0:
            self.list.addItem(self.tr("{0} (doesn't fit or is gone)").format(Path(chosen).name), chosen)
        self.list.setCurrentIndex(max(0, self.list.findData(chosen)))
        self.list.setEnabled(self.list.count() > 1)
        self._say(
            self.tr("Same words, and faster where it pays. Applies when the model is next loaded.")
            if self.list.isEnabled()
            else self.tr("No smaller model of the same family is on this computer.")
        )

    @Slot()
    def ask_for_heads(self) -> FolderDialog:
        """Let the writer choose the folder of heads that were downloaded."""
        dialog = FolderDialog(self.tr("Choose the Folder of the Draft Heads"), parent=self)
        dialog.fileSelected.connect(lambda folder: self.heads_asked.emit(Path(folder)))
        dialog.open()
        return dialog

    def _say(self, sentence: str) -> None:
        self.said.setText(sentence)
        self.list.setAccessibleDescription(sentence)

    @Slot(int)
    def _choose(self, row: int) -> None:
        self.chosen.emit(self.list.itemData(row))


class DraftModelChoices:
    """Fills the row for the model that is selected; tokenizers are compared beside the window."""

    def __init__(
        self, tasks: TaskQueue, models: Callable[[], Sequence[KnownModel]], chosen: Callable[[Path], str]
    ) -> None:
        self._tasks, self._models, self._chosen = tasks, models, chosen
        self._known: KnownModel | None = None

    def show(self, box: DraftModelBox, known: KnownModel | None) -> None:
        """Show what fits a model, as soon as that is known; nothing for one that does not run here."""
        before, self._known = self._known, known if known is not None and runs_here(known) else None
        box.setVisible(self._known is not None)
        if self._known is None:
            return
        if before is None or self._known.path != before.path:
            box.show_looking()
        self._tasks.run_now(partial(self._look, box, self._known))

    async def _look(self, box: DraftModelBox, known: KnownModel) -> None:
        choices = await asyncio.to_thread(draft_choices, known, tuple(self._models()))
        if self._known is known and not box.list.view().isVisible():
            box.show_choices(choices, self._chosen(known.path))

    def forget(self) -> None:
        """Show nothing any more: the list was closed."""
        self._known = None
