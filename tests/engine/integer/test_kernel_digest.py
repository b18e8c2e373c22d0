"""The same seed, the same text, on any computer."""

from __future__ import annotations

from tests.engine.integer.kernel_digest import digest

WANTED = "ccfccf16bce4bbf3dc5e32e79da6a29d60054b37bf166f0f219a619f9a1629d8"
"""Whoever changes a bit that the kernels compute changes this, and raises `integer_runner.KERNELS`."""


def test_this_computer_writes_the_text_of_every_other() -> None:
    assert digest() == WANTED
