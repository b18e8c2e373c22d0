"""Check on this computer that plain and speculative decoding give the same tokens."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import takewhile

from quire_engine.api.config import PLAIN, DraftingConfig
from quire_engine.api.queries import AgreementChecked, CheckAgreement, QueryProgressed
from quire_engine.prompt.prompt import PromptTexts, prompt_of_texts
from quire_engine.runtime.loaded_model import LoadedModel, own_cache
from quire_engine.runtime.session import DraftingSession


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
