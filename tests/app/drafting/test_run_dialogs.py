"""The dialogs and bars around a run: reading again, self-check, memory, before the start."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from quire.domain.drafting.draft_goal import DraftGoal
from quire.domain.drafting.preflight import MemoryNeed, Preflight
from quire.domain.drafting.reread_decision import PrefillEstimate
from quire.domain.drafting.time_left import TimeLeft
from quire.drafting.memory_bar import MemoryBar
from quire.drafting.memory_usage import MemoryModel, MemoryUse
from quire.drafting.preflight_panel import PreflightPanel
from quire.drafting.reread_dialog import ReadingDialog
from quire.drafting.self_check_dialog import SelfCheckDialog
from quire.shell.main_window import MainWindow
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch
from tests.app.bare_app import bare_app

GB = 10**9
FLIGHT = Preflight(
    DraftGoal(words=20_000),
    62_000,
    89_000,
    PrefillEstimate(62_000, 25.0),
    "The end of “Low Water”",
    131_072,
    MemoryNeed(9 * GB, 20 * GB, is_on_gpu=True),
    TimeLeft(1_500.0, 1_800.0, 2_400.0),
    "Before drafting",
)


# ---------------------------------------------------------------- reading again
@pytest.fixture
def asking(qtbot: Any, themes: ThemeSwitch) -> ReadingDialog:
    dialog = ReadingDialog("Chapter 3", PrefillEstimate(62_000, 25.0))
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_reading_again_says_from_where_and_how_long(asking: ReadingDialog, qtbot: Any) -> None:
    assert asking.again_button.text() == "Reread from Chapter 3 (about 46,000 words, about 25 s)"
    with qtbot.waitSignal(asking.answered) as answered:
        qtbot.keyClick(asking, Qt.Key.Key_Return)  # reading again is the default
    assert answered.args == [True, False]


def test_going_on_without_it_can_be_remembered(asking: ReadingDialog, qtbot: Any) -> None:
    asking.remember_box.setChecked(True)
    with qtbot.waitSignal(asking.answered) as answered:
        asking.without_button.click()
    assert answered.args == [False, True]


def test_no_answer_begins_nothing(asking: ReadingDialog, qtbot: Any) -> None:
    with qtbot.assertNotEmitted(asking.answered):
        qtbot.keyClick(asking, Qt.Key.Key_Escape)
    assert not asking.isVisible()


def test_what_is_not_known_is_not_said(qtbot: Any, themes: ThemeSwitch) -> None:
    dialog = ReadingDialog("", PrefillEstimate(9_000, None))
    qtbot.addWidget(dialog)
    assert dialog.again_button.text() == "Reread (about 6,800 words)"


# ---------------------------------------------------------------- self-check
@pytest.fixture
def measuring(qtbot: Any, themes: ThemeSwitch) -> SelfCheckDialog:
    dialog = SelfCheckDialog(themes)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_a_check_begins_with_its_button_and_ends_with_a_table(measuring: SelfCheckDialog, qtbot: Any) -> None:
    assert not measuring.bar.isVisible()
    with qtbot.waitSignal(measuring.begin_asked):
        measuring.begin_button.click()
    measuring.show_progress(0.25, "Measuring…")
    assert measuring.is_running
    assert measuring.bar.value() == 250
    assert not measuring.begin_button.isVisible()
    measuring.show_result("Done.", [("", "Plain"), ("512", "25 tokens/s")])
    assert measuring.result_label.text() == "Done."
    assert measuring.rows == (("", "Plain"), ("512", "25 tokens/s"))
    measuring.show_progress(0.0, "Again ...")
    assert len(measuring.rows) == 0


def test_closing_it_stops_the_check(measuring: SelfCheckDialog, qtbot: Any) -> None:
    measuring.show_progress(0.5, "Measuring…")
    with qtbot.waitSignal(measuring.stop_asked):
        measuring.close()


def test_closing_it_at_rest_stops_nothing(measuring: SelfCheckDialog, qtbot: Any) -> None:
    with qtbot.assertNotEmitted(measuring.stop_asked):
        measuring.close_button.click()
    assert not measuring.isVisible()


# ---------------------------------------------------------------- memory
def test_memory_is_told_in_figures_and_in_a_sentence(qtbot: Any, themes: ThemeSwitch) -> None:
    memory = MemoryModel()
    bar = MemoryBar(memory, themes)
    qtbot.addWidget(bar)
    assert bar.isHidden()
    memory.show(MemoryUse(6 * GB, 2 * GB, 8 * GB, 7 * GB))
    assert bar.isHidden()
    bar.set_research(on=True)
    assert not bar.isHidden()
    assert bar.label.text() == "RAM 6.0 GB of 8.0 GB"
    assert "About 7.0 GB at the goal" in bar.toolTip()
    bar.set_research(on=False)
    memory.show(MemoryUse(6 * GB, 2 * GB, 8 * GB, 9 * GB, is_on_gpu=True))
    assert not bar.isHidden()  # it is short, which is the writer's business
    assert bar.label.text().startswith("GPU ")
    assert "smaller goal" in bar.accessibleName()


@pytest.mark.parametrize("use", [MemoryUse(), MemoryUse(5, 5, 0, 9), MemoryUse(9, 12, 8, 20)])
def test_odd_figures_are_drawn_all_the_same(qtbot: Any, themes: ThemeSwitch, use: MemoryUse) -> None:
    memory = MemoryModel()
    bar = MemoryBar(memory, themes)
    qtbot.addWidget(bar)
    memory.show(use)
    bar.show()
    assert not bar.grab().isNull()


# ---------------------------------------------------------------- before the start
@pytest.fixture
def panel(window: MainWindow, tmp_path: Path) -> PreflightPanel:
    controls = bare_app(window, tmp_path, "controls").controls
    return PreflightPanel(window.themes, controls.bar.continue_button)


def test_the_panel_says_what_a_draft_will_take(panel: PreflightPanel) -> None:
    panel.show_preflight(FLIGHT)
    said = {name: label.text() for name, label in panel.values.items()}
    assert said == {
        "goal": "20,000 words, to the end of a sentence",
        "place": "The end of “Low Water”",
        "reading": "About 46,000 words, about 25 s",
        "time": "About 25 to 40 min (from earlier drafts)",
        "memory": "About 9.0 GB on the GPU, 20.0 GB free",
        "space": "Fits: about 67,000 of 98,000 words at the goal",
        "snapshot": "“Before drafting”, in the Snapshots panel",
        "unused": "",
    }
    assert panel.values["unused"].isHidden()


@pytest.mark.parametrize(
    ("change", "name", "said"),
    [
        ({"memory": MemoryNeed(9 * GB, 8 * GB)}, "memory", "smaller goal or model"),
        ({"memory": MemoryNeed(9 * GB, 9 * GB + 1)}, "memory", "close other programs"),
        ({"memory": MemoryNeed(9 * GB, 0)}, "memory", "unknown"),
        ({"memory": None}, "memory", "Not known yet"),
        ({"context": 16_384}, "space", "forget the oldest"),
        ({"context": 0}, "space", "Not known yet"),
        ({"time": None}, "time", "Unknown until"),
        ({"time": TimeLeft(5.0, 8.0, 9.0)}, "time", "Under a minute"),
        ({"time": TimeLeft(300.0, 310.0, 315.0)}, "time", "About 5 min"),
        ({"time": TimeLeft(7_200.0, 9_000.0, 12_600.0)}, "time", "About 2.0 to 3.5 h"),
        ({"goal": DraftGoal(at_heading=True)}, "goal", "end of the chapter, 20,000 words at most"),
        ({"goal": DraftGoal(at_heading=True)}, "time", "at most"),
        ({"goal": DraftGoal(minutes=30)}, "time", "30 min at most"),
        ({"goal": DraftGoal(words=10, phrase="x" * 80)}, "goal", "…”"),
        ({"reading": PrefillEstimate(0, 0.0)}, "reading", "Nothing"),
        ({"snapshot": ""}, "snapshot", "Not needed"),
        ({"unused": ("min-p", "words to avoid")}, "unused", "min-p, words to avoid"),
    ],
)
def test_every_case_has_its_sentence(
    panel: PreflightPanel, change: dict[str, Any], name: str, said: str
) -> None:
    panel.show_preflight(replace(FLIGHT, **change))
    assert said in panel.values[name].text()
    assert not panel.values[name].isHidden()


def test_return_starts_and_escape_does_not(panel: PreflightPanel, qtbot: Any) -> None:
    panel.show_preflight(FLIGHT)
    panel.open()
    with qtbot.waitSignal(panel.start_asked):
        qtbot.keyClick(panel, Qt.Key.Key_Return)
    assert not panel.isVisible()
    panel.open()
    with qtbot.waitSignal(panel.cancelled), qtbot.assertNotEmitted(panel.start_asked):
        qtbot.keyClick(panel.start_button, Qt.Key.Key_Escape)
    assert not panel.isVisible()


def test_from_when_on_it_is_shown_is_the_writers_choice(panel: PreflightPanel, qtbot: Any) -> None:
    panel.set_shown_from(5_000)
    with qtbot.waitSignal(panel.shown_from_changed) as changed:
        panel.shown_box.setChecked(False)
    assert changed.args == [0]
    assert not panel.shown_words.isEnabled()
    panel.set_shown_from(0)
    with qtbot.waitSignal(panel.shown_from_changed) as changed:
        panel.shown_box.setChecked(True)
    assert changed.args == [5_000]


@pytest.mark.sliced
@pytest.mark.parametrize("theme", [ThemeChoice.LIGHT, ThemeChoice.DARK, ThemeChoice.HIGH_CONTRAST])
@pytest.mark.parametrize("size", [(1024, 640), (1600, 1000)])
def test_it_stands_in_the_window_at_every_size(
    panel: PreflightPanel,
    window: MainWindow,
    qtbot: Any,
    theme: ThemeChoice,
    size: tuple[int, int],
) -> None:
    panel.show_preflight(replace(FLIGHT, memory=MemoryNeed(9 * GB, 8 * GB), context=16_384, time=None))
    panel.open()
    window.themes.choose(theme)
    window.resize(*size)
    qtbot.waitUntil(lambda: (window.width(), window.height()) == size)
    assert window.rect().contains(panel.geometry())
