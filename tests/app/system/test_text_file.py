"""Old files say nothing of their encoding, and no letter of them may become another one."""

from __future__ import annotations

import pytest

from quire.system.text_file import text_of

_ENGLISH = "She walked to the window and looked out at the rain, which had not stopped for three days. " * 9
_TEXTS = (
    ("cp1252", "“It’s late,” she said — and left…"),
    ("cp1252", "“Où est le café?” she asked, naïve as ever."),
    ("cp1252", "« Où es-tu ? » demanda-t-elle à la fenêtre. Un cœur à l’œuvre, près du château."),
    ("cp1252", "»Größe«, sagte er – und lächelte müde über die Straße."),
    ("cp1252", "— Não é possível. A manhã já tinha começado, e o coração também."),
    ("cp1252", "Hon gick över ån på våren och såg fågeln."),
    ("cp1250", "Zażółć gęślą jaźń. Poszła do okna i patrzyła na deszcz – „nigdy”."),
    ("cp1250", "Árvíztűrő tükörfúrógép. Az ablakhoz ment, és nézte az esőt."),
    ("iso8859_2", "Zażółć gęślą jaźń. Poszła do okna i patrzyła na deszcz."),
    ("cp1254", "Pencereye gitti ve yağmura bakt\u0131. Şimdi çok geç, dedi İpek."),
    ("mac_roman", "“It’s late,” she said in the café — and left…"),
    ("cp850", "Er lächelte müde über die Straße."),
    ("cp1251", "Привет, мир. Девушку звали Анна, и она жила тогда в Москве, где шёл дождь."),
    ("koi8_r", "Привет, мир. Девушку звали Анна, и она жила тогда в Москве, где шёл дождь."),
    (
        "cp932",
        "彼女は窓のところへ行き、三日間やまない雨を見た。彼女は窓のところへ行き、三日間やまない雨を見た。",
    ),
)


@pytest.mark.parametrize(("encoding", "text"), _TEXTS)
def test_old_encodings_are_told_by_their_letters(encoding: str, text: str) -> None:
    assert text_of(text.encode(encoding)) == text


@pytest.mark.parametrize("text", [text for encoding, text in _TEXTS if encoding == "cp1252"])
def test_a_few_strange_letters_in_much_english_are_enough(text: str) -> None:
    assert text_of((_ENGLISH + text).encode("cp1252")) == _ENGLISH + text


def test_what_a_text_declares_counts_where_it_can_be_true() -> None:
    said = "“It’s late”—now…"
    for declared in ("iso-8859-1", "US-ASCII", "windows-1252"):
        assert text_of(said.encode("cp1252"), declared) == said
    for declared in ("iso-8859-1", "utf-16", "koi8-r", "no such thing", "utf-8"):
        assert text_of(said.encode(), declared) == said
    assert text_of("Привет".encode("koi8-r"), "koi8-r") == "Привет"
    assert text_of(b"plain", "utf-16") == "plain"


_SHORT = {
    "cp1251": ("Привет, мир.", "привет", "Анна ушла.", "Он сказал: «Нет».", "Добрий день, Їжаче.", "ПРИВЕТ"),
    "koi8_r": ("Привет, мир.", "Анна ушла.", "привет"),
    "cp866": ("Привет, мир.", "Да."),
    "cp1253": ("Γειά σου κόσμε.", "καλημέρα", "Ναι."),  # noqa: RUF001
    "cp1250": ("Żółć.", "Łódź", "Idę już.", "Příliš žluťoučký kůň", "Árvíztűrő tükör"),
    "cp1252": ("“It’s late,” she said.", "Größe", "Ça va?", "¿Dónde está?", "Åsa går över", "naïve – yes…"),
    "cp1254": ("Şimdi çok geç", "Ünlü İstanbul"),
    "cp1256": ("مرحبا بالعالم",),
    "utf-16-le": ("привет", "Анна ушла.", "Plain words.", "καλημέρα", "彼女は、行った。\n"),
    "utf-16-be": ("привет", "Анна ушла.", "Plain words.", "Żółć i łódź", "彼女は、行った。\n"),
}


@pytest.mark.parametrize(("encoding", "text"), [(one, text) for one, all_ in _SHORT.items() for text in all_])
def test_a_few_words_tell_their_encoding(encoding: str, text: str) -> None:
    assert text_of(text.encode(encoding)) == text


def test_characters_of_windows_within_utf_8_are_themselves() -> None:
    pasted = "Été “x” — ".encode() * 3 + "caf\u00e9 \u201cq\u201d ".encode("cp1252") + "ö ü 日本".encode()
    assert text_of(pasted) == "Été “x” — " * 3 + "café “q” ö ü 日本"
    assert text_of("Ã© and Â«x»: café déjà".encode("cp1252")) == "Ã© and Â«x»: café déjà"
