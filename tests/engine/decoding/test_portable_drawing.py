"""The same draws on every computer: as committed here, with any instructions, by basic operations alone."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest

from tests.engine.decoding.portable_draws import (
    digest_of_draws,
    digest_of_noise,
    digest_of_short_draws,
    draws,
    short_draws,
)

NOISE = "40fd8bed52598516"
DRAWS = "1f84e52cc3ca7f1b"
SHORT_DRAWS = "d4a62bc0e83fa93f"
"""What every computer must compute: runs continue elsewhere, so these never change."""


def features() -> list[str]:
    """Return the sets of instructions of which numpy chooses when it starts, the oldest first."""
    return list(import_module("numpy._core._multiarray_umath").__cpu_dispatch__)


@pytest.mark.sliced
@pytest.mark.parametrize("num_left", [0, 1])
def test_with_fewer_instructions_every_draw_is_the_same(num_left: int) -> None:
    limits = {
        "NPY_DISABLE_CPU_FEATURES": " ".join(features()[num_left:]),
        "ATEN_CPU_CAPABILITY": "default",
    }
    answer = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.engine.decoding.portable_draws"],
        env={**os.environ, **limits, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout.split() == [NOISE, DRAWS, SHORT_DRAWS]


def test_with_the_instructions_of_this_computer_too() -> None:
    assert (digest_of_noise(), digest_of_draws(), digest_of_short_draws()) == (NOISE, DRAWS, SHORT_DRAWS)


def test_candidates_of_a_device_give_the_draws_of_whole_rows() -> None:
    for few, whole in short_draws():
        assert (few.token_id, few.margin) == (whole.token_id, whole.margin)


def test_the_draws_of_the_digest_choose_among_few_and_many() -> None:
    counts = [len(drawn.kept_tokens) for drawn in draws()]
    assert min(counts) == 1
    assert sum(count > 1 for count in counts) > 2000
    assert sum(count > 512 for count in counts) > 50


def test_no_function_is_called_that_rounds_as_a_computer_likes(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("not the same on every computer")

    for name in ("exp", "expm1", "exp2", "log", "log1p", "log2", "logaddexp", "power", "sum", "dot", "mean"):
        monkeypatch.setattr(np, name, refuse)
    for name in ("exp", "expm1", "log", "log1p", "log2", "pow"):
        monkeypatch.setattr(math, name, refuse)
    assert digest_of_draws() == DRAWS
