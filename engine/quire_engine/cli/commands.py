"""The engine's commands: their arguments and what they do."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import get_args

from quire_engine.api.command_parser import CommandParser
from quire_engine.api.config import (
    MAX_WIDTH,
    PASS_WIDTH,
    SOURCES,
    DraftingConfig,
    Dtype,
    Goal,
    ModelConfig,
    SamplingConfig,
    Source,
    Weights,
)
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.known_texts import KnownText
from quire_engine.api.messages import (
    GenerationStarted,
    ModelLoaded,
    StartGeneration,
    StepCompleted,
)
from quire_engine.api.queries import AgreementChecked, CheckAgreement
from quire_engine.api.user_cache import own_cache
from quire_engine.cli import heads_command
from quire_engine.cli.arguments import (
    add_sampling_options,
    built_in_ngrams,
    installed_model,
    model_folder,
    read_prompt,
    sample_opening,
    sampling_of,
)
from quire_engine.cli.run_report import RunTally
from quire_engine.engine import Engine

_GOAL = (
    "tokens",
    "words",
    "stop_at_end",
    "min_tokens",
    "stop_at_heading",
    "heading_pattern",
    "stop_phrase",
    "minutes",
)


def command_parser(*, preparing: bool) -> argparse.ArgumentParser:
    parser = CommandParser(prog="python -m quire_engine", description="Quire's engine without a window.")
    commands = parser.add_subparsers(dest="command", required=True)
    generate = commands.add_parser("generate", help="continue a text")
    generate.add_argument("--prompt-file", type=Path, required=True, help="UTF-8 text to continue")
    _add_goal(generate)
    generate.add_argument("--json", type=Path, dest="json_path", metavar="OUT", help="write a report here")
    generate.add_argument(
        "--read-tail", action="store_true", help="of a text that is too long, read the newest part"
    )
    _add_steering(generate)
    _add_drafting(generate)
    _add_sampling(generate)
    self_test = commands.add_parser(
        "selftest", help="compare a model's passes with the library's, and with themselves"
    )
    check = commands.add_parser("check", help="the self-test, and one draft written plainly and accelerated")
    check.add_argument("--tokens", type=int, default=256, help="how many tokens to compare")
    check.add_argument("--prompt-file", type=Path, help="UTF-8 text; default: the sample opening")
    _add_sampling(check)
    for command in (self_test, check):
        command.add_argument("folder", type=Path, nargs="?", metavar="MODEL", help="the same as --model")
    for command in (generate, self_test, check):
        _add_model(command)
    train = commands.add_parser("prepare", help="train drafters for a model, on any text")
    if preparing:  # what it needs takes seconds to import
        from quire_engine.training import prepare_model

        prepare_model.add_arguments(train)
    heads_command.add_arguments(
        commands.add_parser("heads", help="keep heads that others have published with a model's drafters")
    )
    return parser


def _add_goal(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tokens", type=int, help="how many tokens to write")
    parser.add_argument("--words", type=int, help="how many words to write, and on to the sentence's end")
    parser.add_argument("--stop-at-end", action="store_true", help="let the model end the text by itself")
    parser.add_argument("--min-tokens", type=int, default=0, help="tokens before it may end the text")
    parser.add_argument("--stop-at-heading", action="store_true", help="end before the next chapter heading")
    parser.add_argument("--heading-pattern", default="", metavar="REGEX", help="how heading lines begin")
    parser.add_argument("--stop-phrase", default="", help="end with these very characters")
    parser.add_argument("--minutes", type=float, help="stop writing after so long")


def _add_steering(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--front-file", type=Path, help="UTF-8 text that stays in view before the prompt")
    parser.add_argument("--note", default="", help="a direction, put before the newest paragraphs")
    parser.add_argument("--chat", action="store_true", help="put the front through the model's chat template")


def _add_drafting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--method", choices=["plain", "tokenswift"], default="plain")
    parser.add_argument("--drafters", default="auto", help=f"auto, or some of {','.join(SOURCES)}")
    parser.add_argument("--tree", default="auto", help="auto, or children per node by depth, as 1,3,3,3")
    parser.add_argument("--partial-budget", type=int, default=DraftingConfig().partial_budget)
    usual = DraftingConfig()
    parser.add_argument("--gamma", type=int, default=usual.gamma, help="tokens of a draft of partial")
    parser.add_argument("--tails", type=int, default=usual.tails, help="k: most tails of fourgrams per token")
    parser.add_argument(
        "--table-delay",
        default="auto",
        help="newest tokens that fourgrams leaves out: auto for the penalty window, or a number",
    )
    parser.add_argument(
        "--same-noise", choices=["on", "off"], default="on", help="off only to measure what it brings"
    )
    parser.add_argument(
        "--known-text", type=Path, nargs="+", default=[], help="other texts whose phrases may come again"
    )


def _add_sampling(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=SamplingConfig().seed)
    add_sampling_options(parser)


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model", type=Path, default=None, help="model folder or GGUF file; default: the built-in model"
    )
    parser.add_argument("--dtype", choices=get_args(Dtype), default="auto", help="what it computes in")
    parser.add_argument(
        "--weights", choices=get_args(Weights), default="auto",
        help="int8: half the memory, and other words; auto: that on a CPU, where the model allows it",
    )  # fmt: skip
    parser.add_argument("--device", choices=["auto", "cpu", "cuda", "mps"], default="auto")
    parser.add_argument("--width", default="auto", help="rows of every decode pass: auto, or a number")
    parser.add_argument("--context", type=int, default=0, help="tokens in view; 0: by the device")
    parser.add_argument("--threads", type=int, default=0, help="0: one fewer than torch would take")
    parser.add_argument(
        "--reproducible", choices=["on", "off"], default="on", help="the very same text at every speed"
    )
    parser.add_argument("--drafters-folder", default="", help="where drafters prepared for the model lie")
    parser.add_argument(
        "--draft-model",
        default="",
        metavar="DIR",
        help="a smaller model, to draft ahead",
    )


def _load(
    args: argparse.Namespace, drafting: DraftingConfig | None = None, engine: Engine | None = None
) -> tuple[Engine, ModelLoaded]:
    named: Path | None = args.model or getattr(args, "folder", None)
    folder = model_folder(named)
    # a file is drafted with as the window does it; a self-test remembers nothing
    is_file = drafting is not None and named is not None and folder != named
    # the partial cache needs keys in a number format that int8 doesn't have
    weights: Weights = "full" if args.weights == "auto" and _wants_partial(drafting) else args.weights
    try:
        config = ModelConfig(
            folder=str(folder),
            dtype=args.dtype,
            width=_width(args.width, drafting or DraftingConfig()),
            threads=args.threads,
            device=args.device,
            reproducible=args.reproducible == "on",
            drafters_folder=args.drafters_folder,
            context=args.context,
            weights=weights,
            draft_model_folder=args.draft_model,
            guesser_file=installed_model() if drafting is not None and drafting.method != "plain" else "",
            ngrams_folder=built_in_ngrams() if is_file else "",
            cache_folder=str(own_cache()) if is_file else "",
        )
    except ValueError as error:
        raise EnvironmentProblem("{error}.", error=error) from error
    engine = engine or Engine()
    loaded = engine.load(config)
    if loaded.notice:
        sys.stderr.write(f"{loaded.notice}\n")
    return engine, loaded


def _wants_partial(drafting: DraftingConfig | None) -> bool:
    return drafting is not None and "partial" in drafting.drafters


def _width(wanted: str, drafting: DraftingConfig) -> int:
    """Return the rows of a pass; "auto" leaves it to the device, unless a fixed tree needs more."""
    if wanted != "auto":
        if not (wanted.isdecimal() and 1 <= int(wanted) <= MAX_WIDTH):
            raise ValueError(f"width must be auto or from 1 to {MAX_WIDTH}, got {wanted}")
        return int(wanted)
    from quire_engine.drafting.drafter import rows_of_shape  # numpy: not before it is needed

    nodes = rows_of_shape(drafting.tree)
    if nodes > MAX_WIDTH:
        sys.stderr.write(
            f"The tree has {nodes} rows, and a pass at most {MAX_WIDTH}: only the likeliest draft tokens "
            "are checked.\n"
        )
    return 0 if nodes <= PASS_WIDTH else min(MAX_WIDTH, -(-nodes // 8) * 8)


def generate(args: argparse.Namespace) -> int:
    try:
        sampling = sampling_of(args)
        goal = Goal(**{name: getattr(args, name) for name in _GOAL})
        drafting = DraftingConfig(
            method=args.method,
            drafters=_drafters(args.drafters),
            tree=_tree(args.tree),
            partial_budget=args.partial_budget,
            same_noise=args.same_noise == "on",
            gamma=args.gamma,
            tails=args.tails,
            table_delay=_delay(args.table_delay),
        )
    except ValueError as error:
        raise EnvironmentProblem("{error}.", error=error) from error
    prompt = read_prompt(args.prompt_file)
    known = tuple(KnownText(_read_text(path)) for path in args.known_text)
    _check_report_path(args.json_path)
    engine, loaded = _load(args, drafting)
    tally = RunTally()
    front = "" if args.front_file is None else _read_text(args.front_file)
    begin = StartGeneration(
        0, prompt, sampling, goal, args.read_tail, drafting, known, front, args.note, args.chat
    )
    for event in engine.run(begin):
        if isinstance(event, GenerationStarted):
            tally.prompt_tokens = len(event.prompt_ids)
        elif isinstance(event, StepCompleted):
            tally.add(event)
            sys.stdout.write(event.text)
            sys.stdout.flush()
    sys.stdout.write("\n")
    report = tally.report() | {
        "settings": {**asdict(drafting), **asdict(sampling)},
        "model_fingerprint": loaded.identity.fingerprint,
        "model": asdict(loaded.identity),
        "reproducible": loaded.reproducible,
    }
    if args.json_path is not None:
        args.json_path.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    sys.stderr.write(
        f"{len(tally.token_ids)} tokens in {tally.seconds:.2f} s, {report['tokens_per_s']} tokens/s, "
        f"{report['tokens_per_pass']} tokens per pass\n"
    )
    return 0


def prepare(args: argparse.Namespace) -> int:
    args.model = model_folder(args.model)
    if args.minutes is not None:
        from quire_engine.cli import prepare_command

        return prepare_command.run(args)
    from quire_engine.training import prepare_model

    return prepare_model.run(args)


def heads(args: argparse.Namespace) -> int:
    return heads_command.run(args)


def self_test(args: argparse.Namespace, engine: Engine | None = None) -> int:
    _, loaded = _load(args, engine=engine)
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


def check(args: argparse.Namespace) -> int:
    prompt, sampling = _prompt_and_sampling(args)
    self_test(args, engine := Engine())
    for event in engine.answer(CheckAgreement(prompt, sampling, args.tokens)):
        if isinstance(event, AgreementChecked):
            if event.first_difference is not None:
                sys.stdout.write(f"The drafts differ from token {event.first_difference + 1} on.\n")
                return 1
            sys.stdout.write(
                f"{event.num_equal} of {event.num_checked} tokens are the same, plain in "
                f"{event.plain_s:.2f} s, accelerated in {event.accelerated_s:.2f} s\n"
            )
    return 0


def _prompt_and_sampling(args: argparse.Namespace) -> tuple[str, SamplingConfig]:
    try:
        return read_prompt(args.prompt_file or sample_opening()), sampling_of(args)
    except ValueError as error:
        raise EnvironmentProblem("{error}.", error=error) from error


def _drafters(names: str) -> tuple[Source, ...]:
    """Return the named drafters; () for all of them."""
    if names == "auto":
        return ()
    wanted = [name.strip() for name in names.split(",")]
    if unknown := [name for name in wanted if name not in SOURCES]:
        raise ValueError(f"drafters must be auto or some of {', '.join(SOURCES)}, got {', '.join(unknown)}")
    return tuple(source for source in SOURCES if source in wanted)


def _delay(wanted: str) -> int | None:
    """Return the delay of the paper's table; None for auto."""
    if wanted != "auto" and not wanted.isdecimal():
        raise ValueError(f"table_delay must be auto or a number, got {wanted}")
    return None if wanted == "auto" else int(wanted)


def _tree(shape: str) -> tuple[int, ...]:
    """Return children per node by depth; () for auto."""
    if shape == "auto":
        return ()
    try:
        return tuple(int(children) for children in shape.split(","))
    except ValueError as error:
        raise ValueError(f"tree must be auto or numbers such as 1,3,3,3, got {shape}") from error


def _check_report_path(path: Path | None) -> None:
    """Fail before the run, not after it, if its report cannot be written."""
    if path is not None and (path.is_dir() or not path.parent.is_dir()):
        raise EnvironmentProblem(
            "The report can't be saved as {path}: that is a folder, or its folder is missing.", path=path
        )


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise EnvironmentProblem("The file {path} doesn't exist. Check the name.", path=path) from error
    except UnicodeDecodeError as error:
        raise EnvironmentProblem(
            "{path} is not UTF-8 text. Save it as UTF-8 and try again.", path=path
        ) from error
