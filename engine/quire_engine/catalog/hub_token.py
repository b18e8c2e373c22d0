"""The writer's hub token: in the system's keyring, or asked for each time; never in a file."""

from __future__ import annotations

import importlib
from typing import Any

_SERVICE = "Quire"
_USER = "huggingface.co"
_UNSAFE = ("keyrings.alt", "keyring.backends.fail", "keyring.backends.null")
"""Keyrings that store plain text or nothing."""


class HubTokenStore:
    """Stores a token if the system has a safe keyring."""

    def __init__(self) -> None:
        self._keyring = _safe_keyring()

    @property
    def can_keep(self) -> bool:
        """Whether there is a safe keyring."""
        return self._keyring is not None

    def token(self) -> str:
        """Return the stored token; empty if there is none."""
        if self._keyring is None:
            return ""
        try:
            return str(self._keyring.get_password(_SERVICE, _USER) or "")
        except Exception:  # noqa: BLE001  every system's keyring has errors of its own
            return ""

    def keep(self, token: str) -> bool:
        """Store a token; return whether that worked."""
        if self._keyring is None:
            return False
        try:
            self._keyring.set_password(_SERVICE, _USER, token)
        except Exception:  # noqa: BLE001  as above; the token is asked for again next time
            return False
        return True

    def forget(self) -> None:
        """Delete the token from the keyring."""
        if self._keyring is not None:
            try:
                self._keyring.delete_password(_SERVICE, _USER)
            except Exception:  # noqa: BLE001  there was none, or it is locked
                return


def _safe_keyring() -> Any:
    """Return the system's keyring; None if the package or a safe backend is missing."""
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
