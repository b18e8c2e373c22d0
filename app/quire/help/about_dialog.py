"""The About dialog: what Quire is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QLayout,
    QVBoxLayout,
    QWidget,
)

from quire import __version__
from quire.theme.fonts import headline_font
from quire.theme.icons import app_icon
from quire.theme.text_size import set_scaled_font
from quire.ui.form_parts import finish_dialog
from quire.ui.labels import plain_label

_ICON_PX = 72


class AboutDialog(QDialog):
    """Name, version, licence, and the credits of the fonts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About Quire"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        picture = plain_label(self)
        picture.setPixmap(app_icon(_ICON_PX).pixmap(_ICON_PX, _ICON_PX))
        picture.setAccessibleName(self.tr("The Quire icon: folded sheets"))
        name = plain_label(self, text="Quire")
        set_scaled_font(name, headline_font, 26)
        texts = (
            self.tr("Version {0}").format(__version__),
            self.tr("Draft novels with a language model on your own computer."),
            self.tr("No account, no telemetry. Nothing leaves this computer unless you ask for it."),
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
        layout = finish_dialog(self, row, self.tr("Close"))
        layout.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)
