"""The law of the engine: drafts, pauses and resumes change neither the text nor one bit of the cache."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from quire_engine.config import SamplingConfig
from quire_engine.decoding.draft_tree import DraftTree
from quire_engine.decoding.stream import TokenStream
from quire_engine.models.attention import BLOCK
from quire_engine.models.passes import PassRunner
from tests.engine.conftest import Networks
from tests.engine.drafters import Drafter, good, hostile, mixed, noise, read, write
from tests.engine.tiny import VOCAB_SIZE, prompt_ids

NEVER = tuple(range(300, VOCAB_SIZE))
FORMATS = [torch.float32, torch.bfloat16]
SMALL_CONTEXT = 256  # the view rolls over every 128 tokens

SAMPLERS = {
    "greedy": SamplingConfig(temperature=0, repetition_penalty=1.0),
    "greedy, penalty": SamplingConfig(temperature=0, repetition_penalty=1.3, penalty_window=16),
    "plain": SamplingConfig(min_p=0.0, repetition_penalty=1.0, seed=5),
    "defaults": SamplingConfig(seed=1),
    "cool, min-p": SamplingConfig(temperature=0.7, min_p=0.05, penalty_window=3, seed=2),
    "top-k": SamplingConfig(top_k=8, min_p=0.0, penalty_window=0, seed=3),
    "hot, top-p": SamplingConfig(temperature=1.5, top_p=0.8, min_p=0.0, penalty_window=7, seed=4),
    "eta": SamplingConfig(eta=0.02, min_p=0.0, repetition_penalty=1.1, penalty_window=32, seed=2**63 - 1),
    "all": SamplingConfig(temperature=0.9, top_k=40, top_p=0.95, min_p=0.02, eta=0.001, seed=9),
}


def stream_on(
    runner: PassRunner, prompt: Sequence[int], sampling: SamplingConfig, generated: Sequence[int] = ()
) -> TokenStream:
    return TokenStream(runner, prompt, generated, sampling, NEVER)


def same_bits(a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> bool:
    return len(a) == len(b) > 0 and all(torch.equal(x, y) for x, y in zip(a, b, strict=True))


# ---------------------------------------------------------------- pause and resume
@pytest.mark.parametrize(
    ("dtype", "width"), [(torch.float32, 8), (torch.bfloat16, 8), (torch.bfloat16, 1)], ids=str
)
def test_a_run_resumed_at_any_point_is_the_uninterrupted_run(
    networks: Networks, dtype: torch.dtype, width: int
) -> None:
    """Points: both ends, around block boundaries, around both rollovers, and random ones."""
    runner = PassRunner(networks("llama", dtype, width), width, SMALL_CONTEXT)
    prompt, sampling, count = prompt_ids(150), SAMPLERS["defaults"], 250
    rollovers = [SMALL_CONTEXT - 149, SMALL_CONTEXT - 149 + 128]
    edges = [*rollovers, BLOCK * 3 - 149] if width > 1 else rollovers[:1]
    points = {0, 1, count, *random.Random(4).sample(range(count), 3)}
    points |= {edge + off for edge in edges for off in (-1, 0, 1)}
    whole = stream_on(runner, prompt, sampling)
    caches: dict[int, tuple[Tensor, ...]] = {}
    for point in sorted(points):
        write(whole, runner, point)
        if whole.must_read:
            read(whole)
        caches[point] = runner.store.snapshot()
    text = whole.generated_ids
    assert len(set(text)) > 40  # a text that hangs on one token would prove nothing
    following = dict(zip(sorted(points), sorted(points)[1:], strict=False))
    for point, next_point in following.items():
        resumed = stream_on(runner, prompt, sampling, text[:point])
        read(resumed)
        assert same_bits(runner.store.snapshot(), caches[point]), f"cache after resuming at {point}"
        goal = min(next_point, point + 3)
        write(resumed, runner, goal)
        assert resumed.generated_ids == text[:goal], f"text after resuming at {point}"


@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_a_speculative_run_paused_again_and_again_is_the_plain_run(
    networks: Networks, dtype: torch.dtype
) -> None:
    runner = PassRunner(networks("qwen2", dtype), 8, SMALL_CONTEXT)
    prompt, sampling, count = prompt_ids(130), SAMPLERS["cool, min-p"], 180
    plain = stream_on(runner, prompt, sampling)
    write(plain, runner, count)
    wanted, cache = plain.generated_ids, runner.store.snapshot()
    dice = random.Random(8)
    text: tuple[int, ...] = ()
    while len(text) < count:
        stream = stream_on(runner, prompt, sampling, text)
        write(stream, runner, min(count, len(text) + dice.randint(1, 60)), mixed(wanted, 3))
        text = stream.generated_ids
    assert text == wanted
    assert same_bits(runner.store.snapshot(), cache)


# ---------------------------------------------------------------- speculative == plain
def assert_drafts_change_nothing(
    runner: PassRunner, prompt: Sequence[int], sampling: SamplingConfig, count: int
) -> dict[str, float]:
    """Write plainly, then with every drafter; return the tokens per pass of each."""
    plain = stream_on(runner, prompt, sampling)
    write(plain, runner, count)
    wanted, cache = plain.generated_ids, runner.store.snapshot()
    drafters: dict[str, Drafter] = {
        "good": good(wanted),
        "random": noise(1),
        "mixed": mixed(wanted, 2),
        "hostile": hostile(wanted, NEVER),
    }
    rates: dict[str, float] = {}
    for name, drafter in drafters.items():
        stream = stream_on(runner, prompt, sampling)
        steps = write(stream, runner, count, drafter)
        assert stream.generated_ids == wanted, name
        assert same_bits(runner.store.snapshot(), cache), name
        rates[name] = count / len(steps)
    return rates


@pytest.mark.parametrize("dtype", FORMATS, ids=str)
@pytest.mark.parametrize("name", SAMPLERS)
def test_drafts_never_change_the_text(networks: Networks, dtype: torch.dtype, name: str) -> None:
    """Every sampler; the run fills its context and rolls over once."""
    runner = PassRunner(networks("llama", dtype), 8, SMALL_CONTEXT)
    rates = assert_drafts_change_nothing(runner, prompt_ids(222), SAMPLERS[name], 50)
    assert rates["good"] > 4  # or trees were never really accepted
    assert rates["mixed"] > 1.5


@pytest.mark.parametrize("dtype", FORMATS, ids=str)
@pytest.mark.parametrize("family", ["mistral", "qwen2", "qwen3"])
def test_drafts_never_change_the_text_of_any_family(
    networks: Networks, dtype: torch.dtype, family: str
) -> None:
    runner = PassRunner(networks(family, dtype), 8, SMALL_CONTEXT)
    assert assert_drafts_change_nothing(runner, prompt_ids(40), SAMPLERS["defaults"], 60)["good"] > 4


@pytest.mark.parametrize("dtype", FORMATS, ids=str)
@pytest.mark.parametrize(("width", "kind"), [(2, "fused"), (16, "fused"), (64, "fused"), (8, "library")])
def test_drafts_never_change_the_text_at_any_width(
    networks: Networks, dtype: torch.dtype, width: int, kind: str
) -> None:
    runner = PassRunner(networks("llama", dtype, width, kind), width, SMALL_CONTEXT)
    assert_drafts_change_nothing(runner, prompt_ids(100), SAMPLERS["defaults"], 40)


def test_a_drafted_token_that_is_never_written_is_never_accepted(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, SMALL_CONTEXT)
    stream = stream_on(runner, prompt_ids(20), SAMPLERS["plain"])
    read(stream)
    for _ in range(30):
        tree = DraftTree(stream.last_token)
        for token in NEVER[:7]:
            tree.add_path([token])
        assert stream.step(tree).num_accepted == 0
    assert not set(stream.generated_ids) & set(NEVER)


# ---------------------------------------------------------------- the numbers of a step
def test_a_step_reports_its_tree(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, SMALL_CONTEXT)
    prompt, sampling = prompt_ids(20), SAMPLERS["defaults"]
    plain = stream_on(runner, prompt, sampling)
    steps = write(plain, runner, 6)
    assert [(step.draft_depth, step.num_accepted, len(step.token_ids)) for step in steps] == [(0, 0, 1)] * 6
    text = plain.generated_ids
    stream = stream_on(runner, prompt, sampling)
    read(stream)
    wrong = (text[2] + 1) % 300
    tree = DraftTree(stream.last_token)
    tree.add_path([text[0], text[1], wrong, text[3]])
    tree.add_path([wrong])
    step = stream.step(tree)
    assert (step.token_ids, step.draft_depth, step.num_accepted) == (text[:3], 4, 2)
    assert step.margin == min(plain_step.margin for plain_step in steps[:3])
    assert stream.num_generated == 3
    assert stream.last_token == text[2]
    assert runner.length == len(prompt) - 1 + 3


def test_reading_reports_its_progress_and_ends_at_its_total(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, 1024)
    stream = stream_on(runner, prompt_ids(600), SAMPLERS["defaults"], prompt_ids(20))
    assert stream.must_read
    progress = read(stream)
    assert not stream.must_read
    totals = {total for _, total in progress}
    assert totals == {619}
    assert [done for done, _ in progress][:2] == [512, 599]
    assert progress[-1] == (619, 619)
    assert [done for done, _ in progress] == sorted({done for done, _ in progress})


def test_a_prompt_of_one_token_can_be_gone_on_from(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, SMALL_CONTEXT)
    stream = stream_on(runner, [5], SAMPLERS["defaults"])
    write(stream, runner, 3)
    assert stream.num_generated == 3


def test_a_prompt_that_fills_the_context_can_be_gone_on_from(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, SMALL_CONTEXT)
    prompt = prompt_ids(SMALL_CONTEXT)
    whole = stream_on(runner, prompt, SAMPLERS["defaults"])
    write(whole, runner, 20)
    resumed = stream_on(runner, prompt, SAMPLERS["defaults"], whole.generated_ids[:9])
    write(resumed, runner, 20, mixed(whole.generated_ids, 1))
    assert resumed.generated_ids == whole.generated_ids


def test_an_empty_prompt_is_refused(networks: Networks) -> None:
    with pytest.raises(ValueError, match="prompt"):
        stream_on(PassRunner(networks(), 8, SMALL_CONTEXT), [], SAMPLERS["defaults"])


def test_different_seeds_write_different_texts(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, SMALL_CONTEXT)
    texts: set[tuple[int, ...]] = set()
    for seed in range(4):
        stream = stream_on(runner, prompt_ids(20), SamplingConfig(seed=seed))
        write(stream, runner, 12)
        texts.add(stream.generated_ids)
    assert len(texts) == 4
