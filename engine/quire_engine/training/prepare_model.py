"""Train the drafters of a model: `python -m quire_engine prepare MODEL --text FILE... --out DIR`.

Trains heads and feature drafter for any supported model on any text, evaluates them and writes the file that
the engine finds next to the model. Interrupt it at any time; the same command resumes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from tokenizers import Tokenizer

from quire_engine.api.atomic_file import replacing
from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.trained_drafters import UNFINISHED
from quire_engine.catalog.weight_shapes import head_size, inner_size, num_key_value_heads
from quire_engine.drafting import drafter_file
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.drafting.feature_drafter import FeatureShape, FeatureWeights
from quire_engine.models import loading
from quire_engine.models.model_folder import ModelFolder
from quire_engine.training.drafter_evaluation import DepthCounts, evaluate, expected_tokens
from quire_engine.training.drafter_trainer import DrafterPlan, DrafterTrainer, frequent_ids
from quire_engine.training.hidden_states import OWN_LENGTH, FrozenTarget, Pieces, Tokens, write_own_text
from quire_engine.training.unfinished_work import emptied, mark

Stage = Literal["own text", "heads", "feature", "evaluation"]
_HELD_OUT = 0.05  # share of a text that is kept for the evaluation
_EVALUATED_PIECES = 24
_OWN_BATCH = 64


@dataclass(frozen=True, slots=True)
class Preparation:
    """What is to be done.

    The sampling settings are those that drafts will mostly be asked with.

    Attributes:
        own_tokens: length of the model's own text to learn from.
        own_share: its share.
    """

    plan: DrafterPlan = field(default_factory=DrafterPlan)
    own_tokens: int = 262_144
    own_share: float = 0.7
    sampling: SamplingConfig = field(default_factory=SamplingConfig)
    device: Literal["auto", "cpu", "cuda", "mps"] = "auto"


@dataclass(frozen=True, slots=True)
class Advance:
    """How far a preparation has come: tokens or steps done of a stage; loss: of the last step, if any."""

    stage: Stage
    done: int
    total: int
    loss: float | None = None


def prepare(
    folder: ModelFolder,
    text: Tokens,
    out: Path,
    wanted: Preparation,
    on_advance: Callable[[Advance], None],
) -> TrainedDrafters:
    """Train, evaluate and write the drafters of a model. text: token ids.

    An exception raised by on_advance (KeyboardInterrupt too) stops it; a later call with the same arguments
    resumes.
    """
    device = loading.choose_device(wanted.device)
    model = loading.build_model(folder, loading.choose_dtype("auto", device), device)
    target = FrozenTarget(model)
    barred = loading.special_token_ids(loading.load_tokenizer(folder), target.vocab_size)
    work = _work_folder(out, folder, text, wanted)
    plan = wanted.plan
    learned, kept = _split(text, plan.length)
    texts, measured = [(learned, 1.0)], kept
    if wanted.own_tokens:
        own = _own_text(target, learned, wanted, barred, work, on_advance)
        own_learned, measured = _split(own, plan.length)
        texts = [(learned, 1 - wanted.own_share), (own_learned, wanted.own_share)]
    count = ids_to_guess(plan.vocabulary, target.vocab_size)
    vocabulary = frequent_ids([texts[-1][0]], count, target.vocab_size, barred) if count else None
    trainer = DrafterTrainer(
        target,
        Pieces(texts, plan.length, plan.seed),
        shape_of(folder.config, plan.window),
        vocabulary,
        plan,
        wanted.sampling,
        work / "checkpoint.pt",
    )
    trainer.restore()
    trainer.run(lambda stage, done, total, loss: on_advance(Advance(stage, done, total, loss)))
    on_advance(Advance("evaluation", 0, 1))
    unseen = Pieces([(measured, 1.0)], plan.length, plan.seed)
    tallies = _tallies(target, trainer, vocabulary, unseen, wanted)
    on_advance(Advance("evaluation", 1, 1))
    drafters = _finished(folder, trainer, vocabulary, tallies, wanted)
    drafter_file.save(drafters, out)
    shutil.rmtree(work)
    return drafters


def _work_folder(out: Path, folder: ModelFolder, text: Tokens, wanted: Preparation) -> Path:
    """Return the folder of what is unfinished; emptied when that belongs to another model, text or plan."""
    work = out / UNFINISHED
    about = json.dumps([folder.fingerprint, asdict(wanted), hashlib.sha256(text.tobytes()).hexdigest()])
    if emptied(work, about):
        mark(work, about)
    return work


def shape_of(config: Any, window: int) -> FeatureShape:
    """Return the sizes of a feature drafter for a model: one layer of its own shape."""
    heads = int(config.num_attention_heads)
    rope = getattr(config, "rope_parameters", None) or {}
    theta = rope.get("rope_theta") if isinstance(rope.get("rope_theta"), int | float) else None
    return FeatureShape(
        width=int(config.hidden_size),
        intermediate=inner_size(config),
        num_heads=heads,
        num_kv_heads=num_key_value_heads(config),
        # an even size, which rotary positions need
        head_dim=head_size(config) // 2 * 2,
        rope_theta=float(theta or 10_000.0),
        eps=float(getattr(config, "rms_norm_eps", None) or 1e-6),
        window=window,
    )


def memory_needed(folder: ModelFolder, plan: DrafterPlan) -> int:
    """Return roughly how many bytes a preparation takes: model, learners, optimizers, activations."""
    config: Any = folder.config
    shape = shape_of(config, plan.window)
    weights = sum(file.stat().st_size for file in folder.weights)
    learned = sum(int(np.prod(size)) for size in shape.tensor_shapes().values())
    learned += plan.num_heads * shape.width**2
    head = int(config.vocab_size) * shape.width
    rows = plan.batch * plan.length
    # scores of one piece at a time, a few copies of them; features and inner states of the layer per depth
    columns = ids_to_guess(plan.vocabulary, int(config.vocab_size)) or int(config.vocab_size)
    scores = plan.length * columns * 4 * 6
    inner = (
        rows * plan.unroll * (8 * shape.width + 4 * shape.intermediate + 2 * plan.length * shape.num_heads)
    )
    keys = _OWN_BATCH * OWN_LENGTH * 4 * shape.num_kv_heads * shape.head_dim * int(config.num_hidden_layers)
    return weights + 16 * learned + 8 * head + scores + 4 * inner + keys


def read_texts(files: Sequence[Path], tokenizer: Tokenizer, vocab_size: int) -> Tokens:
    """Return the token ids of UTF-8 texts, and of .npy files that hold ids already, one after the other."""
    parts: list[Tokens] = []
    for file in files:
        try:
            if file.suffix == ".npy":
                parts.append(_packed(file, vocab_size))
            else:
                lines = file.read_text(encoding="utf-8").split("\n\n")
                pieces = [line + "\n\n" for line in lines]
                encoded = tokenizer.encode_batch(pieces, add_special_tokens=False)
                parts.append(np.array([number for each in encoded for number in each.ids], dtype=np.int64))
        except UnicodeDecodeError as error:
            raise EnvironmentProblem("{file} is not a UTF-8 text.", file=file) from error
        except OSError as error:
            raise EnvironmentProblem(
                "{file} cannot be read: {reason}.", file=file, reason=error.strerror or error
            ) from error
    return np.concatenate(parts)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the `prepare` command understands."""
    plan = DrafterPlan()
    usual = Preparation()
    parser.add_argument("model", type=Path, help="model folder or GGUF file")
    parser.add_argument(
        "--text",
        type=Path,
        nargs="+",
        required=True,
        metavar="FILE",
        help="UTF-8 texts (.txt), or ids (.npy)",
    )
    parser.add_argument("--out", type=Path, default=None, metavar="DIR", help="default: the model's folder")
    parser.add_argument(
        "--minutes",
        type=float,
        default=None,
        help="train the feature drafter for so long; what is learnt is of use after 2, 5, 20, 60 minutes",
    )
    parser.add_argument(
        "--cache",
        type=Path,
        default=None,
        metavar="DIR",
        help="where measurements of models are kept; default: not kept",
    )
    parser.add_argument("--heads-steps", type=int, default=plan.heads_steps)
    parser.add_argument("--feature-steps", type=int, default=plan.feature_steps)
    parser.add_argument(
        "--own-tokens",
        type=int,
        default=usual.own_tokens,
        help="tokens that the model writes itself to learn from; 0: none",
    )
    parser.add_argument(
        "--vocabulary",
        type=int,
        default=None,
        help="size of the vocabulary subset; default: a twelfth; 0: all",
    )
    parser.add_argument("--device", choices=["auto", "cpu", "cuda", "mps"], default="auto")
    parser.add_argument("--threads", type=int, default=0, help="0: one fewer than torch would take")
    parser.add_argument("--seed", type=int, default=plan.seed)


def run(args: argparse.Namespace) -> int:
    """Run the command; exit status as for every command of the engine. EnvironmentProblem is the caller's."""
    torch.set_num_threads(loading.thread_choices(args.threads)[0])
    folder = loading.inspect_folder(args.model)
    wanted = Preparation(
        plan=DrafterPlan(
            heads_steps=args.heads_steps,
            feature_steps=args.feature_steps,
            vocabulary=args.vocabulary,
            seed=args.seed,
        ),
        own_tokens=args.own_tokens,
        sampling=SamplingConfig(seed=args.seed),
        device=args.device,
    )
    text = read_texts(args.text, loading.load_tokenizer(folder), int(folder.config.vocab_size))
    needed = memory_needed(folder, wanted.plan) / 2**30
    sys.stdout.write(f"{len(text):,} tokens of text; this needs about {needed:.1f} GB of memory.\n")
    printer = _PreparePrinter()
    try:
        drafters = prepare(folder, text, args.out or args.model, wanted, printer.advance)
    except KeyboardInterrupt:
        sys.stderr.write("Stopped and saved; the same command goes on.\n")
        return 130
    sys.stdout.write(_summary(drafters))
    return 0


class _PreparePrinter:
    """Says how far it has come, a line every few seconds."""

    def __init__(self) -> None:
        self._stage: Stage | None = None
        self._started = (0.0, 0)
        self._said = 0.0

    def advance(self, advance: Advance) -> None:
        now = time.monotonic()
        if advance.stage != self._stage:
            self._stage, self._started, self._said = advance.stage, (now, advance.done), now
        elif now - self._said < 5 and advance.done < advance.total:
            return
        self._said = now
        since, first = self._started
        left = ""
        if advance.done > first and advance.done < advance.total:
            seconds = (now - since) / (advance.done - first) * (advance.total - advance.done)
            left = f", about {seconds / 60:.0f} min left"
        loss = "" if advance.loss is None else f", loss {advance.loss:.3f}"
        sys.stdout.write(f"{advance.stage}: {advance.done:,} of {advance.total:,}{loss}{left}\n")
        sys.stdout.flush()


def _summary(drafters: TrainedDrafters) -> str:
    figures = drafters.figures
    lines = []
    for name in ("heads", "feature"):
        for number, tally in enumerate(figures[name], start=1):
            right = ", ".join(f"{share:.1%}" for share in tally["same_noise"])
            lines.append(f"{name}, {number} ahead: right among the best 1, 2, 3 draft tokens: {right}\n")
        tokens = figures["tokens_per_pass"][name]
        lines.append(f"{name}: {tokens:.2f} tokens per pass expected of a chain of first guesses\n")
    return "".join(lines)


def _packed(file: Path, vocab_size: int) -> Tokens:
    try:
        ids: Any = np.load(file, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise EnvironmentProblem("{file} does not hold token ids.", file=file) from error
    if ids.ndim != 1 or ids.dtype.kind not in "iu" or (len(ids) and int(ids.max()) >= vocab_size):
        raise EnvironmentProblem("{file} does not hold token ids of this model.", file=file)
    packed: Tokens = ids.astype(np.int64)
    return packed


def _split(text: Tokens, length: int) -> tuple[Tokens, Tokens]:
    """Return what to learn from and what to measure with, at least a piece of each."""
    kept = max(length, int(len(text) * _HELD_OUT))
    if len(text) < 2 * length:
        raise EnvironmentProblem(
            "The text has {num_tokens:,} tokens; drafters need at least {least:,} to learn from.",
            num_tokens=len(text),
            least=2 * length,
        )
    return text[:-kept], text[-kept:]


def ids_to_guess(count: int | None, vocab_size: int) -> int:
    """Return the size of the feature drafter's vocabulary subset; 0 for the whole vocabulary.

    On the shipped model (8,192 ids) the 2,048 most frequent ones are 96% of what it writes, with SmolLM2
    (49,152 ids) 4,096 are 95%, and a smaller head is worth more than the rest; for other vocabularies the
    share is an assumption.
    """
    wanted = min(max(2048, vocab_size // 12), 16_384) if count is None else count
    return wanted if wanted < vocab_size else 0


def _own_text(
    target: FrozenTarget,
    human: Tokens,
    wanted: Preparation,
    barred: Sequence[int],
    work: Path,
    on_advance: Callable[[Advance], None],
) -> Tokens:
    """Return the model's own text; what an interrupted run wrote is used again."""
    file, total = work / "own.npy", wanted.own_tokens
    text: Tokens = np.load(file) if file.is_file() else np.zeros(0, dtype=np.int64)
    while len(text) < total:
        on_advance(Advance("own text", len(text), total))
        batch = len(text) // (_OWN_BATCH * OWN_LENGTH)
        more = write_own_text(target, human, wanted.sampling, barred, batch, _OWN_BATCH)
        text = np.concatenate([text, more])
        with replacing(file) as fresh:
            np.save(fresh, text)
    on_advance(Advance("own text", len(text), total))
    return text


def _tallies(
    target: FrozenTarget,
    trainer: DrafterTrainer,
    vocabulary: torch.Tensor | None,
    unseen: Pieces,
    wanted: Preparation,
) -> dict[str, list[DepthCounts]]:
    return evaluate(
        target,
        trainer.heads,
        trainer.feature,
        vocabulary,
        unseen,
        wanted.sampling,
        num_pieces=_EVALUATED_PIECES,
        depths=wanted.plan.unroll + 1,
    )


def _finished(
    folder: ModelFolder,
    trainer: DrafterTrainer,
    vocabulary: torch.Tensor | None,
    tallies: dict[str, list[DepthCounts]],
    wanted: Preparation,
) -> TrainedDrafters:
    heads = trainer.heads.weights(tuple(tally.sharpness for tally in tallies["heads"]))
    head = None if vocabulary is None else trainer.head_rows()
    sharpness = tuple(tally.sharpness for tally in tallies["feature"])
    feature = FeatureWeights(trainer.feature.shape, trainer.feature.tensors(), vocabulary, head, sharpness)
    figures = {name: [tally.figures() for tally in of_depth] for name, of_depth in tallies.items()}
    settings = {
        "plan": asdict(wanted.plan),
        "sampling": asdict(wanted.sampling),
        "measured_on": "the model's own text" if wanted.own_tokens else "the end of the text",
        "own_tokens": wanted.own_tokens,
        "own_share": wanted.own_share,
    }
    tokens: dict[str, Any] = {name: expected_tokens(of_depth) for name, of_depth in tallies.items()}
    tokens["without_same_noise"] = {
        name: expected_tokens(of_depth, same_noise=False) for name, of_depth in tallies.items()
    }
    said = {**figures, "tokens_per_pass": tokens, "settings": settings}
    return TrainedDrafters(folder.fingerprint, heads, feature, said)
