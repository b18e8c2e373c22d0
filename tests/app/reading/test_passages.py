from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.book_formats.blocks import BlockKind
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.tree import Node, NodeKind, Tree
from quire.reading.passages import ReadingPassage, index_of_place, passages_of

PROJECT = Project("The Crossing", datetime.now(UTC), author="Ann Lee")
BOOK = Node(1, NodeKind.BOOK, "The Crossing")


def shown(*texts: tuple[NodeKind, str, str]) -> tuple[ReadingPassage, ...]:
    """Return the pieces of a book of these texts: kind, title, text; they are numbered from 2."""
    nodes, documents = [BOOK], dict[int, Document]()
    for number, (kind, title, text) in enumerate(texts, start=2):
        nodes.append(Node(number, kind, title, BOOK.node_id, number))
        documents[number] = Document(number, title, text)
    return passages_of(PROJECT, Tree(nodes), documents)


def lines(passages: tuple[ReadingPassage, ...]) -> list[tuple[str, str]]:
    return [(passage.kind.name, passage.text) for passage in passages[2:]]


def test_a_book_begins_with_its_title_and_author() -> None:
    first, second, *_ = shown((NodeKind.CHAPTER, "One", "It rained."))
    assert [(one.kind, one.text) for one in (first, second)] == [
        (BlockKind.TITLE, "The Crossing"),
        (BlockKind.AUTHOR, "Ann Lee"),
    ]


def test_titles_come_from_the_text_or_else_from_the_tree() -> None:
    passages = shown(
        (NodeKind.PART, "Part One", ""),
        (NodeKind.CHAPTER, "One", "It rained.\n\nNobody *spoke*."),
        (NodeKind.SCENE, "Gulls", "The gulls slept."),
        (NodeKind.CHAPTER, "Two", "## Chapter 2: Storm\n\nWind."),
    )
    assert lines(passages) == [
        ("PART", "Part One"),
        ("CHAPTER", "One"),
        ("PARAGRAPH", "It rained."),
        ("PARAGRAPH", "Nobody spoke."),
        ("BREAK", "* * *"),
        ("PARAGRAPH", "The gulls slept."),
        ("CHAPTER", "Chapter 2: Storm"),
        ("PARAGRAPH", "Wind."),
    ]
    assert [passage.is_first for passage in passages[4:6]] == [True, False]


def test_breaks_stand_between_scenes_only() -> None:
    text = "* * *\n\nIt rained.\n\n***\n\n* * *\n\nIt stopped.\n\n***"
    passages = shown((NodeKind.CHAPTER, "One", text), (NodeKind.CHAPTER, "Two", "***\n\nWind."))
    assert [kind for kind, _ in lines(passages)] == [
        "CHAPTER", "PARAGRAPH", "BREAK", "PARAGRAPH", "CHAPTER", "PARAGRAPH",
    ]  # fmt: skip


def test_the_rest_of_a_long_chapter_has_no_title() -> None:
    texts = [(NodeKind.CHAPTER, title, "Rain.") for title in ("Storm", "Storm (2)", "Storm (3)", "Calm (2)")]
    assert [text for kind, text in lines(shown(*texts)) if kind == "CHAPTER"] == ["Storm", "Calm (2)"]


def test_a_book_of_one_text_does_not_say_its_title_twice() -> None:
    assert lines(shown((NodeKind.CHAPTER, "The  Crossing", "Rain."))) == [("PARAGRAPH", "Rain.")]


def test_a_book_without_texts_is_nothing() -> None:
    assert shown() == ()
    assert index_of_place((), 2, 5) == 0


def test_a_paragraph_of_a_book_is_cut_where_words_end() -> None:
    text = "word " * 4000 + "x" * 13_000
    passages = shown((NodeKind.CHAPTER, "One", text))[3:]
    assert "".join(passage.source for passage in passages) == text
    assert all(len(passage.source) <= 6_000 for passage in passages)
    assert [passage.goes_on for passage in passages] == [False] + [True] * (len(passages) - 1)
    assert all(text[passage.start :].startswith(passage.source) for passage in passages)


def test_places_are_found_and_given_back() -> None:
    first, second = "It *rained*.\n\nNobody spoke.", "Wind."
    passages = shown((NodeKind.CHAPTER, "One", first), (NodeKind.CHAPTER, "Two", second))
    assert index_of_place(passages, 2, 0) == 0
    spoke = passages[index_of_place(passages, 2, first.index("spoke"))]
    assert spoke.text == "Nobody spoke."
    assert spoke.place_of(7) == first.index("spoke")
    rained = passages[index_of_place(passages, 2, 5)]
    assert rained.place_of(rained.text.index("rained")) == first.index("rained")
    assert rained.place_of(99) == len("It *rained*.")
    wind = passages[index_of_place(passages, 3, 2)]
    assert (wind.text, wind.place_of(0)) == ("Wind.", 0)
    assert passages[index_of_place(passages, 3, 0)].text == "Two"
    assert index_of_place(passages, 99, 4) == 0


@given(st.text(st.sampled_from("ab é*\\#\n.😀\t1"), max_size=120))
def test_every_piece_says_where_its_words_stand(text: str) -> None:
    passages = shown((NodeKind.CHAPTER, "One", text))
    assert passages[2].text == "One" or text.strip()
    for passage in passages[2:]:
        if passage.kind is not BlockKind.PARAGRAPH:
            continue
        assert text[passage.start :].startswith(passage.source)
        places = [passage.place_of(offset) for offset in range(len(passage.text))]
        assert places == sorted(set(places))
        for place, letter in zip(places, passage.text, strict=True):
            assert text[place] == letter or (letter.isspace() and text[place].isspace())


@pytest.mark.parametrize("title", ["", "  ", "\0"])
def test_a_chapter_without_a_title_is_a_chapter_all_the_same(title: str) -> None:
    assert ("PARAGRAPH", "Rain.") in lines(shown((NodeKind.CHAPTER, title, "Rain.")))
