"""The engine from the command line: `python -m quire_engine generate ...`."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from quire_engine.config import PASS_WIDTH, DraftingConfig, Goal, ModelConfig, SamplingConfig
from quire_engine.engine import Engine
from quire_engine.errors import EnvironmentProblem
from quire_engine.messages import GenerationStarted, ModelLoaded, StartGeneration, StepCompleted


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; exit status: 0 done, 1 a problem said in a sentence, 2 wrong usage, 130 stopped."""
    args = _parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):  # a novel is not ASCII, whatever the console was set to
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    try:
        return _generate(args) if args.command == "generate" else _self_test(args)
    except EnvironmentProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except OSError as problem:
        sys.stderr.write(f"{problem.strerror or problem}: {problem.filename or ''}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m quire_engine", description="Quire's engine without a window."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    generate = commands.add_parser("generate", help="go on from a text")
    generate.add_argument("--prompt-file", type=Path, required=True, help="UTF-8 text to go on from")
    generate.add_argument("--tokens", type=int, required=True, help="how many tokens to write")
    generate.add_argument("--method", choices=["plain", "tokenswift"], default="plain")
    generate.add_argument("--drafters", default="ngrams", help="for tokenswift: ngrams")
    generate.add_argument("--json", type=Path, dest="json_path", metavar="OUT", help="write a report here")
    defaults = SamplingConfig()
    generate.add_argument("--seed", type=int, default=defaults.seed)
    generate.add_argument("--temperature", type=float, default=defaults.temperature, help="0 is greedy")
    generate.add_argument("--top-k", type=int, default=defaults.top_k)
    generate.add_argument("--top-p", type=float, default=defaults.top_p)
    generate.add_argument("--min-p", type=float, default=defaults.min_p)
    generate.add_argument("--eta", type=float, default=defaults.eta)
    generate.add_argument("--penalty", type=float, default=defaults.repetition_penalty)
    generate.add_argument("--penalty-window", type=int, default=defaults.penalty_window)
    check = commands.add_parser(
        "selftest", help="compare a model's passes with the library's, and with themselves"
    )
    for command in (generate, check):
        command.add_argument(
            "--model", type=Path, default=None, help="model folder; default: the built-in model"
        )
        command.add_argument("--dtype", choices=["auto", "float32", "bfloat16"], default="auto")
        command.add_argument("--width", type=int, default=PASS_WIDTH, help="rows of every decode pass")
        command.add_argument("--threads", type=int, default=0, help="0: one fewer than torch would take")
    return parser


def _load(args: argparse.Namespace) -> tuple[Engine, ModelLoaded]:
    folder = args.model if args.model is not None else built_in_model()
    try:
        config = ModelConfig(str(folder), args.dtype, args.width, args.threads)
    except ValueError as error:
        raise EnvironmentProblem(f"{error}.") from error
    engine = Engine()
    return engine, engine.load(config)


def built_in_model() -> Path:
    """Return the folder of the model that ships with Quire; a sentence where it is not installed."""
    try:
        from quire_resources import BUILT_IN_MODEL
    except ImportError as error:
        raise EnvironmentProblem(
            "No built-in model is installed. Name a model folder with --model."
        ) from error
    return BUILT_IN_MODEL


def _generate(args: argparse.Namespace) -> int:
    try:
        sampling = SamplingConfig(
            temperature=args.temperature,
            top_k=args.top_k,
            top_p=args.top_p,
            min_p=args.min_p,
            eta=args.eta,
            repetition_penalty=args.penalty,
            penalty_window=args.penalty_window,
            seed=args.seed,
        )
        goal = Goal(tokens=args.tokens)
        drafting = DraftingConfig(args.method, _drafters(args.drafters))
    except ValueError as error:
        raise EnvironmentProblem(f"{error}.") from error
    prompt = _read_prompt(args.prompt_file)
    _check_report_path(args.json_path)
    engine, loaded = _load(args)
    tally = _Tally()
    for event in engine.run(StartGeneration(0, prompt, sampling, goal, drafting=drafting)):
        if isinstance(event, GenerationStarted):
            tally.prompt_tokens = len(event.prompt_ids)
        elif isinstance(event, StepCompleted):
            tally.add(event)
            sys.stdout.write(event.text)
            sys.stdout.flush()
    sys.stdout.write("\n")
    report = tally.report() | {
        "settings": {"method": args.method, **asdict(sampling)},
        "model_fingerprint": loaded.identity.fingerprint,
        "model": asdict(loaded.identity),
        "reproducible": loaded.reproducible,
    }
    if args.json_path is not None:
        args.json_path.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    sys.stderr.write(
        f"{len(tally.token_ids)} tokens in {tally.seconds:.2f} s, {report['tokens_per_s']} tokens/s\n"
    )
    return 0


@dataclass(slots=True)
class _Tally:
    """What a run wrote and what it cost; seconds of its passes, without reading the prompt."""

    prompt_tokens: int = 0
    token_ids: list[int] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    seconds: float = 0.0
    passes: int = 0
    num_accepted: int = 0
    num_offered: int = 0

    def add(self, step: StepCompleted) -> None:
        self.token_ids.extend(step.token_ids)
        self.text.append(step.text)
        self.seconds += step.step_ms / 1000
        self.passes += 1
        self.num_accepted += step.num_accepted
        self.num_offered += step.draft_depth

    def report(self) -> dict[str, Any]:
        """Return the figures by name; alpha (Eq. 4 of the paper) is None when nothing was drafted."""
        return {
            "token_ids": self.token_ids,
            "text": "".join(self.text),
            "seconds": round(self.seconds, 4),
            "tokens_per_s": round(len(self.token_ids) / self.seconds, 2),
            "prompt_tokens": self.prompt_tokens,
            "passes": self.passes,
            "tokens_per_pass": round(len(self.token_ids) / self.passes, 4),
            "alpha": round(self.num_accepted / self.num_offered, 4) if self.num_offered else None,
        }


def _self_test(args: argparse.Namespace) -> int:
    _, loaded = _load(args)
    level = (
        "reproducible (same bits from plain, tree and re-read passes)"
        if loaded.reproducible
        else "exact only"
    )
    sys.stdout.write(
        f"{loaded.identity.name}: matches the library; {level}. {loaded.num_parameters:,} parameters, "
        f"{loaded.identity.dtype}, {loaded.context_length:,} tokens of context, "
        f"loaded in {loaded.load_s:.1f} s\n"
    )
    return 0


def _drafters(names: str) -> tuple[Literal["ngrams"], ...]:
    if names not in ("auto", "ngrams"):
        raise ValueError(f"drafters must be auto or ngrams, got {names}")
    return ("ngrams",)


def _check_report_path(path: Path | None) -> None:
    """Say before the run, not after it, that its report cannot be written."""
    if path is not None and (path.is_dir() or not path.parent.is_dir()):
        raise EnvironmentProblem(
            f"The report cannot be written to {path}: it is a folder, or its folder is missing."
        )


def _read_prompt(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise EnvironmentProblem(f"There is no file {path}. Check the name of the prompt.") from error
    except UnicodeDecodeError as error:
        raise EnvironmentProblem(f"{path} is not UTF-8 text. Save it as UTF-8 and try again.") from error
    if not text.strip():
        raise EnvironmentProblem(f"{path} is empty. Write an opening into it; the model goes on from there.")
    return text


if __name__ == "__main__":
    raise SystemExit(main())
