"""`presets`: what sampling settings do to a text: the shipped presets and a grid; three are recommended.

Every setting drafts after the same openings. Variety, echoes and loops are those of the drafted words alone.
The loss is how much the drafted tokens surprise the model itself, at temperature 1 and without penalty.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import torch

from quire.domain.drafting.presets import BALANCED, BUILT_IN
from quire_engine.api.config import PREFILL_CHUNK, DraftingConfig, SamplingConfig
from quire_engine.metrics.acceptance import RunMetrics
from quire_engine.metrics.distinct_n import HUMAN_DISTINCT_2, DistinctSeries, units_of
from quire_engine.metrics.repeats import echo_share, longest_loop
from quire_engine.runtime.loaded_model import LoadedModel, own_cache
from tests.benchmarks.engine import options
from tests.benchmarks.engine.methods import write_tokens
from tests.benchmarks.engine.prompt_texts import opening_text

MOST_ECHOES = 0.083
"""Share of echoes that no window of a published novel exceeds."""

_OPENINGS = (
    "The letter came on a Tuesday, which was the day for bills, and so it lay unopened beside the bread until"
    " evening. Clara knew the hand. She had not seen it for eleven years, and she would have known it after"
    " fifty.\n\n“You had better read it,” said her aunt, who had been looking at it too.\n\n“I shall,” said"
    " Clara, and cut another slice.\n\n",
    "We had been nine days out of Lisbon when the wind died. There was no warning; it blew fresh at midnight,"
    " and by the morning watch the sails hung like washing and the sea was as flat as a plate. The captain"
    " walked the deck with his hands behind him and said nothing to anybody. On the third day of the calm the"
    " cook came aft and asked how much water there was.\n\n",
)
"""Two short openings of other kinds of book; the third is the sample that ships with Quire."""

_DEFAULT = SamplingConfig()
GRID: dict[str, SamplingConfig] = {
    **{preset.name: preset.sampling for preset in BUILT_IN},
    "no penalty": replace(_DEFAULT, repetition_penalty=1.0),
    "penalty 1.1": replace(_DEFAULT, repetition_penalty=1.1),
    "penalty 1.15": replace(_DEFAULT, repetition_penalty=1.15),
    "penalty 1.3": replace(_DEFAULT, repetition_penalty=1.3),
    "window 256": replace(_DEFAULT, penalty_window=256),
    "window 2048": replace(_DEFAULT, penalty_window=2048),
    "window 4096": replace(_DEFAULT, penalty_window=4096),
    "temperature 0.7": replace(_DEFAULT, temperature=0.7),
    "temperature 0.9": replace(_DEFAULT, temperature=0.9),
    "temperature 1.15": replace(_DEFAULT, temperature=1.15),
    "min-p 0.05": replace(_DEFAULT, min_p=0.05),
    "min-p 0.02": replace(_DEFAULT, min_p=0.02),
    "min-p 0.2": replace(_DEFAULT, min_p=0.2),
    "top-p 0.9": replace(_DEFAULT, min_p=0.0, top_p=0.9),
    "cool, min-p 0.05": replace(_DEFAULT, temperature=0.85, min_p=0.05),
    "cool, both": replace(_DEFAULT, temperature=0.8, min_p=0.05, repetition_penalty=1.3),
    "warm, min-p 0.05": replace(_DEFAULT, temperature=1.1, min_p=0.05),
    "warm, penalty 1.1": replace(_DEFAULT, temperature=1.1, min_p=0.05, repetition_penalty=1.1),
}
"""Settings that are compared, by name."""


@dataclass(frozen=True, slots=True)
class GridRow:
    """What a setting did, over all openings.

    Attributes:
        distinct_2, distinct_3: mean over windows of 2,000 units.
        lowest_2, highest_2: of any window; None where no text filled one.
        echoes: share of units that begin an echo.
        loops: texts of the setting that run in circles somewhere.
        loss: mean surprise of a token in nats.
        alpha, tokens_per_pass, tokens_per_s: as `quire_engine.metrics` defines them.
    """

    name: str
    sampling: SamplingConfig
    tokens: int
    distinct_2: float | None
    lowest_2: float | None
    highest_2: float | None
    distinct_3: float | None
    echoes: float
    loops: int
    loss: float
    alpha: float | None
    tokens_per_pass: float
    tokens_per_s: float


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what it can be asked beside the common options."""
    parser.add_argument("--tokens", type=int, default=3000, help="new tokens per setting and opening")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3], help="in place of --seed")
    parser.add_argument("--settings", nargs="+", choices=list(GRID), default=list(GRID), metavar="NAME")


def run(args: argparse.Namespace, say: options.Say) -> dict[str, Any]:
    """Draft with every setting, print a table, and recommend three."""
    loaded = options.load(args)
    machine = options.describe(loaded)
    say(options.heading(machine))
    texts = (opening_text(None), *_OPENINGS)
    prompts = [tuple(loaded.tokenizer.encode(text).ids) for text in texts]
    human_loss = mean_loss(loaded, prompts[0][:1], prompts[0][1:])
    say(f"a writer's own text, the sample opening: loss {human_loss:.3f}")
    say(_HEADINGS)
    rows: list[GridRow] = []
    for name in args.settings:
        seeded = [replace(GRID[name], seed=seed) for seed in args.seeds]
        rows.append(measure(loaded, name, seeded, prompts, args.tokens))
        say(line_of(rows[-1]))
    chosen = recommended(rows, human_loss)
    for preset, row in chosen.items():
        say(f"{preset}: {row.name}")
    return {
        "machine": machine,
        "human_loss": human_loss,
        "rows": [asdict(row) for row in rows],
        "recommended": {preset: row.name for preset, row in chosen.items()},
    }


def measure(
    loaded: LoadedModel,
    name: str,
    seeded: Sequence[SamplingConfig],
    prompts: Sequence[Sequence[int]],
    count: int,
) -> GridRow:
    """Draft `count` tokens after every prompt with every seed, and return what came of it."""
    series: list[DistinctSeries] = []
    echoes: list[float] = []
    losses: list[float] = []
    figures: list[RunMetrics] = []
    loops = 0
    for sampling, prompt in itertools.product(seeded, prompts):
        tally = write_tokens(own_cache(loaded), prompt, count, sampling, DraftingConfig("tokenswift"))
        units = units_of(loaded.tokenizer.decode(tally.token_ids))
        series.append(DistinctSeries())
        series[-1].add_all(units)
        echoes.append(echo_share(units) or 0.0)
        loops += longest_loop(units) > 0
        losses.append(mean_loss(loaded, prompt, tally.token_ids))
        figures.append(tally.figures)
    readings = [reading for one in series for reading in one.readings]
    twos = [value for reading in readings if (value := reading.of(2)) is not None]
    threes = [value for reading in readings if (value := reading.of(3)) is not None]
    drafted = sum(one.drafted_depth for one in figures)
    return GridRow(
        name=name,
        sampling=seeded[0],
        tokens=sum(one.num_tokens for one in figures),
        distinct_2=statistics.fmean(twos) if twos else None,
        lowest_2=min(twos, default=None),
        highest_2=max(twos, default=None),
        distinct_3=statistics.fmean(threes) if threes else None,
        echoes=statistics.fmean(echoes),
        loops=loops,
        loss=statistics.fmean(losses),
        alpha=sum(one.num_accepted for one in figures) / drafted if drafted else None,
        tokens_per_pass=sum(one.num_tokens for one in figures) / sum(one.num_steps for one in figures),
        tokens_per_s=1000 * sum(one.num_tokens for one in figures) / sum(one.total_ms for one in figures),
    )


@torch.inference_mode()
def mean_loss(loaded: LoadedModel, prompt_ids: Sequence[int], token_ids: Sequence[int]) -> float:
    """Return the model's mean surprise at tokens after a prompt, in nats, at temperature 1.

    Of a text that outgrows the context window only what fits is looked at.
    """
    target = own_cache(loaded).target
    ids = [*prompt_ids, *token_ids][: target.context_length]
    total, count = 0.0, 0
    for start in range(0, len(ids) - 1, PREFILL_CHUNK):
        chunk = ids[start : min(start + PREFILL_CHUNK, len(ids) - 1)]
        target.prefill(chunk)
        first = max(len(prompt_ids) - 1 - start, 0)
        if first >= len(chunk):
            continue
        scores = target.network.logits(target.hidden[first:]).log_softmax(-1)
        wanted = torch.tensor(ids[start + first + 1 : start + len(chunk) + 1], device=scores.device)
        total -= float(scores.gather(1, wanted[:, None]).sum())
        count += len(wanted)
    return total / max(count, 1)


def recommended(rows: Sequence[GridRow], human_loss: float) -> dict[str, GridRow]:
    """Return the settings that suit three names.

    Only those count that never loop, echo no more than novels do, and leave the human band of variety in no
    window. Faithful: the least surprising. Balanced: as it is. Lively: the most varied that surprises the
    model no more than a writer's own text does.
    """
    sound = [row for row in rows if row.loops == 0 and row.echoes <= MOST_ECHOES and _is_human(row)]
    lively = [row for row in sound if row.loss <= human_loss]
    chosen: dict[str, GridRow] = {}
    if sound:
        chosen["Faithful"] = min(sound, key=lambda row: row.loss)
    if balanced := [row for row in rows if row.name == BALANCED.name]:
        chosen["Balanced"] = balanced[0]
    if lively:
        chosen["Lively"] = max(lively, key=lambda row: row.distinct_2 or 0.0)
    return chosen


def _is_human(row: GridRow) -> bool:
    if row.lowest_2 is None or row.highest_2 is None:
        return False
    return HUMAN_DISTINCT_2[0] <= row.lowest_2 and row.highest_2 <= HUMAN_DISTINCT_2[1]


_HEADINGS = (
    f"{'':18}{'D-2':>7}{'lowest':>8}{'highest':>8}{'D-3':>7}{'echoes':>8}{'loops':>6}{'loss':>7}{'kept':>7}"
    f"{'per pass':>9}{'tokens/s':>9}"
)


def line_of(row: GridRow) -> str:
    """Return a line of the table for people."""
    shares = [row.distinct_2, row.lowest_2, row.highest_2, row.distinct_3]
    told = ["" if share is None else f"{share:.3f}" for share in shares]
    kept = "" if row.alpha is None else f"{row.alpha:.0%}"
    return (
        f"{row.name:18}{told[0]:>7}{told[1]:>8}{told[2]:>8}{told[3]:>7}{row.echoes:>8.1%}{row.loops:>6}"
        f"{row.loss:>7.3f}{kept:>7}{row.tokens_per_pass:>9.2f}{row.tokens_per_s:>9.0f}"
    )
