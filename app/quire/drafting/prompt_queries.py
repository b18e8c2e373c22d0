"""Queries to the engine about texts: their token counts, and how a prompt is read."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from quire_engine.api.queries import CountTokens, PromptViewed, TokensCounted, ViewPrompt

if TYPE_CHECKING:
    from quire.client.engine_client import EngineClient
    from quire.domain.drafting.prompt_composition import ComposedPrompt

_log = logging.getLogger(__name__)


class PromptQueries:
    """Each query returns None if the engine is not available."""

    def __init__(self, client: EngineClient) -> None:
        self._client = client

    async def count(self, texts: Sequence[str]) -> tuple[int, ...] | None:
        """Return the token counts of texts."""
        answer = await self._asked(CountTokens(tuple(texts)))
        return answer.counts if isinstance(answer, TokensCounted) else None

    async def view_prompt(self, story: str, composed: ComposedPrompt) -> PromptViewed | None:
        """Return how the model reads a story with its prompt."""
        question = ViewPrompt(story, True, composed.front_text, composed.note_text, composed.chat)
        answer = await self._asked(question)
        return answer if isinstance(answer, PromptViewed) else None

    async def _asked(self, question: CountTokens | ViewPrompt) -> object:
        try:
            return await self._client.ask(question)
        except Exception:  # noqa: BLE001  a count that cannot be had is estimated
            _log.info("the engine could not be asked", exc_info=True)
            return None
