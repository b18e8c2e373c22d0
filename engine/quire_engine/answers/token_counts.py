"""Count the tokens of texts, and preview a prompt."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from quire_engine.api.queries import (
    CountTokens,
    PromptSegment,
    PromptViewed,
    TokensCounted,
    ViewPrompt,
)
from quire_engine.prompt.prompt import PromptTexts, prompt_of_texts
from quire_engine.prompt.tokenization import encode_text
from quire_engine.runtime.loaded_model import LoadedModel
from quire_engine.runtime.run_start import chat_template_of


def count_tokens(loaded: LoadedModel, query: CountTokens) -> Iterator[TokensCounted]:
    """Count the tokens of texts, without marks around them."""
    counts = tuple(len(encode_text(loaded.tokenizer, text, marks=False).ids) for text in query.texts)
    yield TokensCounted(query.query_id, counts)


def view_prompt(loaded: LoadedModel, query: ViewPrompt) -> Iterator[PromptViewed]:
    """Build the prompt that a start would build, and show it by source."""
    capacity = loaded.target.context_length
    prompt = prompt_of_texts(
        loaded.tokenizer,
        PromptTexts(query.prompt_text, query.front_text, query.note_text),
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
