from __future__ import annotations

from datetime import UTC, datetime

from quire.book_formats.book import Book, BookPart, Chapter, Scene, book_of, book_of_text, nodes_to_choose
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.tree import Node, NodeKind, Tree

NOW = datetime(2026, 1, 2, tzinfo=UTC)
PROJECT = Project("The Ferry", NOW, "en-GB", "Ann Lee")
BOOK, CHAPTER, PART, SCENE, NOTE = (
    NodeKind.BOOK,
    NodeKind.CHAPTER,
    NodeKind.PART,
    NodeKind.SCENE,
    NodeKind.NOTE,
)


def made(*nodes: tuple[Node, str], chosen: tuple[int, ...] | None = None) -> Book:
    tree = Tree([Node(1, BOOK, "The Ferry"), *(node for node, _ in nodes)])
    documents = {node.node_id: Document(node.node_id, node.title, text) for node, text in nodes}
    return book_of(PROJECT, tree, documents, chosen)


def test_titles_come_from_the_tree_where_the_text_has_none() -> None:
    book = made((Node(2, CHAPTER, "Dawn", 1), "It rained.\n\nIt stopped."))
    assert book == Book(
        "The Ferry",
        "Ann Lee",
        "en-GB",
        (BookPart("", (Chapter("Dawn", (Scene("It rained.\n\nIt stopped."),)),)),),
    )


def test_a_heading_in_the_text_is_not_said_twice() -> None:
    book = made((Node(2, CHAPTER, "Chapter 1: Dawn", 1), "Chapter 1: Dawn\n\nIt rained.\n\nOn and on."))
    assert book.chapters == (Chapter("Chapter 1: Dawn", (Scene("It rained.\n\nOn and on."),)),)


def test_parts_chapters_and_scenes_lie_in_one_another() -> None:
    book = made(
        (Node(2, PART, "Part One", 1, 0), "# Part One\n\nA motto."),
        (Node(3, CHAPTER, "Dawn", 2, 1), "One."),
        (Node(4, SCENE, "A scene", 3, 2), "Two."),
        (Node(5, SCENE, "Another", 3, 3), "* * *\n\nThree."),
        (Node(6, CHAPTER, "Dusk", 2, 4), "## Dusk\n\nFour.\n\n***\n\nFive."),
    )
    dawn = Chapter("Dawn", (Scene("One."), Scene("Two."), Scene("Three.")))
    dusk = Chapter("Dusk", (Scene("Four."), Scene("Five.")))
    assert book.parts == (BookPart("Part One", (dawn, dusk), "A motto."),)
    assert book.num_words == 5


def test_notes_trash_and_what_is_not_exported_stay() -> None:
    book = made(
        (Node(2, CHAPTER, "In", 1, 0), "In."),
        (Node(3, CHAPTER, "Out", 1, 1, exported=False), "Out."),
        (Node(4, SCENE, "Out too", 3, 2), "Out too."),
        (Node(5, CHAPTER, "Thrown away", 1, 3, trashed=NOW), "Thrown away."),
        (Node(6, SCENE, "With it", 5, 4), "With it."),
        (Node(7, NOTE, "A note", 1, 5), "A note."),
        (Node(8, NOTE, "Beside", None, 6), "Beside."),
    )
    assert [chapter.title for chapter in book.chapters] == ["In"]


def test_chosen_chapters_come_with_their_scenes() -> None:
    nodes = (
        (Node(2, PART, "BookPart", 1, 0), "BookPart"),
        (Node(3, CHAPTER, "A", 2, 1), "One."),
        (Node(4, SCENE, "s", 3, 2), "Two."),
        (Node(5, CHAPTER, "B", 2, 3), "Three."),
    )
    assert made(*nodes, chosen=(3,)).chapters == (Chapter("A", (Scene("One."), Scene("Two."))),)
    assert [chapter.title for chapter in made(*nodes, chosen=(2,)).chapters] == ["A", "B"]
    assert made(*nodes, chosen=()).chapters == ()


def test_a_chosen_chapter_comes_with_the_title_of_its_part_alone() -> None:
    book = made(
        (Node(2, PART, "One", 1, 0), "# One"),
        (Node(3, CHAPTER, "A", 2, 1), "a"),
        (Node(4, PART, "Two", 1, 2), "# Two"),
        (Node(5, CHAPTER, "B", 4, 3), "b"),
        (Node(6, CHAPTER, "C", 4, 4), "c"),
        chosen=(6,),
    )
    assert book.parts == (BookPart("Two", (Chapter("C", (Scene("c"),)),)),)


def test_what_was_cut_for_its_length_is_whole_again() -> None:
    book = made(
        (Node(2, CHAPTER, "Long", 1, 0), "# Long\n\nOne.\n\n* * *\n\n"),
        (Node(3, CHAPTER, "Long (2)", 1, 1), "Two."),
        (Node(4, CHAPTER, "Long (3)", 1, 2), "Three."),
        (Node(5, CHAPTER, "Long (9)", 1, 3), "Four."),
    )
    assert book.chapters == (
        Chapter("Long", (Scene("One."), Scene("Two.\n\nThree."))),
        Chapter("Long (9)", (Scene("Four."),)),
    )


def test_a_text_named_like_the_book_has_no_title() -> None:
    assert made((Node(2, CHAPTER, "The Ferry", 1), "One.")).chapters == (Chapter("", (Scene("One."),)),)


def test_one_document_may_hold_a_whole_book() -> None:
    book = book_of_text(
        "Front.\n\n# Part A\n\n## One\n\nText.\n\n### Inside\n\nMore.\n\n# Part B\n\n## Two\n\nEnd."
    )
    front = BookPart("", (Chapter("", (Scene("Front."),)),))
    first = BookPart("Part A", (Chapter("One", (Scene("Text."), Scene("More.", "Inside"))),))
    assert book.parts == (front, first, BookPart("Part B", (Chapter("Two", (Scene("End."),)),)))


def test_only_what_can_leave_is_there_to_choose() -> None:
    tree = Tree(
        [
            Node(1, BOOK, "B"),
            Node(2, PART, "P", 1, 0),
            Node(3, CHAPTER, "A", 2, 1),
            Node(4, SCENE, "s", 3, 2),
            Node(5, SCENE, "alone", 1, 3),
            Node(6, CHAPTER, "out", 1, 4, exported=False),
        ]
    )
    assert [node.title for node in nodes_to_choose(tree)] == ["P", "A", "alone"]
