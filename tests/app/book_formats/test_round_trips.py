"""What is written is read again, by us and by programs that are not ours."""

from __future__ import annotations

import subprocess
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from quire.book_formats.book import Book, book_of_text
from quire.book_formats.export_settings import ExportSettings, ExportStyle, Format
from quire.book_formats.exporter import export, made
from quire.book_formats.importer import read_manuscript
from quire.book_formats.pandoc import pandoc_path
from quire.book_formats.paragraphs import MarkupSpan, Paragraph, marked, plain
from quire.domain.manuscript.headings import all_headings
from quire_engine.metrics.word_count import count_words
from tests.app.book_formats.novels import book_of_paragraphs, hostile_paragraphs, novel

BOTH_WAYS = (Format.DOCX, Format.ODT, Format.EPUB, Format.MD)
_READERS = {Format.MD: "commonmark+yaml_metadata_block"}


@lru_cache
def long_novel() -> Book:
    return novel(60_000)


def looks_like_prose(paragraphs: list[Paragraph]) -> bool:
    """Whether nothing looks like a heading or a scene break, emphasis or not: what does becomes one."""
    texts = (map(marked, paragraphs), map(plain, paragraphs))
    return not any(all_headings("\n\n".join(text)) for text in texts)


def shown(paragraphs: Iterable[Paragraph]) -> list[list[tuple[str, bool, bool]]]:
    """Return every character with its emphasis; white space has none to see.

    Markdown's reader composes accents, which changes no character for a reader.
    """
    return [
        [
            (one, span.italic and not one.isspace(), span.bold and not one.isspace())
            for span in paragraph
            for one in unicodedata.normalize("NFC", span.text)
        ]
        for paragraph in paragraphs
    ]


def hostile_batches() -> st.SearchStrategy[list[Paragraph]]:
    """Return many paragraphs at once, as starting a program for each would take long.

    The last one is long, which tells that the others' line ends are meant.
    """
    paragraphs = st.lists(hostile_paragraphs(), min_size=40, max_size=80)
    prose = paragraphs.map(lambda batch: [one for one in batch if looks_like_prose([one])])
    return prose.map(lambda batch: [*batch, (MarkupSpan("The last paragraph. " * 8 + "End."),)]).filter(
        looks_like_prose
    )


def read_back(path: Path) -> Book:
    plan = read_manuscript(path)
    return book_of_text(plan.manuscript.text, plan.title, plan.manuscript.author, "en-GB")


@pytest.mark.sliced
@pytest.mark.parametrize("kind", BOTH_WAYS, ids=lambda kind: str(kind.value))
def test_a_long_novel_comes_back_whole(kind: Format, tmp_path: Path) -> None:
    book, path = long_novel(), tmp_path / f"novel.{kind.value}"
    assert book.num_words >= 60_000
    export(book, ExportSettings(kind, ExportStyle.EBOOK), path)
    again = read_back(path)
    assert [chapter.title for chapter in again.chapters] == [chapter.title for chapter in book.chapters]
    assert [len(chapter.scenes) for chapter in again.chapters] == [len(one.scenes) for one in book.chapters]
    assert again == book


@pytest.mark.sliced
@pytest.mark.parametrize("look", ExportStyle, ids=lambda look: str(look.value))
@pytest.mark.parametrize("title_page", [True, False])
@pytest.mark.parametrize("kind", BOTH_WAYS, ids=lambda kind: str(kind.value))
def test_every_look_holds_the_same_book(
    kind: Format, look: ExportStyle, title_page: bool, tmp_path: Path
) -> None:
    book, path = novel(400), tmp_path / f"novel.{kind.value}"
    export(book, ExportSettings(kind, look, title_page), path)
    assert read_back(path).parts == book.parts


@pytest.mark.parametrize("kind", BOTH_WAYS, ids=lambda kind: str(kind.value))
def test_a_foreign_reader_finds_every_word(kind: Format) -> None:
    book = novel(3000)
    reader = _READERS.get(kind, kind.value)
    said = subprocess.run(
        [pandoc_path(), "--sandbox", "-f", reader, "-t", "plain", "--wrap=none"],
        input=made(book, ExportSettings(kind, ExportStyle.EBOOK, title_page=False)),
        capture_output=True,
        check=True,
    ).stdout.decode()
    text = made(book, ExportSettings(Format.TXT, title_page=False)).decode()
    for word in set(text.split()):
        assert word in said
    assert count_words(said) >= count_words(text)


@pytest.mark.sliced
@pytest.mark.parametrize("kind", BOTH_WAYS, ids=lambda kind: str(kind.value))
@settings(
    max_examples=5,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(hostile=hostile_batches())
def test_hostile_characters_come_back(kind: Format, hostile: list[Paragraph], tmp_path: Path) -> None:
    book, path = book_of_paragraphs(hostile), tmp_path / f"novel.{kind.value}"
    export(book, ExportSettings(kind, ExportStyle.PLAIN), path)
    (chapter,) = read_back(path).chapters
    (scene,) = chapter.scenes
    assert shown(scene.paragraphs) == shown(book.chapters[0].scenes[0].paragraphs)
