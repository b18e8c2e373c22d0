from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from quire.domain.manuscript.emphasis import Chosen, Style, has_style, restyled, with_level, word_at
from quire.domain.manuscript.markup import MarkupRun, markup_of

LINES = st.text(st.sampled_from("abc  *_#\\.é"), max_size=24)
STYLES = st.sampled_from(Style)


def choose(text: str) -> Chosen:
    """Return what stands between brackets."""
    start, end = text.index("["), text.index("]") - 1
    return Chosen(text.replace("[", "").replace("]", ""), start, end)


def show(chosen: Chosen) -> str:
    line = chosen.line
    return f"{line[: chosen.start]}[{line[chosen.start : chosen.end]}]{line[chosen.end :]}"


@pytest.mark.parametrize(
    ("before", "style", "after"),
    [
        ("It [rained] all day.", Style.ITALIC, "It *[rained]* all day."),
        ("It [rained ]all day.", Style.ITALIC, "It *[rained]* all day."),
        ("It [rained] all day.", Style.BOLD, "It **[rained]** all day."),
        ("It **[rained]** all.", Style.ITALIC, "It ***[rained]*** all."),
        ("It [rained *all*] day.", Style.ITALIC, "It *[rained all]* day."),
        ("# It [rained]", Style.ITALIC, "# It *[rained]*"),
        ("un[believ]able", Style.ITALIC, "un*[believ]*able"),
        ("*a*[b]", Style.ITALIC, "*a[b]*"),
        ("It cost 5 * 3 [coins].", Style.ITALIC, "It cost 5 * 3 *[coins]*."),
        ("_It_ [rained]", Style.ITALIC, "_It_ *[rained]*"),
        ("\\[# 1]", Style.ITALIC, "*[# 1]*"),
    ],
)
def test_emphasis_is_put_on(before: str, style: Style, after: str) -> None:
    assert has_style(choose(before), style) is False
    assert show(restyled(choose(before), style, on=True)) == after


@pytest.mark.parametrize(
    ("before", "style", "after"),
    [
        ("It *[rained]* all day.", Style.ITALIC, "It [rained] all day."),
        ("It _[rained]_ all day.", Style.ITALIC, "It [rained] all day."),
        ("It [*rained*] all day.", Style.ITALIC, "It [rained] all day."),
        ("It ***[rained]*** all.", Style.ITALIC, "It **[rained]** all."),
        ("*It [rained] all day.*", Style.ITALIC, "*It* [rained] *all day.*"),
        ("**[It]** *rained*", Style.BOLD, "[It] *rained*"),
        ("*[\\*]*", Style.ITALIC, "[\\*]"),
        ("*[# 1]*", Style.ITALIC, "\\[# 1]"),
    ],
)
def test_emphasis_is_taken_off(before: str, style: Style, after: str) -> None:
    assert has_style(choose(before), style) is True
    assert show(restyled(choose(before), style, on=False)) == after


@given(LINES, st.data(), STYLES, st.booleans())
def test_only_what_is_chosen_changes(line: str, data: st.DataObject, style: Style, on: bool) -> None:
    start = data.draw(st.integers(0, len(line)))
    chosen = Chosen(line, start, data.draw(st.integers(start, len(line))))
    done = restyled(chosen, style, on=on)
    before, after = looks(markup_of(line).runs), looks(markup_of(done.line).runs)
    assert [one[0] for one in before] == [one[0] for one in after]
    assert markup_of(done.line).level == markup_of(line).level
    other = 2 if style is Style.ITALIC else 1
    assert [one[other] for one in before] == [one[other] for one in after]
    if has_style(chosen, style) is not None:
        assert has_style(done, style) is on


@given(LINES, st.data(), STYLES)
def test_what_was_put_on_can_be_taken_off(line: str, data: st.DataObject, style: Style) -> None:
    start = data.draw(st.integers(0, len(line)))
    chosen = Chosen(line, start, data.draw(st.integers(start, len(line))))
    assume(has_style(chosen, style) is False)
    put_on = restyled(chosen, style, on=True)
    taken_off = restyled(put_on, style, on=False)
    assert has_style(taken_off, style) is False


def looks(runs: tuple[MarkupRun, ...]) -> list[tuple[str, bool, bool]]:
    return [
        (one, run.italic and not one.isspace(), run.bold and not one.isspace())
        for run in runs
        for one in run.says
    ]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("It didn’t[] rain", "It [didn’t] rain"),
        ("*wo[]rd*", "*[word]*"),
        ("a well-w[]orn", "a [well-worn]"),
        ("end.[]", None),
        ("a [] b", None),
        ("[]", None),
    ],
)
def test_the_word_at_the_caret(text: str, word: str | None) -> None:
    at = choose(text)
    found = word_at(at.line, at.start)
    assert (found and show(found)) == word


@pytest.mark.parametrize(
    ("line", "level", "after"),
    [
        ("Rain", 1, "# Rain"),
        ("# Rain", 3, "### Rain"),
        ("## Rain ##", 0, "Rain"),
        ("", 2, "## "),
        ("***", 1, "***"),
        ("  Rain", 2, "## Rain"),
    ],
)
def test_lines_become_headings(line: str, level: int, after: str) -> None:
    assert with_level(line, level) == after


def test_there_are_three_levels() -> None:
    with pytest.raises(ValueError, match="got 4"):
        with_level("Rain", 4)
