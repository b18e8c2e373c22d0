from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from quire.theme.motion import MotionPreference, MotionSwitch


@pytest.fixture
def app(qapp: QApplication) -> Iterator[QApplication]:
    flash_ms = qapp.cursorFlashTime()
    yield qapp
    qapp.setCursorFlashTime(flash_ms)


def test_less_motion_stills_the_caret_and_comes_back(app: QApplication, qtbot: Any) -> None:
    usual = app.cursorFlashTime()
    keeper = MotionSwitch(app)
    assert not keeper.reduced  # the offscreen platform asks for nothing
    with qtbot.waitSignal(keeper.changed):
        keeper.choose(MotionPreference.REDUCED)
    assert keeper.reduced
    assert app.cursorFlashTime() == 0
    with qtbot.waitSignal(keeper.changed):
        keeper.choose(MotionPreference.FULL)
    assert app.cursorFlashTime() == usual > 0


def test_less_motion_takes_the_effects_of_menus(app: QApplication) -> None:
    for effect in (Qt.UIEffect.UI_General, Qt.UIEffect.UI_FadeMenu):
        app.setEffectEnabled(effect, True)
    keeper = MotionSwitch(app, MotionPreference.REDUCED)
    assert not app.isEffectEnabled(Qt.UIEffect.UI_FadeMenu)
    keeper.choose(MotionPreference.SYSTEM)
    assert app.isEffectEnabled(Qt.UIEffect.UI_FadeMenu)
    for effect in (Qt.UIEffect.UI_General, Qt.UIEffect.UI_FadeMenu):
        app.setEffectEnabled(effect, False)


def test_the_same_choice_again_tells_nobody(app: QApplication, qtbot: Any) -> None:
    keeper = MotionSwitch(app, MotionPreference.REDUCED)
    with qtbot.assertNotEmitted(keeper.changed):
        keeper.choose(MotionPreference.REDUCED)
