"""What Quire stores between starts, apart from the projects."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from pathlib import Path
from typing import get_args

from PySide6.QtCore import QStandardPaths

from quire.domain.drafting.goal_parsing import MAX_GOAL_WORDS, MIN_GOAL_WORDS, SUGGESTED_GOALS
from quire.domain.drafting.preflight import SHOW_FROM_WORDS
from quire.editor.document import LINE_HEIGHT_EM
from quire.editor.manuscript_editor import DEFAULT_TEXT_PX, MAX_TEXT_PX, MIN_TEXT_PX
from quire.editor.page_layout import DEFAULT_TEXT_WIDTH
from quire.services.model_library.model_names import plain_name
from quire.services.model_library.server_records import ServerRecord, is_server_folder, read_server
from quire.settings.setting_codecs import (
    Kind,
    binary,
    choice,
    fraction,
    keys_by_name,
    names,
    paths,
    speeds_by_name,
    switch,
    texts_by_name,
    whole,
)
from quire.settings.setting_codecs import text as a_text
from quire.system.app_folders import portable_folder
from quire.theme.motion import MotionPreference
from quire.theme.text_size import TextSize
from quire.theme.theme_switch import ThemeChoice
from quire_engine.api.atomic_file import replace_file
from quire_engine.api.config import SOURCES, Weights
from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.imported_models import FOLDER as IMPORTED
from quire_engine.catalog.imported_models import shown_name
from quire_resources import BUILT_IN_MODEL

MAX_RECENT = 10
MAX_READING_SPEEDS = 40
MIN_LINE_HEIGHT, MAX_LINE_HEIGHT = 1.2, 2.2
MIN_TEXT_WIDTH, MAX_TEXT_WIDTH = 50, 100
MAX_CHAPTER_WORDS = 20_000
MAX_CHARTS_PX = 10_000
MIN_CONTEXT, MAX_CONTEXT = 256, 1_048_576

_log = logging.getLogger(__name__)
_LARGEST_FILE = 8 * 1024 * 1024


class LoopChoice(Enum):
    """What happens when a draft loops."""

    PAUSE = "pause"
    TELL = "tell"


class ReadingChoice(Enum):
    """What happens when text that the model has already read was edited."""

    ASK = "ask"
    AGAIN = "again"
    WITHOUT = "without"


class ModelMemory(Enum):
    """How the model stores its KV cache; the values are the engine's (ModelConfig.cache)."""

    FULL = "full"
    FLOAT8 = "float8"
    COMPUTER = "computer"


@dataclass(frozen=True, slots=True)
class Settings:
    """The writer's choices, and what Quire needs at the next start.

    Attributes:
        interface_size: of the text of menus, panels and dialogs.
        font_family: empty for Quire's own.
        line_height: in em.
        text_width: characters in a line of the manuscript.
        spelling_language: such as "de" or "en_GB"; empty for the system's.
        chapter_at_headings: whether a heading written by the model starts a new chapter.
        chapter_words: words after which a new chapter starts as well; 0 for never.
        language: of the window, such as "de"; empty for the system's.
        shortcuts: what the writer changed, by name of the action, in Qt's portable format.
        beside: the number of the text that is shown beside the manuscript, by path of the project.
        reading_speeds: tokens that a model reads in a second, by its fingerprint.
        recent: paths of projects, the last one first.
        model_folder: empty for the built-in model.
        model_context: maximum context length in tokens; 0: see quire_engine.api.context_rules.
        draft_models: by folder of a model, the folder of the smaller one that drafts ahead for it.
        model_weights: by folder of the model, how its weights are loaded (ModelConfig.weights), where the
            writer has chosen.
        accelerate: whether drafts are accelerated.
        drafters_off: kinds of drafter that are not used.
        starter_done: whether the starter model was set up or declined, so that it is not set up by itself.
        charts: whether the charts open with a draft.
        charts_px: height of the charts; 0 for the usual one.
        geometry: of the window, in Qt's format; empty for the default.
    """

    theme: ThemeChoice = ThemeChoice.SYSTEM
    interface_size: TextSize = TextSize.SYSTEM
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
    loop_guard: LoopChoice = LoopChoice.PAUSE
    notify: bool = True
    keep_awake: bool = True
    reading_choice: ReadingChoice = ReadingChoice.ASK
    preflight_words: int = SHOW_FROM_WORDS
    language: str = ""
    research_view: bool = False
    focus_hint_seen: bool = False
    right_panel: bool = False
    shortcuts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    beside: Mapping[str, str] = field(default_factory=dict)
    reading_speeds: Mapping[str, float] = field(default_factory=dict)
    overlay: str = ""
    preset: str = ""
    goal_words: int = SUGGESTED_GOALS[0]
    recent: tuple[str, ...] = ()
    model_folder: str = ""
    model_context: int = 0
    model_memory: ModelMemory = ModelMemory.FULL
    model_weights: Mapping[str, str] = field(default_factory=dict)
    draft_models: Mapping[str, str] = field(default_factory=dict)
    accelerate: bool = True
    drafters_off: tuple[str, ...] = ()
    starter_done: bool = False
    charts: bool = True
    charts_px: int = 0
    geometry: bytes = field(default=b"", repr=False)

    def with_recent(self, path: Path) -> Settings:
        """Return the settings with a project as the most recent one."""
        others = (known for known in self.recent if known != str(path))
        return replace(self, recent=(str(path), *others)[:MAX_RECENT])

    def weights_of(self, folder: Path) -> Weights:
        """Return how the weights of the model in a folder are loaded."""
        chosen = self.model_weights.get(str(folder.absolute()))
        return next((known for known in get_args(Weights) if known == chosen), "auto")

    def with_weights(self, folder: Path, weights: Weights) -> Settings:
        """Return the settings with another way to load the weights of the model in a folder."""
        name = str(folder.absolute())
        others = {known: kept for known, kept in self.model_weights.items() if known != name}
        return replace(self, model_weights=others if weights == "auto" else others | {name: weights})

    def draft_model_of(self, folder: Path) -> str:
        """Return the folder of the model that drafts ahead for the one in a folder; empty for none."""
        return self.draft_models.get(str(folder.absolute()), "")

    def with_draft_model(self, folder: Path, small: str) -> Settings:
        """Return the settings with another model that drafts ahead; empty: none."""
        name = str(folder.absolute())
        others = {known: kept for known, kept in self.draft_models.items() if known != name}
        return replace(self, draft_models=others | {name: small} if small else others)

    def with_reading_speed(self, fingerprint: str, tokens_per_s: float) -> Settings:
        """Return the settings with the speed at which a model reads; the one measured first gives way."""
        others = [(name, speed) for name, speed in self.reading_speeds.items() if name != fingerprint]
        speeds = dict([*others[-(MAX_READING_SPEEDS - 1) :], (fingerprint, round(tokens_per_s, 1))])
        return replace(self, reading_speeds=speeds)


_KINDS: dict[str, Kind] = {
    "theme": choice(ThemeChoice),
    "interface_size": choice(TextSize),
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
    "loop_guard": choice(LoopChoice),
    "notify": switch(),
    "keep_awake": switch(),
    "reading_choice": choice(ReadingChoice),
    "preflight_words": whole(0, MAX_GOAL_WORDS),
    "language": a_text(40),
    "research_view": switch(),
    "focus_hint_seen": switch(),
    "right_panel": switch(),
    "shortcuts": keys_by_name(),
    "beside": texts_by_name(),
    "reading_speeds": speeds_by_name(),
    "overlay": a_text(100),
    "preset": a_text(200),
    "goal_words": whole(MIN_GOAL_WORDS, MAX_GOAL_WORDS),
    "recent": paths(MAX_RECENT),
    "model_folder": a_text(4096),
    "model_context": whole(0, MAX_CONTEXT),
    "model_memory": choice(ModelMemory),
    "model_weights": texts_by_name(),
    "draft_models": texts_by_name(),
    "accelerate": switch(),
    "drafters_off": names(len(SOURCES)),
    "starter_done": switch(),
    "charts": switch(),
    "charts_px": whole(0, MAX_CHARTS_PX),
    "geometry": binary(),
}


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The model to draft with.

    Attributes:
        chosen: its folder, empty for the built-in one.
        context: maximum context length in tokens; 0: see quire_engine.api.context_rules.
        memory: how the KV cache is stored.
        weights: how its weights are loaded.
        draft_model: the folder of a smaller one that drafts ahead; empty for none.
        server: where it runs instead, as it was added to the list; None for a model of this computer.
    """

    chosen: str = ""
    context: int = 0
    memory: ModelMemory = ModelMemory.FULL
    weights: Weights = "auto"
    draft_model: str = ""
    server: ServerRecord | None = None

    @classmethod
    def of(cls, settings: Settings, chosen: str) -> ModelChoice:
        """Return the choice of a folder with its options from the settings."""
        context = settings.model_context if settings.model_context >= MIN_CONTEXT else 0
        folder = _folder_of(chosen)
        server = read_server(folder) if is_server_folder(folder) else None
        weights, small = settings.weights_of(folder), settings.draft_model_of(folder)
        return cls(chosen, context, settings.model_memory, weights, small, server)

    @property
    def folder(self) -> Path:
        """Return the folder of the model."""
        return _folder_of(self.chosen)

    @property
    def exists(self) -> bool:
        """Return whether there is a model in its folder; whether a server answers shows when it is used."""
        return self.server is not None or (self.folder / "config.json").is_file()

    @property
    def is_imported(self) -> bool:
        """Return whether Quire made its folder from a file."""
        return self.folder.parent.name == IMPORTED

    @property
    def name(self) -> str:
        """Return the name shown to the writer."""
        if self.server is not None:
            return self.server.name
        return plain_name(shown_name(self.folder)) if self.chosen else UserMessage("Built-in model")


class SettingsFile:
    """Settings as a JSON file.

    Invalid values are replaced by defaults. Settings of other versions of Quire are kept, and only what was
    changed here overwrites what another instance has written meanwhile.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Use a file, or the one in the system's configuration folder."""
        self.path = _usual_path() if path is None else path
        self._last_known: dict[str, object] = {}

    def load(self) -> Settings:
        """Load the settings; an invalid file is renamed."""
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
        """Save the settings; if the folder is not writable, only the settings are lost."""
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
    if (portable := portable_folder()) is not None:
        return portable / "settings" / "settings.json"
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
    return Path(folder) / "Quire" / "settings.json"


def _as_stored(settings: Settings) -> dict[str, object]:
    return {one.name: _KINDS[one.name].write(getattr(settings, one.name)) for one in fields(settings)}
