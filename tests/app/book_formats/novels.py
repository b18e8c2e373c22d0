"""Books to send out and read back."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from quire.book_formats.book import Book, BookPart, Chapter, Scene, book_of_text
from quire.book_formats.paragraphs import MarkupSpan, Paragraph, marked, tidied_spans

_SYLLABLES = tuple(
    syllable
    for syllables in (
        "ba ce di fo gu hal mer nor pel quin ros sta tor",
        "vel wen yar ight ough ound æth éla ñor",
    )
    for syllable in syllables.split()
)
_NAMES = (
    "The Ferry",
    "Salt & Smoke",
    "<Nothing>",
    "“Who?”",
    "100% Rain",
    "A*B",
    "C# Minor",
    "Émile’s *Wake*",
)


def novel_text(num_words: int, seed: int = 7) -> str:
    """Return a novel with parts, chapters, scenes, emphasis, dialogue and odd characters."""
    rng = random.Random(seed)
    words = ["".join(rng.choices(_SYLLABLES, k=rng.randint(1, 4))) for _ in range(3000)]
    num_chapters = max(2, num_words // 3000)
    blocks = list[str]()
    for chapter in range(num_chapters):
        if chapter in (0, num_chapters // 2):
            blocks.append(f"# Part {'One' if chapter == 0 else 'Two'}")
        blocks.append(f"## Chapter {chapter + 1}: {_NAMES[chapter % len(_NAMES)]}")
        for place in range(num_words // num_chapters // 58):
            if place and place % 12 == 0:
                blocks.append("* * *")
            blocks.append(_paragraph(rng, words))
    return "\n\n".join(blocks)


def novel(num_words: int) -> Book:
    """Return it as a book."""
    return book_of_text(novel_text(num_words), "The Salt & Road", "Ann <Lee> O’Neil", "en-GB")


def _paragraph(rng: random.Random, words: list[str]) -> str:
    said = " ".join(rng.choices(words, k=8))
    stressed = " ".join(rng.choices(words, k=3))
    rest = " ".join(rng.choices(words, k=44))
    kind = rng.randrange(5)
    if kind == 0:
        return f"“{said.capitalize()},” she said, “*{stressed}*—{rest}.”"
    if kind == 1:
        odd = f"{said} & {said[:9]} < 5 > 3 \\*not\\* [so] `{said}` \\_{said}\\_"
        return f"{rest.capitalize()}… **{stressed}**; {odd}."
    if kind == 2:
        return f"{rest.capitalize()}.\n{said}\n***{stressed}***"
    if kind == 3:
        return f"— {said}?\u00a0! un*{stressed}*able {rest} 漢字 😀 نص."
    return f"1. {rest}. {said}."


def spans() -> st.SearchStrategy[MarkupSpan]:
    """Return stretches of hostile text in any emphasis."""
    hostile = st.sampled_from(
        [*"*_\\#`~[]<>&|\"'“”‘’-–—…!?.:;()  \t\u00a0\u200b\u2011\u00ad😀漢é1aZ", "&amp;", "\n"]
    )
    text = st.lists(hostile | st.characters(codec="utf-8"), max_size=12).map("".join)
    return st.builds(MarkupSpan, text, st.booleans(), st.booleans())


def hostile_paragraphs() -> st.SearchStrategy[Paragraph]:
    """Return paragraphs as a book has them, of hostile text."""
    return st.lists(spans(), min_size=1, max_size=5).map(tidied_spans).filter(bool)


def book_of_paragraphs(paragraphs: list[Paragraph]) -> Book:
    """Return a book with the paragraphs in one chapter."""
    text = "\n\n".join(marked(paragraph) for paragraph in paragraphs)
    return Book("T", "A", "en", (BookPart("", (Chapter("One", (Scene(text),)),)),))
