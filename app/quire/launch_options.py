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
    """The command-line options, which override the settings and are not saved.

    Attributes:
        model_file: a model that is imported before it is used; then there is no folder.
    """

    project: Path | None = None
    model_folder: str = ""
    model_file: Path | None = None
    dtype: Dtype = "auto"
    measure_start: bool = False

    @property
    def named_model(self) -> str:
        """Return the folder or file of the model on the command line; empty for none."""
        return self.model_folder or str(self.model_file or "")


def parse(arguments: Sequence[str]) -> Options:
    """Return the options; raise SystemExit if they are invalid."""
    parser = CommandParser(prog="quire", description="Open Quire's window.")
    parser.add_argument("project", nargs="?", type=Path, help="a project file; the last one if left out")
    parser.add_argument(
        "--model", default="", metavar="DIR|FILE.gguf",
        help="the model to draft with: its folder, or a GGUF file, which is imported first",
    )  # fmt: skip
    parser.add_argument("--dtype", choices=get_args(Dtype), default="auto", help="what the model computes in")
    parser.add_argument("--measure-start", action="store_true", help=argparse.SUPPRESS)
    parsed = parser.parse_args(list(arguments))
    file = Path(parsed.model).absolute() if parsed.model and _is_imported(Path(parsed.model)) else None
    folder = "" if file is not None else parsed.model
    return Options(parsed.project, folder, file, parsed.dtype, parsed.measure_start)


def _is_imported(path: Path) -> bool:
    from quire_engine.catalog.importable import is_importable  # only a named model is looked at

    return is_importable(path)
