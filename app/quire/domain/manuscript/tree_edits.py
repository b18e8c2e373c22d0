"""Edits of the tree: each function returns the changed nodes and modifies nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise

from quire.domain.manuscript.tree import Node, NodeKind, Status, Tree
from quire.errors import WriterProblem
from quire_engine.api.user_message import UserMessage

MAX_TITLE = 200
_HOLDS: dict[NodeKind, tuple[NodeKind | None, ...]] = {
    NodeKind.BOOK: (),
    NodeKind.PART: (NodeKind.BOOK,),
    NodeKind.CHAPTER: (NodeKind.BOOK, NodeKind.PART),
    NodeKind.SCENE: (NodeKind.CHAPTER,),
    NodeKind.NOTE: (None,),
    NodeKind.CHARACTER: (None,),
    NodeKind.PLACE: (None,),
}
"""What each kind may lie in; None: beside the book."""
_TEXTS = (NodeKind.CHAPTER, NodeKind.SCENE)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for a node. parent_id: None beside the book. before_id: its next sibling, None for the end."""

    parent_id: int | None
    before_id: int | None = None


@dataclass(frozen=True, slots=True)
class Merged:
    """The result of merging a text into the one before it.

    Attributes:
        into_id: the text before it.
        nodes: the changed ones.
    """

    into_id: int
    nodes: tuple[Node, ...]


def may_lie_in(kind: NodeKind, parent: NodeKind | None) -> bool:
    """Return whether a kind of node may be a child of another kind; None: beside the book."""
    return parent in _HOLDS[kind]


def fits(tree: Tree, node_id: int, spot: Spot) -> bool:
    """Return whether a node may be moved to a place."""
    return not _objection(tree, tree.node(node_id), spot)


def in_trash(tree: Tree, node_id: int) -> bool:
    """Return whether a node, or one of its ancestors, is in the trash."""
    node = tree.node(node_id)
    while node.trashed is None:
        if node.parent_id is None:
            return False
        node = tree.node(node.parent_id)
    return True


def trash_of(tree: Tree) -> tuple[Node, ...]:
    """Return what the writer moved to the trash, the latest first, without its descendants."""
    found = [
        (node.trashed, -node.node_id, node)
        for node in tree.nodes
        if node.trashed is not None and not node.aside
    ]
    return tuple(node for _, _, node in sorted(found, key=lambda one: one[:2], reverse=True))


def changed(tree: Tree, nodes: Iterable[Node], removed_ids: Iterable[int] = ()) -> Tree:
    """Return the tree with some nodes replaced or added, and some removed."""
    by_id = {node.node_id: node for node in (*tree.nodes, *nodes)}
    for node_id in removed_ids:
        del by_id[node_id]
    return Tree(by_id.values())


# ---------------------------------------------------------------- places
def spot_for(tree: Tree, kind: NodeKind, beside_id: int | None = None) -> Spot:
    """Return where to add a new text beside another one; WriterProblem where it is impossible."""
    if beside_id is not None and in_trash(tree, beside_id):
        beside_id = None
    around = [] if beside_id is None else list(_upwards(tree, beside_id))
    for node in around:
        if node.kind is kind:
            return _spot_now(tree, node)
        if may_lie_in(kind, node.kind) and node.kind is not NodeKind.BOOK:
            return Spot(node.node_id)
    if not kind.in_manuscript:
        return Spot(None)
    if kind is NodeKind.SCENE:
        return Spot(_last_chapter(tree).node_id)
    last = next((node for node in reversed(_live(tree, tree.book.node_id))), None)
    if kind is NodeKind.CHAPTER and last is not None and last.kind is NodeKind.PART:
        return Spot(last.node_id)
    return Spot(tree.book.node_id)


def spots_of(tree: Tree, node: Node) -> tuple[Spot, ...]:
    """Return every place that a node can be moved to by steps, in the order of the tree.

    Between two parts there is no place for a chapter: it moves from the end of one to the start of the other.
    """
    if not node.kind.in_manuscript:
        return tuple(_gaps(tree, node, None))
    lost: set[Spot] = set()
    if node.kind is NodeKind.CHAPTER:
        tops = [one for one in _live(tree, tree.book.node_id) if one.node_id != node.node_id]
        pairs = [(one, other) for one, other in pairwise(tops) if one.kind is other.kind is NodeKind.PART]
        lost = {Spot(tree.book.node_id, other.node_id) for _, other in pairs} - {_spot_now(tree, node)}
    return tuple(spot for spot in _gaps(tree, node, tree.book) if spot not in lost)


def spot_of(tree: Tree, node_id: int) -> Spot:
    """Return where a node is now; a node that is moved there again is back in its place."""
    return _spot_now(tree, tree.node(node_id))


def spot_after(tree: Tree, node_id: int, after_id: int) -> Spot:
    """Return the place right after another node, in the same parent."""
    parent_id = tree.node(after_id).parent_id
    ids = [one.node_id for one in tree.children(parent_id) if one.node_id != node_id]
    at = ids.index(after_id) + 1
    return Spot(parent_id, ids[at] if at < len(ids) else None)


def spot_beside(tree: Tree, node_id: int, beside_id: int, *, after: bool) -> Spot | None:
    """Return where a node is read directly before or after another one; None where it can't be.

    At the end of a part this is a place inside of the part, or the one before what follows the part: the side
    of the other node decides.
    """
    if not tree.node(node_id).kind.in_manuscript:
        return None
    moving = {one.node_id for one in below(tree, node_id)}
    order = [one.node_id for one in tree.reading_order() if one.node_id not in moving]
    if beside_id not in order:
        return None
    places = {one: place for place, one in enumerate(order)}
    wanted = places[beside_id] + int(after)
    spots = spots_of(tree, tree.node(node_id))
    found = [spot for spot in spots if _place_in_order(tree, spot, places, moving) == wanted]
    return found[0 if after else -1] if found else None


# ---------------------------------------------------------------- edits
def added(tree: Tree, kind: NodeKind, title: str, spot: Spot) -> tuple[Node, ...]:
    """Return the nodes changed by adding a node; its number is tree.next_id."""
    node = Node(tree.next_id, kind, cleaned_title(title), spot.parent_id)
    return _put(tree, node, spot)


def moved(tree: Tree, node_id: int, spot: Spot) -> tuple[Node, ...]:
    """Return the nodes changed by moving a node; this also restores it from the trash."""
    node = tree.node(node_id)
    if objection := _objection(tree, node, spot):
        raise ValueError(objection)
    if spot.before_id == node_id or (not in_trash(tree, node_id) and _spot_now(tree, node) == spot):
        return ()
    return _put(tree, replace(node, trashed=None), spot)


def shifted(tree: Tree, node_id: int, steps: int) -> tuple[Node, ...]:
    """Return the nodes changed by moving a node down by some places; none at the end."""
    node = tree.node(node_id)
    if node.kind is NodeKind.BOOK or in_trash(tree, node_id):
        return ()
    spots = spots_of(tree, node)
    to = spots.index(_spot_now(tree, node)) + steps
    return _put(tree, node, spots[to]) if 0 <= to < len(spots) else ()


def renamed(tree: Tree, node_id: int, title: str) -> tuple[Node, ...]:
    """Return the nodes changed by renaming a node."""
    return _replaced(tree, replace(tree.node(node_id), title=cleaned_title(title)))


def with_status(tree: Tree, node_id: int, status: Status) -> tuple[Node, ...]:
    """Return the nodes changed by setting a node's status."""
    return _replaced(tree, replace(tree.node(node_id), status=status))


def with_kind(tree: Tree, node_id: int, kind: NodeKind) -> tuple[Node, ...]:
    """Return the nodes changed by making a note, a character or a place another one of these."""
    node = tree.node(node_id)
    if node.kind.in_manuscript or kind.in_manuscript:
        raise ValueError(f"a {node.kind.value} cannot become a {kind.value}")
    return _replaced(tree, replace(node, kind=kind))


def with_synopsis(tree: Tree, node_id: int, synopsis: str) -> tuple[Node, ...]:
    """Return the nodes changed by setting a node's synopsis."""
    return _replaced(tree, replace(tree.node(node_id), synopsis=synopsis))


def with_exported(tree: Tree, node_id: int, *, exported: bool) -> tuple[Node, ...]:
    """Return the nodes changed by including a node in exports, or excluding it."""
    return _replaced(tree, replace(tree.node(node_id), exported=exported))


def trashed(tree: Tree, node_id: int, when: datetime) -> tuple[Node, ...]:
    """Return the nodes changed by moving a node to the trash; it keeps its place for restoring.

    WriterProblem for the last text of a book: there is always one to write in.
    """
    node = tree.node(node_id)
    if node.kind is NodeKind.BOOK:
        raise WriterProblem("The book itself can't be moved to the trash. Choose a part or a chapter.")
    if in_trash(tree, node_id):
        return ()
    gone = replace(node, trashed=when)
    if node.kind.in_manuscript and not _has_text(changed(tree, [gone])):
        raise WriterProblem(
            "{name} contains the only text of the book. Add a chapter first, then move it to the trash.",
            name=named(node),
        )
    return (gone,)


def restored(tree: Tree, node_id: int) -> tuple[Node, ...]:
    """Return the nodes changed by restoring a node from the trash, to its old place if possible."""
    node = replace(tree.node(node_id), trashed=None)
    if node.parent_id is None or not in_trash(tree, node.parent_id):
        return _replaced(tree, node)
    if node.kind is NodeKind.SCENE and _chapters(tree):
        return _put(tree, node, Spot(_last_chapter(tree).node_id))
    if node.kind is NodeKind.SCENE:  # without a chapter for a parent it becomes one
        node = replace(node, kind=NodeKind.CHAPTER)
    return _put(tree, node, Spot(tree.book.node_id))


def expired(tree: Tree, before: datetime) -> tuple[int, ...]:
    """Return what was moved to the trash before a time, if the same holds for all trashed nodes in it."""
    return tuple(
        node.node_id
        for node in trash_of(tree)
        if all(one.trashed is None or one.trashed < before for one in below(tree, node.node_id))
    )


def removed(tree: Tree, node_ids: Iterable[int]) -> tuple[int, ...]:
    """Return the numbers of nodes to be deleted and of all below them, children first.

    ValueError for what is not in the trash.
    """
    doomed: dict[int, None] = {}
    for node_id in node_ids:
        if not in_trash(tree, node_id):
            raise ValueError(f"node {node_id} is not in the trash")
        doomed |= dict.fromkeys(node.node_id for node in below(tree, node_id))
    return tuple(sorted(doomed, key=lambda node_id: -len(list(_upwards(tree, node_id)))))


def split_off(tree: Tree, node_id: int, title: str, *, is_new: bool = False) -> tuple[Node, ...]:
    """Return the nodes changed by splitting off the end of a text; its number is tree.next_id.

    Scenes of a chapter are read after that end, so they go with it.

    Args:
        is_new: it was just drafted, and nobody has revised it whatever the status of the first text.
    """
    node = tree.node(node_id)
    if node.kind in (NodeKind.BOOK, NodeKind.PART):
        raise WriterProblem("A part can't be split. Open a chapter and split that.")
    if in_trash(tree, node_id):
        raise WriterProblem("{name} is in the trash. Restore it first.", name=named(node))
    new = replace(node, node_id=tree.next_id, title=cleaned_title(title), synopsis="")
    if is_new and node.status is not Status.NONE:
        new = replace(new, status=Status.DRAFT)
    scenes = [replace(scene, parent_id=new.node_id) for scene in _live(tree, node_id)]
    return (*_put(tree, new, _spot_now(tree, node)), *scenes)


def merged(tree: Tree, node_id: int, when: datetime) -> Merged:
    """Return the nodes changed by merging a text into the one before it, which trashes the text.

    Its scenes move to the chapter of the one before. WriterProblem where there is none to merge with.
    """
    node, order = tree.node(node_id), [node.node_id for node in tree.reading_order()]
    place = order.index(node_id) if node_id in order else 0
    before = tree.node(order[place - 1]) if place else None
    if node.kind not in _TEXTS or before is None or before.kind not in _TEXTS:
        raise WriterProblem(
            "There is no chapter or scene right before {name} to merge it with. Move it after the "
            "one it should continue.",
            name=named(node),
        )
    nodes: tuple[Node, ...] = (replace(node, trashed=when),)
    if scenes := _live(tree, node_id):
        chapter_id = before.node_id if before.kind is NodeKind.CHAPTER else before.parent_id
        moving = [replace(scene, parent_id=chapter_id) for scene in scenes]
        nodes += _numbered(tree, [*tree.children(chapter_id), *moving])
    return Merged(before.node_id, nodes)


def text_to_show(before: Tree, now: Tree, open_id: int) -> int:
    """Return which text to show after an edit: the open one, or the one before it if that is gone."""
    known = {node.node_id for node in now.nodes}
    if open_id in known and (not in_trash(now, open_id) or in_trash(before, open_id)):
        return open_id
    order = [node.node_id for node in before.reading_order()]
    left = [node.node_id for node in now.reading_order() if node.kind in _TEXTS]
    place = order.index(open_id) if open_id in order else 0
    return next((one for one in [*reversed(order[:place]), *order[place:]] if one in left), left[0])


def cleaned_title(title: str) -> str:
    """Return a title as the tree keeps it: one line, not too long."""
    return " ".join(title.split())[:MAX_TITLE].rstrip()


def named(node: Node) -> str:
    """Return a node's name for use in a sentence."""
    return f"“{node.title}”" if node.title else UserMessage("The untitled text")


def below(tree: Tree, node_id: int) -> Iterator[Node]:
    """Yield a node and everything below it, in the order of the tree."""
    yield tree.node(node_id)
    for child in tree.children(node_id):
        yield from below(tree, child.node_id)


# ---------------------------------------------------------------- inside
def _put(tree: Tree, node: Node, spot: Spot) -> tuple[Node, ...]:
    """Return the nodes changed by putting a node in a place; ValueError where that is not allowed."""
    if objection := _objection(tree, node, spot):
        raise ValueError(objection)
    siblings = [one for one in tree.children(spot.parent_id) if one.node_id != node.node_id]
    ids = [one.node_id for one in siblings]
    at = len(siblings) if spot.before_id is None else ids.index(spot.before_id)
    siblings.insert(at, replace(node, parent_id=spot.parent_id))
    return _numbered(tree, siblings)


def _objection(tree: Tree, node: Node, spot: Spot) -> str:
    """Return why a node cannot be put in a place, or nothing."""
    known = {one.node_id for one in tree.nodes}
    if spot.parent_id is not None and spot.parent_id not in known:
        return f"there is no node {spot.parent_id}"
    parent = None if spot.parent_id is None else tree.node(spot.parent_id)
    if not may_lie_in(node.kind, None if parent is None else parent.kind):
        return (
            f"a {node.kind.value} cannot lie in {'nothing' if parent is None else 'a ' + parent.kind.value}"
        )
    if parent is not None and in_trash(tree, parent.node_id):
        return f"node {parent.node_id} is in the trash"
    if parent is not None and node.node_id in [one.node_id for one in _upwards(tree, parent.node_id)]:
        return f"node {node.node_id} cannot lie in itself"
    children = [one.node_id for one in tree.children(spot.parent_id)]
    if spot.before_id is not None and spot.before_id not in children:
        return f"node {spot.before_id} does not lie in {spot.parent_id}"
    return ""


def _numbered(tree: Tree, siblings: Sequence[Node]) -> tuple[Node, ...]:
    nodes = [replace(node, position=place) for place, node in enumerate(siblings)]
    known = {node.node_id: node for node in tree.nodes}
    return tuple(node for node in nodes if known.get(node.node_id) != node)


def _replaced(tree: Tree, node: Node) -> tuple[Node, ...]:
    return () if tree.node(node.node_id) == node else (node,)


def _upwards(tree: Tree, node_id: int) -> Iterator[Node]:
    """Yield a node and its ancestors, the book last."""
    node = tree.node(node_id)
    yield node
    while node.parent_id is not None:
        node = tree.node(node.parent_id)
        yield node


def _live(tree: Tree, node_id: int | None) -> list[Node]:
    return [node for node in tree.children(node_id) if node.trashed is None]


def _peers(tree: Tree, node: Node, parent_id: int | None) -> list[Node]:
    """Return a node's siblings as the writer sees them: beside the book only those of its kind."""
    live = _live(tree, parent_id)
    return live if parent_id is not None else [one for one in live if one.kind is node.kind]


def _spot_now(tree: Tree, node: Node) -> Spot:
    """Return a node's place among what the writer sees; for a trashed one, its end."""
    ids = [one.node_id for one in _peers(tree, node, node.parent_id)]
    behind = ids[ids.index(node.node_id) + 1 :] if node.node_id in ids else []
    return Spot(node.parent_id, behind[0] if behind else None)


def _place_in_order(tree: Tree, spot: Spot, places: Mapping[int, int], moving: Collection[int]) -> int:
    """Return the place of a spot in the reading order of what does not move."""
    if spot.before_id is not None:
        return places[spot.before_id]
    last = tree.book.node_id if spot.parent_id is None else spot.parent_id
    while staying := [one.node_id for one in _live(tree, last) if one.node_id not in moving]:
        last = staying[-1]
    return places.get(last, -1) + 1  # the book itself is not read


def _gaps(tree: Tree, node: Node, parent: Node | None) -> Iterator[Spot]:
    """Yield every place below a parent where a node may be put."""
    parent_id = None if parent is None else parent.node_id
    holds = may_lie_in(node.kind, None if parent is None else parent.kind)
    for child in _peers(tree, node, parent_id):
        if child.node_id == node.node_id:
            continue
        if holds:
            yield Spot(parent_id, child.node_id)
        if parent is not None:
            yield from _gaps(tree, node, child)
    if holds:
        yield Spot(parent_id)


def _chapters(tree: Tree) -> list[Node]:
    return [node for node in tree.reading_order() if node.kind is NodeKind.CHAPTER]


def _last_chapter(tree: Tree) -> Node:
    chapters = _chapters(tree)
    if not chapters:
        raise WriterProblem("A scene needs a chapter. Add a chapter first.")
    return chapters[-1]


def _has_text(tree: Tree) -> bool:
    return any(node.kind in _TEXTS for node in tree.reading_order())
