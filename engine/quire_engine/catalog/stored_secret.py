"""A password in the system's keyring, or nowhere; never in a file."""

from __future__ import annotations

import importlib
from functools import cached_property
from typing import Any

HUB = "huggingface.co"
_SERVICE = "Quire"
_UNSAFE = ("keyrings.alt", "keyring.backends.fail", "keyring.backends.null")
"""Keyrings that store plain text or nothing."""


class StoredSecret:
    """One password if the system has a safe keyring; everything here may block, as when it is unlocked.

    Args:
        owner: what it is for: a host, or the address of a server.
    """

    def __init__(self, owner: str = HUB) -> None:
        self._owner = owner

    @property
    def can_keep(self) -> bool:
        """Whether there is a safe keyring."""
        return self._keyring is not None

    def read(self) -> str:
        """Return the stored password; empty if there is none."""
        if self._keyring is None:
            return ""
        try:
            return str(self._keyring.get_password(_SERVICE, self._owner) or "")
        except Exception:  # noqa: BLE001  every system's keyring has errors of its own
            return ""

    def keep(self, secret: str) -> bool:
        """Store a password; return whether that worked."""
        if self._keyring is None:
            return False
        try:
            self._keyring.set_password(_SERVICE, self._owner, secret)
        except Exception:  # noqa: BLE001  as above; it is asked for again next time
            return False
        return True

    def forget(self) -> None:
        """Delete the password from the keyring."""
        if self._keyring is not None:
            try:
                self._keyring.delete_password(_SERVICE, self._owner)
            except Exception:  # noqa: BLE001  there was none, or it is locked
                return

    @cached_property
    def _keyring(self) -> Any:
        """The system's keyring, looked for once; None if the package or a safe backend is missing."""
        try:
            keyring: Any = importlib.import_module("keyring")
            backend: Any = keyring.get_keyring()
        except Exception:  # noqa: BLE001  a keyring that cannot even be found is none
            return None
        chosen = [backend, *getattr(backend, "backends", ())]  # the chainer asks several in turn
        places = [type(each).__module__ for each in chosen]
        if any(place.startswith(_UNSAFE) for place in places) or not getattr(backend, "priority", 0) > 0:
            return None
        return backend
