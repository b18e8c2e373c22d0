"""What the dialogs for export and print have in common: style, paper, chapters and progress."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TypeVar

from PySide6.QtCore import QLocale, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QPushButton, QWidget

from quire.book_formats.export_settings import ExportSettings, ExportStyle, Paper
from quire.domain.manuscript.tree import Node
from quire.ui.calm_fields import CalmCombo
from quire.ui.chapter_picker import ChapterPicker
from quire.ui.labels import plain_label
from quire.ui.progress_row import WorkRow
from quire.ui.translated import translated

_Choice = TypeVar("_Choice", bound=Enum)
_Place = QLocale.Country
_LETTER_PLACES = frozenset(
    {
        _Place.UnitedStates, _Place.Canada, _Place.Mexico, _Place.Philippines, _Place.PuertoRico,
        _Place.Chile, _Place.Colombia, _Place.Venezuela, _Place.CostaRica, _Place.Guatemala,
    }
)  # fmt: skip
"""Where print shops and desks have US Letter, not A4 (the paper sizes of the Unicode CLDR)."""


class BookDialog(QDialog):
    """Asks how the book should look; it does not block, and stays open while the book is created.

    Signals:
        stop_wanted: stop creating it.

    Attributes:
        do_button: starts it.
    """

    stop_wanted = Signal()

    def __init__(
        self,
        nodes: Sequence[Node],
        chosen: Sequence[int] | None,
        recipe: ExportSettings,
        check: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._is_working = False
        looks = [
            (ExportStyle.MANUSCRIPT, self.tr("Standard manuscript")),
            (ExportStyle.EBOOK, self.tr("Book")),
            (ExportStyle.PLAIN, self.tr("Plain")),
        ]
        papers = [(Paper.A4, self.tr("A4")), (Paper.LETTER, self.tr("US Letter"))]
        self.look_box = self._combo(self.tr("Style"), looks, recipe.look)
        self.paper_box = self._combo(self.tr("Paper"), papers, recipe.paper)
        self.title_page_box = self._tick_box(self.tr("Add a title page"), on=recipe.title_page)
        self.picker = ChapterPicker(nodes, chosen, self)
        self.check_label = plain_label(self, text=check)
        self.check_label.setWordWrap(True)
        self.check_label.setVisible(bool(check))
        self.problem_label = plain_label(self)
        self.problem_label.setWordWrap(True)
        self.work_row = WorkRow(self)
        self.do_button = QPushButton(self)
        self.do_button.setProperty("primary", True)
        self.do_button.setDefault(True)
        self.cancel_button = self._button(self.tr("Cancel"))
        self.picker.choice_changed.connect(self._check)
        self.cancel_button.clicked.connect(self.reject)
        self.work_row.stop_wanted.connect(self.stop_wanted)

    def show_share(self, share: float) -> None:
        """Show the progress, from 0 to 1."""
        self.work_row.show_share(share)

    def end_work(self, problem: str = "") -> None:
        """Show that work has ended, and why it failed, if there is a sentence."""
        self._set_working(False)
        self._check()
        if problem:
            self.problem_label.setText(translated(problem))

    @Slot()
    def reject(self) -> None:
        """Close, or stop running work instead."""
        if self._is_working:
            self.work_row.stop_button.click()
        else:
            super().reject()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Return in the list of chapters tick instead of starting the work."""
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not (is_return and self.picker.hasFocus()):
            super().keyPressEvent(event)

    def _begin(self, sentence: str) -> None:
        """Show that work is running, and disable the inputs."""
        self._set_working(True)
        self.work_row.begin(sentence)

    def _set_working(self, working: bool) -> None:
        self._is_working = working
        self.work_row.setVisible(working)
        self.problem_label.setText("")
        for widget in self._inputs():
            widget.setEnabled(not working)

    def _inputs(self) -> Sequence[QWidget]:
        """Return the inputs to disable meanwhile."""
        boxes = self.findChildren(QComboBox)
        return (*boxes, self.title_page_box, self.picker, self.do_button, self.cancel_button)

    @Slot()
    def _check(self) -> None:
        nothing = self.picker.chosen == ()
        self.do_button.setEnabled(not nothing)
        self.problem_label.setText(self.tr("Select at least one chapter.") if nothing else "")

    def _combo(self, name: str, choices: Sequence[tuple[Enum, str]], chosen: Enum) -> QComboBox:
        box = CalmCombo(self)
        box.setAccessibleName(name)
        for value, text in choices:
            box.addItem(text, value.value)
        box.setCurrentIndex(box.findData(chosen.value))
        return box

    def _tick_box(self, text: str, *, on: bool) -> QCheckBox:
        box = QCheckBox(text, self)
        box.setChecked(on)
        return box

    def _button(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        return button

    def _caption(self, text: str) -> QWidget:
        caption = plain_label(self, text=text)
        caption.setObjectName("caption")
        return caption


def chosen_in(box: QComboBox, kind: type[_Choice]) -> _Choice:
    """Return the choice in a box that lists the values of an enumeration."""
    return kind(box.currentData())


def usual_paper() -> Paper:
    """Return the paper that is usual where the system says the writer is."""
    return Paper.LETTER if QLocale.system().territory() in _LETTER_PLACES else Paper.A4
