"""Characters, places and notes as cards, of which the model may be told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quire.domain.drafting.prompt_composition import PromptReader
from quire.domain.drafting.steering import EMPTY, Inclusion, LoreEntry, NewCard, Steering
from quire.domain.manuscript.tree import NodeKind
from quire.domain.manuscript.tree_requests import SetKind
from quire.errors import WriterProblem
from quire.services.drafting import steering_service
from quire.services.drafting.steering_json import LOREBOOK
from quire.services.drafting.steering_service import SteeringBook, read_steering, save_steering
from quire.services.drafting.story_cards import add_card, turn_entries_into_cards
from quire.services.project.project_session import ProjectSession
from quire.services.project.tree_editing import note_in_book
from quire.services.transactions import tree_changes
from quire.storage.project_file import ProjectFile
from quire.storage.record_repository import RecordRepository

RunAsync = Callable[[Any], Any]
OLD = (
    LoreEntry(1, "Mara", "A ferrywoman.", ("ferry", "Mara"), pinned=True),
    LoreEntry(4, "The bell", "It rings by itself.\n\nNobody knows why.", on=False),
    LoreEntry(7, "A  name of a version\nlong ago", "Told as it was."),
)


async def project(path: Path, entries: tuple[LoreEntry, ...]) -> ProjectSession:
    session = await ProjectSession.create(path / "novel.quire", "Night", "Mara came to the bell.")
    dumped = LOREBOOK.dumped(replace(EMPTY, lorebook=entries))
    await session.write(save_steering, {LOREBOOK.name: dumped})
    return session


async def steering_of(session: ProjectSession) -> Steering:
    return (await SteeringBook.of(session, lambda _: None)).steering


def test_entries_of_older_versions_become_cards_and_a_paused_draft_goes_on(
    run_async: RunAsync, tmp_path: Path
) -> None:
    async def scenario() -> None:
        session = await project(tmp_path, OLD)
        before = await steering_of(session)
        edited = await session.write(turn_entries_into_cards)
        assert edited is not None
        session.arranged(edited)
        after = await steering_of(session)
        assert after.digest == before.digest != ""
        assert [replace(one, node_id=None) for one in after.lorebook] == list(OLD)
        assert [one.node_id is None for one in after.lorebook] == [False, False, True]
        cards = [session.tree.node(number) for number in edited.text_ids]
        assert [(card.kind, card.title) for card in cards] == [
            (NodeKind.NOTE, "Mara"),
            (NodeKind.NOTE, "The bell"),
        ]
        assert await session.write(turn_entries_into_cards) is None
        await session.close()

    run_async(scenario())


def test_a_card_is_a_row_of_the_tree_and_stays_when_the_model_is_no_longer_told(
    run_async: RunAsync, tmp_path: Path
) -> None:
    async def scenario() -> None:
        session = await project(tmp_path, ())
        edited = await session.write(add_card, NewCard(NodeKind.CHARACTER, "Mara", "A ferrywoman."))
        session.arranged(edited)
        assert edited.new_id is not None
        book = await SteeringBook.of(session, lambda _: None)
        entry = LoreEntry(1, node_id=edited.new_id)
        for inclusion, told in (
            (Inclusion.MENTIONED, True),
            (Inclusion.NEVER, False),
            (Inclusion.ALWAYS, True),
        ):
            book.change(lambda now, chosen=inclusion: now.with_entry(entry.included(chosen)))  # type: ignore[misc]
            assert ("A ferrywoman." in (await book.next_prompt(PromptReader())).composed.front_text) is told
        book.change(lambda now: now.without_entry(1))
        assert (await book.next_prompt(PromptReader())).composed.front_text == ""
        await note_in_book(session, SetKind(edited.new_id, NodeKind.PLACE))
        assert session.tree.node(edited.new_id).kind is NodeKind.PLACE
        await session.close()

    run_async(scenario())


def test_what_cannot_be_understood_is_left_alone(run_async: RunAsync, tmp_path: Path) -> None:
    async def scenario() -> None:
        session = await project(tmp_path, ())
        await session.write(save_steering, {LOREBOOK.name: [{"id": "no number"}]})
        assert await session.write(turn_entries_into_cards) is None
        assert len(session.tree.nodes) == 2
        await session.close()

    run_async(scenario())


def test_a_new_card_takes_nothing_from_one_in_the_trash() -> None:
    trashed = LoreEntry(3, keys=("bell",), node_id=7)
    raw = replace(EMPTY, lorebook=(LoreEntry(1, node_id=5), trashed))
    added = raw.with_card(LoreEntry(2, keys=("ferry",), node_id=9))  # 2: unused among those that are shown
    assert trashed in added.lorebook
    assert added.entry_of(9) == LoreEntry(4, keys=("ferry",), node_id=9)
    again = added.with_card(LoreEntry(8, pinned=True, node_id=9))
    assert [one.entry_id for one in again.lorebook] == [1, 3, 4]
    assert again.entry_of(9) == LoreEntry(4, pinned=True, node_id=9)


def test_a_new_card_and_its_entry_are_stored_together_or_not_at_all(
    run_async: RunAsync, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steering_service, "STORE_EVERY_S", 600.0)  # only what add_card() stores is there
    card, entry = NewCard(NodeKind.CHARACTER, "Mara", "A ferrywoman."), LoreEntry(9, keys=("ferry",))

    def fail(*_: object) -> None:
        raise WriterProblem("The disk is full.")

    async def scenario() -> None:
        session = await project(tmp_path, OLD)
        before = len(session.tree.nodes)
        book = await SteeringBook.of(session, lambda _: None)
        with monkeypatch.context() as full:
            full.setattr(RecordRepository, "save_setting", fail)
            with pytest.raises(WriterProblem):
                await book.add_card(card, entry)
        assert await session.read(num_nodes) == before
        edited = await book.add_card(card, entry)
        assert edited.new_id is not None
        assert await session.read(num_nodes) == before + 1
        kept = (await session.read(read_steering)).steering.lorebook
        assert kept == (*OLD, LoreEntry(8, keys=("ferry",), node_id=edited.new_id))
        await session.close()

    run_async(scenario())


def num_nodes(file: ProjectFile) -> int:
    with file.reading() as unit:
        return len(unit.manuscript.tree().nodes)


def test_what_was_kept_of_a_card_goes_with_it_for_good(run_async: RunAsync, tmp_path: Path) -> None:
    async def scenario() -> None:
        session = await project(tmp_path, ())
        edited = await session.write(add_card, NewCard(NodeKind.CHARACTER, "Mara", "A ferrywoman."))
        session.arranged(edited)
        assert edited.new_id is not None
        book = await SteeringBook.of(session, lambda _: None)
        await book.refresh_notes()
        book.change(lambda now: now.with_card(LoreEntry(1, keys=("ferry",), node_id=edited.new_id)))
        assert book.steering.entry_of(edited.new_id) is not None
        await session.write(tree_changes.trash, edited.new_id)
        await book.refresh_notes()
        assert book.steering.lorebook == ()
        await session.write(tree_changes.restore, edited.new_id)
        await book.refresh_notes()
        assert book.steering.entry_of(edited.new_id) is not None  # it only was in the trash
        await session.write(tree_changes.trash, edited.new_id)
        await session.write(tree_changes.empty_trash)
        await book.refresh_notes()
        await book.store()
        again = await session.write(add_card, NewCard(NodeKind.NOTE, "Elsewhere", "A note."))
        assert again.new_id == edited.new_id  # numbers are given again
        await book.refresh_notes()
        assert book.steering.lorebook == ()
        assert (await SteeringBook.of(session, lambda _: None)).steering.lorebook == ()
        await session.close()

    run_async(scenario())
