"""How well a model predicts books that it never saw: by book, and by how much it has read of one."""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers.modeling_utils import PreTrainedModel

from tests.training.corpus import AnyTokens, held_out_pieces
from tests.training.language_model import decoder_of, head_of

PIECE_LENGTH = 1024
PIECES_PER_BOOK = 16
POSITION_BUCKETS = (0, 512, 1024, 2048, 4096, 8192, 16_384, 32_768)
_ROWS = 1024  # of logits alive at once


@dataclass(frozen=True, slots=True)
class HeldOutLoss:
    """What the model card quotes, in nats per token.

    Attributes:
        by_book: of each book, over up to 16 pieces of 1,024 tokens.
        mean: of the books.
        by_position: "0-512" and so on: the loss at those distances from where reading began, a mean over the
            same books in each.
    """

    by_book: dict[str, float]
    mean: float
    tokens_per_word: float
    by_position: dict[str, float]

    @property
    def perplexity_per_word(self) -> float:
        """The exponential of the nats per word."""
        return math.exp(self.mean * self.tokens_per_word)


@contextlib.contextmanager
def _evaluating(model: PreTrainedModel) -> Iterator[None]:
    model.train(False)
    try:
        with torch.inference_mode(), torch.autocast(model.device.type, dtype=torch.bfloat16):
            yield
    finally:
        model.train()


def token_losses(model: PreTrainedModel, piece: AnyTokens) -> npt.NDArray[np.float32]:
    """Return the nats of every token of a piece but its first, shape (len(piece) - 1,)."""
    tokens = torch.from_numpy(piece.astype(np.int64)).to(model.device)
    ids, targets = tokens[None, :-1], tokens[1:]
    with _evaluating(model):
        hidden: Tensor = decoder_of(model)(ids, use_cache=False).last_hidden_state[0]
        head: Tensor = head_of(model).weight
        parts = [
            _cross_entropy(hidden[start : start + _ROWS], head, targets[start : start + _ROWS])
            for start in range(0, len(hidden), _ROWS)
        ]
    losses: npt.NDArray[np.float32] = torch.cat(parts).cpu().numpy()
    return losses


def _cross_entropy(hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
    return nn.functional.cross_entropy((hidden @ weight.t()).float(), targets, reduction="none")


def held_out_loss(
    model: PreTrainedModel, tokens: AnyTokens, length: int = PIECE_LENGTH, max_pieces: int = PIECES_PER_BOOK
) -> float:
    """Return nats per token over up to `max_pieces` pieces of `length` tokens spread over one book."""
    pieces = held_out_pieces(tokens, length, max_pieces)
    return float(np.concatenate([token_losses(model, piece) for piece in pieces]).mean(dtype=np.float64))


def loss_by_position(
    model: PreTrainedModel, books: Sequence[AnyTokens], buckets: Sequence[int] = POSITION_BUCKETS
) -> dict[str, float]:
    """Return nats per token between each two of `buckets`, as {"0-512": ...}; empty without a book that long.

    Of every book, a stretch in its middle is read once. The last bucket is the last within the model's
    positions that any book reaches; books that do not reach it are left out: all buckets see the same ones.
    """
    longest = max((len(tokens) - 1 for tokens in books), default=0)
    reach = min(longest, int(model.config.max_position_embeddings))
    edges = [edge for edge in buckets if edge <= reach]
    if len(edges) < 2:
        return {}
    span = edges[-1]
    losses = []
    for tokens in books:
        if len(tokens) > span:
            start = (len(tokens) - 1 - span) // 2
            losses.append(token_losses(model, tokens[start : start + span + 1]))
    mean = np.stack(losses).mean(axis=0, dtype=np.float64)
    return {f"{low}-{high}": float(mean[low:high].mean()) for low, high in itertools.pairwise(edges)}


def quick_loss(model: PreTrainedModel, books: Mapping[str, AnyTokens]) -> float:
    """Return the mean over the books of two pieces of each: cheap enough to watch a training by."""
    losses = [held_out_loss(model, tokens, max_pieces=2) for tokens in books.values()]
    return sum(losses) / len(losses)


def measure(
    model: PreTrainedModel, tokenizer: Tokenizer, books: Mapping[str, AnyTokens]
) -> HeldOutLoss | None:
    """Measure a model on held-out books; None without any: no reason to lose a model over."""
    books = {title: tokens for title, tokens in books.items() if len(tokens) > 1}
    if not books:
        return None
    by_book = {title: held_out_loss(model, tokens) for title, tokens in books.items()}
    sample = np.concatenate([tokens[:20_000] for tokens in books.values()])
    return HeldOutLoss(
        by_book=by_book,
        mean=sum(by_book.values()) / len(by_book),
        tokens_per_word=len(sample) / decode_words(tokenizer, sample.tolist()),
        by_position=loss_by_position(model, list(books.values())),
    )


def decode_words(tokenizer: Tokenizer, tokens: Sequence[int]) -> int:
    """Return the number of words in a piece of tokens, for perplexity per word."""
    return len(tokenizer.decode(list(tokens)).split())
