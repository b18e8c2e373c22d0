"""What Quire remembers between two starts, apart from the projects themselves."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from quire.domain.drafting.goal_parsing import MAX_GOAL_WORDS, MIN_GOAL_WORDS, SUGGESTED_GOALS
from quire.domain.drafting.preflight import SHOW_FROM_WORDS
from quire.editor.document import LINE_HEIGHT_EM
from quire.editor.manuscript_editor import DEFAULT_TEXT_PX, MAX_TEXT_PX, MIN_TEXT_PX
from quire.editor.page_layout import DEFAULT_TEXT_WIDTH
from quire.settings.setting_codecs import (
    Kind,
    anything_by_name,
    binary,
    choice,
    fraction,
    keys_by_name,
    paths,
    switch,
    texts_by_name,
    whole,
)
from quire.settings.setting_codecs import text as a_text
from quire.theme.motion import MotionPreference
from quire.theme.theme_switch import ThemeChoice
from quire_engine.api.atomic_file import replace_file
from quire_engine.api.config import Weights
from quire_resources import BUILT_IN_MODEL

MAX_RECENT = 10
MIN_LINE_HEIGHT, MAX_LINE_HEIGHT = 1.2, 2.2
MIN_TEXT_WIDTH, MAX_TEXT_WIDTH = 50, 100
MAX_CHAPTER_WORDS = 20_000
MIN_CONTEXT, MAX_CONTEXT = 256, 1_048_576

_log = logging.getLogger(__name__)
_LARGEST_FILE = 8 * 1024 * 1024


class LoopGuard(Enum):
    """What happens when a draft repeats itself without end."""

    PAUSE = "pause"
    TELL = "tell"


class ReadingChoice(Enum):
    """What happens when the text was edited where the model has read it."""

    ASK = "ask"
    AGAIN = "again"
    WITHOUT = "without"


class ModelMemory(Enum):
    """How the model keeps what it has read; the values are the engine's (ModelConfig.cache)."""

    FULL = "full"
    FLOAT8 = "float8"
    COMPUTER = "computer"


@dataclass(frozen=True, slots=True)
class Settings:
    """The writer's choices, and what Quire wants to find again.

    font_family: empty for Quire's own. line_height: in em. text_width: characters in a line of the
    manuscript. spelling_language, language: as in "de" or "en_GB"; empty for the system's.
    chapter_at_headings: a heading that the model writes begins a new chapter. chapter_words: so does every
    stretch of so many words; 0 for never. shortcuts: what the writer changed, by name of the action, in
    Qt's portable spelling. mirror_folders: by path of the project. calibrations: by fingerprint of the
    model. recent: paths of projects, the last one first. model_folder: empty for the built-in model.
    model_context: tokens that it may look back over at most; 0 for all that it can. model_weights: by folder
    of the model, how its weights are loaded (ModelConfig.weights); one that is not named there in full.
    geometry: where the window stood, as Qt describes it; empty for the default.
    """

    theme: ThemeChoice = ThemeChoice.SYSTEM
    motion: MotionPreference = MotionPreference.SYSTEM
    font_family: str = ""
    text_px: int = DEFAULT_TEXT_PX
    line_height: float = LINE_HEIGHT_EM
    text_width: int = DEFAULT_TEXT_WIDTH
    smart_typing: bool = True
    typewriter: bool = False
    spelling: bool = True
    spelling_language: str = ""
    chapter_at_headings: bool = True
    chapter_words: int = 0
    loop_guard: LoopGuard = LoopGuard.PAUSE
    notify: bool = True
    keep_awake: bool = True
    reading_choice: ReadingChoice = ReadingChoice.ASK
    preflight_words: int = SHOW_FROM_WORDS
    language: str = ""
    research_view: bool = False
    focus_hint_seen: bool = False
    right_panel: bool = False
    shortcuts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    mirror_folders: Mapping[str, str] = field(default_factory=dict)
    calibrations: Mapping[str, object] = field(default_factory=dict)
    overlay: str = ""
    preset: str = ""
    goal_words: int = SUGGESTED_GOALS[0]
    recent: tuple[str, ...] = ()
    model_folder: str = ""
    model_context: int = 0
    model_memory: ModelMemory = ModelMemory.FULL
    model_weights: Mapping[str, str] = field(default_factory=dict)
    geometry: bytes = field(default=b"", repr=False)

    def with_recent(self, path: Path) -> Settings:
        """Return the settings with a project as the one opened last."""
        others = (known for known in self.recent if known != str(path))
        return replace(self, recent=(str(path), *others)[:MAX_RECENT])

    def weights_of(self, folder: Path) -> Weights:
        """Return how the weights of the model in a folder are loaded."""
        return "int8" if self.model_weights.get(str(folder.absolute())) == "int8" else "full"

    def with_weights(self, folder: Path, weights: Weights) -> Settings:
        """Return the settings with another way to load the weights of the model in a folder."""
        name = str(folder.absolute())
        others = {known: kept for known, kept in self.model_weights.items() if known != name}
        return replace(self, model_weights=others if weights == "full" else others | {name: weights})


_KINDS: dict[str, Kind] = {
    "theme": choice(ThemeChoice),
    "motion": choice(MotionPreference),
    "font_family": a_text(100),
    "text_px": whole(MIN_TEXT_PX, MAX_TEXT_PX),
    "line_height": fraction(MIN_LINE_HEIGHT, MAX_LINE_HEIGHT),
    "text_width": whole(MIN_TEXT_WIDTH, MAX_TEXT_WIDTH),
    "smart_typing": switch(),
    "typewriter": switch(),
    "spelling": switch(),
    "spelling_language": a_text(40),
    "chapter_at_headings": switch(),
    "chapter_words": whole(0, MAX_CHAPTER_WORDS),
    "loop_guard": choice(LoopGuard),
    "notify": switch(),
    "keep_awake": switch(),
    "reading_choice": choice(ReadingChoice),
    "preflight_words": whole(0, MAX_GOAL_WORDS),
    "language": a_text(40),
    "research_view": switch(),
    "focus_hint_seen": switch(),
    "right_panel": switch(),
    "shortcuts": keys_by_name(),
    "mirror_folders": texts_by_name(),
    "calibrations": anything_by_name(),
    "overlay": a_text(100),
    "preset": a_text(200),
    "goal_words": whole(MIN_GOAL_WORDS, MAX_GOAL_WORDS),
    "recent": paths(MAX_RECENT),
    "model_folder": a_text(4096),
    "model_context": whole(0, MAX_CONTEXT),
    "model_memory": choice(ModelMemory),
    "model_weights": texts_by_name(),
    "geometry": binary(),
}


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The model to draft with; chosen is its folder, empty for the built-in one.

    context: tokens that it may look back over at most; 0 for all that it can. memory: how it keeps them.
    weights: how its weights are loaded.
    """

    chosen: str = ""
    context: int = 0
    memory: ModelMemory = ModelMemory.FULL
    weights: Weights = "full"

    @classmethod
    def of(cls, settings: Settings, chosen: str) -> ModelChoice:
        """Return a folder with how the settings say that its model is to be used."""
        context = settings.model_context if settings.model_context >= MIN_CONTEXT else 0
        return cls(chosen, context, settings.model_memory, settings.weights_of(_folder_of(chosen)))

    @property
    def folder(self) -> Path:
        """Where the model lies."""
        return _folder_of(self.chosen)

    @property
    def exists(self) -> bool:
        """Whether there is a model in its folder."""
        return (self.folder / "config.json").is_file()

    @property
    def name(self) -> str:
        """What the writer calls it."""
        return self.folder.name if self.chosen else "Built-in model"


class SettingsFile:
    """Settings as a JSON file.

    What cannot be understood in it gives way to the default. What another version of Quire keeps there
    stays, and only what was changed here is written over what another Quire has written meanwhile.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Use a file, or the one where the system keeps the writer's configuration."""
        self.path = _usual_path() if path is None else path
        self._last_known: dict[str, object] = {}

    def load(self) -> Settings:
        """Read the settings; a file that is no settings file is put aside."""
        stored = self._read(put_aside=True)
        understood: dict[str, object] = {}
        for name, kind in _KINDS.items():
            value = kind.read(stored[name]) if name in stored else None
            if value is not None:
                understood[name] = value
        settings = replace(Settings(), **understood)  # type: ignore[arg-type]  # every kind read its own type
        self._last_known = _as_stored(settings)
        return settings

    def save(self, settings: Settings) -> None:
        """Write the settings; a folder that cannot be written to costs the writer nothing but these."""
        wanted = _as_stored(settings)
        unchanged = {name for name, value in wanted.items() if self._last_known.get(name, _NEVER) == value}
        stored = self._read(put_aside=False)
        merged = stored | {
            name: v for name, v in wanted.items() if name not in unchanged or name not in stored
        }
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self.path, json.dumps(merged, indent=1, sort_keys=True).encode("ascii"))
        except OSError as error:
            _log.warning("the settings were not stored: %s", error)
        else:
            self._last_known = wanted

    def _read(self, *, put_aside: bool) -> dict[str, object]:
        try:
            if self.path.stat().st_size > _LARGEST_FILE:
                raise ValueError("it is too large")
            stored = json.loads(self.path.read_bytes())
            if isinstance(stored, dict):
                return stored
            raise ValueError("it holds no settings")
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            _log.warning("%s could not be read as settings: %s", self.path, error)
        if put_aside:
            self._put_aside()
        return {}

    def _put_aside(self) -> None:
        try:
            self.path.replace(self.path.with_name(f"{self.path.name}.broken"))
        except OSError as error:
            _log.warning("%s could not be put aside: %s", self.path, error)


_NEVER = object()


def _folder_of(chosen: str) -> Path:
    return Path(chosen) if chosen else BUILT_IN_MODEL


def _usual_path() -> Path:
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
    return Path(folder) / "Quire" / "settings.json"


def _as_stored(settings: Settings) -> dict[str, object]:
    return {one.name: _KINDS[one.name].write(getattr(settings, one.name)) for one in fields(settings)}
