"""The desktop on which windows are started."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from quire.projects import project_opener as opening_module
from quire.projects import shutdown
from quire.services.spelling import dictionaries
from tests.fakes import WORDS
from tests.integration.desktop import OPENING, Desktop


@pytest.fixture(scope="session")
def small_dictionaries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped dictionaries with the words of the scripted model and a few more.

    Every window starts a process that reads one, and the whole of it would take longer than most tests.
    """
    folder = tmp_path_factory.mktemp("dictionaries")
    known = {word.encode() for word in (*WORDS, *re.findall(r"\w+", OPENING))}
    for rules in dictionaries.SHIPPED.glob("*.aff"):
        shutil.copy(rules, folder)
        lines = rules.with_suffix(".dic").read_bytes().splitlines()[1:]
        kept = {*lines[::100], *known}
        (folder / rules.name).with_suffix(".dic").write_bytes(b"\n".join([b"%d" % len(kept), *sorted(kept)]))
    return folder


@pytest.fixture
def desktop(
    qapp: QApplication,
    run_async: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    small_dictionaries: Path,
) -> Iterator[Desktop]:
    opening = tmp_path / "opening.txt"
    opening.write_text(OPENING, encoding="utf-8")
    monkeypatch.setattr(opening_module, "SAMPLE_OPENING", opening)
    monkeypatch.setattr(dictionaries, "SHIPPED", small_dictionaries)
    # Quire ends its process when leaving takes too long; here it would end the tests on a busy machine
    monkeypatch.setattr(shutdown, "LEAVE_WITHIN_S", 600.0)
    palette = qapp.palette()
    yield Desktop(qapp, run_async, tmp_path)
    qapp.setStyleSheet("")
    qapp.setPalette(palette)
