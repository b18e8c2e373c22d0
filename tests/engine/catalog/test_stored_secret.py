"""A password goes into a keyring that is safe, or nowhere."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from quire_engine.catalog.stored_secret import StoredSecret
from tests.keyrings import KeyringInMemory


def use(monkeypatch: pytest.MonkeyPatch, backend: Any) -> None:
    keyring: Any = ModuleType("keyring")
    keyring.get_keyring = lambda: backend
    monkeypatch.setitem(sys.modules, "keyring", keyring)


def test_a_token_is_kept_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = KeyringInMemory()
    use(monkeypatch, backend)
    keeper = StoredSecret()
    assert keeper.can_keep
    assert keeper.read() == ""
    assert keeper.keep("hf_mine")
    assert StoredSecret().read() == "hf_mine"
    keeper.forget()
    keeper.forget()
    assert keeper.read() == ""


def test_each_owner_has_a_password_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, KeyringInMemory())
    first, second = StoredSecret("https://a.example"), StoredSecret("https://b.example")
    assert first.keep("one")
    assert second.read() == ""
    assert second.keep("two")
    second.forget()
    assert first.read() == "one"


def test_without_the_package_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    keeper = StoredSecret()
    assert not keeper.can_keep
    assert not keeper.keep("hf_mine")
    assert keeper.read() == ""
    keeper.forget()


@pytest.mark.parametrize("module", ["keyrings.alt.file", "keyring.backends.fail", "keyring.backends.null"])
@pytest.mark.parametrize("chained", [True, False])
def test_a_keyring_of_plain_text_is_none(monkeypatch: pytest.MonkeyPatch, module: str, chained: bool) -> None:
    unsafe: Any = type("Unsafe", (KeyringInMemory,), {"__module__": module})()
    backend: Any = KeyringInMemory()
    backend.backends = [unsafe]
    use(monkeypatch, backend if chained else unsafe)
    assert not StoredSecret().can_keep


def test_a_locked_keyring_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, KeyringInMemory(works=False))
    keeper = StoredSecret()
    assert keeper.read() == ""
    assert not keeper.keep("hf_mine")
    keeper.forget()
