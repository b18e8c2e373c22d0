"""Asks the engine how a prompt is read."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from quire_engine.api.queries import PromptViewed, ViewPrompt

if TYPE_CHECKING:
    from quire.client.engine_client import EngineClient
    from quire.domain.drafting.prompt_composition import NextPrompt

_log = logging.getLogger(__name__)


async def view_prompt(client: EngineClient, prompt: NextPrompt) -> PromptViewed | None:
    """Return how the loaded model reads what a draft sends; None if the engine is not available."""
    composed = prompt.composed
    question = ViewPrompt(
        prompt.story,
        True,
        composed.front_text,
        composed.note_text,
        composed.chat,
        note_depth=composed.note_depth,
    )
    try:
        return await client.ask(question)
    except Exception:  # noqa: BLE001  what the model cannot say is estimated
        _log.info("the engine could not be asked", exc_info=True)
        return None
