"""Fields of the preferences, each bound to one setting."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFont, QShowEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from quire.settings.settings import Settings
from quire.ui.calm_fields import CalmCombo, CalmFraction, CalmSpin
from quire.ui.labels import plain_label

_FIELD_PX = 176
_TEXT_MARGIN_PX = 8


class PreferencePage(QWidget):
    """A page of fields.

    Signals:
        edited: the new settings.
    """

    edited = Signal(object)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._showing: list[Callable[[Settings], None]] = []
        self._names: list[QLabel] = []
        self._right: QFormLayout | None = None  # the second of two columns, which has names of its own width
        self.layout_of_page = QVBoxLayout(self)
        self.layout_of_page.setContentsMargins(28, 22, 28, 22)
        self.layout_of_page.setSpacing(12)

    @property
    def settings(self) -> Settings:
        """Return the settings that the page shows."""
        return self._settings

    def show_settings(self, settings: Settings) -> None:
        """Show settings that were changed elsewhere."""
        self._settings = settings
        for show in self._showing:
            show(settings)

    def add_heading(self, text: str) -> None:
        """Start a section."""
        heading = plain_label(self, 14, QFont.Weight.DemiBold, text)
        heading.setContentsMargins(0, 8 if self.layout_of_page.count() else 0, 0, 0)
        self.layout_of_page.addWidget(heading)

    def add_sentence(self, text: str) -> QLabel:
        """Add an explanation of the fields above."""
        sentence = plain_label(self, text=text)
        sentence.setObjectName("caption")
        sentence.setWordWrap(True)
        self.layout_of_page.addWidget(sentence)
        return sentence

    def add_form(self) -> QFormLayout:
        """Start rows of a name and a field."""
        form = self._form()
        self.layout_of_page.addLayout(form)
        return form

    def add_two_forms(self) -> tuple[QFormLayout, QFormLayout]:
        """Start rows of a name and a field, in two columns."""
        columns = QHBoxLayout()
        columns.setSpacing(28)
        left, right = self._form(), self._form()
        self._right = right
        columns.addLayout(left)
        columns.addLayout(right)
        columns.addStretch(1)
        self.layout_of_page.addLayout(columns)
        return left, right

    def _form(self) -> QFormLayout:
        form = QFormLayout()
        form.setHorizontalSpacing(20)
        form.setVerticalSpacing(10)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return form

    def add_switch(self, name: str, text: str) -> QCheckBox:
        """Add a check box."""
        box = QCheckBox(text, self)
        box.toggled.connect(partial(self.change, name))
        self._follow(box, lambda settings: box.setChecked(getattr(settings, name)))
        self.layout_of_page.addWidget(box)
        return box

    def add_number(self, form: QFormLayout, name: str, text: str, limits: tuple[int, int, int]) -> QSpinBox:
        """Add a row for a whole number; limits: lowest, highest, step."""
        field = CalmSpin(self)
        field.setRange(*limits[:2])
        field.setSingleStep(limits[2])
        _calm(field)
        field.setGroupSeparatorShown(True)
        field.valueChanged.connect(partial(self.change, name))
        self._follow(field, lambda settings: field.setValue(getattr(settings, name)))
        self._add_row(form, text, field)
        return field

    def add_fraction(
        self, form: QFormLayout, name: str, text: str, limits: tuple[float, float, float]
    ) -> QDoubleSpinBox:
        """Add a row for a number with two decimals; limits: lowest, highest, step."""
        field = CalmFraction(self)
        field.setRange(*limits[:2])
        field.setSingleStep(limits[2])
        _calm(field)
        field.valueChanged.connect(partial(self.change, name))
        self._follow(field, lambda settings: field.setValue(getattr(settings, name)))
        self._add_row(form, text, field)
        return field

    def add_choice(
        self, form: QFormLayout, name: str, text: str, options: Iterable[tuple[object, str]]
    ) -> QComboBox:
        """Add a row to choose from several values with their names.

        A value that is not among them (from another version, or a missing font) is shown as it is stored.
        """
        field = CalmCombo(self)
        values = [value for value, _ in options_list(field, options)]

        def show(settings: Settings) -> None:
            value = getattr(settings, name)
            if value not in values:
                values.append(value)
                field.addItem(str(value))
            field.setCurrentIndex(values.index(value))

        field.currentIndexChanged.connect(lambda index: self.change(name, values[index]))
        self._follow(field, show)
        self._add_row(form, text, field)
        return field

    def change(self, name: str, value: Any) -> None:
        """Change a setting."""
        if getattr(self._settings, name) != value:
            self._settings = replace(self._settings, **{name: value})
            self.edited.emit(self._settings)

    def finish(self) -> None:
        """Show the settings, with the fields at the top of the page."""
        self.layout_of_page.addStretch(1)
        self._align_fields()
        self.show_settings(self._settings)

    def showEvent(self, event: QShowEvent) -> None:
        """Align the fields anew: only now do the names have their style."""
        self._align_fields()
        super().showEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Align the fields anew when the text of the interface changes its size."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._align_fields()

    def _align_fields(self) -> None:
        """Give every form's names the same width, so that the fields of all sections are in one column."""
        width = max((label.sizeHint().width() for label in self._names), default=0)
        for label in self._names:
            label.setMinimumWidth(width)

    def _follow(self, field: QWidget, show: Callable[[Settings], None]) -> None:
        def show_silently(settings: Settings) -> None:
            with QSignalBlocker(field):
                show(settings)

        self._showing.append(show_silently)

    def _add_row(self, form: QFormLayout, text: str, field: QWidget) -> None:
        label = QLabel(text, self)
        label.setBuddy(field)
        field.setAccessibleName(text.replace("&", ""))
        field.setMinimumWidth(_FIELD_PX)
        form.addRow(label, field)
        if form is not self._right:
            self._names.append(label)


def _calm(field: QAbstractSpinBox) -> None:
    """Ignore numbers that are only half typed, and add padding to the text."""
    field.setKeyboardTracking(False)
    field.lineEdit().setTextMargins(_TEXT_MARGIN_PX, 0, 0, 0)  # a style sheet cannot set this


def options_list(field: QComboBox, options: Iterable[tuple[object, str]]) -> list[tuple[object, str]]:
    """Fill a combo box with the names of the values, and return the options."""
    listed = list(options)
    for _, text in listed:
        field.addItem(text)
    return listed
