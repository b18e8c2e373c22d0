"""The list of models in a window of its own."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from quire.app import App
from quire.model_library.controller import ModelLibraryController
from quire.model_library.models_dialog import ModelsDialog
from quire.services.model_library.model_download import ModelDownloads
from quire.services.model_library.model_library import ModelLibrary
from quire.settings.settings import Settings
from quire_resources import BUILT_IN_MODEL
from tests.app.project_window import ProjectWindow

NEEDED = ("config.json", "model.safetensors", "tokenizer.json")


def with_models(shown: ProjectWindow) -> App:
    """Return the App of a window that writes with the built-in model."""
    app: Any = shown.app
    app.project_model = SimpleNamespace(folder_shown=BUILT_IN_MODEL)
    return shown.app


class Room:
    """The part, its dialog, and the model that was chosen in it."""

    def __init__(self, shown: ProjectWindow, library: ModelLibrary, endpoint: str) -> None:
        self.shown = shown
        downloads = ModelDownloads(library.home, endpoint)
        self.part = ModelLibraryController(with_models(shown), library, downloads)
        self.used: list[str] = []
        shown.window.model_chosen.connect(self.used.append)

    @property
    def settings(self) -> Settings:
        return self.shown.app.settings.settings

    def set_to(self, settings: Settings) -> None:
        self.shown.app.settings.apply(settings)

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
