"""The law of the engine: drafts, pauses and resumes change neither the text nor one bit of the cache."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from types import SimpleNamespace

import pytest
import torch
from torch import Tensor

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding import token_stream as stream_module
from quire_engine.decoding.draft_tree import DraftTree
from quire_engine.decoding.token_stream import EndOfText, TokenStream
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.models.attention import BLOCK
from tests.engine.conftest import Networks
from tests.engine.drafters import Drafter, good, hostile, mixed, noise, read, write
from tests.engine.tiny import VOCAB_SIZE, prompt_ids

NEVER = tuple(range(300, VOCAB_SIZE))
FORMATS = [torch.float32, torch.bfloat16]
SMALL_CONTEXT = 256  # the context window rolls over every 128 tokens

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
    assert len(set(text)) > 40  # a text that depends on one token would prove nothing
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
    rng = random.Random(8)
    text: tuple[int, ...] = ()
    while len(text) < count:
        stream = stream_on(runner, prompt, sampling, text)
        write(stream, runner, min(count, len(text) + rng.randint(1, 60)), mixed(wanted, 3))
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


@pytest.mark.sliced
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
@pytest.mark.parametrize("name", SAMPLERS)
def test_drafts_never_change_the_text(networks: Networks, dtype: torch.dtype, name: str) -> None:
    """Every sampler; the run fills its context and rolls over once."""
    runner = PassRunner(networks("llama", dtype), 8, SMALL_CONTEXT)
    rates = assert_drafts_change_nothing(runner, prompt_ids(222), SAMPLERS[name], 50)
    assert rates["good"] > 4  # or trees were never really accepted
    assert rates["mixed"] > 1.5


@pytest.mark.sliced
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
@pytest.mark.parametrize("family", ["mistral", "qwen2", "qwen3"])
def test_drafts_never_change_the_text_of_any_family(
    networks: Networks, dtype: torch.dtype, family: str
) -> None:
    runner = PassRunner(networks(family, dtype), 8, SMALL_CONTEXT)
    assert assert_drafts_change_nothing(runner, prompt_ids(40), SAMPLERS["defaults"], 60)["good"] > 4


@pytest.mark.sliced
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
    assert {reading.num_total for reading in progress} == {619}
    done = [reading.num_read for reading in progress]
    assert done[:2] == [512, 599]
    assert done[-1] == 619
    assert done == sorted(set(done))


def test_reading_hands_out_hidden_states_and_the_tokens_that_follow_them(networks: Networks) -> None:
    """Each row decides the token after it: the head on it gives what a pass over the same tokens gives."""
    runner = PassRunner(networks(), 8, 1024)
    prompt, generated = prompt_ids(70), prompt_ids(90)[70:]
    stream = stream_on(runner, prompt, SAMPLERS["defaults"], generated)
    readings = read(stream)
    successors = [token for reading in readings for token in reading.successors.tolist()]
    assert successors == [*prompt, *generated][1:]
    assert sum(len(reading.hidden) for reading in readings) == len(successors)
    step = stream.step()
    assert step.hidden.shape == (1, readings[0].hidden.shape[1])
    assert int(runner.network.logits(step.hidden)[0, :300].argmax()) in step.draws[0].kept_tokens


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


def test_an_empty_prompt_is_rejected(networks: Networks) -> None:
    with pytest.raises(ValueError, match="prompt"):
        stream_on(PassRunner(networks(), 8, SMALL_CONTEXT), [], SAMPLERS["defaults"])


# ---------------------------------------------------------------- the end of a text
def test_a_text_ends_with_its_mark_and_never_before_its_minimum(networks: Networks) -> None:
    """With a mark that is likely everywhere, plain and accelerated runs end at the same token."""
    runner = PassRunner(networks(), 8, SMALL_CONTEXT)
    ends: dict[int, set[tuple[int, ...]]] = {}
    for min_tokens in (0, 7, 30):
        end = EndOfText(tuple(range(100)), min_tokens)
        for propose in (False, True):
            stream = TokenStream(runner, prompt_ids(20), (), SAMPLERS["defaults"], NEVER, end=end)
            text = next(iter(ends.get(min_tokens, [()])))
            read(stream)
            while True:
                tree = DraftTree(stream.last_token)
                if propose:
                    tree.add_path([*text[stream.num_generated :], 5, 6][:5])
                if stream.step(tree).ended:
                    break
            ends.setdefault(min_tokens, set()).add(stream.generated_ids)
    for min_tokens, texts in ends.items():
        (text,) = texts
        assert len(text) > min_tokens
        assert text[-1] < 100
        assert all(token >= 100 for token in text[:-1])


# ---------------------------------------------------------------- devices whose passes round by their shape
def test_near_ties_are_decided_as_plain_decoding_decides_them(networks: Networks) -> None:
    """With a threshold above every margin, each step falls back to one row and writes the plain text."""
    runner = PassRunner(networks(), 8, SMALL_CONTEXT)
    plain = stream_on(runner, prompt_ids(20), SAMPLERS["defaults"])
    write(plain, runner, 60)
    wanted, cache = plain.generated_ids, runner.store.snapshot()
    for near_tie in (0.3, 1e9):
        stream = TokenStream(runner, prompt_ids(20), (), SAMPLERS["defaults"], NEVER, near_tie=near_tie)
        steps = write(stream, runner, 60, mixed(wanted, 5))
        assert stream.generated_ids == wanted
        assert same_bits(runner.store.snapshot(), cache)
        assert all(len(step.hidden) == len(step.token_ids) == len(step.draws) for step in steps)
        assert (max(step.num_accepted for step in steps) == 0) == (near_tie > 1)


def test_the_second_pass_of_a_near_tie_counts_as_time_of_the_pass(
    networks: Networks, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = itertools.count()
    monkeypatch.setattr(stream_module, "time", SimpleNamespace(perf_counter=lambda: float(next(ticks))))
    runner = PassRunner(networks(), 8, SMALL_CONTEXT)
    taken: dict[float, set[float]] = {}
    for near_tie in (0.0, 1e9):
        stream = TokenStream(runner, prompt_ids(20), (), SAMPLERS["defaults"], NEVER, near_tie=near_tie)
        read(stream)
        tree = DraftTree(stream.last_token)
        tree.add_path([5])
        taken[near_tie] = {stream.step(tree).verify_ms}
    assert taken == {0.0: {1000.0}, 1e9: {2000.0}}


def test_different_seeds_write_different_texts(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, SMALL_CONTEXT)
    texts: set[tuple[int, ...]] = set()
    for seed in range(4):
        stream = stream_on(runner, prompt_ids(20), SamplingConfig(seed=seed))
        write(stream, runner, 12)
        texts.add(stream.generated_ids)
    assert len(texts) == 4
