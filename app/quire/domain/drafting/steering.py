"""How the writer steers the model: memory, author's note, lorebook, opening, beats."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum
from typing import Self

from quire.domain.drafting.story_so_far import BookSynopsis, has_changed
from quire.domain.manuscript.find_replace import MAX_QUERY_CHARS, Query, matches
from quire.domain.manuscript.tree import NodeKind
from quire_engine.api.config import MAX_BANNED, MAX_BANNED_CHARS
from quire_engine.api.user_message import UserMessage

MAX_VERSIONS = 40
MAX_USED = 60
MAX_STARTS = 400
QUIET = timedelta(minutes=10)
"""How long nothing was typed before what stood there is worth keeping as a version of its own."""
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Version:
    """An earlier text of Memory; `when` is until when it was in use, in UTC."""

    when: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Memory:
    """Text that is always in front.

    Attributes:
        changed: when it was last edited.
        was_read: whether a run began with it.
        earlier: the versions before, the newest first.
    """

    text: str = ""
    changed: datetime | None = None
    was_read: bool = False
    earlier: tuple[Version, ...] = ()

    def edited(self, text: str, now: datetime) -> Self:
        """Return Memory with another text.

        A version is kept of what a model has read or what was in use for a while, not of every keystroke.
        """
        if text == self.text:
            return self
        earlier = self.earlier
        rested = self.changed is None or now - self.changed >= QUIET
        known = bool(earlier) and earlier[0].text == self.text
        if self.text.strip() and (self.was_read or rested) and not known:
            earlier = (Version(now, self.text), *earlier)[:MAX_VERSIONS]
        return replace(self, text=text, changed=now, was_read=False, earlier=earlier)


@dataclass(frozen=True, slots=True)
class UsedDirection:
    """An author's note that a run began with.

    Attributes:
        when: that run began, in UTC.
        depth: that it had; None in projects in which each note was for one run.
    """

    text: str
    run_id: int
    when: datetime
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class AuthorsNote:
    """What every draft is told near the end of the story, until the writer changes it.

    Attributes:
        used: what runs began with, the newest first.
        depth: how many paragraphs come after it; 0: a few.
    """

    text: str = ""
    used: tuple[UsedDirection, ...] = ()
    depth: int = 0

    @property
    def is_set(self) -> bool:
        """Whether there is a note."""
        return bool(self.text.strip())

    def taken_by(self, run_id: int, when: datetime) -> Self:
        """Return it as it is once a run began with it."""
        if not self.is_set:
            return self
        used = (UsedDirection(self.text.strip(), run_id, when, self.depth), *self.used)
        return replace(self, used=used[:MAX_USED])

    def given_back(self, run_id: int) -> Self:
        """Return it as it was before a run that never began."""
        return replace(self, used=tuple(one for one in self.used if one.run_id != run_id))

    def has_changed_since(self, run_id: int) -> bool:
        """Return whether a run began with another note, or with none."""
        began = next((one for one in self.used if one.run_id == run_id), None)
        if began is None or began.depth is None:
            return self.is_set
        return (began.text, began.depth) != (self.text.strip(), self.depth)


class Inclusion(Enum):
    """When the model is told about a card."""

    NEVER = "never"
    MENTIONED = "mentioned"
    ALWAYS = "always"


CARD_KINDS = (NodeKind.CHARACTER, NodeKind.PLACE, NodeKind.NOTE)


@dataclass(frozen=True, slots=True)
class NewCard:
    """A card that the writer filled in: a row of the tree, with its text."""

    kind: NodeKind
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class LoreEntry:
    """What the lorebook keeps of a card: when the model is told about it.

    Attributes:
        keys: words in the story that include it; without any its name does.
        pinned: it is always included.
        on: whether it may be included at all.
        node_id: the card whose title and text it has; None: its own, as in projects of older versions.
    """

    entry_id: int
    name: str = ""
    text: str = ""
    keys: tuple[str, ...] = ()
    pinned: bool = False
    on: bool = True
    node_id: int | None = None

    @property
    def inclusion(self) -> Inclusion:
        """When it is included."""
        if not self.on:
            return Inclusion.NEVER
        return Inclusion.ALWAYS if self.pinned else Inclusion.MENTIONED

    def included(self, inclusion: Inclusion) -> Self:
        """Return it with another choice of when it is included."""
        if inclusion is Inclusion.NEVER:
            return replace(self, on=False)
        return replace(self, on=True, pinned=inclusion is Inclusion.ALWAYS)

    @property
    def calls(self) -> tuple[str, ...]:
        """The words that include it."""
        return self.keys or ((self.name,) if self.name.strip() else ())

    def place_in(self, recent: str) -> int:
        """Return where a key occurs last in a text, as search finds whole words; -1 where none does."""
        return max((_last_place(key, recent) for key in self.calls), default=-1)


@dataclass(frozen=True, slots=True)
class Beat:
    """A sentence about what comes next in a chapter; `run_id` is the run that used it."""

    text: str
    run_id: int | None = None


@dataclass(frozen=True, slots=True)
class ChapterBeats:
    """What happens in a chapter, one after another."""

    document_id: int
    beats: tuple[Beat, ...] = ()


@dataclass(frozen=True, slots=True)
class Start:
    """The steering of a run at its start; `front_text` is None once it is no longer kept.

    Attributes:
        synopses: see ComposedPrompt; None for runs of versions that told none.
    """

    run_id: int
    note_text: str = ""
    front_text: str | None = None
    synopses: tuple[tuple[int, str], ...] | None = None


@dataclass(frozen=True, slots=True)
class Steering:
    """All of it, for one project.

    Attributes:
        chat: ask a chat-tuned model in its own chat form.
        starts: what runs began with, the newest first.
        avoided: words and phrases that must not be written, one per line, as typed.
    """

    memory: Memory = field(default_factory=Memory)
    direction: AuthorsNote = field(default_factory=AuthorsNote)
    lorebook: tuple[LoreEntry, ...] = ()
    opening: str = ""
    chapters: tuple[ChapterBeats, ...] = ()
    starts: tuple[Start, ...] = ()
    chat: bool = False
    avoided: str = ""

    @property
    def banned(self) -> tuple[str, ...]:
        """The words and phrases to avoid, within the limits of a run, in a canonical order.

        The order in which they are typed does not make a different run.
        """
        phrases = [phrase for phrase in lines_of(self.avoided) if len(phrase) <= MAX_BANNED_CHARS]
        return tuple(sorted(phrases[:MAX_BANNED]))

    @property
    def next_entry_id(self) -> int:
        """An unused entry number."""
        return max((entry.entry_id for entry in self.lorebook), default=0) + 1

    @property
    def digest(self) -> str:
        """Return a digest of what is put in front of the story, apart from the choice of entries; "":
        nothing.

        A run keeps the front that it began with as long as this is the same: words that the run itself wrote
        may mention other entries, and must not end it.
        """
        entries = [
            [entry.name.strip(), list(entry.calls), entry.text.strip(), entry.pinned]
            for entry in self.lorebook
            if entry.on and entry.text.strip()
        ]
        memory, opening = self.memory.text.strip(), self.opening.strip()
        if not (memory or opening or entries or self.chat):
            return ""
        told = [_FORMAT, memory, opening, entries, self.chat]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()

    def beats_of(self, document_id: int) -> tuple[Beat, ...]:
        """Return the beats of a chapter."""
        return next((one.beats for one in self.chapters if one.document_id == document_id), ())

    def next_beat(self, document_id: int) -> Beat | None:
        """Return the beat that the next run of a chapter uses; None when there is none left."""
        return next((beat for beat in self.beats_of(document_id) if beat.run_id is None), None)

    def entry_of(self, node_id: int) -> LoreEntry | None:
        """Return the entry of a card; None where the model was never told about it."""
        return next((entry for entry in self.lorebook if entry.node_id == node_id), None)

    def with_beats(self, document_id: int, beats: Iterable[Beat]) -> Self:
        """Return it with other beats for a chapter."""
        others = tuple(one for one in self.chapters if one.document_id != document_id)
        kept = tuple(beat for beat in beats if beat.text.strip())
        return replace(self, chapters=(*others, ChapterBeats(document_id, kept)) if kept else others)

    def with_beat_lines(self, document_id: int, lines: Sequence[str]) -> Self:
        """Return it with the beats on the writer's lines; a beat that was used already stays used."""
        told = [beat for beat in self.beats_of(document_id) if beat.run_id is not None]
        beats: list[Beat] = []
        for line in (line.strip() for line in lines):
            known = next((beat for beat in told if beat.text == line), None)
            if known is not None:
                told.remove(known)
            beats.append(known or Beat(line))
        return self.with_beats(document_id, beats)

    def with_entry(self, entry: LoreEntry) -> Self:
        """Return it with an entry added, or with the one of the same number replaced."""
        if all(one.entry_id != entry.entry_id for one in self.lorebook):
            return replace(self, lorebook=(*self.lorebook, entry))
        changed = (entry if one.entry_id == entry.entry_id else one for one in self.lorebook)
        return replace(self, lorebook=tuple(changed))

    def with_card(self, entry: LoreEntry) -> Self:
        """Return it with what is kept of a card (entry.node_id); an entry of that card keeps its number.

        Cards in the trash keep theirs, too, whatever a list of those that are shown would call unused.
        """
        known = None if entry.node_id is None else self.entry_of(entry.node_id)
        number = self.next_entry_id if known is None else known.entry_id
        return self.with_entry(replace(entry, entry_id=number))

    def with_cards_of(self, node_ids: Collection[int]) -> Self:
        """Return it without entries of cards that are in the tree no more: their numbers are given again."""
        kept = tuple(one for one in self.lorebook if one.node_id is None or one.node_id in node_ids)
        return self if len(kept) == len(self.lorebook) else replace(self, lorebook=kept)

    def without_entry(self, entry_id: int) -> Self:
        """Return it without an entry; a note of the project that it shows stays a note."""
        return replace(self, lorebook=tuple(one for one in self.lorebook if one.entry_id != entry_id))

    def begun(self, start: Start, document_id: int, when: datetime) -> Self:
        """Return it as it is once a run began with what was pending."""
        told = self.next_beat(document_id)
        beats = [
            replace(beat, run_id=start.run_id) if beat is told else beat
            for beat in self.beats_of(document_id)
        ]
        others = (one for one in self.starts if one.run_id != start.run_id)
        return replace(
            self.with_beats(document_id, beats),
            memory=replace(self.memory, was_read=True),
            direction=self.direction.taken_by(start.run_id, when),
            starts=(start, *others)[:MAX_STARTS],
        )

    def given_back(self, run_id: int) -> Self:
        """Return it as it was before a run that never began."""
        chapters = tuple(
            replace(one, beats=tuple(_untold(beat, run_id) for beat in one.beats)) for one in self.chapters
        )
        starts = tuple(start for start in self.starts if start.run_id != run_id)
        direction = self.direction.given_back(run_id)
        return replace(self, chapters=chapters, starts=starts, direction=direction)


EMPTY = Steering()


class RestartReason(Enum):
    """Why a new run must begin where one could be continued."""

    NOTHING = ""
    FRONT = UserMessage(
        "You changed Memory, Lorebook or Opening, so this starts a new draft and rereads the text."
    )
    SYNOPSIS = UserMessage(
        "You changed a synopsis that the model reads, so this starts a new draft and rereads the text."
    )
    DIRECTION = UserMessage("You changed the author's note, so this starts a new draft.")
    BEAT = UserMessage("The next beat of this chapter starts a new draft.")

    @property
    def sentence(self) -> str:
        """A message for the writer; empty where the run continues."""
        sentence: str = self.value
        return sentence


def restart_reason(
    steering: Steering,
    began_with: str,
    run_id: int,
    document_id: int,
    synopses: Mapping[int, BookSynopsis] | None = None,
    *,
    has_finished: bool,
) -> RestartReason:
    """Return why a new run must begin where one could be continued.

    A beat waits for the goal: a pause does not end a beat.

    Args:
        began_with: the digest that the run keeps.
        synopses: of the book's chapters now; None: not looked at.
        has_finished: whether it reached its goal.
    """
    if began_with != steering.digest:
        return RestartReason.FRONT
    began = next((one.synopses for one in steering.starts if one.run_id == run_id), None)
    if synopses is not None and has_changed(began or (), synopses):
        return RestartReason.SYNOPSIS
    if steering.direction.has_changed_since(run_id):
        return RestartReason.DIRECTION
    if has_finished and steering.next_beat(document_id) is not None:
        return RestartReason.BEAT
    return RestartReason.NOTHING


def lines_of(text: str) -> list[str]:
    """Return the distinct lines of a list that the writer typed, stripped."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return list(dict.fromkeys(line for line in lines if line))


def _untold(beat: Beat, run_id: int) -> Beat:
    return replace(beat, run_id=None) if beat.run_id == run_id else beat


def _last_place(key: str, text: str) -> int:
    key = key.strip()[:MAX_QUERY_CHARS]
    return max((match.start for match in matches(text, Query(key, whole_words=True))), default=-1)
