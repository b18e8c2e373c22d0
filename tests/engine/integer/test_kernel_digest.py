"""The same seed, the same text, on any computer."""

from __future__ import annotations

from tests.engine.integer.kernel_digest import digest

WANTED = "45c147c96068ce45b49a85c286611e10d2e51616eeb91b030504955c296edf9e"
"""Whoever changes a bit that the kernels compute changes this, and raises `integer_runner.KERNELS`."""


def test_this_computer_writes_the_text_of_every_other() -> None:
    assert digest() == WANTED
