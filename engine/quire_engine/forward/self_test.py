"""Checks at every load: our passes against the library's, and against themselves bit for bit."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import PreTrainedModel

from quire_engine.forward.pass_runner import PassRunner
from quire_engine.models.attention import BLOCK

_PROMPT_TOKENS = 64
_TIMED_PASSES = 16
_LONG_PROMPT = 813
_FAR_BLOCKS = 21  # so many that the cache has several parts (see segments)
_CHUNK = 512
_TREE_PARENTS = (-1, 0, 0, 1, 1, 2, 3, 5)
_TOLERANCE = {torch.float32: 1e-3, torch.bfloat16: 0.12}
"""Largest allowed difference of logits, as a share of their spread (standard deviation)."""


@dataclass(frozen=True, slots=True)
class SelfTest:
    """The result of the self-test.

    Attributes:
        worst: largest difference from the library's logits, as a share of their standard deviation; for a
            mixture of experts, the median over tokens of each one's largest.
        matches: within tolerance.
        reproducible: plain, tree and re-read passes left the same bits.
    """

    worst: float
    matches: bool
    reproducible: bool


def reference_logits(model: PreTrainedModel, token_ids: Sequence[int]) -> Tensor:
    """Return the library's own logits for every position, by eager attention, float32 (tokens, vocab)."""
    model.set_attn_implementation("eager")
    with torch.inference_mode():
        out = model(input_ids=torch.tensor([list(token_ids)], device=model.device), use_cache=False)
    logits: Tensor = out.logits[0].float()
    return logits


def probe_ids(vocab_size: int) -> list[int]:
    """Return a fixed prompt and tree tokens, spread over the vocabulary."""
    return [(7919 * i * i + 104_729 * i + 1) % vocab_size for i in range(_PROMPT_TOKENS + len(_TREE_PARENTS))]


def run_self_test(
    runner: PassRunner, reference: Tensor, vocab_size: int, dtype: torch.dtype, *, routed: bool = False
) -> SelfTest:
    """Compare a prompt and a tree with the library's logits, then plain, tree and re-read caches bit for bit.

    Args:
        reference: reference_logits of prompt + [root, first child, grandchild] (see `chain_ids`).
        routed: the model is a mixture of experts. Where two experts are almost equally good for a token,
            rounding decides which one it gets, and the library's own kernels differ there as much as ours
            differ from them: so what counts is the token in the middle, not the worst one.
    """
    ids = probe_ids(vocab_size)
    ours, same = _score_each_way(runner, ids[: _PROMPT_TOKENS - 1], ids[_PROMPT_TOKENS - 1 :])
    wanted = reference[_PROMPT_TOKENS : _PROMPT_TOKENS + len(ours)].cpu()
    worst = float((ours - wanted).abs().max() / wanted.std())
    same = same and rows_agree(runner, vocab_size)
    if routed:
        worst = _median_difference(runner, reference, vocab_size)
    runner.reset()
    return SelfTest(worst, worst <= _TOLERANCE[dtype], same)


def _score_each_way(runner: PassRunner, prompt: Sequence[int], tree: Sequence[int]) -> tuple[Tensor, bool]:
    """Read a prompt that ends one short of its block, a token, and a tree.

    Returns the scores along the tree's deepest path, on the host, and whether plain steps, the tree and
    re-reading left the same cache.
    """
    width = min(runner.width, len(_TREE_PARENTS))
    runner.reset()
    runner.prefill(prompt)
    # the probe starts in the last slot of its block, where a root has no room for children
    runner.decode(tree[:1], [-1])
    runner.commit([0])
    logits = runner.decode(tree[1 : 1 + width], _TREE_PARENTS[:width])
    path = _deepest_path(width)
    ours = torch.stack([logits[node] for node in path]).cpu()
    runner.commit(path)
    as_tree = runner.store.snapshot()
    chain = [tree[0], *[tree[1 + node] for node in path]]
    plain = _caches_by_plain_steps(runner, prompt, chain)
    reread = _cache_by_reading(runner, prompt, chain)
    same = all(
        torch.equal(a, b) and torch.equal(a, c) for a, b, c in zip(as_tree, plain, reread, strict=True)
    )
    return ours, same


def score_far(runner: PassRunner, vocab_size: int) -> tuple[Tensor, bool]:
    """Run the self-test's passes far into a text: logits on the host, and whether the bits repeat.

    The library would be slow there, so two backends are compared with each other instead.
    """
    blocks = min(_FAR_BLOCKS, runner.context_length // BLOCK - 1)
    ids = [(7919 * i * i + 31 * i + 1) % vocab_size for i in range(blocks * BLOCK + len(_TREE_PARENTS))]
    scores, same = _score_each_way(runner, ids[: blocks * BLOCK - 1], ids[blocks * BLOCK - 1 :])
    runner.reset()
    return scores, same


def far_scores_agree(ours: Tensor, wanted: Tensor, dtype: torch.dtype) -> bool:
    """Say whether two backends computed the same logits; for a token that rounding hit hard, less counts."""
    differences = (ours - wanted).abs().amax(-1)
    return bool(differences.median() <= _TOLERANCE[dtype] * wanted.std())


def _median_difference(runner: PassRunner, reference: Tensor, vocab_size: int) -> float:
    """Read the probe's chain by decode passes; the median over its tokens of the largest difference."""
    chain = chain_ids(vocab_size, runner.width)
    runner.reset()
    logits: list[Tensor] = []
    while (done := runner.length) < len(chain):
        room = min(runner.width, BLOCK - done % BLOCK, len(chain) - done)
        logits.append(runner.decode(chain[done : done + room], range(-1, room - 1)).cpu())
        runner.commit(range(room))
    differences = (torch.cat(logits) - reference.cpu()).abs().amax(-1)
    return float(differences.median() / reference.std())


def rows_agree(runner: PassRunner, vocab_size: int) -> bool:
    """Say whether a token gets the same bits in every row of a pass: logits, keys and values."""
    ids = probe_ids(vocab_size)
    runner.reset()
    runner.prefill(ids[: _PROMPT_TOKENS + 8])
    count = runner.width
    logits = runner.decode([ids[0], *[ids[1]] * (count - 1)], [-1, *[0] * (count - 1)])
    if count < 3:
        return True
    start = runner.length
    rows = [t[:, start + 1 : start + count] for t in runner.store.tensors()]
    return all(torch.equal(r, r[:, :1].expand_as(r)) for r in rows) and torch.equal(
        logits[1:], logits[1:2].expand_as(logits[1:])
    )


def _cache_of_long_prompt(runner: PassRunner, vocab_size: int) -> tuple[Tensor, ...]:
    """Read a prompt in chunks as large as a run's, the last one odd; the cache it leaves."""
    runner.reset()
    count = min(_LONG_PROMPT, runner.context_length - 1)
    ids = [(7919 * i * i + 31 * i + 1) % vocab_size for i in range(count)]
    for start in range(0, count, _CHUNK):
        runner.prefill(ids[start : start + _CHUNK])
    return runner.store.snapshot()


def fastest_threads(runner: PassRunner, vocab_size: int, choices: Sequence[int]) -> int:
    """Return the number of threads with which a plain pass is fastest.

    The choice must not decide the text: where two numbers leave different bits, the first one stays.
    """
    first: tuple[Tensor, ...] | None = None
    seconds: dict[int, float] = {}
    for threads in choices:
        torch.set_num_threads(threads)
        times: list[float] = []
        runner.reset()
        runner.prefill(probe_ids(vocab_size)[: _PROMPT_TOKENS - 1])
        for token in probe_ids(vocab_size)[:_TIMED_PASSES]:
            started = time.perf_counter()
            runner.decode([token], [-1])
            runner.commit([0])
            times.append(time.perf_counter() - started)
        cache = (*runner.store.snapshot(), *_cache_of_long_prompt(runner, vocab_size))
        if first is None:
            first = cache
        elif not all(torch.equal(a, b) for a, b in zip(first, cache, strict=True)):
            seconds[choices[0]] = 0.0
            break
        seconds[threads] = statistics.median(times)
    runner.reset()
    return min(seconds, key=lambda threads: seconds[threads])


def chain_ids(vocab_size: int, width: int) -> list[int]:
    """Return the prompt and the path through the probe tree whose logits are compared."""
    ids = probe_ids(vocab_size)
    path = _deepest_path(min(width, len(_TREE_PARENTS)))
    return [*ids[:_PROMPT_TOKENS], *[ids[_PROMPT_TOKENS + node] for node in path]]


def _deepest_path(width: int) -> list[int]:
    paths: list[list[int]] = []
    for parent in _TREE_PARENTS[:width]:
        paths.append([*(paths[parent] if parent >= 0 else []), len(paths)])
    return max(paths, key=len)


def _caches_by_plain_steps(
    runner: PassRunner, prompt: Sequence[int], chain: Sequence[int]
) -> tuple[Tensor, ...]:
    runner.reset()
    runner.prefill(prompt)
    for token in chain:
        runner.decode([token], [-1])
        runner.commit([0])
    return runner.store.snapshot()


def _cache_by_reading(runner: PassRunner, prompt: Sequence[int], chain: Sequence[int]) -> tuple[Tensor, ...]:
    runner.reset()
    runner.prefill(prompt)
    runner.decode(chain[:1], [-1])
    runner.commit([0])
    rest = chain[1:]
    runner.decode(rest, range(-1, len(rest) - 1))
    runner.commit(range(len(rest)))
    return runner.store.snapshot()
