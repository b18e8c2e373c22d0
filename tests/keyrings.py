"""A keyring for tests: in memory, asked through the real package."""

from __future__ import annotations

import keyring
import pytest
from keyring.backends import fail


class KeyringInMemory:
    """A keyring of a system; works: False while it is locked."""

    priority = 5.0

    def __init__(self, *, works: bool = True) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.works = works

    def _check(self) -> None:
        if not self.works:
            raise RuntimeError("locked")

    def get_password(self, service: str, user: str) -> str | None:
        self._check()
        return self.kept.get((service, user))

    def set_password(self, service: str, user: str, password: str) -> None:
        self._check()
        self.kept[service, user] = password

    def delete_password(self, service: str, user: str) -> None:
        self._check()
        del self.kept[service, user]


@pytest.fixture
def keyring_in_memory(monkeypatch: pytest.MonkeyPatch) -> KeyringInMemory:
    backend = KeyringInMemory()
    monkeypatch.setattr(keyring, "get_keyring", lambda: backend)
    return backend


@pytest.fixture
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyring, "get_keyring", fail.Keyring)
