"""Two takes or snapshots side by side: differences, metrics, and both charts in one."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from quire.charts.chart_deck import ChartDeck
from quire.charts.run_charts import RunCharts
from quire.domain.drafting.live_run_metrics import ComparedRun
from quire.domain.manuscript.paragraph_merge import num_words_that_differ
from quire.system.number_text import number_text
from quire.takes.compare_choices import Compared, SideKey
from quire.takes.metrics_views import FiguresTable
from quire.takes.side_by_side_texts import ComparedTexts
from quire.takes.take_labels import TakeTexts
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.calm_fields import CalmCombo
from quire.ui.labels import ElidedLabel, plain_label

_SIZE = QSize(1120, 740)
_MARGIN_PX = 24
_SHOWN_WORDS = 6
Choices = Sequence[tuple[SideKey, str]]


class CompareView(Enum):
    """The views of a comparison."""

    TEXTS = "texts"
    FIGURES = "figures"
    CHARTS = "charts"


class CompareDialog(QDialog):
    """Shows two texts, each chosen from a list.

    Signals:
        pair_asked: compare these two.
        keep_asked: make this one the current text.
        copy_asked: copy a paragraph into the current text; with a ParagraphCopy.
    """

    pair_asked = Signal(object, object)
    keep_asked = Signal(object)
    copy_asked = Signal(object)

    def __init__(
        self, choices: Choices, compared: Compared, themes: ThemeSwitch, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Compare"))
        room = _SIZE if parent is None else parent.window().size() - QSize(_MARGIN_PX, _MARGIN_PX)
        self.resize(_SIZE.boundedTo(room))
        self._compared, self._locked = compared, False
        self._other_run: ComparedRun | None = None
        self._texts_of = TakeTexts(self)
        self.charts = RunCharts(self)
        self.texts = ComparedTexts(compared, themes, self)
        self.left, self.right = self.texts.columns
        self.table = FiguresTable(self._texts_of, self)
        self.deck = ChartDeck(self.charts, themes, self)
        self.deck.close_button.hide()
        self.combos = self._combo(self.tr("Left")), self._combo(self.tr("Right"))
        self._make_buttons()
        self.summary = plain_label(self)
        self.summary.setObjectName("caption")
        self.copy_hint = ElidedLabel(self)
        self.copy_hint.setObjectName("caption")
        self._stack = QStackedWidget(self)
        for view in (self.texts, self.table, self.deck):
            self._stack.addWidget(view)
        self._lay_out()
        self._wire()
        self.show_view(CompareView.TEXTS)
        self.show_choices(choices)
        self.show_compared(compared)
        self.left.setFocus()

    # ------------------------------------------------------------ input
    def show_choices(self, choices: Choices) -> None:
        """Set what can be chosen on each side."""
        for combo in self.combos:
            combo.blockSignals(True)
            combo.clear()
            for key, name in choices:
                combo.addItem(name, key)
            combo.blockSignals(False)

    def show_compared(self, compared: Compared) -> None:
        """Show another comparison."""
        self._compared = compared
        for combo, side in zip(self.combos, compared.sides, strict=True):
            keys = [combo.itemData(row) for row in range(combo.count())]
            combo.blockSignals(True)
            combo.setCurrentIndex(keys.index(side.key) if side.key in keys else -1)
            combo.blockSignals(False)
        self.texts.show_compared(compared)
        self.table.show_compared(compared)
        self.summary.setText(self._summary_text())
        self._refresh()

    def show_other_run(self, run: ComparedRun | None) -> None:
        """Show the run of the right side over the charts of the left one."""
        self._other_run = run
        self.other_button.setEnabled(run is not None)
        self._lay_over(self.other_button.isChecked())

    def set_locked(self, *, locked: bool) -> None:
        """Disable keeping and copying while the text cannot change."""
        self._locked = locked
        self._refresh()

    def show_view(self, view: CompareView) -> None:
        """Show texts, metrics or charts."""
        self.view_buttons[view].setChecked(True)
        self._stack.setCurrentIndex(list(CompareView).index(view))
        is_texts = view is CompareView.TEXTS
        for part in (self.previous_button, self.next_button, self.copy_button, self.copy_hint):
            part.setVisible(is_texts)
        self.other_button.setVisible(view is CompareView.CHARTS)

    # ------------------------------------------------------------ building
    def _combo(self, name: str) -> QComboBox:
        combo = CalmCombo(self)
        combo.setAccessibleName(name)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        return combo

    def _make_buttons(self) -> None:
        names = {
            CompareView.TEXTS: self.tr("Texts"),
            CompareView.FIGURES: self.tr("Metrics"),
            CompareView.CHARTS: self.tr("Charts"),
        }
        self.view_buttons = {view: self._segment(name) for view, name in names.items()}
        self.other_button = self._segment(self.tr("Overlay right take"))
        self.other_button.setToolTip(self.tr("Draws its curves over the charts on the left"))
        self.other_button.setChecked(True)
        self.previous_button = QPushButton(self.tr("Previous Difference"), self)
        self.previous_button.setToolTip("Shift+F8, Alt+Up")
        self.next_button = QPushButton(self.tr("Next Difference"), self)
        self.next_button.setToolTip("F8, Alt+Down")
        self.keep_buttons = QPushButton(self.tr("Keep Left"), self), QPushButton(self.tr("Keep Right"), self)
        self.copy_button = QPushButton(self.tr("Copy Paragraph"), self)
        self.close_button = QPushButton(self.tr("Close"), self)

    def _segment(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setCheckable(True)
        button.setProperty("segment", True)
        return button

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(2)
        for button in self.view_buttons.values():
            head.addWidget(button)
        head.addSpacing(14)
        head.addWidget(self.summary, 1)
        for button in (self.other_button, self.previous_button, self.next_button):
            head.addWidget(button)
            head.addSpacing(6)
        chosen = QHBoxLayout()
        chosen.setSpacing(14)
        for combo, button in zip(self.combos, self.keep_buttons, strict=True):
            side = QHBoxLayout()
            side.setSpacing(8)
            side.addWidget(combo, 1)
            side.addWidget(button)
            chosen.addLayout(side, 1)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.copy_button)
        foot.addWidget(self.copy_hint, 1)
        foot.addStretch(0)
        foot.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 14, 20, 14)
        layout.setSpacing(12)
        layout.addLayout(head)
        layout.addLayout(chosen)
        layout.addWidget(self._stack, 1)
        layout.addLayout(foot)

    def _wire(self) -> None:
        group = QButtonGroup(self)
        for view_button in self.view_buttons.values():
            group.addButton(view_button)
            view_button.clicked.connect(self._turn_view)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)  # Enter in a text must not press a button
        for combo in self.combos:
            combo.activated.connect(self._ask_for_pair)
        self.other_button.toggled.connect(self._lay_over)
        self.previous_button.clicked.connect(self.show_previous)
        self.next_button.clicked.connect(self.show_next)
        self.keep_buttons[0].clicked.connect(self._keep_left)
        self.keep_buttons[1].clicked.connect(self._keep_right)
        self.copy_button.clicked.connect(self._copy)
        self.close_button.clicked.connect(self.accept)
        self.texts.copy_changed.connect(self._refresh)
        for keys, slot in (
            (("F8", "Alt+Down"), self.show_next),
            (("Shift+F8", "Alt+Up"), self.show_previous),
        ):
            for key in keys:
                QShortcut(QKeySequence(key), self).activated.connect(slot)

    # ------------------------------------------------------------ slots
    @Slot()
    def show_next(self) -> None:
        """Go to the next difference, wrapping around."""
        self.texts.step(1)

    @Slot()
    def show_previous(self) -> None:
        """Go to the previous difference, wrapping around."""
        self.texts.step(-1)

    @Slot()
    def _turn_view(self) -> None:
        self.show_view(next(view for view, button in self.view_buttons.items() if button.isChecked()))

    @Slot()
    def _ask_for_pair(self) -> None:
        self.pair_asked.emit(*(combo.currentData() for combo in self.combos))

    @Slot(bool)
    def _lay_over(self, on: bool) -> None:
        self.charts.compare(self._other_run if on else None)

    @Slot()
    def _keep_left(self) -> None:
        self.keep_asked.emit(self._compared.left.key)

    @Slot()
    def _keep_right(self) -> None:
        self.keep_asked.emit(self._compared.right.key)

    @Slot()
    def _copy(self) -> None:
        if self.texts.copy is not None and not self._locked:
            self.copy_asked.emit(self.texts.copy)

    @Slot()
    def _refresh(self) -> None:
        has_any = bool(self._compared.changed)
        self.previous_button.setEnabled(has_any)
        self.next_button.setEnabled(has_any)
        for button, side in zip(self.keep_buttons, self._compared.sides, strict=True):
            button.setEnabled(not self._locked and not side.stands)
        self.copy_button.setEnabled(not self._locked and self.texts.copy is not None)
        self.copy_hint.show_text(self._copy_text())

    # ------------------------------------------------------------ texts
    def _summary_text(self) -> str:
        compared = self._compared
        places = len(compared.changed)
        if not places:
            return self.tr("The texts are identical.")
        num_words = num_words_that_differ(compared.left.text, compared.right.text, compared.differences)
        where = (
            self.tr("1 changed passage.")
            if places == 1
            else self.tr("{0} changed passages.").format(number_text(places))
        )
        return f"{self._texts_of.words_differ(num_words)} {where}"

    def _copy_text(self) -> str:
        """Return the text of the button to copy the paragraph at the caret."""
        target, copy = self._compared.target, self.texts.copy
        if target is None:
            return self.tr("To copy a paragraph, compare with the current text.")
        if copy is None:
            return self.tr("This paragraph is the same in both.")
        text = self._compared.sides[target].text
        if copy.replaces:
            return self.tr("Will replace: “{0}”").format(_first_words(text[copy.start : copy.end]))
        before = text[: copy.start].rstrip()
        if not before:
            return self.tr("Will be inserted at the start of the text.")
        return self.tr("Will be inserted after: “{0}”").format(_first_words(before[before.rfind("\n") + 1 :]))


def _first_words(text: str) -> str:
    words = text.split()
    return " ".join(words[:_SHOWN_WORDS]) + (" …" if len(words) > _SHOWN_WORDS else "")
