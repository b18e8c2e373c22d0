"""Questions beside a run: right answers, and not one bit of a run is another for them."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pytest
import torch
from transformers.modeling_utils import PreTrainedModel

from quire_engine.api.config import PLAIN, Goal, ModelConfig, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import GenerationStarted, ResumeGeneration, StartGeneration, StepCompleted
from quire_engine.api.queries import (
    AgreementChecked,
    CheckAgreement,
    CountTokens,
    EngineQuery,
    MeasureMemory,
    MemoryMeasured,
    PromptSource,
    PromptViewed,
    QueryProgressed,
    ScoreText,
    TextScored,
    TokensCounted,
    ViewPrompt,
)
from quire_engine.decoding import gumbel_noise
from quire_engine.decoding.sampling import Ids
from quire_engine.engine import Engine
from quire_engine.runtime.loaded_model import load_model
from tests.engine.conftest import Models
from tests.engine.tiny import CONTEXT, OPENING, SENTENCES

STORY = "".join(SENTENCES)
Kind = TypeVar("Kind")


@pytest.fixture(scope="module")
def engine(llama: Path) -> Engine:
    """An engine with the tiny Llama in float32."""
    made = Engine()
    made.load(ModelConfig(str(llama), "float32", 8, threads=1))
    return made


def answer(engine: Engine, query: EngineQuery, kind: type[Kind]) -> Kind:
    """Return the answer; before it there is nothing but progress, which grows."""
    *before, last = engine.answer(replace(query, query_id=5))
    fractions = [event.fraction for event in before if isinstance(event, QueryProgressed)]
    assert len(fractions) == len(before)
    assert fractions == sorted(fractions)
    assert all(0 <= fraction <= 1 for fraction in fractions)
    assert isinstance(last, kind)
    assert last.query_id == 5
    return last


# ---------------------------------------------------------------- tokens
def test_tokens_are_counted_one_text_at_a_time(engine: Engine) -> None:
    counted = answer(engine, CountTokens(("", "a", OPENING, OPENING * 3)), TokensCounted)
    assert counted.counts[:2] == (0, 1)
    assert counted.counts[3] >= 3 * counted.counts[2] - 4 > 300


def test_a_prompt_is_shown_as_a_start_would_make_it(engine: Engine) -> None:
    steering = {"front_text": "Mara is a pilot.", "note_text": "[ rain ]", "read_tail": True}
    for story in (STORY, STORY * 3):
        viewed = answer(engine, ViewPrompt(story, **steering), PromptViewed)  # type: ignore[arg-type]
        command = StartGeneration(1, story, SamplingConfig(), Goal(tokens=1), **steering)  # type: ignore[arg-type]
        started = next(iter(engine.run(command)))
        assert isinstance(started, GenerationStarted)
        counts = [
            sum(part.num_tokens for part in viewed.segments if part.origin is origin)
            for origin in PromptSource
        ]
        assert tuple(counts) == started.origins
        assert (viewed.num_left_out, viewed.capacity) == (started.num_left_out, CONTEXT)
        text = "".join(part.text for part in viewed.segments)
        assert text.startswith("Mara is a pilot.\n\n")
        assert text.replace("Mara is a pilot.\n\n", "").replace("[ rain ]\n\n", "") in story
        assert {part.origin for part in viewed.segments} == set(PromptSource)


def test_a_query_without_a_model_is_an_error_message() -> None:
    with pytest.raises(EnvironmentProblem, match="No model is loaded"):
        Engine().answer(CountTokens(("a",)))


# ---------------------------------------------------------------- odds
def library_odds(model: PreTrainedModel, ids: list[int]) -> torch.Tensor:
    """Return the library's own odds of every next token, (tokens, vocab)."""
    model.set_attn_implementation("eager")
    with torch.inference_mode():
        odds: torch.Tensor = model(input_ids=torch.tensor([ids]), use_cache=False).logits[0].softmax(-1)
    return odds


@pytest.mark.parametrize("prompt", [OPENING, "A", ""])
def test_odds_are_the_librarys_own(llama: Path, models: Models, prompt: str) -> None:
    engine = Engine()
    engine.load(ModelConfig(str(llama), "float32", 8, threads=1))
    text = SENTENCES[3] + SENTENCES[4]
    scored = answer(engine, ScoreText(prompt, text, top=7), TextScored)
    loaded = load_model(ModelConfig(str(llama), "float32", 8, threads=1))
    ids = loaded.tokenizer.encode(prompt + text).ids
    assert scored.num_context + len(scored.tokens) == len(ids)
    odds = library_odds(models("llama", torch.float32), ids)
    for place, token in enumerate(scored.tokens, start=scored.num_context):
        assert token.piece == text[token.start : token.end]
        if place == 0:
            assert (token.probability, token.rank, token.alternatives) == (0, 0, ())
            continue
        own = odds[place - 1, ids[place]]
        assert math.isclose(token.probability, float(own), rel_tol=1e-3)
        assert token.rank is not None
        assert abs(token.rank - 1 - int((odds[place - 1] > own).sum())) <= 1
        best = [other.probability for other in token.alternatives]
        assert best == pytest.approx(odds[place - 1].topk(7).values.tolist(), rel=1e-3)
    assert "".join(token.piece for token in scored.tokens).startswith(text[:20])


def test_what_the_model_holds_spares_reading_and_changes_neither_odds_nor_run(engine: Engine) -> None:
    engine.forget()
    query = ScoreText(OPENING + SENTENCES[3], SENTENCES[4])
    wanted = answer(engine, query, TextScored)
    goal = Goal(tokens=30)
    command = StartGeneration(1, OPENING + SENTENCES[3], SamplingConfig(seed=4), goal)
    whole = [event for event in engine.run(command) if isinstance(event, StepCompleted)]
    prompt_ids: tuple[int, ...] = ()
    written: tuple[int, ...] = ()
    for event in engine.run(replace(command, goal=goal)):
        if isinstance(event, GenerationStarted):
            prompt_ids = event.prompt_ids
        if isinstance(event, StepCompleted):
            written += event.token_ids
        if len(written) == 12:
            break
    got = answer(engine, query, TextScored)
    assert [token.rank for token in got.tokens] == [token.rank for token in wanted.tokens]
    answer(engine, CheckAgreement(OPENING, num_tokens=5), AgreementChecked)
    resumed = list(engine.run(ResumeGeneration(1, prompt_ids, written, command.sampling, goal)))
    assert isinstance(resumed[0], GenerationStarted)
    assert resumed[0].num_reused == len(prompt_ids) + 12 - 1
    rest = tuple(t for event in resumed if isinstance(event, StepCompleted) for t in event.token_ids)
    assert written + rest == tuple(token for event in whole for token in event.token_ids)


def test_of_a_long_prompt_what_fits_before_the_text_is_read(engine: Engine) -> None:
    scored = answer(engine, ScoreText(STORY * 9, SENTENCES[0]), TextScored)
    assert scored.num_context + len(scored.tokens) == CONTEXT
    with pytest.raises(EnvironmentProblem, match="Select less"):
        answer(engine, ScoreText("A", STORY * 9), TextScored)
    with pytest.raises(EnvironmentProblem, match="Select less"):
        answer(engine, ScoreText("A", STORY * 99), TextScored)
    with pytest.raises(EnvironmentProblem, match="Select a few words first"):
        answer(engine, ScoreText("A", ""), TextScored)
    with pytest.raises(ValueError, match="top"):
        ScoreText("A", "B", top=101)


# ---------------------------------------------------------------- agreement
def test_both_ways_agree_here(engine: Engine) -> None:
    checked = answer(engine, CheckAgreement(STORY, SamplingConfig(seed=3), 60), AgreementChecked)
    assert (checked.num_equal, checked.num_checked, checked.first_difference) == (60, 60, None)
    assert checked.plain_s > 0 < checked.accelerated_s


def test_a_difference_is_found_and_its_place_reported(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dice that fall otherwise from some draw on: as a computer would that does not repeat its bits."""
    draws = [0]

    def other(seed: int, index: int, ids: Ids) -> npt.NDArray[np.float64]:
        draws[0] += 1
        return gumbel_noise.gumbel(seed + (draws[0] > 20 + 8), index, ids)

    monkeypatch.setattr("quire_engine.decoding.sampling.gumbel", other)
    query = CheckAgreement(STORY, SamplingConfig(seed=3), 20, PLAIN)
    checked = answer(engine, query, AgreementChecked)
    assert checked.first_difference is not None
    assert checked.first_difference >= 8
    assert checked.num_equal == checked.first_difference < checked.num_checked == 20


# ---------------------------------------------------------------- memory
def test_memory_is_measured_with_and_without_a_model(engine: Engine, llama: Path) -> None:
    bare = answer(Engine(), MeasureMemory(), MemoryMeasured)
    assert (bare.weight_bytes, bare.cache_bytes, bare.is_on_gpu) == (0, 0, False)
    measured = answer(engine, MeasureMemory(), MemoryMeasured)
    described = engine.load(ModelConfig(str(llama), "float32", 8, threads=1))
    assert measured.weight_bytes == described.weight_bytes > 0
    assert measured.cache_bytes > 0
    assert measured.process_bytes > 1 << 20
    assert 0 <= bare.device_free_bytes <= bare.device_total_bytes


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
def test_memory_of_a_gpu_is_measured(llama: Path) -> None:
    engine = Engine()
    described = engine.load(ModelConfig(str(llama), "bfloat16", device="cuda"))
    measured = answer(engine, MeasureMemory(), MemoryMeasured)
    assert measured.is_on_gpu
    assert measured.device_own_bytes >= described.weight_bytes
    assert measured.device_own_bytes < measured.device_total_bytes
    assert described.workspace_bytes > 0
