"""The law within each form of the cache: plain, accelerated, re-read, resumed, kept runs write one text."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import torch
from torch import Tensor

from quire_engine.api.config import PLAIN, CacheForm, DraftingConfig, Dtype, ModelConfig
from quire_engine.api.messages import CacheKept, KeepCache, StartGeneration
from quire_engine.api.queries import MeasureMemory, MemoryMeasured, ScoreText, TextScored
from quire_engine.cache import kv_formats
from quire_engine.engine import LoadedModel, load_model
from quire_engine.forward import self_test
from quire_engine.forward.pass_runner import PassRunner
from tests.engine import worded
from tests.engine.desk import FAST, FLOATS, Desk, assert_same_bits, passes_of, resume, start
from tests.engine.worded import text_of, words

OTHERS: list[CacheForm] = ["float8", "computer"]
PARTIAL = DraftingConfig("tokenswift", ("partial",), partial_budget=64)


class Models:
    """Models of one folder, each loaded once; `fresh` gives one in a form, whose memory nobody has used."""

    def __init__(self, folder: Path) -> None:
        self.loaded = cache(self._load)
        self.folder = folder

    def _load(self, dtype: Dtype, form: CacheForm = "full", context: int = 0) -> LoadedModel:
        return load_model(ModelConfig(str(self.folder), dtype, 8, 1, context=context, cache=form))

    def fresh(self, dtype: Dtype, form: CacheForm, context: int = 0) -> LoadedModel:
        loaded = self.loaded(dtype, "full", context)
        old = passes_of(loaded)
        target = PassRunner(old.network, old.width, old.context_length, form=form)
        target.prefill([1])  # a pass tells the store its shapes, as loading does
        target.reset()
        identity = replace(loaded.description.identity, cache="float8" if form == "float8" else "")
        return replace(loaded, target=target, description=replace(loaded.description, identity=identity))


@pytest.fixture(scope="module")
def models(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Models:
    return Models(worded.save("llama", tmp_path_factory.mktemp("worded") / "model"))


def from_afar(rows: Tensor, device: torch.device) -> Tensor:
    """Bring rows as from another device: a copy of its own."""
    return rows.clone(memory_format=torch.contiguous_format).to(device)


@pytest.fixture(autouse=True)
def far_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kv_formats, "brought", from_afar)


# ---------------------------------------------------------------- the law
@pytest.mark.sliced
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("form", OTHERS)
def test_plain_accelerated_and_resumed_runs_are_one(models: Models, dtype: Dtype, form: CacheForm) -> None:
    plain = Desk(models.fresh(dtype, form))
    wanted = plain.run(start(words(120)), 30)
    for drafting in (FAST, PARTIAL):
        fast = Desk(models.fresh(dtype, form))
        written = fast.run(start(words(120), drafting), 20)
        written += fast.run(resume(words(120), written, drafting=drafting), 10)  # paused, and continued
        assert written[:30] == wanted[:30]
        assert_same_bits(plain.snapshot(149), fast.snapshot(149))
    again = Desk(models.fresh(dtype, form))  # as after a crash: everything is read again
    rest = again.run(resume(words(120), wanted[:15], drafting=FAST), 15)
    assert (wanted[:15] + rest)[:30] == wanted[:30]
    assert_same_bits(plain.snapshot(149), again.snapshot(149))
    more = again.run(resume(words(120), wanted[:10], drafting=PLAIN), 10)  # taken back, and continued
    assert wanted[:10] + more == wanted[:20]


@pytest.mark.parametrize("form", OTHERS)
def test_a_text_that_outgrows_the_context_rolls_over_as_before(models: Models, form: CacheForm) -> None:
    plain, fast = (Desk(models.fresh("bfloat16", form, 256)) for _ in range(2))
    wanted = plain.run(start(words(240)), 24)
    assert plain.loaded.target.length < 240
    assert fast.run(start(words(240), FAST), 24)[:24] == wanted


@pytest.mark.parametrize("form", OTHERS)
def test_a_resume_file_is_used_but_never_in_another_format(
    models: Models, form: CacheForm, tmp_path: Path
) -> None:
    file = str(tmp_path / "run.cache")
    desk = Desk(models.fresh("bfloat16", form))
    wanted = desk.run(start(words(120)), 20)
    written = Desk(models.fresh("bfloat16", form))
    first = written.run(start(words(120)), 10)
    kept = written.runs.keep_cache(KeepCache(1, file))
    assert isinstance(kept, CacheKept)
    again = Desk(models.fresh("bfloat16", form))
    rest = again.run(replace(resume(words(120), first), cache_file=file), 10)
    assert again.started.num_reused == 129
    assert first + rest == wanted
    full = Desk(models.fresh("bfloat16", "full"))
    full.run(replace(resume(words(120), first), cache_file=file), 1)
    assert (full.started.num_reused == 0) == (form == "float8")  # what was only moved is the same


@pytest.mark.parametrize("dtype", FLOATS)
def test_in_the_memory_of_the_computer_it_is_the_very_same_text(models: Models, dtype: Dtype) -> None:
    here, there = Desk(models.fresh(dtype, "full")), Desk(models.fresh(dtype, "computer"))
    assert here.run(start(words(120), FAST), 20) == there.run(start(words(120), FAST), 20)
    assert_same_bits(here.snapshot(), there.snapshot())
    assert here.loaded.description.identity == there.loaded.description.identity


def test_eight_bits_are_another_cache_and_the_record_says_so(models: Models) -> None:
    full, small = Desk(models.fresh("float32", "full")), Desk(models.fresh("float32", "float8"))
    for desk in (full, small):
        desk.run(start(words(120)), 1)
    assert not any(torch.equal(a, b) for a, b in zip(full.snapshot(120), small.snapshot(120), strict=True))
    identities = [desk.loaded.description.identity for desk in (full, small)]
    assert [identity.cache for identity in identities] == ["", "float8"]
    assert replace(identities[1], cache="") == identities[0]


# ---------------------------------------------------------------- what is told of it
def test_a_model_says_how_much_less_it_takes(models: Models) -> None:
    full, small, far = (models.loaded("float32", form).description for form in ("full", *OTHERS))
    assert (full.cache, small.cache, far.cache) == ("full", "float8", "computer")
    assert full.cache_bytes_per_token == small.cache_bytes_per_token  # of a file
    heads, dim, layers = 2, 16, 2
    assert full.cache_bytes_per_token == 2 * layers * heads * dim * 4
    assert small.held_bytes_per_token == 2 * layers * heads * (dim + 1)
    assert full.memory_bytes(2000) - small.memory_bytes(2000) == 2048 * (512 - 136)
    assert all(one.reproducible for one in (full, small, far))


@pytest.mark.parametrize("form", OTHERS)
def test_queries_are_answered_in_the_form_of_the_run(models: Models, form: CacheForm) -> None:
    from quire_engine.answers.replies import measure_memory, score_text

    desk = Desk(models.fresh("float32", form))
    desk.run(StartGeneration(1, text_of(words(200)), start(words(2)).sampling, start(words(2)).goal), 1)
    query = ScoreText(text_of(words(200)), f" {text_of(words(20, seed=3))}")
    fresh = list(score_text(desk.loaded, query, None))[-1]
    copied = list(score_text(desk.loaded, query, desk.runs.last_text))[-1]
    assert isinstance(fresh, TextScored)
    assert isinstance(copied, TextScored)
    pairs = zip(fresh.tokens, copied.tokens, strict=True)
    assert all(abs(a.probability - b.probability) < 1e-3 for a, b in pairs)
    (memory,) = measure_memory(desk.loaded, MeasureMemory())
    assert isinstance(memory, MemoryMeasured)
    assert memory.cache_bytes == desk.loaded.target.store.num_bytes > 0


def test_a_form_in_which_rows_disagree_is_not_called_reproducible(
    models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, folder = self_test.run_self_test, models.folder

    def doubtful(runner: object, *arguments: object, **options: object) -> object:
        found = usual(runner, *arguments, **options)  # type: ignore[arg-type]
        form = getattr(runner, "form", "")
        return replace(found, matches=form != "float8", reproducible=form != "float8")

    monkeypatch.setattr(self_test, "run_self_test", doubtful)
    loaded = load_model(ModelConfig(str(folder), "float32", 8, 1, cache="float8"))
    assert not loaded.description.reproducible
