"""How likely each token of a text was: read with a KV cache of its own, so that no run is touched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from quire_engine.api.config import PREFILL_CHUNK
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.queries import (
    MAX_SCORED,
    Alternative,
    QueryProgressed,
    ScoreText,
    TextScored,
    TokenScore,
)
from quire_engine.decoding.prefill_plan import CachedText
from quire_engine.models.target_model import Runner
from quire_engine.prompt.tokenization import encode_text
from quire_engine.runtime.loaded_model import LoadedModel

_ROWS = 64  # tokens whose scores over the whole vocabulary are held at the same time


@dataclass(frozen=True, slots=True)
class _Asked:
    """Tokens in the context window.

    Attributes:
        first: place of the text's first one.
        spans: of its tokens, in its characters.
    """

    ids: list[int]
    first: int
    spans: list[tuple[int, int]]


def score_text(
    loaded: LoadedModel, query: ScoreText, cached: CachedText | None
) -> Iterator[QueryProgressed | TextScored]:
    """Score a text after a prompt. cached: what the model has cached of another text; what is the same is
    copied."""
    asked = _asked(loaded, query)
    num_cached = 0 if cached is None else _num_equal(cached.ids.tolist(), asked.ids)
    target = loaded.target.with_own_cache(max(min(num_cached, asked.first - 1, loaded.target.length), 0))
    scores: list[TokenScore] = []
    if asked.first == 0:
        scores.append(_unknown(query.text, asked.spans[0]))
    while (done := target.length) < len(asked.ids) - 1:
        end = min((done // PREFILL_CHUNK + 1) * PREFILL_CHUNK, len(asked.ids) - 1)
        target.prefill(asked.ids[done:end])
        scores += _scores_of(loaded.tokenizer, query, asked, target, done)
        yield QueryProgressed(query.query_id, end / len(asked.ids))
    yield TextScored(query.query_id, tuple(scores), asked.first)


def _asked(loaded: LoadedModel, query: ScoreText) -> _Asked:
    encoding = encode_text(loaded.tokenizer, query.prompt_text + query.text)
    border = len(query.prompt_text)
    marks = encoding.special_tokens_mask
    places = [
        place for place, (start, _) in enumerate(encoding.offsets) if start >= border and not marks[place]
    ]
    if not places:
        raise EnvironmentProblem("No text is selected. Select a few words first.")
    if len(places) > MAX_SCORED:
        raise EnvironmentProblem(
            "The selection has {num_words:,} tokens; the limit is {most:,}. Select less.",
            num_words=len(places),
            most=MAX_SCORED,
        )
    capacity = loaded.target.context_length
    last = places[-1] + 1
    begin = max(0, last - capacity)
    if begin > places[0]:
        raise EnvironmentProblem("The selection is too long for this model. Select less.")
    spans = [(start - border, end - border) for start, end in encoding.offsets[places[0] : last]]
    return _Asked(encoding.ids[begin:last], places[0] - begin, spans)


def _num_equal(a: Sequence[int], b: Sequence[int]) -> int:
    length = min(len(a), len(b))
    different = np.flatnonzero(np.asarray(a[:length]) != np.asarray(b[:length]))
    return int(different[0]) if len(different) else length


def _unknown(text: str, span: tuple[int, int]) -> TokenScore:
    return TokenScore(text[span[0] : span[1]], *span, 0.0, 0, ())


@torch.inference_mode()
def _scores_of(
    tokenizer: Tokenizer, query: ScoreText, asked: _Asked, target: Runner, start: int
) -> list[TokenScore]:
    """Score those tokens of the text that the chunk from `start` on has decided."""
    scores: list[TokenScore] = []
    first = max(asked.first - 1 - start, 0)
    rows = len(target.hidden)
    for begin in range(first, rows, _ROWS):
        odds = target.scores(begin, min(begin + _ROWS, rows)).softmax(-1)
        for row, probabilities in enumerate(odds.cpu(), start=start + begin):
            scores.append(_score(tokenizer, query, asked, row, probabilities))
    return scores


def _score(
    tokenizer: Tokenizer, query: ScoreText, asked: _Asked, row: int, probabilities: Tensor
) -> TokenScore:
    """Score the token behind a row. probabilities: (vocab,)."""
    token_id = asked.ids[row + 1]
    own = probabilities[token_id]
    start, end = asked.spans[row + 1 - asked.first]
    best = probabilities.topk(min(query.top, len(probabilities)))
    alternatives = tuple(
        Alternative(_piece_after(tokenizer, asked.ids[row], other), probability)
        for other, probability in zip(best.indices.tolist(), best.values.tolist(), strict=True)
    )
    rank = int((probabilities > own).sum()) + 1
    return TokenScore(query.text[start:end], start, end, float(own), rank, alternatives)


def _piece_after(tokenizer: Tokenizer, before: int, token_id: int) -> str:
    """Return the text of a token behind another one, on which it can depend."""
    lead = tokenizer.decode([before], skip_special_tokens=False)
    both = tokenizer.decode([before, token_id], skip_special_tokens=False)
    if both.startswith(lead):
        return both[len(lead) :]
    return tokenizer.decode([token_id], skip_special_tokens=False)
