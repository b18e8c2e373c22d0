"""Memory that was freed and kept goes back to the system."""

from __future__ import annotations

import platform
import sys

import pytest

from quire.system.heap_trim import trim_heap
from quire_engine.catalog.computer_memory import read_memory


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc keeps it")
def test_holes_between_what_lives_on_are_handed_back() -> None:
    lives_on = list[bytearray]()
    freed = list[bytearray]()
    for _ in range(800):
        freed.append(bytearray(100_000))  # below what the library maps by itself
        lives_on.append(bytearray(2_000))
    before = read_memory().own  # with everything in it: what is freed at the top goes back by itself
    freed.clear()
    assert trim_heap()
    assert before - read_memory().own > 40_000_000
    assert len(lives_on) == 800


def test_elsewhere_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not trim_heap()
