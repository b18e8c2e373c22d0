"""Prompt Preview, the meter and the estimate show what Continue sends, wherever the writer is."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtGui import QTextCursor
from tokenizers import Tokenizer

from quire.application import Application
from quire.domain.drafting.steering import LoreEntry
from quire.services.model_library.server_records import ServerRecord, keep_server
from quire.settings.settings import Settings, SettingsFile
from quire.system.app_folders import models_home
from quire_engine.answers.replies import view_prompt
from quire_engine.api.config import ModelConfig
from quire_engine.api.messages import ModelLoaded, StartGeneration
from quire_engine.api.queries import EngineQuery, ViewPrompt
from quire_engine.engine import Engine
from quire_engine.prompt.chat_template import ChatTemplate
from quire_engine.remote.server import look
from quire_engine.runtime.engine_thread import ReplyEvent
from quire_engine.runtime.run_start import prompt_of
from quire_resources import BUILT_IN_MODEL
from tests.benchmarks.app.latency_probes import turns_until
from tests.engine.remote.hostile_server import DONE, HostileServer, chunk, hostile_server, stream
from tests.fakes import ScriptedBackend
from tests.integration.desktop import Desktop, ended, press
from tests.integration.test_window_target import go_to, made

BOOK = "She\n\nA title page.\n\nCHAPTER I\n\nMara came home.\n\nCHAPTER II\n\nIt rained all night.\n\n"
PLACES = ("CHAPTER I", "CHAPTER II", "Blank")
SENDS = 4
"""Drafts that are compared in one window."""


CHAT = ChatTemplate("{% for m in messages %}<|{{ m.role }}|>{{ m.content }}\n{% endfor %}", marks=())


class PromptBackend(ScriptedBackend):
    """Builds and shows prompts as the engine does, with the tokenizer of the built-in model."""

    def __init__(self, chat: ChatTemplate | None = None) -> None:
        super().__init__(context_length=1024)
        tokenizer = Tokenizer.from_file(str(BUILT_IN_MODEL / "tokenizer.json"))
        self.tokenizer, self._chat = tokenizer, chat
        target = SimpleNamespace(context_length=self.context_length)
        self._model: Any = SimpleNamespace(tokenizer=tokenizer, target=target, chat=chat)

    def load(self, config: ModelConfig) -> ModelLoaded:
        return replace(super().load(config), has_chat_template=self._chat is not None)

    def answer(self, query: EngineQuery) -> Iterator[ReplyEvent]:
        assert isinstance(query, ViewPrompt)
        return view_prompt(self._model, query)

    def _prompt(self, command: StartGeneration) -> tuple[tuple[int, ...], int]:
        prompt = prompt_of(self._model, command)
        return prompt.token_ids, prompt.num_left_out


async def previewed(quire: Application) -> tuple[str, bool]:
    """Return the text that Prompt Preview shows, and whether the loaded model cut it."""
    steering = quire.app.steering
    quire.window.commands.prompt_preview.trigger()
    await turns_until(lambda: steering._view_dialog is not None and steering._view_dialog.said.text() != "")
    dialog = steering._view_dialog
    assert dialog is not None
    shown = "".join(part.text for part in dialog.text.parts), "estimated" not in dialog.said.text()
    dialog.close_button.click()
    return shown


async def change_something(quire: Application, qtbot: Any, dice: random.Random) -> None:
    """Go somewhere, type at a random place, and steer."""
    editor, panel = quire.window.editor, quire.app.steering.panel
    await go_to(quire, dice.choice(PLACES))
    if dice.random() < 0.5 and quire.app.controls.bar.place_button.isVisible():
        quire.app.controls.bar.here_action.trigger()
    cursor = editor.textCursor()
    cursor.setPosition(dice.randrange(len(editor.text()) + 1))
    cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor, dice.randrange(3))
    editor.setTextCursor(cursor)
    qtbot.keyClicks(editor, dice.choice((" Rain", " Fog, and more of it.", "x")))
    panel.memory_edit.setPlainText(dice.choice(("", "October 1871.", "It is always night.")))
    panel.direction_edit.setPlainText(dice.choice(("", "Keep the storm outside")))
    entry = LoreEntry(1, "Mara", "A ferrywoman.", pinned=dice.random() < 0.5)
    quire.app.steering.cards.keep_entry(entry)
    if panel.chat_box.isVisibleTo(panel):
        panel.chat_box.click()


def compared(
    desktop: Desktop, qtbot: Any, seed: int, backend: Any, sent: Callable[[Application, int], Any]
) -> list[tuple[str, str]]:
    """Return what was previewed and what was sent, for drafts after random changes in one window."""
    found: list[tuple[str, str]] = []

    async def scenario(quire: Application) -> None:
        dice, session = random.Random(seed), quire.app.current.session
        assert session is not None
        quire.app.controls.bar.goal_box.set_goal(1)
        is_loaded = False
        while len(found) < SENDS:
            await change_something(quire, qtbot, dice)
            shown, is_exact = await previewed(quire)
            assert is_exact == is_loaded
            press(qtbot, quire, "continue")
            await turns_until(lambda: quire.window.status.is_busy)
            await ended(quire)
            if is_loaded:
                found.append((shown, await sent(quire, session.runs[-1].run_id)))
            is_loaded = True

    assert desktop.start(backend, scenario, made(desktop, BOOK), named=False) == 0
    return found


def compared_with_model(
    desktop: Desktop, qtbot: Any, seed: int, chat: ChatTemplate | None = None
) -> list[tuple[str, str]]:
    backend = PromptBackend(chat)

    async def sent(quire: Application, run_id: int) -> str:
        assert quire.app.current.session is not None
        ids = await quire.app.current.session.prompt_ids(run_id)
        return str(backend.tokenizer.decode(list(ids), skip_special_tokens=False))

    SettingsFile(desktop.ini).save(Settings(starter_done=True))
    return compared(desktop, qtbot, seed, backend, sent)


@pytest.mark.sliced
@pytest.mark.parametrize("seed", range(1, 5))
def test_the_preview_is_the_prompt_that_the_next_run_reads(desktop: Desktop, qtbot: Any, seed: int) -> None:
    for shown, sent in compared_with_model(desktop, qtbot, seed):
        assert shown == sent


def test_the_preview_is_the_prompt_in_the_form_of_a_chat(desktop: Desktop, qtbot: Any) -> None:
    found = compared_with_model(desktop, qtbot, 3, CHAT)
    for shown, sent in found:
        assert shown == sent
    assert any("<|user|>" in sent for _, sent in found)


def test_the_preview_is_the_prompt_that_a_server_gets(
    desktop: Desktop, qtbot: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "data"))

    with hostile_server() as server:
        server.drafts = [stream(chunk(" A word.", "length"), DONE)]

        async def sent(_quire: Application, _run_id: int) -> str:
            return _streamed(server)[-1]

        can = asyncio.run(look(server.address.url))
        folder = keep_server(models_home(), ServerRecord(server.address, can))
        SettingsFile(desktop.ini).save(Settings(model_folder=str(folder), starter_done=True))
        for shown, prompt in compared(desktop, qtbot, 4, RealEngine(), sent):
            assert shown == prompt


class RealEngine(Engine):
    """The engine; gate: what a scripted one is held by."""

    gated = False

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Semaphore(0)


def _streamed(server: HostileServer) -> list[str]:
    requests = server.requests("/v1/completions")
    return [str(request.body["prompt"]) for request in requests if request.body.get("stream")]


def test_place_meter_and_estimate_are_those_of_the_text_that_continue_writes_in(
    desktop: Desktop, qtbot: Any
) -> None:
    async def scenario(quire: Application) -> None:
        panel, preflight = quire.app.steering.panel, quire.app.preflight.panel
        await go_to(quire, "CHAPTER I")
        everything, _ = await previewed(quire)
        assert everything.endswith("It rained all night.\n\n")
        await turns_until(lambda: panel.cost.text() == "The model will read 15 words first.")
        quire.app.controls.bar.here_action.trigger()
        await turns_until(lambda: panel.cost.text() == "The model will read 9 words first.")
        qtbot.keyClicks(quire.window.editor, "Now ")
        await turns_until(lambda: panel.cost.text() == "The model will read 10 words first.")
        await go_to(quire, "Anne")
        await turns_until(lambda: panel.cost.text().startswith("Notes are yours alone."))
        assert panel.space_bar.total.text() == ""
        await go_to(quire, "CHAPTER II")
        quire.window.commands.before_start.trigger()
        await turns_until(preflight.isVisible)
        preflight.cancel()

    desktop.start(ScriptedBackend(), scenario, made(desktop, BOOK))
