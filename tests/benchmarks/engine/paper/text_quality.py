"""What the texts are like: perplexity, variety and echoes of plain decoding, TokenSwift and a human."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from quire_engine.api.config import SamplingConfig
from quire_engine.metrics.distinct_n import MAX_ORDER, DistinctCounter, units_of
from quire_engine.metrics.repeats import echo_share
from tests.benchmarks.engine.methods import OwnMethod
from tests.benchmarks.engine.paper.bench import Bench
from tests.benchmarks.engine.paper.experiment import Experiment, Results
from tests.benchmarks.engine.paper.paper_figures import NOT_AT_HAND
from tests.benchmarks.engine.paper.plots import Chart
from tests.benchmarks.engine.paper.race import spread_of
from tests.benchmarks.engine.paper.sizes import Size
from tests.benchmarks.engine.paper.systems import PAPER, PLAIN_PADDED, QUIRE, System
from tests.benchmarks.engine.paper.tables import Table

_THETA = 1.2
_POINTS = 8
_LAST_TOKENS = 60
HUMAN = "a text not by the model"


@dataclass(frozen=True, slots=True)
class _Kind:
    """One kind of text. said: what the paper says of its Distinct-n."""

    name: str
    system: System
    theta: float
    said: str = NOT_AT_HAND


_PENALISED = _Kind("TokenSwift, Quire's", QUIRE, _THETA)
_FREE = _Kind("TokenSwift, Quire's, no penalty", QUIRE, 1.0, "Distinct-n 0.12 (its Table 6)")
_KINDS = (
    _Kind("plain", PLAIN_PADDED, _THETA),
    _PENALISED,
    _Kind("TokenSwift, the paper's", PAPER, _THETA, "Distinct-n 0.69 (its Table 6)"),
    _FREE,
)


def experiments(size: Size, sampling: SamplingConfig) -> list[Experiment]:
    """Return the table of quality, and Figures 5 and 6 of the same texts."""
    cells = {
        _key(kind.name, opening): functools.partial(
            _write, kind=kind, opening=opening, sampling=replace(sampling, seed=sampling.seed + opening)
        )
        for kind in _KINDS
        for opening in range(size.openings)
    }
    read = {
        _key(HUMAN, opening): functools.partial(_read, opening=opening) for opening in range(size.openings)
    }
    whole = {**cells, **read}
    return [
        Experiment("quality", whole, lambda results: [_quality_table(size, results)]),
        Experiment("F5", whole, lambda results: [_last_words(results)], _charts),
    ]


def _key(name: str, opening: int) -> str:
    return f"text, {name}, opening {opening}"


def _write(bench: Bench, kind: _Kind, opening: int, sampling: SamplingConfig) -> dict[str, Any]:
    prompt = bench.opening(opening, bench.size.prefix)
    method = bench.method(kind.system, prompt, replace(sampling, repetition_penalty=kind.theta))
    assert isinstance(method, OwnMethod)
    method.write(prompt, bench.size.text_tokens)
    token_ids = list(method.generated_ids[: bench.size.text_tokens])
    last = bench.loaded.tokenizer.decode(token_ids[-_LAST_TOKENS:])
    return {**_figures(bench, prompt, token_ids), "last": " ".join(last.split())}


def _read(bench: Bench, opening: int) -> dict[str, Any]:
    """Measure a stretch of the human text, of which nothing is kept but figures."""
    known: list[int] = bench.loaded.tokenizer.encode(bench.human_text).ids
    size = bench.size
    span = size.prefix + size.text_tokens
    start = max(0, min(opening * span, len(known) - span))
    part = known[start : start + span]
    border = size.prefix if len(part) == span else len(part) // 2
    return _figures(bench, part[:border], part[border:])


def _figures(bench: Bench, prompt: Sequence[int], token_ids: Sequence[int]) -> dict[str, Any]:
    """Return everything about a text; curves: (tokens, echo share, Distinct average) by length."""
    counter = DistinctCounter()
    curve: list[tuple[int, float | None, float | None]] = []
    edges = [len(token_ids) * point // _POINTS for point in range(_POINTS + 1)]
    for start, end in itertools.pairwise(edges):
        counter.add_all(token_ids[start:end])
        units = units_of(bench.loaded.tokenizer.decode(list(token_ids[:end])))
        curve.append((end, echo_share(units), counter.reading().average))
    reading = counter.reading()
    return {
        "tokens": len(token_ids),
        "nats": _nats(bench, prompt, token_ids),
        "distinct": [reading.of(order) for order in range(1, MAX_ORDER + 1)],
        "average": reading.average,
        "echoes": curve[-1][1],
        "curve": curve,
    }


@torch.inference_mode()
def _nats(bench: Bench, prompt: Sequence[int], token_ids: Sequence[int]) -> float:
    """Return the mean surprise of a text's tokens by the model itself, without penalty or temperature."""
    model = bench.library
    ids = torch.tensor([[*prompt, *token_ids]], device=model.device)
    scores = model(ids[:, :-1], logits_to_keep=len(token_ids)).logits[0].float()
    return float(torch.nn.functional.cross_entropy(scores, ids[0, -len(token_ids) :]))


def _known(results: Results, name: str) -> list[dict[str, Any]]:
    found = [result for key, result in results.items() if key.startswith(f"text, {name}, opening ")]
    return [result for result in found if "problem" not in result]


def _quality_table(size: Size, results: Results) -> Table:
    rows: list[tuple[str, ...]] = []
    for name, said in [*((kind.name, kind.said) for kind in _KINDS), (HUMAN, NOT_AT_HAND)]:
        texts = _known(results, name)
        if not texts:
            continue
        distinct = [
            spread_of(_number(text["distinct"][order]) for text in texts) for order in range(MAX_ORDER)
        ]
        rows.append(
            (
                name,
                spread_of(math.exp(text["nats"]) for text in texts).text(".1f"),
                *(spread.text() for spread in distinct),
                spread_of(_number(text["average"]) for text in texts).text(),
                spread_of(_number(text["echoes"]) for text in texts).text(".3f"),
                said,
            )
        )
    columns = ("text", "perplexity", *(f"Distinct-{order}" for order in range(1, MAX_ORDER + 1)))
    columns += ("Distinct-n", "echo rate", "the paper")
    note = (
        f"{size.openings} texts of {size.text_tokens:,} tokens after {size.prefix:,}, theta {_THETA} but "
        "for one row; the one not by the model is shorter where its file is. Perplexity is by the model "
        "itself, without penalty. Echo rate: share of places whose six words and marks stood within 2,000 "
        "before."
    )
    return Table("Quality: the same text, and a human one", columns, tuple(rows), (note,))


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _last_words(results: Results) -> Table:
    rows = [
        (name, _cell(texts[0]["last"]), NOT_AT_HAND)
        for name, kind in (("theta 1", _FREE), (f"theta {_THETA}", _PENALISED))
        if (texts := _known(results, kind.name))
    ]
    note = "The last 60 tokens of the first text of each kind; the charts show all of them."
    title = "Figures 5 and 6: the text with and without the penalty"
    return Table(title, ("penalty", "how the text ends", "the paper"), tuple(rows), (note,), num_names=3)


def _cell(text: str) -> str:
    return text.replace("|", "/").replace("\n", " ")


def _charts(results: Results) -> dict[str, Chart]:
    names = {"no penalty": _FREE.name, f"theta {_THETA}": _PENALISED.name, HUMAN: HUMAN}

    def chart(title: str, y_name: str, place: int) -> Chart:
        lines: dict[str, list[tuple[float, float]]] = {}
        for shown, name in names.items():
            curves = [text["curve"] for text in _known(results, name)]
            lines[shown] = [
                (
                    spread_of(float(each[0]) for each in points).mean,
                    spread_of(_number(each[place]) for each in points).mean,
                )
                for points in zip(*curves, strict=True)
            ]
        return Chart(title, "new tokens", y_name, lines)

    return {
        "figure-5": chart("Figure 5: how much of the text repeats itself", "echo rate", 1),
        "figure-6": chart("Figure 6: variety of the text so far", "Distinct-n", 2),
    }
