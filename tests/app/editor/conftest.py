"""What a change of the text marks at once depends on the clock; here it does not."""

from __future__ import annotations

import pytest

from quire.editor import text_layers


@pytest.fixture(autouse=True)
def time_for_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mark every change of the text at once, however busy the machine is."""
    monkeypatch.setattr(text_layers, "_AT_ONCE_S", float("inf"))
