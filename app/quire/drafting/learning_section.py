"""What the draft model learned from the writer's drafts, with a switch, the way back, and removal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from quire.system.number_text import number_text
from quire.ui.labels import plain_label
from quire_engine.api.queries import LearnedViewed

Change = Literal["undo", "remove"]


@dataclass(frozen=True, slots=True)
class LearningView:
    """What the section shows.

    Attributes:
        is_on: whether the writer lets it learn.
        learned: what was learned; None while no model is loaded.
        is_drafting: nothing is learned just now, because a draft is written.
    """

    is_on: bool
    learned: LearnedViewed | None = None
    is_drafting: bool = False

    @property
    def is_under_way(self) -> bool:
        """Whether there is a draft model that learns."""
        return self.is_on and self.learned is not None and self.learned.state != "off"


class LearningSection(QWidget):
    """Shows it, and passes on what the writer wants.

    Signals:
        turned: whether to learn.
        change_asked: a Change.
    """

    turned = Signal(bool)
    change_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = QCheckBox(self.tr("&Learn from your drafts while Quire is idle"), self)
        self.box.setToolTip(
            self.tr("Uses the processor while nothing is drafted, and stops as soon as a draft starts")
        )
        self.sentence = plain_label(self)
        self.sentence.setWordWrap(True)
        self.sentence.setObjectName("caption")
        self.undo_button = QPushButton(self.tr("Use the &Version Before"), self)
        self.undo_button.setToolTip(self.tr("Drops what was learned in the last sitting"))
        self.remove_button = QPushButton(self.tr("&Remove What Was Learned"), self)
        self.remove_button.setToolTip(self.tr("Goes back to the draft model without anything learned"))
        self._lay_out()
        self.box.toggled.connect(self.turned)
        self.undo_button.clicked.connect(lambda: self.change_asked.emit("undo"))
        self.remove_button.clicked.connect(lambda: self.change_asked.emit("remove"))

    def show_view(self, view: LearningView) -> None:
        """Show what is true now."""
        with QSignalBlocker(self.box):
            self.box.setChecked(view.is_on)
        self.sentence.setText(" ".join(filter(None, (self._worth(view), self._state(view)))))
        learned = view.learned
        has_any = learned is not None and learned.version > 0
        self.undo_button.setVisible(has_any)
        self.remove_button.setVisible(has_any or (learned is not None and learned.has_any_file))
        for button in (self.undo_button, self.remove_button):
            button.setEnabled(not view.is_drafting)

    # ------------------------------------------------------------ inside
    def _worth(self, view: LearningView) -> str:
        learned = view.learned
        if learned is None or learned.version == 0:
            return ""
        return self.tr(
            "Learned from {0} tokens of your drafts: {1} tokens per pass, {2} before (version {3})."
        ).format(
            number_text(learned.num_tokens),
            number_text(learned.now, 2),
            number_text(learned.before, 2),
            learned.version,
        )

    def _state(self, view: LearningView) -> str:
        if not view.is_on:
            return "" if view.learned is not None and view.learned.version else self.tr("Off.")
        if view.learned is None:
            return self.tr("Load this model to see what it has learned.")
        match view.learned.state:
            case "off":
                return self.tr("This model can't learn: it is too large for that, or runs on a GPU.")
            case "empty":
                return self.tr("It begins after the first pages that you draft.")
            case "learning":
                if view.is_drafting:
                    return self.tr("Learning continues when this draft pauses.")
                return self.tr("It is learning now.")
            case "done":
                return self.tr("It has learned all that was drafted since the model was loaded.")

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setContentsMargins(22, 0, 0, 0)
        buttons.addWidget(self.undo_button)
        buttons.addWidget(self.remove_button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.box)
        layout.addWidget(self.sentence)
        layout.addLayout(buttons)
        layout.addStretch(1)
