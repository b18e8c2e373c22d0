"""The chapters that a draft made belong to it: they go and come with the words that they continue."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from quire.domain.drafting.take_metrics import runs_in
from quire.domain.manuscript import tree_edits
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.provenance import Origin, Provenance
from quire.domain.manuscript.takes import Take
from quire.domain.manuscript.tree import Node, NodeKind, Tree, text_up_to
from quire.storage.unit_of_work import UnitOfWork


def following(
    unit: UnitOfWork, document: Document, start: int, run_ids: Collection[int] = (), take: Take | None = None
) -> tuple[int, ...]:
    """Return the chapters that the words of a text from a place on continue in, in reading order.

    A chapter that holds no word of its draft any more is the writer's. Drafts that began in one of the
    chapters continue this one.

    Args:
        run_ids: runs that wrote there even if none of their words are left in this text.
        take: the same for the runs of a take.
    """
    runs = {run.run_id: run for run in unit.runs.all()}
    order = [node.node_id for node in unit.manuscript.tree().reading_order()]
    of_take = {run.run_id for run in runs.values() if take is not None and run.take_id == take.take_id}
    waiting = [(document.document_id, {*runs_in(document, start), *run_ids, *of_take})]
    found = set[int]()
    while waiting:
        text_id, wrote = waiting.pop()
        for run in (runs[run_id] for run_id in wrote if run_id in runs and text_id in runs[run_id].texts):
            for later in run.texts[run.texts.index(text_id) + 1 :]:
                if later in order and later not in found and later != document.document_id:
                    words = runs_in(unit.manuscript.document(later), 0)
                    if run.run_id in words:
                        found.add(later)
                        waiting.append((later, set(words)))
    return tuple(sorted(found, key=order.index))


def put_aside(unit: UnitOfWork, take_id: int, document_id: int, chapters: Sequence[int]) -> None:
    """Take chapters out of the book as the end of a take that begins in a text.

    Scenes below them that are not part of it are read after that text, as they were before.
    """
    now, placed = datetime.now(UTC), list[tuple[int, int]]()
    for number in chapters:
        tree = unit.manuscript.tree()
        node = tree.node(number)
        placed.append((number, _before(tree, node, document_id)))
    home = unit.manuscript.tree().node(document_id)
    for number in chapters:
        tree = unit.manuscript.tree()
        _give_scenes(unit, tree, number, home, chapters)
        unit.manuscript.save_node(replace(tree.node(number), trashed=now, aside=True))
    unit.aside.put(take_id, placed)


def bring_back(unit: UnitOfWork, take_id: int, document_id: int) -> tuple[int, ...]:
    """Put the chapters of a take back to where they stood; return them."""
    chapters = list[int]()
    last = document_id
    for number, after in unit.aside.of(take_id):
        tree = unit.manuscript.tree()
        if not any(node.node_id == number and node.aside for node in tree.nodes):
            continue  # deleted for good
        known = {node.node_id for node in tree.nodes}
        if after not in known or tree_edits.in_trash(tree, after):
            after = last
        node = tree.node(number)
        spot = tree_edits.spot_after(tree, number, after)
        if not tree_edits.fits(tree, number, spot):
            spot = tree_edits.spot_for(tree, node.kind)
        for one in tree_edits.moved(tree, number, spot):
            unit.manuscript.save_node(one)
        chapters.append(number)
        last = number
    unit.aside.put(take_id, ())
    if chapters:
        tree = unit.manuscript.tree()
        _give_scenes(unit, tree, document_id, tree.node(last), chapters)
    return tuple(chapters)


def gone_with(unit: UnitOfWork, takes: Iterable[Take]) -> tuple[int, ...]:
    """Return the chapters that are deleted with takes, and with the takes that begin in them, and what is
    below them, children first.
    """
    tree = unit.manuscript.tree()
    found, waiting = dict[int, None](), list(takes)
    while waiting:
        for number, _ in unit.aside.of(waiting.pop().take_id):
            if number in found or all(node.node_id != number for node in tree.nodes):
                continue
            for node in reversed(tuple(tree_edits.below(tree, number))):
                found[node.node_id] = None
                waiting += unit.takes.of(node.node_id).all
    return tuple(found)


def as_one(documents: Iterable[Document]) -> Document:
    """Return consecutive texts as one, as they are read."""
    first, *rest = documents
    for one in rest:
        between = len(text_up_to((first.text, one.text))) - len(first.text) - len(one.text)
        first = first.followed_by("\n" * between, Provenance.of(between, Origin.WRITTEN))
        first = first.followed_by(one.text, one.provenance)
    return first


def _before(tree: Tree, node: Node, document_id: int) -> int:
    """Return the sibling that a chapter stands after; the text that its take begins in where it is first."""
    siblings = [one.node_id for one in tree.children(node.parent_id) if one.trashed is None]
    place = siblings.index(node.node_id)
    return siblings[place - 1] if place else document_id


def _give_scenes(unit: UnitOfWork, tree: Tree, node_id: int, to: Node, going: Collection[int]) -> None:
    """Move the scenes below a chapter to another one, except those that come and go with it."""
    if to.kind is not NodeKind.CHAPTER or tree.node(node_id).kind is not NodeKind.CHAPTER:
        return
    for scene in tree.children(node_id):
        if scene.trashed is None and scene.node_id not in going:
            now = unit.manuscript.tree()
            for one in tree_edits.moved(now, scene.node_id, tree_edits.Spot(to.node_id)):
                unit.manuscript.save_node(one)
