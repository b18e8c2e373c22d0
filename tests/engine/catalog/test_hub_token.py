"""A token goes into a keyring that is safe, or nowhere."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from quire_engine.catalog.hub_token import HubTokenStore


class Backend:
    """A keyring of a system."""

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


def use(monkeypatch: pytest.MonkeyPatch, backend: Any) -> None:
    keyring: Any = ModuleType("keyring")
    keyring.get_keyring = lambda: backend
    monkeypatch.setitem(sys.modules, "keyring", keyring)


def test_a_token_is_kept_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = Backend()
    use(monkeypatch, backend)
    keeper = HubTokenStore()
    assert keeper.can_keep
    assert keeper.token() == ""
    assert keeper.keep("hf_mine")
    assert HubTokenStore().token() == "hf_mine"
    keeper.forget()
    keeper.forget()
    assert keeper.token() == ""


def test_without_the_package_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    keeper = HubTokenStore()
    assert not keeper.can_keep
    assert not keeper.keep("hf_mine")
    assert keeper.token() == ""
    keeper.forget()


@pytest.mark.parametrize("module", ["keyrings.alt.file", "keyring.backends.fail", "keyring.backends.null"])
@pytest.mark.parametrize("chained", [True, False])
def test_a_keyring_of_plain_text_is_none(monkeypatch: pytest.MonkeyPatch, module: str, chained: bool) -> None:
    unsafe: Any = type("Unsafe", (Backend,), {"__module__": module})()
    backend: Any = Backend()
    backend.backends = [unsafe]
    use(monkeypatch, backend if chained else unsafe)
    assert not HubTokenStore().can_keep


def test_a_locked_keyring_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Backend(works=False))
    keeper = HubTokenStore()
    assert keeper.token() == ""
    assert not keeper.keep("hf_mine")
    keeper.forget()
