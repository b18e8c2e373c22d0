from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from quire_engine.catalog import computer_memory
from quire_engine.catalog.computer_memory import ComputerMemory, pages_free, read_memory

VM_STAT = """Mach Virtual Memory Statistics: (page size of 16384 bytes)
Pages free:                               10000.
Pages active:                            400000.
Pages inactive:                           20000.
Pages speculative:                          300.
Pages throttled:                              0.
Pages purgeable:                            700.
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at /proc")
def test_this_computer_has_memory_and_quire_some_of_it() -> None:
    now = read_memory()
    assert 0 < now.own < now.total
    assert 0 < now.free < now.total


def test_the_figures_are_those_of_the_system(tmp_path: Path) -> None:
    statm, meminfo = tmp_path / "statm", tmp_path / "meminfo"
    statm.write_text("9000 250 100 1 0 80 0\n")
    meminfo.write_text("MemTotal:  8000 kB\nMemFree: 10 kB\nMemAvailable:   3000 kB\nHugePages_Total: 0\n")
    page = os.sysconf("SC_PAGE_SIZE")
    assert computer_memory._linux(statm, meminfo) == ComputerMemory(250 * page, 3_072_000, 8_192_000)


@pytest.mark.parametrize("content", ["", "9000", "a b c"])
def test_a_system_that_hides_them_has_none(tmp_path: Path, content: str) -> None:
    statm = tmp_path / "statm"
    statm.write_text(content)
    assert computer_memory._linux(statm, tmp_path / "nowhere") == ComputerMemory()


def test_what_macos_could_free_is_free() -> None:
    assert pages_free(VM_STAT) == 31_000 * 16_384
    assert pages_free("") == pages_free("no such thing\n") == 0
