"""A checkpoint on disk: always a whole one, whatever stops the writing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch


def write_checkpoint(file: Path, state: Mapping[str, Any]) -> None:
    """Write the state beside the old checkpoint, then put it in its place."""
    fresh = file.with_suffix(".new")
    torch.save(dict(state), fresh)
    fresh.replace(file)
