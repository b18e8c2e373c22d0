"""The 5-gram baseline against its definition, counted slowly and exactly."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.errors import EnvironmentProblem
from tests.engine.tiny import few
from tests.training.corpus import Tokens
from tests.training.kneser_ney import NgramModel, held_out_loss

Gram = tuple[int, ...]


class ExactModel:
    """Interpolated modified Kneser-Ney, straight from the paper, with dictionaries."""

    def __init__(self, tokens: Sequence[int], vocab_size: int, order: int) -> None:
        self._vocab_size, self._order = vocab_size, order
        self._counts: dict[int, Counter[Gram]] = {order: self._grams(tokens, order)}
        for length in range(1, order):
            longer = self._grams(tokens, length + 1)
            self._counts[length] = Counter(gram[1:] for gram in longer)
        self._discounts = {length: self._taken(counts) for length, counts in self._counts.items()}

    @staticmethod
    def _grams(tokens: Sequence[int], length: int) -> Counter[Gram]:
        return Counter(tuple(tokens[i : i + length]) for i in range(len(tokens) - length + 1))

    @staticmethod
    def _taken(counts: Counter[Gram]) -> tuple[float, float, float, float]:
        n = [sum(count == number for count in counts.values()) for number in range(5)]
        if not all(n[1:]):
            return 0, 0.5, 0.75, 0.75
        share = n[1] / (n[1] + 2 * n[2])
        found = [number - (number + 1) * share * n[number + 1] / n[number] for number in (1, 2, 3)]
        one, two, more = (min(max(value, 0.1), most) for value, most in zip(found, (1, 2, 3), strict=True))
        return 0, one, two, more

    def probability(self, context: Gram, token: int) -> float:
        """Return p(token | context of at most order - 1 tokens)."""
        lower = self.probability(context[1:], token) if context else 1 / self._vocab_size
        length = len(context) + 1
        followers = {gram[-1]: count for gram, count in self._counts[length].items() if gram[:-1] == context}
        if not followers:
            return lower
        taken = self._discounts[length]
        spared = sum(taken[min(count, 3)] for count in followers.values())
        count = followers.get(token, 0)
        return (count - taken[min(count, 3)] + spared * lower) / sum(followers.values())

    def logs(self, piece: Sequence[int]) -> list[float]:
        """Return ln p of every token but the first."""
        reach = self._order - 1
        return [
            math.log(self.probability(tuple(piece[max(0, place - reach) : place]), piece[place]))
            for place in range(1, len(piece))
        ]


def wandering(num_tokens: int, vocab_size: int, seed: int) -> Tokens:
    """Return tokens in which some n-grams are frequent and most are rare."""
    rng = np.random.default_rng(seed)
    tokens = np.minimum(rng.geometric(0.3, num_tokens) - 1, vocab_size - 1)
    tokens[1::2] = (tokens[: num_tokens // 2 * 2 : 2] * 2 + rng.integers(0, 2)) % vocab_size
    return tokens.astype(np.uint16)


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_probabilities_are_those_of_the_definition(order: int) -> None:
    tokens = wandering(500, 9, seed=1)
    # its own text, text of others, and a token that it never saw
    piece = np.concatenate([tokens[40:70], wandering(30, 9, seed=2), [10], tokens[:5]]).astype(np.uint16)
    found = NgramModel(tokens, 12, order).log_probabilities(piece)
    wanted = ExactModel(tokens.tolist(), 12, order).logs(piece.tolist())
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


@few
@given(
    st.lists(st.integers(0, 5), min_size=5, max_size=60), st.lists(st.integers(0, 7), min_size=2, max_size=12)
)
def test_any_text_gives_the_probabilities_of_the_definition(text: list[int], piece: list[int]) -> None:
    found = NgramModel(np.array(text, dtype=np.uint16), 8, 3).log_probabilities(
        np.array(piece, dtype=np.uint16)
    )
    np.testing.assert_allclose(found, ExactModel(text, 8, 3).logs(piece), rtol=1e-5)


def test_probabilities_of_all_tokens_sum_to_one() -> None:
    tokens = wandering(2000, 20, seed=3)
    model = NgramModel(tokens, 20)
    for start in (0, 100, 1500):
        context = tokens[start : start + 4]
        pieces = [np.append(context, np.uint16(token)) for token in range(20)]
        total = sum(math.exp(model.log_probabilities(piece)[-1]) for piece in pieces)
        assert total == pytest.approx(1, abs=1e-5)


def test_the_largest_vocabulary_does_not_overflow() -> None:
    tokens = np.array([65_535, 65_534, 65_535, 65_533] * 50, dtype=np.uint16)
    found = NgramModel(tokens, 65_536).log_probabilities(tokens[:12])
    np.testing.assert_allclose(
        found, ExactModel(tokens.tolist(), 65_536, 5).logs(tokens[:12].tolist()), rtol=1e-5
    )


def test_a_text_of_one_n_gram_is_the_shortest() -> None:
    tokens = wandering(5, 9, seed=1)
    assert np.isfinite(NgramModel(tokens, 9).log_probabilities(tokens)).all()
    with pytest.raises(EnvironmentProblem, match="5-grams"):
        NgramModel(tokens[:4], 9)


def test_a_held_out_loss_weighs_every_token_alike() -> None:
    tokens = wandering(500, 9, seed=1)
    model = NgramModel(tokens, 9)
    pieces = [tokens[:40], wandering(11, 9, seed=5)]
    logs = np.concatenate([model.log_probabilities(piece) for piece in pieces])
    assert len(logs) == 49
    assert held_out_loss(model, pieces) == pytest.approx(-logs.mean())
