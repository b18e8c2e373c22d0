"""The translations: nothing stale, nothing that a text needs lost on the way, and the .qm made of the .ts."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator

import translations
from translations import (
    TRANSLATIONS,
    Text,
    carried_over,
    extracted,
    main,
    messages,
    release,
    translated,
    write,
)
from user_messages import names_in, templates

FILES = sorted(TRANSLATIONS.glob("quire_*.ts"))
EVERY = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
HOLE = re.compile(r"\{[^{}]*\}")


@pytest.fixture(scope="module")
def sources() -> list[Text]:
    """Every text in the sources."""
    return sorted({*extracted(translations.SOURCES), *messages(translations.SOURCES, translations.ENGINE)})


def test_there_is_a_translation() -> None:
    assert TRANSLATIONS / "quire_de.ts" in FILES


@EVERY
def test_no_text_is_stale(file: Path, sources: list[Text]) -> None:
    stale = sorted(translated(file).keys() - set(sources))
    assert stale == [], "python packaging/translations.py takes them out"


def test_every_message_is_given_what_its_template_names() -> None:
    found = templates(translations.SOURCES, translations.ENGINE)
    assert len(found) > 400
    lacking = [one for one in found if not one.takes_more and names_in(one.text) - one.arguments]
    assert lacking == []


@EVERY
def test_nearly_everything_is_translated(file: Path) -> None:
    words = translated(file).values()
    assert sum(1 for translation in words if translation) >= 0.97 * len(words)


@EVERY
def test_what_a_text_needs_is_in_its_translation(file: Path) -> None:
    for text, words in translated(file).items():
        if not words:
            continue
        assert sorted(HOLE.findall(text.source)) == sorted(HOLE.findall(words)), text
        assert keys_in(text.source) == keys_in(words), text
        assert text.source.endswith("…") == words.endswith("…"), text
        assert "..." not in text.source + words, text
        assert edges(text.source) == edges(words), text
        assert text.source.count("\n") == words.count("\n"), text
        assert set(re.findall(r"\*\.\w+", text.source)) == set(re.findall(r"\*\.\w+", words)), text


@EVERY
def test_quire_loads_what_the_translation_says(file: Path, qapp: object) -> None:
    translator = QTranslator()
    assert translator.load(str(file.with_suffix(".qm")))
    for text, words in translated(file).items():
        if words:
            assert translator.translate(text.context, text.source) == words


@EVERY
def test_the_file_is_as_the_command_writes_it(file: Path, tmp_path: Path) -> None:
    again = tmp_path / file.name
    write(again, file.stem.removeprefix("quire_"), translated(file))
    assert again.read_bytes() == file.read_bytes()


def test_the_command_keeps_what_was_translated_and_drops_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "boat.py").write_text(
        "from PySide6.QtCore import QObject\n\n\n"
        "class Boat(QObject):\n    def name(self) -> str:\n        return self.tr('The ferry')\n\n\n"
        "def oar(boat: Boat) -> str:\n    tr = boat.tr\n    return tr('An oar')\n"
    )
    monkeypatch.setattr(translations, "SOURCES", tmp_path / "app")
    monkeypatch.setattr(translations, "ENGINE", tmp_path / "engine")
    monkeypatch.setattr(translations, "TRANSLATIONS", tmp_path)
    file = tmp_path / "quire_nl.ts"
    write(file, "nl", {Text("Ship", "The ferry"): "De veerboot", Text("Boat", "Gone"): "Weg"})
    assert main([]) == 1
    assert translated(file) == {Text("Boat", "An oar"): "", Text("Boat", "The ferry"): "De veerboot"}
    assert "'An oar'" in capsys.readouterr().out
    write(file, "nl", {**translated(file), Text("Boat", "An oar"): "Een riem"})
    assert main([]) == 0
    translator = QTranslator()
    assert translator.load(str(file.with_suffix(".qm")))
    assert translator.translate("Boat", "An oar") == "Een riem"


def test_a_text_that_moved_to_another_class_keeps_its_translation() -> None:
    known = {Text("Old", "Close"): "Schließen", Text("Other", "Open"): ""}
    found = carried_over([Text("New", "Close"), Text("Other", "Open")], known)
    assert found == {Text("New", "Close"): "Schließen", Text("Other", "Open"): ""}


def test_without_the_tools_it_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    shutil.copy(sys.executable, python)
    monkeypatch.setattr(sys, "executable", str(python))
    with pytest.raises(SystemExit, match="PySide6-Essentials"):
        release(tmp_path / "quire_nl.ts")


def keys_in(text: str) -> int:
    """Return how many keys a text names for a menu."""
    return len(re.findall("&[^&]", text.replace("&&", "")))


def edges(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
