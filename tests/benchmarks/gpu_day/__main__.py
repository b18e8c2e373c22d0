"""`python -m tests.benchmarks.gpu_day`: see the package's own words."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from quire.system.display import QT_LIBRARIES
from quire_engine.api.errors import EnvironmentProblem
from tests.benchmarks import gpu_day
from tests.benchmarks.gpu_day import day as days
from tests.benchmarks.gpu_day import parcels
from tests.benchmarks.gpu_day.place import Day
from tests.benchmarks.gpu_day.slices import plan

_MODEL_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_CORPUS = "corpus"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; exit status: 0 done, 1 a slice failed or a problem was said, 130 stopped."""
    args = _parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
    try:
        code: int = args.act(args)
    except EnvironmentProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Stopped; the same command goes on.\n")
        return 130
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.gpu_day",
        description=gpu_day.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True)
    run = commands.add_parser("run", help="run what is left of the day")
    shown = commands.add_parser("list", help="show the slices and what became of them")
    for command in (run, shown):
        command.add_argument(
            "--work", type=Path, default=Path("gpu-day"), help="models, checkpoints, reports"
        )
        command.add_argument(
            "--store", type=Path, default=None, help="where parcels are unpacked; default: WORK"
        )
        command.add_argument("--model-file", type=Path, default=None, help="SmolLM2; default: look for it")
        command.add_argument("--corpus", type=Path, default=None, help="default: look for it")
        command.add_argument("--device", choices=["cuda", "cpu"], default=None, help="default: cuda")
        command.add_argument("--size", choices=["full", "small"], default=None, help="default: full")
        command.add_argument(
            "--dry-run", action="store_true", help="--device cpu --size small, in one process"
        )
    run.add_argument("--from", type=Path, dest="source", default=None, help="a folder with parts of parcels")
    run.add_argument("--out", type=Path, default=Path("gpu-day-out"), help="results and table")
    run.add_argument("--minutes", type=float, default=9.5, help="for this call")
    run.add_argument(
        "--only", nargs="+", default=[], metavar="NAME|POINT", help="some slices, or points 1 to 5"
    )
    run.add_argument(
        "--again", nargs="+", default=[], metavar="NAME", help="run these although they are done"
    )
    run.add_argument(
        "--known", type=Path, nargs="+", default=[], metavar="FILE", help="results of other calls"
    )
    run.set_defaults(act=_run)
    shown.set_defaults(act=_list)
    _add_parcels(commands)
    return parser


def _add_parcels(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    pack = commands.add_parser("pack", help="cut files or packages into parts that may travel")
    pack.add_argument("name", help="of the parcel")
    pack.add_argument("--thing", type=Path, nargs="+", default=[], metavar="PATH", help="files and folders")
    pack.add_argument("--packages", nargs="+", default=[], metavar="NAME", help="installed here")
    pack.add_argument("--window", action="store_true", help="all that Quire's window needs")
    pack.add_argument("--to", type=Path, required=True, help="folder for the parts")
    pack.add_argument("--part-size", type=float, default=28.0, help="of a part at most, in millions of bytes")
    pack.set_defaults(act=_pack)
    collect = commands.add_parser("collect", help="take in parts and unpack the parcels that are whole")
    collect.add_argument("--from", type=Path, dest="source", required=True)
    collect.add_argument("--store", type=Path, required=True)
    collect.set_defaults(act=_collect)


def _run(args: argparse.Namespace) -> int:
    if args.source is not None:
        _collect(argparse.Namespace(source=args.source, store=args.store or args.work))
    day = _day(args)
    if day.device == "cuda":
        _check_card()
    names = {one.name for one in plan(day)} | set("12345")
    if unknown := {*args.only, *args.again} - names:
        raise EnvironmentProblem(f"There is no slice {', '.join(sorted(unknown))}; `list` shows them.")
    way = days.Way(args.minutes, args.out, tuple(args.only), frozenset(args.again), args.dry_run)
    ledger = days.Ledger(day, args.out)
    for file in args.known:
        ledger.take(file)
    if args.known:
        ledger.write()
    with days.travelled(args.store or args.work):
        return days.run(day, way, _say)


def _list(args: argparse.Namespace) -> int:
    day = _day(args)
    known = days.Ledger(day, day.work).slices
    for one in plan(day):
        state = known.get(one.name, {}).get("state", "not tried")
        _say(f"{one.point}  {one.name:32}{one.minutes:4g} min  {state:12}{one.title}")
    return 0


def _pack(args: argparse.Namespace) -> int:
    packages = [*args.packages, *(parcels.WINDOW if args.window else ())]
    libraries = [one.soname for one in QT_LIBRARIES] if args.window else []
    for file in parcels.pack(args.name, args.to, int(args.part_size * 1e6), args.thing, packages, libraries):
        _say(f"{file.stat().st_size:12,} {file}")
    return 0


def _collect(args: argparse.Namespace) -> int:
    if not args.source.is_dir():
        raise EnvironmentProblem(f"There is no folder {args.source}.")
    for line in parcels.collect(args.source, args.store):
        _say(line)
    return 0


def _day(args: argparse.Namespace) -> Day:
    is_small = args.dry_run or args.size == "small"
    device = args.device or ("cpu" if args.dry_run else "cuda")
    work: Path = args.work.absolute()
    store: Path = (args.store or work).absolute()
    beside = (
        Path("shared") / _CORPUS,
        Path("..") / "shared" / _CORPUS,
        Path(os.environ.get("QUIRE_CORPUS", "-")),
    )
    files = (store / _MODEL_FILE, Path(sys.prefix, "share", "quire", "models", _MODEL_FILE))
    return Day(
        work=work,
        device=device,
        model_file=args.model_file or _first_of(files),
        corpus=args.corpus or _first_of((store / _CORPUS, *beside)),
        is_small=is_small,
    )


def _first_of(paths: Sequence[Path]) -> Path:
    """Return the first path that is there, else the first of all."""
    return next((path for path in paths if path.exists()), paths[0]).absolute()


def _check_card() -> None:
    import torch

    if not torch.cuda.is_available():
        raise EnvironmentProblem(
            "There is no CUDA device that torch can use; --dry-run tries all on the processor."
        )


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    raise SystemExit(main())
