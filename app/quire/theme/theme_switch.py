"""The active theme, and switching between themes."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from quire.theme.colour_tokens import DARK, HIGH_CONTRAST, LIGHT, SEPIA, Tokens
from quire.theme.fonts import interface_font
from quire.theme.palette import palette_of, style_sheet_of
from quire.theme.text_size import TextSize, choose_text_size, update_followers


class ThemeChoice(Enum):
    """The writer's choice; the values are stored in the settings."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"
    SEPIA = "sepia"
    HIGH_CONTRAST = "high contrast"


TOKENS_OF = {
    ThemeChoice.LIGHT: LIGHT,
    ThemeChoice.DARK: DARK,
    ThemeChoice.SEPIA: SEPIA,
    ThemeChoice.HIGH_CONTRAST: HIGH_CONTRAST,
}


class ThemeSwitch(QObject):
    """Applies the theme and the size of the interface's text to the application, and notifies custom-painted
    widgets.
    """

    changed = Signal()

    def __init__(
        self,
        app: QApplication,
        choice: ThemeChoice = ThemeChoice.SYSTEM,
        text_size: TextSize = TextSize.SYSTEM,
    ) -> None:
        super().__init__(app)
        self._text_size = text_size
        choose_text_size(text_size)
        self._app = app
        self._choice = choice
        self._last = {False: ThemeChoice.LIGHT, True: ThemeChoice.DARK}
        self._note_choice()
        self._tokens = self._wanted()
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._system_changed)
        if hasattr(hints, "accessibility"):  # since Qt 6.10
            hints.accessibility().contrastPreferenceChanged.connect(self._system_changed)
        self._dress()

    @property
    def choice(self) -> ThemeChoice:
        """Return the writer's choice."""
        return self._choice

    @property
    def tokens(self) -> Tokens:
        """Return the active colours."""
        return self._tokens

    @property
    def text_size(self) -> TextSize:
        """Return the writer's choice for the interface's text."""
        return self._text_size

    def choose_text_size(self, size: TextSize) -> None:
        """Apply the writer's choice for the interface's text immediately."""
        self._text_size = size
        if choose_text_size(size):
            self._dress()
        self.changed.emit()

    def choose(self, choice: ThemeChoice) -> None:
        """Apply the writer's choice immediately."""
        self._choice = choice
        self._note_choice()
        self._follow()

    def toggle(self) -> None:
        """Switch between light and dark, to the one that was last used."""
        self.choose(self._last[not self._tokens.is_dark])

    @Slot()
    def _system_changed(self) -> None:
        self._follow()

    def _note_choice(self) -> None:
        if self._choice is not ThemeChoice.SYSTEM:
            self._last[TOKENS_OF[self._choice].is_dark] = self._choice

    def _follow(self) -> None:
        wanted = self._wanted()
        if wanted is not self._tokens:
            self._tokens = wanted
            self._dress()
        self.changed.emit()

    def _wanted(self) -> Tokens:
        return TOKENS_OF.get(self._choice) or system_tokens()

    def _dress(self) -> None:
        self._app.setPalette(palette_of(self._tokens))
        if self._app.font() != interface_font():
            self._app.setFont(interface_font())
        self._app.setStyleSheet(style_sheet_of(self._tokens))
        update_followers()  # a style sheet brings earlier fonts back


def system_tokens() -> Tokens:
    """Return the theme requested by the system, or light."""
    hints = QGuiApplication.styleHints()
    if hasattr(hints, "accessibility"):
        asked = hints.accessibility().contrastPreference()
        if asked is Qt.ContrastPreference.HighContrast:
            return HIGH_CONTRAST
    return DARK if hints.colorScheme() is Qt.ColorScheme.Dark else LIGHT
