from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import replace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.run import Run, RunState
from quire.domain.drafting.run_metrics import StepRecord
from quire.services.transactions.run_data_export import COLUMNS, RunData, run_rows, write_csv, write_json
from quire_engine.api.config import SOURCES, SamplingConfig, Source
from quire_engine.api.messages import FinishReason
from quire_engine.api.model_identity import ON_SERVER, ModelIdentity

RUN = Run(
    run_id=3,
    document_id=1,
    sampling=SamplingConfig(seed=7),
    goal_words=500,
    base_digest="base",
    end_digest="end",
    state=RunState.FINISHED,
    model=ModelIdentity("=novelist", "f" * 64, "bfloat16", 8, "torch 2"),
    num_prompt=2,
    finish_reason=FinishReason.GOAL,
)
PLAIN = StepRecord(1, 0, 0, 0, 0, 12.34567, 0.0, 11.0, math.inf)
DRAFTED = StepRecord(3, 2, 4, 9, 2, 30.5, 4.25, 20.0, 0.123456, ("heads", "ngrams"))
STEPS = st.builds(
    StepRecord,
    *[st.integers(0, 9)] * 5,
    *[st.floats(0, 1e9)] * 3,
    st.floats(0, allow_nan=False),
    st.lists(st.sampled_from(SOURCES), max_size=4).map(tuple),
)


def csv_of(*runs: RunData) -> str:
    stream = io.StringIO(newline="")
    write_csv(stream, runs)
    return stream.getvalue()


def json_of(*runs: RunData) -> list[dict[str, object]]:
    stream = io.StringIO()
    write_json(stream, runs)
    return [json.loads(line, parse_constant=_no_number) for line in stream.getvalue().splitlines()]


def _no_number(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def test_a_row_for_each_step() -> None:
    assert list(run_rows(RUN, (PLAIN, DRAFTED))) == [
        (3, 1, 1, 1, 0, 0, 0, 0, (), 12.346, 0.0, 11.0, None),
        (3, 2, 3, 4, 2, 4, 9, 2, ("heads", "ngrams"), 30.5, 4.25, 20.0, 0.1235),
    ]


def test_csv_is_what_every_spreadsheet_reads() -> None:
    assert csv_of(RunData(RUN, (PLAIN, DRAFTED))) == (
        ",".join(COLUMNS) + "\r\n"
        "3,1,1,1,0,0,0,0,,12.346,0.0,11.0,\r\n"
        "3,2,3,4,2,4,9,2,heads ngrams,30.5,4.25,20.0,0.1235\r\n"
    )


def test_json_says_how_a_run_was_made() -> None:
    (run,) = json_of(RunData(RUN, (DRAFTED,)))
    assert run["settings"] == {
        "temperature": 1.0,
        "top_k": 0,
        "top_p": 1.0,
        "min_p": 0.1,
        "eta": 0.0,
        "repetition_penalty": 1.2,
        "penalty_window": 1024,
        "penalty_growth": 0.0,
        "seed": 7,
        "banned": [],
    }
    assert isinstance(run["model"], dict)
    assert run["model"]["fingerprint"] == "f" * 64
    assert (run["id"], run["state"], run["finish_reason"]) == (3, "finished", "goal")
    assert isinstance(run["steps"], list)
    (step,) = run["steps"]
    assert step["sources"] == ["heads", "ngrams"]
    assert set(step) == set(COLUMNS) - {"run"}


def test_json_names_the_acceptance_rate_and_its_part_from_phrases_alone() -> None:
    from_phrases = replace(DRAFTED, depth=2, num_accepted=2, sources=("ngrams", "fourgrams"))
    (run,) = json_of(RunData(RUN, (PLAIN, DRAFTED, from_phrases)))
    assert (run["alpha"], run["beta"]) == (4 / 6, 2 / 6)
    (plain,) = json_of(RunData(RUN, (PLAIN,)))
    assert (plain["alpha"], plain["beta"]) == (None, None)


def test_json_has_the_course_of_a_run_by_thousand_words() -> None:
    steps = [replace(DRAFTED, num_words=number + 1, step_ms=30.0) for number in range(1_200)]
    (run,) = json_of(RunData(RUN, tuple(steps)))
    assert run["course"] == [
        {"words": words, "tokens_per_pass": 3.0, "ms_per_token": 10.0} for words in (1_000, 1_200)
    ]
    server = replace(RUN, model=ModelIdentity("far", "f" * 64, ON_SERVER, 1, "x"))
    assert [run["course"] for run in json_of(RunData(server, tuple(steps)))] == [None]


def test_a_run_that_has_no_records_is_in_the_json_and_not_in_the_csv() -> None:
    bare = RunData(replace(RUN, model=None, finish_reason=None), ())
    assert csv_of(bare) == ",".join(COLUMNS) + "\r\n"
    assert [(run["model"], run["steps"]) for run in json_of(bare)] == [(None, [])]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@sum", "\tx"])
def test_a_text_is_no_formula_to_a_spreadsheet(text: str) -> None:
    step = replace(DRAFTED, sources=(cast("Source", text),))
    (row,) = csv.DictReader(io.StringIO(csv_of(RunData(RUN, (step,))), newline=""))
    assert row["sources"] == f"'{text}"


@given(st.lists(STEPS, max_size=10))
def test_both_say_the_same_and_figures_can_be_worked_out_of_them(steps: list[StepRecord]) -> None:
    data = RunData(RUN, tuple(steps))
    rows = list(csv.DictReader(io.StringIO(csv_of(data, data), newline="")))
    assert len(rows) == 2 * len(steps)
    first, second = json_of(data, data)
    assert first == second
    assert isinstance(first["steps"], list)
    for row, step in zip(rows, first["steps"], strict=False):
        for column in set(COLUMNS) - {"run", "sources"}:
            assert row[column] == ("" if step[column] is None else str(step[column]))
        assert row["sources"].split() == step["sources"]
    depth = sum(int(row["depth"]) for row in rows)
    accepted = sum(int(row["accepted"]) for row in rows if row["depth"] != "0")
    drafted = [one for one in steps if one.depth]
    assert accepted == 2 * sum(one.num_accepted for one in drafted)
    assert depth == 2 * sum(one.depth for one in drafted)
