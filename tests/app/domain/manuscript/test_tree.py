from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from quire.domain.manuscript.tree import Node, NodeKind, Tree, text_up_to

BOOK = Node(1, NodeKind.BOOK, "Book")
NODES = (
    BOOK,
    Node(2, NodeKind.PART, "Part One", 1, 0),
    Node(3, NodeKind.CHAPTER, "Harbour", 2, 1),
    Node(4, NodeKind.CHAPTER, "Letters", 2, 0),
    Node(5, NodeKind.SCENE, "Storm", 4, 0),
    Node(6, NodeKind.CHAPTER, "Last", 1, 1),
    Node(7, NodeKind.CHARACTER, "Mara", None, 0),
)


def titles(*nodes: Node) -> list[str]:
    return [node.title for node in Tree(nodes).reading_order()]


def test_the_book_is_read_from_top_to_bottom_without_its_notes() -> None:
    assert titles(*NODES) == ["Part One", "Letters", "Storm", "Harbour", "Last"]
    assert Tree(NODES).next_id == 8
    assert Tree(reversed(NODES)).children(2) == (NODES[3], NODES[2])


def test_what_lies_in_the_trash_is_not_read_nor_what_lies_in_it() -> None:
    trashed = replace(NODES[3], trashed=datetime(2026, 1, 1, tzinfo=UTC))
    assert titles(*(trashed if node is NODES[3] else node for node in NODES)) == [
        "Part One",
        "Harbour",
        "Last",
    ]


@pytest.mark.parametrize(
    ("nodes", "wrong"),
    [
        ((), "has one book"),
        ((BOOK, replace(BOOK, node_id=2)), "has one book"),
        ((BOOK, Node(2, NodeKind.CHAPTER, "", 9)), "is missing"),
        ((BOOK, Node(2, NodeKind.PART, "", 3), Node(3, NodeKind.PART, "", 2)), "in a circle"),
    ],
)
def test_what_is_no_tree_is_refused(nodes: tuple[Node, ...], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        Tree(nodes)


@pytest.mark.parametrize(
    ("texts", "read"),
    [
        ((), ""),
        (("One.",), "One."),
        (("One.", "Two.\n", "Three."), "One.\n\nTwo.\n\nThree."),
        (("", "One.\n\n", "", "Two."), "One.\n\nTwo."),
    ],
)
def test_texts_are_read_with_a_blank_line_between_them(texts: tuple[str, ...], read: str) -> None:
    assert text_up_to(texts) == read
    assert text_up_to((text_up_to(texts), "End.")) == text_up_to((*texts, "End."))
