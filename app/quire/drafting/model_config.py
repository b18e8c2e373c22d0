"""What the engine is told about the chosen model: a folder of this computer, or a server with its key."""

from __future__ import annotations

import asyncio

from quire.errors import WriterProblem
from quire.services.model_library.server_keys import ServerKeys
from quire.services.model_library.server_records import ServerRecord
from quire.services.model_library.starter_model import starter_file
from quire.settings.settings import ModelChoice, Settings
from quire.system.app_folders import cache_folder
from quire_engine.api.config import SOURCES, DraftingConfig, Dtype, ModelConfig, Source
from quire_engine.api.user_message import UserMessage
from quire_resources import BUILT_IN_MODEL


def acceleration_of(settings: Settings) -> DraftingConfig:
    """Return how drafts are accelerated: by what is fastest of all that is switched on, or not at all."""
    off: tuple[Source, ...] = tuple(source for source in SOURCES if source in settings.drafters_off)
    return DraftingConfig("tokenswift" if settings.accelerate else "plain", without=off)


async def model_config(model: ModelChoice, dtype: Dtype, keys: ServerKeys) -> ModelConfig:
    """Return how the model is loaded; WriterProblem where the key of its server is gone."""
    if model.server is not None:
        return await _on_server(model, model.server, keys)
    from quire.services.model_library.model_library import prepared_elsewhere

    folder = model.folder
    return ModelConfig(
        str(folder),
        dtype,
        cache_folder=str(cache_folder()),
        drafters_folder=await asyncio.to_thread(prepared_elsewhere, folder),
        ngrams_folder=str(BUILT_IN_MODEL),
        context=model.context,
        weights=model.weights,
        cache=model.memory.value,
        draft_model_folder=model.draft_model,
        guesser_file=str(await asyncio.to_thread(starter_file) or ""),
    )


def words_go_to(model: ModelChoice) -> str:
    """Return who gets the words that are drafted on, for the screen; empty while they stay in Quire."""
    if model.server is None:
        return ""
    address = model.server.address
    if address.is_this_computer:
        return UserMessage("another program here ({host})", host=address.host)
    return address.host


async def _on_server(model: ModelChoice, server: ServerRecord, keys: ServerKeys) -> ModelConfig:
    key = await asyncio.to_thread(keys.key, server.address.url)  # a keyring may wait to be unlocked
    if server.has_key and not key:
        raise WriterProblem(
            "The key for {host} is not in this computer's keychain. To enter it again, choose Tools > Models "
            "> On Another Computer.",
            host=server.address.host,
        )
    return ModelConfig("", server=server.address, server_key=key, context=model.context)
