"""Distils a background table: a model's own warped probabilities after short contexts, averaged over text.

Human text and, better matched, the model's own text are read once; at every place the probabilities that a
run with default settings would draw from are added up by the last one, two and three tokens. Contexts are
kept by what they gain over the shorter one for the bytes they cost.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.drafting import background_ngrams
from quire_engine.drafting.background_ngrams import BackgroundTable, Level
from quire_engine.models.loading import (
    build_model,
    choose_device,
    inspect_folder,
    load_tokenizer,
    special_token_ids,
)
from quire_engine.training.hidden_states import FrozenTarget, Pieces, Tokens, write_own_text
from quire_engine.training.prepare_model import read_texts
from quire_engine.training.soft_targets import penalty_factors, warped
from tests.training.packed_text import read_pack

PIECE_LENGTH = 1024
POSITIONS = 1_300_000
OWN_TOKENS = 327_680
MAX_BYTES = 1_500_000

_FOLLOWERS = (32, 16, 12)  # kept of each context, by its length
_TOP = 24  # of a position's probabilities; with min-p 0.1 about 17 survive
_CANDIDATES = 96  # before the penalty
_LEAST = 0.004  # a follower less likely than this is not worth its bytes
_TRUST = 2.0  # as the table interpolates
_BYTES_OF_CONTEXT, _BYTES_OF_FOLLOWER = 2.4, 1.8  # packed
_MAX_WAITING = 1 << 22
_OWN_BATCH = 64

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


class KeyedSums:
    """Sums by key: sorted keys and what was added to each; additions wait until there are many."""

    def __init__(self) -> None:
        self._keys: Ints = np.zeros(0, dtype=np.int64)
        self._sums: Floats = np.zeros(0, dtype=np.float32)
        self._waiting: list[tuple[Ints, Floats]] = []
        self._num_waiting = 0

    def add(self, keys: Ints, amounts: Floats) -> None:
        """Add an amount to each key; a key may occur many times."""
        self._waiting.append((keys, amounts))
        self._num_waiting += len(keys)
        if self._num_waiting >= _MAX_WAITING:
            self._settle()

    def totals(self) -> tuple[Ints, Floats]:
        """Return the keys, ascending, and their sums."""
        self._settle()
        return self._keys, self._sums

    def _settle(self) -> None:
        if not self._waiting:
            return
        keys = np.concatenate([self._keys, *(keys for keys, _ in self._waiting)])
        amounts = np.concatenate([self._sums, *(amounts for _, amounts in self._waiting)])
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        self._waiting, self._num_waiting = [], 0
        if len(keys) == 0:
            return
        first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
        self._keys = keys[first]
        self._sums = np.add.reduceat(amounts[order], first).astype(np.float32)


class Distiller:
    """Adds up probabilities by context, and makes a table of those that pay."""

    def __init__(self, vocab_size: int) -> None:
        self._bits = max(1, (vocab_size - 1).bit_length())
        # a key holds the context and one follower
        self._orders = min(background_ngrams.MAX_ORDER, 63 // self._bits - 1)
        self._times = [KeyedSums() for _ in range(self._orders)]
        self._chances = [KeyedSums() for _ in range(self._orders)]

    def add(self, ids: Ints, followers: Ints, chances: Floats) -> None:
        """Take one piece.

        Args:
            ids: (n,).
            followers, chances: (n, k), what may follow after each of them.
        """
        keys = np.zeros(len(ids), dtype=np.int64)
        for order in range(self._orders):
            # newest token first, so that a context sorts behind the shorter one that it extends
            keys = (keys[1:] << self._bits) | ids[: len(ids) - order] if order else ids.astype(np.int64)
            rows = slice(order, None)
            self._times[order].add(keys, np.ones(len(keys), dtype=np.float32))
            entries = (keys[:, None] << self._bits) | followers[rows]
            real = chances[rows] > 0
            self._chances[order].add(entries[real], chances[rows][real].astype(np.float32))

    def table(self, max_bytes: int) -> BackgroundTable:
        """Return the contexts that gain most for their bytes, about `max_bytes` of them once packed."""
        orders: list[_ContextOrder] = []
        for order in range(self._orders):
            found = self._order(order, orders[-1] if orders else None)
            if len(found.entries) == 0:  # less text than a context is long
                break
            orders.append(found)
        if not orders:
            raise EnvironmentProblem("There is too little text to distil phrases from.")
        return BackgroundTable(_levels(orders, self._bits, max_bytes))

    def _order(self, order: int, above: _ContextOrder | None) -> _ContextOrder:
        contexts, times = self._times[order].totals()
        entries, sums = self._chances[order].totals()
        places = np.searchsorted(contexts, entries >> self._bits)
        chances = sums / times[places]
        gains: npt.NDArray[np.float64] = np.zeros(len(contexts))
        mixed = chances.astype(np.float64)
        if above is not None:
            mask = (1 << self._bits) - 1
            # the shorter context is this one without its oldest token, the last of the key
            shorter = (entries >> (2 * self._bits) << self._bits) | (entries & mask)
            expected = above.chance_of(shorter)
            trust = (times / (times + _TRUST))[places]
            better = trust * np.maximum(chances - expected, 0)
            gains += np.bincount(places, better, len(contexts)) * times
            mixed = expected + trust * (chances - expected)
        return _ContextOrder(contexts, times, entries, places, chances, mixed, gains, _FOLLOWERS[order])


@dataclass(frozen=True, slots=True)
class _ContextOrder:
    """All contexts of one length and their followers.

    Attributes:
        places: number of each entry's context.
        mixed: probabilities as the table would interpolate them.
        gains: mass moved to the right followers by knowing a context, over all places where it was met.
    """

    contexts: Ints
    times: Floats
    entries: Ints
    places: Ints
    chances: Floats
    mixed: npt.NDArray[np.float64]
    gains: npt.NDArray[np.float64]
    max_followers: int

    def chance_of(self, entries: Ints) -> npt.NDArray[np.float64]:
        """Return the interpolated probability of other entries of this length; 0 for unknown ones."""
        at = np.minimum(np.searchsorted(self.entries, entries), len(self.entries) - 1)
        found: npt.NDArray[np.float64] = np.where(self.entries[at] == entries, self.mixed[at], 0.0)
        return found

    def kept_entries(self) -> npt.NDArray[np.bool_]:
        """Say which followers are stored if their context is: the likeliest."""
        order = np.lexsort((-self.chances, self.places))
        starts = np.searchsorted(self.places[order], np.arange(len(self.contexts)))
        ranks = np.empty(len(order), dtype=np.int64)
        ranks[order] = np.arange(len(order)) - starts[self.places[order]]
        kept: npt.NDArray[np.bool_] = (ranks < self.max_followers) & (self.chances >= _LEAST)
        return kept


def _levels(orders: Sequence[_ContextOrder], bits: int, max_bytes: int) -> list[Level]:
    """Choose contexts under a budget and lay them out; a context is kept with all that it extends."""
    entries = [order.kept_entries() for order in orders]
    sizes = [
        np.bincount(order.places[kept], minlength=len(order.contexts))
        for order, kept in zip(orders, entries, strict=True)
    ]
    costs = [_BYTES_OF_CONTEXT + _BYTES_OF_FOLLOWER * size for size in sizes]
    left = max_bytes - float(costs[0].sum())
    worth = [order.gains / cost for order, cost in zip(orders[1:], costs[1:], strict=True)]
    least = _threshold(np.concatenate(worth), np.concatenate(costs[1:]), left) if worth else math.inf
    chosen = [np.ones(len(orders[0].contexts), dtype=bool), *(value >= least for value in worth)]
    for length in range(len(orders) - 1, 1, -1):
        shorter = np.unique(orders[length].contexts[chosen[length]] >> bits)
        chosen[length - 1][np.searchsorted(orders[length - 1].contexts, shorter)] = True
    levels: list[Level] = []
    above: Ints | None = None
    for order, taken, kept, size in zip(orders, chosen, entries, sizes, strict=True):
        contexts = order.contexts[taken]
        stored = kept & taken[order.places]
        parents = np.zeros(len(contexts), dtype=np.int64)
        if above is not None:
            parents = np.searchsorted(above, contexts >> bits)
        levels.append(
            Level(
                tokens=contexts & ((1 << bits) - 1),
                parents=parents,
                occurrences=np.minimum(order.times[taken], background_ngrams.MAX_OCCURRENCES).astype(
                    np.uint8
                ),
                starts=np.concatenate([[0], np.cumsum(size[taken])]).astype(np.int64),
                followers=order.entries[stored] & ((1 << bits) - 1),
                steps=background_ngrams.steps_of(order.chances[stored]),
            )
        )
        above = contexts
    return levels


def _threshold(worth: npt.NDArray[np.floating], costs: npt.NDArray[np.floating], budget: float) -> float:
    """Return the least worth per byte that still fits into the budget."""
    order = np.argsort(-worth, kind="stable")
    fitting = int(np.searchsorted(np.cumsum(costs[order]), budget))
    return float(worth[order[min(fitting, len(order) - 1)]]) if len(order) else math.inf


def warped_chances(logits: Tensor, ids: Tensor, sampling: SamplingConfig) -> tuple[Ints, Floats]:
    """Return the likeliest followers of every place of a piece and their chances, (n, k) each.

    logits: (n, vocab) after each of ids (n,). The penalty sees the piece up to each place; of the truncation
    rules min-p alone is applied, the one that Quire sets by default.
    """
    rows = torch.arange(len(ids), device=ids.device)
    first = torch.full((logits.shape[1],), len(ids), device=ids.device)
    first.scatter_reduce_(0, ids, rows, "amin")
    # few can be among the likeliest after the penalty; the others need not be looked at
    top = logits.topk(min(_CANDIDATES, logits.shape[1]), dim=-1)
    factors = penalty_factors(first[top.indices] <= rows[:, None], sampling.repetition_penalty)
    best = warped(top.values, factors, sampling).topk(min(_TOP, top.values.shape[1]), dim=-1)
    followers = top.indices.gather(1, best.indices)
    return followers.cpu().numpy(), best.values.softmax(-1).cpu().numpy()


def distil(
    target: FrozenTarget,
    pieces: Pieces,
    positions: int,
    sampling: SamplingConfig,
    suppressed: Sequence[int],
    *,
    on_piece: Callable[[int], None] = lambda _: None,
) -> Distiller:
    """Read `positions` tokens of shuffled pieces. on_piece: told the number of tokens so far."""
    distiller = Distiller(target.vocab_size)
    done = number = 0
    while done < positions:
        ids = pieces.batch(number, 1).to(target.device)
        logits = target.logits(target.hidden(ids)[0])
        logits[:, list(suppressed)] = -torch.inf
        followers, chances = warped_chances(logits, ids[0], sampling)
        distiller.add(ids[0].cpu().numpy(), followers, chances)
        number += 1
        done += ids.numel()
        on_piece(done)
    return distiller


def run(args: argparse.Namespace) -> int:
    """Distil a table from a packed text and the model's own, and write it next to the model."""
    if args.threads:
        torch.set_num_threads(args.threads)
    folder = inspect_folder(args.model)
    tokenizer = load_tokenizer(folder)
    target = FrozenTarget(build_model(folder, torch.float32, choose_device(args.device)))
    barred = special_token_ids(tokenizer, target.vocab_size)
    # ids of any width: a piece of them is widened when it is read
    human: Any = read_pack(args.data).train
    texts = [(human, 1.0)]
    if args.own is not None or args.own_tokens:
        if args.own is None:
            own = _own_text(target, human, args.own_tokens, args.seed, barred)
        else:
            own = read_texts([args.own], tokenizer, target.vocab_size)
        texts = [(human, 1 - args.own_share), (own, args.own_share)]
    pieces = Pieces(texts, PIECE_LENGTH, args.seed)

    def told(done: int) -> None:
        if done % (100 * PIECE_LENGTH) == 0:
            _say("read", done, args.positions)

    distiller = distil(target, pieces, args.positions, SamplingConfig(), barred, on_piece=told)
    table = distiller.table(int(args.max_mb * 1e6))
    file = background_ngrams.save(
        table, background_ngrams.tokenizer_digest(folder.path), args.out or folder.path
    )
    contexts = ", ".join(f"{len(level.tokens):,}" for level in table.levels)
    sys.stdout.write(f"{file}: {file.stat().st_size / 1e6:.2f} MB, contexts by length: {contexts}\n")
    return 0


def _own_text(target: FrozenTarget, human: Tokens, count: int, seed: int, barred: Sequence[int]) -> Tokens:
    """Let the model write at least `count` tokens, many pieces at once."""
    parts: list[Tokens] = []
    written = 0
    while written < count:
        part = write_own_text(target, human, SamplingConfig(seed=seed), barred, len(parts), _OWN_BATCH)
        parts.append(part)
        written += len(part)
        _say("written", written, count)
    return np.concatenate(parts)


def _say(what: str, done: int, total: int) -> None:
    sys.stderr.write(f"{what}: {done:,} of {total:,} tokens\n")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `run`."""
    parser.add_argument("--model", type=Path, required=True, help="model folder")
    parser.add_argument("--data", type=Path, required=True, help="packed folder, made by the command `pack`")
    parser.add_argument(
        "--own-tokens", type=int, default=OWN_TOKENS, help="tokens that the model writes itself; 0: none"
    )
    parser.add_argument(
        "--own", type=Path, help="the model's own text, if it was written before: UTF-8 (.txt) or ids (.npy)"
    )
    parser.add_argument("--own-share", type=float, default=0.4, help="share of the model's own text")
    parser.add_argument("--out", type=Path, help="folder for the file; unset: the model's own")
    parser.add_argument("--positions", type=int, default=POSITIONS, help="tokens to read")
    parser.add_argument("--max-mb", type=float, default=MAX_BYTES / 1e6, help="size of the file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--threads", type=int, default=0, help="of the CPU; 0: torch's own choice")
