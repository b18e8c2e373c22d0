"""Quire's small language model: packs a corpus, trains on it, measures what it must beat.

python -m tests.training train --corpus DIR --work DIR --out DIR
    A corpus (MANIFEST.tsv and .txt.xz shards of books) in, a model folder out: weights in shards under
    16 MB, configuration, tokenizer, training.json, loss.svg. WORK keeps the packed text and the checkpoint;
    stop it at any time, the same command continues. A smaller --tokens on resume ends the training earlier,
    its decay included. Without the word `train` the options mean the same.
python -m tests.training pack --corpus DIR --out DIR --max-mb 25
    The text as tokens, to be trained on where the corpus is not: 25 MB hold about 25 million tokens of
    English novels with 8,192 entries (0.97 bytes per token), the held-out books among them.
python -m tests.training train --data DIR --work DIR --out DIR --preset medium --device cuda
    The same training from a packed folder.
python -m tests.training baseline --data DIR [--tokens N]
    Held-out loss of an interpolated 5-gram model on the same pieces of the same books.
python -m tests.training background --model DIR --data DIR
    What the finished model says, on average, after one to three tokens, beside its weights (ngrams.npz): the
    n-gram drafter's ground in a new text. Without it drafts are right less often; the text is the same.
python -m tests.training bands --corpus DIR
    Distinct-1 to 4 of passages of novels by their length: the table in `text_quality/published_novels.py`.
python -m tests.training adapter --model DIR --source FILE --corpus DIR --work DIR --out FILE
    A low-rank adapter for an imported model: at most a few megabytes that make it write like a novel.
python -m tests.training loss --model DIR --corpus DIR [--adapter FILE]
    The loss of any model on the held-out books, with or without an adapter.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch

from quire_engine.api.command_parser import CommandParser
from quire_engine.api.errors import EnvironmentProblem, is_out_of_memory, tokenizer_problem
from quire_engine.training.training_plan import PRESETS, ModelPreset, TrainingPlan
from quire_engine.training.unfinished_work import stopping_cleanly
from tests.training import adapter_command, background_distillation, distinct_bands, kneser_ney
from tests.training.corpus import PieceSampler, held_out_pieces
from tests.training.held_out_loss import PIECE_LENGTH, PIECES_PER_BOOK, measure, quick_loss
from tests.training.language_model import build_model, save_model
from tests.training.packed_text import PackedText, is_pack, pack_corpus, read_pack
from tests.training.report import write_curve, write_report
from tests.training.tokenizer import save_tokenizer
from tests.training.trainer import Trainer, TrainingProgress

_MAX_BOOK_CHARS = 1_500_000
_VOCAB_SIZE = 8192


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog="python -m tests.training",
        description="Train Quire's small language model and its tokenizer.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    _add_train(
        commands.add_parser("train", help="train a model; the same command resumes after an interruption")
    )
    pack = commands.add_parser("pack", help="turn a corpus into packed text and a tokenizer")
    pack.add_argument(
        "--corpus", type=Path, required=True, help="folder with MANIFEST.tsv and .txt.xz shards"
    )
    pack.add_argument("--out", type=Path, required=True, help="folder for the packed text")
    pack.add_argument("--max-mb", type=float, default=25.0, help="size of the folder, in millions of bytes")
    pack.add_argument("--vocab-size", type=int, default=_VOCAB_SIZE, help="entries of the tokenizer")
    pack.add_argument("--max-book-chars", type=int, default=_MAX_BOOK_CHARS, help="cap of each book")
    ngrams = commands.add_parser("baseline", help="held-out loss of an interpolated 5-gram model")
    ngrams.add_argument("--data", type=Path, required=True, help="packed folder")
    ngrams.add_argument("--tokens", type=int, help="count this many training tokens; the first ones")
    background_distillation.add_arguments(
        commands.add_parser("background", help="distil a model's n-grams, for the n-gram drafter")
    )
    distinct_bands.add_arguments(commands.add_parser("bands", help="Distinct-n of novels by length"))
    adapter_command.add_adapter(
        commands.add_parser("adapter", help="train a low-rank adapter; the same command resumes")
    )
    adapter_command.add_loss(commands.add_parser("loss", help="held-out loss of any model"))
    return parser


def _add_train(parser: argparse.ArgumentParser) -> None:
    text = parser.add_mutually_exclusive_group(required=True)
    text.add_argument("--corpus", type=Path, help="folder with MANIFEST.tsv and .txt.xz shards")
    text.add_argument("--data", type=Path, help="packed folder, made by the command `pack`")
    parser.add_argument(
        "--work", type=Path, required=True, help="folder for checkpoint, logs and packed text"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for the finished model")
    parser.add_argument("--preset", choices=sorted(PRESETS), default="small")
    parser.add_argument("--tokens", type=int, help="length of the whole training; unset: the preset's")
    parser.add_argument("--batch-tokens", type=int, help="tokens per step; unset: the preset's")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop (and save) after this long")
    parser.add_argument("--max-book-chars", type=int, default=_MAX_BOOK_CHARS, help="cap of each book")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--threads", type=int, default=0, help="of the CPU; 0: torch's own choice")
    parser.add_argument("--compile", action="store_true", help="use torch.compile (needs a C++ compiler)")


def _text_for(args: argparse.Namespace, preset: ModelPreset) -> PackedText:
    if args.data is not None:
        return read_pack(args.data)
    folder = args.work / "packed"
    if is_pack(folder):
        return read_pack(folder)
    return pack_corpus(args.corpus, folder, vocab_size=preset.vocab_size, max_chars=args.max_book_chars)


def _device(name: str) -> torch.device:
    if name == "cuda" and not torch.cuda.is_available():
        raise EnvironmentProblem("There is no CUDA device that torch can use; train with --device cpu.")
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(name)


def _print_step(progress: TrainingProgress, loss: float) -> None:
    if progress.step % 20 == 0:
        rate = progress.tokens_done / progress.seconds
        sys.stdout.write(
            f"step {progress.step}  {progress.tokens_done / 1e6:.2f}M tokens  loss {loss:.3f}  "
            f"{rate:,.0f} tokens/s\n"
        )
        sys.stdout.flush()


def _trainer(args: argparse.Namespace, text: PackedText, preset: ModelPreset) -> Trainer:
    plan = TrainingPlan(
        total_tokens=args.tokens or preset.total_tokens,
        phases=preset.phases,
        batch_tokens=args.batch_tokens or preset.batch_tokens,
        seed=args.seed,
    )
    model = build_model(preset, args.seed)
    model.to(_device(args.device))  # pyright: ignore[reportArgumentType]  # the library hides its signature
    watched = {title: tokens for title, tokens in text.held_out.items() if len(tokens) > 1}
    watch = (lambda: quick_loss(model, watched)) if watched else None
    sampler = PieceSampler(text.train, args.seed)
    args.work.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(model, sampler, plan, args.work, compiled=args.compile, measure=watch)
    if trainer.restore():
        sys.stdout.write(f"going on at step {trainer.progress.step}\n")
    return trainer


def _train(args: argparse.Namespace) -> int:
    if args.threads:
        torch.set_num_threads(args.threads)
    text = _text_for(args, PRESETS[args.preset])
    preset = replace(PRESETS[args.preset], vocab_size=text.tokenizer.get_vocab_size())
    sys.stdout.write(f"{len(text.train):,} training tokens, {len(text.held_out)} books held out\n")
    trainer = _trainer(args, text, preset)
    with stopping_cleanly(trainer.stop) as interrupts:
        done = trainer.run(seconds=args.minutes * 60, on_step=_print_step)
    if interrupts and not done:
        sys.stderr.write("Stopped and saved; the same command goes on.\n")
        return 130
    save_model(trainer.model, args.out)
    save_tokenizer(text.tokenizer, args.out)
    loss = measure(trainer.model, text.tokenizer, text.held_out)
    write_report(args.out / "training.json", trainer.plan, trainer.progress, loss, text.authors)
    write_curve(args.out / "loss.svg", args.work, f"Training of the preset “{args.preset}”")
    if loss is not None:
        sys.stdout.write(f"held-out loss {loss.mean:.3f} nats per token\n")
    sys.stdout.write("finished\n" if done else "time is up; the same command goes on\n")
    return 0


def _pack(args: argparse.Namespace) -> int:
    text = pack_corpus(
        args.corpus,
        args.out,
        vocab_size=args.vocab_size,
        max_chars=args.max_book_chars,
        max_bytes=int(args.max_mb * 1e6),
    )
    size = sum(file.stat().st_size for file in args.out.iterdir())
    sys.stdout.write(
        f"{len(text.train):,} training tokens, {len(text.held_out)} books held out, {size / 1e6:.1f} MB\n"
    )
    return 0


def _baseline(args: argparse.Namespace) -> int:
    text = read_pack(args.data)
    train = text.train[: args.tokens]
    model = kneser_ney.NgramModel(train, text.tokenizer.get_vocab_size())
    losses = {
        title: kneser_ney.held_out_loss(model, held_out_pieces(tokens, PIECE_LENGTH, PIECES_PER_BOOK))
        for title, tokens in text.held_out.items()
        if len(tokens) > 1
    }
    if not losses:
        raise EnvironmentProblem("No book is held out, so there is nothing to measure the baseline with.")
    losses["mean"] = sum(losses.values()) / len(losses)
    report = {"order": kneser_ney.ORDER, "training_tokens": len(train), "held_out_loss": losses}
    sys.stdout.write(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; exit status: 0 done, 1 a problem said in a sentence, 2 wrong usage, 130 stopped."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0].startswith("--") and given[0] != "--help":  # as it was when there was one command
        given.insert(0, "train")
    args = _parser().parse_args(given)
    try:
        commands = {
            "train": _train,
            "pack": _pack,
            "baseline": _baseline,
            "background": background_distillation.run,
            "bands": distinct_bands.run,
            "adapter": adapter_command.run_adapter,
            "loss": adapter_command.run_loss,
        }
        return commands[args.command](args)
    except (EnvironmentProblem, OSError) as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except (RuntimeError, MemoryError) as problem:
        if not is_out_of_memory(problem):
            raise
        sys.stderr.write("There is too little memory; train with a smaller --batch-tokens or preset.\n")
        return 1
    except BaseException as error:
        if (panic := tokenizer_problem(error)) is None:
            raise
        sys.stderr.write(f"{panic}\n")
        return 1


if __name__ == "__main__":
    raise SystemExit(main())
