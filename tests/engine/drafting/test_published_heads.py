"""Published heads guess by their own formulas, from the states that these formulas ask for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor
from transformers.modeling_utils import PreTrainedModel

from quire_engine.api.config import DraftingConfig, Source
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting.draft_heads import AnyHeads, HeadsDrafter, build_heads
from quire_engine.drafting.drafter import DraftTokens, Observed
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.drafting.published_heads import ChainWeights, MedusaWeights
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.integer.integer_runner import IntegerRunner
from quire_engine.models.target_model import Runner
from quire_engine.runtime.session import DraftingSession
from tests.engine.conftest import Networks
from tests.engine.drafting.neural import GREEDY, random_hidden, request
from tests.engine.drafting.published import (
    random_chain,
    random_medusa,
    released_chain,
    released_medusa,
)
from tests.engine.model_fixtures import AnyNetwork
from tests.engine.runtime.test_session import LOOPING, Model, advance, integers_of, looping_text, model_of
from tests.engine.tiny import VOCAB_SIZE, build, prompt_ids

EPS = 1e-5
PROMPT = prompt_ids(20)
RUNS: list[tuple[torch.dtype, tuple[Source, ...]]] = [
    (torch.float32, ()),
    (torch.float32, ("partial",)),
    (torch.bfloat16, ("heads",)),
    (torch.int8, ("heads",)),
]
"""Number formats and drafters; none: those that Quire chooses."""


def chain_weights() -> ChainWeights:
    tensors = random_chain()
    parts = ("linear", "input_layernorm", "post_layernorm")
    weight, norm, post_norm = (
        torch.stack([tensors[f"model.medusa_layers.{head}.{part}.weight"] for head in range(3)])
        for part in parts
    )
    return ChainWeights(weight, norm, post_norm, EPS)


def medusa_weights(blocks: int = 1) -> MedusaWeights:
    tensors = random_medusa(blocks=blocks)
    linear = [[f"{head}.{block}.linear" for block in range(blocks)] for head in range(2)]
    return MedusaWeights(
        torch.stack([torch.stack([tensors[f"{name}.weight"] for name in names]) for names in linear]),
        torch.stack([torch.stack([tensors[f"{name}.bias"] for name in names]) for names in linear]),
        torch.stack([tensors[f"{head}.{blocks}.weight"] for head in range(2)]),
    )


def library_states(model: PreTrainedModel) -> tuple[Tensor, Tensor]:
    """Return the library's last state before the final norm, and after it, at the end of the prompt."""
    parts: Any = model
    seen: list[Tensor] = []
    handle = parts.model.norm.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0][0, -1:]))
    after = parts.model(input_ids=torch.tensor([PROMPT])).last_hidden_state[0, -1:]
    handle.remove()
    return seen[0], after


def runner_behind_the_prompt(networks: Networks, kind: str) -> Runner:
    runner: Runner = (
        IntegerRunner(integers_of("llama"), 8, 256)
        if kind == "fast"
        else PassRunner(networks("llama", torch.float32), 8, 256)
    )
    assert runner.keep_before_norm()
    runner.prefill(PROMPT[:-1])
    runner.decode(PROMPT[-1:], [-1])
    return runner


# ---------------------------------------------------------------- the formulas
@pytest.mark.parametrize("kind", ["full", "fast"])
def test_token_swifts_heads_are_a_chain_from_the_state_before_the_final_norm(
    networks: Networks, kind: str
) -> None:
    """Against the released formula on the library's own states."""
    model: Any = build("llama")
    before, _ = library_states(model)
    wanted = model.lm_head(released_chain(random_chain(), before, EPS))
    runner = runner_behind_the_prompt(networks, kind)
    state = runner.before_norm(runner.raw_states([ROOT]))
    assert state is not None
    found = build_heads(runner.network, chain_weights()).logits(state)
    close = 1e-3 if kind == "full" else 0.15  # whole numbers round to 8 bits
    assert float((found - wanted).norm() / wanted.norm()) < close


@pytest.mark.parametrize("blocks", [1, 2])
def test_medusas_heads_add_silu_blocks_and_have_lm_heads_of_their_own(
    networks: Networks, blocks: int
) -> None:
    _, after = library_states(build("llama"))
    wanted = released_medusa(random_medusa(blocks=blocks), after, blocks=blocks)
    runner = runner_behind_the_prompt(networks, "full")
    found = build_heads(runner.network, medusa_weights(blocks)).logits(runner.states(runner.raw_states([0])))
    torch.testing.assert_close(found, wanted, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("weights", [chain_weights(), medusa_weights()], ids=["TokenSwift", "Medusa"])
def test_the_models_own_scores_come_first_where_they_are_asked_for(
    networks: Networks, weights: AnyHeads
) -> None:
    network = networks("llama", torch.float32)
    state, first = random_hidden(1), random_hidden(1, seed=2)
    heads = build_heads(network, weights)
    both = heads.logits(state, first, 1)
    assert both.shape == (2, VOCAB_SIZE)
    torch.testing.assert_close(both[:1], network.logits(first), rtol=1e-4, atol=1e-3)
    torch.testing.assert_close(both[1:], heads.logits(state)[:1], rtol=1e-4, atol=1e-3)


def test_keeping_states_before_the_norm_changes_no_other_state(networks: Networks) -> None:
    plain = PassRunner(networks("llama", torch.float32), 8, 256)
    keeping = runner_behind_the_prompt(networks, "full")
    plain.prefill(PROMPT[:-1])
    scores = plain.decode(PROMPT[-1:], [-1])
    assert torch.equal(scores, keeping.scores(0, 1))
    raw = plain.raw_states([0])
    assert plain.before_norm(raw) is None
    assert torch.equal(plain.states(raw), keeping.states(keeping.raw_states([0])))


def test_a_chain_guesses_nothing_while_only_normed_states_are_known(networks: Networks) -> None:
    runner = runner_behind_the_prompt(networks, "full")
    drafter = HeadsDrafter(runner.network, chain_weights(), runner.before_norm)
    raw = runner.raw_states([0])
    drafter.observe(Observed([5], runner.states(raw), raw=raw))
    drafter.begin(request(5, GREEDY))
    assert drafter.expand(DraftTree(5), [ROOT]) != [DraftTokens()]
    drafter.observe(Observed([5], runner.states(raw), is_reread=True))  # as prefill tells of it
    drafter.begin(request(5, GREEDY))
    assert drafter.expand(DraftTree(5), [ROOT]) == [DraftTokens()]


# ---------------------------------------------------------------- the law
@pytest.mark.sliced
@pytest.mark.parametrize("weights", [chain_weights(), medusa_weights()], ids=["TokenSwift", "Medusa"])
@pytest.mark.parametrize(("dtype", "sources"), RUNS, ids=str)
def test_published_heads_never_change_the_text(
    networks: Networks, dtype: torch.dtype, weights: AnyHeads, sources: tuple[Source, ...]
) -> None:
    model = replace(model_of(networks, dtype), trained=TrainedDrafters("", weights))
    drafting = DraftingConfig("tokenswift", sources, (2, 1, 1) if sources else (), partial_budget=32)
    session = DraftingSession(model, prompt_ids(60), (), LOOPING, drafting)
    steps = advance(session, 150)
    text = session.generated_ids
    assert text == looping_text(networks, dtype)[: len(text)]
    assert not session.pop_warnings()
    if sources:
        assert max(step.num_drafted for step in steps) > 2


def test_a_chain_beside_a_network_that_shows_no_such_state_is_refused(library_networks: AnyNetwork) -> None:
    target = PassRunner(library_networks("olmo2", torch.float32), 8, 256)
    model = Model(target, trained=TrainedDrafters("", chain_weights()))
    for source in ("heads", "partial"):
        drafting = DraftingConfig("tokenswift", (source,), (1, 1))
        with pytest.raises(EnvironmentProblem, match="don't show"):
            DraftingSession(model, PROMPT, (), LOOPING, drafting)
    # where the choice is free, the writer reads the same reason
    session = DraftingSession(model, PROMPT, (), LOOPING, DraftingConfig("tokenswift"))
    (said,) = session.pop_warnings()
    assert "don't show" in said


def test_medusas_heads_for_another_vocabulary_are_refused(networks: Networks) -> None:
    weights = medusa_weights()
    smaller = replace(weights, head=weights.head[:, :300])
    with pytest.raises(EnvironmentProblem, match="don't match"):
        build_heads(networks("llama", torch.float32), smaller)
