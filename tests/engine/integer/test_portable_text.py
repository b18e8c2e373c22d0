"""The same seed writes the same text on every computer: 2,000 tokens in integers, plain and accelerated."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module

import pytest

from quire_engine.api.config import DraftingConfig
from quire_engine.api.sampling_scale import SamplingScale
from quire_engine.integer.integer_runner import KERNELS
from tests.engine.integer.kernel_digest import PROCESSORS
from tests.engine.integer.portable_text import digest_of_text, load
from tests.engine.integer.test_kernel_digest import WANTED

TEXT = ("integer kernels 4", "98e92073c185c88f")
"""What every computer must write. Whoever changes a bit of the passes raises the number of the kernels, and
then writes both here anew."""

SCALE = SamplingScale(8.19, 1.022)
"""What it must measure of the model: the built-in presets follow it, so it decides the text of a draft."""


def test_plain_and_accelerated_this_computer_writes_the_text_of_all() -> None:
    engine, scale = load()
    assert (KERNELS, digest_of_text(engine)) == TEXT
    assert digest_of_text(engine, DraftingConfig("tokenswift")) == TEXT[1]
    assert scale == SCALE


@pytest.mark.sliced("other processors")
@pytest.mark.slow
def test_a_computer_with_the_fewest_instructions_writes_it_too() -> None:
    """For kernels, numpy and torch: those that every x86 processor has, or the plainest of another one.

    One process writes both texts, because it compiles every kernel for such a processor first.
    """
    optional = import_module("numpy._core._multiarray_umath").__cpu_dispatch__
    limits = {
        "NUMBA_CPU_NAME": "generic",
        "NPY_DISABLE_CPU_FEATURES": " ".join(optional),
        "ATEN_CPU_CAPABILITY": "default",
        "OMP_NUM_THREADS": "1",
    }
    answer = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.engine.integer.portable_text"],
        env=os.environ | limits | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )
    text, kernels = answer.stdout.splitlines()
    assert text.split() == [TEXT[1], str(SCALE.seen_logit), str(SCALE.temperature)]
    assert kernels == f"{WANTED} {PROCESSORS['generic']}"
