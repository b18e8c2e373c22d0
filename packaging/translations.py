"""Brings the translations up to the sources: python packaging/translations.py

Takes every text that the window shows out of app/quire with lupdate, and the errors and notices of both
packages out of their sources (context "Errors"). Keeps what was translated of them in
resources/quire_resources/translations/quire_*.ts, and makes the .qm files that Quire loads with lrelease.
Both tools come with PySide6. What is not translated yet is listed; the window shows it in English.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from user_messages import templates

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "app" / "quire"
ENGINE = ROOT / "engine" / "quire_engine"
MESSAGES = "Errors"
"""The context of errors and notices, as quire.ui.translated asks for it."""
_NEVER_IN_THE_WINDOW = {"cli", "training"}
"""Folders whose messages only commands print."""
TRANSLATIONS = ROOT / "resources" / "quire_resources" / "translations"
_SPEAKERS = re.compile(r"^class (\w+)|\btranslate\(\s*\"(\w+)\"", re.MULTILINE)
"""A class of a file, or the context that it names itself."""


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """A text in the sources, and the class that shows it."""

    context: str
    source: str


def main(arguments: list[str] | None = None) -> int:
    """Bring every translation up to the sources; return 1 when something is not translated yet."""
    parser = argparse.ArgumentParser(description="Brings the translations up to the sources.")
    parser.add_argument("--language", action="append", help="begin a translation, or only do this one")
    languages = parser.parse_args(arguments).language or [
        file.stem.removeprefix("quire_") for file in TRANSLATIONS.glob("quire_*.ts")
    ]
    texts = sorted({*extracted(SOURCES), *messages(SOURCES, ENGINE)})
    missing = 0
    for language in sorted(languages):
        file = TRANSLATIONS / f"quire_{language}.ts"
        known = translated(file) if file.exists() else {}
        found = carried_over(texts, known)
        write(file, language, found)
        release(file)
        untranslated = sorted({text.source for text, words in found.items() if not words})
        missing += len(untranslated)
        sys.stdout.write(f"{language}: {len(found)} texts, {len(untranslated)} not translated\n")
        sys.stdout.writelines(f"  {source!r}\n" for source in untranslated)
    return 1 if missing else 0


def extracted(sources: Path) -> list[Text]:
    """Return every text that is handed to tr() below a folder.

    lupdate knows the class of self.tr(). A function outside of a class is handed a tr() of its own file, so
    its texts belong to every class of that file.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "texts.ts"
        _run(
            "lupdate",
            "-silent",
            "-extensions",
            "py",
            "-locations",
            "absolute",
            str(sources),
            "-ts",
            str(file),
        )
        tree = ElementTree.parse(file)
        texts = set()
        for context, message in _messages(tree.getroot()):
            source = message.findtext("source") or ""
            places = {
                (file.parent / str(place.get("filename"))).resolve() for place in message.iter("location")
            }
            nobody = {"", *(place.stem for place in places)}  # what lupdate puts outside of a class
            for name in _speakers(places) if context in nobody else [context]:
                texts.add(Text(name, source))
    return sorted(texts)


def messages(*folders: Path) -> set[Text]:
    """Return the templates of errors and notices below some folders, but for those without a word."""
    return {
        Text(MESSAGES, template.text)
        for template in templates(*folders)
        if template.file.parent.name not in _NEVER_IN_THE_WINDOW
        and re.search(r"[^\W\d_]", re.sub(r"\{[^}]*\}", "", template.text))
    }


def translated(file: Path) -> dict[Text, str]:
    """Return what is translated in a file."""
    tree = ElementTree.parse(file)
    return {
        Text(context, message.findtext("source") or ""): message.findtext("translation") or ""
        for context, message in _messages(tree.getroot())
    }


def carried_over(texts: list[Text], known: dict[Text, str]) -> dict[Text, str]:
    """Return every text with its translation; a renamed class takes that of the same text elsewhere."""
    elsewhere = {text.source: words for text, words in known.items() if words}
    return {text: known.get(text) or elsewhere.get(text.source, "") for text in texts}


def write(file: Path, language: str, found: dict[Text, str]) -> None:
    """Write a translation as Qt's Linguist reads it, in an order that never changes by itself."""
    root = ElementTree.Element("TS", version="2.1", language=language, sourcelanguage="en")
    contexts: dict[str, ElementTree.Element] = {}
    for text, words in sorted(found.items()):
        if text.context not in contexts:
            contexts[text.context] = ElementTree.SubElement(root, "context")
            ElementTree.SubElement(contexts[text.context], "name").text = text.context
        message = ElementTree.SubElement(contexts[text.context], "message")
        ElementTree.SubElement(message, "source").text = text.source
        ElementTree.SubElement(message, "translation", {} if words else {"type": "unfinished"}).text = words
    ElementTree.indent(root, " ")
    body = ElementTree.tostring(root, encoding="unicode")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', encoding="utf-8")


def release(file: Path) -> None:
    """Make of a translation the file that Quire loads."""
    _run("lrelease", "-silent", str(file), "-qm", str(file.with_suffix(".qm")))


def _messages(root: ElementTree.Element) -> Iterator[tuple[str, ElementTree.Element]]:
    for context in root.iter("context"):
        name = context.findtext("name") or ""
        for message in context.iter("message"):
            yield name, message


def _speakers(files: set[Path]) -> set[str]:
    found = (match for file in files for match in _SPEAKERS.findall(file.read_text(encoding="utf-8")))
    return {name for match in found for name in match if name}


def _run(tool: str, *arguments: str) -> None:
    """Run a tool that came with PySide6 into this environment."""
    beside = Path(sys.executable).parent
    program = next((path for path in beside.glob(f"pyside6-{tool}*") if path.is_file()), None)
    if program is None:
        raise SystemExit(f"pyside6-{tool} is not in {beside}. Install PySide6-Essentials there.")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"pyside6-{tool} failed: {done.stderr or done.stdout}")


if __name__ == "__main__":
    sys.exit(main())
