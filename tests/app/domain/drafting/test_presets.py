"""Presets: names, JSON, and the careful variant."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quire.domain.drafting.presets import (
    BALANCED,
    BUILT_IN,
    FAITHFUL,
    MAX_NAME_CHARS,
    MAX_PRESETS,
    Preset,
    by_name,
    careful,
    checked_name,
    dumped,
    for_model,
    free_name,
    parsed,
    preset_named,
    restart_reason,
    sampling_from,
    sampling_values,
    with_earlier,
    with_preset,
)
from quire.errors import WriterProblem
from quire_engine.api.config import SamplingConfig
from quire_engine.api.sampling_scale import REFERENCE, SamplingScale, scaled
from quire_engine.api.user_message import UserMessage

GOTHIC = Preset("Gothic", SamplingConfig(temperature=1.3, top_k=40), "Fog.")

samplings = st.builds(
    SamplingConfig,
    temperature=st.floats(0.001, 1000),
    top_k=st.integers(0, 10**6),
    top_p=st.floats(0, 1, exclude_min=True),
    min_p=st.floats(0, 1, exclude_max=True),
    eta=st.floats(0, 1, exclude_max=True),
    repetition_penalty=st.floats(1, 1000),
    penalty_window=st.integers(0, 10**6),
)


def test_only_the_presets_of_quire_have_a_name_in_each_language() -> None:
    assert all(isinstance(one.title, UserMessage) and one.title == one.name for one in BUILT_IN)
    assert GOTHIC.title == "Gothic"
    assert not isinstance(GOTHIC.title, UserMessage)


def test_the_three_are_there_and_balanced_is_what_drafts_were_made_with() -> None:
    assert [one.name for one in BUILT_IN] == ["Faithful", "Balanced", "Lively"]
    assert all(one.built_in and one.note for one in BUILT_IN)
    assert SamplingConfig() in with_earlier(BALANCED.sampling)
    assert all(one.sampling.penalty_growth > 0 for one in BUILT_IN)


def test_the_bold_ones_are_bolder() -> None:
    temperatures = [one.sampling.temperature for one in BUILT_IN]
    cuts = [one.sampling.min_p for one in BUILT_IN]
    assert temperatures == sorted(temperatures)
    assert cuts == sorted(cuts, reverse=True)


@example(SamplingConfig(repetition_penalty=1000.0))
@example(SamplingConfig(repetition_penalty=999.9))
@given(samplings)
def test_careful_repeats_itself_less_and_keeps_the_rest(sampling: SamplingConfig) -> None:
    mended = careful(sampling)
    most = 1000.0  # of the engine
    assert mended.repetition_penalty > sampling.repetition_penalty or mended.repetition_penalty in (
        1.35,
        most,
    )
    assert mended.repetition_penalty >= 1.35
    assert mended.penalty_window >= max(2048, sampling.penalty_window)
    rest = {"repetition_penalty": 1.0, "penalty_window": 0}
    assert replace(mended, **rest) == replace(sampling, **rest)  # type: ignore[arg-type]


@given(samplings, st.text(min_size=1, max_size=MAX_NAME_CHARS).filter(str.strip), st.text(max_size=100))
def test_a_preset_survives_its_file(sampling: SamplingConfig, name: str, note: str) -> None:
    name = " ".join(name.split())
    preset = Preset(name, sampling, note)
    assert parsed(dumped((preset,)), "it") == (preset,)


@given(samplings, st.integers(0, 2**63 - 1))
def test_a_run_goes_on_with_its_settings_and_their_careful_form_and_no_others(
    sampling: SamplingConfig, seed: int
) -> None:
    chosen = replace(sampling, banned=("a testament to",))
    last = replace(chosen, seed=seed)
    assert restart_reason(chosen, last) == restart_reason(chosen, careful(last)) == ""
    for banned in ((), ("a testament",), ("a testament to", "suddenly")):
        assert "words to avoid" in restart_reason(chosen, replace(last, banned=banned))
        assert "words to avoid" in restart_reason(chosen, careful(replace(last, banned=banned)))
    other = replace(sampling, top_k=sampling.top_k + 1, banned=())
    assert "You changed the preset" in restart_reason(chosen, replace(other, seed=seed))


def test_a_run_of_an_earlier_faithful_goes_on_and_keeps_the_name() -> None:
    earlier = SamplingConfig(
        temperature=0.8, min_p=0.15, repetition_penalty=1.15, penalty_window=1024, seed=7
    )
    banning = replace(FAITHFUL.sampling, banned=("suddenly",))
    for last in (earlier, careful(earlier)):
        assert restart_reason(banning, replace(last, banned=("suddenly",))) == ""
        assert "words to avoid" in restart_reason(banning, last)
        assert "You changed the preset" in restart_reason(BALANCED.sampling, last)
    constant = replace(FAITHFUL.sampling, penalty_growth=0.0)
    assert with_earlier(banning) == (FAITHFUL.sampling, constant, replace(earlier, seed=0))
    assert with_earlier(GOTHIC.sampling) == (GOTHIC.sampling,)


def test_no_preset_bans_anything() -> None:
    banning = replace(GOTHIC.sampling, banned=("suddenly",))
    assert "suddenly" not in dumped((Preset("x", banning),))
    assert sampling_from(sampling_values(banning)) == GOTHIC.sampling


def test_no_seed_leaves_quire() -> None:
    assert "seed" not in dumped((Preset("x", SamplingConfig(seed=7)),))
    assert sampling_from(sampling_values(SamplingConfig(seed=7))) == SamplingConfig()


def test_what_a_file_does_not_name_is_as_usual() -> None:
    assert sampling_from({"temperature": 1}) == SamplingConfig(temperature=1.0)


def file(**changes: object) -> str:
    content: dict[str, Any] = json.loads(dumped((GOTHIC,)))
    return json.dumps(content | changes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Choose one exported by Quire"),
        ("[1, 2]", "Choose one exported by Quire"),
        ("[" * 100_000, "Choose one exported by Quire"),
        ('{"format": "recipe"}', "Choose one exported by Quire"),
        (file(version=2), "newer version of Quire"),
        (file(presets={}), "Quire can't read the presets in"),
        (file(presets=[{}] * (MAX_PRESETS + 1)), "Quire can't read the presets in"),
        (file(presets=[{"name": 3}]), "has no name"),
        (file(presets=[{"name": "  "}]), "has no name"),
        (file(presets=[{"name": "A"}]), "settings are no object"),
        (file(presets=[{"name": "A", "sampling": {"seed": 3}}]), "it knows no seed"),
        (file(presets=[{"name": "A", "sampling": {"top_k": 1.5}}]), "whole number"),
        (file(presets=[{"name": "A", "sampling": {"top_k": True}}]), "no number"),
        (file(presets=[{"name": "A", "sampling": {"top_k": 10**400}}]), "too large"),
        (file(presets=[{"name": "A", "sampling": {"temperature": float("nan")}}]), "too large"),
        (file(presets=[{"name": "A", "sampling": {"temperature": float("inf")}}]), "too large"),
        (file(presets=[{"name": "A", "sampling": {"top_p": 0}}]), "top_p must be above 0"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(WriterProblem, match=said):
        parsed(text, "x.json")


@given(st.text(max_size=200))
def test_no_file_crashes_the_reader(text: str) -> None:
    with pytest.raises(WriterProblem):
        parsed(text, "x.json")


def test_own_presets_are_added_and_replaced_by_name() -> None:
    own = with_preset((), GOTHIC)
    own = with_preset(own, Preset("gothic ", SamplingConfig(temperature=0.5)))
    assert [(one.name, one.sampling.temperature) for one in own] == [("gothic", 0.5)]
    assert by_name(" GOTHIC", own) == own[0]
    assert by_name("faithful", own) is BUILT_IN[0]
    assert by_name("nothing", own) is None


@pytest.mark.parametrize("name", ["", "   ", "balanced", "x" * (MAX_NAME_CHARS + 1)])
def test_some_names_cannot_be_taken(name: str) -> None:
    with pytest.raises(WriterProblem):
        checked_name(name)


def test_there_is_an_end_to_presets() -> None:
    own = tuple(Preset(f"n{number}", SamplingConfig()) for number in range(MAX_PRESETS))
    with pytest.raises(WriterProblem, match="Delete one first"):
        with_preset(own, GOTHIC)
    assert len(with_preset(own, replace(GOTHIC, name="n3"))) == MAX_PRESETS


def test_a_name_that_is_taken_gets_a_number() -> None:
    assert free_name("Lively", ()) == "Lively 2"
    assert free_name("Gothic", (GOTHIC, replace(GOTHIC, name="Gothic 2"))) == "Gothic 3"
    assert (
        len(free_name("x" * MAX_NAME_CHARS, (replace(GOTHIC, name="x" * MAX_NAME_CHARS),))) <= MAX_NAME_CHARS
    )


# ---------------------------------------------------------------- presets follow the model
LOUD = SamplingScale(18.4, 1.1)


def test_built_in_presets_follow_the_model_and_a_writers_own_do_not() -> None:
    for preset in BUILT_IN:
        chosen = replace(preset.sampling, seed=7, banned=("very",))
        followed = for_model(chosen, LOUD)
        assert 1 < followed.repetition_penalty < chosen.repetition_penalty
        assert followed.temperature > chosen.temperature
        assert (followed.seed, followed.banned, followed.min_p) == (7, ("very",), chosen.min_p)
        assert 1 < for_model(careful(chosen), LOUD).repetition_penalty < careful(chosen).repetition_penalty
        assert for_model(chosen, None) == for_model(chosen, REFERENCE) == chosen
    assert for_model(GOTHIC.sampling, LOUD) == GOTHIC.sampling


def test_the_presets_keep_their_order_with_any_model() -> None:
    for scale in (LOUD, SamplingScale(3.0, 0.9), SamplingScale(60.0, 1.6)):
        followed = [for_model(preset.sampling, scale) for preset in BUILT_IN]
        assert [one.temperature for one in followed] == sorted(one.temperature for one in followed)
        penalties = [for_model(one.sampling, scale).repetition_penalty for one in (BALANCED, FAITHFUL)]
        assert penalties == sorted(penalties)


@pytest.mark.parametrize("preset", BUILT_IN, ids=[one.name for one in BUILT_IN])
@pytest.mark.parametrize("form", [lambda sampling: sampling, careful], ids=["usual", "careful"])
def test_a_run_continues_whether_or_not_its_settings_followed_the_model(preset: Preset, form: Any) -> None:
    """One that was started before the model was measured, and one that was started after it."""
    constant = form(replace(preset.sampling, penalty_growth=0.0))  # as before penalties could grow
    earlier = (constant, scaled(constant, LOUD))
    for last in (form(preset.sampling), for_model(form(preset.sampling), LOUD), *earlier):
        last = replace(last, seed=99)
        if form is not careful:
            assert preset_named(last, BUILT_IN) == preset.name
        assert restart_reason(preset.sampling, last, LOUD) == ""
        nudged = replace(last, temperature=last.temperature + 0.01)  # measured by another version of Quire
        is_followed = last.repetition_penalty != form(preset.sampling).repetition_penalty
        assert (restart_reason(preset.sampling, nudged, LOUD) == "") == is_followed
        assert "preset" in restart_reason(GOTHIC.sampling, last, LOUD)


def test_a_run_with_settings_that_followed_the_model_keeps_the_presets_name() -> None:
    for scale in (LOUD, SamplingScale(12.3, 1.0), SamplingScale(4.4, 1.15)):
        for preset in BUILT_IN:
            assert preset_named(replace(for_model(preset.sampling, scale), seed=3), BUILT_IN) == preset.name
    assert preset_named(GOTHIC.sampling, BUILT_IN) == ""
    assert preset_named(replace(BALANCED.sampling, temperature=1.1), BUILT_IN) == ""
