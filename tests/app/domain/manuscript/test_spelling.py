from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.manuscript.spelling import (
    MAX_WORD_CHARS,
    Judge,
    Word,
    WordList,
    as_in,
    is_listable,
    names_in,
    plain_form,
    words_of_file,
    words_to_check,
)

PROSE = st.text(
    alphabet=st.one_of(
        st.sampled_from("abcdé'’‘-\u2010 *_#@.,“”\u00a0\u202f\u00ad\u0301ABÇ9😀/:\t"),
        st.characters(codec="utf-8"),
    ),
    max_size=80,
)


def texts(paragraph: str) -> list[str]:
    return [word.text for word in words_to_check(paragraph)]


@pytest.mark.parametrize(
    ("paragraph", "words"),
    [
        ("It rained all night.", ["It", "rained", "all", "night"]),
        ("“Don't,” she said. “Don’t.”", ["Don't", "she", "said", "Don’t"]),
        ("Mara’s brother's dogs’ bowls", ["Mara’s", "brother's", "dogs", "bowls"]),
        ("a well-known half\u2010light", ["well", "known", "half", "light"]),
        ("In 1911 the 3rd of B2 came at 10am", ["In", "the", "of", "came", "at"]),
        ("NASA and the FBI’s men, O’BRIEN too", ["and", "the", "men", "too"]),
        ("# The *very* **last** day\u00a0of\u202fMay", ["The", "very", "last", "day", "of", "May"]),
        ("see https://example.com/ab?c=tehh and www.tehh.org now", ["see", "and", "now"]),
        ("write to tehh@example.com, or to @tehh #tehh", ["write", "to", "or", "to"]),
        ("the site quiire.com is", ["the", "site", "is"]),
        ("one—two...three", ["one", "two", "three"]),
        ("a *ha*lf marked word", ["ha", "lf", "marked", "word"]),
        ("snake_case and _emphasis_", ["and", "emphasis"]),
        ("cafe\u0301 na\u00efve", ["cafe\u0301", "na\u00efve"]),
        ("con\u00adtin\u00adue", ["con\u00adtin\u00adue"]),
        ("'Quoted,' he said", ["Quoted", "he", "said"]),
        ("I saw a J. R. Hartley", ["saw", "Hartley"]),
        ("", []),
        ("*** — …", []),
    ],
)
def test_what_is_checked(paragraph: str, words: list[str]) -> None:
    assert texts(paragraph) == words


def test_forms_are_spelt_plainly_and_know_what_stands_around() -> None:
    (twas, nothin) = words_to_check("’Twas nothin’")
    assert twas.forms == ("Twas", "'Twas")
    assert nothin.forms == ("nothin", "nothin'")
    first, second, third = (
        words_to_check("vis\u2010a\u0300\u2010vis and don’t")[0],
        *words_to_check("and don’t"),
    )
    assert first.forms == ("vis", "vis-\u00e0-vis")
    assert (second.forms, third.forms) == (("and",), ("don't",))
    assert words_to_check("con\u00adtinue")[0].forms == ("continue",)


def test_nothing_too_long_is_a_word() -> None:
    assert texts("a" * MAX_WORD_CHARS) == ["a" * MAX_WORD_CHARS]
    assert texts("a" * (MAX_WORD_CHARS + 1)) == []


@given(PROSE)
def test_words_stand_where_they_say_and_do_not_overlap(paragraph: str) -> None:
    end = 0
    for word in words_to_check(paragraph):
        assert end <= word.start < word.end <= len(paragraph)
        assert paragraph[word.start : word.end] == word.text
        assert any(letter.isalpha() for letter in word.text)
        assert not any(letter.isspace() or letter.isdecimal() for letter in word.text)
        assert word.forms
        assert all("’" not in form and "\u00ad" not in form for form in word.forms)
        end = word.end


@given(PROSE, PROSE)
def test_a_paragraph_is_checked_as_its_halves_are(one: str, other: str) -> None:
    apart = [*texts(f"{one} "), *texts(other)]
    assert texts(f"{one} \n{other}") == apart


@given(st.lists(st.sampled_from(["Aelin", "grok", "O'Shea", "half-elf", "ß", "éowyn"]), max_size=6))
def test_a_list_holds_what_was_put_into_it(words: list[str]) -> None:
    word_list = WordList(words)
    assert set(word_list.words) == set(words)
    assert all(word in word_list for word in words)
    assert len(word_list.without(words)) == 0
    assert WordList().with_words(words) == word_list


def test_capitals_of_listed_words() -> None:
    names = WordList(["Aelin", "grok", "McRae"])
    assert "Aelin" in names
    assert "AELIN" in names
    assert "aelin" not in names
    assert "Grok" in names
    assert "gRok" not in names
    assert "MCRAE" in names
    assert "Mcrae" not in names


def test_what_is_right_is_right_for_its_owner_too() -> None:
    names = WordList(["Aelin", "Moss"])
    assert "Aelin's" in names
    assert "Moss'" in names
    assert "Aelins" not in names


@pytest.mark.parametrize("word", ["", "two words", "12", "a" * 61, "tab\tbed", "..."])
def test_what_is_no_word_is_not_listed(word: str) -> None:
    assert not is_listable(word)
    assert len(WordList([word])) == 0


def test_words_are_listed_for_a_reader() -> None:
    assert WordList(["zebra", "Émile", "apple", "Anna"]).words == ("Anna", "apple", "zebra", "Émile")


def test_lists_as_other_programs_keep_them_are_read() -> None:
    assert words_of_file("\ufeff3\r\nAelin/MS\n\n  O’Shea \nfoo bar\n***\n") == (
        "Aelin",
        "O’Shea",
        "foo",
        "bar",
    )


@given(st.lists(st.sampled_from(["Aelin", "O'Shea", "grok"])))
def test_a_list_that_was_written_is_read_again(words: list[str]) -> None:
    word_list = WordList(words)
    assert WordList(words_of_file("\n".join(word_list.words))) == word_list


@given(st.text(max_size=30))
def test_the_plain_form_is_its_own(text: str) -> None:
    assert plain_form(plain_form(text)) == plain_form(text)


def test_a_suggestion_takes_the_apostrophes_of_the_text() -> None:
    assert as_in("She can’t.", "don't") == "don’t"
    assert as_in("She cannot.", "don't") == "don't"


def word(*forms: str) -> Word:
    return Word(forms[0], 0, len(forms[0]), forms)


def test_a_word_is_right_when_one_of_its_forms_is() -> None:
    judge = Judge()
    twas = word("twas", "'twas")
    assert judge.is_right(twas) is None
    assert judge.unknown_forms(twas) == ("twas", "'twas")
    judge.learn((), ("twas",))
    assert judge.is_right(twas) is None
    assert judge.unknown_forms(twas) == ("'twas",)
    judge.learn(("'twas",), ())
    assert judge.is_right(twas) is True


def test_the_writer_is_right_before_the_dictionary() -> None:
    judge = Judge()
    judge.learn((), ("Aelin", "teh"))
    assert judge.is_right(word("Aelin")) is False
    judge.word_list = WordList(["Aelin"])
    judge.ignored = WordList(["teh"])
    assert judge.is_right(word("Aelin")) is True
    assert judge.is_right(word("Aelin's")) is True
    assert judge.is_right(word("teh")) is True
    judge.word_list = judge.ignored = WordList()
    assert judge.is_right(word("teh")) is False
    judge.forget_verdicts()
    assert judge.is_right(word("teh")) is None


def test_names_are_words_with_a_capital_that_a_book_repeats_and_its_people() -> None:
    text = "Then Aelin’s boat, Orrin said. He saw Aelin; then Aelin left. Once Teh came. Wind. Wind. Wind."
    names = names_in([text, "and Orrin, Orrin", "for Orrin"], ["Mira of Thorsby"])
    assert {name for name in ("Aelin", "Orrin", "Teh", "Wind", "Mira", "Thorsby") if name in names} == {
        "Aelin", "Orrin", "Mira", "Thorsby",
    }  # fmt: skip
    judge = Judge()
    judge.learn((), ("Aelin", "Aelin's", "Teh"))
    judge.names = names
    verdicts = {word.text: judge.is_right(word) for word in words_to_check("Aelin’s Teh")}
    assert verdicts == {"Aelin’s": True, "Teh": False}
