"""The list of models, opened over a book and with a hub that answers as it is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

import quire.model_library.controller
import quire.services.model_library.drafter_training
from quire.services.model_library.model_library import ModelLibrary
from quire_engine.catalog.memory_fit import FreeMemory
from quire_engine.catalog.stored_secret import StoredSecret
from quire_resources import BUILT_IN_MODEL
from tests.app.model_library.room import NEEDED, Room
from tests.app.project_window import ProjectWindow, Scenario, play
from tests.app.services.books import make_book
from tests.engine.catalog.conftest import serve
from tests.engine.catalog.hub_server import Behaviour, HubServer

__all__ = ["serve"]  # the fixture


@pytest.fixture
def behaviour() -> Behaviour:
    return Behaviour({name: (BUILT_IN_MODEL / name).read_bytes() for name in NEEDED}, {"license": "mit"})


@pytest.fixture
def run(
    qapp: QApplication,
    run_async: Callable[..., Any],
    tmp_path: Path,
    serve: Callable[[Behaviour], HubServer],
    behaviour: Behaviour,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[Callable[[Room], Any]], None]:
    monkeypatch.setattr(quire.model_library.controller, "ask_for_memory", lambda: FreeMemory(10**10))
    monkeypatch.setattr(StoredSecret, "read", lambda current: "")
    path = tmp_path / "novel.quire"
    make_book(path)
    endpoint = serve(behaviour).address
    rooms: list[Room] = []

    def make(shown: ProjectWindow) -> None:
        rooms.append(Room(shown, ModelLibrary(tmp_path / "home"), endpoint))

    def start(scenario: Callable[[Room], Any]) -> None:
        async def inside(shown: ProjectWindow) -> None:
            await scenario(rooms[-1])

        wanted: Scenario = inside
        play(qapp, run_async, path, wanted, make)

    return start
