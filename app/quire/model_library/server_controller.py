"""Adds models on other computers: tests a server, keeps its key in the keyring, its address in the list."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from quire.errors import WriterProblem
from quire.model_library.server_dialog import ServerDialog, ServerRequest
from quire.services.model_library.server_keys import ServerKeys
from quire.services.model_library.server_looks import FoundServer, find_here, looked_at
from quire.services.model_library.server_records import ServerRecord, keep_server
from quire.shell.task_queue import TaskQueue
from quire_engine.remote.server import NO_KEY, ServerAbilities, ServerKey

Find = Callable[[], Awaitable[tuple[FoundServer, ...]]]


class ServerController(QObject):
    """Connects the dialog to servers, the keyring and the list of models; the window never waits for them.

    Signals:
        added: the folder of a model that was added and is to be used, and what to say about it.

    Args:
        home: the models folder.
        find: finds the servers on this computer.
    """

    added = Signal(Path, str)

    def __init__(
        self, parent: QWidget, tasks: TaskQueue, home: Path, keys: ServerKeys, find: Find = find_here
    ) -> None:
        super().__init__(parent)
        self._parent, self._tasks, self._home, self._keys, self._find = parent, tasks, home, keys, find
        self._dialog: ServerDialog | None = None
        self._asking: asyncio.Task[None] | None = None

    def show_dialog(self, parent: QWidget | None = None) -> ServerDialog:
        """Ask for a server, or raise the question if it is open."""
        if self._dialog is None:
            dialog = self._dialog = ServerDialog(parent or self._parent)
            dialog.test_asked.connect(self.ask_for_test)
            dialog.find_asked.connect(self._ask_to_find)
            dialog.use_asked.connect(self._ask_to_use)
            dialog.finished.connect(self._closed)
            dialog.open()
            self._tasks.run_now(self._show_can_keep)
        self._dialog.activateWindow()
        return self._dialog

    async def removed(self, record: ServerRecord) -> None:
        """Forget the key of a server when the last model on it was removed from the list."""
        await asyncio.to_thread(self._keys.forget_unused, record.address.url, self._home)

    @Slot()
    def close(self) -> None:
        """Stop asking."""
        if self._asking is not None:
            self._asking.cancel()

    @Slot(object)
    def ask_for_test(self, request: ServerRequest) -> None:
        """Show what a server can do."""
        self._ask(partial(self._test, request))

    @Slot()
    def _ask_to_find(self) -> None:
        self._ask(self._look_here)

    @Slot(object)
    def _ask_to_use(self, request: ServerRequest) -> None:
        self._ask(partial(self._use, request))

    # ------------------------------------------------------------ tasks
    def _ask(self, work: Callable[[], Awaitable[None]]) -> None:
        """Ask one thing at a time; closing the dialog stops it."""
        self._tasks.run_now(partial(self._asked, work))

    async def _asked(self, work: Callable[[], Awaitable[None]]) -> None:
        self.close()
        asking = self._asking = asyncio.ensure_future(self._answered(work))
        await asyncio.wait({asking})
        if not asking.cancelled():
            asking.result()

    async def _answered(self, work: Callable[[], Awaitable[None]]) -> None:
        dialog = self._dialog
        try:
            await work()
        except WriterProblem as problem:
            if dialog is not None and dialog is self._dialog:
                dialog.show_problem(problem.message)

    async def _show_can_keep(self) -> None:
        can_keep = await asyncio.to_thread(lambda: self._keys.can_keep)
        if self._dialog is not None:
            self._dialog.show_can_keep(can_keep=can_keep)

    async def _test(self, request: ServerRequest) -> None:
        can, _ = await self._look(request)
        if self._dialog is not None:
            self._dialog.show_abilities(can)

    async def _look_here(self) -> None:
        if self._dialog is not None:
            self._dialog.show_working(self.tr("Looking on the usual ports of this computer…"))
        found = await self._find()
        if self._dialog is not None:
            self._dialog.show_found(found)

    async def _use(self, request: ServerRequest) -> None:
        """Look at the chosen model once more, then store it and close."""
        can, key = await self._look(request)
        record = ServerRecord(request.address, can, has_key=bool(key))
        folder, is_kept = await asyncio.to_thread(self._store, record, key)
        said = self.tr(
            "{0} on {1} is selected. Your words go there with the next draft, which is not reproducible."
        )
        if not is_kept:
            said += " " + self.tr(
                "This computer has no keychain, so Quire keeps the key only until you quit."
            )
        self.added.emit(folder, said.format(record.name, request.address.host))
        if self._dialog is not None:
            self._dialog.accept()

    def _store(self, record: ServerRecord, key: ServerKey) -> tuple[Path, bool]:
        """Store a server with its key; return its folder, and whether the next start knows the key."""
        is_kept = self._keys.keep(record.address.url, key) if key else True
        return keep_server(self._home, record), is_kept

    async def _look(self, request: ServerRequest) -> tuple[ServerAbilities, ServerKey]:
        address = request.address
        if self._dialog is not None:
            self._dialog.show_working(self.tr("Asking {0}…").format(address.host))
        key = request.key or await asyncio.to_thread(self._keys.key, address.url)
        return await looked_at(address.url, key or NO_KEY, address.model), key

    @Slot()
    def _closed(self) -> None:
        self._dialog = None
        self.close()
