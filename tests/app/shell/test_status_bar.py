from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from quire.domain.manuscript.writing_statistics import WritingTally
from quire.shell.project_status import ProjectStatus, SaveState
from quire.shell.status_bar import StatusLine


@pytest.fixture
def status(qapp: QApplication) -> ProjectStatus:
    return ProjectStatus()


def test_it_tells_what_is_stored_and_who_drafts(status: ProjectStatus, qtbot: Any) -> None:
    line = StatusLine(status)
    qtbot.addWidget(line)
    line.resize(1024, 32)
    assert not line.isVisible()  # nothing of it without a project
    status.open("The Ferry")
    assert line.isVisible()
    status.count_words(12_412)
    status.show_model("Built-in model", "")
    assert line.saved_label.text() == "Saved"
    assert line.words_label.text() == "12,412 words in the manuscript"
    assert line.model_label.whole_text == "Built-in model"
    status.show_model("Built-in model", "bfloat16")
    assert not line.dtype_label.isVisible()  # only in the research view
    line.set_research(on=True)
    assert line.dtype_label.isVisible()
    assert line.dtype_label.text() == "bfloat16"
    status.show_save_state(SaveState.SAVING)
    assert line.saved_label.text() == "Saving…"
    status.show_save_state(SaveState.NOT_SAVED)
    assert line.saved_label.text() == "Not saved"


def test_one_word_is_one_word(status: ProjectStatus, qtbot: Any) -> None:
    line = StatusLine(status)
    qtbot.addWidget(line)
    status.count_words(1)
    assert line.words_label.text() == "1 word in the manuscript"


def test_a_long_model_name_gives_way(status: ProjectStatus, qtbot: Any) -> None:
    line = StatusLine(status)
    qtbot.addWidget(line)
    line.resize(500, 28)
    line.set_research(on=True)
    line.show()
    status.open("The Ferry")
    status.show_model("a-model-with-a-name-" * 20, "float32")
    assert line.model_label.text().endswith("…")
    assert line.model_label.toolTip() == line.model_label.whole_text
    assert line.dtype_label.geometry().right() <= line.width()


def test_it_tells_what_was_written_today(status: ProjectStatus, qtbot: Any) -> None:
    line = StatusLine(status)
    qtbot.addWidget(line)
    line.resize(1024, 28)
    line.show()
    status.open("The Ferry")
    assert not line.today_label.isVisible()
    status.show_today(WritingTally(60.0, 1_204, 12_412))
    assert line.today_label.isVisible()
    assert line.today_label.text() == "Today: 1,204 written, 12,412 drafted"
    status.show_today(WritingTally(60.0, -17, 0))
    assert line.today_label.text() == "Today: \u221217 written"
    status.open("Another")
    assert not line.today_label.isVisible()
