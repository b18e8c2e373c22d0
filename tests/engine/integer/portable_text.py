"""A text of 2,000 tokens by the built-in model in integers, whose digest is the same on every computer.

Started by itself it prints the digest, and that of the kernels, so that a test can limit the instructions of
its process.
"""

from __future__ import annotations

import hashlib
import sys

import numpy as np

from quire_engine.api.config import PLAIN, DraftingConfig, Goal, ModelConfig, SamplingConfig
from quire_engine.api.messages import StartGeneration, StepCompleted
from quire_engine.api.sampling_scale import SamplingScale
from quire_engine.engine import Engine
from quire_engine.integer import kernel_process
from quire_engine.integer.instruction_set import instruction_set
from quire_resources import BUILT_IN_MODEL
from tests.engine.integer import kernel_digest
from tests.engine.tiny import OPENING

LENGTH = 2000
_SAMPLING = SamplingConfig(
    temperature=0.95, top_p=0.98, min_p=0.02, eta=0.0005, repetition_penalty=1.2, penalty_window=500, seed=18
)


def load() -> tuple[Engine, SamplingScale]:
    """Return an engine that computes with the built-in model in integers, and what it measured of it."""
    engine = Engine()
    loaded = engine.load(ModelConfig(str(BUILT_IN_MODEL), "int8", 8, 1))
    assert loaded.identity.dtype == "int8"
    assert loaded.scale is not None
    return engine, loaded.scale


def digest_of_text(engine: Engine, drafting: DraftingConfig = PLAIN) -> str:
    """Return the digest of the tokens of a text."""
    engine.forget()
    command = StartGeneration(1, OPENING, _SAMPLING, Goal(tokens=LENGTH), drafting=drafting)
    steps = [event for event in engine.run(command) if isinstance(event, StepCompleted)]
    tokens = [token for step in steps for token in step.token_ids]
    assert (len(tokens), len(steps) < LENGTH) == (LENGTH, drafting.method == "tokenswift")
    return hashlib.sha256(np.array(tokens, dtype="<i4").tobytes()).hexdigest()[:16]


if __name__ == "__main__":
    # a load would have a process of its own compile every kernel first; these texts need fewer
    kernel_process.ensure_compiled = lambda report: None
    made, scale = load()
    text = f"{digest_of_text(made)} {scale.seen_logit} {scale.temperature}"
    sys.stdout.write(f"{text}\n{kernel_digest.digest()} {instruction_set()}\n")
