"""Contexts of a wanted length made of prose: a text, and then what the model itself writes after it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from quire_engine.api.config import DraftingConfig, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.cli.arguments import read_prompt, sample_opening
from quire_engine.engine import LoadedModel
from tests.benchmarks.engine.methods import write_tokens


def add_prompt_option(parser: argparse.ArgumentParser) -> None:
    """Declare the text that contexts begin with."""
    parser.add_argument(
        "--prompt-file", type=Path, default=None, help="UTF-8 text to begin with; default: the sample opening"
    )


def opening_text(path: Path | None) -> str:
    """Return the text of a file, or of the opening that ships with Quire; a sentence where there is none."""
    return read_prompt(sample_opening() if path is None else path)


def prose_ids(loaded: LoadedModel, text: str, count: int, sampling: SamplingConfig) -> list[int]:
    """Return `count` token ids: the text's, and if there are too few, what the model writes after them."""
    ids: list[int] = loaded.tokenizer.encode(text).ids[:count]
    if not ids:
        raise EnvironmentProblem("The model's tokenizer makes nothing of this text.")
    if len(ids) < count:
        written = write_tokens(loaded, ids, count - len(ids), sampling, DraftingConfig("tokenswift"))
        ids.extend(written.token_ids)
    return ids[:count]


def fitting(lengths: Sequence[int], context_length: int, num_written: int) -> tuple[list[int], list[int]]:
    """Split context lengths into those that leave room to write and the others.

    Where none does, the longest length that fits is in for them, so that something is measured.
    """
    room = context_length - num_written
    good = [length for length in lengths if length <= room]
    bad = [length for length in lengths if length > room]
    if not good and room >= 1:
        good = [room]
    return good, bad
