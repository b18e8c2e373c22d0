"""The list of shortcuts, and what Quire is."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from quire import __version__
from quire.theme.fonts import reading_font
from quire.theme.icons import app_icon
from quire.widgets.actions import ShortcutLine
from quire.widgets.labels import plain_label

_ICON_PX = 72


class ShortcutsDialog(QDialog):
    """Every shortcut, menu by menu."""

    def __init__(self, lines: Iterable[ShortcutLine], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        grid = QGridLayout()
        grid.setHorizontalSpacing(32)
        grid.setVerticalSpacing(7)
        menu = ""
        for line in lines:
            row = grid.rowCount()
            if line.menu != menu:
                menu = line.menu
                heading = plain_label(self, weight=QFont.Weight.DemiBold, text=menu)
                heading.setContentsMargins(0, 10 if row > 1 else 0, 0, 2)
                grid.addWidget(heading, row, 0, 1, 2)
                row += 1
            grid.addWidget(plain_label(self, text=line.text), row, 0)
            keys = plain_label(self, text=line.keys)
            keys.setObjectName("caption")
            grid.addWidget(keys, row, 1)
        _finish(self, grid)


class AboutDialog(QDialog):
    """Name, version, licence, and whose fonts these are."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About Quire"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        picture = plain_label(self)
        picture.setPixmap(app_icon(_ICON_PX).pixmap(_ICON_PX, _ICON_PX))
        picture.setAccessibleName(self.tr("The icon of Quire: folded sheets"))
        name = plain_label(self, text="Quire")
        name.setFont(reading_font(26))
        texts = (
            self.tr("Version {0}").format(__version__),
            self.tr("Drafts novels with a language model on your own computer."),
            self.tr("No account, no network, no telemetry."),
            self.tr("MIT licence. Literata and Inter: SIL Open Font License."),
        )
        words = QVBoxLayout()
        words.setSpacing(5)
        words.addWidget(name)
        for text in texts:
            label = plain_label(self, text=text)
            label.setObjectName("caption")
            words.addWidget(label)
        row = QGridLayout()
        row.setHorizontalSpacing(22)
        row.addWidget(picture, 0, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 0, 1)
        _finish(self, row)


def _finish(dialog: QDialog, content: QGridLayout) -> None:
    close = QPushButton(dialog.tr("Close"), dialog)
    close.setDefault(True)
    close.clicked.connect(dialog.accept)
    buttons = QHBoxLayout()
    buttons.addStretch(1)
    buttons.addWidget(close)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(28, 24, 28, 20)
    layout.setSpacing(18)
    layout.addLayout(content)
    layout.addLayout(buttons)
    layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)
