"""`book`: one draft through several windows of context, stretch by stretch: what drafting ahead brings as it
grows, on a model that came with nothing or was prepared.

Each call drafts the same text in one way and adds its report to a folder; the tables there compare all of
them with the plain draft. Times are processor time, so that a busy machine says little about them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from quire.domain.drafting.presets import BALANCED, for_model
from quire_engine.api.atomic_file import replace_file
from quire_engine.api.config import PLAIN, SOURCES, DraftingConfig, ModelConfig, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import ModelLoaded
from quire_engine.engine import Engine
from tests.benchmarks.engine import options
from tests.benchmarks.engine.book_draft import BookDraft, Stretch
from tests.benchmarks.engine.book_tables import PAGE, book_tables, stretch_line
from tests.benchmarks.engine.prompt_texts import add_prompt_option, opening_text

_PLAIN = "plain"
_AUTO = "auto"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what it can be asked beside the common options."""
    parser.add_argument("--folder", type=Path, default=Path("quire-book"), help="for all reports and tables")
    parser.add_argument("--name", default="", help="of this draft in the tables; default: its drafters")
    parser.add_argument("--words", type=int, default=20_000)
    parser.add_argument("--every", type=int, default=1_000, help="words of a stretch in the report")
    parser.add_argument("--page", type=int, default=300, help="words of the first page")
    parser.add_argument("--drafters", default=_AUTO, help=f"plain, auto, or some of {','.join(SOURCES)}")
    parser.add_argument("--tree", default="", help="with drafters: children per node by depth, such as 1,1")
    parser.add_argument("--weights", choices=["full", "int8"], default="int8", help="int8: as Fast")
    parser.add_argument("--ngrams-folder", default="", help="of a model whose n-grams it borrows")
    parser.add_argument("--cache-folder", default="", help="for digests and n-grams")
    parser.add_argument("--context", type=int, default=0, help="tokens in view; 0: as the window has it")
    add_prompt_option(parser)


def run(args: argparse.Namespace, say: options.Say) -> dict[str, Any]:
    """Draft, and write report and tables after each stretch."""
    drafting = drafting_of(args.drafters, args.tree)
    if args.words < 1 or not 0 < args.page <= args.every:
        raise EnvironmentProblem("--words must be 1 or more, and --page from 1 to what --every says.")
    name = args.name or args.drafters + (f" {args.tree}" if args.tree else "")
    args.folder.mkdir(parents=True, exist_ok=True)
    opening, engine = opening_text(args.prompt_file), Engine()
    try:
        loaded = engine.load(_config(args))
        sampling = replace(for_model(BALANCED.sampling, loaded.scale), seed=args.seed)
        report = {"name": name, **_conditions(loaded, args, sampling, opening)}
        say(f"{name}: {loaded.identity.name}, {loaded.identity.dtype}. {loaded.notice}".rstrip())
        draft = BookDraft(engine, opening, sampling, drafting, args.words)
        for rows in _stretches(draft, args):
            report |= {"stretches": rows, "digests": draft.digests, "said": draft.said}
            _keep(args.folder, report)
            say(stretch_line(rows[-1]))
    finally:
        engine.unload()
    say(f"The same text as the others: {report['same_text']}; {args.folder / 'book.md'}")
    return report


def drafting_of(drafters: str, tree: str) -> DraftingConfig:
    """Return the settings of a name such as "plain", "auto" or "feature,ngrams", and a tree such as "1,1"."""
    if drafters == _PLAIN:
        return PLAIN
    names = () if drafters == _AUTO else tuple(drafters.split(","))
    try:
        shape = tuple(int(children) for children in tree.split(",") if children)
        return DraftingConfig("tokenswift", names, shape)  # type: ignore[arg-type]  # it says what is wrong
    except ValueError as error:
        raise EnvironmentProblem(f"{error}.") from error


def _config(args: argparse.Namespace) -> ModelConfig:
    return ModelConfig(
        str(options.model_folder(args)),
        args.dtype,
        args.width,
        args.threads,
        args.device,
        drafters_folder=str(args.drafters_folder or ""),
        ngrams_folder=args.ngrams_folder,
        context=args.context,
        cache_folder=args.cache_folder,
        weights=args.weights,
    )


def _conditions(
    loaded: ModelLoaded, args: argparse.Namespace, sampling: SamplingConfig, opening: str
) -> dict[str, Any]:
    """Return what decides the text, and what the draft had to draft ahead with."""
    text = {
        "model": asdict(loaded.identity),
        "sampling": asdict(sampling),
        "opening": hashlib.sha256(opening.encode()).hexdigest(),
    }
    machine = {"processor": options.processor_name(), "threads": args.threads}
    asked = {"drafters": args.drafters, "tree": args.tree}
    # as JSON has them: reports are compared
    return {"text": json.loads(json.dumps(text)), "machine": machine, "asked": asked, "has": loaded.drafters}


def _stretches(draft: BookDraft, args: argparse.Namespace) -> Iterator[list[dict[str, Any]]]:
    """Draft; yield the rows so far after each stretch. The first page counts for the first stretch, too."""
    rows: list[dict[str, Any]] = []
    for reached in range(args.every, args.words + args.every, args.every):
        stretch = Stretch(f"{reached:,}")
        if not rows:
            page = Stretch(PAGE)
            draft.write(args.page, (page, stretch))
            rows.append(page.report())
        if not draft.is_over:
            draft.write(reached, (stretch,))
        rows.append(stretch.report())
        yield rows
        if draft.is_over:
            return


def _keep(folder: Path, report: dict[str, Any]) -> None:
    """Write a report, and the tables of it and the others of the same text."""
    others = [json.loads(each.read_text(encoding="utf-8")) for each in sorted(folder.glob("*.json"))]
    alike = [each for each in others if each["text"] == report["text"] and each["name"] != report["name"]]
    report["same_text"] = all(_agree(each["digests"], report["digests"]) for each in alike)
    replace_file(folder / f"{report['name']}.json", (json.dumps(report, indent=1) + "\n").encode())
    replace_file(folder / "book.md", book_tables([*alike, report]).encode())


def _agree(some: dict[str, str], others: dict[str, str]) -> bool:
    return all(some[count] == others[count] for count in some.keys() & others.keys())
