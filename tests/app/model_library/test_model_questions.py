"""What is asked before a model is imported: its room on the disk, and if the training on novels is added."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from quire.model_library.model_questions import ImportQuestion
from quire.services.model_library.model_imports import ImportWish
from quire.services.model_library.model_library import KnownModel, ModelLibrary, ModelOrigin
from tests.engine.gguf_samples import write_gguf

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def known(tmp_path: Path) -> KnownModel:
    """A small model in a file."""
    file = write_gguf("llama", tmp_path / "Tale.Q8_0.gguf", kind="Q8_0")
    return ModelLibrary(tmp_path / "home").look_at(file)


def question(qtbot: Any, known: KnownModel) -> ImportQuestion:
    """Show the question about a model."""
    assert known.gguf is not None
    asked = ImportQuestion(known, known.gguf)
    asked.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(asked)
    asked.open()
    return asked


@pytest.mark.parametrize("is_unticked", [False, True])
def test_the_training_on_novels_is_added_unless_the_writer_unticks_it(
    qtbot: Any, known: KnownModel, is_unticked: bool
) -> None:
    asked = question(qtbot, replace(known, has_adapter=True))
    assert asked.adapted_box is not None
    assert asked.adapted_box.isChecked()
    if is_unticked:
        asked.adapted_box.click()
    with qtbot.waitSignal(asked.agreed) as caught:
        QTest.mouseClick(asked.yes_button, LEFT)
    assert caught.args == [ImportWish(not is_unticked, known.licence)]


def test_other_models_have_no_such_choice_and_the_question_says_what_happens_to_the_file(
    qtbot: Any, known: KnownModel
) -> None:
    asked = question(qtbot, known)
    assert asked.adapted_box is None
    assert asked.informativeText().endswith("Quire reads it where it is, so keep it there.")
    of_download = question(qtbot, replace(known, origin=ModelOrigin.DOWNLOADED))
    assert of_download.informativeText().endswith("of disk space and a few seconds.")
