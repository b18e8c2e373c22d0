from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.metrics.word_count import WordCounter, count_words, end_of_word, parts_words, word_ends
from tests.engine.tiny import few

# what matters for words and sentences, and some of everything else
TEXTS = st.text(
    st.sampled_from("ab1_ .,?!—–-’”“\"'()\n\t\u00a0\u200bé汉か。กินข้าว…M") | st.characters(), max_size=40
)


def counter(*pieces: str) -> WordCounter:
    words = WordCounter()
    for piece in pieces:
        words.add(piece)
    return words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        (" \n\t ", 0),
        ("one", 1),
        ("one two\nthree\n\n four ", 4),
        ("well-known don’t don't", 3),
        ("yes—no – perhaps", 3),
        ("“Yes,” she said.", 3),
        ("... — ?! *** ___", 0),
        ("4 o’clock, No. 7", 4),
        ("état naïve Ærø", 3),
        ("non\u00a0breaking\u2003space", 3),
        ("我喜欢喝奶茶。他也喜欢。", 10),
        ("我用iPhone 打3次电话", 8),
        ("これは日本語のテストです。", 12),
        ("か\u3099ラーメン、ﾃｽﾄ", 8),
        ("𠀀々〇", 3),
        ("ฉันชอบกินข้าวกับปลา", 6),
        ("ปี๒๕๖๐ กิน pizza", 4),
        ("안녕하세요 여러분", 2),
        ("ខ្ញុំ\u200bស្រឡាញ់", 2),
    ],
)
def test_words_are_counted_as_a_reader_counts_them(text: str, words: int) -> None:
    assert count_words(text) == words


def test_a_word_counts_once_something_follows_it() -> None:
    words = counter("The fer")
    assert words.num_words == 1
    words.add("ry")
    assert words.num_words == 1
    words.add(" left")
    assert words.num_words == 2


@few
@given(TEXTS)
def test_words_end_where_they_are_counted(text: str) -> None:
    ends = list(word_ends(text))
    assert len(ends) == count_words(text)
    assert ends == sorted(set(ends))
    assert [end_of_word(text, number + 1) for number in range(len(ends) + 1)] == [*ends, len(text)]
    assert all(text[end - 1].strip() for end in ends)


@few
@given(TEXTS)
def test_both_sides_of_a_place_that_parts_words_are_counted_alone(text: str) -> None:
    for place in range(len(text) + 1):
        if parts_words(text, place):
            assert count_words(text[:place]) + count_words(text[place:]) == count_words(text)
        else:
            assert text[place - 1 : place + 1].strip() == text[place - 1 : place + 1]


@pytest.mark.parametrize("text", ["ฉันชอบกินข้าวกับปลา" * 50, "我喜欢喝奶茶" * 50])
def test_words_that_no_space_parts_count_while_they_are_written(text: str) -> None:
    words = WordCounter()
    for character in text:
        words.add(character)
    assert 0 <= count_words(text) - words.num_words <= 2


@few
@given(TEXTS, st.data())
def test_pieces_do_not_change_the_count(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    in_pieces, whole = counter(*pieces), counter(text)
    assert in_pieces.num_words == whole.num_words
    assert in_pieces.at_sentence_end == whole.at_sentence_end


@few
@given(TEXTS)
def test_a_finished_text_has_the_words_of_the_whole(text: str) -> None:
    assert counter(text, "\n").num_words == count_words(text)


@few
@given(TEXTS, TEXTS)
def test_the_count_never_falls(first: str, second: str) -> None:
    words = counter(first)
    before = words.num_words
    words.add(second)
    assert before <= words.num_words


@pytest.mark.parametrize(
    "text",
    [
        "She left.",
        "Did she leave?",
        "She left!",
        "She left…",
        "“I am leaving,” she said.",
        "“I am leaving.”",
        "“He said ‘go.’”",
        "She left (at last).",
        "She left (at last.)",
        'He said "go."',
        "She left.\n",
        "She left\n\n",
        "A chapter title\n",
        "“She spoke\n\nHe listened.",
        "at the plumb.",
        "他走了。",
        "「行くの\uff1f」",
        "「はい」と言った。",
        "",
    ],
)
def test_a_reader_would_stop_here(text: str) -> None:
    assert counter(text).at_sentence_end


@pytest.mark.parametrize(
    "text",
    [
        "She left",
        "She left,",
        "She left. ",
        "She left. Then",
        "“I am leaving. ",
        "“I am leaving.",
        "“One.” “Two.",
        "“Two”, she said, “or three.",
        "She met Mr.",
        "She met Mrs.",
        "“Dr.",
        "the church of St.",
        "J.",
        "then J. R.",
        "—Capt.",
        "She left;",
        "She left —",
        "「行く。",
        "他走了、",
    ],
)
def test_a_reader_would_not_stop_here(text: str) -> None:
    assert not counter(text).at_sentence_end
