"""The models in the window: the list, downloads, and training in the background."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from quire.errors import WriterProblem
from quire.model_library.draft_heads_controller import DraftHeadsController
from quire.model_library.draft_model_box import DraftModelChoices
from quire.model_library.drafter_training_controller import DrafterTrainingController
from quire.model_library.model_download_controller import ModelDownloadController
from quire.model_library.model_import_controller import ModelImportController
from quire.model_library.models_dialog import ModelsDialog
from quire.model_library.server_controller import ServerController
from quire.services.model_library.drafter_training import PrepareState
from quire.services.model_library.model_download import ModelDownloads
from quire.services.model_library.model_imports import ImportWish, ModelImports
from quire.services.model_library.model_library import KnownModel, ModelLibrary, ModelOrigin, with_weights
from quire.services.model_library.model_memory import ask_for_memory
from quire.services.model_library.model_offers import ModelOffers, add_from
from quire.services.model_library.model_places import model_places
from quire.services.model_library.recommended_models import RECOMMENDED
from quire.settings.settings import ModelChoice, Settings
from quire.shell.notices import Notice, NoticeKind
from quire.system.app_folders import cache_folder
from quire.ui.translated import translated
from quire_engine.api.config import Weights
from quire_engine.catalog.memory_fit import FreeMemory
from quire_resources import BUILT_IN_MODEL

if TYPE_CHECKING:
    from quire.app import App


class ModelLibraryController(QObject):
    """Connects the models dialog to the disk, the hub and the engine's command."""

    def __init__(
        self,
        app: App,
        library: ModelLibrary | None = None,
        downloads: ModelDownloads | None = None,
        options: Sequence[str] = (),
        offers: ModelOffers | None = None,
    ) -> None:
        """Create the controller.

        Args:
            options: further arguments of the training command.
            offers: what is shown beside the library's models; None: with a library of one's own nothing,
                else the models of other programs, and those that are recommended.
        """
        window, tasks = app.window, app.tasks
        super().__init__(window)
        self._app, self._window, self._current, self._tasks = app, window, app.current, tasks
        usual = ModelOffers() if library is not None else ModelOffers(model_places(), RECOMMENDED)
        self._offers = usual if offers is None else offers
        self._library = ModelLibrary(cache_folder=cache_folder()) if library is None else library
        imports = ModelImports(self._library.home, cache_folder=cache_folder())
        self.importing = ModelImportController(window, tasks, self._library, imports)
        downloads = ModelDownloads(self._library.home) if downloads is None else downloads
        self._downloading = ModelDownloadController(window, tasks, downloads, self, self.importing)
        self.servers = ServerController(window, tasks, self._library.home, app.keys)
        self._heads = DraftHeadsController(
            tasks, self._library, self._say_anywhere, self._look,
            lambda folder: self._training.is_training(folder), self,
        )  # fmt: skip
        self._training = DrafterTrainingController(
            app.current, self._library, options, self._heads.is_adding_to, self._say_anywhere, self
        )
        self._settings = Settings()
        self._in_use = BUILT_IN_MODEL
        self._models: tuple[KnownModel, ...] = ()
        self._memory: FreeMemory | None = None
        self._dialog: ModelsDialog | None = None
        self._draft_models = DraftModelChoices(
            tasks, lambda: self._models, lambda folder: self._settings.draft_model_of(folder)
        )
        self.actions = window.commands
        self.actions.models.triggered.connect(self.show_dialog)
        self.actions.prepare.triggered.connect(self._ask_to_prepare)
        window.model_chosen.connect(self._take_chosen)
        self._follow_work()
        self._follow_app()

    def _follow_app(self) -> None:
        """Follow settings, projects and drafts."""
        app, importing = self._app, self.importing
        app.settings.follow(self._take)
        app.events.model_changed.subscribe("model_library", self.show_in_use)
        self.show_in_use(app.project_model.folder_shown)  # a project may have another one
        app.events.draft.choosing.subscribe("model_library", importing.before_draft)
        app.events.closing.subscribe("model_library", self.close)
        app.controls.bar.pause_asked.connect(importing.stop_waiting)
        if app.options.model_file is not None:
            importing.bring_named(app.options.model_file, app.project_model.use_named)

    def _take(self, settings: Settings) -> None:
        """Apply which model is in use, and how the weights of each are loaded."""
        before, self._settings = self._settings, settings
        if settings.model_folder != before.model_folder:
            self._take_chosen(settings.model_folder)
        elif (settings.model_weights, settings.model_context) != (before.model_weights, before.model_context):
            self._show()

    def show_in_use(self, folder: Path) -> None:
        """Set which model is in use, if that differs from the settings."""
        self._in_use = folder
        self._show()

    def _keep_draft_model(self, folder: Path, small: str) -> None:
        """Set the smaller model that drafts ahead of the one in a folder; empty for none."""
        settings = self._app.settings
        settings.apply(settings.settings.with_draft_model(folder, small))

    def close(self) -> None:
        """Stop running work; it is resumed the next time."""
        self._downloading.pause()
        self.importing.stop()
        self.servers.close()
        self._training.stop()

    @Slot()
    def show_dialog(self) -> ModelsDialog:
        """Open the list, or raise it if it is open."""
        if self._dialog is None:
            dialog = self._dialog = ModelsDialog(self._window)
            dialog.use_asked.connect(self._use)
            dialog.weights_asked.connect(self._ask_for_weights)
            dialog.draft_model_asked.connect(self._ask_for_draft_model)
            dialog.heads_asked.connect(self._heads.add)
            dialog.selected.connect(partial(self._draft_models.show, dialog.draft_model))
            dialog.import_asked.connect(self._ask_to_import)
            dialog.import_stopped.connect(self.importing.stop)
            dialog.add_asked.connect(self._ask_to_add)
            dialog.server_asked.connect(self._ask_for_server)
            dialog.remove_asked.connect(self._ask_to_remove)
            dialog.prepare_asked.connect(self._ask_for_preparation)
            dialog.stop_asked.connect(self._training.stop)
            dialog.finished.connect(self._closed)
            self.importing.bar.set_elsewhere(elsewhere=True)
            self._downloading.show_in(dialog)
            self._show_work(dialog)
            dialog.show()
            self._tasks.run_now(self._look)
        self._dialog.activateWindow()
        return self._dialog

    # ------------------------------------------------------------ requests of the dialog
    @Slot()
    def _ask_to_prepare(self) -> None:
        dialog = self.show_dialog()
        self._tasks.run_now(partial(self._offer_preparation, dialog))

    @Slot(str)
    def _take_chosen(self, folder: str) -> None:
        self.show_in_use(Path(folder) if folder else BUILT_IN_MODEL)

    @Slot(object, str)
    def _ask_for_weights(self, known: KnownModel, weights: Weights) -> None:
        settings = self._app.settings
        settings.apply(settings.settings.with_weights(known.path, weights))

    @Slot(object, str)
    def _ask_for_draft_model(self, known: KnownModel, small: str) -> None:
        self._keep_draft_model(known.path, small)

    @Slot(object)
    def _use(self, known: KnownModel) -> None:
        self._window.model_chosen.emit("" if known.origin is ModelOrigin.BUILT_IN else str(known.path))
        self._notify(
            self.tr("{0} is selected. It is loaded with the next draft.").format(translated(known.title))
        )

    @Slot()
    def _ask_for_server(self) -> None:
        self.servers.show_dialog(self._dialog)

    @Slot(Path, str)
    def _use_server(self, folder: Path, said: str) -> None:
        """Draft with a server that was just added."""
        self._window.model_chosen.emit(str(folder))
        self._tasks.run_now(partial(self._show_added, folder, said))

    async def _show_added(self, folder: Path, said: str) -> None:
        await self._list()
        if self._dialog is not None:
            self._dialog.choose(folder)
        self._say_anywhere(said)

    @Slot(Path)
    def _ask_to_add(self, path: Path) -> None:
        self._tasks.run_now(partial(self._add, path))

    @Slot(object)
    def _ask_to_remove(self, known: KnownModel) -> None:
        self._tasks.run_now(partial(self._remove, known))

    @Slot(object, object)
    def _ask_to_import(self, known: KnownModel, wish: ImportWish) -> None:
        self._tasks.run_now(partial(self._import, known, wish))

    @Slot(object, object, bool, int)
    def _ask_for_preparation(
        self, known: KnownModel, texts: tuple[Path, ...], with_book: bool, minutes: int
    ) -> None:
        self._tasks.run_now(partial(self._training.train, known, texts, with_book, minutes))

    @Slot()
    def _closed(self) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
        self._dialog = None
        self._draft_models.forget()
        self._downloading.show_in(None)
        self.importing.bar.set_elsewhere(elsewhere=False)

    # ------------------------------------------------------------ the list
    async def free_memory(self) -> FreeMemory:
        """Return the free memory; the first time that takes seconds."""
        if self._memory is None:
            self._memory = await asyncio.to_thread(ask_for_memory)
        return self._memory

    async def look_at(self, path: Path) -> KnownModel:
        """Return the model in a folder."""
        return await asyncio.to_thread(self._library.look_at, path)

    async def look_again(self) -> None:
        """List the models again."""
        await self._look()

    async def _look(self) -> None:
        """List all models; details that take longer are shown later."""
        if self._memory is None:
            self._models = await asyncio.to_thread(self._library.models)
            self._show()
            await self._list()
            await self.free_memory()
        await self._list()
        prepared = [await asyncio.to_thread(self._library.with_prepared, each) for each in self._models]
        self._models = tuple(prepared)
        self._show()

    async def _list(self) -> None:
        """List the models, those of other programs, and those to download."""
        known = await asyncio.to_thread(self._library.models, self._memory)
        beside = await asyncio.to_thread(self._offers.beside, self._library, known, self._memory)
        self._models = (*known, *beside)
        self._show()

    async def _offer_preparation(self, dialog: ModelsDialog) -> None:
        await self._look()
        if dialog is self._dialog:
            dialog.choose(self._in_use)
            dialog.ask_to_prepare()

    async def _add(self, path: Path) -> None:
        try:
            added = await asyncio.to_thread(add_from, self._library, path)
        except WriterProblem as problem:
            self._notify(problem.message)
            return
        await self._look()
        if self._dialog is not None:
            self._dialog.choose(added[0].path)
        one, several = self.tr("{0} added."), self.tr("{0} models added from this folder.")
        self._notify(
            one.format(translated(added[0].title)) if len(added) == 1 else several.format(len(added))
        )

    async def _remove(self, known: KnownModel) -> None:
        try:
            await asyncio.to_thread(self._library.remove, known)
        except WriterProblem as problem:
            self._notify(problem.message)
            return
        for large, small in tuple(self._settings.draft_models.items()):
            if Path(small) == known.path:
                self._keep_draft_model(Path(large), "")
        if known.server is not None:
            await self.servers.removed(known.server)
        await self._look()
        if known.server is not None:
            self._notify(
                self.tr("{0} on {1} removed.").format(translated(known.title), known.server.address.host)
            )
            return
        gone = known.origin is not ModelOrigin.ADDED
        said = self.tr("{0} deleted.") if gone else self.tr("{0} removed from the list. Its folder was kept.")
        self._notify(said.format(translated(known.title)))

    # ------------------------------------------------------------ work in the background
    def _follow_work(self) -> None:
        """Show in the list what is imported, trained or added, whoever asked for it."""
        importing, training = self.importing, self._training
        importing.began.connect(self._show_import)
        importing.progressed.connect(self._show_import_share)
        importing.ended.connect(self._end_import)
        importing.changed.connect(self._look_again)
        importing.chosen.connect(self._choose)
        importing.several_dropped.connect(self._show_and_add)
        training.began.connect(self._show_preparing)
        training.progressed.connect(self._show_prepared)
        training.ended.connect(self._end_preparing)
        self.servers.added.connect(self._use_server)

    async def _import(self, known: KnownModel, wish: ImportWish) -> None:
        """Import a GGUF file; it can be used from then on."""
        folder, said = None, self.tr("Import stopped.")
        try:
            folder = await self.importing.bring_known(known, wish)
        except WriterProblem as problem:
            said = problem.message
        if folder is not None:
            said = self.tr("{0} is imported. Choose Use to draft with it.").format(translated(known.title))
            await self._look()
        if folder is not None and self._dialog is not None:
            self._dialog.choose(folder)
        self._say_anywhere(said)

    @Slot(str)
    def _show_import(self, name: str) -> None:
        if self._dialog is not None:
            self._dialog.begin_import(name)

    @Slot(float)
    def _show_import_share(self, share: float) -> None:
        if self._dialog is not None:
            self._dialog.import_row.show_share(share)

    @Slot()
    def _end_import(self) -> None:
        if self._dialog is not None:
            self._dialog.end_import("")

    @Slot(Path)
    def _look_again(self, _folder: Path) -> None:
        if self._dialog is not None:
            self._tasks.run_now(self._look)

    @Slot(Path)
    def _choose(self, folder: Path) -> None:
        self._window.model_chosen.emit(str(folder))

    @Slot(Path)
    def _show_and_add(self, folder: Path) -> None:
        self.show_dialog()
        self._ask_to_add(folder)

    @Slot(str)
    def _show_preparing(self, name: str) -> None:
        if self._dialog is not None:
            self._dialog.show_preparing(name)

    @Slot(str, object)
    def _show_prepared(self, name: str, state: PrepareState) -> None:
        if self._dialog is not None:
            self._dialog.show_state(name, state)

    @Slot(object)
    def _end_preparing(self, said: str) -> None:
        if self._dialog is None:
            self._say_anywhere(said)
        else:
            self._dialog.end_preparing(said)
            self._tasks.run_now(self._look)

    # ------------------------------------------------------------ display
    def _show(self) -> None:
        if self._dialog is not None and self._models:
            chosen = [ModelChoice.of(self._settings, str(each.path)) for each in self._models]
            models = [
                with_weights(each, choice.weights, self._memory, choice.context)
                for each, choice in zip(self._models, chosen, strict=True)
            ]
            self._dialog.show_models(models, self._in_use, has_book=self._current.session is not None)

    def _show_work(self, dialog: ModelsDialog) -> None:
        """Show running work in a dialog that was opened again."""
        if self.importing.is_running:
            dialog.begin_import(self.importing.name)
        if self._training.is_running:
            dialog.show_preparing(self._training.name)

    def _say_anywhere(self, sentence: str) -> None:
        """Show the result of work that may have outlasted the list."""
        if self._dialog is None:
            self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, sentence))
        else:
            self._dialog.say(sentence)

    def _notify(self, sentence: str) -> None:
        if self._dialog is not None:
            self._dialog.say(sentence)
