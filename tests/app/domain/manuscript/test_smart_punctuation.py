from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.manuscript.headings import is_break
from quire.domain.manuscript.smart_punctuation import NARROW_SPACE, QUOTES, Quotes, quotes_of, typed_ending

LANGUAGES = sorted(QUOTES)


def typed(keys: str, language: str = "en") -> str:
    """Return what stands in a paragraph when the keys were typed one after the other."""
    text = ""
    for key in keys:
        text += key
        ending = typed_ending(text, language)
        if ending is not None:
            assert 0 <= ending.start < len(text)
            text = text[: ending.start] + ending.text
    return text


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ('"Hello," she said.', "“Hello,” she said."),
        ("\"She said 'no,'\" he said.", "“She said ‘no,’” he said."),
        ("It's the dogs' day, isn't it?", "It’s the dogs’ day, isn’t it?"),
        ("in the '90s and '68.", "in the ’90s and ’68."),
        ("the year '1968'", "the year ‘1968’"),
        ("'Tis late, 'twas rock 'n' roll.", "’Tis late, ’twas rock ’n’ roll."),
        ("Get 'em! 'til then", "Get ’em! ’til then"),
        ('"I--" he began', "“I–” he began"),
        ('"I---" he began', "“I—” he began"),
        ('He--"so to speak"--went', "He–“so to speak”–went"),
        ('*"Hello,"* she said', "*“Hello,”* she said"),
        ('"*Hello*," she said', "“*Hello*,” she said"),
        ('("Hello")', "(“Hello”)"),
        ('""', "“”"),
        ("Well... yes....", "Well… yes…."),
        ('"\'Tis," he said', "“’Tis,” he said"),
        ("well-known", "well-known"),
    ],
)
def test_english(keys: str, text: str) -> None:
    assert typed(keys) == text


@pytest.mark.parametrize(
    ("language", "keys", "text"),
    [
        ("en-GB", "'No,' she said, '\"never\" is long.'", "‘No,’ she said, ‘“never” is long.’"),
        ("en-GB", "'But I---' he said. 'Oh.'", "‘But I—’ he said. ‘Oh.’"),
        ("en_GB", "the '90s, '90 of them'", "the ’90s, ‘90 of them’"),
        ("de-DE", "\"Er sagte: 'Nein.'\" Ich hab's.", "„Er sagte: \u201aNein.‘“ Ich hab’s."),
        ("de", "So 'ne Sache", "So ’ne Sache"),
        ("nl", "'s avonds", "’s avonds"),
        ("fr", '"Bonjour", dit-il.', f"«{NARROW_SPACE}Bonjour{NARROW_SPACE}», dit-il."),
        ("fr", '"Bonjour ! " dit-il.', f"«{NARROW_SPACE}Bonjour !{NARROW_SPACE}» dit-il."),
        ("fr", '"Il dit "non"."', f"«{NARROW_SPACE}Il dit “non”.{NARROW_SPACE}»"),
        ("fr", "l'homme", "l’homme"),
        ("es", '"Hola", dijo. "Di "no"."', "«Hola», dijo. «Di “no”.»"),
        ("es", "--Hola --dijo.", "–Hola –dijo."),
        ("ru", '"Он сказал "нет"."', "«Он сказал „нет“.»"),
        ("sv", '"Hej", sa hon. "Ja."', "”Hej”, sa hon. ”Ja.”"),
        ("da", '"Hej," sagde hun.', "»Hej,« sagde hun."),
        ("xx", '"a"', "“a”"),
    ],
)
def test_other_languages(language: str, keys: str, text: str) -> None:
    assert typed(keys, language) == text


@pytest.mark.parametrize("keys", ["---", "--", "- - -", "-----", "  ---", "***", "* * *", "#"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_scene_break_stays_one(keys: str, language: str) -> None:
    assert typed(keys, language) == keys
    assert is_break(keys) or keys == "--"


def test_a_line_may_begin_with_a_dash() -> None:
    assert typed("---But why?") == "—But why?"
    assert typed("-- But why?") == "– But why?"
    assert typed('--"But why?"') == "–“But why?”"


WORDS = st.sampled_from(["rain", "it’s", "well-worn", "*so*", "1923", "é", "don’t", "or", "so…no", "yes—no"])


def said(depth: int) -> st.SearchStrategy[tuple[str, ...] | tuple[object, ...]]:
    """Return words and quotes within quotes: nested tuples are quoted."""
    if depth == 0:
        return st.lists(WORDS, min_size=1, max_size=3).map(tuple)
    return st.lists(WORDS | said(depth - 1), min_size=1, max_size=3).map(tuple)


def shown(said: tuple[object, ...], quotes: Quotes, depth: int, *, as_keys: bool) -> str:
    """Return what was said as a book has it, or as the keys that are pressed for it."""
    pair, key = quotes.double, '"'
    if depth % 2 and quotes.inner:
        pair = quotes.inner
    elif depth % 2:
        pair, key = quotes.single, "'"
    words = [
        one if isinstance(one, str) else shown(one, quotes, depth + 1, as_keys=as_keys)
        for one in said
        if isinstance(one, str | tuple)
    ]
    inside = " ".join(words)
    return f"{key}{inside}{key}" if as_keys else f"{pair.opening}{inside}{pair.closing}"


@given(
    st.sampled_from(LANGUAGES), st.lists(said(1), min_size=1, max_size=3), st.sampled_from([" ", ", ", ". ("])
)
def test_every_quote_that_opens_closes(
    language: str, all_said: list[tuple[object, ...]], between: str
) -> None:
    quotes = quotes_of(language)
    keys = between.join(shown(one, quotes, 0, as_keys=True) for one in all_said)
    keys = keys.replace("’", "'").replace("—", "---").replace("…", "...")
    wanted = between.join(shown(one, quotes, 0, as_keys=False) for one in all_said)
    assert typed(keys, language) == wanted


@given(st.sampled_from(LANGUAGES), st.text(st.sampled_from("ab1 .-\"'*_sn\n“‘"), max_size=30))
def test_typing_changes_nothing_but_its_own_characters(language: str, keys: str) -> None:
    text = typed(keys, language)
    quotes = quotes_of(language)
    pairs = [pair for pair in (quotes.double, quotes.single, quotes.inner) if pair]
    marks = {mark.strip() for pair in pairs for mark in (pair.opening, pair.closing)} | set("\"'’“‘")

    def bare(text: str) -> str:
        text = text.replace("—", "---").replace("–", "--").replace("…", "...")
        return "".join(one for one in text if one not in marks and one not in f" {NARROW_SPACE}")

    assert bare(text) == bare(keys)
