"""The desktop on which windows are started."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from quire.projects import project_opener as opening_module
from quire.projects import shutdown
from tests.integration.desktop import OPENING, Desktop


@pytest.fixture
def desktop(
    qapp: QApplication, run_async: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desktop]:
    opening = tmp_path / "opening.txt"
    opening.write_text(OPENING, encoding="utf-8")
    monkeypatch.setattr(opening_module, "SAMPLE_OPENING", opening)
    # Quire ends its process when leaving takes too long; here it would end the tests on a busy machine
    monkeypatch.setattr(shutdown, "LEAVE_WITHIN_S", 600.0)
    palette = qapp.palette()
    yield Desktop(qapp, run_async, tmp_path)
    qapp.setStyleSheet("")
    qapp.setPalette(palette)
