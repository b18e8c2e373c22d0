"""Names of models for people: what the names of their files say, in words."""

from __future__ import annotations

import re
from pathlib import Path

from quire.services.model_library import starter_model
from quire_engine.api.user_message import UserMessage

_STORED = re.compile(r"[-._](?:i\d-)?(?:I?Q(?P<q>\d)(?:_[A-Z0-9]+)*|[BbFf]+(?P<f>16|32))$", re.IGNORECASE)
"""How the weights of a file are stored: -Q4_K_M, .Q8_0, -BF16."""
_SIZE = re.compile(r"\d+(?:\.\d+)?[MBmb]")
_STARTER = Path(starter_model.FILE_NAME).stem


def plain_name(name: str) -> str:
    """Return the name of a model's file or folder as people say it: Gemma 3 270M, 4 bits."""
    if name == _STARTER:
        return starter_model.NAME
    stored = _STORED.search(name)
    words = (name if stored is None else name[: stored.start()]).split("-")
    if any(map(_SIZE.fullmatch, words)):
        words = [word.upper() if _SIZE.fullmatch(word) else word for word in words if word]
        words[:1] = [word[:1].upper() + word[1:] for word in words[:1]]
    else:
        words = ["-".join(words)]
    plain = " ".join(words)
    if stored is None:
        return plain
    return UserMessage("{name}, {bits} bits", name=plain, bits=int(stored["q"] or stored["f"]))
