from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quire.domain.manuscript.headings import all_headings
from quire.domain.manuscript.markup import (
    MarkupSpan,
    emphasised,
    markup_of,
    merged,
    parsed,
    runs_in,
    spans_in,
)
from quire.domain.manuscript.tree import NodeKind

LINES = st.text(st.sampled_from("ab *_#\\-~.😀é\t"), max_size=30)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("_a_", (MarkupSpan("a", italic=True),)),
        ("x _a b_, y", (MarkupSpan("x "), MarkupSpan("a b", italic=True), MarkupSpan(", y"))),
        ("**_a_**", (MarkupSpan("a", True, True),)),
        ("_**a**_", (MarkupSpan("a", True, True),)),
        ("“_a_”", (MarkupSpan("“"), MarkupSpan("a", italic=True), MarkupSpan("”"))),
        ("*a _b* c_", (MarkupSpan("a b c", italic=True),)),
    ],
)
def test_single_underscores_mark_italics(text: str, spans: tuple[MarkupSpan, ...]) -> None:
    assert parsed(text) == spans


@pytest.mark.parametrize("text", ["snake_case", "_", "__a__", "a_b_c", "_never closed", "_ a _", "____"])
def test_underscores_that_mark_nothing_stay(text: str) -> None:
    assert parsed(text) == (MarkupSpan(text),)


def test_a_backslash_quiets_an_underscore() -> None:
    assert parsed("\\_a\\_") == (MarkupSpan("_a_"),)


@given(LINES)
@example("# *a* #")
@example("\\# *a*")
def test_the_runs_are_all_of_a_line(line: str) -> None:
    runs = markup_of(line).runs
    assert "".join(line[run.start : run.end] for run in runs) == line
    assert all(run.start < run.end for run in runs) or not line
    assert [run.end for run in runs[:-1]] == [run.start for run in runs[1:]]


@given(LINES)
def test_what_the_runs_say_is_what_the_paragraph_says(line: str) -> None:
    said = merged(MarkupSpan(run.says, run.italic, run.bold) for run in runs_in(line))
    assert said == spans_in(line)
    assert spans_in(emphasised(said)) == said


@given(st.lists(st.tuples(st.text(st.sampled_from("ab_*\\ "), min_size=1), st.booleans(), st.booleans())))
def test_what_is_emphasised_is_read_again(looks: list[tuple[str, bool, bool]]) -> None:
    wanted = [MarkupSpan(text, italic, bold) for text, italic, bold in looks]
    again = spans_in(emphasised(wanted))
    assert [(one, span.italic, span.bold) for span in again for one in span.text if not one.isspace()] == [
        (one, span.italic, span.bold) for span in wanted for one in span.text if not one.isspace()
    ]


@given(st.from_regex(r"[ ]?#{1,4}[ ]{0,2}[a# ]{0,8}", fullmatch=True))
def test_headings_are_those_that_cut_a_book(line: str) -> None:
    markup = markup_of(line)
    found = all_headings(line)
    if not found:
        assert not markup.is_break
        assert markup.level == 0
    elif found[0].kind is NodeKind.SCENE and not found[0].title:
        assert markup.is_break
    else:
        assert markup.level == len(line.split()[0])
        assert "".join(run.says for run in markup.runs) == found[0].title


def test_a_heading_may_have_emphasis() -> None:
    markup = markup_of("## The *Wake*")
    assert markup.level == 2
    assert [(run.says, run.italic) for run in markup.runs if run.says] == [("The ", False), ("Wake", True)]


def test_a_quieted_hash_makes_no_heading() -> None:
    markup = markup_of("\\# 1")
    assert markup.level == 0
    assert "".join(run.says for run in markup.runs) == "# 1"


@pytest.mark.parametrize("line", ["***", "* * *", "---", "#", "  *  "])
def test_scene_breaks(line: str) -> None:
    assert markup_of(line).is_break


def test_many_marks_take_no_time() -> None:
    markup = markup_of("*a _b **c ***d " * 5_000)
    assert sum(len(run.says) for run in markup.runs) >= 20_000
