"""The keys of servers: in the system's keyring, or else in memory until Quire ends."""

from __future__ import annotations

import threading
from pathlib import Path

from quire.services.model_library.server_records import read_server, server_folders
from quire_engine.api.server_address import NO_KEY, ServerKey
from quire_engine.catalog.stored_secret import StoredSecret


class ServerKeys:
    """Keeps one key for each address; every method may block, as while the writer unlocks the keyring.

    No key is ever in a file, a log, a project or the text of an error.
    """

    def __init__(self) -> None:
        self._now: dict[str, ServerKey] = {}
        self._lock = threading.Lock()

    @property
    def can_keep(self) -> bool:
        """Whether there is a safe keyring, so that the next start knows the keys as well."""
        return StoredSecret().can_keep

    def key(self, url: str) -> ServerKey:
        """Return the key for an address; empty without one."""
        with self._lock:
            known = self._now.get(url, NO_KEY)
        if known:
            return known
        try:
            return ServerKey(StoredSecret(url).read())
        except ValueError:  # another program wrote it
            return NO_KEY

    def keep(self, url: str, key: ServerKey) -> bool:
        """Keep a key for an address; return whether the next start knows it too."""
        with self._lock:
            self._now[url] = key
        return StoredSecret(url).keep(key.reveal())

    def forget(self, url: str) -> None:
        """Delete the key for an address."""
        with self._lock:
            self._now.pop(url, None)
        StoredSecret(url).forget()

    def forget_unused(self, url: str, home: Path) -> None:
        """Delete the key for an address unless a model there is still listed; home: the models folder."""
        left = [read_server(folder) for folder in server_folders(home)]
        if not any(each is not None and each.address.url == url for each in left):
            self.forget(url)
