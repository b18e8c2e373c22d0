"""A tiny model whose tokens are whole words: any of its texts is read as the tokens it was written in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from tests.engine import tiny

NUM_WORDS = 300
"""Words that there are; the model's other rows are never written."""
CONTEXT = 2048


def save(family: str, folder: Path, context: int = CONTEXT) -> Path:
    """Write a model folder, and return it."""
    tiny.edit_config(tiny.save(family, folder), max_position_embeddings=context)
    words = {f"▁w{number}": number for number in range(NUM_WORDS)}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="▁w0"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def text_of(token_ids: Sequence[int]) -> str:
    """Return the text that is read as these tokens."""
    return " ".join(f"w{number}" for number in token_ids)


def words(count: int, seed: int = 0) -> tuple[int, ...]:
    """Return so many ordinary tokens."""
    return tuple(1 + (37 * i * i + 11 * i + 101 * seed) % (NUM_WORDS - 1) for i in range(count))
