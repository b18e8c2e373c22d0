from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.manuscript import tree_edits
from quire.domain.manuscript.tree import Node, NodeKind, Status, Tree
from quire.domain.manuscript.tree_edits import Spot, changed
from quire.errors import WriterProblem

NOW = datetime(2026, 5, 1, tzinfo=UTC)
BOOK, PART_ONE, HARBOUR, LETTERS, STORM, CALM, PART_TWO, FERRY, MARA, PORT, NOTE = range(1, 12)
NODES = (
    Node(BOOK, NodeKind.BOOK, "Book"),
    Node(PART_ONE, NodeKind.PART, "Part One", BOOK, 0),
    Node(HARBOUR, NodeKind.CHAPTER, "Harbour", PART_ONE, 0),
    Node(LETTERS, NodeKind.CHAPTER, "Letters", PART_ONE, 1),
    Node(STORM, NodeKind.SCENE, "Storm", LETTERS, 0),
    Node(CALM, NodeKind.SCENE, "Calm", LETTERS, 1),
    Node(PART_TWO, NodeKind.PART, "Part Two", BOOK, 1),
    Node(FERRY, NodeKind.CHAPTER, "Ferry", PART_TWO, 0),
    Node(MARA, NodeKind.CHARACTER, "Mara", None, 1),
    Node(PORT, NodeKind.PLACE, "Port", None, 2),
    Node(NOTE, NodeKind.NOTE, "Ideas", None, 3),
)
TREE = Tree(NODES)
EDITS = ("add", "move", "shift", "trash", "restore", "delete", "split", "merge")


def titles(tree: Tree) -> list[str]:
    return [node.title for node in tree.reading_order()]


def after(tree: Tree, nodes: Sequence[Node]) -> Tree:
    return changed(tree, nodes)


def below(tree: Tree, node_id: int | None) -> list[str]:
    return [node.title for node in tree.children(node_id)]


def test_a_new_text_stands_where_it_was_wished_for() -> None:
    tree = after(TREE, tree_edits.added(TREE, NodeKind.CHAPTER, " The\n Quay ", Spot(PART_ONE, LETTERS)))
    assert tree.node(TREE.next_id).title == "The Quay"
    assert below(tree, PART_ONE) == ["Harbour", "The Quay", "Letters"]


@pytest.mark.parametrize(
    ("kind", "beside", "spot"),
    [
        (NodeKind.CHAPTER, HARBOUR, Spot(PART_ONE, LETTERS)),
        (NodeKind.CHAPTER, STORM, Spot(PART_ONE)),
        (NodeKind.CHAPTER, PART_ONE, Spot(PART_ONE)),
        (NodeKind.CHAPTER, BOOK, Spot(PART_TWO)),
        (NodeKind.CHAPTER, MARA, Spot(PART_TWO)),
        (NodeKind.SCENE, HARBOUR, Spot(HARBOUR)),
        (NodeKind.SCENE, STORM, Spot(LETTERS, CALM)),
        (NodeKind.SCENE, None, Spot(FERRY)),
        (NodeKind.PART, STORM, Spot(BOOK, PART_TWO)),
        (NodeKind.PART, None, Spot(BOOK)),
        (NodeKind.CHARACTER, FERRY, Spot(None)),
        (NodeKind.CHARACTER, MARA, Spot(None)),
    ],
)
def test_a_new_text_is_put_where_its_kind_belongs(kind: NodeKind, beside: int | None, spot: Spot) -> None:
    assert tree_edits.spot_for(TREE, kind, beside) == spot


def test_what_lies_in_the_trash_attracts_nothing() -> None:
    tree = after(TREE, tree_edits.trashed(TREE, FERRY, NOW))
    assert tree_edits.spot_for(tree, NodeKind.CHAPTER, FERRY) == Spot(PART_TWO)
    assert tree_edits.spot_for(tree, NodeKind.SCENE, FERRY) == Spot(LETTERS)


def test_a_scene_needs_a_chapter() -> None:
    tree = Tree([NODES[0]])
    with pytest.raises(WriterProblem, match="A scene needs a chapter"):
        tree_edits.spot_for(tree, NodeKind.SCENE)
    assert tree_edits.spot_for(tree, NodeKind.CHAPTER) == Spot(BOOK)


@pytest.mark.parametrize(
    ("node_id", "beside", "is_after", "spot"),
    [
        (FERRY, HARBOUR, False, Spot(PART_ONE, HARBOUR)),
        (FERRY, HARBOUR, True, Spot(PART_ONE, LETTERS)),
        (FERRY, LETTERS, True, None),  # between a chapter and its scenes
        (FERRY, CALM, True, Spot(PART_ONE)),
        (FERRY, PART_TWO, False, Spot(PART_ONE)),
        (HARBOUR, PART_TWO, True, Spot(PART_TWO, FERRY)),
        (STORM, HARBOUR, True, Spot(HARBOUR)),
        (STORM, LETTERS, False, Spot(HARBOUR)),
        (PART_TWO, PART_ONE, False, Spot(BOOK, PART_ONE)),
        (PART_TWO, LETTERS, False, None),
        (PART_ONE, FERRY, True, Spot(BOOK)),
        (PART_ONE, HARBOUR, True, None),  # in itself
        (MARA, HARBOUR, True, None),
        (HARBOUR, MARA, True, None),
    ],
)
def test_what_is_dropped_beside_a_text_is_read_there(
    node_id: int, beside: int, is_after: bool, spot: Spot | None
) -> None:
    assert tree_edits.spot_beside(TREE, node_id, beside, after=is_after) == spot


@pytest.mark.parametrize("is_after", [True, False])
def test_every_place_beside_a_text_is_that_place_in_the_reading_order(is_after: bool) -> None:
    for node in TREE.reading_order():
        moving = {one.node_id for one in tree_edits.below(TREE, node.node_id)}
        staying = [one.node_id for one in TREE.reading_order() if one.node_id not in moving]
        for beside in staying:
            spot = tree_edits.spot_beside(TREE, node.node_id, beside, after=is_after)
            if spot is not None:
                moved = after(TREE, tree_edits.moved(TREE, node.node_id, spot))
                order = [one.node_id for one in moved.reading_order()]
                assert order.index(node.node_id) == staying.index(beside) + is_after
                assert [one for one in order if one in staying] == staying


def test_a_node_that_is_put_where_it_was_is_back_in_its_place() -> None:
    for node_id in (HARBOUR, LETTERS, STORM, PART_ONE):
        shifted = after(TREE, tree_edits.shifted(TREE, node_id, 1))
        back = after(shifted, tree_edits.moved(shifted, node_id, tree_edits.spot_of(TREE, node_id)))
        assert titles(shifted) != titles(TREE) == titles(back)


def test_a_chapter_moves_with_its_scenes() -> None:
    tree = after(TREE, tree_edits.moved(TREE, LETTERS, Spot(PART_TWO, FERRY)))
    assert titles(tree) == ["Part One", "Harbour", "Part Two", "Letters", "Storm", "Calm", "Ferry"]


def test_a_move_to_where_it_lies_changes_nothing() -> None:
    assert tree_edits.moved(TREE, LETTERS, Spot(PART_ONE)) == ()
    assert tree_edits.moved(TREE, HARBOUR, Spot(PART_ONE, LETTERS)) == ()
    assert tree_edits.moved(TREE, HARBOUR, Spot(PART_ONE, HARBOUR)) == ()


@pytest.mark.parametrize(
    ("node_id", "spot"),
    [
        (PART_ONE, Spot(PART_TWO)),
        (PART_ONE, Spot(HARBOUR)),
        (STORM, Spot(BOOK)),
        (STORM, Spot(PART_TWO)),
        (MARA, Spot(BOOK)),
        (HARBOUR, Spot(None)),
        (HARBOUR, Spot(99)),
        (HARBOUR, Spot(PART_TWO, LETTERS)),
        (BOOK, Spot(None)),
        (BOOK, Spot(PART_ONE)),
    ],
)
def test_what_may_not_lie_there_is_refused(node_id: int, spot: Spot) -> None:
    assert not tree_edits.fits(TREE, node_id, spot)
    with pytest.raises(ValueError, match=r"cannot lie|no node|does not lie"):
        tree_edits.moved(TREE, node_id, spot)


def test_nothing_is_moved_into_the_trash() -> None:
    tree = after(TREE, tree_edits.trashed(TREE, PART_TWO, NOW))
    assert not tree_edits.fits(tree, HARBOUR, Spot(PART_TWO))


def test_a_chapter_walks_through_the_parts_and_back() -> None:
    tree, seen = TREE, [[*below(TREE, PART_ONE), "|", *below(TREE, PART_TWO)]]
    while nodes := tree_edits.shifted(tree, HARBOUR, 1):
        tree = after(tree, nodes)
        seen.append([*below(tree, PART_ONE), "|", *below(tree, PART_TWO)])
    assert seen == [
        ["Harbour", "Letters", "|", "Ferry"],
        ["Letters", "Harbour", "|", "Ferry"],
        ["Letters", "|", "Harbour", "Ferry"],
        ["Letters", "|", "Ferry", "Harbour"],
        ["Letters", "|", "Ferry"],  # behind the last part
    ]
    assert tree.node(HARBOUR).parent_id == BOOK
    for _ in range(4):
        tree = after(tree, tree_edits.shifted(tree, HARBOUR, -1))
    assert titles(tree) == titles(TREE)


def test_a_scene_walks_into_the_next_chapter() -> None:
    tree = after(TREE, tree_edits.shifted(TREE, CALM, 1))
    assert below(tree, FERRY) == ["Calm"]
    assert tree_edits.shifted(tree, CALM, 1) == ()
    assert titles(after(tree, tree_edits.shifted(tree, CALM, -1))) == titles(TREE)


def test_a_note_walks_among_notes_of_its_kind() -> None:
    assert tree_edits.shifted(TREE, MARA, 1) == ()
    tree = after(TREE, tree_edits.added(TREE, NodeKind.CHARACTER, "Tom", Spot(None)))
    tree = after(tree, tree_edits.shifted(tree, MARA, 1))
    people = [node.title for node in tree.children(None) if node.kind is NodeKind.CHARACTER]
    assert people == ["Tom", "Mara"]
    assert tree_edits.shifted(TREE, BOOK, 1) == ()


def test_what_goes_into_the_trash_comes_back_to_its_place() -> None:
    tree = after(TREE, tree_edits.trashed(TREE, LETTERS, NOW))
    assert titles(tree) == ["Part One", "Harbour", "Part Two", "Ferry"]
    assert [node.title for node in tree_edits.trash_of(tree)] == ["Letters"]
    assert tree_edits.in_trash(tree, STORM)
    assert tree_edits.trashed(tree, STORM, NOW) == ()
    assert titles(after(tree, tree_edits.restored(tree, LETTERS))) == titles(TREE)


def test_what_comes_back_to_nothing_finds_another_place() -> None:
    tree = after(TREE, tree_edits.trashed(TREE, STORM, NOW))
    tree = after(tree, tree_edits.trashed(tree, PART_ONE, NOW))
    assert below(after(tree, tree_edits.restored(tree, STORM)), FERRY) == ["Storm"]
    tree = after(TREE, tree_edits.trashed(TREE, HARBOUR, NOW))
    tree = after(tree, tree_edits.trashed(tree, PART_ONE, NOW))
    tree = after(tree, tree_edits.restored(tree, HARBOUR))
    assert titles(tree) == ["Part Two", "Ferry", "Harbour"]


def test_a_scene_without_any_chapter_becomes_one() -> None:
    nodes = [NODES[0], NODES[3], replace(NODES[4], trashed=NOW)]
    tree = Tree([nodes[0], replace(nodes[1], parent_id=BOOK, trashed=NOW), nodes[2]])
    tree = after(tree, tree_edits.restored(tree, STORM))
    assert (tree.node(STORM).kind, titles(tree)) == (NodeKind.CHAPTER, ["Storm"])


def test_a_book_keeps_a_text_to_write_in() -> None:
    tree = after(TREE, tree_edits.trashed(TREE, PART_ONE, NOW))
    with pytest.raises(WriterProblem, match="Add a chapter first, then move it"):
        tree_edits.trashed(tree, FERRY, NOW)
    with pytest.raises(WriterProblem, match="The book itself"):
        tree_edits.trashed(tree, BOOK, NOW)
    assert tree_edits.trashed(tree, MARA, NOW)


def test_only_what_lies_in_the_trash_is_deleted_and_with_all_below_it() -> None:
    with pytest.raises(ValueError, match="not in the trash"):
        tree_edits.removed(TREE, [LETTERS])
    tree = after(TREE, tree_edits.trashed(TREE, LETTERS, NOW))
    doomed = tree_edits.removed(tree, [LETTERS, STORM])
    assert sorted(doomed) == [LETTERS, STORM, CALM]
    assert doomed[-1] == LETTERS


def test_only_old_trash_is_old_with_all_that_lies_in_it() -> None:
    tree = after(TREE, tree_edits.trashed(TREE, HARBOUR, NOW))
    tree = after(tree, tree_edits.trashed(tree, STORM, NOW + timedelta(days=5)))
    tree = after(tree, [replace(tree.node(LETTERS), trashed=NOW)])
    assert tree_edits.expired(tree, NOW + timedelta(days=1)) == (HARBOUR,)
    assert set(tree_edits.expired(tree, NOW + timedelta(days=6))) == {HARBOUR, LETTERS, STORM}


def test_another_text_is_shown_where_the_open_one_has_gone() -> None:
    tree = after(TREE, tree_edits.trashed(TREE, LETTERS, NOW))
    assert tree_edits.text_to_show(TREE, TREE, STORM) == STORM
    assert tree_edits.text_to_show(TREE, tree, STORM) == HARBOUR
    assert tree_edits.text_to_show(tree, tree, STORM) == STORM, "what lies in the trash can be read"
    assert tree_edits.text_to_show(tree, changed(tree, [], [STORM]), STORM) == HARBOUR
    first = after(TREE, tree_edits.trashed(TREE, PART_ONE, NOW))
    assert tree_edits.text_to_show(TREE, first, HARBOUR) == FERRY
    assert tree_edits.text_to_show(TREE, changed(TREE, [], [MARA]), MARA) == HARBOUR


def test_the_second_half_of_a_chapter_takes_the_scenes_along() -> None:
    tree = after(TREE, tree_edits.split_off(TREE, LETTERS, "Answers"))
    new = TREE.next_id
    assert titles(tree)[1:6] == ["Harbour", "Letters", "Answers", "Storm", "Calm"]
    assert (below(tree, LETTERS), below(tree, new)) == ([], ["Storm", "Calm"])


@pytest.mark.parametrize(
    ("status", "is_new", "then"),
    [
        (Status.REVISED, False, Status.REVISED),
        (Status.REVISED, True, Status.DRAFT),
        (Status.NONE, True, Status.NONE),
    ],
)
def test_what_a_draft_splits_off_was_revised_by_nobody(status: Status, is_new: bool, then: Status) -> None:
    tree = after(TREE, tree_edits.with_status(TREE, LETTERS, status))
    tree = after(tree, tree_edits.split_off(tree, LETTERS, "Answers", is_new=is_new))
    assert (tree.node(LETTERS).status, tree.node(TREE.next_id).status) == (status, then)


def test_what_cannot_be_split_says_so() -> None:
    with pytest.raises(WriterProblem, match="Open a chapter and split that"):
        tree_edits.split_off(TREE, PART_ONE, "x")
    with pytest.raises(WriterProblem, match="in the trash"):
        tree_edits.split_off(after(TREE, tree_edits.trashed(TREE, LETTERS, NOW)), STORM, "x")


def test_a_merged_chapter_leaves_its_scenes_to_the_one_before() -> None:
    tree = after(TREE, tree_edits.added(TREE, NodeKind.SCENE, "Gulls", Spot(HARBOUR)))
    merged = tree_edits.merged(tree, LETTERS, NOW)
    assert merged.into_id == TREE.next_id
    tree = after(tree, merged.nodes)
    assert below(tree, HARBOUR) == ["Gulls", "Storm", "Calm"]
    assert tree.node(LETTERS).trashed == NOW


@pytest.mark.parametrize("node_id", [HARBOUR, FERRY, PART_ONE, PART_TWO, BOOK, MARA])
def test_what_nothing_stands_before_cannot_be_merged(node_id: int) -> None:
    with pytest.raises(WriterProblem, match="right before"):
        tree_edits.merged(TREE, node_id, NOW)


def test_what_is_the_same_changes_nothing() -> None:
    assert tree_edits.renamed(TREE, FERRY, " Ferry ") == ()
    assert tree_edits.with_status(TREE, FERRY, Status.NONE) == ()
    assert tree_edits.with_exported(TREE, FERRY, exported=True) == ()
    (node,) = tree_edits.with_synopsis(TREE, FERRY, "They cross.")
    assert node.synopsis == "They cross."
    (node,) = tree_edits.renamed(TREE, FERRY, "x" * 500)
    assert len(node.title) == tree_edits.MAX_TITLE


def check(tree: Tree) -> None:
    """What holds in every tree that was edited."""
    for node in tree.nodes:
        parent = None if node.parent_id is None else tree.node(node.parent_id).kind
        if node.kind is not NodeKind.BOOK:
            assert tree_edits.may_lie_in(node.kind, parent)
        places = [child.position for child in tree.children(node.node_id)]
        assert all(one < other for one, other in pairwise(places))
    assert any(node.kind is not NodeKind.PART for node in tree.reading_order())


def edited(tree: Tree, draw: st.DataObject, when: datetime) -> tuple[Tree, set[int]]:
    """One edit that a window could ask for; the numbers that it may take away."""
    ids = sorted(node.node_id for node in tree.nodes)
    node_id = draw.draw(st.sampled_from(ids))
    match draw.draw(st.sampled_from(EDITS)):
        case "add":
            kind = draw.draw(st.sampled_from([kind for kind in NodeKind if kind is not NodeKind.BOOK]))
            return after(
                tree, tree_edits.added(tree, kind, "New", tree_edits.spot_for(tree, kind, node_id))
            ), set()
        case "move":
            spot = Spot(*(draw.draw(st.none() | st.sampled_from(ids)) for _ in range(2)))
            if tree_edits.fits(tree, node_id, spot):
                return after(tree, tree_edits.moved(tree, node_id, spot)), set()
        case "shift":
            return after(tree, tree_edits.shifted(tree, node_id, draw.draw(st.sampled_from([-1, 1])))), set()
        case "trash":
            return after(tree, tree_edits.trashed(tree, node_id, when)), set()
        case "restore" if tree.node(node_id).trashed is not None:
            return after(tree, tree_edits.restored(tree, node_id)), set()
        case "delete":
            gone = tree_edits.removed(tree, tree_edits.expired(tree, when - timedelta(hours=5)))
            return changed(tree, [], gone), set(gone)
        case "split":
            return after(tree, tree_edits.split_off(tree, node_id, "Half")), set()
        case "merge":
            return after(tree, tree_edits.merged(tree, node_id, when).nodes), set()
    return tree, set()


@given(st.data())
def test_any_edits_leave_a_tree_and_lose_nothing(draw: st.DataObject) -> None:
    tree = TREE
    for turn in range(draw.draw(st.integers(1, 30))):
        before = {node.node_id for node in tree.nodes}
        try:
            tree, gone = edited(tree, draw, NOW + timedelta(hours=turn))
        except WriterProblem:
            continue
        check(tree)
        assert before - {node.node_id for node in tree.nodes} == gone


@given(st.data())
def test_reading_order_follows_from_a_split_and_a_merge(draw: st.DataObject) -> None:
    node_id = draw.draw(st.sampled_from([HARBOUR, LETTERS, STORM, CALM, FERRY]))
    split = after(TREE, tree_edits.split_off(TREE, node_id, "Half"))
    order = [node.node_id for node in split.reading_order()]
    assert order.index(TREE.next_id) == order.index(node_id) + 1
    assert [one for one in order if one != TREE.next_id] == [node.node_id for node in TREE.reading_order()]
    merged = tree_edits.merged(split, TREE.next_id, NOW)
    assert merged.into_id == node_id
    assert titles(after(split, merged.nodes)) == titles(TREE)
