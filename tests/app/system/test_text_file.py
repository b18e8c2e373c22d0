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
