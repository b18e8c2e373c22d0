"""A small model that drafts ahead: its cache is in step with the text, whatever became of its guesses."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
import torch

from quire_engine.api.config import PLAIN, DraftingConfig, SamplingConfig
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting.draft_model import DraftModel, DraftModelDrafter
from quire_engine.drafting.drafter import DrafterInput, DraftTokens, Observed
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.models.target_model import Runner
from quire_engine.runtime.session import DraftingSession
from tests.engine.conftest import Networks
from tests.engine.runtime.test_session import FORMATS, NEVER, Model, advance, model_of
from tests.engine.tiny import VOCAB_SIZE, prompt_ids

SAMPLING = SamplingConfig(seed=8, temperature=0.8)
CHAIN = DraftingConfig("tokenswift", ("draft_model",), (1, 1, 1, 1, 1))


@pytest.fixture
def runner(networks: Networks) -> PassRunner:
    """A tiny Llama's passes."""
    return PassRunner(networks("llama"), 8, 128)


def drafter_of(runner: Runner) -> DraftModelDrafter:
    return DraftModelDrafter(DraftModel(runner, VOCAB_SIZE, NEVER))


def guesses(drafter: DraftModelDrafter, text: list[int], depth: int) -> list[DraftTokens]:
    """Return what it proposes along its own chain after a text."""
    drafter.begin(DrafterInput(text[-1], len(text), SAMPLING, np.array(sorted(set(text))), 8))
    tree, node, found = DraftTree(text[-1]), ROOT, list[DraftTokens]()
    for _ in range(depth):
        (proposed,) = drafter.expand(tree, [node])
        found.append(proposed)
        if not proposed.token_ids:
            break
        node = tree.add_child(node, proposed.token_ids[0])
    return found


def twin(model: Model) -> Model:
    """Return the same model with itself as its draft model."""
    return replace(model, draft_model=DraftModel(model.target.with_own_cache(), VOCAB_SIZE, NEVER))


# ---------------------------------------------------------------- its cache
def test_it_guesses_as_one_that_reads_the_whole_text_now(networks: Networks) -> None:
    """After guesses that were right, half right and wrong, pauses in which it was not asked, and a reset."""
    rng, text = random.Random(4), prompt_ids(20)
    runner = PassRunner(networks("llama"), 8, 512)
    drafter, other = drafter_of(runner), runner.with_own_cache()
    drafter.observe(Observed(text))
    for _ in range(18):
        found = guesses(drafter, text, rng.randint(1, 4))
        fresh = drafter_of(other)
        fresh.observe(Observed(text))
        assert [each.token_ids for each in found] == [
            each.token_ids for each in guesses(fresh, text, len(found))
        ]
        accepted = [each.token_ids[0] for each in found if each.token_ids][: rng.randint(0, 4)]
        gained = [*accepted, *(rng.randrange(300) for _ in range(rng.choice((1, 1, 2, 9))))]
        if len(text) + len(gained) > 128:  # beyond that it would begin with the newest part
            break
        text = [*text, *gained]
        drafter.observe(Observed(gained))
        if rng.random() < 0.3:
            drafter.reset()
            drafter.observe(Observed(text[-12:], is_reread=True))  # as when the large model reads again
    assert len(text) > 80


def test_two_drafts_that_take_turns_with_one_model_do_not_mix(runner: PassRunner) -> None:
    model = DraftModel(runner, VOCAB_SIZE, NEVER)
    texts = [prompt_ids(30), prompt_ids(50)[20:]]
    drafters = [DraftModelDrafter(model) for _ in texts]
    for drafter, text in zip(drafters, texts, strict=True):
        drafter.observe(Observed(text))
    alone = [guesses(drafter, text, 3) for drafter, text in zip(drafters, texts, strict=True)]
    again = [guesses(drafter, text, 3) for drafter, text in zip(drafters, texts, strict=True)]
    assert again == alone
    assert alone[0] != alone[1]


def test_of_a_text_longer_than_its_context_it_reads_the_newest_part(runner: PassRunner) -> None:
    text = prompt_ids(500)
    drafter, short = drafter_of(runner), drafter_of(runner.with_own_cache())
    drafter.observe(Observed(text))
    short.observe(Observed(text[-32:]))  # a quarter of its context
    newest = guesses(drafter, text, 1)[0].token_ids
    assert runner.length == 32
    # the noise belongs to a place in the text, so the same place is asked for
    request = DrafterInput(text[-1], 32, SAMPLING, np.array(sorted(set(text))), 8)
    short.begin(request)
    short._request = replace(request, index=500)
    assert short.expand(DraftTree(text[-1]), [ROOT])[0].token_ids == newest
    for token in prompt_ids(200):
        text.append(token)
        drafter.observe(Observed([token]))
        guesses(drafter, text, 2)
        assert 32 <= runner.length <= 128


def test_before_a_step_it_reads_a_small_part_of_a_long_text(networks: Networks) -> None:
    runner, text = PassRunner(networks("llama"), 8, 2048), prompt_ids(600)
    drafter, lengths = drafter_of(runner), list[int]()
    drafter.observe(Observed(text))
    while guesses(drafter, text, 1) == [DraftTokens()]:
        lengths.append(runner.length)
        text.append(7)
        drafter.observe(Observed([7]))
    assert lengths == [128]
    assert runner.length == 256 + len(lengths)  # of the newest tokens, and what was written meanwhile


def test_it_proposes_nothing_that_the_large_model_does_not_have_or_never_draws(runner: PassRunner) -> None:
    drafter = DraftModelDrafter(DraftModel(runner, 250, (3, 7, 300)))
    text = [*prompt_ids(30), 299, 310]  # marks of the large model alone
    drafter.observe(Observed(text))
    drafter.begin(DrafterInput(310, len(text), SamplingConfig(min_p=0, temperature=50), np.array([1]), 8))
    (found,) = drafter.expand(DraftTree(310), [ROOT])
    assert len(found.token_ids) == 8
    assert not set(found.token_ids) & {3, 7, *range(250, VOCAB_SIZE)}


@pytest.mark.parametrize("where", ["another length", "another token"])
def test_where_it_does_not_know_the_text_it_proposes_nothing(runner: PassRunner, where: str) -> None:
    drafter, text = drafter_of(runner), prompt_ids(20)
    drafter.observe(Observed(text))
    asked = [*text, 5] if where == "another length" else [*text[:-1], 5]
    assert guesses(drafter, asked, 1) == [DraftTokens()]


# ---------------------------------------------------------------- with the model itself
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_the_same_model_as_its_own_draft_model_is_nearly_always_right(
    networks: Networks, dtype: torch.dtype
) -> None:
    model = twin(model_of(networks, dtype))
    plain = DraftingSession(model, prompt_ids(60), (), SAMPLING, PLAIN)
    advance(plain, 100)
    session = DraftingSession(model, prompt_ids(60), (), SAMPLING, CHAIN)
    steps = advance(session, 90)
    assert session.generated_ids == plain.generated_ids[: session.num_generated]
    # drafts end early where blocks do, beside a model in floating point
    drafted = sum(step.draft_depth for step in steps)
    assert sum(step.num_accepted for step in steps) > 0.8 * drafted
    assert drafted > 2.5 * len(steps)


@pytest.mark.sliced
@pytest.mark.parametrize("depth", [1, 3, 7])
def test_a_run_killed_anywhere_goes_on_as_if_it_had_not_been(networks: Networks, depth: int) -> None:
    """Nothing of the small model is kept: another process begins with an empty cache."""
    wanted = DraftingSession(model_of(networks), prompt_ids(60), (), SAMPLING, PLAIN)
    advance(wanted, 130)
    text: tuple[int, ...] = ()
    chain = replace(CHAIN, tree=(1,) * depth)
    for length in (3, 40, 41, 120):
        model = twin(model_of(networks))
        session = DraftingSession(model, prompt_ids(60), text, SAMPLING, chain)
        advance(session, length)
        text = session.generated_ids
        assert text == wanted.generated_ids[: len(text)]
