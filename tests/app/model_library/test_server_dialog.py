"""A model on another computer in a real window: tested on a real server, used, and removed with its key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import quire.model_library.controller
from quire.model_library.controller import ModelLibraryController
from quire.model_library.model_questions import ModelQuestion
from quire.model_library.models_dialog import ModelsDialog
from quire.model_library.server_dialog import ServerDialog
from quire.services.model_library.model_library import ModelLibrary
from quire.services.model_library.server_looks import find_here
from quire_engine.catalog.memory_fit import FreeMemory
from tests.app.model_library.room import with_models
from tests.app.project_window import ProjectWindow, play
from tests.app.services.books import make_book
from tests.engine.remote.hostile_server import Handler, HostileServer, Script, hostile_server, reply, status
from tests.keyrings import KeyringInMemory, keyring_in_memory, no_keyring

__all__ = ["keyring_in_memory", "no_keyring"]  # fixtures
LEFT = Qt.MouseButton.LeftButton
SECRET = "sk-0123456789abcdef"


COMPLETION = {
    "choices": [{"index": 0, "text": " is", "finish_reason": "length", "logprobs": {"tokens": [" is"]}}],
    "timings": {"predicted_n": 1},
}


@contextmanager
def llama_cpp(*models: str, key: str = "") -> Iterator[HostileServer]:
    """Run a server that answers as llama.cpp's does; key: it wants this one."""
    with hostile_server() as server:
        answers = {
            "/v1/models": reply({"data": [{"id": name, "owned_by": "llamacpp"} for name in models]}),
            "/props": reply({"default_generation_settings": {"n_ctx": 4096}, "build_info": "b1"}),
            "/tokenize": reply({"tokens": [1, 2, 3]}),
            "/v1/completions": reply(COMPLETION),
        }
        server.answers = {path: locked(script, key) for path, script in answers.items()} if key else answers
        yield server


def locked(script: Script, key: str) -> Script:
    """Answer those who have the key."""

    def answer(handler: Handler) -> None:
        is_right = handler.headers.get("Authorization") == f"Bearer {key}"
        (script if is_right else status(401, {"error": {"message": "Invalid API Key"}}))(handler)

    return answer


def url_of(server: HostileServer) -> str:
    return f"http://127.0.0.1:{server.port}"


class Room:
    """The part in its window, and what was chosen in it."""

    def __init__(self, shown: ProjectWindow, home: Path) -> None:
        self.shown = shown
        self.part = ModelLibraryController(with_models(shown), ModelLibrary(home))
        self.keys = shown.app.keys
        self.used: list[str] = []
        shown.window.model_chosen.connect(self.used.append)

    async def open(self) -> tuple[ModelsDialog, ServerDialog]:
        self.part.actions.models.trigger()
        await self.shown.settle()
        models = self.part.show_dialog()
        QTest.mouseClick(models.server_button, LEFT)
        await self.shown.settle()
        return models, self.part.servers.show_dialog()

    async def test(self, dialog: ServerDialog, address: str, key: str = "") -> str:
        dialog.address_edit.setText(address)
        dialog.key_edit.setText(key)
        QTest.mouseClick(dialog.test_button, LEFT)
        await self.shown.settle()
        return dialog.said.text()


@pytest.fixture
def run(
    qapp: QApplication, run_async: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Callable[[Room], Any]], None]:
    monkeypatch.setattr(quire.model_library.controller, "ask_for_memory", lambda: FreeMemory(10**10))
    path = tmp_path / "novel.quire"
    make_book(path)
    rooms: list[Room] = []

    def start(scenario: Callable[[Room], Any]) -> None:
        async def inside(_shown: ProjectWindow) -> None:
            await scenario(rooms[-1])

        play(qapp, run_async, path, inside, lambda shown: rooms.append(Room(shown, tmp_path / "home")))

    return start


def names_of(models: ModelsDialog) -> list[str]:
    table = models.table
    return [str(table.data(table.index(row, 0))) for row in range(table.rowCount())]


def holding(folder: Path, secret: str) -> list[Path]:
    """Return the files below a folder that a secret is in."""
    return [path for path in folder.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]


def test_a_server_is_tested_used_and_removed_with_its_key(
    run: Callable[..., None], tmp_path: Path, keyring_in_memory: KeyringInMemory
) -> None:
    async def scenario(room: Room) -> None:
        models, dialog = await room.open()
        assert "in this computer's keychain" in dialog.key_said.text()
        assert not dialog.use_button.isEnabled()
        said = await room.test(dialog, url_of(server), SECRET)
        assert said.startswith("llama.cpp b1 answers. It has one model.")
        assert "\u2713  Continues your text" in said
        assert "\u2713  Remembers about 3,1" in said
        assert "\u2717  Not reproducible there" in said
        assert keyring_in_memory.kept == {}  # a test keeps nothing
        QTest.mouseClick(dialog.use_button, LEFT)
        await room.shown.settle()
        await room.shown.settle()
        (folder,) = room.used
        assert models.chosen is not None
        assert str(models.chosen.path) == folder
        assert names_of(models)[1] == "\u25cf story"
        assert models.said.text().startswith(f"story on 127.0.0.1:{server.port} is selected")
        assert list(keyring_in_memory.kept.values()) == [SECRET]
        assert not holding(tmp_path, SECRET)
        assert not models.prepare_button.isEnabled()
        room.part.show_in_use(Path(folder))
        room.part.actions.prepare.trigger()
        await room.shown.settle()
        assert models.said.text() == "story runs on a server: only the server itself can speed it up."
        assert models.prepare_button.toolTip() == models.said.text()
        room.part.show_in_use(Path())
        QTest.mouseClick(models.remove_button, LEFT)
        await room.shown.settle()
        assert names_of(models) == ["Built-in model"]
        assert keyring_in_memory.kept == {}

    with llama_cpp("/models/story.gguf", key=SECRET) as server:
        run(scenario)
        assert {request.headers["Authorization"] for request in server.seen} == {f"Bearer {SECRET}"}


def test_what_is_wrong_is_said_and_nothing_can_be_used(
    run: Callable[..., None], keyring_in_memory: KeyringInMemory
) -> None:
    async def scenario(room: Room) -> None:
        _, dialog = await room.open()
        for address, said in (
            (url_of(server), "key"),  # it wants one
            (url_of(html), "127.0.0.1"),
            ("http://127.0.0.1:1", "127.0.0.1:1"),
            ("https://me:pass@example.org", "without a name, a password or a key"),
            ("file:///etc/passwd", "Enter an address"),
        ):
            assert said in await room.test(dialog, address)
            assert not dialog.use_button.isEnabled()
            assert dialog.test_button.isEnabled()
        assert "characters that no key has" in await room.test(dialog, url_of(server), "schlüssel")
        assert room.used == []
        dialog.reject()
        await room.shown.settle()

    with llama_cpp("story", key=SECRET) as server, hostile_server() as html:
        html.answers = {"/v1/models": reply("<html>", "text/html")}
        run(scenario)


def test_another_model_is_looked_at_when_it_is_chosen(
    run: Callable[..., None], keyring_in_memory: KeyringInMemory
) -> None:
    async def scenario(room: Room) -> None:
        _, dialog = await room.open()
        said = await room.test(dialog, url_of(server))
        assert "Choose a model above" in said
        assert not dialog.use_button.isEnabled()
        dialog.model_box.setCurrentIndex(1)
        dialog.model_box.activated.emit(1)
        await room.shown.settle()
        assert dialog.model == "maker/other"
        assert "Continues your text" in dialog.said.text()
        assert dialog.use_button.isEnabled()
        dialog.address_edit.setText(url_of(server) + "0")
        assert not dialog.use_button.isEnabled()  # that one was not tested

    with llama_cpp("story", "maker/other") as server:
        run(scenario)


def test_servers_of_this_computer_are_found_on_request_only(
    run: Callable[..., None], keyring_in_memory: KeyringInMemory
) -> None:
    async def scenario(room: Room) -> None:
        room.part.servers._find = lambda: find_here((server.port, html.port, 1))
        _, dialog = await room.open()
        assert server.seen == []
        QTest.mouseClick(dialog.find_button, LEFT)
        await room.shown.settle()
        assert dialog.found_box.count() == 1
        assert dialog.address_edit.text() == url_of(server)
        assert dialog.use_button.isEnabled()
        room.part.servers._find = lambda: find_here((1,))
        QTest.mouseClick(dialog.find_button, LEFT)
        await room.shown.settle()
        assert dialog.said.text().startswith("No server answers on the usual ports")

    with llama_cpp("story") as server, hostile_server() as html:
        html.answers = {"/v1/models": reply("<html>", "text/html")}
        run(scenario)


def test_plain_http_to_another_computer_is_asked_about_before_anything_is_sent(
    run: Callable[..., None], keyring_in_memory: KeyringInMemory
) -> None:
    async def scenario(room: Room) -> None:
        _, dialog = await room.open()
        asked: list[object] = []
        dialog.test_asked.connect(asked.append)
        dialog.test_asked.disconnect(room.part.servers.ask_for_test)
        dialog.address_edit.setText("http://192.0.2.7:8080")
        assert dialog.exposed_said.text().startswith("Not encrypted")
        dialog.key_edit.setText(SECRET)
        QTest.mouseClick(dialog.test_button, LEFT)
        assert asked == []
        (question,) = dialog.findChildren(ModelQuestion)
        assert question.defaultButton() is question.no_button
        question.yes_button.click()
        assert len(asked) == 1
        QTest.mouseClick(dialog.test_button, LEFT)  # once is enough
        assert len(asked) == 2
        dialog.address_edit.setText("http://localhost:8080")
        assert not dialog.exposed_said.isVisible()

    run(scenario)


def test_without_a_keychain_the_key_is_kept_for_now_and_that_is_said(
    run: Callable[..., None], no_keyring: None
) -> None:
    async def scenario(room: Room) -> None:
        models, dialog = await room.open()
        assert "only until you quit" in dialog.key_said.text()
        await room.test(dialog, url_of(server), SECRET)
        QTest.mouseClick(dialog.use_button, LEFT)
        await room.shown.settle()
        await room.shown.settle()
        assert "only until you quit" in models.said.text()
        assert room.keys.key(f"{url_of(server)}/v1").reveal() == SECRET

    with llama_cpp("story", key=SECRET) as server:
        run(scenario)
