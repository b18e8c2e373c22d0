"""The list of models in a window of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

from quire.model_library.controller import ModelLibraryController
from quire.model_library.models_dialog import ModelsDialog
from quire.services.model_library.model_download import ModelDownloads
from quire.services.model_library.model_library import ModelLibrary
from quire.settings.settings import Settings
from quire_engine.api.config import Weights
from quire_resources import BUILT_IN_MODEL
from tests.app.project_window import ProjectWindow

NEEDED = ("config.json", "model.safetensors", "tokenizer.json")


class Room:
    """The part, its dialog, and the model that was chosen in it."""

    def __init__(self, shown: ProjectWindow, library: ModelLibrary, endpoint: str) -> None:
        self.shown = shown
        downloads = ModelDownloads(library.home, endpoint)
        self.part = ModelLibraryController(shown.window, shown.current, shown.tasks, library, downloads)
        self.used: list[str] = []
        shown.window.model_chosen.connect(self.used.append)
        self.settings = Settings()
        self.part.weights_chosen.connect(self._keep)

    def _keep(self, folder: Path, weights: Weights) -> None:
        self.settings = self.settings.with_weights(folder, weights)
        self.part.take(self.settings)

    async def open(self) -> ModelsDialog:
        self.part.actions.models.trigger()
        await self.shown.settle()
        return self.part.show_dialog()


def own_model(folder: Path) -> Path:
    folder.mkdir()
    for name in NEEDED:
        shutil.copy(BUILT_IN_MODEL / name, folder)
    return folder


def text_of(dialog: ModelsDialog, row: int) -> list[str]:
    table = dialog.table
    return [str(table.data(table.index(row, column))) for column in range(table.columnCount())]
