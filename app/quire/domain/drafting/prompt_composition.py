"""How the writer's steering is put around the story: deterministic, and within a budget.

Base models continue texts like those they were trained on, so steering takes the form of a book: a short
headed paragraph about the story, the people and places by name, a break of asterisks, then the prose. The
author's note is in square brackets, like the directions in a printed play; the engine inserts it as a
paragraph of its own before the newest ones, so that the story continues from its own last words.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from quire.domain.drafting.steering import LoreEntry, Steering
from quire.domain.drafting.story_so_far import (
    ChapterSynopsis,
    Told,
    out_of_view,
    planned,
    synopses_decided,
    told_plan,
    told_so_far,
)
from quire_engine.api.config import CPU_CONTEXT

ABOUT = "About this story"
NAMES = "People, places and things"
SO_FAR = "The story so far"
TO_COME = "What is to come"
BREAK = "* * *\n\n"
"""Parts what the model is told from what it goes on with."""
CHARS_PER_TOKEN = 4.0
"""Of English prose, until the model has counted."""
_TOKENS_PER_OTHER = 0.9
"""Of characters outside of ASCII: quotation marks, accents, and scripts of which each character is a word."""
_ENOUGH_CHARS = 200
_ENDS = (re.compile(r"\n\s*\n"), re.compile(r"[.!?…][”’\"')\]]*(?=\s)"), re.compile(r"\s"))
"""Where a text that is too long may be cut, the best place first."""


class PartOrigin(Enum):
    """The source of a part of the prompt."""

    MEMORY = "memory"
    LOREBOOK = "lorebook"
    STORY_SO_FAR = "story so far"
    PLAN = "plan"
    OPENING = "opening"
    MANUSCRIPT = "manuscript"
    BEAT = "beat"
    DIRECTION = "direction"


class Omission(Enum):
    """Why something is left out of the prompt, wholly or in part."""

    NO_ROOM = "no room"
    SHORTENED = "shortened"
    NOT_CALLED = "not called"
    SWITCHED_OFF = "switched off"
    TOO_OLD = "too old"


@dataclass(frozen=True, slots=True)
class PromptPart:
    """A part of the prompt, character for character; `title` is that of a Lorebook entry."""

    origin: PartOrigin
    text: str
    title: str = ""

    @property
    def chars(self) -> int:
        """Its length."""
        return len(self.text)


@dataclass(frozen=True, slots=True)
class OmittedPart:
    """Something that is left out of the prompt; `chars` is how much of it."""

    origin: PartOrigin
    title: str
    chars: int
    why: Omission


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of the prompt in characters.

    Attributes:
        front: before the story.
        note: near its end.
        recent: how much of the newest story is searched for the keys of the Lorebook.
        view: how much of a story surely stays in view that is too long for the context; one of three times
            that length is read whole.
    """

    front: int = 16_000
    note: int = 1_200
    recent: int = 6_000
    view: int = 16_000

    def __post_init__(self) -> None:
        for name, value in (
            ("front", self.front),
            ("note", self.note),
            ("recent", self.recent),
            ("view", self.view),
        ):
            if value < 0:
                raise ValueError(f"{name} must be 0 or more, got {value}")

    @classmethod
    def for_context(cls, tokens: int, chars_per_token: float = CHARS_PER_TOKEN) -> Budget:
        """Return sensible limits for a context length in tokens: a quarter for the front.

        The front stays in the context for good, and the engine refuses more than half.
        """
        chars = max(int(tokens * chars_per_token), 0)
        return cls(chars // 4, min(1_200, chars // 16), min(6_000, chars), chars // 4)


@dataclass(frozen=True, slots=True)
class ComposedPrompt:
    """What is put before the story and near its end.

    Attributes:
        front_parts, note_parts: the same texts cut by origin; joined they equal these texts.
        synopses: see `synopses_decided`; another one of them ends the run.
        digest: of both texts.
        steering_digest: of what the writer set (Steering.digest); it decides whether a run can be resumed.
        chat: ask in the model's chat form, where it has one.
        note_depth: how many paragraphs of the story come after the note; 0: a few.
    """

    front_text: str
    note_text: str
    front_parts: tuple[PromptPart, ...]
    note_parts: tuple[PromptPart, ...]
    left_out: tuple[OmittedPart, ...]
    digest: str
    steering_digest: str
    chat: bool = False
    note_depth: int = 0
    synopses: tuple[tuple[int, str], ...] = ()

    @property
    def parts(self) -> tuple[PromptPart, ...]:
        """All of them in order; the story comes between and after them."""
        return self.front_parts + self.note_parts


NOTHING = ComposedPrompt("", "", (), (), (), "", "")
"""Nothing but the story itself."""


@dataclass(frozen=True, slots=True)
class PromptReader:
    """What a prompt depends on of the model that reads it.

    Attributes:
        context: its context in tokens.
        has_chat: whether it has a chat template.
    """

    context: int = CPU_CONTEXT
    has_chat: bool = False


@dataclass(frozen=True, slots=True)
class NextPrompt:
    """What a draft that starts now sends.

    Attributes:
        document_id: the text in which it writes.
        story: the book up to the end of that text.
        composed: what is put around it.
        context: of the model, in tokens.
    """

    document_id: int
    story: str
    composed: ComposedPrompt
    context: int


def compose(
    steering: Steering,
    story: str,
    document_id: int | None = None,
    budget: Budget | None = None,
    chapters: Sequence[ChapterSynopsis] = (),
) -> ComposedPrompt:
    """Return the prompt around a story when a run begins.

    What does not fit the budget is left out: Memory has priority, then pinned entries, then the entries that
    the story mentioned last, then the story so far (at most two thirds of what is left), then the plan, then
    the opening.

    Args:
        document_id: the chapter whose next beat is used; None: no beat.
        chapters: the book's, in reading order.
    """
    budget = budget or Budget()
    left_out: list[OmittedPart] = []
    memory = _memory_part(steering, budget.front, left_out)
    room = budget.front - sum(part.chars for part in memory)
    entries = _entry_parts(
        steering.lorebook, story[-budget.recent :] if budget.recent else "", room, left_out
    )
    room -= sum(part.chars for part in entries)
    gone = out_of_view(chapters, budget.view, len(story))
    so_far = told_so_far(gone, 2 * room // 3 - len(SO_FAR) - 2 - len(BREAK))
    story_parts = _synopsis_parts(PartOrigin.STORY_SO_FAR, SO_FAR, so_far, left_out)
    room -= sum(part.chars for part in story_parts)
    to_come = planned(chapters)
    plan = told_plan(to_come, room - len(TO_COME) - 2 - len(BREAK))
    plan_parts = _synopsis_parts(PartOrigin.PLAN, TO_COME, plan, left_out)
    told = _broken_off([*memory, *entries, *story_parts, *plan_parts])
    room = budget.front - sum(part.chars for part in told)
    front = (*told, *_opening_part(steering, room, left_out))
    note = _note_parts(steering, document_id, budget.note, left_out)
    front_text = "".join(part.text for part in front)
    note_text = "".join(part.text for part in note)
    depth = steering.direction.depth if steering.direction.is_set else 0
    whole = json.dumps([front_text, note_text, *([depth] if depth else [])]).encode()
    digest = hashlib.sha256(whole).hexdigest()
    return ComposedPrompt(
        front_text, note_text, front, note, tuple(left_out), digest, steering.digest, steering.chat, depth,
        synopses_decided(chapters, budget.view, len(story)),
    )  # fmt: skip


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text has; only the model knows exactly."""
    plain = len(text.encode("ascii", "ignore"))
    return round(plain / CHARS_PER_TOKEN + (len(text) - plain) * _TOKENS_PER_OTHER)


def chars_per_token(text: str) -> float:
    """Return about how many characters of a text make a token, estimated without the model."""
    return len(text) / max(estimated_tokens(text), 1) if len(text) > _ENOUGH_CHARS else CHARS_PER_TOKEN


def shortened(text: str, room: int) -> str:
    """Return as much of the beginning of a text as fits, cut at a natural boundary."""
    if len(text) <= room:
        return text
    head = text[: max(room, 0)]
    for end in _ENDS:
        places = [match.end() for match in end.finditer(head)]
        if places and places[-1] > room // 2:
            return head[: places[-1]].rstrip()
    return head.rstrip()


# ------------------------------------------------------------ the parts
def _memory_part(steering: Steering, room: int, left_out: list[OmittedPart]) -> list[PromptPart]:
    around = len(ABOUT) + 4 + len(BREAK)
    text = _fitting(PartOrigin.MEMORY, steering.memory.text.strip(), room - around, left_out)
    return [PromptPart(PartOrigin.MEMORY, f"{ABOUT}\n\n{text}\n\n")] if text else []


def _entry_parts(
    entries: Sequence[LoreEntry], recent: str, room: int, left_out: list[OmittedPart]
) -> list[PromptPart]:
    """Return the Lorebook's entries in their order; those mentioned last have priority for space."""
    called = _called(entries, recent, left_out)
    room -= len(NAMES) + 2 + len(BREAK)
    chosen = set[int]()
    for entry in called:
        size = len(_told(entry))
        if size <= room:
            room -= size
            chosen.add(entry.entry_id)
        else:
            left_out.append(_omitted(entry, Omission.NO_ROOM))
    parts = [
        PromptPart(PartOrigin.LOREBOOK, _told(entry), entry.name.strip())
        for entry in entries
        if entry.entry_id in chosen
    ]
    if parts:
        parts[0] = replace(parts[0], text=f"{NAMES}\n\n{parts[0].text}")
    return parts


def _called(entries: Iterable[LoreEntry], recent: str, left_out: list[OmittedPart]) -> list[LoreEntry]:
    """Return the pinned entries, then those that the story mentions, the latest mention first."""
    pinned: list[LoreEntry] = []
    found: list[tuple[int, LoreEntry]] = []
    for entry in entries:
        if not entry.text.strip():
            continue
        if not entry.on:
            left_out.append(_omitted(entry, Omission.SWITCHED_OFF))
        elif entry.pinned:
            pinned.append(entry)
        elif (place := entry.place_in(recent)) >= 0:
            found.append((place, entry))
        else:
            left_out.append(_omitted(entry, Omission.NOT_CALLED))
    found.sort(key=lambda one: -one[0])
    return pinned + [entry for _, entry in found]


def _told(entry: LoreEntry) -> str:
    """Return an entry as a paragraph that begins with its name."""
    name, text = entry.name.strip(), entry.text.strip()
    if not name or text.casefold().startswith(name.casefold()):
        return f"{text}\n\n"
    return f"{name.rstrip('.')}. {text}\n\n"


def _omitted(entry: LoreEntry, why: Omission) -> OmittedPart:
    return OmittedPart(PartOrigin.LOREBOOK, entry.name.strip(), len(entry.text.strip()), why)


def _synopsis_parts(
    origin: PartOrigin, head: str, told: Told, left_out: list[OmittedPart]
) -> list[PromptPart]:
    """Return the paragraphs about chapters under their heading."""
    left_out.extend(
        OmittedPart(origin, one.title, len(one.synopsis.strip()), Omission.NO_ROOM) for one in told.left_out
    )
    parts = [PromptPart(origin, text, one.title) for one, text in told.chapters]
    if parts:
        parts[0] = replace(parts[0], text=f"{head}\n\n{parts[0].text}")
    return parts


def _broken_off(parts: list[PromptPart]) -> list[PromptPart]:
    """Return the front followed by a break; nothing where it is empty."""
    if parts:
        parts[-1] = replace(parts[-1], text=parts[-1].text + BREAK)
    return parts


def _opening_part(steering: Steering, room: int, left_out: list[OmittedPart]) -> list[PromptPart]:
    around = 2 + len(BREAK)
    text = _fitting(PartOrigin.OPENING, steering.opening.strip(), room - around, left_out)
    return [PromptPart(PartOrigin.OPENING, f"{text}\n\n{BREAK}")] if text else []


def _note_parts(
    steering: Steering, document_id: int | None, room: int, left_out: list[OmittedPart]
) -> tuple[PromptPart, ...]:
    """Return the note near the end of the story; the engine makes a paragraph of it."""
    beat = None if document_id is None else steering.next_beat(document_id)
    wishes = [(PartOrigin.DIRECTION, steering.direction.text)]
    wishes.append((PartOrigin.BEAT, "" if beat is None else beat.text))
    told: list[PromptPart] = []
    for origin, wish in wishes:
        text = _fitting(origin, " ".join(wish.split()), room - 3, left_out)
        if text:
            room -= len(text) + 3
            told.append(PromptPart(origin, f"[{text}]"))
    told.reverse()  # the direction comes last, where it weighs most, but has priority for space
    told[:-1] = [replace(part, text=f"{part.text} ") for part in told[:-1]]
    return tuple(told)


def _fitting(origin: PartOrigin, text: str, room: int, left_out: list[OmittedPart]) -> str:
    fitting = shortened(text, room)
    if text and not fitting:
        left_out.append(OmittedPart(origin, "", len(text), Omission.NO_ROOM))
    elif len(fitting) < len(text):
        left_out.append(OmittedPart(origin, "", len(text) - len(fitting), Omission.SHORTENED))
    return fitting
