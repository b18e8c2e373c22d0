"""The command-line options of the window."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from quire_engine.api.command_parser import CommandParser
from quire_engine.api.config import Dtype


@dataclass(frozen=True, slots=True)
class Options:
    """The command-line options, which override the settings and are not saved."""

    project: Path | None = None
    model_folder: str = ""
    dtype: Dtype = "auto"
    measure_start: bool = False


def parse(arguments: Sequence[str]) -> Options:
    """Return the options; raise SystemExit if they are invalid."""
    parser = CommandParser(prog="quire", description="Open Quire's window.")
    parser.add_argument("project", nargs="?", type=Path, help="a project file; the last one if left out")
    parser.add_argument("--model", default="", metavar="DIR", help="the folder of the model to draft with")
    parser.add_argument("--dtype", choices=get_args(Dtype), default="auto", help="what the model computes in")
    parser.add_argument("--measure-start", action="store_true", help=argparse.SUPPRESS)
    parsed = parser.parse_args(list(arguments))
    return Options(parsed.project, parsed.model, parsed.dtype, parsed.measure_start)
