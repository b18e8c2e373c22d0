from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.manuscript.chapter_splitting import TextSection, cut
from quire.domain.manuscript.headings import all_headings, headings_in
from quire.domain.manuscript.tree import NodeKind
from quire_engine.metrics.word_count import count_words

PROSE = "The ferry was late, and nobody on the pier had seen a light.\n\n“Wait,” said Mara.\n\n"
HEADS = [
    "CHAPTER VII\n\n", "CHAPTER I: The Ferry\n\n", "Chapter 7: The Ferry\n\n", "Chapter the Last\n",
    "# One\n", "## Two\n\n", "Book the First\n\n", "PART ONE\n\n", "PROLOGUE\n\n", "I.\n\n", "II\n\n",
    "III\n\n", "* * *\n\n", "#\n\n", "THE FERRY\n\n", "The Ferry\n\n",
]  # fmt: skip
TEXTS = st.lists(
    st.sampled_from([*HEADS, PROSE, "\n", "\n\n", "\r\n", " ", "\f", "a line\n"])
    | st.text(alphabet="ab .\n\r\u2028*#I", max_size=12),
    max_size=25,
).map("".join)


def titles(text: str, *, scenes: bool = False) -> list[tuple[str, str]]:
    return [(piece.kind.value, piece.title) for piece in cut(text, scenes=scenes)]


@given(TEXTS, st.integers(1, 200), st.none() | st.integers(1, 30), st.booleans())
def test_nothing_is_lost(text: str, max_chars: int, max_words: int | None, scenes: bool) -> None:
    pieces = cut(text, max_chars=max_chars, max_words=max_words, scenes=scenes)
    assert "".join(piece.heading + piece.body for piece in pieces) == text
    assert "".join(piece.text for piece in pieces) == text
    for piece in pieces:
        assert len(piece.text) <= max_chars or not re.search(
            r"\n\s*\n", piece.body.strip() or piece.text.strip()
        )
    assert len(pieces) == 1 or all(piece.text for piece in pieces)


@given(TEXTS)
def test_a_part_has_no_text_but_its_heading(text: str) -> None:
    for piece in cut(text):
        assert piece.kind is not NodeKind.PART or not piece.body.strip()
        assert piece.text.startswith(piece.heading)


@pytest.mark.parametrize(
    ("heading", "kind", "title"),
    [
        ("CHAPTER VII\n\n", "chapter", "CHAPTER VII"),
        ("Chapter 7: The Ferry\n\n", "chapter", "Chapter 7: The Ferry"),
        ("Chapter 7 The Ferry\n\n", "chapter", "Chapter 7 The Ferry"),
        ("Chapter Twenty-One\n\n", "chapter", "Chapter Twenty-One"),
        ("Chapter the Last\n\n", "chapter", "Chapter the Last"),
        ("CHAPTER ONE HUNDRED AND ONE\n\n", "chapter", "CHAPTER ONE HUNDRED AND ONE"),
        ("The Twenty-Second Chapter\n\n", "chapter", "The Twenty-Second Chapter"),
        ("CHAPTER I.\n\n", "chapter", "CHAPTER I"),
        ("CHAPTER I.\nTHE FERRY\n\n", "chapter", "CHAPTER I: THE FERRY"),
        ("CHAPTER I\n\nThe Ferry\n\n", "chapter", "CHAPTER I: The Ferry"),
        ("Chapter 2\n\nWho Was Late?\n\n", "chapter", "Chapter 2: Who Was Late?"),
        ("Book the First\n\n", "part", "Book the First"),
        ("PART ONE\n\n", "part", "PART ONE"),
        ("PART FIRST\n\n", "part", "PART FIRST"),
        ("VOLUME II: Storm\n\n", "part", "VOLUME II: Storm"),
        ("LETTER 12: To Miss Howe\n\n", "chapter", "LETTER 12: To Miss Howe"),
        ("Kapitel 3\n\n", "chapter", "Kapitel 3"),
        ("Глава 3\n\n", "chapter", "Глава 3"),
        ("PROLOGUE\n\n", "chapter", "PROLOGUE"),
        ("Epilogue: Years Later\n\n", "chapter", "Epilogue: Years Later"),
        ("# The Ferry\n\n", "chapter", "The Ferry"),
        ("## The Ferry ##\n", "chapter", "The Ferry"),
    ],
)
def test_headings_are_recognised(heading: str, kind: str, title: str) -> None:
    first, found, *more = cut(PROSE + heading + PROSE)
    assert (first.title, first.text) == ("", PROSE)
    assert (found.kind.value, found.title, found.heading) == (kind, title, heading)
    if kind == "part":  # a part of a book has no text of its own
        assert [(piece.kind, piece.title, piece.text) for piece in more] == [(NodeKind.CHAPTER, title, PROSE)]
    else:
        assert (found.body, more) == (PROSE, [])


@pytest.mark.parametrize(
    "line",
    [
        "Chapter and verse were quoted.",
        "Part of the roof had gone.",
        "Chapter one of his life was over.",
        "Book a table, she said.",
        "The letter I wrote was never sent.",
        "I",
        "1866.",
        "THE FERRY",
        "Introduction to the captain was brief.",
        "CHAPTER I: " + "very long " * 60,
        "#nothing",
    ],
)
def test_prose_is_no_heading(line: str) -> None:
    text = f"{PROSE}{line}\n\n{PROSE}"
    assert cut(text) == (TextSection(NodeKind.CHAPTER, "", "", text),)


def test_the_first_words_of_a_chapter_are_not_its_title() -> None:
    for start in ("“No,” she said.\n\n", "Nobody came.\n\n", "My dear Sir,\n\n", "It rained\nall day.\n\n"):
        assert titles("CHAPTER I\n\n" + start + PROSE) == [("chapter", "CHAPTER I")]


def test_numbers_alone_are_chapters_where_they_count_up() -> None:
    text = f"I.\n\n{PROSE}II.\n\n{PROSE}1866\n\nV\n\n{PROSE}III.\n\nThe Storm\n\n{PROSE}"
    assert titles(text) == [("chapter", "I"), ("chapter", "II"), ("chapter", "III: The Storm")]
    assert len(cut(f"II\n\n{PROSE}III\n\n{PROSE}")) == 1
    assert len(cut(f"1\n\n{PROSE}1\n\n{PROSE}")) == 1


def test_numbers_alone_part_scenes_below_chapters() -> None:
    text = f"CHAPTER I\n\n{PROSE}I\n\n{PROSE}II\n\n{PROSE}CHAPTER II\n\n{PROSE}"
    assert titles(text) == [("chapter", "CHAPTER I"), ("chapter", "CHAPTER II")]
    assert [kind for kind, _ in titles(text, scenes=True)] == ["chapter", "scene", "scene", "chapter"]


@pytest.mark.parametrize("line", ["***", "* * *", "#", "---", "⁂", "~"])
def test_scenes_are_named_by_their_first_words(line: str) -> None:
    text = f"CHAPTER I\n\n{PROSE}{line}\n\n{PROSE}"
    assert titles(text) == [("chapter", "CHAPTER I")]
    chapter, scene = cut(text, scenes=True)
    assert (chapter.kind, scene.kind, scene.heading) == (NodeKind.CHAPTER, NodeKind.SCENE, f"{line}\n\n")
    assert scene.title == "The ferry was late, and nobody on the…"


def test_markdown_levels() -> None:
    text = f"# Part One\n\n## The Ferry\n\n{PROSE}### Later\n\n{PROSE}# Part Two\n\n## The Storm\n\n{PROSE}"
    expected = [
        ("part", "Part One"),
        ("chapter", "The Ferry"),
        ("part", "Part Two"),
        ("chapter", "The Storm"),
    ]
    assert titles(text) == expected
    assert ("scene", "Later") in titles(text, scenes=True)
    assert titles(f"# One\n\n{PROSE}# Two\n\n{PROSE}") == [("chapter", "One"), ("chapter", "Two")]
    assert titles(f"# One\n\nCHAPTER I\n\n{PROSE}") == [("part", "One"), ("chapter", "CHAPTER I")]


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize("foreword", ["", "For my mother, who kept the light.\n\n"])
def test_a_table_of_contents_makes_no_chapters(gap: str, foreword: str) -> None:
    names = ["PART ONE", "CHAPTER I. The Ferry", "CHAPTER II. The Pier", "PART TWO", "CHAPTER I. The Storm"]
    front = "The Light\n\nContents\n\n" + gap.join(names) + "\n\n" + foreword
    book = "".join(f"{name}\n\n{PROSE if name[0] == 'C' else ''}" for name in names)
    opening, *pieces = cut(front + book)
    assert (opening.title, opening.text) == ("", front)
    assert [piece.title for piece in pieces] == names


def test_chapters_that_are_yet_to_be_written_stay() -> None:
    text = "CHAPTER I\n\nCHAPTER II\n\nCHAPTER III\n\nCHAPTER IV\n\n"
    assert len(cut(text)) == 4


def test_a_long_chapter_goes_on_in_even_pieces_that_end_with_paragraphs() -> None:
    text = "CHAPTER I: The Ferry\n\n" + PROSE * 1600
    pieces = cut(text)
    assert [piece.title for piece in pieces] == [
        "CHAPTER I: The Ferry", "CHAPTER I: The Ferry (2)", "CHAPTER I: The Ferry (3)",
    ]  # fmt: skip
    assert all(piece.text.endswith("\n\n") and piece.kind is NodeKind.CHAPTER for piece in pieces)
    assert max(len(piece.text) for piece in pieces) - min(len(piece.text) for piece in pieces) < 200


def test_it_goes_on_behind_a_scene_break_where_one_is_near() -> None:
    text = PROSE * 550 + "* * *\n\n" + PROSE * 450
    first, second = cut(text)
    assert first.text.endswith("* * *\n\n")
    assert second.text == PROSE * 450


def test_lines_are_paragraphs_where_no_blank_ones_part_them() -> None:
    pieces = cut("a line.\n" * 20_000)
    assert len(pieces) == 3
    assert all(piece.text.endswith("line.\n") for piece in pieces)


@pytest.mark.parametrize(
    "paragraph",
    [
        "He went on and on about the house. " * 3_000,
        "x" * 70_000,
        "He went on and on about the house and the trees until the light went.\n" * 2_000,
        "他走了很久。" * 20_000,
    ],
)
def test_a_paragraph_is_never_cut(paragraph: str) -> None:
    before, after = "It rained.\n\n", "\n\nIt stopped."
    pieces = cut(before + paragraph + after)
    assert "".join(piece.text for piece in pieces) == before + paragraph + after
    assert any(paragraph.strip() in piece.text for piece in pieces)
    assert len(cut(paragraph)) == 1


def test_indented_lines_begin_paragraphs_of_wrapped_lines() -> None:
    paragraph = "    The ferry was late, and nobody on the pier had seen a light\n" + (
        "that night, whatever they said about it in the years that followed\n" * 30
    )
    pieces = cut(paragraph * 40)
    assert len(pieces) > 1
    assert all(f"\n{piece.text}".count("\n    The") for piece in pieces)
    assert all(piece.text.lstrip(" ").startswith("The ferry") for piece in pieces)


def test_every_so_many_words_a_new_chapter_begins() -> None:
    pieces = cut(PROSE * 100, max_words=400)
    assert len(pieces) == 4
    assert all(count_words(piece.text) <= 400 for piece in pieces)


@given(TEXTS)
def test_headings_lie_in_order_and_hold_their_titles(text: str) -> None:
    headings = all_headings(text)
    ends = [0, *(heading.end for heading in headings)]
    for heading, before in zip(headings, ends, strict=False):
        assert before <= heading.start < heading.end <= len(text)
        if heading.kind is not NodeKind.SCENE:
            assert heading.title.split(": ")[0] in text[heading.start : heading.end]


@given(st.lists(st.sampled_from(["CHAPTER I\n\n", "The Ferry\n\n", "* * *\n\n", PROSE]), max_size=12))
def test_a_heading_that_was_told_of_stays_while_the_text_grows(parts: list[str]) -> None:
    text = "".join(parts)
    told = set[tuple[int, int, str]]()
    for end in range(0, len(text) + 1, 3):
        now = {(one.start, one.end, one.title) for one in headings_in(text[:end])}
        assert told <= now
        told = now
    assert told <= {(one.start, one.end, one.title) for one in all_headings(text)}


def test_headings_of_a_growing_text_are_told_of_once_their_text_has_begun() -> None:
    text = f"{PROSE}CHAPTER II\n\n"
    assert headings_in(text) == headings_in(text + "The Ferry") == headings_in(text + "The Ferry\n\n") == ()
    (heading,) = headings_in(text + "The Ferry\n\n" + PROSE)
    assert (heading.start, heading.title) == (len(PROSE), "CHAPTER II: The Ferry")
    assert headings_in(text + "The Ferry\n\n" + PROSE, start=len(PROSE) + 1) == ()


def test_sizes_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="0 characters"):
        cut("a", max_chars=0)
    with pytest.raises(ValueError, match="0 words"):
        cut("a", max_words=0)


def test_no_piece_of_a_million_words_is_too_long() -> None:
    text = "".join(f"Chapter {number}\n\n" + PROSE * 30 for number in range(1, 900))
    assert len(re.findall("Chapter", text)) == len(cut(text)) == 899
