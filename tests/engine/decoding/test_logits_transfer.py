"""Streams whose rows are shortened: the text of whole rows, with less of each row on the host."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding import candidate_tokens, logits_transfer
from quire_engine.decoding.banned_sequences import NO_IDS, Ids
from quire_engine.decoding.candidate_tokens import GREEDY_KEPT
from quire_engine.decoding.draft_tree import DraftTree
from quire_engine.decoding.logits_transfer import LogitsTransfer, WholeRows
from quire_engine.decoding.sampling import Draw
from quire_engine.decoding.sampling_rules import SamplingRules
from quire_engine.decoding.token_stream import EndOfText, TokenStream
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.models.host_transfer import HostBuffer, to_device
from tests.engine.conftest import Networks
from tests.engine.drafters import Drafter, good, hostile, mixed, read, write
from tests.engine.tiny import VOCAB_SIZE, prompt_ids

NEVER = tuple(range(300, VOCAB_SIZE))
CONTEXT = 256  # the context window rolls over every 128 tokens
SAMPLERS = {
    "greedy, penalty": SamplingConfig(temperature=0, repetition_penalty=1.3, penalty_window=16),
    "defaults": SamplingConfig(seed=1),
    "short window": SamplingConfig(temperature=0.7, min_p=0.05, penalty_window=3, seed=2),
    "strong penalty": SamplingConfig(min_p=0.2, repetition_penalty=4.0, penalty_window=60, seed=6),
    "top-k": SamplingConfig(temperature=0.9, top_k=8, top_p=0.95, min_p=0.02, eta=0.001, seed=9),
    "whole row": SamplingConfig(temperature=1.5, top_p=0.8, min_p=0.0, penalty_window=7, seed=4),
}


class Counted:
    """Counts what a stream fetches: lists of a pass, and whole rows."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.lists: list[tuple[int, ...]] = []
        self.num_rows = 0
        fetch, draw = HostBuffer.fetch, WholeRows.draw

        def fetched(buffer: HostBuffer, source: Tensor) -> Tensor:
            if source.dtype == torch.int32:
                self.lists.append(tuple(source.shape))
            return fetch(buffer, source)

        def drawn(
            rows: WholeRows,
            node: int,
            window_ids: Ids,
            forbidden: Ids = NO_IDS,
            theta: float | None = None,
        ) -> Draw:
            self.num_rows += 1
            return draw(rows, node, window_ids, forbidden, theta)

        patch.setattr(HostBuffer, "fetch", fetched)
        patch.setattr(WholeRows, "draw", drawn)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """Let the CPU's rows be shortened like a GPU's, and count."""
    monkeypatch.setattr(logits_transfer, "SHORTLIST_DEVICES", {"cpu"})
    return Counted(monkeypatch)


def whole_text(
    runner: PassRunner, prompt: Sequence[int], sampling: SamplingConfig, count: int
) -> tuple[int, ...]:
    """Write plainly from whole rows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logits_transfer, "SHORTLIST_DEVICES", set())
        stream = TokenStream(runner, prompt, (), sampling, NEVER)
        write(stream, runner, count)
    return stream.generated_ids


# ---------------------------------------------------------------- the law
@pytest.mark.sliced
@pytest.mark.parametrize(
    ("name", "longest"),
    [*((name, candidate_tokens.LONGEST) for name in SAMPLERS), ("defaults", 16), ("top-k", 16)],
)
def test_a_stream_of_shortlists_is_the_stream_of_whole_rows(
    networks: Networks, monkeypatch: pytest.MonkeyPatch, counted: Counted, name: str, longest: int
) -> None:
    """Plain and with drafts, over a rollover; with a low limit, short and whole rows take turns."""
    monkeypatch.setattr(candidate_tokens, "LONGEST", longest)
    runner, sampling, count = PassRunner(networks(), 8, CONTEXT), SAMPLERS[name], 60
    wanted = whole_text(runner, prompt_ids(200), sampling, count)
    assert len(set(wanted)) > 20
    counted.num_rows = 0
    drafters: list[Drafter | None] = [None, good(wanted), mixed(wanted, 2), hostile(wanted, NEVER)]
    for drafter in drafters:
        stream = TokenStream(runner, prompt_ids(200), (), sampling, NEVER)
        write(stream, runner, count, drafter)
        assert stream.generated_ids == wanted
    if name == "whole row":
        assert not counted.lists
    else:
        assert (counted.num_rows > 0) == (longest < VOCAB_SIZE)
        assert counted.num_rows < len(drafters) * count


def test_a_long_text_paused_again_and_again_is_the_plain_one_of_whole_rows(
    networks: Networks, counted: Counted
) -> None:
    """Over many rollovers, with a window that slides the whole time and drafts good and bad."""
    runner, sampling = PassRunner(networks("qwen2", torch.bfloat16), 8, CONTEXT), SAMPLERS["strong penalty"]
    count = 400
    wanted = whole_text(runner, prompt_ids(130), sampling, count)
    counted.num_rows = 0
    rng = random.Random(8)
    text: tuple[int, ...] = ()
    while len(text) < count:
        stream = TokenStream(runner, prompt_ids(130), text, sampling, NEVER)
        read(stream)
        assert stream.verify_resume().first_difference is None
        counted.num_rows = 0
        goal = min(count, len(text) + rng.randint(1, 400))
        write(stream, runner, goal, rng.choice([mixed(wanted, 3), good(wanted), hostile(wanted, NEVER)]))
        assert counted.num_rows == 0
        text = stream.generated_ids
    assert text == wanted


def test_near_ties_are_settled_from_shortlists_too(networks: Networks, counted: Counted) -> None:
    runner, sampling = PassRunner(networks(), 8, CONTEXT), SAMPLERS["defaults"]
    wanted = whole_text(runner, prompt_ids(20), sampling, 60)
    counted.num_rows = 0
    for near_tie in (0.3, 1e9):
        stream = TokenStream(runner, prompt_ids(20), (), sampling, NEVER, near_tie=near_tie)
        steps = write(stream, runner, 60, mixed(wanted, 5))
        assert stream.generated_ids == wanted
        assert (max(step.num_accepted for step in steps) == 0) == (near_tie > 1)
    assert counted.num_rows == 0


def test_a_text_ends_at_the_same_token_where_a_tree_reaches_over_its_minimum(
    networks: Networks, counted: Counted
) -> None:
    """Rows before the minimum suppress the mark that rows behind it do not."""
    runner, sampling = PassRunner(networks(), 8, CONTEXT), SAMPLERS["defaults"]
    texts: set[tuple[int, ...]] = set()
    for devices in ({"cpu"}, set()):
        for propose in (False, True):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(logits_transfer, "SHORTLIST_DEVICES", devices)
                stream = TokenStream(
                    runner, prompt_ids(20), (), sampling, NEVER, end=EndOfText(tuple(range(60)), 17)
                )
                read(stream)
                while True:
                    tree = DraftTree(stream.last_token)
                    if propose:
                        tree.add_path([*next(iter(texts))[stream.num_generated :], 5, 6][:5])
                        tree.add_path([3])
                    if stream.step(tree).ended:
                        break
                texts.add(stream.generated_ids)
    assert len(texts) == 1
    assert 17 < len(texts.pop()) < 200
    assert counted.num_rows > 0  # of the streams without shortlists


# ---------------------------------------------------------------- what crosses over
def test_a_plain_step_fetches_once_and_a_tree_too(networks: Networks, counted: Counted) -> None:
    runner = PassRunner(networks(), 8, CONTEXT)
    stream = TokenStream(runner, prompt_ids(20), (), SAMPLERS["defaults"], NEVER)
    read(stream)
    for path in ((), (5, 6, 7)):
        counted.lists.clear()
        tree = DraftTree(stream.last_token)
        tree.add_path(path)
        stream.step(tree)
        assert counted.lists == [(1 + len(path), 2 * VOCAB_SIZE + 1)]
    assert counted.num_rows == 0


def test_draws_of_a_step_have_the_kept_tokens_of_whole_rows(networks: Networks, counted: Counted) -> None:
    runner = PassRunner(networks(), 8, CONTEXT)
    for sampling in (SAMPLERS["defaults"], SAMPLERS["top-k"], SamplingConfig(temperature=0)):
        steps = []
        for devices in ({"cpu"}, set()):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(logits_transfer, "SHORTLIST_DEVICES", devices)
                stream = TokenStream(runner, prompt_ids(20), (), sampling, NEVER)
                steps.append(write(stream, runner, 12))
        for short, whole in zip(*steps, strict=True):
            assert short.margin == whole.margin
            (few,), (all_,) = short.draws, whole.draws
            if sampling.temperature:
                assert few.kept_tokens.tolist() == all_.kept_tokens.tolist()
                assert few.scores.tolist() == all_.scores.tolist()
            else:
                assert GREEDY_KEPT <= len(few.kept_tokens) < len(all_.kept_tokens) == 300


class Far:
    """Logits on a device that is not the host and does not shorten rows."""

    device = torch.device("meta")

    def __init__(self, logits: Tensor) -> None:
        self._logits = logits
        self.fetched: list[int] = []

    def __getitem__(self, node: int) -> Tensor:
        self.fetched.append(node)
        return self._logits[node].clone()


@pytest.mark.parametrize("sampling", [SamplingConfig(), SAMPLERS["whole row"]], ids=["min-p", "top-p"])
def test_where_rows_are_not_shortened_only_those_that_are_drawn_from_are_fetched(
    sampling: SamplingConfig,
) -> None:
    """The root's at once, so that what a pass takes is known when it is over."""
    nothing = np.zeros(0, dtype=np.int64)
    rules = SamplingRules(sampling, nothing, nothing, 0)
    logits = torch.randn(8, 50, generator=torch.Generator().manual_seed(1))
    far: Any = Far(logits)
    scored = LogitsTransfer(rules).take(far, range(8), [0] * 8, nothing)
    assert far.fetched == [0]
    near = LogitsTransfer(rules).take(logits.clone(), range(8), [0] * 8, nothing)
    for node in (0, 5, 2):
        assert scored.draw(node, nothing).token_id == near.draw(node, nothing).token_id
    assert far.fetched == [0, 5, 2]


def test_reading_again_keeps_the_rows_of_the_newest_tokens_only(
    networks: Networks, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[int] = []
    keep = LogitsTransfer.keep

    def keeping(handed: LogitsTransfer, logits: Tensor, places: Sequence[int]) -> WholeRows:
        kept.append(len(logits))
        return keep(handed, logits, places)

    runner = PassRunner(networks(), 8, CONTEXT)
    text = whole_text(runner, prompt_ids(30), SAMPLERS["defaults"], 70)
    monkeypatch.setattr(LogitsTransfer, "keep", keeping)
    for length in (3, 8, 29, 70):
        kept.clear()
        stream = TokenStream(runner, prompt_ids(30), text[:length], SAMPLERS["defaults"], NEVER)
        read(stream)
        checked = stream.verify_resume()
        assert (checked.num_checked, checked.first_difference) == (min(length, 8), None)
        assert sum(kept) == min(length, 8)


# ---------------------------------------------------------------- a real device
@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
def test_tensors_of_a_gpu_come_over_as_they_are() -> None:
    device = torch.device("cuda")
    buffer = HostBuffer()
    for shape in ((3, 40), (2, 7), (64, 90)):
        wanted = torch.randn(shape)
        assert torch.equal(buffer.fetch(wanted.to(device)), wanted)
    assert to_device([3, 1, 2], device).tolist() == [3, 1, 2]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
@pytest.mark.parametrize("name", SAMPLERS)
def test_a_gpu_hands_over_what_the_host_would_draw_from_its_rows(name: str) -> None:
    sampling = SAMPLERS[name]
    rules = SamplingRules(sampling, np.array([1, 5]), np.array([1, 5, 9]), 104)
    logits = torch.randn(32, 30_000, generator=torch.Generator().manual_seed(1)) * 4
    places, tokens = [100 + row // 4 for row in range(32)], list(range(32))
    window = np.array([7, 1000, 29_999])
    far = LogitsTransfer(rules).take(logits.to("cuda"), places, tokens, window)
    near = LogitsTransfer(rules).take(logits, places, tokens, window)
    for node in range(32):
        ids = np.array([7, 29_999, node])[: 2 if node == 7 else 3]
        a, b = far.draw(node, ids), near.draw(node, ids)
        assert (a.token_id, a.margin) == (b.token_id, b.margin)
