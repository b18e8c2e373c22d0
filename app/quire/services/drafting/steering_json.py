"""Steering as JSON types, and back: an invalid value is ignored, with a message."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from quire.domain.drafting.presets import Preset, by_name, sampling_from, sampling_values, with_earlier
from quire.domain.drafting.steering import (
    AuthorsNote,
    Beat,
    ChapterBeats,
    LoreEntry,
    Memory,
    Start,
    Steering,
    UsedDirection,
    Version,
)
from quire_engine.api.user_message import UserMessage

KEPT_FRONTS = 20
"""So many of the newest runs keep what stood in front of them word for word."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Slot:
    """One setting of the project.

    Attributes:
        called: the writer's name for it.
        of: the part of steering that it stores.
        dumped: its value as JSON types, None where there is nothing to store.
        taken: the steering with a parsed value; ValueError, KeyError or TypeError where it is invalid.
    """

    name: str
    called: str
    of: Callable[[Steering], object]
    dumped: Callable[[Steering], object]
    taken: Callable[[Steering, object], Steering]


# ------------------------------------------------------------ there
def _memory(steering: Steering) -> object:
    memory = steering.memory
    if not (memory.text or memory.earlier):
        return None
    return {
        "text": memory.text,
        "changed": None if memory.changed is None else memory.changed.isoformat(),
        "read": memory.was_read,
        "earlier": [{"when": one.when.isoformat(), "text": one.text} for one in memory.earlier],
    }


def _direction(steering: Steering) -> object:
    direction = steering.direction
    if not (direction.text or direction.used or direction.depth):
        return None
    used = [
        {"text": one.text, "run": one.run_id, "when": one.when.isoformat(), "depth": one.depth}
        for one in direction.used
    ]
    return {"text": direction.text, "used": used, "depth": direction.depth}


def _lorebook(steering: Steering) -> object:
    rows = [
        {
            "id": entry.entry_id,
            "name": entry.name,
            "keys": list(entry.keys),
            "text": "" if entry.node_id is not None else entry.text,  # a note keeps its own
            "pinned": entry.pinned,
            "on": entry.on,
            "note": entry.node_id,
        }
        for entry in steering.lorebook
    ]
    return rows or None


def _opening(steering: Steering) -> object:
    return steering.opening or None


def _chat(steering: Steering) -> object:
    return steering.chat or None


def _avoided(steering: Steering) -> object:
    return steering.avoided or None


def _beats(steering: Steering) -> object:
    rows = [
        {
            "chapter": one.document_id,
            "beats": [{"text": beat.text, "run": beat.run_id} for beat in one.beats],
        }
        for one in steering.chapters
    ]
    return rows or None


def _starts(steering: Steering) -> object:
    if not steering.starts:
        return None
    fronts: list[str] = []
    rows: list[dict[str, object]] = []
    for number, start in enumerate(steering.starts):
        front: int | None = None
        if start.front_text is not None and number < KEPT_FRONTS:
            if start.front_text not in fronts:
                fronts.append(start.front_text)
            front = fronts.index(start.front_text)
        row: dict[str, object] = {"run": start.run_id, "note": start.note_text, "front": front}
        if start.synopses is not None and number < KEPT_FRONTS:
            row["synopses"] = [list(one) for one in start.synopses]
        rows.append(row)
    return {"fronts": fronts, "runs": rows}


# ------------------------------------------------------------ and back
def _synopses(value: object) -> tuple[tuple[int, str], ...] | None:
    if value is None:
        return None
    return tuple((_number(node), _text(digest)) for node, digest in map(_list, _list(value)))


def _with_memory(steering: Steering, value: object) -> Steering:
    row = _object(value)
    changed = row["changed"]
    earlier = tuple(Version(_time(one["when"]), _text(one["text"])) for one in _objects(row["earlier"]))
    time = None if changed is None else _time(changed)
    return replace(steering, memory=Memory(_text(row["text"]), time, _flag(row["read"]), earlier))


def _with_direction(steering: Steering, value: object) -> Steering:
    row = _object(value)
    used = tuple(
        UsedDirection(_text(one["text"]), _number(one["run"]), _time(one["when"]), _depth(one.get("depth")))
        for one in _objects(row["used"])
    )
    note = AuthorsNote(_text(row["text"]), used, _number(row.get("depth", 0)))
    return replace(steering, direction=note)


def _depth(value: object) -> int | None:
    return None if value is None else _number(value)


def _with_lorebook(steering: Steering, value: object) -> Steering:
    entries = [
        LoreEntry(
            _number(row["id"]),
            _text(row["name"]),
            _text(row["text"]),
            tuple(_text(key) for key in _list(row["keys"])),
            _flag(row["pinned"]),
            _flag(row["on"]),
            None if row["note"] is None else _number(row["note"]),
        )
        for row in _objects(value)
    ]
    if len({entry.entry_id for entry in entries}) != len(entries):
        raise ValueError("two entries have one number")
    return replace(steering, lorebook=tuple(entries))


def _with_opening(steering: Steering, value: object) -> Steering:
    return replace(steering, opening=_text(value))


def _with_chat(steering: Steering, value: object) -> Steering:
    return replace(steering, chat=_flag(value))


def _with_avoided(steering: Steering, value: object) -> Steering:
    return replace(steering, avoided=_text(value))


def _with_beats(steering: Steering, value: object) -> Steering:
    chapters = [
        ChapterBeats(
            _number(row["chapter"]),
            tuple(
                Beat(_text(beat["text"]), None if beat["run"] is None else _number(beat["run"]))
                for beat in _objects(row["beats"])
            ),
        )
        for row in _objects(value)
    ]
    return replace(steering, chapters=tuple(chapters))


def _with_starts(steering: Steering, value: object) -> Steering:
    content = _object(value)
    fronts = [_text(front) for front in _list(content["fronts"])]
    starts = [
        Start(
            _number(row["run"]),
            _text(row["note"]),
            None if row["front"] is None else fronts[_number(row["front"])],
            _synopses(row.get("synopses")),
        )
        for row in _objects(content["runs"])
    ]
    return replace(steering, starts=tuple(starts))


LOREBOOK = Slot(
    "steering.lorebook", UserMessage("Lorebook"), lambda of: of.lorebook, _lorebook, _with_lorebook
)

SLOTS = (
    Slot("steering.memory", UserMessage("Memory"), lambda of: of.memory, _memory, _with_memory),
    Slot(
        "steering.direction",
        UserMessage("Author's note"),
        lambda of: of.direction,
        _direction,
        _with_direction,
    ),
    LOREBOOK,
    Slot("steering.opening", UserMessage("Opening"), lambda of: of.opening, _opening, _with_opening),
    Slot("steering.beats", UserMessage("Beats"), lambda of: of.chapters, _beats, _with_beats),
    Slot("steering.chat", UserMessage("Chat setting"), lambda of: of.chat, _chat, _with_chat),
    Slot("steering.avoided", UserMessage("Words to avoid"), lambda of: of.avoided, _avoided, _with_avoided),
    Slot(
        "steering.starts",
        UserMessage("Starts of earlier drafts"),
        lambda of: of.starts,
        _starts,
        _with_starts,
    ),
)
"""Every setting of a project that steers it."""


def preset_value(preset: Preset) -> object:
    """Return the preset of a project as JSON types: with its settings, for computers that lack it."""
    return {"name": preset.name, "note": preset.note, "sampling": sampling_values(preset.sampling)}


def preset_from(value: object) -> Preset:
    """Return the preset of a project; ValueError, KeyError or TypeError where it is invalid."""
    row = _object(value)
    preset = Preset(_text(row["name"]), sampling_from(row["sampling"]), _text(row.get("note", "")))
    known = by_name(preset.name, ())
    return known if known is not None and preset.sampling in with_earlier(known.sampling) else preset


# ------------------------------------------------------------ JSON's types
def _object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise TypeError("no object")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return value


def _objects(value: object) -> Iterator[dict[str, object]]:
    return (_object(one) for one in _list(value))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("neither yes nor no")
    return value


def _number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise TypeError("no number")
    return value


def _time(value: object) -> datetime:
    time = datetime.fromisoformat(_text(value))
    if time.tzinfo is None:
        raise ValueError("a time without its zone")
    return time
