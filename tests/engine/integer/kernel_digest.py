"""A text whose bits every computer must reproduce, and the instruction sets that one computer can imitate."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from typing import Any

import numpy as np
import torch

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.token_stream import TokenStream
from quire_engine.integer.instruction_set import instruction_set
from quire_engine.integer.integer_runner import IntegerRunner
from tests.engine.blocks import in_blocks
from tests.engine.drafters import mixed, write
from tests.engine.tiny import CONTEXT, build, prompt_ids

PROCESSORS = {"skylake-avx512": "avx512", "haswell": "avx2", "generic": "sse2"}
"""NUMBA_CPU_NAME, and the instructions that it leaves."""
_TOKENS = 300


def digest() -> str:
    """Return a digest of a drafted text, its cache and its last scores, of a model made of whole numbers."""
    model: Any = build("llama")
    random = np.random.Generator(np.random.PCG64(7))
    for name, weight in sorted(model.named_parameters()):
        numbers = random.integers(-512, 513, weight.shape)
        # exact in float32: no rounding of this computer's, and no random numbers of torch's
        values = 1 + numbers / 2048 if weight.ndim == 1 else numbers / (2048 if "embed" in name else 4096)
        weight.copy_(torch.from_numpy(values.astype(np.float32)))
    runner = IntegerRunner(in_blocks(model), 13, CONTEXT, 2)
    stream = TokenStream(runner, prompt_ids(60), (), SamplingConfig(seed=11, temperature=0.8), ())
    plain = IntegerRunner(in_blocks(model), 1, CONTEXT)
    text = TokenStream(plain, prompt_ids(60), (), SamplingConfig(seed=11, temperature=0.8), ())
    write(text, plain, _TOKENS)
    write(stream, runner, _TOKENS, mixed(text.generated_ids, 3))
    parts = [
        str(stream.generated_ids).encode(),
        *(part.numpy().tobytes() for part in runner.store.snapshot()),
        runner.decode([5, 6, 7], [-1, 0, 0]).numpy().tobytes(),
    ]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def digest_of(processor: str) -> str:
    """Return the digest by a process that is limited to a processor's instructions, and their name."""
    program = "from tests.engine.integer import kernel_digest; kernel_digest.main()"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"NUMBA_CPU_NAME": processor, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def main() -> None:
    """Write the digest, and the instructions that it was computed with."""
    sys.stdout.write(f"{digest()} {instruction_set()}\n")
