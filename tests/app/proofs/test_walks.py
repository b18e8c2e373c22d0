from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.proofs.app.walks import walks


@pytest.mark.sliced
@pytest.mark.parametrize("first", range(0, 32, 8))
@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be moved there")
def test_every_file_holds_what_it_must_whatever_happens_to_it(tmp_path: Path, first: int) -> None:
    found = list(walks(tmp_path, range(first, first + 8)))
    assert [case.wrong for case in found if case.wrong] == []
    assert len(found) == 8
