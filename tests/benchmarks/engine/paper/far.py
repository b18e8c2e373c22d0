"""The main table at the length of a whole text, sampled: everybody writes a little at several places of it.

To let every system write 100K tokens takes a processor days. Here the text is there already (`long_text`):
at several places of it each system and plain decoding go on in turns, from the same keys and values and with
the same seed. What the whole of it would take is the area under such samples.
"""

from __future__ import annotations

import functools
import itertools
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from tests.benchmarks.engine.paper.bench import Bench
from tests.benchmarks.engine.paper.experiment import Experiment, Results
from tests.benchmarks.engine.paper.paper_figures import paper_says
from tests.benchmarks.engine.paper.plots import Chart
from tests.benchmarks.engine.paper.race import (
    Outcome,
    Turn,
    alpha,
    by_phrases,
    per_pass,
    ratio,
    spread_of,
    sums_of,
    turns_of,
)
from tests.benchmarks.engine.paper.sizes import Size
from tests.benchmarks.engine.paper.systems import FAR, PLAIN, System
from tests.benchmarks.engine.paper.tables import Table

_TEXT = "the long text"
_LITTLE = 8  # tokens before the first turn of systems that always draft the same tree
_NAMES = (PLAIN.name, *(system.name for system in FAR))


def experiment(size: Size, sampling: SamplingConfig) -> Experiment:
    """Return it: a cell for the text, and one for every length and system."""
    cells = {_TEXT: _write} | {
        _key(at, system.name): functools.partial(_sample, at=at, system=system, sampling=sampling)
        for at in size.far
        for system in FAR
    }
    return Experiment(
        "far",
        cells,
        lambda results: [_samples(size, results), _whole(size, results)],
        lambda results: {"figure-far": _chart(size, results)},
    )


def _key(at: int, system: str) -> str:
    return f"place {at:,}, {system}"


def _write(bench: Bench) -> dict[str, Any]:
    """Write the text; return its length, how much of it the model wrote, and how long that took."""
    used = time.process_time()
    text = bench.long_text
    taken = time.process_time() - used
    return {"tokens": len(text.ids), "written": text.num_written, "processor_s": taken}


def _sample(bench: Bench, at: int, system: System, sampling: SamplingConfig) -> dict[str, Any]:
    """Let plain decoding and a system go on at a place: one, the other, the other, one.

    Plain decoding writes half as much, for it takes part in every sample of a place. Returns their turns, and
    how many tokens they have in common from the first one on.
    """
    size = bench.size
    length = size.prefix + at
    try:
        other = bench.method_behind(system, length, sampling)
    except EnvironmentProblem as problem:  # a model without trained heads, for example
        return {"turns": {}, "missing": {system.name: str(problem)}}
    plain = bench.method_behind(PLAIN, length, sampling)
    known = bench.long_text.ids[:length]
    plain.write(known, 1)
    other.write(known, _LITTLE if system.tree else size.far_warm_up)
    turns: dict[str, list[Turn]] = {PLAIN.name: [], system.name: []}
    half = size.far_turn // 2
    for method, count in ((plain, half // 2), (other, half), (other, half), (plain, half // 2)):
        turns[method.name].append(sums_of(method.write(known, count)))
    pairs = list(zip(plain.generated_ids, other.generated_ids, strict=False))
    same = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
    return {"turns": turns, "missing": {}, "compared": len(pairs), "same": same}


def _places(size: Size, results: Results) -> list[int]:
    """Return the places that were sampled, as they follow each other in the text."""
    return [at for at in sorted(size.far) if _outcomes(results, at, PLAIN.name)]


def _samples(size: Size, results: Results) -> Table:
    """Return a row for every length and system."""
    rows: list[tuple[str, ...]] = []
    for at, name in itertools.product(_places(size, results), _NAMES):
        outcomes = _outcomes(results, at, name)
        if not outcomes:
            continue
        turns = [turn for outcome in outcomes for turn in turns_of(outcome, name)]
        figures = [spread_of([figure(turns)]).text() for figure in (alpha, by_phrases, per_pass)]
        cost = f"{1000 * ratio(turns, 'processor_s', 'tokens'):.1f}"
        over = spread_of([_over_plain(outcomes, name)]).text(unit="x")
        rows.append((f"{at:,}", name, *figures, cost, over, paper_says("far", "", name)))
    columns = ("place", "system", "alpha", "by phrases", "tokens a pass", "ms a token", "over plain")
    notes = (
        f"The place is so many tokens behind an opening of {size.prefix:,}. There every system wrote "
        f"{size.far_turn:,} tokens, after {size.far_warm_up:,} where a planner chooses its drafts and "
        f"{_LITTLE} elsewhere, in turns with plain decoding. Milliseconds are of processor time. Partial "
        f"caches have {size.budget:,} positions.",
        *_said_of_the_text(results),
        *_missing(results),
    )
    title = "Table 3 along a long text, sampled"
    return Table(title, (*columns, "the paper"), tuple(rows), notes, num_names=2)


def _said_of_the_text(results: Results) -> list[str]:
    found = results.get(_TEXT, {})
    if "tokens" not in found:
        return [str(found["problem"])] if "problem" in found else []
    compared = [one for one in results.values() if "compared" in one]
    by_model = f", the last {found['written']:,} written here by the model" if found["written"] else ""
    return [
        f"The text has {found['tokens']:,} tokens{by_model}. Every system attends to all of it before the "
        "place.",
        f"Of {sum(one['compared'] for one in compared):,} tokens that were compared, "
        f"{sum(one['same'] for one in compared):,} are those of plain decoding; passes of other widths round "
        "differently, and what follows the first other token is another text.",
    ]


def _missing(results: Results) -> list[str]:
    """Return what could not be measured, each reason once."""
    said = [f"{name}: {why}" for one in results.values() for name, why in one.get("missing", {}).items()]
    return list(dict.fromkeys(said))


def _whole(size: Size, results: Results) -> Table:
    """Return what the text from the first place to the last one would take everybody."""
    rows: list[tuple[str, ...]] = []
    places = _places(size, results)
    plain = _minutes(places, results, PLAIN.name)
    for name in _NAMES:
        line = _minutes(places, results, name)
        if line and not math.isnan(line[-1][1]):
            minutes = line[-1][1]
            over = spread_of([plain[-1][1] / minutes]).text(unit="x")
            rows.append((name, f"{minutes:.1f}", over, paper_says("far whole", "", name)))
    count = places[-1] if places else 0
    note = (
        f"Estimated from samples at {len(places)} places: the area under their milliseconds a token, with "
        "straight lines between them. Nobody wrote all of it in this way."
    )
    title = f"Figure 1 along a long text: {count:,} tokens, estimated"
    return Table(title, ("system", "processor minutes", "over plain", "the paper"), tuple(rows), (note,))


def _minutes(places: Sequence[int], results: Results, name: str) -> list[tuple[float, float]]:
    """Return the estimated processor minutes of a system from the first place on, by place."""
    costs: list[tuple[int, float]] = []
    for at in places:
        turns = [turn for outcome in _outcomes(results, at, name) for turn in turns_of(outcome, name)]
        costs.append((at, ratio(turns, "processor_s", "tokens") if turns else math.nan))
    areas = ((end - begin) * (first + last) / 2 for (begin, first), (end, last) in itertools.pairwise(costs))
    sums = itertools.accumulate(areas, initial=0.0)
    return [(float(at), seconds / 60) for (at, _), seconds in zip(costs, sums, strict=False)]


def _chart(size: Size, results: Results) -> Chart:
    """Return speed over plain decoding by place, a line for every other system."""
    places = _places(size, results)
    lines = {
        _short(name): [(float(at), _over_plain(_outcomes(results, at, name), name)) for at in places]
        for name in _NAMES[1:]
    }
    return Chart("Table 3 along a long text: speed over plain decoding", "place", "over plain", lines)


def _short(name: str) -> str:
    """Return the name of the method that a system is a form of, or its own."""
    return name.partition("(")[2].rstrip(")") or name


def _outcomes(results: Mapping[str, dict[str, Any]], at: int, name: str) -> list[Outcome]:
    """Return what was measured of a system at a length; plain decoding took part everywhere."""
    systems: Iterable[str] = _NAMES[1:] if name == PLAIN.name else (name,)
    found = [results.get(_key(at, system), {}) for system in systems]
    return [outcome for outcome in found if outcome.get("turns")]


def _over_plain(outcomes: Sequence[Outcome], name: str) -> float:
    """Return tokens by processor time over plain decoding's in the same cells."""
    ours = [turn for outcome in outcomes for turn in turns_of(outcome, name)]
    theirs = [turn for outcome in outcomes for turn in turns_of(outcome, PLAIN.name)]
    return ratio(ours, "tokens", "processor_s") / ratio(theirs, "tokens", "processor_s")
