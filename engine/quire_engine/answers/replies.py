"""Replies to queries: tokens of a text, a prompt, scores, the self-check, memory."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from quire_engine.api.config import PLAIN, PREFILL_CHUNK, DraftingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.queries import (
    MAX_SCORED,
    AgreementChecked,
    Alternative,
    CheckAgreement,
    CountTokens,
    MeasureMemory,
    MemoryMeasured,
    PromptSegment,
    PromptViewed,
    QueryProgressed,
    ScoreText,
    TextScored,
    TokenScore,
    TokensCounted,
    ViewPrompt,
)
from quire_engine.catalog.computer_memory import read_memory
from quire_engine.decoding.prefill_plan import CachedText
from quire_engine.models.target_model import Runner
from quire_engine.prompt.prompt import PromptTexts, prompt_of_texts
from quire_engine.prompt.tokenization import encode_text
from quire_engine.runtime.loaded_model import LoadedModel, own_cache
from quire_engine.runtime.run_start import chat_template_of
from quire_engine.runtime.session import DraftingSession


def count_tokens(loaded: LoadedModel, query: CountTokens) -> Iterator[TokensCounted]:
    """Count the tokens of texts, without marks around them."""
    counts = tuple(len(encode_text(loaded.tokenizer, text, marks=False).ids) for text in query.texts)
    yield TokensCounted(query.query_id, counts)


def view_prompt(loaded: LoadedModel, query: ViewPrompt) -> Iterator[PromptViewed]:
    """Build the prompt that a start would build, and show it by source."""
    capacity = loaded.target.context_length
    prompt = prompt_of_texts(
        loaded.tokenizer,
        PromptTexts(query.prompt_text, query.front_text, query.note_text, query.note_depth),
        capacity,
        read_tail=query.read_tail,
        template=chat_template_of(loaded) if query.chat else None,
    )
    segments: list[PromptSegment] = []
    for origin, tokens in groupby(
        zip(prompt.origins, prompt.token_ids, strict=True), key=lambda token: token[0]
    ):
        ids = [token_id for _, token_id in tokens]
        text = loaded.tokenizer.decode(ids, skip_special_tokens=False)
        segments.append(PromptSegment(origin, text, len(ids)))
    yield PromptViewed(query.query_id, tuple(segments), prompt.num_left_out, capacity)


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


def check_agreement(
    loaded: LoadedModel, query: CheckAgreement
) -> Iterator[QueryProgressed | AgreementChecked]:
    """Draft after a text both ways, each with a KV cache of its own, and compare token for token."""
    texts = PromptTexts(query.prompt_text)
    prompt = prompt_of_texts(loaded.tokenizer, texts, loaded.target.context_length, read_tail=True)
    drafts: list[tuple[int, ...]] = []
    seconds: list[float] = []
    for number, drafting in enumerate((PLAIN, query.drafting)):
        draft = _draft(loaded, query, prompt.token_ids, drafting)
        while True:
            try:
                yield QueryProgressed(query.query_id, (number + next(draft)) / 2)
            except StopIteration as done:
                drafts.append(done.value[0])
                seconds.append(done.value[1])
                break
    pairs = list(zip(*drafts, strict=True))
    num_equal = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    first = num_equal if num_equal < len(pairs) else None
    yield AgreementChecked(query.query_id, num_equal, len(pairs), first, seconds[0], seconds[1])


def _draft(
    loaded: LoadedModel, query: CheckAgreement, prompt_ids: tuple[int, ...], drafting: DraftingConfig
) -> Generator[float, None, tuple[tuple[int, ...], float]]:
    """Draft step by step, yielding how far it is; returns the tokens and the seconds spent in steps."""
    session = DraftingSession(own_cache(loaded), prompt_ids, (), query.sampling, drafting, forgiving=True)
    step_ms = 0.0
    while session.num_generated < query.num_tokens:
        if session.must_read:
            for _ in session.read():
                yield session.num_generated / query.num_tokens
        step = session.step()
        step_ms += step.draft_ms + step.verify_ms + step.rest_ms
        yield min(session.num_generated / query.num_tokens, 1.0)
    return session.generated_ids[: query.num_tokens], step_ms / 1000


def measure_memory(loaded: LoadedModel | None, query: MeasureMemory) -> Iterator[MemoryMeasured]:
    """Measure this process and the model's device; without a model the computer's RAM."""
    memory = read_memory()
    free, total, own = memory.free, memory.total, 0
    is_on_gpu = is_elsewhere = False
    if loaded is not None and (device := loaded.target.network.device).type == "cuda":
        free, total = torch.cuda.mem_get_info(device)
        own, is_on_gpu = torch.cuda.memory_reserved(device), True
        is_elsewhere = loaded.target.form == "computer"
    yield MemoryMeasured(
        query_id=query.query_id,
        process_bytes=memory.own,
        device_free_bytes=free,
        device_total_bytes=total,
        device_own_bytes=own,
        weight_bytes=0 if loaded is None else loaded.description.weight_bytes,
        cache_bytes=0 if loaded is None or is_elsewhere else loaded.target.store.num_bytes,
        is_on_gpu=is_on_gpu,
    )
