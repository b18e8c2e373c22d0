"""Keeps the steering of one open project, and puts it around the story when a run begins."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from quire.domain.drafting.presets import DEFAULT, Preset
from quire.domain.drafting.prompt_composition import (
    Budget,
    ComposedPrompt,
    NextPrompt,
    PromptReader,
    chars_per_token,
    compose,
)
from quire.domain.drafting.run import Run, RunState
from quire.domain.drafting.steering import (
    EMPTY,
    LoreEntry,
    NewCard,
    RestartReason,
    Start,
    Steering,
    restart_reason,
)
from quire.domain.drafting.story_so_far import BookSynopsis, ChapterSynopsis, synopsis_digest
from quire.domain.manuscript.tree import Node, NodeKind, Tree
from quire.errors import WriterProblem
from quire.services.drafting.steering_json import LOREBOOK, SLOTS, preset_from, preset_value
from quire.services.drafting.story_cards import add_card, entry_of_card
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.split_and_merge import Edited
from quire.storage.project_file import ProjectFile
from quire.storage.storage_thread import until_done
from quire.storage.unit_of_work import UnitOfWork
from quire.system.throttle import Throttle
from quire_engine.api.config import SamplingConfig
from quire_engine.api.user_message import UserMessage, joined

STORE_EVERY_S = 0.25
PRESET = "steering.preset"
MODELS_SYNOPSES = "steering.models_synopses"
UNREADABLE = "{0} (unreadable)"
"""Under which name a value is kept that could not be understood, before another takes its place."""
_NOTES = (NodeKind.NOTE, NodeKind.CHARACTER, NodeKind.PLACE)
_BROKEN = (ValueError, KeyError, TypeError, IndexError, RecursionError, OverflowError)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Note:
    """A note of the project, which the Lorebook may include."""

    node_id: int
    title: str
    text: str
    kind: NodeKind = NodeKind.NOTE


@dataclass(frozen=True, slots=True)
class StoredSteering:
    """The stored steering of a project.

    Attributes:
        broken: names of values that could not be understood.
        problem: a message about those; empty without any.
    """

    steering: Steering = EMPTY
    preset: Preset | None = None
    notes: tuple[Note, ...] = ()
    broken: frozenset[str] = frozenset()
    problem: str = ""


# ------------------------------------------------------------ with the file, on a storage thread
def read_steering(file: ProjectFile) -> StoredSteering:
    """Return the stored steering of a project; invalid values are treated as missing."""
    steering, broken, called = EMPTY, set[str](), list[str]()
    with file.reading() as unit:
        for slot in SLOTS:
            try:
                value = unit.records.sound_setting(slot.name)
                steering = steering if value is None else slot.taken(steering, value)
            except (*_BROKEN, WriterProblem):
                broken.add(slot.name)
                called.append(slot.called)
        preset = _read_preset(unit)
        notes = _notes(unit)
        steering = steering.with_cards_of(_numbers(unit))
    problem = ""
    if called:
        problem = joined(
            *(UserMessage("“{name}” could not be read and will be empty.", name=name) for name in called),
            UserMessage("The old contents stay in the file under another name once you enter something new."),
        )
    return StoredSteering(steering, preset, notes, frozenset(broken), problem)


def save_steering(file: ProjectFile, values: Mapping[str, object], broken: Collection[str] = ()) -> None:
    """Store settings by name; a broken one is first kept under another name."""
    with file.unit() as unit:
        for name, value in values.items():
            if name in broken:
                _keep_unreadable(unit, name)
            unit.records.save_setting(name, value)
        unit.commit()


def read_notes(file: ProjectFile) -> tuple[tuple[Note, ...], frozenset[int], dict[int, str]]:
    """Return the notes of a project that are not in the trash, the numbers of everything in its tree, and
    which synopses a model wrote.
    """
    with file.reading() as unit:
        return _notes(unit), _numbers(unit), models_synopses(unit)


def chapters_around(file: ProjectFile, document_id: int) -> tuple[ChapterSynopsis, ...]:
    """Return the chapters of the book, seen from the end of a text of it."""
    with file.reading() as unit:
        order = unit.manuscript.tree().reading_order()
        place = next((number for number, node in enumerate(order) if node.node_id == document_id), -1)
        if place < 0:
            return ()
        by_model, lengths = models_synopses(unit), unit.manuscript.lengths()
        chapters: list[ChapterSynopsis] = []
        chars_after = 0
        for number, node in reversed(list(enumerate(order))):
            chapters.append(
                ChapterSynopsis(
                    node.node_id,
                    " ".join(node.title.split()),
                    node.synopsis,
                    None if number >= place else chars_after,
                    is_drafted=number == place,
                    is_models=by_model.get(node.node_id) == synopsis_digest(node.synopsis),
                )
            )
            if number <= place:
                chars_after += lengths.get(node.node_id, 0)
        return tuple(reversed(chapters))


def models_synopses(unit: UnitOfWork) -> dict[int, str]:
    """Return the digest of each synopsis that a model wrote, by chapter; it may have been changed since."""
    stored = unit.records.setting(MODELS_SYNOPSES)
    rows = stored.items() if isinstance(stored, dict) else ()
    return {int(key): digest for key, digest in rows if key.isdecimal() and isinstance(digest, str)}


def _read_preset(unit: UnitOfWork) -> Preset | None:
    try:
        value = unit.records.setting(PRESET)
        return None if value is None else preset_from(value)
    except (*_BROKEN, WriterProblem):
        return None


def _keep_unreadable(unit: UnitOfWork, name: str) -> None:
    try:
        raw = unit.records.setting(name)
    except WriterProblem:
        return  # not even JSON: there is nothing that could be stored again
    if raw is not None:
        unit.records.save_setting(UNREADABLE.format(name), raw)


def _notes(unit: UnitOfWork) -> tuple[Note, ...]:
    tree = unit.manuscript.tree()
    nodes = sorted(tree.nodes, key=lambda node: (node.kind.value, node.position, node.node_id))
    return tuple(
        Note(
            node.node_id, " ".join(node.title.split()), unit.manuscript.document(node.node_id).text, node.kind
        )
        for node in nodes
        if node.kind in _NOTES and not _in_trash(tree, node)
    )


def _numbers(unit: UnitOfWork) -> frozenset[int]:
    return frozenset(node.node_id for node in unit.manuscript.tree().nodes)


def _in_trash(tree: Tree, node: Node) -> bool:
    while node.trashed is None and node.parent_id is not None:
        node = tree.node(node.parent_id)
    return node.trashed is not None


# ------------------------------------------------------------ on the event loop
@dataclass(slots=True)
class _Unstored:
    """What changed since it was stored."""

    names: set[str] = field(default_factory=set)
    problem: WriterProblem | None = None


class SteeringBook:
    """The steering of one open project: changes take effect at once and are on the disk within 250 ms.

    Attributes:
        failed: called with a message when something could not be stored; the next change, and closing the
            project, try again.
    """

    def __init__(
        self,
        session: ProjectSession,
        kept: StoredSteering,
        failed: Callable[[str], None],
        usual: Preset = DEFAULT,
    ) -> None:
        self._session, self._failed = session, failed
        self._steering, self._notes = kept.steering, kept.notes
        self._preset = kept.preset or usual
        self._broken = set(kept.broken)
        self._by_model: dict[int, str] = {}
        self._unstored = _Unstored()
        self._soon = Throttle(STORE_EVERY_S, self._begin_to_store)
        self._storing: asyncio.Task[None] | None = None
        self.problem = kept.problem
        session.before_close(self.close)

    @classmethod
    async def of(
        cls, session: ProjectSession, failed: Callable[[str], None], usual: Preset = DEFAULT
    ) -> SteeringBook:
        """Return the steering of a project that was just opened; `usual` is its preset where it has none."""
        return cls(session, await session.read(read_steering), failed, usual)

    @property
    def steering(self) -> Steering:
        """The steering, with the current texts of the notes that the Lorebook includes."""
        notes = {note.node_id: note for note in self._notes}
        entries = (_shown(entry, notes) for entry in self._steering.lorebook)
        return replace(self._steering, lorebook=tuple(entry for entry in entries if entry is not None))

    @property
    def preset(self) -> Preset:
        """The preset of the project."""
        return self._preset

    @property
    def sampling(self) -> SamplingConfig:
        """How words are sampled in new runs of the project; the seed is drawn."""
        return replace(self._preset.sampling, banned=self._steering.banned)

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes of the project, as they were read last."""
        return self._notes

    @property
    def is_unstored(self) -> bool:
        """Whether something waits to be stored."""
        return bool(self._unstored.names) or self._storing is not None

    def change(self, change: Callable[[Steering], Steering]) -> None:
        """Apply the writer's change, and store it soon."""
        if self._session.read_only:
            return
        before, self._steering = self._steering, change(self._steering)
        changed = {slot.name for slot in SLOTS if slot.of(before) != slot.of(self._steering)}
        self._store_soon(changed)

    def choose(self, preset: Preset) -> None:
        """Use a preset for the project's drafts."""
        if preset != self._preset and not self._session.read_only:
            self._preset = preset
            self._store_soon({PRESET})

    async def add_card(self, card: NewCard, entry: LoreEntry) -> Edited:
        """Add a card to the tree and its entry to the lorebook in one transaction.

        A lorebook that could not be read is left alone here; the entry is then stored with the next change,
        which keeps the unreadable one under another name.
        """
        is_sound = LOREBOOK.name not in self._broken
        edited = await self._session.write(
            add_card, card, entry if is_sound else None, self._steering.lorebook
        )
        assert edited.new_id is not None
        kept = entry_of_card(entry, edited.new_id)
        self.change(lambda now: now.with_card(kept))  # stored again if anything changed meanwhile
        return edited

    async def refresh_notes(self) -> None:
        """Read the notes of the project again, and forget what was kept of those that are gone for good."""
        self._notes, numbers, self._by_model = await self._session.read(read_notes)
        self.change(lambda now: now.with_cards_of(numbers))

    async def next_prompt(self, reader: PromptReader, document_id: int | None = None) -> NextPrompt:
        """Return what a draft that starts now at the end of a text sends.

        document_id: the text; None: the open one.
        """
        await self.refresh_notes()
        document_id = self._session.document_id if document_id is None else document_id
        story = await self._session.story(document_id)
        chapters = await self._session.read(chapters_around, document_id)
        told = self._steering.memory.text + self._steering.opening
        told += "".join(chapter.synopsis for chapter in chapters)
        budget = Budget.for_context(reader.context, chars_per_token(told))
        composed = compose(self.steering, story, document_id, budget, chapters)
        composed = replace(composed, chat=composed.chat and reader.has_chat)
        return NextPrompt(document_id, story, composed, reader.context)

    def restart_reason(self, last: Run | None) -> RestartReason:
        """Return why the last run cannot be continued."""
        if last is None or not last.started:
            return RestartReason.NOTHING
        finished = last.state is RunState.FINISHED
        order = self._session.tree.reading_order()
        synopses = {
            node.node_id: BookSynopsis(
                node.synopsis, self._by_model.get(node.node_id) == synopsis_digest(node.synopsis)
            )
            for node in order
        }
        return restart_reason(
            self.steering, last.steering, last.run_id, last.document_id, synopses, has_finished=finished
        )

    async def run_started(self, run_id: int, composed: ComposedPrompt) -> None:
        """Store that a run begins with this prompt; before the engine starts.

        The run itself keeps composed.steering_digest.
        """
        start = Start(run_id, composed.note_text, composed.front_text, composed.synopses)
        self.change(lambda now: now.begun(start, self._session.document_id, datetime.now(UTC)))
        await self.store()

    async def run_cancelled(self, run_id: int) -> None:
        """Store that a run never began, so that its beat waits for the next."""
        self.change(lambda now: now.given_back(run_id))
        await self.store()

    async def store(self) -> None:
        """Store everything now; WriterProblem when it cannot be stored."""
        self._soon.cancel()
        while self._storing is not None or self._unstored.names:
            if self._storing is None:
                self._begin_to_store()
            if self._storing is not None:
                await until_done(self._storing)
            if self._unstored.problem is not None:
                raise self._unstored.problem

    async def close(self) -> None:
        """Store what waits; a failure is reported and does not prevent closing."""
        try:
            await self.store()
        except WriterProblem as problem:
            self._failed(problem.message)
        self._soon.cancel()

    def _store_soon(self, names: set[str]) -> None:
        if names:
            self._unstored.names |= names
            self._soon.request()

    def _begin_to_store(self) -> None:
        if self._storing is None and self._unstored.names:
            self._storing = asyncio.ensure_future(self._store())

    async def _store(self) -> None:
        names, self._unstored = self._unstored.names, _Unstored()
        values = {slot.name: slot.dumped(self._steering) for slot in SLOTS if slot.name in names}
        if PRESET in names:
            values[PRESET] = preset_value(self._preset)
        try:
            await self._session.write(save_steering, values, self._broken & names)
            self._broken -= names
        except WriterProblem as problem:
            self._unstored.names |= names
            self._unstored.problem = problem
            self._failed(problem.message)
        except Exception:  # noqa: BLE001  a task of its own: the writer is told, whatever it is
            self._unstored.names |= names
            _log.exception("the steering of a project could not be stored")
            self._unstored.problem = WriterProblem(
                "Memory and the other steering could not be saved because of a bug in Quire. Copy "
                "what you typed there."
            )
            self._failed(str(self._unstored.problem))
        finally:
            self._storing = None
            if self._unstored.names and self._unstored.problem is None:
                self._soon.request()


def _shown(entry: LoreEntry, notes: Mapping[int, Note]) -> LoreEntry | None:
    """Return an entry with the text of its note; None while that is in the trash or deleted."""
    if entry.node_id is None:
        return entry
    note = notes.get(entry.node_id)
    return None if note is None else replace(entry, name=note.title, text=note.text)


class ProjectSteering:
    """The Steerer of one open project, from what is stored in it."""

    def __init__(self, book: SteeringBook) -> None:
        self._book = book

    @classmethod
    async def of(cls, session: ProjectSession, failed: Callable[[str], None]) -> ProjectSteering:
        """Return that of a project; `failed` is called with a message when something could not be stored."""
        return cls(await SteeringBook.of(session, failed))

    @property
    def sampling(self) -> SamplingConfig:
        """How words are sampled in new runs; the seed is drawn."""
        return self._book.sampling

    async def next_prompt(self, session: ProjectSession, reader: PromptReader) -> NextPrompt:
        """Return what a draft at the end of the open text sends."""
        return await self._book.next_prompt(reader)

    async def restart_reason(self, session: ProjectSession, last: Run | None) -> str:
        """Return why the last run cannot be continued, as a sentence for the writer; empty where it can."""
        return self._book.restart_reason(last).sentence

    async def run_started(self, session: ProjectSession, run_id: int, composed: ComposedPrompt) -> None:
        """Store that a run begins with this prompt."""
        await self._book.run_started(run_id, composed)

    async def run_cancelled(self, session: ProjectSession, run_id: int) -> None:
        """Store that a run never began."""
        await self._book.run_cancelled(run_id)
