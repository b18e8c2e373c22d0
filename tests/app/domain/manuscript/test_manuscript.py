from __future__ import annotations

from quire.domain.manuscript.manuscript import ArrivingText, cleaned, digest_of


def test_every_newline_is_one_character() -> None:
    assert cleaned("a\r\nb\rc\nd") == "a\nb\nc\nd"


def test_half_a_surrogate_pair_does_not_keep_a_text_from_being_stored() -> None:
    assert cleaned("a\ud83db") == "a\ufffdb"
    assert cleaned("a\ud83d\ude00b") == cleaned("a\U0001f600b") == "a\U0001f600b"


def test_the_rest_stays_as_it_is() -> None:
    text = "\u201cNo\u00a0more\u201d\u2014she said.\n\n\t* * * \ufeff"
    assert cleaned(text) == text


def test_what_a_text_area_would_change_is_changed_when_it_comes_in() -> None:
    assert cleaned("\ufeff\ufeffa\u2028b\u2029c\ufdd0d\ufdd1e\0f") == "a\nb\ncdef"


def test_two_texts_are_the_same_when_their_digests_are() -> None:
    assert digest_of("a b") == digest_of("a b") != digest_of("a  b")


def test_what_a_model_writes_becomes_what_a_text_area_leaves_alone() -> None:
    pieces = ["a\r", "\nb\r\nc\r", "", "\n", "\nd\u2028e\u2029", "\nf\0g\ufdd0h\ufdd1", "\u00a0\ud83d\r", "i"]
    arriving = ArrivingText()
    assert "".join(map(arriving.kept, pieces)) == "a\nb\nc\n\nd\ne\n\nfgh\u00a0\ufffd\ni"


def test_a_line_end_whose_halves_come_before_and_after_a_pause_is_one() -> None:
    assert ArrivingText().kept("a\r") + ArrivingText(after_return=True).kept("\nb") == "a\nb"
    assert ArrivingText(after_return=True).kept("b\r\n") == "b\n"
