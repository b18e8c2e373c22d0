"""What steers a project's drafts, kept in its file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quire.domain.drafting.presets import BALANCED, BUILT_IN, FAITHFUL, LIVELY, Preset
from quire.domain.drafting.prompt_composition import PartOrigin, PromptReader
from quire.domain.drafting.run import Run, RunState
from quire.domain.drafting.steering import (
    EMPTY,
    AuthorsNote,
    LoreEntry,
    Memory,
    RestartReason,
    Start,
    Steering,
    Version,
)
from quire.domain.manuscript.tree import NodeKind
from quire.domain.manuscript.tree_requests import AddText, Trash
from quire.services.drafting.steering_json import SLOTS, preset_value
from quire.services.drafting.steering_service import (
    PRESET,
    UNREADABLE,
    SteeringBook,
    StoredSteering,
    read_steering,
    save_steering,
)
from quire.services.project.project_session import ProjectSession
from quire.services.project.tree_editing import change_book
from quire.storage.problems import DiskFull
from quire.storage.project_file import ProjectFile
from quire_engine.api.config import SamplingConfig
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import IDENTITY, Disk

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
FULL = Steering(
    memory=Memory("October.", NOON, True, (Version(NOON, "November."),)),
    direction=AuthorsNote("Storm").taken_by(3, NOON),
    lorebook=(LoreEntry(1, "Mara", "A ferrywoman.", ("ferry",), True), LoreEntry(4, on=False, node_id=9)),
    opening="It rained.",
    starts=(Start(3, "[Storm]", "front"), Start(2, "", "front"), Start(1)),
    chat=True,
    avoided="a testament to\ncouldn't help but\n",
).with_beat_lines(1, ["She waits", "He comes"])
RunAsync = Callable[[Any], Any]


def stored(values: dict[str, object]) -> Steering:
    steering = EMPTY
    for slot in SLOTS:
        value = values.get(slot.name)
        steering = steering if value is None else slot.taken(steering, value)
    return steering


async def project(path: Path) -> ProjectSession:
    return await ProjectSession.create(path / "novel.quire", "Night", "Mara came.")


async def book_of(session: ProjectSession, told: list[str] | None = None) -> SteeringBook:
    listener: list[str] = [] if told is None else told
    return await SteeringBook.of(session, listener.append)


# ------------------------------------------------------------ as JSON's types
def test_everything_comes_back_as_it_was() -> None:
    assert stored({slot.name: slot.dumped(FULL) for slot in SLOTS}) == FULL


def test_nothing_is_kept_of_nothing() -> None:
    assert all(slot.dumped(EMPTY) is None for slot in SLOTS)


def test_equal_fronts_are_kept_once_and_old_ones_not_at_all() -> None:
    starts = tuple(Start(number, "", "f" * 10) for number in range(50, 0, -1))
    slot = SLOTS[-1]
    value: Any = slot.dumped(replace(EMPTY, starts=starts))
    assert value["fronts"] == ["f" * 10]
    kept = slot.taken(EMPTY, value).starts
    assert [start.front_text is None for start in kept] == [False] * 20 + [True] * 30


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["text", "changed", "read", "earlier", "used", "fronts", "runs", "chapter", "beats"]
            ),
            inner,
        )
    ),
    max_leaves=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(values=st.fixed_dictionaries({slot.name: json_values for slot in SLOTS} | {PRESET: json_values}))
def test_no_value_crashes_the_reader(
    run_async: RunAsync, tmp_path_factory: pytest.TempPathFactory, values: dict[str, object]
) -> None:
    async def scenario() -> StoredSteering:
        session = await project(tmp_path_factory.mktemp("book"))
        try:
            await session.write(save_steering, values)
            return await session.read(read_steering)
        finally:
            await session.close()

    kept = asyncio.run(scenario())
    assert bool(kept.problem) is bool(kept.broken)
    assert kept.broken <= {slot.name for slot in SLOTS}


# ------------------------------------------------------------ in the file
def test_a_change_is_in_the_file_without_being_asked_for(run_async: RunAsync, tmp_path: Path) -> None:
    async def scenario() -> None:
        session = await project(tmp_path)
        book = await book_of(session)
        book.change(lambda _: FULL)
        book.choose(LIVELY)
        assert book.is_unstored
        await turns_until(lambda: not book.is_unstored)
        kept = await session.read(read_steering)
        assert kept.steering == FULL.with_cards_of(())  # its card isn't in this project
        assert kept.preset is not None
        assert (kept.preset.name, kept.preset.sampling) == ("Lively", LIVELY.sampling)
        await session.close()

    run_async(scenario())


def test_a_project_with_the_faithful_of_an_earlier_version_has_the_present_one(
    run_async: RunAsync, tmp_path: Path
) -> None:
    async def scenario() -> None:
        desk = await project(tmp_path)
        earlier = SamplingConfig(temperature=0.8, min_p=0.15, repetition_penalty=1.15)
        await desk.write(save_steering, {PRESET: preset_value(replace(FAITHFUL, sampling=earlier))})
        assert (await book_of(desk)).preset == FAITHFUL
        own = replace(FAITHFUL, sampling=replace(earlier, top_k=7))
        await desk.write(save_steering, {PRESET: preset_value(own)})
        assert (await book_of(desk)).preset.sampling == own.sampling
        await desk.close()

    run_async(scenario())


def test_what_was_typed_last_is_stored_when_the_project_is_closed(
    run_async: RunAsync, tmp_path: Path
) -> None:
    async def scenario() -> None:
        session = await project(tmp_path)
        book = await book_of(session)
        for text in ("M", "Ma", "Mara"):
            book.change(lambda now, text=text: replace(now, opening=text))  # type: ignore[misc]
        await session.close()
        again = await ProjectSession.open(session.path)
        assert (await book_of(again)).steering.opening == "Mara"
        await again.close()

    run_async(scenario())


def test_a_value_that_cannot_be_understood_is_told_and_kept_under_another_name(
    run_async: RunAsync, tmp_path: Path
) -> None:
    def raw(file: ProjectFile, name: str) -> object:
        with file.reading() as unit:
            return unit.records.setting(name)

    async def scenario() -> None:
        session = await project(tmp_path)
        broken = {"steering.memory": ["what", 1], "steering.opening": {"a": 2}, PRESET: 5}
        await session.write(save_steering, {**broken, "steering.beats": SLOTS[4].dumped(FULL)})
        book = await book_of(session)
        assert book.problem.startswith("“Memory” could not be read")
        assert book.steering == replace(EMPTY, chapters=FULL.chapters)
        assert book.preset == BALANCED
        assert await session.read(raw, "steering.memory") == ["what", 1]
        book.change(lambda now: replace(now, memory=Memory("New")))
        await book.store()
        assert await session.read(raw, UNREADABLE.format("steering.memory")) == ["what", 1]
        assert await session.read(raw, "steering.opening") == {"a": 2}  # nothing took its place
        assert (await session.read(read_steering)).steering.memory.text == "New"
        book.change(lambda now: replace(now, memory=Memory("Newer")))
        await book.store()
        assert await session.read(raw, UNREADABLE.format("steering.memory")) == ["what", 1]
        await session.close()

    run_async(scenario())


def test_a_full_disk_is_told_once_and_the_text_is_stored_later(
    run_async: RunAsync, tmp_path: Path, disk: Disk
) -> None:
    async def scenario() -> None:
        session = await project(tmp_path)
        told: list[str] = []
        book = await book_of(session, told)
        disk.fill()
        book.change(lambda now: replace(now, opening="word " * 200_000))
        with pytest.raises(DiskFull):
            await book.store()
        assert len(told) == 1
        assert book.is_unstored
        disk.make_room()
        await book.store()
        assert not book.is_unstored
        await session.close()
        again = await ProjectSession.open(session.path)
        assert (await book_of(again)).steering.opening == "word " * 200_000
        await again.close()

    run_async(scenario())


# ------------------------------------------------------------ notes and runs
def test_a_note_in_the_lorebook_is_told_as_it_stands_until_it_goes(
    run_async: RunAsync, tmp_path: Path
) -> None:
    async def scenario() -> None:
        session = await project(tmp_path)
        edited = await change_book(session, AddText(NodeKind.CHARACTER, "Mara"))
        number = edited.new_id
        assert number is not None
        await session.open_document(1)
        book = await book_of(session)
        book.change(lambda now: now.with_entry(LoreEntry(1, node_id=number)))
        await session.save_other(number, "She keeps the ferry.")
        composed = (await book.next_prompt(PromptReader())).composed
        assert "Mara. She keeps the ferry." in composed.front_text
        assert [note.kind for note in book.notes] == [NodeKind.CHARACTER]
        before = book.steering.digest
        await session.save_other(number, "She keeps the bell.")
        await book.refresh_notes()
        assert book.steering.digest != before
        await change_book(session, Trash(number))
        assert PartOrigin.LOREBOOK not in {
            part.origin for part in (await book.next_prompt(PromptReader())).composed.parts
        }
        await book.store()
        assert (await session.read(read_steering)).steering.lorebook == (LoreEntry(1, node_id=number),)
        await session.close()

    run_async(scenario())


def a_run(session: ProjectSession, steering: str, state: RunState) -> Run:
    return Run(
        5,
        session.document_id,
        SamplingConfig(),
        50,
        "",
        "",
        state,
        model=IDENTITY,
        num_prompt=3,
        steering=steering,
    )


def test_a_run_begins_with_what_was_composed_and_goes_on_only_with_that(
    run_async: RunAsync, tmp_path: Path
) -> None:
    async def scenario() -> None:
        session = await project(tmp_path)
        book = await book_of(session)
        book.change(lambda now: replace(now, memory=Memory("October."), direction=AuthorsNote("Storm")))
        book.change(lambda now: now.with_beat_lines(session.document_id, ["She waits", "He comes"]))
        composed = (await book.next_prompt(PromptReader())).composed
        await book.run_started(5, composed)
        kept = (await session.read(read_steering)).steering
        assert kept.starts == (
            Start(5, "[She waits] [Storm]", composed.front_text, ((session.document_id, ""),)),
        )
        assert kept.direction.used[0].run_id == 5
        paused = a_run(session, composed.steering_digest, RunState.PAUSED)
        assert book.restart_reason(None) is RestartReason.NOTHING
        assert book.restart_reason(paused) is RestartReason.NOTHING
        finished = a_run(session, composed.steering_digest, RunState.FINISHED)
        assert book.restart_reason(finished) is RestartReason.BEAT
        book.change(lambda now: replace(now, memory=now.memory.edited("May.", NOON)))
        assert book.restart_reason(paused) is RestartReason.FRONT
        assert [version.text for version in book.steering.memory.earlier] == ["October."]
        await book.run_cancelled(5)
        assert (await book.next_prompt(PromptReader())).composed.note_text == "[She waits] [Storm]"
        await session.close()

    run_async(scenario())


def test_nothing_is_changed_in_a_project_that_is_only_read(run_async: RunAsync, tmp_path: Path) -> None:
    async def scenario() -> None:
        session = await project(tmp_path)
        await session.write(save_steering, {"steering.opening": "It rained."})
        await session.close()
        reader = await ProjectSession.open_to_read(session.path)
        book = await book_of(reader)
        assert book.steering.opening == "It rained."
        if reader.read_only:
            book.change(lambda now: replace(now, opening="other"))
            book.choose(LIVELY)
            assert not book.is_unstored
        await reader.close()

    run_async(scenario())


def test_a_project_without_a_preset_takes_the_usual_one(run_async: RunAsync, tmp_path: Path) -> None:
    async def scenario() -> None:
        session = await project(tmp_path)
        gothic = Preset("Gothic", SamplingConfig(temperature=1.4))
        assert (await SteeringBook.of(session, list[str]().append, gothic)).preset == gothic
        book = await book_of(session)
        assert book.preset in BUILT_IN
        book.choose(gothic)
        await book.store()
        assert (await book_of(session)).preset == gothic
        await session.close()

    run_async(scenario())
