"""What the shipped model must beat: an interpolated 5-gram model, smoothed by modified Kneser-Ney.

Source: Chen and Goodman, "An empirical study of smoothing techniques for language modeling" (1999), section
4. Everything is counted by sorting, so that tens of millions of tokens take minutes and a few GiB: the
n-grams of order k are numbered in sorted order, and an n-gram is found by the number of its first k - 1
tokens and its last.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quire_engine.api.errors import EnvironmentProblem
from tests.training.corpus import Tokens

Counts = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

ORDER = 5
_ABSENT = -1


@dataclass(frozen=True, slots=True)
class _Order:
    """What is known of the n-grams of one length k.

    Attributes:
        keys: sorted, (number of the first k - 1 tokens) * vocabulary + last token, shape (n-grams,); empty
            for k = 1.
        counts: how often each occurs (highest order) or after how many different tokens (all lower ones).
        discounts: taken off a count of 0, 1, 2 and of 3 or more.
        totals, spared: sum of the counts and of the discounts over all n-grams that begin with the same k - 1
            tokens, shape (n-grams of k - 1,).
    """

    keys: Numbers
    counts: Counts
    discounts: Floats
    totals: Counts
    spared: npt.NDArray[np.float32]


class NgramModel:
    """Probabilities of the next token given at most `order - 1` tokens before it.

    Args:
        tokens: the training text as one stream, shape (num_tokens,).
        vocab_size: more than its largest token.

    Raises:
        EnvironmentProblem: when the text is shorter than one n-gram.
    """

    def __init__(self, tokens: Tokens, vocab_size: int, order: int = ORDER) -> None:
        if len(tokens) < order:
            raise EnvironmentProblem(
                "A model of {order}-grams needs more text than {num_tokens} tokens.",
                order=order,
                num_tokens=len(tokens),
            )
        self._vocab_size = vocab_size
        self._orders: list[_Order] = []
        keys = np.empty(0, dtype=np.int64)
        numbers = tokens.astype(np.int32)  # of the n-gram that ends at each place; now n = 1
        num_prefixes, num_grams = 1, vocab_size
        for length in range(1, order):
            longer_keys, numbers, suffixes = self._lengthen(tokens, numbers, length)
            counts = np.bincount(suffixes, minlength=num_grams).astype(np.int32)
            self._orders.append(_summarise(keys, counts, num_prefixes, vocab_size))
            keys, num_prefixes, num_grams = longer_keys, num_grams, len(longer_keys)
        counts = np.bincount(numbers[order - 1 :], minlength=num_grams).astype(np.int32)
        self._orders.append(_summarise(keys, counts, num_prefixes, vocab_size))

    def _lengthen(self, tokens: Tokens, numbers: Counts, length: int) -> tuple[Numbers, Counts, Counts]:
        """Go from n-grams of `length` to those one longer.

        Returns their sorted keys, their number at every place, and for each of them the number of the n-gram
        of `length` that it ends with: counted, these say after how many different tokens an n-gram occurs.
        """
        pairs = numbers[length - 1 : -1].astype(np.int64) * self._vocab_size
        pairs += tokens[length:]
        order = np.argsort(pairs, kind="stable")
        pairs = pairs[order]
        first = np.empty(len(pairs), dtype=bool)
        first[:1] = True
        np.not_equal(pairs[1:], pairs[:-1], out=first[1:])
        keys = pairs[first]
        del pairs
        suffixes = numbers[length:][order[first]]
        longer = np.full(len(tokens), _ABSENT, dtype=np.int32)
        longer[length + order] = np.cumsum(first, dtype=np.int32) - 1
        return keys, longer, suffixes

    def log_probabilities(self, piece: Tokens) -> Floats:
        """Return ln p(piece[i + 1] | what is before it in the piece), shape (len(piece) - 1,)."""
        wanted = piece.astype(np.int64)
        seen = np.zeros(len(piece), dtype=np.int64)  # number of the (k - 1)-gram that ends at each place
        result = np.full(len(piece), 1 / self._vocab_size)
        for length, order in enumerate(self._orders, start=1):
            before = np.full(len(piece), _ABSENT, dtype=np.int64)
            if length == 1:
                before[:], seen = 0, wanted
            else:
                before[1:] = seen[:-1]
                seen = _find(order.keys, before, wanted, self._vocab_size)
            counts = np.where(seen == _ABSENT, 0, order.counts[seen])
            totals = np.where(before == _ABSENT, 0, order.totals[before])
            known = totals > 0
            left = (
                np.maximum(counts - order.discounts[np.minimum(counts, 3)], 0) + order.spared[before] * result
            )
            result = np.where(known, left / np.maximum(totals, 1), result)
        logs: Floats = np.log(result[1:])
        return logs


def _find(keys: Numbers, before: Numbers, last: Numbers, vocab_size: int) -> Numbers:
    wanted = before * vocab_size + last
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where((before != _ABSENT) & (keys[places] == wanted), places, _ABSENT)


def _summarise(keys: Numbers, counts: Counts, num_prefixes: int, vocab_size: int) -> _Order:
    prefixes = keys // vocab_size if len(keys) else np.zeros(len(counts), dtype=np.int64)
    discounts = _discounts(counts)
    totals = np.bincount(prefixes, weights=counts, minlength=num_prefixes).astype(np.int32)
    taken = discounts[np.minimum(counts, 3)]
    spared = np.bincount(prefixes, weights=taken, minlength=num_prefixes).astype(np.float32)
    return _Order(keys, counts, discounts, totals, spared)


def _discounts(counts: Counts) -> Floats:
    """Return what is taken off a count of 0, 1, 2, and 3 or more (equation 26 of the source)."""
    once, twice, thrice, four_times = (int((counts == number).sum()) for number in (1, 2, 3, 4))
    if not (once and twice and thrice and four_times):  # too little text to estimate them
        return np.array([0, 0.5, 0.75, 0.75])
    share = once / (once + 2 * twice)
    found = [
        1 - 2 * share * twice / once,
        2 - 3 * share * thrice / twice,
        3 - 4 * share * four_times / thrice,
    ]
    return np.array([0, *(min(max(value, 0.1), most) for value, most in zip(found, (1, 2, 3), strict=True))])


def held_out_loss(model: NgramModel, pieces: Iterable[Tokens]) -> float:
    """Return nats per token over some pieces; of each, the first token is only read."""
    scores = [model.log_probabilities(piece) for piece in pieces]
    return -float(np.concatenate(scores).mean())
