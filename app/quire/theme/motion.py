"""Whether things on the screen may move by themselves."""

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
    """What the writer chose; the values are what the settings store."""

    SYSTEM = "system"
    REDUCED = "reduced"
    FULL = "full"


class MotionSwitch(QObject):
    """Stills the caret and the effects of menus; whoever animates anything asks `reduced` before."""

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
        """Whether nothing may move that the writer did not move."""
        return self._reduced

    def choose(self, choice: MotionPreference) -> None:
        """Take the writer's choice; Windows tells Qt what the system wants, other systems tell nothing."""
        wanted = choice is MotionPreference.REDUCED or (
            choice is MotionPreference.SYSTEM and self._system_reduces
        )
        if wanted != self._reduced:
            self._reduced = wanted
            self._app.setCursorFlashTime(0 if wanted else self._flash_ms)
            for effect, usual in self._effects.items():
                self._app.setEffectEnabled(effect, usual and not wanted)
            self.changed.emit()
