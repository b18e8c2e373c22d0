"""Which theme is on, and the switch between them."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from quire.theme.palette import palette_of, style_sheet_of
from quire.theme.tokens import DARK, LIGHT, Tokens


class ThemeChoice(Enum):
    """What the writer chose; the values are what the settings store."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class ThemeKeeper(QObject):
    """Dresses the application and tells whoever draws by hand."""

    changed = Signal()

    def __init__(self, app: QApplication, choice: ThemeChoice = ThemeChoice.SYSTEM) -> None:
        super().__init__(app)
        self._app = app
        self._choice = choice
        self._tokens = self._wanted()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_changed)
        self._dress()

    @property
    def choice(self) -> ThemeChoice:
        """What the writer chose."""
        return self._choice

    @property
    def tokens(self) -> Tokens:
        """The colours that are on."""
        return self._tokens

    def choose(self, choice: ThemeChoice) -> None:
        """Take the writer's choice; the switch is immediate."""
        self._choice = choice
        self._follow()

    def toggle(self) -> None:
        """Go from light to dark or back."""
        self.choose(ThemeChoice.LIGHT if self._tokens.is_dark else ThemeChoice.DARK)

    @Slot()
    def _system_changed(self) -> None:
        self._follow()

    def _follow(self) -> None:
        wanted = self._wanted()
        if wanted is not self._tokens:
            self._tokens = wanted
            self._dress()
        self.changed.emit()

    def _wanted(self) -> Tokens:
        if self._choice is ThemeChoice.SYSTEM:
            scheme = QGuiApplication.styleHints().colorScheme()
            return DARK if scheme is Qt.ColorScheme.Dark else LIGHT
        return DARK if self._choice is ThemeChoice.DARK else LIGHT

    def _dress(self) -> None:
        self._app.setPalette(palette_of(self._tokens))
        self._app.setStyleSheet(style_sheet_of(self._tokens))
