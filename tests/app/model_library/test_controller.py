"""The models in a real window: the list, a download with pause and token, and a preparation."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

import quire.model_library.controller
import quire.services.model_library.drafter_training
from quire.model_library.drafter_training_dialog import PrepareDialog
from quire.model_library.models_dialog import ModelsDialog
from quire.services.model_library.drafter_training import TEXT_NAME
from quire.services.model_library.model_library import KnownModel, ModelLibrary, ModelOrigin, reckoned
from quire.settings.settings import Settings
from quire_engine.catalog.download import Download
from quire_engine.catalog.fingerprints import fingerprint
from quire_engine.catalog.load_verdicts import LoadVerdict, LoadVerdicts
from quire_engine.catalog.memory_fit import FreeMemory
from quire_engine.catalog.trained_drafters import STARTED_AGAIN
from quire_resources import BUILT_IN_MODEL
from tests.app.model_library.room import Room, own_model, text_of
from tests.engine.catalog.hub_server import NAME, Behaviour

LEFT = Qt.MouseButton.LeftButton


def test_a_folder_is_added_used_and_taken_off(run: Callable[..., None], tmp_path: Path) -> None:
    mine = own_model(tmp_path / "mine")

    async def scenario(room: Room) -> None:
        dialog = await room.open()
        assert text_of(dialog, 0) == ["\u25cf Built-in model", "Built in", "10 MB", "12,000 words", "Fits"]
        assert "Remembers about 12,000 words here (at most 98,000)" in dialog.details.text()
        assert "Accelerated (draft model trained)" in dialog.details.text()
        assert not dialog.remove_button.isEnabled()
        dialog.add_asked.emit(mine)
        await room.shown.settle()
        chosen = dialog.chosen
        assert chosen is not None
        assert chosen.path == mine
        QTest.mouseClick(dialog.use_button, LEFT)
        assert room.used == [str(mine)]
        room.set_to(Settings(model_folder=str(mine)))
        assert text_of(dialog, 1)[0] == "\u25cf mine"
        assert not dialog.remove_button.isEnabled()  # it is in use
        room.set_to(Settings())
        QTest.mouseClick(dialog.remove_button, LEFT)
        await room.shown.settle()
        assert dialog.table.rowCount() == 1
        assert (mine / "config.json").is_file()

    run(scenario)


def test_smaller_weights_are_one_models_alone_and_decide_whether_it_fits(
    run: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = own_model(tmp_path / "mine")
    facts = ModelLibrary(tmp_path / "home").look_at(mine).facts
    assert facts is not None
    room_for_small = FreeMemory(reckoned(facts, FreeMemory(0), "int8").needed)
    monkeypatch.setattr(quire.model_library.controller, "ask_for_memory", lambda: room_for_small)

    async def scenario(room: Room) -> None:
        room.part._library.add(mine)
        dialog = await room.open()
        dialog.choose(mine)
        assert dialog.small_box.isChecked()  # what nobody chose is Fast
        assert text_of(dialog, 1)[-1] == "Fits"
        QTest.mouseClick(dialog.small_box, LEFT)
        assert room.settings.model_weights == {str(mine): "full"}
        assert text_of(dialog, 1)[-1] != "Fits"
        assert "With 8-bit numbers it fits" in dialog.details.text()
        assert text_of(dialog, 0)[-1] == "Fits"
        dialog.choose(BUILT_IN_MODEL)
        assert dialog.small_box.isChecked()
        dialog.choose(mine)
        assert not dialog.small_box.isChecked()
        dialog.close()
        dialog = await room.open()  # another dialog shows what is kept
        dialog.choose(mine)
        assert text_of(dialog, 1)[-1] != "Fits"
        QTest.keyClick(dialog.small_box, Qt.Key.Key_Space)
        assert room.settings == Settings(model_weights={str(mine): "int8"})
        assert text_of(dialog, 1)[-1] == "Fits"

    run(scenario)


def test_a_model_whose_weights_stay_as_they_are_says_so(run: Callable[..., None]) -> None:
    async def scenario(room: Room) -> None:
        dialog = await room.open()
        assert "half the memory" in dialog.small_said.text()
        (known,) = dialog.table.models
        assert known.facts is not None
        mixture = replace(known, facts=replace(known.facts, roundable=(0, 0)), is_small=False)
        asked = replace(mixture, weights="int8", is_small=True)
        shown: list[KnownModel] = [mixture, asked, replace(known, facts=None, is_small=False)]
        seen = []
        for each in shown:
            dialog.show_models([each], BUILT_IN_MODEL, has_book=True)
            seen.append((dialog.small_box.isEnabled(), "not available" in dialog.small_said.text()))
        assert seen == [(False, True), (True, True), (False, False)]  # what was asked for can be taken back

    run(scenario)


def test_what_the_command_line_named_is_in_use_until_another_is_chosen(
    run: Callable[..., None], tmp_path: Path
) -> None:
    mine = own_model(tmp_path / "mine")

    async def scenario(room: Room) -> None:
        room.part._library.add(mine)
        room.part.show_in_use(mine)
        dialog = await room.open()
        assert text_of(dialog, 1)[0] == "\u25cf mine"
        room.set_to(Settings(text_px=25))  # another choice of the writer's
        assert text_of(dialog, 1)[0] == "\u25cf mine"
        dialog.choose(BUILT_IN_MODEL)
        QTest.mouseClick(dialog.use_button, LEFT)
        assert text_of(dialog, 0)[0] == "\u25cf Built-in model"
        assert not dialog.use_button.isEnabled()

    run(scenario)


def test_a_folder_without_a_model_is_told(run: Callable[..., None], tmp_path: Path) -> None:
    async def scenario(room: Room) -> None:
        dialog = await room.open()
        dialog.add_asked.emit(tmp_path)
        await room.shown.settle()
        assert "config.json" in dialog.said.text()
        assert dialog.table.rowCount() == 1

    run(scenario)


async def look_up(room: Room, dialog: ModelsDialog) -> None:
    dialog.downloads.name_edit.setText(NAME)
    QTest.mouseClick(dialog.downloads.look_button, LEFT)
    await room.shown.settle()


def test_a_model_is_looked_up_downloaded_and_deleted(run: Callable[..., None], tmp_path: Path) -> None:
    async def scenario(room: Room) -> None:
        dialog = await room.open()
        await look_up(room, dialog)
        assert "Licence: mit" in dialog.downloads.said.text()
        assert dialog.table.rowCount() == 1  # nothing is fetched before the writer has seen it
        QTest.mouseClick(dialog.downloads.download_button, LEFT)
        await room.shown.settle()
        chosen = dialog.chosen
        assert chosen is not None
        assert chosen.origin is ModelOrigin.DOWNLOADED
        QTest.mouseClick(dialog.remove_button, LEFT)
        box = dialog.findChild(QMessageBox)
        assert isinstance(box, QMessageBox)
        assert chosen.path.exists()
        next(button for button in box.buttons() if button.text() == "Delete").click()
        await room.shown.settle()
        assert not chosen.path.exists()
        assert dialog.table.rowCount() == 1

    run(scenario)


def test_a_download_is_paused_and_gone_on_with(
    run: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch = Download._fetch

    def paused(download: Download, *arguments: Any) -> None:
        monkeypatch.setattr(Download, "_fetch", fetch)
        download.pause()
        fetch(download, *arguments)

    async def scenario(room: Room) -> None:
        dialog = await room.open()
        await look_up(room, dialog)
        monkeypatch.setattr(Download, "_fetch", paused)
        QTest.mouseClick(dialog.downloads.download_button, LEFT)
        await room.shown.settle()
        assert "Download paused" in dialog.downloads.said.text()
        first = dialog.table.models[1]
        assert first.origin is ModelOrigin.UNFINISHED
        dialog.choose(first.path)
        assert dialog.use_button.text() == "Resume"
        QTest.mouseClick(dialog.use_button, LEFT)
        await room.shown.settle()
        assert dialog.table.models[1].origin is ModelOrigin.DOWNLOADED

    run(scenario)


def test_a_gate_asks_for_a_token(run: Callable[..., None], behaviour: Behaviour) -> None:
    behaviour.gate = "hf_right"

    async def scenario(room: Room) -> None:
        dialog = await room.open()
        dialog.more_button.click()
        await look_up(room, dialog)
        assert dialog.downloads.token_row.isVisible()
        assert "settings/tokens" in dialog.downloads.said.text()
        dialog.downloads.token_edit.setText("hf_right")
        QTest.keyClick(dialog.downloads.token_edit, Qt.Key.Key_Return)
        await room.shown.settle()
        QTest.mouseClick(dialog.downloads.download_button, LEFT)
        await room.shown.settle()
        assert dialog.table.models[1].is_usable
        assert dialog.downloads.token == ""

    run(scenario)


def test_an_unknown_name_is_told(run: Callable[..., None], behaviour: Behaviour) -> None:
    behaviour.is_known = False

    async def scenario(room: Room) -> None:
        dialog = await room.open()
        await look_up(room, dialog)
        assert "or your token gives no access" in dialog.downloads.said.text()
        assert dialog.downloads.look_button.isEnabled()

    run(scenario)


@pytest.mark.parametrize(
    ("verdict", "said", "fits"),
    [
        (("bfloat16",), "Checked: works in bfloat16\n", "Fits"),
        (("int8",), "Checked: works in Fast (int8)\n", "Fits"),
        (("float32", "It is odd."), "Can't be used: It is odd.", "Not usable"),
    ],
)
def test_what_loading_a_model_showed_is_in_the_list(
    qapp: QApplication, tmp_path: Path, verdict: tuple[Any, ...], said: str, fits: str
) -> None:
    mine = own_model(tmp_path / "mine")
    files = [mine / name for name in ("config.json", "tokenizer.json", "model.safetensors")]
    LoadVerdicts(tmp_path / "cache").keep("k", LoadVerdict(fingerprint(files), *verdict))
    library = ModelLibrary(tmp_path / "models", tmp_path / "cache")
    library.add(mine)
    known = library.with_prepared(library.look_at(mine, FreeMemory(10**10)))
    dialog = ModelsDialog()
    dialog.show_models([library.look_at(mine)], BUILT_IN_MODEL, has_book=True)
    assert dialog.checking.isVisibleTo(dialog)
    dialog.show_models([known], BUILT_IN_MODEL, has_book=True)
    assert not dialog.checking.isVisibleTo(dialog)
    dialog.choose(mine)
    assert said in dialog.details.text()
    assert dialog.table.fits_text(known) == fits
    assert dialog.prepare_button.isEnabled() == (fits == "Fits")
    assert ("Speed Up" in dialog.details.text()) == (fits == "Fits")
    dialog.resize(dialog.minimumSize())
    dialog.show()
    assert not dialog.details_area.geometry().intersects(dialog.view.geometry())
    dialog.close()


@pytest.mark.parametrize(
    ("code", "said"),
    [(0, "is now accelerated: 12.0 tokens/s (before: 9.0)"), (130, "Stopped"), (1, "odd trouble")],
)
def test_a_model_is_prepared_with_the_open_book(
    run: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, said: str
) -> None:
    mine = own_model(tmp_path / "mine")
    program = (
        "import sys; from pathlib import Path; words = sys.argv;"
        "text = Path(words[words.index('--text') + 1]).read_text(encoding='utf-8');"
        f"Path({str(tmp_path / 'learned')!r}).write_text(text, encoding='utf-8');"
        f"Path({str(tmp_path / 'words')!r}).write_text(' '.join(words), encoding='utf-8');"
        f"print({str(STARTED_AGAIN)!r}); print('heads: 1 of 2'); print('heads: 2 of 2');"
        "print('Drafting: 1.0 tokens per pass and 9 tokens/s before, 1.5 and 12 now.');"
        f"print('odd trouble'); sys.exit({code})"
    )
    monkeypatch.setattr(
        quire.services.model_library.drafter_training, "_COMMAND", (sys.executable, "-u", "-c", program)
    )

    async def scenario(room: Room) -> None:
        dialog = await room.open()
        dialog.add_asked.emit(mine)
        await room.shown.settle()
        asking = dialog.ask_to_prepare()
        sentences: list[str] = []
        usual = dialog.say

        def say(sentence: str) -> None:
            sentences.append(str(sentence))
            usual(sentence)

        monkeypatch.setattr(dialog, "say", say)
        assert isinstance(asking, PrepareDialog)
        assert asking.book_box.isChecked()
        asking.time_box.setCurrentIndex(asking.time_box.findData(60))
        QTest.mouseClick(asking.start_button, LEFT)
        await room.shown.settle()
        assert said in dialog.said.text()
        assert sentences.count(str(STARTED_AGAIN)) == 1
        assert dialog.prepare_button.isEnabled()
        assert (tmp_path / "learned").read_text(encoding="utf-8")
        assert "--minutes 60" in (tmp_path / "words").read_text(encoding="utf-8")
        assert (mine / TEXT_NAME).exists() == (code != 0)  # kept for as long as it can be gone on with

    run(scenario)


def test_the_menu_offers_to_prepare_the_model_in_use(run: Callable[..., None], tmp_path: Path) -> None:
    mine = own_model(tmp_path / "mine")

    async def scenario(room: Room) -> None:
        room.part._library.add(mine)
        room.set_to(Settings(model_folder=str(mine)))
        room.part.actions.prepare.trigger()
        await room.shown.settle()
        dialog = room.part.show_dialog()
        asking = dialog.findChild(PrepareDialog)
        assert isinstance(asking, PrepareDialog)
        asking.take_files(("/x/a.txt", "/x/b.txt"))
        assert asking.files_label.whole_text == "a.txt, b.txt"
        asking.book_box.setChecked(False)
        asking.take_files(())
        assert not asking.start_button.isEnabled()
        room.part.close()

    run(scenario)


def test_the_menu_says_why_a_model_needs_no_training(run: Callable[..., None]) -> None:
    async def scenario(room: Room) -> None:
        room.part.actions.prepare.trigger()
        await room.shown.settle()
        dialog = room.part.show_dialog()
        assert dialog.findChild(PrepareDialog) is None
        assert "comes with its draft model" in dialog.said.text()

    run(scenario)
