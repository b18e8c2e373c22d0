from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.book_formats.paragraphs import MarkupSpan, fit, habits, marked, parsed, plain, tidied, tidied_spans
from tests.app.book_formats.novels import hostile_paragraphs, spans


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("plain", (MarkupSpan("plain"),)),
        ("*a*", (MarkupSpan("a", italic=True),)),
        ("**a**", (MarkupSpan("a", bold=True),)),
        ("***a***", (MarkupSpan("a", italic=True, bold=True),)),
        ("x *a b* y", (MarkupSpan("x "), MarkupSpan("a b", italic=True), MarkupSpan(" y"))),
        (
            "**a *b* c**",
            (MarkupSpan("a ", bold=True), MarkupSpan("b", True, True), MarkupSpan(" c", bold=True)),
        ),
        ("*a***b**", (MarkupSpan("a", italic=True), MarkupSpan("b", bold=True))),
        ("un*believ*able", (MarkupSpan("un"), MarkupSpan("believ", italic=True), MarkupSpan("able"))),
    ],
)
def test_emphasis_is_read(text: str, spans: tuple[MarkupSpan, ...]) -> None:
    assert parsed(text) == spans
    assert marked(spans) == text


@pytest.mark.parametrize(
    "text",
    [
        "*",
        "5 * 3 * 2",
        "a * b*",
        "*never closed",
        "** a **",
        "****a****",
        "*a * b",
        "a\\b",
        "C:\\x",
        "**a* b",
    ],
)
def test_asterisks_that_mark_nothing_stay(text: str) -> None:
    assert parsed(text) == (MarkupSpan(text),)


def test_a_backslash_quiets_an_asterisk() -> None:
    assert parsed("\\*a\\*") == (MarkupSpan("*a*"),)
    assert parsed("\\\\*a*") == (MarkupSpan("\\"), MarkupSpan("a", italic=True))


def test_a_backslash_quiets_a_hash_at_the_start_of_a_line() -> None:
    assert parsed("\\# a\n\\\\# b") == (MarkupSpan("# a\n\\# b"),)
    assert marked((MarkupSpan("# a"),)) == "\\# a"


@given(hostile_paragraphs())
def test_what_is_marked_is_read_again(paragraph: tuple[MarkupSpan, ...]) -> None:
    """Spaces at the edges of emphasis lose it; nothing else changes."""
    text = marked(paragraph)
    again = parsed(text)
    assert plain(again) == plain(paragraph)
    assert parsed(marked(again)) == again
    looks = [(c, s.italic, s.bold) for s in paragraph for c in s.text if not c.isspace()]
    assert [(c, s.italic, s.bold) for s in again for c in s.text if not c.isspace()] == looks


@given(st.text(st.sampled_from("*\\a "), max_size=40))
def test_any_asterisks_can_be_read(text: str) -> None:
    assert parsed(marked(parsed(text))) == parsed(text)


def test_many_asterisks_take_no_time() -> None:
    text = "*a **b ***c " * 20_000
    assert plain(parsed(text)).count("a") == 20_000


@given(st.lists(spans(), max_size=4))
def test_tidied_spans_have_no_loose_spaces(loose: list[MarkupSpan]) -> None:
    text = plain(tidied_spans(loose))
    assert "  " not in text
    assert all(line == line.strip() and line for line in text.split("\n") if text)


def test_characters_that_no_document_holds_go() -> None:
    assert fit("a\0b\x1bc\ufffed\ud800e\U0001ffff\x85f\r\ng\u2028h") == "abcde\nf\ng\nh"


def test_wrapped_lines_are_joined_and_verses_are_not() -> None:
    prose = (
        "It was late in the afternoon when the ferry came round the\n"
        "bend of the river and blew its whistle, once and then\n"
        "again, as though anybody had been waiting."
    )
    verses = "Tyger Tyger,\nburning bright"
    text = f"{prose}\n\n{verses}\n"
    assert tidied(text, habits(text)) == f"{prose.replace(chr(10), ' ')}\n\n{verses}"


def test_lines_are_paragraphs_where_there_are_no_blank_lines() -> None:
    text = "\n".join(f"Paragraph {number}." for number in range(12))
    assert tidied(text, habits(text)).split("\n\n") == text.split("\n")


def test_a_long_line_shows_that_line_ends_are_meant() -> None:
    text = f"{'word ' * 40}\n\nA line of more than forty-five characters it is\nand one below it.\n"
    assert tidied(text, habits(text)).endswith("it is\nand one below it.")
