"""Held-out losses: by book, by position, per word."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer

from tests.engine.tiny import OPENING
from tests.engine.training.shapes import SHAPE, corpus, shape
from tests.training.corpus import Tokens
from tests.training.held_out_loss import (
    decode_words,
    held_out_loss,
    loss_by_position,
    measure,
    quick_loss,
    token_losses,
)
from tests.training.language_model import build_model


def exact_losses(tokens: Tokens) -> torch.Tensor:
    """Return the loss of every token of a piece, by the library's own forward pass."""
    model = build_model(SHAPE, 1)
    piece = torch.from_numpy(tokens.astype(np.int64))
    with torch.no_grad():
        scores = model(piece[None, :-1]).logits[0].log_softmax(-1)
    losses: torch.Tensor = -scores[torch.arange(len(tokens) - 1), piece[1:]]
    return losses


def test_a_held_out_loss_is_the_mean_over_pieces_of_the_book() -> None:
    model = build_model(SHAPE, 1)
    tokens = corpus()[:65]
    wanted = torch.cat([exact_losses(tokens[:33]), exact_losses(tokens[32:])]).mean()
    assert held_out_loss(model, tokens, 32, 16) == pytest.approx(float(wanted), rel=0.01)
    assert model.training  # continues training


def test_a_book_shorter_than_a_piece_is_read_whole() -> None:
    tokens = corpus()[:20]
    assert held_out_loss(build_model(SHAPE, 1), tokens) == pytest.approx(
        float(exact_losses(tokens).mean()), rel=0.01
    )


def test_losses_of_a_long_piece_are_in_order() -> None:
    """Logits are made a chunk at a time."""
    model = build_model(shape(max_positions=2048), 1)
    tokens = corpus()[:1601]
    losses = token_losses(model, tokens)
    assert losses.shape == (1600,)
    np.testing.assert_allclose(losses[:900], token_losses(model, tokens[:901]), atol=0.05)


def test_loss_by_position_is_the_mean_over_the_books_that_are_long_enough() -> None:
    model = build_model(SHAPE, 1)
    books = [corpus()[:101], corpus()[1000:1065], corpus()[:40]]
    found = loss_by_position(model, books, (0, 16, 64, 512))
    assert list(found) == ["0-16", "16-64"]
    wanted = (exact_losses(books[0][18:83]) + exact_losses(books[1])) / 2
    assert found["0-16"] == pytest.approx(float(wanted[:16].mean()), rel=0.01)
    assert found["16-64"] == pytest.approx(float(wanted[16:].mean()), rel=0.01)


def test_positions_that_the_model_does_not_have_are_not_measured() -> None:
    found = loss_by_position(build_model(SHAPE, 1), [corpus()], (0, 128, 256, 512))
    assert list(found) == ["0-128", "128-256"]
    assert loss_by_position(build_model(SHAPE, 1), [corpus()[:100]], (0, 128, 256)) == {}
    assert loss_by_position(build_model(SHAPE, 1), []) == {}


def test_words_are_counted_in_tokens(tokenizer: Tokenizer) -> None:
    assert decode_words(tokenizer, tokenizer.encode(OPENING).ids) == len(OPENING.split())


def test_an_evaluation_joins_the_books(tokenizer: Tokenizer) -> None:
    model = build_model(shape(vocab_size=320), 1)
    text = np.array(tokenizer.encode(OPENING).ids, dtype=np.uint16)
    books = {"Whole": text, "Half": text[: len(text) // 2], "Nothing": text[:1]}
    loss = measure(model, tokenizer, books)
    assert loss is not None
    assert set(loss.by_book) == {"Whole", "Half"}
    assert loss.mean == pytest.approx(sum(loss.by_book.values()) / 2)
    assert loss.tokens_per_word > 1
    assert loss.perplexity_per_word == pytest.approx(np.exp(loss.mean * loss.tokens_per_word))
    watched = {title: books[title] for title in ("Whole", "Half")}
    assert quick_loss(model, watched) == pytest.approx(loss.mean, rel=0.01)
    assert measure(model, tokenizer, {"Nothing": text[:1]}) is None
