"""A text that may not end does not end, whatever the model calls its last token."""

from __future__ import annotations

import json
from pathlib import Path

from quire_engine.api.config import Goal, ModelConfig, SamplingConfig
from quire_engine.api.messages import FinishReason, GenerationFinished, StartGeneration, StepCompleted
from quire_engine.engine import Engine
from tests.engine.tiny import OPENING

ENDS = [7, 8, 20, 33]


def written(folder: Path, goal: Goal) -> tuple[list[int], FinishReason]:
    engine = Engine()
    engine.load(ModelConfig(str(folder), "float32", threads=1))
    sampling = SamplingConfig(temperature=3.0, min_p=0.0, repetition_penalty=1.0)  # every token comes up
    events = list(engine.run(StartGeneration(1, OPENING, sampling, goal)))
    last = events[-1]
    assert isinstance(last, GenerationFinished)
    return [
        token for each in events if isinstance(each, StepCompleted) for token in each.token_ids
    ], last.reason


def test_every_end_of_a_list_is_forbidden_while_the_goal_is_open(own_llama: Path) -> None:
    """Some tokenizers call the mark that ends a turn ordinary text."""
    (own_llama / "generation_config.json").write_text(json.dumps({"eos_token_id": ENDS}), encoding="utf-8")
    tokens, reason = written(own_llama, Goal(tokens=300))
    assert (len(tokens), reason) == (300, FinishReason.GOAL)
    assert not set(ENDS) & set(tokens)
    ended, reason = written(own_llama, Goal(tokens=300, stop_at_end=True))
    assert reason is FinishReason.END_OF_TEXT
    assert len(ended) < 300
    assert not set(ENDS) & set(ended)  # nor is the mark itself part of the text
