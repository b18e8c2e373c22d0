"""Stores the writer's own presets in a file beside the settings."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from quire.domain.drafting.presets import Preset, dumped, free_name, parsed, with_preset
from quire.errors import WriterProblem
from quire.system.text_file import read_text
from quire_engine.api.atomic_file import replace_file
from quire_engine.api.user_message import UserMessage, joined

FILE_NAME = "presets.json"


class PresetFile:
    """The writer's own presets; an unreadable file is moved aside, never overwritten."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> tuple[tuple[Preset, ...], str]:
        """Return the presets, and a message where the file could not be read."""
        if not self._path.exists():
            return (), ""
        try:
            own = parsed(read_text(self._path, "file"), self._path.name)
        except WriterProblem as problem:
            aside = self._put_aside()
            kept = (
                UserMessage("The old file was kept as {file}.", file=aside.name) if aside is not None else ""
            )
            return (), joined(UserMessage("Your own presets could not be read."), problem.message, kept)
        return _without_doubles(own), ""

    def save(self, own: Iterable[Preset]) -> None:
        """Write the presets atomically; WriterProblem when they cannot be written."""
        write_whole(self._path, dumped(own))

    def _put_aside(self) -> Path | None:
        aside = self._path.with_name(f"{self._path.stem}.unreadable{self._path.suffix}")
        number = 2
        while aside.exists():
            aside = self._path.with_name(f"{self._path.stem}.unreadable-{number}{self._path.suffix}")
            number += 1
        try:
            self._path.rename(aside)
        except OSError:
            return None
        return aside


def import_presets(path: Path, own: Iterable[Preset]) -> tuple[tuple[Preset, ...], tuple[str, ...]]:
    """Return the writer's own presets with those of a file, and the names of what was added.

    A name that is taken gets a number, so that nothing of the writer's is replaced.
    """
    presets = tuple(own)
    added: list[str] = []
    for preset in parsed(read_text(path, "file"), path.name):
        name = free_name(preset.name, presets)
        presets = with_preset(presets, Preset(name, preset.sampling, preset.note))
        added.append(name)
    if not added:
        raise WriterProblem("{file} contains no presets. Choose another file.", file=path.name)
    return presets, tuple(added)


def export_presets(path: Path, presets: Iterable[Preset]) -> None:
    """Write presets to a file that another Quire can import."""
    write_whole(path, dumped(presets))


def write_whole(path: Path, text: str) -> None:
    """Write a file atomically; WriterProblem when it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, text.encode())
    except OSError as error:
        raise WriterProblem(
            "{path} could not be saved ({reason}). Choose another folder.", path=path, reason=error.strerror
        ) from error


def _without_doubles(presets: Iterable[Preset]) -> tuple[Preset, ...]:
    own: tuple[Preset, ...] = ()
    for preset in presets:
        own = with_preset(own, Preset(free_name(preset.name, own), preset.sampling, preset.note))
    return own
