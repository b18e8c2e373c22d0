"""A real window drafts with llama.cpp's own server: it shows where the words go, pauses and resumes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quire.application import Application
from quire.domain.drafting.draft_status import DraftState
from quire.domain.drafting.run import RunState
from quire.errors import WriterProblem
from quire.services.model_library.model_by_name import find_server
from quire.services.model_library.server_keys import ServerKeys
from quire.services.model_library.server_records import ServerRecord, keep_server
from quire.services.transactions.closed_projects import read_project
from quire.settings.settings import Settings, SettingsFile
from quire.system.app_folders import models_home
from quire_engine.api.config import SamplingConfig
from quire_engine.engine import Engine
from quire_engine.remote.server import ServerAddress, ServerKey, look
from tests.benchmarks.app.latency_probes import until
from tests.engine.real_models import FILE
from tests.engine.remote.real_server import RealServer
from tests.integration.desktop import TEXT, Desktop, ended, press, state
from tests.keyrings import KeyringInMemory, keyring_in_memory

__all__ = ["keyring_in_memory"]  # fixture
KEY = ServerKey("sk-of-the-window")


class RealEngine(Engine):
    """The engine; gate: what a scripted one is held by."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Semaphore(0)


@pytest.fixture
def server() -> Iterator[RealServer]:
    if not FILE.is_file():
        pytest.skip("SmolLM2 is not there: python packaging/bootstrap.py test fetches it")
    server = RealServer(FILE, context=1024, key=KEY.reveal())
    server.start()
    yield server
    server.kill()


@pytest.fixture
def listed(
    desktop: Desktop,
    server: RealServer,
    keyring_in_memory: KeyringInMemory,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Path:
    """The server in the list of models, chosen, with its key in the keyring; the folder of its record."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "data"))
    can = asyncio.run(look(server.address.url, KEY))
    address = ServerAddress(server.address.url, can.model)
    folder = keep_server(models_home(), ServerRecord(address, can, has_key=True))
    assert ServerKeys().keep(address.url, KEY)
    SettingsFile(desktop.ini).save(Settings(model_folder=str(folder), starter_done=True))
    return folder


async def go_on_through_a_restart(quire: Application, server: RealServer, qtbot: Any) -> None:
    """Kill the server while words come, which is said; start it, and what was said is taken back."""
    bar, status, progress = quire.window.notice_bar, quire.window.status, quire.window.progress
    quire.app.controls.bar.goal_box.set_goal(60)
    written = progress.num_words
    press(qtbot, quire, "continue")
    await until(progress.changed, lambda: progress.num_words > written + 2)
    server.kill()
    await until(status.changed, lambda: status.status.is_waiting)
    shown = quire.window.editor.text()
    assert bar.notice is not None
    assert bar.notice.text.endswith("Quire is trying again.")
    await asyncio.to_thread(server.start)
    await state(quire, DraftState.FINISHED)
    await ended(quire)
    assert bar.notice is None
    assert quire.window.editor.text().startswith(shown)


def test_a_draft_on_a_server_is_shown_paused_and_resumed(
    desktop: Desktop, listed: Path, server: RealServer, qtbot: Any
) -> None:
    async def scenario(quire: Application) -> None:
        strip, progress = quire.app.controls.strip, quire.window.progress
        assert strip.server_label.isVisible()
        assert strip.server_label.text() == f"Words go to another program here (127.0.0.1:{server.port})"
        quire.app.controls.bar.goal_box.set_goal(20)
        press(qtbot, quire, "continue")
        await until(progress.changed, lambda: progress.num_words >= 2)
        assert strip.server_label.isVisible()
        press(qtbot, quire, "pause")
        await ended(quire)
        first = quire.window.editor.text()
        assert first.startswith(TEXT)
        questions = await quire.app.drafts.questions()
        scored = await questions.score(TEXT, first[len(TEXT) :])
        assert "".join(one.piece for one in scored).strip() == first[len(TEXT) :].strip()
        with pytest.raises(WriterProblem, match="A server can't answer this"):
            await questions.check_agreement(TEXT, SamplingConfig())
        action = quire.window.commands.self_check
        assert not action.isEnabled()
        assert "runs on a server" in action.toolTip()
        await go_on_through_a_restart(quire, server, qtbot)
        assert quire.window.editor.text().startswith(first)
        assert not quire.window.status_line.dtype_label.isVisible()

    assert desktop.start(RealEngine(), scenario, named=False) == 0  # type: ignore[arg-type]  # the real one
    (run,) = read_project(desktop.sample).runs
    assert run.state is RunState.FINISHED
    assert run.model is not None
    assert run.model.is_on_server
    assert "not reproducible" in run.model.software
    assert find_server(run.model) == listed
    data = desktop.sample.read_bytes() + desktop.ini.read_bytes()
    assert KEY.reveal().encode() not in data
