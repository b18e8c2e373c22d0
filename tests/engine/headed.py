"""A tiny model whose tokens are words of headings, numbers and ends of lines: it writes many headings."""

from __future__ import annotations

from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from tests.engine import tiny, worded

PATTERN = r"Chap\d+(?: \d+)*$"
"""What its headings read like; about one line of twelve."""


def save(folder: Path, context: int = 512) -> Path:
    """Write a model folder, and return it."""
    tiny.edit_config(tiny.save("llama", folder), max_position_embeddings=context)
    kinds = (lambda n: "\n" * (n // 3 + 1), lambda n: f"▁Chap{n}", lambda n: f"▁{n}", lambda n: f"▁he{n}")
    words = {kinds[number % 4](number): number for number in range(worded.NUM_WORDS)}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="▁he3"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder
