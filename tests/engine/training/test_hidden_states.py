"""What drafters learn from: hidden states as the engine has them, own text as a run would write it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.decoding.token_stream import TokenStream
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.models.network import FusedDecoder
from quire_engine.training.hidden_states import (
    OWN_LENGTH,
    FrozenTarget,
    Pieces,
    own_text,
    write_own_text,
)
from tests.engine import tiny


def runner() -> PassRunner:
    """Return the engine's own way to run the tiny Llama."""
    return PassRunner(FusedDecoder(tiny.build("llama"), 8), 8, tiny.CONTEXT)


@pytest.fixture(scope="module")
def target() -> FrozenTarget:
    """A tiny Llama as drafters are trained on it."""
    return FrozenTarget(tiny.build("llama"))


def test_hidden_states_embeddings_and_scores_are_the_engines(target: FrozenTarget) -> None:
    ids = tiny.prompt_ids(90)
    engine = runner()
    engine.prefill(ids)
    hidden = target.hidden(torch.tensor(ids)[None])[0]
    torch.testing.assert_close(hidden, engine.hidden, rtol=1e-3, atol=1e-3)
    torch.testing.assert_close(target.logits(hidden), engine.network.logits(hidden), rtol=1e-3, atol=1e-3)
    torch.testing.assert_close(hidden @ target.head.t(), target.logits(hidden), rtol=1e-3, atol=1e-3)
    assert torch.equal(target.embed(torch.tensor(ids)), engine.network.embed(torch.tensor(ids)))


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_own_text_is_what_runs_with_these_seeds_write(target: FrozenTarget, temperature: float) -> None:
    prompts = np.array([tiny.prompt_ids(20), tiny.prompt_ids(40)[20:]])
    sampling = SamplingConfig(temperature=temperature, min_p=0.02, penalty_window=24, seed=7)
    written = own_text(target, torch.from_numpy(prompts), 25, sampling, [0])
    assert written.shape == (2, 45)
    for row, prompt in enumerate(prompts.tolist()):
        of_row = SamplingConfig(temperature=temperature, min_p=0.02, penalty_window=24, seed=7 + row)
        stream = TokenStream(runner(), prompt, [], of_row, [0])
        list(stream.read())
        while stream.num_generated < 25:
            stream.step()
        assert written[row].tolist() == [*prompt, *stream.generated_ids]


def test_batches_of_own_text_differ(target: FrozenTarget) -> None:
    human = np.array(tiny.prompt_ids(300))
    first, second = (write_own_text(target, human, SamplingConfig(), [0], number, 1) for number in (0, 1))
    assert len(first) == OWN_LENGTH
    assert not np.array_equal(first, second)


def test_pieces_depend_on_seed_and_number_alone() -> None:
    text = np.arange(1000)
    pieces = Pieces([(text, 1.0)], 20, seed=1)
    assert torch.equal(pieces.batch(3, 4), Pieces([(text, 1.0)], 20, seed=1).batch(3, 4))
    assert not torch.equal(pieces.batch(3, 4), pieces.batch(4, 4))
    assert not torch.equal(pieces.batch(3, 4), Pieces([(text, 1.0)], 20, seed=2).batch(3, 4))
    rows = pieces.batch(0, 50)
    assert rows.shape == (50, 20)
    assert bool((rows.diff(dim=1) == 1).all())


def test_texts_have_their_shares() -> None:
    zeros = np.zeros(100, dtype=np.int64)
    pieces = Pieces([(zeros, 0.25), (zeros + 1, 0.75), (zeros[:5], 0.0)], 10, seed=1)
    ones = float(pieces.batch(0, 400)[:, 0].float().mean())
    assert 0.65 < ones < 0.85


def test_a_text_that_is_too_short_is_rejected() -> None:
    with pytest.raises(EnvironmentProblem, match="at least 20"):
        Pieces([(np.arange(19), 1.0)], 20, seed=1)
