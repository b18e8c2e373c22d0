"""Every family: its scores are the library's, and plain steps, trees and re-read text leave the same bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import torch
from torch import Tensor

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.token_stream import TokenStream
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.forward.self_test import SelfTest, run_self_test
from quire_engine.models import attention_kernels
from quire_engine.models.attention import BLOCK
from quire_engine.models.network import Network
from tests.engine.drafters import mixed, write
from tests.engine.model_fixtures import AnyNetwork, Reference
from tests.engine.reference_model import reference_logits, tiny_yardstick
from tests.engine.tiny import FAMILIES, LIBRARY_FAMILIES, MIXTURES, VOCAB_SIZE, prompt_ids

FORMATS = [torch.float32, torch.bfloat16]
GREEDY = SamplingConfig(temperature=0, repetition_penalty=1.5, penalty_window=1024)
SLIDING = [family for family in LIBRARY_FAMILIES if "sliding" in family]
START = 4 * BLOCK - 6
LENGTH = 4 * BLOCK + 10  # beyond every window of the tiny models: blocks outside, at the edge and inside
TREE = ([11, 12, 13, 14, 15, 16, 17], [-1, 0, 0, 1, 1, 3, 2])
PATHS = ([0, 1, 3, 5], [0, 1, 4], [0, 2, 6])


def self_test(references: Reference, family: str, dtype: torch.dtype, runner: PassRunner) -> SelfTest:
    """Run the self-test as a load does."""
    yardstick = tiny_yardstick(references(family, dtype), dtype, routed=family in MIXTURES)
    return run_self_test(runner, yardstick, VOCAB_SIZE)


def read_plainly(runner: PassRunner, ids: Sequence[int], prompt: int) -> Tensor:
    """Read a prompt at once and the rest token by token; the logits of the rest."""
    runner.reset()
    runner.prefill(ids[:prompt])
    logits = []
    for token in ids[prompt:]:
        logits.append(runner.decode([token], [-1])[0])
        runner.commit([0])
    return torch.stack(logits)


def read_in_chains(runner: PassRunner, ids: Sequence[int], prompt: int) -> Tensor:
    """Read the rest by passes over as many tokens as fit into one."""
    runner.reset()
    runner.prefill(ids[:prompt])
    logits = []
    while (done := runner.length) < len(ids):
        room = min(runner.width, BLOCK - done % BLOCK, len(ids) - done)
        logits.append(runner.decode(ids[done : done + room], range(-1, room - 1)))
        runner.commit(range(room))
    return torch.cat(logits)


@pytest.fixture
def no_flash_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the way of devices that have none."""
    monkeypatch.setattr(attention_kernels, "FLASH_DEVICES", frozenset())


# ---------------------------------------------------------------- against the library
@pytest.mark.sliced
@pytest.mark.parametrize("family", LIBRARY_FAMILIES)
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_a_family_passes_the_self_test(
    references: Reference, library_networks: AnyNetwork, family: str, dtype: torch.dtype
) -> None:
    runner = PassRunner(library_networks(family, dtype), 8, 512)
    result = self_test(references, family, dtype, runner)
    assert result.matches
    assert result.reproducible
    assert result.deviation.worst < (1e-4 if dtype == torch.float32 else 2)


@pytest.mark.sliced
@pytest.mark.parametrize("family", LIBRARY_FAMILIES)
@pytest.mark.parametrize("prompt", [START, 1], ids=["long prompt", "short prompt"])
def test_a_text_longer_than_the_window_scores_what_the_library_scores(
    references: Reference, library_networks: AnyNetwork, family: str, prompt: int
) -> None:
    ids = prompt_ids(LENGTH)
    wanted = reference_logits(references(family, torch.float32), ids)[prompt:]
    runner = PassRunner(library_networks(family, torch.float32), 8, 512)
    ours = read_in_chains(runner, ids, prompt)
    assert float((ours - wanted).abs().max()) < 1e-4 * float(wanted.std())


@pytest.mark.parametrize("family", SLIDING)
def test_the_fused_form_has_the_window_too(
    references: Reference, fused_networks: AnyNetwork, family: str
) -> None:
    ids = prompt_ids(LENGTH)
    wanted = reference_logits(references(family, torch.float32), ids)[START:]
    everything = reference_logits(references(family.split()[0], torch.float32), ids)[START:]
    ours = read_plainly(PassRunner(fused_networks(family, torch.float32), 8, 512), ids, START)
    assert float((ours - wanted).abs().max()) < 1e-4 * float(wanted.std())
    assert float((ours - everything).abs().max()) > 1e-2 * float(wanted.std())


@pytest.mark.sliced
@pytest.mark.parametrize("family", ["mistral sliding", "gemma2", "gemma3_text", "phi3", "phi", "mixtral"])
def test_greedy_writing_is_what_generate_writes(
    references: Reference, library_networks: AnyNetwork, family: str
) -> None:
    prompt, count = prompt_ids(140), 40  # the window's edge is crossed while writing
    model: Any = references(family, torch.float32)
    model.set_attn_implementation("eager")
    ids = torch.tensor([prompt])
    mask = torch.ones_like(ids)
    out = model.generate(
        ids,
        attention_mask=mask,
        do_sample=False,
        repetition_penalty=GREEDY.repetition_penalty,
        max_new_tokens=count,
        eos_token_id=None,
        pad_token_id=0,
    )
    wanted = tuple(out[0, len(prompt) :].tolist())
    assert len(set(wanted)) > 8
    runner = PassRunner(library_networks(family, torch.float32), 8, 512)
    for drafter in (None, mixed(wanted, 1)):
        stream = TokenStream(runner, prompt, (), GREEDY, ())
        write(stream, runner, count, drafter)
        assert stream.generated_ids == wanted


@pytest.mark.parametrize("family", [*FAMILIES, *LIBRARY_FAMILIES])
def test_embeddings_and_logits_are_the_librarys(
    references: Reference, library_networks: AnyNetwork, family: str
) -> None:
    model, network = references(family, torch.float32), library_networks(family, torch.float32)
    ids = torch.tensor(prompt_ids(5))
    states: list[Tensor] = []
    first = next(module for name, module in model.named_modules() if name.endswith("layers.0"))
    # Gemma 3n's first layer sees several streams, of which the first is the embedding
    handle = first.register_forward_pre_hook(lambda _, args: states.append(args[0].flatten(0, -3)[0]))
    model.set_attn_implementation("eager")
    with torch.inference_mode():
        out = model(input_ids=ids[None], use_cache=False)
        normed = model.base_model(input_ids=ids[None], use_cache=False).last_hidden_state[0]
        torch.testing.assert_close(network.logits(normed), out.logits[0])
        torch.testing.assert_close(network.embed(ids), states[0])
    handle.remove()


# ---------------------------------------------------------------- against themselves, bit for bit
def assert_plain_tree_and_chain_agree(network: Network, width: int) -> None:
    ids = prompt_ids(LENGTH)
    runner = PassRunner(network, width, 512)
    plain = read_plainly(runner, ids, START)
    after_plain = runner.store.snapshot()
    assert torch.equal(read_in_chains(runner, ids, START), plain)
    for a, b in zip(after_plain, runner.store.snapshot(), strict=True):
        assert torch.equal(a, b)
    for start in (4 * BLOCK, START):
        runner.store.truncate(start)
        assert_nodes_score_the_same_alone(runner, start)


def assert_nodes_score_the_same_alone(runner: PassRunner, start: int) -> None:
    tokens, parents = TREE[0][: runner.width], TREE[1][: runner.width]
    in_tree = runner.decode(tokens, parents)
    for path in PATHS:
        for node in (node for node in path if node < runner.width):
            assert torch.equal(runner.decode([tokens[node]], [-1])[0], in_tree[node])
            runner.commit([0])
        runner.store.truncate(start)


@pytest.mark.sliced
@pytest.mark.parametrize("family", LIBRARY_FAMILIES)
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_plain_tree_and_reread_bits_agree(
    library_networks: AnyNetwork, family: str, dtype: torch.dtype
) -> None:
    assert_plain_tree_and_chain_agree(library_networks(family, dtype), 8)


@pytest.mark.sliced
@pytest.mark.parametrize("family", ["gemma2", "gemma3_text", "starcoder2", "qwen3_moe"])
@pytest.mark.parametrize("width", [2, 5, 16])
def test_bits_agree_at_other_widths(library_networks: AnyNetwork, family: str, width: int) -> None:
    assert_plain_tree_and_chain_agree(library_networks(family, torch.bfloat16), width)


@pytest.mark.parametrize("family", SLIDING)
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_bits_of_the_fused_form_agree(fused_networks: AnyNetwork, family: str, dtype: torch.dtype) -> None:
    assert_plain_tree_and_chain_agree(fused_networks(family, dtype), 8)


# ---------------------------------------------------------------- without a flash kernel
@pytest.mark.sliced
@pytest.mark.parametrize("family", ["qwen2", "mistral sliding", "gemma", "gemma3_text"])
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_devices_without_a_flash_kernel_score_the_same(
    references: Reference,
    library_networks: AnyNetwork,
    no_flash_kernel: None,
    family: str,
    dtype: torch.dtype,
) -> None:
    network = library_networks(family, dtype)
    result = self_test(references, family, dtype, PassRunner(network, 8, 512))
    assert result.matches
    assert result.reproducible
    assert_plain_tree_and_chain_agree(network, 8)


# ---------------------------------------------------------------- fewer rows than the width
@pytest.mark.parametrize("family", ["gemma2", "mistral sliding", "phi3", "mixtral"])
@pytest.mark.parametrize("num_rows", [1, 3, 7, 33, 64])
def test_a_pass_may_have_any_number_of_rows(
    references: Reference, library_networks: AnyNetwork, family: str, num_rows: int
) -> None:
    start = 4 * BLOCK
    ids = prompt_ids(start + num_rows)
    wanted = reference_logits(references(family, torch.float32), ids)[start:]
    runner = PassRunner(library_networks(family, torch.float32), 64, 512, padded=False)
    runner.prefill(ids[:start])
    ours = runner.decode(ids[start:], range(-1, num_rows - 1))
    assert float((ours - wanted).abs().max()) < 1e-4 * float(wanted.std())
