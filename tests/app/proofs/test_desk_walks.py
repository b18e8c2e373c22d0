from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.proofs.app.desk_walks import walks


@pytest.fixture(autouse=True)
def _same_look(qapp: QApplication) -> Iterator[None]:
    palette = qapp.palette()
    yield
    qapp.setStyleSheet("")
    qapp.setPalette(palette)


def test_window_file_and_model_agree_after_every_step_of_a_writer(tmp_path: Path) -> None:
    found = list(walks(tmp_path, range(3)))
    assert [case.wrong for case in found if case.wrong] == []
    assert len(found) == 3
