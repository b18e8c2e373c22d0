"""Which tokens a model ends a text with, as its files say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def end_of_text_ids(folder: Path, vocab_size: int) -> tuple[int, ...]:
    """Return the ids in generation_config.json, or else in config.json; empty where neither names one."""
    for name in ("generation_config.json", "config.json"):
        try:
            raw: Any = json.loads((folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            continue  # a model without the file never ends a text; a damaged config.json is refused elsewhere
        found = raw.get("eos_token_id") if isinstance(raw, dict) else None
        ids = found if isinstance(found, list) else [found]
        kept = {number for number in ids if type(number) is int and 0 <= number < vocab_size}
        if kept:
            return tuple(sorted(kept))
    return ()
