from __future__ import annotations

import lzma
from pathlib import Path
from random import Random

import pytest

from quire.domain.text_quality.variety import DISTINCT_ORDERS
from quire_engine.metrics.distinct_n import HUMAN_DISTINCT_2
from tests.proofs.app import alarms_on_novels
from tests.proofs.app.alarms_on_novels import HUMAN_BOOKS, HUMAN_WINDOWS, figures_of, main, report


def novel(title: str, num_words: int) -> str:
    random = Random(title)
    words = [f"w{int(random.paretovariate(0.25)) % 9_000}" for _ in range(num_words)]
    return f"# {title}\n\nby Nobody\n\n{' '.join(words)}\n"


def write_corpus(folder: Path, *books: str) -> Path:
    rows = ["title\tauthor", *(f"{book.splitlines()[0].removeprefix('# ')}\tNobody" for book in books)]
    (folder / "MANIFEST.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "novels-01.txt.xz").write_bytes(lzma.compress("\f\n".join(books).encode()))
    return folder


def test_books_without_a_fault_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = write_corpus(tmp_path, novel("One", 4_000), novel("Two", 3_000), novel("Three", 90))
    assert main(["--corpus", str(corpus)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("3 books, 7,")
    assert "known: 0.737 - 0.793 - 0.847; 0.586 - 0.901" in said
    assert said.endswith("0 alarms\n")


def test_a_book_that_loops_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = write_corpus(tmp_path, novel("Good", 500), novel("Bad", 500) + "Woe, woe! " * 50)
    assert main(["--corpus", str(corpus)]) == 1
    said = capsys.readouterr().out
    assert "ALARM Bad: loop at character" in said
    assert said.endswith("1 alarms\n")
    assert main(["--corpus", str(corpus), "--books", "1"]) == 0


def test_a_folder_without_books_is_said_to_be_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--corpus", str(tmp_path)]) == 2
    assert "is not a corpus" in capsys.readouterr().err


def test_the_figures_are_those_of_the_whole_book() -> None:
    book = figures_of("Short", "One, two. " * 3 + "Three")
    assert (book.num_units, book.windows, book.copied_units) == (13, (), 8)
    assert book.echoes == 3 / 13
    assert list(report([book], 2.0))[-1] == "0 alarms"
    assert alarms_on_novels.report is report


def test_the_bands_are_in_order_and_those_of_the_engine() -> None:
    assert (HUMAN_WINDOWS[2].lowest, HUMAN_WINDOWS[2].highest) == HUMAN_DISTINCT_2
    for order in DISTINCT_ORDERS:
        book, window = HUMAN_BOOKS[order], HUMAN_WINDOWS[order]
        assert book.median is not None
        assert window.lowest < book.lowest < book.median < book.highest < window.highest
