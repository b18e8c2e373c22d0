"""Which tokens a model ends a text with, as its files say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quire_engine.catalog.rejection import ModelRejected
from quire_engine.catalog.tokenizer_files import settings_of


def end_of_text_ids(folder: Path, vocab_size: int) -> tuple[int, ...]:
    """Return the ids in generation_config.json, or else in config.json; empty where neither names one."""
    for name in ("generation_config.json", "config.json"):
        try:
            found: Any = settings_of(folder, name).get("eos_token_id")
        except ModelRejected:
            continue  # no file: the model never ends a text; a damaged config.json is rejected elsewhere
        ids = found if isinstance(found, list) else [found]
        kept = {number for number in ids if type(number) is int and 0 <= number < vocab_size}
        if kept:
            return tuple(sorted(kept))
    return ()
