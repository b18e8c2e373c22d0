"""Whatever the nodes of a project look like: afterwards each has a place, and none is gone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from quire.domain.manuscript.orphaned_nodes import TITLE, adopted
from quire.domain.manuscript.tree import Node, NodeKind, Tree
from quire.domain.manuscript.tree_edits import may_lie_in

BOOK = Node(2, NodeKind.BOOK, "Book")
ONE = Node(1, NodeKind.CHAPTER, "One", 2, position=1)


def mended(*nodes: Node, homeless: tuple[Node, ...] = ()) -> Tree:
    found = adopted(nodes, homeless, 100)
    assert found is not None
    return Tree(({node.node_id: node for node in (*nodes, *found.nodes)}).values())


def test_what_has_a_place_keeps_it() -> None:
    found = adopted((BOOK, ONE))
    assert found is not None
    assert (found.nodes, found.part_id, found.is_new) == ((), None, False)


def test_a_chapter_without_its_part_goes_into_the_part_of_what_was_recovered() -> None:
    tree = mended(BOOK, ONE, Node(7, NodeKind.CHAPTER, "Lost", 99), Node(8, NodeKind.SCENE, "Within", 7))
    part = tree.children(BOOK.node_id)[-1]
    assert (part.title, part.kind, part.exported) == (TITLE, NodeKind.PART, False)
    (lost,) = tree.children(part.node_id)
    assert (lost.node_id, lost.exported) == (7, False)
    assert [node.node_id for node in tree.children(7)] == [8]


def test_a_scene_becomes_a_chapter_and_a_note_stands_beside_the_book() -> None:
    tree = mended(BOOK, ONE, Node(7, NodeKind.SCENE, "Lost", 99), Node(8, NodeKind.PLACE, "Harbour", 99))
    assert tree.node(7).kind is NodeKind.CHAPTER
    assert tree.node(8) == Node(8, NodeKind.PLACE, "Harbour", None)


def test_nodes_that_lie_in_one_another_are_parted() -> None:
    tree = mended(BOOK, ONE, Node(7, NodeKind.PART, "Seven", 8), Node(8, NodeKind.CHAPTER, "Eight", 7))
    assert tree.node(7).parent_id == BOOK.node_id
    assert tree.node(8).parent_id == 7


def test_what_is_recovered_later_goes_to_what_was_recovered_before() -> None:
    part = Node(50, NodeKind.PART, TITLE, 2, position=9, exported=False)
    before = Node(51, NodeKind.CHAPTER, "Before", 50, position=3)
    tree = mended(
        BOOK,
        ONE,
        part,
        before,
        Node(7, NodeKind.CHAPTER, "Lost", 99),
        homeless=(Node(9, NodeKind.CHAPTER, "x"),),
    )
    assert [node.node_id for node in tree.children(50)] == [51, 7, 9]


def test_without_a_book_there_is_nothing_to_go_into() -> None:
    assert adopted((ONE,)) is None
    assert adopted((BOOK, ONE, replace(BOOK, node_id=3))) is None
    assert adopted((replace(BOOK, parent_id=1), ONE)) is None


kinds = st.sampled_from([kind for kind in NodeKind if kind is not NodeKind.BOOK])
parents = st.none() | st.integers(1, 12)
some_nodes = st.lists(
    st.builds(
        Node, st.integers(3, 12), kinds, st.just("x"), parents, st.integers(-2, 5),
        trashed=st.none() | st.just(datetime(2026, 1, 1, tzinfo=UTC)),
    ),
    unique_by=lambda node: node.node_id,
)  # fmt: skip


@given(some_nodes, st.lists(st.integers(20, 30), unique=True))
def test_every_node_has_a_place_afterwards(nodes: list[Node], lost: list[int]) -> None:
    homeless = tuple(Node(number, NodeKind.CHAPTER, "lost") for number in lost)
    tree = mended(BOOK, *nodes, homeless=homeless)
    assert {node.node_id for node in nodes} | set(lost) <= {node.node_id for node in tree.nodes}
    placed = Tree([BOOK]).nodes
    assert len(tree.nodes) - len(nodes) - len(lost) - len(placed) in (0, 1)
    before = {node.node_id: node for node in nodes}
    for node in tree.nodes:
        moved = before.get(node.node_id)
        if moved is not None and moved.parent_id != node.parent_id and node.parent_id is not None:
            assert may_lie_in(node.kind, tree.node(node.parent_id).kind)
        if moved is not None:
            assert (moved.title, moved.trashed) == (node.title, node.trashed)
    again = adopted(tree.nodes, (), 1000)
    assert again is not None
    assert again.nodes == ()
