"""The one grammar of heading lines: where a run ends, where a text is split, where an import finds chapters.

A heading is Markdown (`# ...` to `### ...`), "Chapter", "Part" and the like with a number, or "Prologue" and
the like alone. Only the line itself counts here; what is around it is for `quire.domain.manuscript.headings`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import regex  # type: ignore[import-untyped]

_LEAST_HEADING = 3
MAX_HEADING = 400
"""Characters; a longer line is prose, whatever it begins with."""
_SURE_WORDS, _MOST_WORDS = 14, 32
"""Words up to which a numbered line is a heading however it reads, and beyond which it must not end as a
sentence does: headings of old novels go on for lines."""

_TO_NINETEEN = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
)
ONE_TO_NINETEEN = tuple(_TO_NINETEEN.split())
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINAL_NAMES = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
    " fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth fortieth fiftieth last"
)
ORDINALS = tuple(_ORDINAL_NAMES.split())
_WORD = "|".join(sorted([*ONE_TO_NINETEEN, *TENS, "hundred", *ORDINALS], key=len, reverse=True))
_NUMBERS_ELSEWHERE = (
    "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn"
    " siebzehn achtzehn neunzehn zwanzig premier première deuxième troisième quatrième cinquième sixième"
    " septième huitième neuvième dixième un deux trois quatre cinq six sept huit neuf dix onze douze"
    " treize quatorze quinze seize vingt primero primera segundo segunda tercero tercera cuarto cuarta"
    " quinto quinta sexto sexta séptimo octavo noveno décimo uno dos tres cuatro cinco seis siete ocho"
    " nueve diez once doce trece catorce quince veinte primo prima secondo seconda terzo terza quarto"
    " quarta sesto sesta settimo ottavo nono decimo due tre quattro cinque sei sette otto nove dieci"
    " undici dodici tredici quattordici quindici venti primeiro primeira terceiro terceira sétimo oitavo"
    " um dois três quatro cinco sete oito nove dez onze doze eerste tweede derde vierde vijfde zesde"
    " zevende achtste negende tiende een twee drie vijf zes zeven acht pierwszy pierwsza drugi druga"
    " trzeci trzecia czwarty czwarta piąty piąta szósty szósta siódmy ósmy dziewiąty dziesiąty jeden dwa"
    " trzy cztery pięć sześć siedem osiem dziewięć dziesięć первый первая вторая второй третья третий"
    " четвёртая четвертая пятая шестая седьмая восьмая девятая десятая одиннадцатая двенадцатая один два"
    " три четыре пять шесть семь восемь девять десять перший перша другий друга третій третя четвертий"
    " четверта første anden andet tredje fjerde femte sjette syvende åttende ottende niende tiende en to"
    " tre fire fem första andra tredje fjärde sjätte sjunde åttonde nionde tionde ett två fyra sex sju"
    " åtta nio tio první druhá druhý třetí čtvrtá pátá šestá sedmá osmá devátá desátá jedna dvě tři"
    " čtyři pět ensimmäinen toinen kolmas neljäs viides kuudes seitsemäs kahdeksas yhdeksäs kymmenes"
    " yksi kaksi kolme első második harmadik negyedik ötödik hatodik hetedik nyolcadik kilencedik"
    " tizedik birinci ikinci üçüncü dördüncü beşinci alt\u0131nc\u0131 yedinci sekizinci dokuzuncu"
    " onuncu bir iki üç dört beş"
)
"""Numbers of books in other languages, in words."""
_GERMAN_ORDINALS = (
    "erst|zweit|dritt|viert|fünft|sechst|siebent|siebt|acht|neunt|zehnt|elft|zwölft|dreizehnt|vierzehnt"
    "|fünfzehnt|sechzehnt|siebzehnt|achtzehnt|neunzehnt|zwanzigst|letzt"
)
_ELSEWHERE = "|".join(sorted({*_NUMBERS_ELSEWHERE.split()}, key=len, reverse=True))
_ORDINAL_WORDS = "|".join(ORDINALS)
_NUMBER = (
    rf"(?:\d{{1,6}}|[ivxlcdm]{{1,12}}|(?:the\s+)?(?:{_WORD})(?:(?:[ -]|\s+and\s+)(?:{_WORD})){{0,4}}"
    rf"|(?:{_GERMAN_ORDINALS})e[rsn]?|{_ELSEWHERE})"
)
_ORDINAL = (
    rf"(?:\d{{1,6}}\.|[ivxlcdm]{{1,12}}\.|(?:{_GERMAN_ORDINALS})e[rsn]?|{_ELSEWHERE}"
    rf"|(?:(?:{_WORD})(?:[ -]|\s+and\s+)){{0,4}}(?:{_ORDINAL_WORDS}))"
)
_CHAPTER = (
    r"chapter|chap\.|letter|kapitel|kapittel|kapitola|chapitre|cap[ií]tulo|capitolo|hoofdstuk"
    r"|rozdzia[łl]|глава|розділ|luku|fejezet|bölüm|cap[ií]tol|capitolul|poglavlje|kapitull?i|κεφάλαιο|פרק|الفصل"
)
_HAN_NUMBER = (
    "[0-9\uff10-\uff19\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d"
    "\u5341\u767e\u5343\u96f6\u3007]{1,9}"
)
_HAN_CHAPTER, _HAN_PART = "[\u7ae0\u56de\u8bdd\u8a71\u8282\u7bc0]", "[\u90e8\u5377\u5dfb]"
"""As Chinese and Japanese books number their chapters and parts."""
_PART = (
    r"part|book|volume|vol\.|teil|buch|band|partie|livre|tome|parte|libro|deel|cz[ęe][śs][ćc]|часть|частина"
    r"|del|bok|část|osa|rész|k[\u0131i]s[\u0131i]m|livro|volum|μέρος|חלק|الجزء"
)
_TITLE = r"(?:\s*[.:—–-]+\s*(?P<title>\S.*)?|\s+(?P<spaced>(?-i:[A-ZÀ-Þ“‘]).*[^.,;:!?…]))?"
_NUMBERED = (
    rf"(?:(?P<chapter>{_CHAPTER})|(?P<part>{_PART}))\s+(?P<number>{_NUMBER}){_TITLE}"
    rf"|(?:the\s+)?(?P<number>{_ORDINAL})\s+(?:(?P<chapter>{_CHAPTER})|(?P<part>{_PART}))"
    rf"(?:\s*[.:—–-]+\s*(?P<title>\S.*)?)?"
    rf"|\u7b2c\s*(?P<number>{_HAN_NUMBER})\s*(?:(?P<chapter>{_HAN_CHAPTER})|(?P<part>{_HAN_PART}))"
    r"(?:[\s:\uff1a]+(?P<title>\S.*))?"
)
_ALONE = (
    r"(?P<alone>prologue|epilogue|prelude|interlude|preface|introduction|foreword|afterword|prolog|epilog"
    r"|pr[óo]logo|ep[íi]logo|conclusion)(?:\s*[.:—–-]\s*(?P<subtitle>\S.*)?)?"
)
_MARKDOWN = r"(?P<marks>#{1,3})\s+(?P<text>\S.*?)\s*#*"
_MARKDOWN_LINE = regex.compile(_MARKDOWN)
_HEADING = regex.compile(f"{_MARKDOWN}|{_NUMBERED}|{_ALONE}", regex.IGNORECASE)
_ALONE_IN_PROSE = regex.compile(
    r"\w+\s*\.\s+(?=.*\b(?!(?:a|an|and|at|by|for|from|in|of|on|or|the|to|with)\b)\p{Ll})"
    r".*[.!?…][”’\"')\]]*"
)
"""A word such as "Conclusion" that is a sentence of a paragraph: the next one has words in small letters."""
_SENTENCE_INSIDE = regex.compile(
    r"(?<!\bMr)(?<!\bMrs)(?<!\bDr)(?<!\bSt)(?<![\s.][A-Z])[.!?…][”’\"')]*\s+[“‘\"'(]?[A-ZÀ-Þ]"
)


class HeadingForm(Enum):
    """How a line shows that it is a heading."""

    MARKDOWN = "markdown"
    CHAPTER = "chapter"
    PART = "part"
    ALONE = "alone"


@dataclass(frozen=True, slots=True)
class HeadingLine:
    """A line that reads as a heading.

    Attributes:
        title: after the marks or the number; empty without one.
        word, number: such as "Chapter" and "XII", of a chapter or a part.
        level: of Markdown, or 0.
    """

    form: HeadingForm
    title: str
    word: str = ""
    number: str = ""
    level: int = 0


def heading_of(line: str) -> HeadingLine | None:
    """Return how a stripped line reads as a heading; None for prose."""
    if not _LEAST_HEADING <= len(line) <= MAX_HEADING:
        return None
    if line[0] == "#":
        found = _MARKDOWN_LINE.fullmatch(line)
        return found and HeadingLine(HeadingForm.MARKDOWN, found["text"], level=len(found["marks"]))
    found = _HEADING.fullmatch(line)
    if found is None:
        return None
    if found["alone"]:
        is_heading = line[0].isupper() and not _ALONE_IN_PROSE.fullmatch(line)
        return HeadingLine(HeadingForm.ALONE, found["subtitle"] or "") if is_heading else None
    word = found["chapter"] or found["part"]
    if line[-1] == "." and not found["title"] and word.islower() and line.rstrip(" .").endswith(word):
        return None  # "Second letter."
    title = found["title"] or found["spaced"] or ""
    if title and _is_prose(title):
        return None
    form = HeadingForm.CHAPTER if found["chapter"] else HeadingForm.PART
    return HeadingLine(form, title, word, found["number"])


def may_become_heading(line: str) -> bool:
    """Return whether a line may read as a heading once more text has followed it."""
    return len(line) <= MAX_HEADING and _HEADING.fullmatch(line, partial=True) is not None


def _is_prose(title: str) -> bool:
    """Return whether what follows a number reads as a paragraph that begins with "Part One" or the like."""
    num_words = len(title.split())
    if num_words <= _SURE_WORDS or title.isupper():
        return False
    goes_on = title[0].islower() or _SENTENCE_INSIDE.search(title) is not None
    return goes_on or (num_words > _MOST_WORDS and title.rstrip("”’\"')")[-1:] in (".", "!", "?", "…"))
