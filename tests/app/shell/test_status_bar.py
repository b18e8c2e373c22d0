from __future__ import annotations

from typing import Any

from quire.domain.manuscript.writing_statistics import WritingTally
from quire.shell.project_status import SaveState
from quire.shell.status_bar import StatusLine
from quire.shell.window_models import WindowModels


def test_it_tells_what_is_stored_and_who_drafts(models: WindowModels, qtbot: Any) -> None:
    line = StatusLine(models.status)
    qtbot.addWidget(line)
    line.resize(800, 28)
    line.show()
    assert not line.saved_label.isVisible()
    models.status.open("The Ferry")
    models.status.count_words(12_412)
    models.status.show_model("Built-in model", "")
    assert line.saved_label.text() == "Saved"
    assert line.words_label.text() == "12,412 words in the manuscript"
    assert line.model_label.whole_text == "Built-in model"
    assert not line.dtype_label.isVisible()
    models.status.show_model("Built-in model", "bfloat16")
    assert line.dtype_label.text() == "bfloat16"
    models.status.show_save_state(SaveState.SAVING)
    assert line.saved_label.text() == "Saving…"
    models.status.show_save_state(SaveState.NOT_SAVED)
    assert line.saved_label.text() == "Not saved"


def test_one_word_is_one_word(models: WindowModels, qtbot: Any) -> None:
    line = StatusLine(models.status)
    qtbot.addWidget(line)
    models.status.count_words(1)
    assert line.words_label.text() == "1 word in the manuscript"


def test_a_long_model_name_gives_way(models: WindowModels, qtbot: Any) -> None:
    line = StatusLine(models.status)
    qtbot.addWidget(line)
    line.resize(500, 28)
    line.show()
    models.status.open("The Ferry")
    models.status.show_model("a-model-with-a-name-" * 20, "float32")
    assert line.model_label.text().endswith("…")
    assert line.model_label.toolTip() == line.model_label.whole_text
    assert line.dtype_label.geometry().right() <= line.width()


def test_it_tells_what_was_written_today(models: WindowModels, qtbot: Any) -> None:
    line = StatusLine(models.status)
    qtbot.addWidget(line)
    line.resize(1024, 28)
    line.show()
    models.status.open("The Ferry")
    assert not line.today_label.isVisible()
    models.status.show_today(WritingTally(60.0, 1_204, 12_412))
    assert line.today_label.isVisible()
    assert line.today_label.text() == "Today: +1,204 written, +12,412 drafted"
    models.status.show_today(WritingTally(60.0, -17, 0))
    assert line.today_label.text() == "Today: \u221217 written, 0 drafted"
    models.status.open("Another")
    assert not line.today_label.isVisible()
