"""Characters, places and notes as cards: a text of the project, and whether the model is told about it.

A card is a row of the tree; what the lorebook keeps of it are its keywords and when it is included. Plain
functions for a storage thread.
"""

from __future__ import annotations

from dataclasses import replace

from quire.domain.drafting.steering import EMPTY, LoreEntry, NewCard
from quire.domain.manuscript import tree_edits
from quire.domain.manuscript.manuscript import Document, cleaned
from quire.domain.manuscript.tree import NodeKind, Tree
from quire.domain.manuscript.tree_edits import Spot
from quire.errors import WriterProblem
from quire.services.drafting.steering_json import LOREBOOK
from quire.services.transactions.split_and_merge import Edited
from quire.storage.project_file import ProjectFile
from quire.storage.unit_of_work import UnitOfWork

_BROKEN = (ValueError, KeyError, TypeError)


def add_card(
    file: ProjectFile, card: NewCard, entry: LoreEntry | None = None, lorebook: tuple[LoreEntry, ...] = ()
) -> Edited:
    """Add a card to the tree, whatever text is open, and its entry to the lorebook: both or neither.

    Args:
        entry: what the lorebook keeps of the card, which gets its number here; None: nothing yet.
        lorebook: all other entries as the window has them, because some may wait to be stored.
    """
    with file.unit() as unit:
        tree = unit.manuscript.tree()
        new_id = tree.next_id
        tree = _added(unit, tree, card)
        if entry is not None:
            steering = replace(EMPTY, lorebook=lorebook).with_card(entry_of_card(entry, new_id))
            unit.records.save_setting(LOREBOOK.name, LOREBOOK.dumped(steering))
        unit.commit()
    return Edited(tree, new_id=new_id, text_ids=(new_id,))


def entry_of_card(entry: LoreEntry, node_id: int) -> LoreEntry:
    """Return what the lorebook keeps of a card: its name and text are the card's own."""
    return replace(entry, name="", text="", node_id=node_id)


def turn_entries_into_cards(file: ProjectFile) -> Edited | None:
    """Make a card of each lorebook entry with a text of its own, as older versions kept them.

    Names, texts, keywords and order stay what they are, so a paused draft that began with them goes on. None
    where there is nothing to do; an entry that no card could hold as it is remains.
    """
    with file.unit() as unit:
        entries = _entries(unit)
        if not any(_is_own(entry) for entry in entries):
            return None
        tree, new_ids, kept = unit.manuscript.tree(), list[int](), list[LoreEntry]()
        for entry in entries:
            if _is_own(entry):
                new_ids.append(tree.next_id)
                tree = _added(unit, tree, NewCard(NodeKind.NOTE, entry.name, entry.text))
                entry = replace(entry, name="", text="", node_id=new_ids[-1])
            kept.append(entry)
        unit.records.save_setting(LOREBOOK.name, LOREBOOK.dumped(replace(EMPTY, lorebook=tuple(kept))))
        unit.commit()
    return Edited(tree, text_ids=tuple(new_ids))


def _entries(unit: UnitOfWork) -> tuple[LoreEntry, ...]:
    """Return the stored entries; none where they cannot be understood, and then nothing touches them."""
    try:
        value = unit.records.sound_setting(LOREBOOK.name)
        return () if value is None else LOREBOOK.taken(EMPTY, value).lorebook
    except (*_BROKEN, WriterProblem):
        return ()


def _is_own(entry: LoreEntry) -> bool:
    """Return whether an entry has a text of its own, which a card would hold without a change."""
    same = entry.name == tree_edits.cleaned_title(entry.name) and entry.text == cleaned(entry.text)
    return entry.node_id is None and bool(entry.name or entry.text) and same


def _added(unit: UnitOfWork, tree: Tree, card: NewCard) -> Tree:
    new_id = tree.next_id
    nodes = tree_edits.added(tree, card.kind, card.title, Spot(None))
    for node in nodes:
        if node.node_id == new_id:
            unit.manuscript.add(node, Document(new_id, node.title, cleaned(card.text)))
        else:
            unit.manuscript.save_node(node)
    return tree_edits.changed(tree, nodes)
