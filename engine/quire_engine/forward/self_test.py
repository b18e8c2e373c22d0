"""Checks of a model that is new here: our passes against float32, and against themselves bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from quire_engine.forward.pass_runner import PassRunner
from quire_engine.forward.probe_text import JUDGED, READ
from quire_engine.forward.yardstick import Deviation, Yardstick
from quire_engine.models.attention import BLOCK

_PROMPT_TOKENS = 64
_FAR_BLOCKS = 21  # so many that the cache has several parts (see segments)
_TREE_PARENTS = (-1, 0, 0, 1, 1, 2, 3, 5)


@dataclass(frozen=True, slots=True)
class SelfTest:
    """The result of the self-test.

    Attributes:
        deviation: from float32 on natural text.
        matches: the scores are right, and those of a tree are those of plain passes.
        reproducible: plain, tree and re-read passes left the same bits.
    """

    deviation: Deviation
    matches: bool
    reproducible: bool


def probe_ids(vocab_size: int) -> list[int]:
    """Return a fixed prompt and tree tokens, spread over the vocabulary."""
    return [(7919 * i * i + 104_729 * i + 1) % vocab_size for i in range(_PROMPT_TOKENS + len(_TREE_PARENTS))]


def run_self_test(
    runner: PassRunner, yardstick: Yardstick, vocab_size: int, report: Callable[[], None] = lambda: None
) -> SelfTest:
    """Judge decode passes over natural text, then compare plain, tree and re-read passes bit for bit.

    report: called now and then; may raise to stop.
    """
    deviation = yardstick.judge(_scores_of_texts(runner, yardstick, report))
    report()
    text = yardstick.texts[0]
    found = _read_each_way(runner, text[: _PROMPT_TOKENS - 1], text[_PROMPT_TOKENS - 1 :])
    matches = deviation.matches and yardstick.agree(found.in_tree, found.plain)
    reproducible = found.same and rows_agree(runner, vocab_size)
    runner.reset()
    return SelfTest(deviation, matches, reproducible)


def _scores_of_texts(runner: PassRunner, yardstick: Yardstick, report: Callable[[], None]) -> Tensor:
    """Read the start of each text and decode the rest by full passes: float32 (positions, vocab), on the
    host."""
    scores: list[Tensor] = []
    for text in yardstick.texts:
        report()
        runner.reset()
        runner.prefill(text[:READ])
        while (done := runner.length) < READ + JUDGED:
            room = min(runner.width, BLOCK - done % BLOCK, READ + JUDGED - done)
            scores.append(runner.decode(text[done : done + room], range(-1, room - 1)).cpu())
            runner.commit(range(room))
    return torch.cat(scores)


@dataclass(frozen=True, slots=True)
class _EachWay:
    """What the ways to read a chain left: scores along it, on the host, and whether the caches are equal."""

    in_tree: Tensor
    plain: Tensor
    same: bool


def _read_each_way(runner: PassRunner, prompt: Sequence[int], tree: Sequence[int]) -> _EachWay:
    """Read a prompt that ends one short of its block, a token and a tree; then the same in other ways."""
    width = min(runner.width, len(_TREE_PARENTS))
    runner.reset()
    runner.prefill(prompt)
    # the probe starts in the last slot of its block, where a root has no room for children
    runner.decode(tree[:1], [-1])
    runner.commit([0])
    logits = runner.decode(tree[1 : 1 + width], _TREE_PARENTS[:width])
    path = _deepest_path(width)
    in_tree = torch.stack([logits[node] for node in path]).cpu()
    runner.commit(path)
    as_tree = runner.store.snapshot()
    chain = [tree[0], *[tree[1 + node] for node in path]]
    plain, scores = _caches_by_plain_steps(runner, prompt, chain)
    reread = _cache_by_reading(runner, prompt, chain)
    same = all(
        torch.equal(a, b) and torch.equal(a, c) for a, b, c in zip(as_tree, plain, reread, strict=True)
    )
    return _EachWay(in_tree, scores[1:], same)


def score_far(runner: PassRunner, texts: Sequence[Sequence[int]]) -> tuple[Tensor, bool]:
    """Run the self-test's passes far into a text: logits on the host, and whether the bits repeat.

    The library would be slow there, so two backends are compared with each other instead.
    """
    blocks = min(_FAR_BLOCKS, runner.context_length // BLOCK - 1)
    once = [token for text in texts for token in text]
    count = blocks * BLOCK + len(_TREE_PARENTS)
    ids = (once * (count // len(once) + 1))[:count]
    found = _read_each_way(runner, ids[: blocks * BLOCK - 1], ids[blocks * BLOCK - 1 :])
    runner.reset()
    return found.in_tree, found.same


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


def _deepest_path(width: int) -> list[int]:
    paths: list[list[int]] = []
    for parent in _TREE_PARENTS[:width]:
        paths.append([*(paths[parent] if parent >= 0 else []), len(paths)])
    return max(paths, key=len)


def _caches_by_plain_steps(
    runner: PassRunner, prompt: Sequence[int], chain: Sequence[int]
) -> tuple[tuple[Tensor, ...], Tensor]:
    """Return the cache and the scores of the chain, on the host. The runner has read the prompt."""
    runner.rewind(len(prompt))
    scores: list[Tensor] = []
    for token in chain:
        scores.append(runner.decode([token], [-1])[0].cpu())
        runner.commit([0])
    return runner.store.snapshot(), torch.stack(scores)


def _cache_by_reading(runner: PassRunner, prompt: Sequence[int], chain: Sequence[int]) -> tuple[Tensor, ...]:
    runner.reset()
    runner.prefill(prompt)
    runner.decode(chain[:1], [-1])
    runner.commit([0])
    rest = chain[1:]
    runner.decode(rest, range(-1, len(rest) - 1))
    runner.commit(range(len(rest)))
    return runner.store.snapshot()
