"""`python -m tests.benchmarks.gpu_day.materials`: what the other slices need, made from what there is.

A second model beside the built-in one (SmolLM2, imported from its file, with an adapter or without), and
plain text for drafters from the corpus. `tiny` and `books` are stand-ins of a few kilobytes for a trial run.
"""

from __future__ import annotations

import argparse
import lzma
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.adapters import read_adapter
from quire_engine.importing.model_import import import_model
from quire_resources import SAMPLE_OPENING
from tests.proofs.engine.tiny_models import write_tiny_model
from tests.training.corpus import BOOK_SEPARATOR, HELD_OUT_AUTHORS, read_books, split_held_out

_BOOKS = (("The Pilot", "Ann", 120), ("The Ferry", "Bea", 80), ("Nineteen Lamps", HELD_OUT_AUTHORS[0], 60))


def main(arguments: Sequence[str] | None = None) -> int:
    """Make something; exit status: 0 made, 1 a problem said in a sentence."""
    args = _parser().parse_args(arguments)
    try:
        args.make(args)
    except (EnvironmentProblem, OSError) as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.gpu_day.materials", description=__doc__)
    kinds = parser.add_subparsers(required=True)
    imported = kinds.add_parser("model", help="import a model's file")
    imported.add_argument("--file", type=Path, required=True)
    imported.add_argument("--adapter", type=Path, default=None)
    imported.set_defaults(make=_import)
    text = kinds.add_parser("text", help="take plain text out of the training books of a corpus")
    text.add_argument("--corpus", type=Path, required=True)
    text.add_argument("--chars", type=int, default=12_000_000)
    text.set_defaults(make=_take_text)
    kinds.add_parser("tiny", help="make a tiny random model").set_defaults(make=_make_tiny)
    kinds.add_parser("books", help="make a tiny corpus").set_defaults(make=_make_books)
    for kind in (*kinds.choices.values(),):
        kind.add_argument("--to", type=Path, required=True, help="where it is to be")
    return parser


def _import(args: argparse.Namespace) -> None:
    beside: Path = args.to.with_name(f"{args.to.name}.importing")
    adapter = None if args.adapter is None else read_adapter(args.adapter)
    made = import_model(args.file, beside, adapter=adapter)
    shutil.rmtree(args.to, ignore_errors=True)
    made.rename(args.to)
    shutil.rmtree(beside)


def _take_text(args: argparse.Namespace) -> None:
    books, _ = split_held_out(list(read_books(args.corpus)))
    each = max(1, args.chars // max(1, len(books)))
    args.to.write_text("\n\n".join(book.text[:each] for book in books), encoding="utf-8")


def _make_tiny(args: argparse.Namespace) -> None:
    shutil.rmtree(args.to, ignore_errors=True)
    write_tiny_model("llama", args.to)


def _make_books(args: argparse.Namespace) -> None:
    """Books of the sample's paragraphs over and over: enough to train on, and nothing to learn."""
    paragraphs = [line for line in SAMPLE_OPENING.read_text(encoding="utf-8").split("\n\n") if line.strip()]
    args.to.mkdir(parents=True, exist_ok=True)
    texts = []
    for title, _, count in _BOOKS:
        chosen = [paragraphs[place % len(paragraphs)] for place in range(count)]
        texts.append(f"# {title}\n\n" + "\n\n".join(chosen) + "\n")
    (args.to / "00.txt.xz").write_bytes(lzma.compress(BOOK_SEPARATOR.join(texts).encode()))
    rows = ["title\tauthor", *(f"{title}\t{author}" for title, author, _ in _BOOKS)]
    (args.to / "MANIFEST.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
