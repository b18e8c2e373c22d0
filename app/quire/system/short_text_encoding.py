"""Tells the old encoding of a text so short that no statistics can: by the letters of languages."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import pairwise

_CYRILLIC = (
    "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", "оанівитерслкдупмзябгьчхйїюжєцшщфґ", "аеиотнрсвлкдпмзубчгщжшцъхюйяф",
)  # fmt: skip
_GREEK = ("αοιετσνηυρπκμλςάίόέήύώγδθχφωβξζψϊϋΐΰ",)
_HEBREW = ("יוהלארתבמשעניםדקחפגטסצכזןךףץ",)
_ARABIC = ("ايلمونرتبةدعسفهكقأحجشىطصخإذزءآضئغثظؤ",)
_WEST = (
    "éèàêçôâîùûëïœÿ", "üäöß", "áóíéñúü", "ãáçéíóêõâú", "àèùìòé", "åäöé", "øåæéó", "áíðþéöúýóæ", "éëïóè",
)  # fmt: skip
_CENTRE = ("łóężąśćńź", "íáěéřžýščůúťóňď", "áíúéýčšľžťôňäďó", "áéőöóíüúű", "ăîşâţ", "čšžćđ")
_CANDIDATES = (
    ("cp1252", _WEST), ("cp1250", _CENTRE), ("cp1251", _CYRILLIC), ("cp1253", _GREEK),
    ("cp1254", ("\u0131üşğçöİ",)), ("cp1257", ("ėšžųįąčūę", "āīēšņļžčūģķ", "äõüö")), ("cp1255", _HEBREW),
    ("cp1256", _ARABIC), ("koi8_r", _CYRILLIC), ("cp866", _CYRILLIC), ("iso8859_5", _CYRILLIC),
    ("iso8859_7", _GREEK), ("iso8859_2", _CENTRE), ("mac_roman", _WEST), ("cp850", _WEST),
    ("mac_cyrillic", _CYRILLIC),
)  # fmt: skip
"""Likeliest first, with the letters of their languages, commonest first."""
_SIGNS = frozenset("“”„‘’\u201a\u2039\u203a«»–—…¿¡•·°§©®™€£\xa0№")
_SPREAD = 0.5
"""The cost of the rarest letter of a language; that of the commonest is 0."""
_STRANGE, _IN_WORD, _CAPITAL, _SIGN, _BESIDE = 2.0, 1.5, 0.05, 0.2, 0.15
_MOST = 0.7
"""Of the average cost of a character."""
_NUM_USUAL, _RARER = 8, 0.05
"""The first candidates, those of Windows, and how much better the others have to be."""
_LIKELIER = 0.05
"""How much a later candidate has to be better, for each character."""


def short_text_encoding(content: bytes) -> str:
    """Return the encoding in which a short text reads most like a language; empty where none does."""
    found, least = "", _MOST
    for place, (encoding, languages) in enumerate(_CANDIDATES):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        cost = min(_cost(text, language) for language in languages) + _RARER * (place >= _NUM_USUAL)
        if cost < least - (_LIKELIER if found else 0.0):
            found, least = encoding, cost
    return found


def _cost(text: str, language: str) -> float:
    """Return how little the characters beyond ASCII are like a language, on average."""
    spread = _SPREAD if language[0] > "\u0250" else _SPREAD / 3
    ranks = {letter: spread * place / len(language) for place, letter in enumerate(language)}
    costs = list(_costs(f" {text} ", ranks))
    return sum(costs) / max(len(costs), 1)


def _costs(text: str, ranks: dict[str, float]) -> Iterator[float]:
    for place, (before, one) in enumerate(pairwise(text), start=1):
        if one.isascii():
            continue
        if one in _SIGNS:
            is_inside = before.isalpha() and text[place + 1].isalpha() and one not in "’—–…\xa0·"
            is_inside |= one in "¿¡" and not text[place + 1].isalpha()
            yield _IN_WORD if is_inside else _SIGN
        elif not one.isalpha() and unicodedata.category(one)[0] != "M":
            yield _STRANGE
        else:
            yield ranks.get(one, ranks.get(one.lower(), _STRANGE)) + _beside(before, one, text[place + 1])


def _beside(before: str, one: str, behind: str) -> float:
    """Return how little a letter is like those beside it: in script, and in small letters and capitals."""
    is_latin = one < "\u0250"
    cost = _IN_WORD if one.isupper() and before.islower() else 0.0
    cost += _CAPITAL if one.isupper() and before.isalpha() else 0.0
    if not is_latin and any(other.isascii() and other.isalpha() for other in (before, behind)):
        cost += _STRANGE
    return cost + (_BESIDE if is_latin and before.isalpha() and not before.isascii() else 0.0)
