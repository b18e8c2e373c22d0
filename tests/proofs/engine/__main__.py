"""`python -m tests.proofs.engine --minutes N`: prove for a while; the next call continues from there."""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import tempfile
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transformers.utils import logging as library_logging

from quire_engine.api.config import ModelConfig, Source
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.cli.arguments import built_in_model
from quire_engine.drafting import drafter_file
from quire_engine.engine import LoadedModel, load_model
from quire_engine.models import loading
from tests.proofs.engine.cases import OWN_SOURCES, SAMPLERS, SHIPPED, Case, chance_grid, grid, spread
from tests.proofs.engine.equality import prove
from tests.proofs.engine.ledger import Entry, Ledger
from tests.proofs.engine.sampling_odds import prove_odds
from tests.proofs.engine.tiny_models import FAMILIES, write_tiny_model

PAIRS = "equal text and cache, every pair of settings"
GRID = "equal text and cache, the whole grid"
ODDS = "odds under hostile drafts"
PHASES = (ODDS, PAIRS, GRID)
_TINY_PROMPT = 150
_SHIPPED_PROMPT = 600
_ODDS_WIDTH = 8
_ODDS_PROMPT = 24
_KEPT_MODELS = 6
_LISTED = 20


@dataclass(frozen=True, slots=True)
class Task:
    """Something to prove: a case of the grid, or the odds of one sampler on one model."""

    phase: str
    key: str
    case: Case | None = None
    odds: tuple[str, str, str] | None = None


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove until the time is up; exit status: 0 all holds, 1 something differed or a fault, 130 stopped."""
    args = _parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
    told: Any = library_logging  # carries no types
    told.disable_progress_bar()
    told.set_verbosity_error()
    try:
        with tempfile.TemporaryDirectory() as folder:
            return _prove(args, Path(folder))
    except EnvironmentProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Stopped. What was proved is kept; call again to go on.\n")
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.engine", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long; the case in hand is finished")
    parser.add_argument("--cases", type=int, default=None, help="stop after so many cases too")
    parser.add_argument(
        "--work", type=Path, default=Path("quire-proofs"), help="folder that remembers what is done"
    )
    parser.add_argument("--model", type=Path, default=None, help="model folder; default: the built-in model")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=[*FAMILIES, SHIPPED],
        default=[*FAMILIES, SHIPPED],
        help="models to prove; shipped is the built-in one, or the one that was named",
    )
    parser.add_argument(
        "--drafters-folder", type=Path, default=None, help="where its trained drafters lie, if not beside it"
    )
    parser.add_argument("--tokens", type=int, default=3000, help="tokens per case on the model")
    parser.add_argument("--tiny-tokens", type=int, default=600, help="tokens per case on tiny random models")
    parser.add_argument("--runs", type=int, default=3000, help="runs per sampler in the proof of the odds")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--device", choices=["auto", "cpu", "cuda", "mps"], default="auto")
    parser.add_argument("--seed", type=int, default=0, help="decides the order and where runs are paused")
    parser.add_argument("--again", action="store_true", help="forget what was proved and start over")
    parser.add_argument("--case", default=None, metavar="NAME", help="prove one case again and nothing else")
    return parser


def _prove(args: argparse.Namespace, folder: Path) -> int:
    for name in ("tokens", "tiny_tokens", "runs"):
        if getattr(args, name) < 2:
            raise EnvironmentProblem(f"--{name.replace('_', '-')} must be 2 or more.")
    models = Models(args, folder)
    tasks = list(tasks_of(models.sources, args.seed))
    if args.case is not None:
        return _prove_one(args, tasks, models)
    path = args.work / "ledger.jsonl"
    if args.again:
        path.unlink(missing_ok=True)
    try:
        ledger = Ledger(path, models.conditions())
    except OSError as error:
        raise EnvironmentProblem(f"{path} cannot be written: {error.strerror or error}.") from error
    until = time.monotonic() + 60 * args.minutes
    waiting = [task for task in tasks if task.key not in ledger.entries]
    done = len(tasks) - len(waiting)
    _say(f"{done:,} of {len(tasks):,} cases were proved before; {args.minutes:g} minutes.")
    for number, task in enumerate(waiting[: args.cases], start=done + 1):
        if time.monotonic() >= until:
            break
        entry = prove_task(task, models, args)
        ledger.add(entry)
        _say(_line(entry, f"{number:,}/{len(tasks):,}"))
    for line in summary(tasks, ledger):
        _say(line)
    return 1 if ledger.failures else 0


def _prove_one(args: argparse.Namespace, tasks: Sequence[Task], models: Models) -> int:
    task = next((task for task in tasks if task.key == args.case), None)
    if task is None:
        raise EnvironmentProblem(f"There is no case “{args.case}”. Copy its name from the ledger.")
    entry = prove_task(task, models, args)
    _say(_line(entry, "1/1"))
    return 0 if entry.passed else 1


def tasks_of(models: Mapping[str, set[Source]], seed: int) -> Iterator[Task]:
    """Yield all there is to prove: every pair of settings with the odds in between, then the whole grid.

    models: the kinds of drafters that each model has; what needs another one is left out.
    """
    possible = (case for case in grid(list(models)) if models[case.model].issuperset(case.drafters))
    cases, num_pairs = spread(possible, seed)
    odds = [Task(ODDS, f"odds/{'/'.join(names)}", odds=names) for names in chance_grid(list(models))]
    for place, case in enumerate(cases):
        if place < num_pairs:
            yield Task(PAIRS, case.key, case)
            yield from odds[place * len(odds) // num_pairs : (place + 1) * len(odds) // num_pairs]
        else:
            yield Task(GRID, case.key, case)


class Models:
    """Loads what cases need and keeps the last few."""

    def __init__(self, args: argparse.Namespace, folder: Path) -> None:
        self._args = args
        wanted = [family for family in FAMILIES if family in args.only]
        self._folders = {family: write_tiny_model(family, folder / family) for family in wanted}
        if SHIPPED in args.only:
            with contextlib.suppress(EnvironmentProblem):  # the tiny models are proved all the same
                self._folders[SHIPPED] = args.model or built_in_model()
        self._loaded: OrderedDict[tuple[str, str, int], LoadedModel] = OrderedDict()

    @property
    def sources(self) -> dict[str, set[Source]]:
        """The kinds of drafters that each model has."""
        found: dict[str, set[Source]] = {}
        for name, path in self._folders.items():
            fingerprint = loading.inspect_folder(path).fingerprint
            places = [Path(place) for place in (self._drafters_folder(name), path) if place]
            trained = next(filter(None, (drafter_file.find(place, fingerprint) for place in places)), None)
            found[name] = set(OWN_SOURCES)
            if trained is None or trained.heads is None:
                found[name].remove("heads")
            if trained is None or trained.feature is None:
                found[name].remove("feature")
        return found

    def conditions(self) -> dict[str, Any]:
        """Return what must stay the same for entries of a ledger to add up."""
        args = self._args
        fingerprints = {
            name: loading.inspect_folder(path).fingerprint for name, path in self._folders.items()
        }
        return {
            "software": loading.software_versions(),
            "models": fingerprints,
            "tokens": args.tokens,
            "tiny_tokens": args.tiny_tokens,
            "runs": args.runs,
            "threads": args.threads,
            "device": args.device,
            "seed": args.seed,
        }

    def load(self, name: str, dtype: str, width: int) -> LoadedModel:
        """Return a model in a dtype with passes of a width."""
        wanted = (name, dtype, width)
        if wanted not in self._loaded:
            config = ModelConfig(
                str(self._folders[name]),
                dtype="bfloat16" if dtype == "bfloat16" else "float32",
                width=width,
                threads=self._args.threads,
                device=self._args.device,
                drafters_folder=self._drafters_folder(name),
            )
            self._loaded[wanted] = load_model(config)
            while len(self._loaded) > _KEPT_MODELS:
                self._loaded.popitem(last=False)
        self._loaded.move_to_end(wanted)
        return self._loaded[wanted]

    def _drafters_folder(self, name: str) -> str:
        return str(self._args.drafters_folder or "") if name == SHIPPED else ""


def prove_task(task: Task, models: Models, args: argparse.Namespace) -> Entry:
    """Prove one thing and return what to write down; a model that cannot be used counts as a failure."""
    started = time.monotonic()
    num_tokens = num_accepted = 0
    try:
        if task.case is not None:
            case = task.case
            loaded = models.load(case.model, case.dtype, case.width)
            count = args.tokens if case.model == SHIPPED else args.tiny_tokens
            prompt = prompt_ids(loaded, _SHIPPED_PROMPT if case.model == SHIPPED else _TINY_PROMPT)
            outcome = prove(case, loaded, prompt, count, args.seed)
            difference, num_tokens, num_accepted = (
                outcome.difference,
                outcome.num_tokens,
                outcome.num_accepted,
            )
        else:
            model, dtype, sampler = task.odds or ("", "", "")
            loaded = models.load(model, dtype, _ODDS_WIDTH)
            prompt = prompt_ids(loaded, _ODDS_PROMPT)
            difference, num_tokens, num_accepted = prove_odds(loaded, prompt, SAMPLERS[sampler], args.runs)
    except EnvironmentProblem as problem:
        difference = f"could not be proved: {problem}"
    return Entry(
        key=task.key,
        phase=task.phase,
        difference=difference,
        num_tokens=num_tokens,
        num_accepted=num_accepted,
        seconds=round(time.monotonic() - started, 2),
        how_to_repeat="" if not difference else _how_to_repeat(task.key, args),
    )


def prompt_ids(loaded: LoadedModel, count: int) -> list[int]:
    """Return a fixed prompt of ordinary tokens, spread over the vocabulary."""
    never = set(loaded.suppressed)
    vocab_size = loaded.tokenizer.get_vocab_size()
    spread_ids = ((7919 * i * i + 104_729 * i + 1) % vocab_size for i in range(2 * count + 64))
    return [token for token in spread_ids if token not in never][:count]


def summary(tasks: Sequence[Task], ledger: Ledger) -> list[str]:
    """Return a table by phase, then every failure with the command that repeats it."""
    lines = [f"\n{'':46}{'done':>8}{'of':>8}{'failed':>8}{'tokens':>13}{'accepted':>11}{'minutes':>9}"]
    for phase in PHASES:
        wanted = {task.key for task in tasks if task.phase == phase}
        entries = [entry for entry in ledger.entries.values() if entry.key in wanted]
        lines.append(
            f"{phase:46}{len(entries):8,}{len(wanted):8,}{sum(not e.passed for e in entries):8,}"
            f"{sum(e.num_tokens for e in entries):13,}{sum(e.num_accepted for e in entries):11,}"
            f"{sum(e.seconds for e in entries) / 60:9.1f}"
        )
    for entry in ledger.failures[:_LISTED]:
        lines += [f"FAILED {entry.key}", f"  {entry.difference}", f"  again: {entry.how_to_repeat}"]
    if len(ledger.failures) > _LISTED:
        lines.append(f"... and {len(ledger.failures) - _LISTED:,} more in the ledger.")
    return lines


def _how_to_repeat(key: str, args: argparse.Namespace) -> str:
    named = f" --model {args.model}" if args.model is not None else ""
    if args.drafters_folder is not None:
        named += f" --drafters-folder {args.drafters_folder}"
    return (
        f'python -m tests.proofs.engine --case "{key}" --tokens {args.tokens} '
        f"--tiny-tokens {args.tiny_tokens} --runs {args.runs} --threads {args.threads} "
        f"--device {args.device} --seed {args.seed}{named}"
    )


def _line(entry: Entry, progress: str) -> str:
    verdict = "holds" if entry.passed else f"FAILED: {entry.difference}"
    return f"{progress:>15} {entry.seconds:6.1f} s  {entry.key}: {verdict}"


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    raise SystemExit(main())
