"""`python -m quire_engine.training --corpus DIR --out DIR`: corpus in, model folder out, resumable."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from tokenizers import Tokenizer

from quire_engine.errors import EnvironmentProblem
from quire_engine.training.corpus import PieceSampler, capped, encode_book, read_books, split_held_out
from quire_engine.training.language_model import (
    PRESETS,
    Progress,
    Trainer,
    TrainingPlan,
    build_model,
    decode_words,
    held_out_loss,
    save_model,
    write_report,
)
from quire_engine.training.tokenizer import END_OF_TEXT, save_tokenizer, train_tokenizer

Tokens = npt.NDArray[np.uint16]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m quire_engine.training",
        description="Train Quire's small language model and its tokenizer. Stop it at any time; "
        "the same command goes on.",
    )
    parser.add_argument(
        "--corpus", type=Path, required=True, help="folder with MANIFEST.tsv and .txt.xz shards"
    )
    parser.add_argument("--work", type=Path, required=True, help="folder for checkpoints and packed text")
    parser.add_argument("--out", type=Path, required=True, help="folder for the finished model")
    parser.add_argument("--preset", choices=sorted(PRESETS), default="small")
    parser.add_argument("--tokens", type=int, default=20_000_000, help="length of the whole training")
    parser.add_argument("--minutes", type=float, default=1e9, help="stop (and save) after this long")
    parser.add_argument("--max-book-chars", type=int, default=1_500_000, help="cap of each book")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0, help="0: torch's own choice")
    parser.add_argument("--compile", action="store_true", help="use torch.compile (needs a C++ compiler)")
    return parser


def prepare(
    corpus: Path, work: Path, vocab_size: int, max_chars: int
) -> tuple[Tokenizer, Tokens, dict[str, Tokens]]:
    """Return tokenizer, packed training tokens and held-out tokens by book; made once, then read back."""
    work.mkdir(parents=True, exist_ok=True)
    packed, tokenizer_file = work / "train.npy", work / "tokenizer.json"
    held_folder = work / "held_out"
    if not packed.is_file():
        training, held_out = split_held_out(list(read_books(corpus)))
        texts = [capped(book.text, max_chars) for book in training]
        if not tokenizer_file.is_file():
            lines = (line for text in texts for line in text.splitlines(keepends=True))
            save_tokenizer(train_tokenizer(lines, vocab_size), work)
        tokenizer = Tokenizer.from_file(str(tokenizer_file))
        end = int(tokenizer.token_to_id(END_OF_TEXT) or 0)
        held_folder.mkdir(exist_ok=True)
        for book in held_out:
            np.save(
                held_folder / f"{book.title.replace('/', '-')}.npy", encode_book(tokenizer, book.text, end)
            )
        fresh = work / "train.new.npy"
        np.save(fresh, np.concatenate([encode_book(tokenizer, text, end) for text in texts]))
        fresh.replace(packed)
    held = {path.stem: np.load(path) for path in sorted(held_folder.glob("*.npy"))}
    return Tokenizer.from_file(str(tokenizer_file)), np.load(packed), held


def _print_step(progress: Progress, loss: float) -> None:
    if progress.step % 20 == 0:
        rate = progress.tokens_done / progress.seconds
        sys.stdout.write(
            f"step {progress.step}  {progress.tokens_done / 1e6:.2f}M tokens  loss {loss:.3f}  "
            f"{rate:,.0f} tokens/s\n"
        )
        sys.stdout.flush()


def _evaluate(trainer: Trainer, tokenizer: Tokenizer, held: dict[str, Tokens]) -> dict[str, float]:
    losses = {
        title: held_out_loss(trainer.model, tokens, 1024, 16)
        for title, tokens in held.items()
        if len(tokens) > 1
    }
    if not losses:  # nothing to measure it with is no reason to lose the model
        return {}
    mean = sum(losses.values()) / len(losses)
    sample = np.concatenate([tokens[:20_000] for tokens in held.values()])
    per_word = len(sample) / decode_words(tokenizer, sample.tolist())
    losses["mean"] = mean
    losses["tokens_per_word"] = per_word
    losses["perplexity_per_word"] = math.exp(mean * per_word)
    return losses


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status."""
    args = _parser().parse_args(arguments)
    if args.threads:
        torch.set_num_threads(args.threads)
    try:
        preset = PRESETS[args.preset]
        tokenizer, tokens, held = prepare(args.corpus, args.work, preset.vocab_size, args.max_book_chars)
    except (EnvironmentProblem, OSError) as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    sys.stdout.write(f"{len(tokens):,} training tokens, {len(held)} books held out\n")
    plan = TrainingPlan(total_tokens=args.tokens, seed=args.seed, long_length=preset.max_positions)
    model = build_model(preset, args.seed)
    trainer = Trainer(model, PieceSampler(tokens, args.seed), plan, args.work, compiled=args.compile)
    if trainer.restore():
        sys.stdout.write(f"going on at step {trainer.progress.step}\n")
    try:
        done = trainer.run(seconds=args.minutes * 60, on_step=_print_step)
    except EnvironmentProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except KeyboardInterrupt:
        trainer.save()
        sys.stderr.write("Stopped and saved; the same command goes on.\n")
        return 130
    losses = _evaluate(trainer, tokenizer, held)
    sys.stdout.write(json.dumps(losses, indent=1, ensure_ascii=False) + "\n")
    save_model(trainer.model, args.out)
    save_tokenizer(tokenizer, args.out)
    write_report(args.out / "training.json", plan, trainer.progress, losses)
    sys.stdout.write("finished\n" if done else "time is up; the same command goes on\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
