"""What Quire remembers between two starts, apart from the projects themselves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from quire.editor.manuscript_editor import DEFAULT_TEXT_PX, MAX_TEXT_PX, MIN_TEXT_PX
from quire.models.goal import MAX_GOAL_WORDS, MIN_GOAL_WORDS, SUGGESTED_GOALS
from quire.theme.keeper import ThemeChoice
from quire_resources import BUILT_IN_MODEL

MAX_RECENT = 10


@dataclass(frozen=True, slots=True)
class Settings:
    """The writer's choices.

    recent: paths of projects, the last one first. model_folder: empty for the built-in model.
    geometry: where the window stood, as Qt describes it; empty for the default.
    """

    theme: ThemeChoice = ThemeChoice.SYSTEM
    text_px: int = DEFAULT_TEXT_PX
    goal_words: int = SUGGESTED_GOALS[0]
    recent: tuple[str, ...] = ()
    model_folder: str = ""
    geometry: bytes = field(default=b"", repr=False)

    def with_recent(self, path: Path) -> Settings:
        """Return the settings with a project as the one opened last."""
        others = (known for known in self.recent if known != str(path))
        return replace(self, recent=(str(path), *others)[:MAX_RECENT])


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The model to draft with; chosen is its folder, empty for the built-in one."""

    chosen: str = ""

    @property
    def folder(self) -> Path:
        """Where the model lies."""
        return Path(self.chosen) if self.chosen else BUILT_IN_MODEL

    @property
    def exists(self) -> bool:
        """Whether there is a model in its folder."""
        return (self.folder / "config.json").is_file()

    @property
    def name(self) -> str:
        """What the writer calls it."""
        return self.folder.name if self.chosen else "Built-in model"


class SettingsFile:
    """Settings as an ini file; what cannot be understood in it gives way to the default."""

    def __init__(self, path: Path | None = None) -> None:
        """Use a file, or the one where the system keeps the writer's configuration."""
        if path is None:
            self._ini = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Quire", "Quire")
        else:
            self._ini = QSettings(str(path), QSettings.Format.IniFormat)

    def load(self) -> Settings:
        """Read the settings."""
        usual = Settings()
        return Settings(
            theme=self._theme(usual.theme),
            text_px=self._number("text_px", usual.text_px, MIN_TEXT_PX, MAX_TEXT_PX),
            goal_words=self._number("goal_words", usual.goal_words, MIN_GOAL_WORDS, MAX_GOAL_WORDS),
            recent=self._recent(),
            model_folder=self._text("model_folder"),
            geometry=self._bytes("geometry"),
        )

    def save(self, settings: Settings) -> None:
        """Write the settings; a folder that cannot be written to costs the writer nothing but these."""
        self._ini.setValue("theme", settings.theme.value)
        self._ini.setValue("text_px", settings.text_px)
        self._ini.setValue("goal_words", settings.goal_words)
        self._ini.setValue("recent", list(settings.recent))
        self._ini.setValue("model_folder", settings.model_folder)
        self._ini.setValue("geometry", QByteArray(settings.geometry))
        self._ini.sync()

    def _theme(self, usual: ThemeChoice) -> ThemeChoice:
        stored = self._text("theme")
        return next((choice for choice in ThemeChoice if choice.value == stored), usual)

    def _number(self, key: str, usual: int, lowest: int, highest: int) -> int:
        stored = self._text(key)
        number = int(stored) if stored.isdecimal() and len(stored) < 9 else usual
        return number if lowest <= number <= highest else usual

    def _recent(self) -> tuple[str, ...]:
        stored = self._ini.value("recent")
        paths = [stored] if isinstance(stored, str) else stored if isinstance(stored, list) else []
        return tuple(path for path in paths if isinstance(path, str) and path)[:MAX_RECENT]

    def _text(self, key: str) -> str:
        stored = self._ini.value(key, "")
        return str(stored) if isinstance(stored, str | int) else ""

    def _bytes(self, key: str) -> bytes:
        stored = self._ini.value(key)
        return bytes(stored.data()) if isinstance(stored, QByteArray) else b""
