"""Loading the model of a project: one load at a time, with progress, and stopped by a pause."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from quire.client.engine_client import EngineClient, EngineClosed, EngineDied
from quire_engine.api.config import ModelConfig
from quire_engine.api.messages import (
    CancelLoad,
    Event,
    LoadModel,
    LoadProgressed,
    ModelLoaded,
    ModelLoadFailed,
    ModelUnloaded,
    UnloadModel,
)
from quire_engine.api.model_identity import ModelIdentity
from quire_engine.api.user_message import UserMessage


def ignore_loaded(_loaded: ModelLoaded) -> None:
    """Do nothing with a model that was loaded."""


def _ignore_progress(_progress: LoadProgressed) -> None:
    """Do nothing with how far a load is."""


class ModelLoads:
    """Loads models and frees them.

    Args:
        pause_wanted: set while a draft is to pause; a load then stops.
        on_loaded: called with each model that was loaded.

    Attributes:
        loaded: what was loaded last, and by which configuration; None while nothing is.
    """

    def __init__(
        self,
        client: EngineClient,
        pause_wanted: asyncio.Event,
        on_loaded: Callable[[ModelLoaded], None] = ignore_loaded,
    ) -> None:
        self._client, self._pause_wanted, self._on_loaded = client, pause_wanted, on_loaded
        self._lock = asyncio.Lock()
        self.loaded: tuple[ModelConfig, ModelIdentity] | None = None

    async def load(
        self, config: ModelConfig, progressed: Callable[[LoadProgressed], None] = _ignore_progress
    ) -> ModelLoaded | ModelLoadFailed | None:
        """Return the engine's reply to this very command; None when a pause was requested first, which stops
        the load. So does cancelling."""
        async with self._lock:  # only one task at a time reads the engine's events
            reply = None
            try:
                reply = await self._reply(config, progressed)
            finally:
                if reply is None:
                    self._client.send(CancelLoad())
            return reply

    async def free(self) -> None:
        """Release the model's memory."""
        self.loaded = None
        async with self._lock:
            self._client.send(UnloadModel())
            with contextlib.suppress(EngineClosed):
                while not isinstance(await self._client.next_event(), ModelUnloaded | ModelLoadFailed):
                    pass

    async def _reply(
        self, config: ModelConfig, progressed: Callable[[LoadProgressed], None]
    ) -> ModelLoaded | ModelLoadFailed | None:
        self._client.send(LoadModel(config))
        while (event := await self._next_event_unless_pausing()) is not None:
            if isinstance(event, EngineDied):
                return ModelLoadFailed(UserMessage("its thread ended"), is_bug=True)
            if isinstance(event, LoadProgressed) and self._client.num_loads_due == 1:
                progressed(event)
            # any other reply is to a load that a pause did not wait for
            if isinstance(event, ModelLoaded | ModelLoadFailed) and self._client.num_loads_due == 0:
                self.loaded = (config, event.identity) if isinstance(event, ModelLoaded) else None
                if isinstance(event, ModelLoaded):
                    self._on_loaded(event)
                return event
        return None

    async def _next_event_unless_pausing(self) -> Event | EngineDied | None:
        event = asyncio.ensure_future(self._client.next_event())
        pausing = asyncio.ensure_future(self._pause_wanted.wait())
        try:
            await asyncio.wait({event, pausing}, return_when=asyncio.FIRST_COMPLETED)
        finally:  # cancelled too: nothing may wait for events that another task reads
            pausing.cancel()
            if not event.done():
                event.cancel()
        if not event.done():
            return None
        try:
            return event.result()
        except EngineDied as died:
            return died
        except EngineClosed:
            return None
