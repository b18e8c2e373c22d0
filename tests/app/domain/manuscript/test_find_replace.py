from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.manuscript.find_replace import (
    MAX_QUERY_CHARS,
    Change,
    Match,
    Query,
    Replacement,
    changed,
    changes,
    check,
    context,
    edited_by,
    effective,
    matches,
    replaced,
    shortened,
)
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.provenance import Origin, Provenance
from quire.errors import WriterProblem

PROSE = st.text(alphabet="abAB .,\n'’‘“”\"é😀_", max_size=60)
PIECE = st.text(alphabet="abA .\n'’\"😀", min_size=1, max_size=3)
PATTERNS = st.sampled_from(
    [
        "a",
        "a+",
        "[ab]+",
        "(a)(b)?",
        "a|ab",
        "^a",
        "b$",
        r"\bA",
        r"\w+",
        "a.b",
        "(?:ab)*",
        "x*",
        "a*?b",
        "(a|b)+ ",
    ]
)
TEMPLATES = st.lists(st.sampled_from([r"\1", r"\g<0>", r"\g<1>", "x", "é", r"\n", r"\\"]), max_size=4).map(
    "".join
)
NEVER_ENDS = Query("(a|aa)+$", is_regex=True)


def spans(text: str, query: Query) -> list[tuple[int, int]]:
    return [(match.start, match.end) for match in matches(text, query)]


@given(PROSE, PIECE)
def test_exact_text_is_found_where_find_finds_it(text: str, piece: str) -> None:
    expected, at = [], text.find(piece)
    while at >= 0:
        expected.append((at, at + len(piece)))
        at = text.find(piece, at + len(piece))
    assert spans(text, Query(piece, match_case=True)) == expected
    assert replaced(text, Query(piece, match_case=True), r"\1") == text.replace(piece, r"\1")


@given(PROSE, PIECE)
def test_without_case_letters_and_quotes_are_alike(text: str, piece: str) -> None:
    def plain(string: str) -> str:
        return string.lower().translate(str.maketrans("‘’“”", "''\"\""))

    assert spans(text, Query(piece)) == spans(plain(text), Query(plain(piece), match_case=True))


@given(PROSE, PATTERNS)
def test_regular_expressions_find_what_pythons_own_find(text: str, pattern: str) -> None:
    for case, flags in ((True, re.MULTILINE), (False, re.MULTILINE | re.IGNORECASE)):
        expected = [found for found in re.finditer(pattern, text, flags) if found.end() > found.start()]
        found = matches(text, Query(pattern, is_regex=True, match_case=case))
        assert [(match.start, match.end) for match in found] == [place.span() for place in expected]
        assert [match.groups for match in found] == [
            (place[0], *(group or "" for group in place.groups())) for place in expected
        ]


@given(PROSE, TEMPLATES)
def test_groups_come_back_as_in_pythons_own_replacing(text: str, template: str) -> None:
    query = Query(r"([ab]+)(\.)?", is_regex=True, match_case=True)
    assert replaced(text, query, template) == re.sub(query.text, template, text)


@given(PROSE, st.sampled_from(["a", "ab", "A b", "é", "a|b", ".", "“a"]), st.booleans())
def test_a_whole_word_has_no_letter_beside_it(text: str, word: str, is_regex: bool) -> None:
    query = Query(word, is_regex, whole_words=True, match_case=True)
    pattern = rf"(?<!\w)(?:{word if is_regex else re.escape(word)})(?!\w)"
    assert spans(text, query) == [found.span() for found in re.finditer(pattern, text)]


@given(PROSE, PATTERNS, PROSE)
def test_a_preview_says_what_replacing_does(text: str, pattern: str, new: str) -> None:
    query = Query(pattern, is_regex=True)
    template = new.replace("\\", r"\\")
    preview = changes(matches(text, query), query, template)
    assert changed(text, preview) == replaced(text, query, template)
    assert {change.text for change in preview} <= {new}
    assert changed(text, effective(text, preview)) == changed(text, preview)


def test_groups_keep_the_quotation_marks_of_the_text() -> None:
    query = Query('("[^"]+") said (\\w+\'s)', is_regex=True)
    assert replaced("“Go,” said Mara’s aunt.", query, r"\2: \1") == "Mara’s: “Go,” aunt."
    assert replaced("don’t, DON'T", Query("don't"), "do not") == "do not, do not"
    assert replaced("don’t, don't", Query("don't", match_case=True), "do not") == "don’t, do not"


@pytest.mark.parametrize("pattern", [r"\u2019", r"\x27", r"\N{RIGHT SINGLE QUOTATION MARK}", r"\p{Pf}"])
def test_a_character_named_by_its_number_is_that_one(pattern: str) -> None:
    found = matches("it's it’s", Query(pattern, is_regex=True))
    assert [match.groups[0] for match in found] == ["'" if "27" in pattern else "’"]


def test_groups_have_numbers_and_names() -> None:
    query = Query(r"(?P<first>\w+) (?P<last>\w+)", is_regex=True)
    for template in (r"\2, \1", r"\g<last>, \g<first>", r"\g<2>, \g<1>"):
        assert replaced("Mara Quist", query, template) == "Quist, Mara"
    assert replaced("Mara Quist", query, r"[\0]\t\n\\") == "[Mara Quist]\t\n\\"
    assert replaced("Mara", Query("(Mara)|(Tom)", is_regex=True), r"<\2>") == "<>"


@pytest.mark.parametrize("template", [r"\3", r"\g<who>", r"\q", "\\", r"\g<", r"\g<3>"])
def test_a_replacement_that_refers_to_nothing_is_a_sentence(template: str) -> None:
    query = Query(r"(?P<first>\w+) (\w+)", is_regex=True)
    with pytest.raises(WriterProblem, match="no such group"):
        Replacement.of(template, query)
    assert Replacement.of(template, Query("x")).for_match(Match(0, 1, ("x",))) == template


@pytest.mark.parametrize(
    "pattern", ["(", "[a", "*", "a{3,2}", "\\", r"(a)\2", "a)(?:b", "(" * 500 + ")" * 500]
)
def test_a_bad_pattern_is_a_sentence(pattern: str) -> None:
    for whole_words in (False, True):
        with pytest.raises(WriterProblem, match=r"not a valid regular expression \(.+\)\. Correct it"):
            check(Query(pattern, is_regex=True, whole_words=whole_words))
    assert spans(f"x{pattern}x", Query(pattern)) == [(1, 1 + len(pattern))]


def test_a_pattern_that_never_ends_is_a_sentence() -> None:
    with pytest.raises(WriterProblem, match="takes too long"):
        matches("a" * 90 + "b", NEVER_ENDS, limit_s=0.05)
    with pytest.raises(WriterProblem, match="longer than"):
        check(Query("x" * (MAX_QUERY_CHARS + 1)))


def test_nothing_is_found_of_nothing_and_no_more_than_asked_for() -> None:
    assert matches("text", Query("")) == matches("text", Query("q*", is_regex=True)) == ()
    assert len(matches("a" * 9, Query("a"), most=4)) == 4
    assert spans("abc abc", Query("(?r)abc", is_regex=True)) == [(0, 3), (4, 7)]


@given(PROSE, st.sampled_from(["a", "b\n", r"[^z]+", r"\n"]))
def test_a_context_is_what_stands_in_the_line(text: str, pattern: str) -> None:
    for match in matches(text, Query(pattern, is_regex=True)):
        around = context(text, match, reach=5)
        assert text[: match.start].endswith(around.before.removeprefix("…"))
        assert text[match.end :].startswith(around.after.removesuffix("…"))
        assert "\n" not in around.before + around.found + around.after
        assert len(around.found) <= 10
        assert len(around.before) <= 6
        assert len(around.after) <= 6


def test_long_lines_are_shortened() -> None:
    text = "before " * 20 + "Mara" + " after" * 20
    around = context(text, matches(text, Query("mara"))[0], reach=7)
    assert (around.before, around.found, around.after) == ("…before ", "Mara", " after …")
    assert [shortened("abc\ndef", most) for most in (7, 6, 1)] == ["abc def", "abc d…", "…"]


@given(st.data())
def test_provenance_after_many_changes_is_that_after_each_in_turn(data: st.DataObject) -> None:
    kinds = st.sampled_from(
        [(Origin.WRITTEN, 0), (Origin.DRAFTED, 1), (Origin.DRAFTED, 2), (Origin.PASTED, 0)]
    )
    provenance = Provenance()
    for origin, run_id in data.draw(st.lists(kinds, min_size=1, max_size=6)):
        provenance = provenance.grown(data.draw(st.integers(1, 6)), origin, run_id)
    document = Document(1, "One", "x" * provenance.num_chars, provenance)
    cuts = sorted(data.draw(st.sets(st.integers(0, provenance.num_chars), max_size=8)))
    # no two touch: in the old text neither would have the other for its neighbour
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    wanted = [Change(start, end, data.draw(st.text("yz", max_size=3))) for start, end in pairs]
    expected = provenance
    for change in reversed(wanted):
        expected = expected.replaced(
            change.start, change.end - change.start, len(change.text), Origin.WRITTEN
        )
    after = edited_by(document, wanted)
    assert (after.text, after.provenance) == (changed(document.text, wanted), expected)


def test_what_lies_between_two_changes_stays_drafted() -> None:
    document = Document(1, "One", "", Provenance()).drafted("Mara came. Mara went. ", 7)
    after = edited_by(document, changes(matches(document.text, Query("Mara")), Query("Mara"), "Tom"))
    assert [(span.length, span.origin) for span in after.provenance.spans] == [
        (3, Origin.EDITED),
        (7, Origin.DRAFTED),
        (3, Origin.EDITED),
        (7, Origin.DRAFTED),
    ]


def test_changes_must_follow_one_another() -> None:
    for wrong in ([Change(2, 3, ""), Change(1, 2, "")], [Change(0, 9, "")], [Change(2, 1, "")]):
        with pytest.raises(ValueError, match="no change"):
            changed("text", wrong)


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("Wait...", "Wait\u2026"),
        ("no--yes", "no\u2013yes"),
        ("no--yes", "no\u2014yes"),
        ("Mr Grey", "Mr\u00a0Grey"),
        ("caf\u00e9", "cafe\u0301"),
        ("cafe\u0301", "caf\u00e9"),
        ("novels", "nov\u00adels"),
    ],
)
def test_what_reads_the_same_is_found_and_replaced_alone(typed: str, stored: str) -> None:
    text = f"a {stored} b"
    assert replaced(text, Query(typed), "X") == "a X b"
    assert not matches(text, Query(typed, match_case=True))


@pytest.mark.parametrize(
    ("words", "text", "times"),
    [
        ("走了", "他走了。", 1),
        ("Mara", "然后Mara走了", 1),
        ("Mara", "Maras", 0),
        ("cafe", "cafe\u0301", 0),
        ("é", "caf\u00e9", 0),
    ],
)
def test_whole_words_are_those_of_a_script(words: str, text: str, times: int) -> None:
    assert len(matches(text, Query(words, whole_words=True))) == times


def test_a_letter_is_not_found_without_its_accent() -> None:
    assert matches("cafe\u0301 café", Query("cafe")) == ()
