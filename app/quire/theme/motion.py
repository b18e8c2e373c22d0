"""Whether animations are allowed."""

from __future__ import annotations

import sys
from enum import Enum

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

_EFFECTS = (
    Qt.UIEffect.UI_AnimateMenu,
    Qt.UIEffect.UI_FadeMenu,
    Qt.UIEffect.UI_AnimateCombo,
    Qt.UIEffect.UI_AnimateTooltip,
    Qt.UIEffect.UI_FadeTooltip,
    Qt.UIEffect.UI_AnimateToolBox,
)


class MotionPreference(Enum):
    """The writer's choice; the values are stored in the settings."""

    SYSTEM = "system"
    REDUCED = "reduced"
    FULL = "full"


class MotionSwitch(QObject):
    """Stops the blinking caret and menu effects; check `reduced` before animating anything."""

    changed = Signal()

    def __init__(self, app: QApplication, choice: MotionPreference = MotionPreference.SYSTEM) -> None:
        super().__init__(app)
        self._app = app
        self._flash_ms = app.cursorFlashTime()
        self._effects = {effect: app.isEffectEnabled(effect) for effect in _EFFECTS}
        self._system_reduces = sys.platform == "win32" and not app.isEffectEnabled(Qt.UIEffect.UI_AnimateMenu)
        self._reduced = False
        self.choose(choice)

    @property
    def reduced(self) -> bool:
        """Return whether animations are off."""
        return self._reduced

    def choose(self, choice: MotionPreference) -> None:
        """Apply the writer's choice; only Windows reports the system's preference to Qt."""
        wanted = choice is MotionPreference.REDUCED or (
            choice is MotionPreference.SYSTEM and self._system_reduces
        )
        if wanted != self._reduced:
            self._reduced = wanted
            self._app.setCursorFlashTime(0 if wanted else self._flash_ms)
            for effect, usual in self._effects.items():
                self._app.setEffectEnabled(effect, usual and not wanted)
            self.changed.emit()
