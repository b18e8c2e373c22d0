"""Exactly what the model reads at a start, in order and by source, and what is omitted."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.domain.drafting.prompt_composition import OmittedPart, PartOrigin
from quire.domain.drafting.prompt_preview import PromptPreview
from quire.steering.context_usage_bar import SpaceBar
from quire.steering.prompt_source_gutter import OriginText
from quire.steering.prompt_source_style import omission_text, origin_name, words_text
from quire.system.number_text import number_text
from quire.theme.fonts import interface_font
from quire.theme.text_size import fit, set_scaled_font
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.dialog_size import resize_within_screen
from quire.ui.form_parts import caption
from quire.ui.labels import plain_label
from quire.ui.translated import translated
from quire_engine.metrics.word_count import count_words

_SIZE = QSize(1000, 700)
_SIDE_PX = 270


class ModelViewDialog(QDialog):
    """Shows a prompt preview.

    Signals:
        refresh_asked: update the preview.
    """

    refresh_asked = Signal()

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Prompt Preview"))
        resize_within_screen(self, _SIZE)
        self.space_bar = SpaceBar(themes, self)
        self.parts_title = plain_label(self, text=self.tr("Parts, in order"))
        self.parts_list = QListWidget(self)
        self.parts_list.setObjectName("sideList")
        set_scaled_font(self.parts_list, interface_font)
        self.parts_list.setAccessibleName(self.tr("Parts of the prompt, in reading order"))
        self.left_out_title = plain_label(self, text=self.tr("Left out"))
        self.left_out_list = QListWidget(self)
        self.left_out_list.setObjectName("sideList")
        set_scaled_font(self.left_out_list, interface_font)
        self.left_out_list.setWordWrap(True)
        for names in (self.parts_list, self.left_out_list):
            names.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.left_out_list.setAccessibleName(self.tr("What is left out, and why"))
        self.text = OriginText(themes, self)
        self.said = caption(self)
        self.refresh_button = QPushButton(self.tr("Refresh"), self)
        self.refresh_button.setAutoDefault(False)
        self.close_button = QPushButton(self.tr("Close"), self)
        self.close_button.setDefault(True)
        self._lay_out()
        self.parts_list.currentRowChanged.connect(self._go_to)
        self.refresh_button.clicked.connect(self.refresh_asked)
        self.close_button.clicked.connect(self.accept)

    def show_view(self, view: PromptPreview, restart_reason: str = "") -> None:
        """Show a preview.

        Args:
            view: what is read.
            restart_reason: why the next start is a new run; empty if the last one is resumed.
        """
        self.space_bar.show_use(view.use)
        self.text.show_parts(view.parts)
        with QSignalBlocker(self.parts_list):
            self.parts_list.clear()
            for part in self.text.parts:
                name = origin_name(part.origin)
                shown = f"{name}: {part.title}" if part.title else name
                size = words_text(count_words(part.text))
                self.parts_list.addItem(QListWidgetItem(f"{shown}  \u00b7  {size}"))
        self.left_out_list.clear()
        for one in view.left_out:
            self.left_out_list.addItem(QListWidgetItem(self._omission(one)))
        for widget in (self.left_out_title, self.left_out_list):
            widget.setVisible(bool(view.left_out))
        self.said.setText(self._sentence(view, restart_reason))

    def _sentence(self, view: PromptPreview, restart_reason: str) -> str:
        said = self.tr("{0} characters, {1} words.").format(
            number_text(view.chars), number_text(view.use.words)
        )
        if not view.is_exact:
            said += " " + self.tr("Context use is estimated until the model is loaded.")
        return f"{said} {translated(restart_reason)}" if restart_reason else said

    def _omission(self, one: OmittedPart) -> str:
        name = one.title or origin_name(one.origin)
        if one.origin is PartOrigin.MANUSCRIPT:
            name = self.tr("Start of the manuscript")
        why = omission_text(one.why)
        return self.tr("{0} ({1} characters): {2}").format(name, number_text(one.chars), why)

    @Slot(int)
    def _go_to(self, row: int) -> None:
        if row >= 0:
            self.text.go_to(row)

    def _lay_out(self) -> None:
        side = QWidget(self)
        fit(side.setFixedWidth, _SIDE_PX)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.space_bar)
        column.addSpacing(6)
        column.addWidget(self.parts_title)
        column.addWidget(self.parts_list, 3)
        column.addWidget(self.left_out_title)
        column.addWidget(self.left_out_list, 2)
        middle = QHBoxLayout()
        middle.setSpacing(16)
        middle.addWidget(side)
        middle.addWidget(self.text, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.said, 1)
        buttons.addWidget(self.refresh_button)
        buttons.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 14)
        layout.setSpacing(12)
        layout.addLayout(middle, 1)
        layout.addLayout(buttons)
