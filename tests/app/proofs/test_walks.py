from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes import on_posix
from tests.proofs.app.walks import Step, steps_of, walk, walks


@on_posix
def test_every_file_holds_what_it_must_whatever_happens_to_it(tmp_path: Path) -> None:
    found = list(walks(tmp_path, range(30)))
    assert [case.wrong for case in found if case.wrong] == []
    assert len(found) == 30
