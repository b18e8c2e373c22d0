"""Compiles the kernels of *Fast* before the first load asks for them."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from quire.services.model_library.kernel_compilation import KernelCompilation, needs_kernels

if TYPE_CHECKING:
    from quire.app import App
    from quire.services.project.project_session import ProjectSession


class KernelController:
    """Compiles for the chosen model and during an import, and leaves to a load what is not done by then."""

    def __init__(self, app: App) -> None:
        self._app, self._kernels = app, app.kernels
        if self._kernels is not None:
            app.tasks.run_now(partial(self._compile, self._kernels))
            app.model_library.importing.began.connect(self._compile_for_import)
            app.events.draft.starting.subscribe("kernels", self._leave_to_load)
            app.events.closing.subscribe("kernels", self._kernels.close)

    async def _compile(self, kernels: KernelCompilation) -> None:
        """Compile what the chosen model needs, if it is likely to be computed in Fast."""
        model = self._app.drafts.model
        if model.server is None and await asyncio.to_thread(needs_kernels, model.folder, model.weights):
            await asyncio.to_thread(kernels.start)

    def _compile_for_import(self, _name: str) -> None:
        """Compile while a model is imported: it will most likely be computed in Fast."""
        if self._kernels is not None:
            self._app.tasks.run_now(partial(asyncio.to_thread, self._kernels.start))

    async def _leave_to_load(self, _session: ProjectSession) -> None:
        """Stop kernel compilation so that the load can run it and show progress."""
        if self._kernels is not None:
            await asyncio.to_thread(self._kernels.stop)
