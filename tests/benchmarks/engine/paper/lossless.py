"""What becomes of the text: equality with plain decoding, chi-square, and the paper's verification rule."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.decoding.draft_tree import DraftTree
from quire_engine.decoding.penalty_window import PenaltyWindow
from quire_engine.decoding.sampling import warp
from quire_engine.decoding.token_stream import Step
from quire_engine.runtime.loaded_model import LoadedModel
from tests.benchmarks.engine.methods import OwnMethod
from tests.benchmarks.engine.paper import released_rule
from tests.benchmarks.engine.paper.bench import Bench
from tests.benchmarks.engine.paper.race import Spread, spread_of
from tests.benchmarks.engine.paper.sizes import Size
from tests.benchmarks.engine.paper.systems import ALL, PAPER, PLAIN, System, session_of
from tests.benchmarks.engine.paper.tables import Table
from tests.proofs.engine.sampling_odds import prove_odds

Cells = dict[str, Callable[[Bench], dict[str, Any]]]
Tables = Callable[[Mapping[str, dict[str, Any]]], Sequence[Table]]

_WIDTH = 64
"""Rows of every pass of the comparison: they hold the paper's tree of 40 nodes and the likeliest 4-grams."""
_ODDS_PROMPT = 24


def equality(size: Size, sampling: SamplingConfig) -> tuple[Cells, Tables]:
    """Return the comparison of every system of our own with plain decoding, token by token."""
    systems = [system for system in ALL if system.passes != "library" and not system.is_plain]
    held = {system.name: system for system in systems if system.name != "TokenSwift, Quire's, narrow passes"}
    cells: Cells = {
        f"equality, {name}": functools.partial(_compare, system=system, size=size, sampling=sampling)
        for name, system in held.items()
    }

    def tables(results: Mapping[str, dict[str, Any]]) -> list[Table]:
        rows = [_equality_row(name, results.get(f"equality, {name}")) for name in held]
        columns = ("system", "tokens compared", "draft tokens accepted", "different tokens")
        note = (
            f"Every pass has {_WIDTH} rows; the same seed, and an opening of {size.prefix:,} tokens. Larger "
            "trees are cut to their likeliest nodes."
        )
        return [Table("Every system against plain decoding", columns, tuple(rows), (note,))]

    return cells, tables


def _equality_row(name: str, result: dict[str, Any] | None) -> tuple[str, ...]:
    if result is None or "problem" in result:
        return (name, "–", "–", "not measured" if result is None else str(result["problem"]))
    return (name, f"{result['tokens']:,}", f"{result['accepted']:,}", f"{result['different']:,}")


def _compare(bench: Bench, system: System, size: Size, sampling: SamplingConfig) -> dict[str, Any]:
    loaded, prompt = bench.wide(_WIDTH), bench.opening(0, size.prefix)
    plain = bench.plain_text.get(size.equal_tokens)
    if plain is None:  # one text for all comparisons
        plain = _written(bench, loaded, PLAIN, prompt, size.equal_tokens, sampling)[0]
        bench.plain_text[size.equal_tokens] = plain
    other = _written(bench, loaded, system, prompt, size.equal_tokens, sampling)
    pairs = zip(plain[: size.equal_tokens], other[0][: size.equal_tokens], strict=True)
    return {
        "tokens": size.equal_tokens,
        "accepted": other[1],
        "different": sum(a != b for a, b in pairs),
        "reproducible": loaded.description.reproducible,
    }


def _written(
    bench: Bench,
    loaded: LoadedModel,
    system: System,
    prompt: Sequence[int],
    count: int,
    sampling: SamplingConfig,
) -> tuple[tuple[int, ...], int]:
    """Return what a system writes with passes of one width, and how many draft tokens it accepted."""
    whole, drafting = bench.with_small_model(loaded, system), system.drafting(bench.size.budget)
    method = OwnMethod(system.name, whole, prompt, sampling, drafting, session_of(system))
    turn = method.write((), count)
    return method.generated_ids, 0 if turn.figures is None else turn.figures.num_accepted


def odds(size: Size, sampling: SamplingConfig) -> tuple[Cells, Tables]:
    """Return the chi-square test: tokens drawn under hostile drafts against the model's distribution."""

    def measure(bench: Bench) -> dict[str, Any]:
        prompt = bench.opening(0, min(size.prefix, _ODDS_PROMPT))
        deviation, drawn, accepted = prove_odds(bench.loaded, prompt, sampling, size.odds_runs)
        return {"deviation": deviation, "drawn": drawn, "accepted": accepted}

    def tables(results: Mapping[str, dict[str, Any]]) -> list[Table]:
        result = results.get("odds")
        if result is None:
            return []
        row = (f"{result['drawn']:,}", f"{result['accepted']:,}", result["deviation"] or "none")
        columns = ("tokens drawn", "draft tokens accepted", "deviation")
        note = (
            "Every run is offered a tree of the rarest tokens. An honest verifier fails this test once in a "
            "million times; drawing once per leaf fails it."
        )
        return [Table("Chi-square under hostile drafts", columns, (row,), (note,), num_names=0)]

    return {"odds": measure}, tables


@dataclass(slots=True)
class _RuleWatch:
    """Simulates both rules at every step of a run."""

    loaded: LoadedModel
    prompt: Sequence[int]
    sampling: SamplingConfig
    size: Size
    written: list[int] = field(default_factory=list)
    rows: list[dict[str, float]] = field(default_factory=list)
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def __call__(self, tree: DraftTree, step: Step) -> None:
        """Take a step: the pass that verified the tree is still the model's last one."""
        if len(tree.tokens) > 1 and len(self.rows) < self.size.rule_steps:
            odds = self._odds_of(tree)
            trials = self.size.rule_trials
            exact = released_rule.exact_rule(tree, odds, trials, self.random)
            released = released_rule.released_rule(tree, odds, trials, self.random)
            self.rows.append(
                {
                    "depth": float(tree.depth),
                    "leaves": float(released_rule.num_leaves(tree)),
                    "exact": exact.accepted,
                    "released": released.accepted,
                    "exact_moved": exact.moved,
                    "released_moved": released.moved,
                }
            )
        self.written.extend(step.token_ids)

    def _odds_of(self, tree: DraftTree) -> list[dict[int, float]]:
        """Return the model's distribution after every node, its own ancestors penalised."""
        logits = self.loaded.target.scores(0, len(tree.tokens)).float().cpu().numpy()
        logits[:, list(self.loaded.suppressed)] = -np.inf
        paths: list[list[int]] = []
        for node, parent in enumerate(tree.parents):
            paths.append([] if parent < 0 else [*paths[parent], tree.tokens[node]])
        odds: list[dict[int, float]] = []
        for row, path in zip(logits, paths, strict=True):
            stream = np.array([*self.prompt, *self.written, *path], dtype=np.int64)
            window = PenaltyWindow(stream, self.sampling.penalty_window).distinct_ids()
            ids, scores = warp(row, window, self.sampling)
            weights = np.exp(scores.astype(np.float64) - float(scores.max()))
            odds.append(dict(zip(ids.tolist(), (weights / weights.sum()).tolist(), strict=True)))
        return odds


def released(size: Size, sampling: SamplingConfig) -> tuple[Cells, Tables]:
    """Return the simulation of the paper's released verification rule on real draft trees."""
    return {"rule": functools.partial(_simulate, size=size, sampling=sampling)}, functools.partial(
        _rule_tables, size=size
    )


def _simulate(bench: Bench, size: Size, sampling: SamplingConfig) -> dict[str, Any]:
    """Write by the paper's drafts, ranked without the verifier's noise as in the released code."""
    prompt = bench.opening(0, size.prefix)
    loaded = bench.narrow(PAPER.rows)
    own = replace(loaded, target=loaded.target.with_own_cache())
    watch = _RuleWatch(own, prompt, sampling, size)
    drafting = replace(PAPER.drafting(bench.size.budget), same_noise=False)
    make = session_of(PAPER, watch)
    session = make(own, prompt, (), sampling, drafting)
    while len(watch.rows) < size.rule_steps:
        if session.num_generated > 40 * size.rule_steps + 400:
            raise EnvironmentProblem("No drafts were made.")
        while session.must_read:
            for _ in session.read():
                pass
        session.step()
    return {"steps": watch.rows}


def _rule_tables(results: Mapping[str, dict[str, Any]], size: Size) -> list[Table]:
    chances = (0.02, 0.05, 0.2)
    single = tuple(
        (f"{chance:.2f}", f"{chance:.0%}", f"{released_rule.chance_of_a_shared_node(chance):.0%}")
        for chance in chances
    )
    tables = [
        Table(
            f"How often one draft token comes out that {released_rule.LEAVES} rows share",
            ("the model's probability", "one draw per node (Quire)", "one draw per row (released code)"),
            single,
            ("By calculation: 1 - (1 - p)^47.",),
            num_names=0,
        )
    ]
    result = results.get("rule")
    if result is None or "problem" in result:
        return tables
    rows = result["steps"]

    def over(name: str, of: str | None = None) -> Spread:
        return spread_of(row[name] / (row[of] if of else 1.0) for row in rows)

    simulated = (
        (
            "one draw per node (Quire)",
            over("exact").text(),
            over("exact", "depth").text(),
            over("exact_moved").text(),
        ),
        (
            "one draw per row (released code)",
            over("released").text(),
            over("released", "depth").text(),
            over("released_moved").text(),
        ),
    )
    columns = ("rule", "accepted a step", "alpha", "distance from the model's odds")
    note = (
        f"{len(rows)} draft trees of the paper's drafts (on average {over('leaves').mean:.0f} rows each), "
        f"ranked without the shared noise, {size.rule_trials} simulated verifications each; mean ± spread "
        "over trees. Distance: total variation of the first token. The first row's is what finite trials "
        "leave of 0."
    )
    return [*tables, Table("The released rule on real trees, simulated", columns, simulated, (note,))]
