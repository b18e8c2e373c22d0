"""The files next to the weights: tokenizer, chat template, licence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.bounded_files import check_file, read_bytes, read_json
from quire_engine.catalog.imported_models import largest_id
from quire_engine.catalog.rejection import ModelRejected, RejectionKind, printable

MAX_TOKENIZER = 128 << 20
"""Most bytes of a tokenizer that is opened."""
_MAX_SETTINGS = 1 << 24
MAX_TEMPLATE = 100_000
"""Most characters of a chat template that is used."""
_MAX_README = 1 << 20
_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.{0,20000}?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_LICENCE_KEYS = ("license_name", "license")
_LICENCE_FILES = ("LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE", "COPYING", "USE_POLICY.md")


@dataclass(frozen=True, slots=True)
class Template:
    """A model's chat template; source is empty for a base model.

    problem: why a template that is there cannot be used.
    """

    source: str = ""
    problem: str = ""

    @property
    def is_chat(self) -> bool:
        """Whether there is a usable template."""
        return bool(self.source)


def check_tokenizer(folder: Path, vocab_size: int) -> None:
    """Reject a tokenizer that is missing, damaged or another model's."""
    file = folder / "tokenizer.json"
    if not (file.exists() or file.is_symlink()):
        other = (folder / "tokenizer.model").exists()
        raise ModelRejected(
            RejectionKind.MISSING,
            UserMessage(
                "tokenizer.json is missing. There is a tokenizer.model, but Quire can't read that. "
                "Download a version with tokenizer.json."
            )
            if other
            else UserMessage("tokenizer.json is missing. Download it together with the weights."),
        )
    check_file(folder, file)
    known = largest_id(folder)
    check_vocabulary(_largest_in(file) if known is None else known, vocab_size)


def _largest_in(file: Path) -> int:
    """Return the largest id of a tokenizer; for 262,144 of them this takes more than a second."""
    content: Any = read_json(file, MAX_TOKENIZER)
    model = content.get("model") if isinstance(content, dict) else None
    vocabulary = model.get("vocab") if isinstance(model, dict) else None
    if not isinstance(vocabulary, dict | list) or not vocabulary:
        raise _damaged_tokenizer()
    largest = _largest_id(vocabulary)
    added = content.get("added_tokens") or []
    if not isinstance(added, list):
        raise _damaged_tokenizer()
    for each in added:
        number = each.get("id") if isinstance(each, dict) else None
        if type(number) is not int or number < 0:
            raise _damaged_tokenizer()
        largest = max(largest, number)
    return largest


def check_vocabulary(largest: int, vocab_size: int) -> None:
    """Reject a tokenizer with ids that the model does not have."""
    if largest >= vocab_size:
        raise ModelRejected(
            RejectionKind.DAMAGED,
            "The tokenizer has more entries than the model, so they don't belong together. Download "
            "both from the same place.",
        )


def find_template(folder: Path) -> Template:
    """Look for a chat template; it is not run here, only its size is checked."""
    try:
        file = folder / "chat_template.jinja"
        if file.exists():
            check_file(folder, file)
            source = read_bytes(file, _MAX_SETTINGS).decode("utf-8")
            if source.strip():
                return _sized(source)
        found = settings_of(folder, "tokenizer_config.json").get("chat_template")
        if found is None:  # the older place of models that also read images
            found = settings_of(folder, "chat_template.json").get("chat_template")
    except (ModelRejected, UnicodeDecodeError) as error:
        said = error.message if isinstance(error, ModelRejected) else UserMessage("It is not UTF-8 text.")
        return Template(problem=UserMessage("The chat template can't be used. {reason}", reason=said))
    if isinstance(found, list):
        named = [each for each in found if isinstance(each, dict) and each.get("name") == "default"]
        found = named[0].get("template") if named else None
    return _sized(found) if isinstance(found, str) else Template()


def settings_of(folder: Path, name: str) -> dict[str, Any]:
    """Return the content of a small JSON file next to the weights; empty if it is missing or not an object.

    Raises ModelRejected if it is damaged, too large or unsafe.
    """
    file = folder / name
    if not file.exists():
        return {}
    check_file(folder, file)
    found: Any = read_json(file, _MAX_SETTINGS)
    return found if isinstance(found, dict) else {}


def find_licence(folder: Path) -> str:
    """Return the licence named in the README, or else the file that contains it; empty for neither."""
    for name in ("README.md", "readme.md"):
        try:
            check_file(folder, folder / name)
            text = read_bytes(folder / name, _MAX_README).decode("utf-8", errors="replace")
        except ModelRejected:
            continue
        if named := licence_in(text):
            return named
    return next((f"see {name}" for name in _LICENCE_FILES if (folder / name).is_file()), "")


def licence_in(readme: str) -> str:
    """Return the licence named in a README's front matter."""
    front = _FRONT.match(readme)
    if front is None:
        return ""
    for key in _LICENCE_KEYS:
        for line in front[1].splitlines():
            name, mark, value = line.partition(":")
            if mark and name == key and (named := value.strip().strip("\"'")) not in ("", "other"):
                return printable(named, 60)
    return ""


def _sized(source: str) -> Template:
    if len(source) > MAX_TEMPLATE:
        return Template(
            problem=UserMessage(
                "The chat template is not used: it is longer than {most:,} characters.",
                most=MAX_TEMPLATE,
            )
        )
    return Template(source if source.strip() else "")


def _largest_id(vocabulary: dict[str, Any] | list[Any]) -> int:
    if isinstance(vocabulary, list):
        return len(vocabulary) - 1
    largest = -1
    for number in vocabulary.values():
        if type(number) is not int or number < 0:
            raise _damaged_tokenizer()
        largest = max(largest, number)
    return largest


def _damaged_tokenizer() -> ModelRejected:
    return ModelRejected(
        RejectionKind.DAMAGED, "tokenizer.json is damaged: it has no vocabulary. Download this file again."
    )
