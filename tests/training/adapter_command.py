"""`python -m tests.training adapter` and `... loss`: train a low-rank adapter, measure any model."""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers.modeling_utils import PreTrainedModel

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.adapters import read_adapter
from quire_engine.models import loading
from quire_engine.training.unfinished_work import stopping_cleanly
from tests.training import adapter_text, held_out_loss, low_rank
from tests.training.adapter_trainer import AdapterPlan, AdapterProgress, AdapterTrainer
from tests.training.corpus import AnyTokens, read_books, split_held_out
from tests.training.loss_curve import loss_curve, read_log

_MAX_CHARS = 260_000
_LICENCE = "MIT; trained on public-domain texts"
_CHANGED_LOGITS = ("final_logit_softcapping", "logit_scale", "logits_scaling")
"""What makes a model's logits more than a product with its head."""


def add_adapter(parser: argparse.ArgumentParser) -> None:
    """Add the options of `run_adapter`."""
    plan = AdapterPlan()
    parser.add_argument("--model", type=Path, required=True, help="model folder, as imported")
    parser.add_argument(
        "--source", type=Path, required=True, help="the file that was imported; the adapter is tied to it"
    )
    parser.add_argument(
        "--corpus", type=Path, required=True, help="folder with MANIFEST.tsv and .txt.xz shards"
    )
    parser.add_argument("--work", type=Path, required=True, help="folder for checkpoint, logs and text")
    parser.add_argument("--out", type=Path, required=True, help="the adapter's file (.safetensors)")
    parser.add_argument("--steps", type=int, default=plan.steps, help="length of the whole training")
    parser.add_argument("--rank", type=int, default=plan.rank)
    parser.add_argument("--alpha", type=float, default=plan.alpha)
    parser.add_argument("--pieces", type=int, default=plan.pieces, help="pieces of text in a step")
    parser.add_argument("--length", type=int, default=plan.length, help="tokens of a piece")
    parser.add_argument(
        "--at-once", type=int, default=0, help="pieces in memory together; 0: as suits the device"
    )
    parser.add_argument("--rate", type=float, default=plan.peak_rate, help="peak of the learning rate")
    parser.add_argument("--max-book-chars", type=int, default=_MAX_CHARS, help="cap of each book")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop (and save) after this long")
    parser.add_argument("--seed", type=int, default=plan.seed)
    _add_device(parser)


def add_loss(parser: argparse.ArgumentParser) -> None:
    """Add the options of `run_loss`."""
    parser.add_argument("--model", type=Path, required=True, help="model folder")
    parser.add_argument(
        "--corpus", type=Path, required=True, help="folder with MANIFEST.tsv and .txt.xz shards"
    )
    parser.add_argument("--adapter", type=Path, help="measure the model with this adapter")
    parser.add_argument("--pieces", type=int, default=held_out_loss.PIECES_PER_BOOK, help="of each book")
    _add_device(parser)


def _add_device(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--threads", type=int, default=0, help="of the CPU; 0: torch's own choice")


def run_adapter(args: argparse.Namespace) -> int:
    """Train an adapter; the same command resumes after an interruption. Exit status as `main`."""
    plan = AdapterPlan(
        rank=args.rank,
        alpha=args.alpha,
        steps=args.steps,
        pieces=args.pieces,
        length=args.length,
        peak_rate=args.rate,
        seed=args.seed,
    )
    source = _sha256(args.source)
    model, tokenizer = _opened(args)
    text = adapter_text.text_for(tokenizer, args.corpus, args.work, args.max_book_chars, args.seed)
    sys.stdout.write(f"{len(text.train):,} training tokens, {len(text.held_out)} books held out\n")
    watched = {title: tokens for title, tokens in text.held_out.items() if len(tokens) > 1}
    measure = (lambda: held_out_loss.quick_loss(model, watched)) if watched else None
    trainer = AdapterTrainer(model, text.train, plan, args.work, measure, args.at_once)
    if trainer.restore():
        sys.stdout.write(f"continuing at step {trainer.progress.step}\n")
    with stopping_cleanly(trainer.stop) as interrupts:
        is_done = trainer.run(seconds=args.minutes * 60, on_step=_print_step)
    if interrupts and not is_done:
        sys.stderr.write("Stopped and saved; the same command continues.\n")
        return 130
    _write(args, trainer, source)
    sys.stdout.write("finished\n" if is_done else "time is up; the same command continues\n")
    return 0


def run_loss(args: argparse.Namespace) -> int:
    """Print the held-out loss of a model as JSON, by book and per word. Exit status as `main`."""
    model, tokenizer = _opened(args)
    if args.adapter is not None:
        merge_into(model, args.adapter)
    _, unseen = split_held_out(list(read_books(args.corpus)))
    books = {book.title: adapter_text.encoded(tokenizer, book.text) for book in unseen}
    if not books:
        raise EnvironmentProblem("No book is held out, so there is nothing to measure the model with.")
    sys.stdout.write(json.dumps(loss_per_word(model, tokenizer, books, args.pieces), indent=1) + "\n")
    return 0


def loss_per_word(
    model: PreTrainedModel, tokenizer: Tokenizer, books: Mapping[str, AnyTokens], pieces: int
) -> dict[str, Any]:
    """Return nats per token by book, their mean, and what that is per word."""
    by_book = {
        title: held_out_loss.held_out_loss(model, ids, max_pieces=pieces) for title, ids in books.items()
    }
    sample = np.concatenate([tokens[:20_000] for tokens in books.values()])
    per_word = len(sample) / held_out_loss.decode_words(tokenizer, sample.tolist())
    mean = sum(by_book.values()) / len(by_book)
    return {
        "by_book": {title: round(loss, 4) for title, loss in by_book.items()},
        "mean": round(mean, 4),
        "tokens_per_word": round(per_word, 4),
        "perplexity_per_word": round(math.exp(mean * per_word), 2),
    }


def merge_into(model: PreTrainedModel, file: Path) -> None:
    """Add an adapter to the weights of a model in memory, as an import does."""
    adapter = read_adapter(file)
    weights = dict(model.named_parameters())
    if missing := adapter.names - weights.keys():
        raise EnvironmentProblem(
            "The adapter {file} belongs to another model (no {name}).", file=file.name, name=min(missing)
        )
    with torch.no_grad():
        for name in adapter.names:
            merged = adapter.merged(name, weights[name].detach().float().cpu().numpy())
            weights[name].copy_(torch.from_numpy(merged))


def _opened(args: argparse.Namespace) -> tuple[PreTrainedModel, Tokenizer]:
    if args.threads:
        torch.set_num_threads(args.threads)
    device = loading.choose_device(args.device)
    folder = loading.inspect_folder(args.model)
    model = loading.build_model(folder, torch.bfloat16, device)
    if folder.is_mixture or any(getattr(model.config, name, None) for name in _CHANGED_LOGITS):
        raise EnvironmentProblem("Adapters can't be trained or measured for this family of models yet.")
    return model, loading.load_tokenizer(folder)


def _write(args: argparse.Namespace, trainer: AdapterTrainer, source: str) -> None:
    progress, plan = trainer.progress, trainer.plan
    about = {
        "base_sha256": source,
        "base_name": args.source.name,
        "corpus": "public-domain novels; the authors of the held-out books left out",
        "tokens_seen": str(progress.tokens_seen),
        "licence": _LICENCE,
    }
    factors = low_rank.factors_of(trainer.adapters)
    low_rank.save_adapter(args.out, factors, rank=plan.rank, alpha=plan.alpha, about=about)
    report = {"plan": asdict(plan), "progress": asdict(replace(progress, seconds=round(progress.seconds)))}
    (args.work / "training.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    logs = read_log(args.work / "loss.csv"), read_log(args.work / "held_out.csv")
    picture = loss_curve(*logs, f"Training of {args.out.stem}")
    (args.work / "loss.svg").write_text(picture, encoding="utf-8")


def _print_step(progress: AdapterProgress, loss: float) -> None:
    rate = progress.tokens_seen / max(progress.seconds, 1e-9)
    sys.stdout.write(f"step {progress.step}  loss {loss:.3f}  {rate:,.0f} tokens/s\n")
    sys.stdout.flush()


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
