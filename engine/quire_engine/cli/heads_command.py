"""`heads MODEL --from PATH`: heads that others have published, kept with the model's drafters."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from quire_engine.api.errors import EngineError
from quire_engine.api.user_message import packed
from quire_engine.cli.arguments import model_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command understands."""
    parser.add_argument("model", type=Path, help="model folder or GGUF file")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--from", dest="source", type=Path, metavar="PATH", help="a folder or safetensors file with the heads"
    )
    what.add_argument(
        "--remove", action="store_true", help="take published heads out of the model's drafters"
    )
    parser.add_argument("--out", type=Path, default=None, metavar="DIR", help="default: the model's folder")
    parser.add_argument("--json", action="store_true", help="answer with one line of JSON, for programs")


def run(args: argparse.Namespace) -> int:
    """Run the command; exit status as for every command of the engine."""
    try:
        answer = _answer(args)
    except EngineError as problem:
        if not args.json:
            raise
        answer = {"problem": packed(problem.message)}
    if args.json:
        sys.stdout.write(json.dumps(answer) + "\n")
    elif args.remove:
        said = "The heads were removed." if answer["removed"] else "There were no published heads to remove."
        sys.stdout.write(said + "\n")
    else:
        place = args.out or args.model
        replaced = f" They replace those from {answer['replaced']}." if answer["replaced"] else ""
        sys.stdout.write(f"{answer['count']} heads of {answer['kind']}'s form added to {place}.{replaced}\n")
    return 1 if "problem" in answer else 0


def _answer(args: argparse.Namespace) -> dict[str, object]:
    # torch: not before the arguments were understood
    from quire_engine.drafting import published_file
    from quire_engine.models import loading

    args.model = model_folder(args.model)
    folder = loading.inspect_folder(args.model)
    out = args.out or args.model
    if args.remove:
        return {"removed": published_file.remove_published(folder, out)}
    found = published_file.add_published(folder, args.source, out)
    return {"kind": found.kind, "count": found.count, "replaced": found.replaced}
