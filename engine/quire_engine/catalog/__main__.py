"""Inspect models from the command line: `python -m quire_engine.catalog check FOLDER`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from quire_engine.api.command_parser import CommandParser
from quire_engine.api.config import number_format
from quire_engine.api.context_rules import context_here
from quire_engine.catalog.description import described
from quire_engine.catalog.inspection import inspect_folder
from quire_engine.catalog.memory_fit import fit, free_memory
from quire_engine.catalog.rejection import Rejection


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Exit status: 0 success, 1 an unusable folder or an error."""
    args = _parser().parse_args(arguments)
    if args.command == "memory":
        sys.stdout.write(json.dumps(asdict(free_memory(ask_gpu=args.gpu))) + "\n")
        return 0
    return _check(args)


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog="python -m quire_engine.catalog", description="Look at models without loading them."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="say what a model folder is and whether it fits")
    check.add_argument("folder", type=Path)
    check.add_argument("--tokens", type=int, default=131_072, help="length of the text it is to write")
    check.add_argument("--weights", choices=["full", "int8"], default="full", help="as they would be loaded")
    check.add_argument("--gpu", action="store_true", help="ask for a CUDA card, which takes seconds")
    memory = commands.add_parser("memory", help="say what memory is free, as JSON")
    memory.add_argument("--gpu", action="store_true", help="ask for a CUDA card as well")
    return parser


def _check(args: argparse.Namespace) -> int:
    found = inspect_folder(args.folder)
    if isinstance(found, Rejection):
        sys.stdout.write(f"{found.path}: {found.sentence}\n")
        return 1
    memory = free_memory(ask_gpu=args.gpu)
    on_gpu = memory.gpu > 0
    tokens = min(args.tokens, context_here(found.context_length, on_gpu=on_gpu))
    reckoned = fit(found, memory.for_model(found), memory.dtype, tokens, on_gpu=on_gpu, weights=args.weights)
    sys.stdout.write(
        "\n".join((*described(found), f"{number_format(memory.dtype, args.weights)}: {reckoned.advice}"))
        + "\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
