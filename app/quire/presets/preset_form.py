"""The sampling settings, each with a number and an explanation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QGridLayout, QVBoxLayout, QWidget

from quire.theme.fonts import figures_font
from quire.theme.text_size import fit, set_scaled_font
from quire.ui.calm_fields import CalmFraction
from quire.ui.form_parts import caption
from quire.ui.labels import plain_label
from quire_engine.api.config import SamplingConfig


@dataclass(frozen=True, slots=True)
class Rule:
    """One number of the settings.

    Attributes:
        name: the name of the setting.
        title: its name on the screen.
        sentence: its explanation.
        least: the minimum.
        most: the maximum.
        step: the step of the field.
        decimals: 0 for whole numbers.
    """

    name: str
    title: str
    sentence: str
    least: float
    most: float
    step: float
    decimals: int


class PresetForm(QWidget):
    """Edits settings.

    Signals:
        changed: the writer changed a number.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = SamplingConfig()
        self.greedy_box = QCheckBox(self.tr("Always choose the most likely word (greedy)"), self)
        self.greedy_box.setToolTip(self.tr("No randomness. Long drafts soon start to loop."))
        self.boxes: dict[str, QDoubleSpinBox] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        for number, rule in enumerate(self._rules()):
            self._add(grid, 3 * number, rule)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(grid)
        layout.addWidget(self.greedy_box)
        layout.addStretch(1)
        self.greedy_box.toggled.connect(self._switch_greedy)
        self.show_sampling(SamplingConfig())

    @property
    def sampling(self) -> SamplingConfig:
        """Return the settings with the values of the fields."""
        values = {name: box.value() for name, box in self.boxes.items()}
        for name in ("top_k", "penalty_window"):
            values[name] = int(values[name])
        if self.greedy_box.isChecked():
            values["temperature"] = 0.0
        return replace(self._shown, **values)  # type: ignore[arg-type]  # whole numbers are whole

    def show_sampling(self, sampling: SamplingConfig) -> None:
        """Show settings."""
        self._shown = sampling
        for name, box in self.boxes.items():
            value = getattr(sampling, name)
            with QSignalBlocker(box):
                box.setValue(1.0 if name == "temperature" and value == 0 else value)
        with QSignalBlocker(self.greedy_box):
            self.greedy_box.setChecked(sampling.temperature == 0)
        self.boxes["temperature"].setEnabled(sampling.temperature != 0)

    def _add(self, grid: QGridLayout, row: int, rule: Rule) -> None:
        title = plain_label(self, text=rule.title)
        sentence = caption(self)
        sentence.setText(rule.sentence)
        box = CalmFraction(self)
        box.setRange(rule.least, rule.most)
        box.setDecimals(rule.decimals)
        box.setSingleStep(rule.step)
        fit(box.setFixedWidth, 110)
        box.setAlignment(Qt.AlignmentFlag.AlignRight)
        set_scaled_font(box, figures_font)
        box.setAccessibleName(rule.title)
        box.setAccessibleDescription(rule.sentence)
        title.setBuddy(box)
        box.valueChanged.connect(self._notify)
        self.boxes[rule.name] = box
        grid.addWidget(title, row, 0)
        grid.addWidget(box, row, 1, 2, 1, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(sentence, row + 1, 0)
        grid.setRowMinimumHeight(row + 2, 4)

    @Slot(bool)
    def _switch_greedy(self, on: bool) -> None:
        self.boxes["temperature"].setEnabled(not on)
        self.changed.emit()

    @Slot()
    def _notify(self) -> None:
        self.changed.emit()

    def _rules(self) -> tuple[Rule, ...]:
        return (*self._usual_rules(), *self._repetition_rules(), *self._other_rules())

    def _usual_rules(self) -> tuple[Rule, ...]:
        tr = self.tr
        return (
            Rule(
                "temperature",
                tr("Boldness (temperature)"),
                tr("Lower values favour likely words; higher values allow surprising ones."),
                0.05,
                3.0,
                0.05,
                2,
            ),
            Rule(
                "min_p",
                tr("Drop unlikely words (min-p)"),
                tr("Drops words less likely than this fraction of the most likely one. 0 drops none."),
                0.0,
                0.9,
                0.01,
                3,
            ),
        )

    def _repetition_rules(self) -> tuple[Rule, ...]:
        tr = self.tr
        return (
            Rule(
                "repetition_penalty",
                tr("Repetition penalty"),
                tr("Makes recently used words less likely. 1 has no effect."),
                1.0,
                3.0,
                0.05,
                2,
            ),
            Rule(
                "penalty_window",
                tr("Penalty range"),
                tr("In tokens; a token is about three quarters of a word."),
                0,
                65_536,
                256,
                0,
            ),
            Rule(
                "penalty_growth",
                tr("Stronger against repetition"),
                tr("Raises the penalty while the text repeats itself more than novels do. 0: never."),
                0.0,
                100.0,
                1.0,
                1,
            ),
        )

    def _other_rules(self) -> tuple[Rule, ...]:
        tr = self.tr
        return (
            Rule(
                "top_p",
                tr("Keep the most likely words (top-p)"),
                tr("Keeps the most likely words up to this total probability. 1 keeps all."),
                0.05,
                1.0,
                0.01,
                3,
            ),
            Rule(
                "top_k",
                tr("Limit the number of choices (top-k)"),
                tr("Keeps only this many of the most likely words. 0 keeps all."),
                0,
                1_000,
                10,
                0,
            ),
            Rule(
                "eta",
                tr("Adaptive cutoff (eta)"),
                tr("Cuts more where the model is confident, less where it is not. 0 turns it off."),
                0.0,
                0.1,
                0.0005,
                4,
            ),
        )
