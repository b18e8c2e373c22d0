"""What a model has read, in a file beside the project; what a run belongs to; what may go wrong in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from quire_engine.api.config import Dtype, Goal
from quire_engine.api.messages import (
    CacheKept,
    CacheNotKept,
    DraftingTroubled,
    KeepCache,
    ReadingProgressed,
)
from quire_engine.decoding.context_window import DEFAULT_CONTEXT_RULE
from quire_engine.drafting.background_ngrams import tokenizer_digest
from quire_engine.drafting.ngram_drafter import NgramDrafter
from quire_engine.runtime.run_manager import Runs
from tests.engine import worded
from tests.engine.desk import FAST, FORMATS, Desk, Models, assert_same_bits, resume, start
from tests.engine.worded import text_of, words


@pytest.fixture(scope="module")
def models(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Models:
    """Models that hold long texts."""
    return Models(worded.save("llama", tmp_path_factory.mktemp("worded") / "model"))


# ---------------------------------------------------------------- the side file
@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize(("context", "count"), [(0, 40), (256, 200)], ids=["whole", "rolled over"])
def test_a_kept_cache_spares_the_reading(
    models: Models, tmp_path: Path, dtype: Dtype, context: int, count: int
) -> None:
    file = tmp_path / "run.cache"
    desk = Desk(models.fresh(dtype, context))
    written = desk.run(start(words(150), FAST), count)
    kept = desk.runs.keep_cache(KeepCache(1, str(file)))
    num_bytes = file.stat().st_size
    assert kept == CacheKept(1, str(file), num_bytes)
    size = desk.loaded.description.cache_bytes_per_token * desk.loaded.target.length
    assert size < num_bytes < size + 4096
    cache = desk.snapshot()
    rest = desk.run(resume(words(150), written, drafting=FAST), 30)
    later = Desk(models.fresh(dtype, context))
    command = replace(resume(words(150), written, drafting=FAST), cache_file=str(file))
    assert later.run(command, 30)[:30] == rest[:30]
    assert (later.num_read, later.checked, later.started.notice) == (0, [], "")
    assert later.started.num_reused == cache[0].shape[1]
    assert_same_bits(later.snapshot(), desk.snapshot())
    assert_same_bits(later.snapshot(), cache)


def test_a_cache_that_belongs_to_something_else_is_left_aside(models: Models, tmp_path: Path) -> None:
    file = tmp_path / "run.cache"
    desk = Desk(models.fresh("float32"))
    written = desk.run(start(words(150)), 20)
    assert isinstance(desk.runs.keep_cache(KeepCache(1, str(file))), CacheKept)
    right = replace(resume(words(150), written), cache_file=str(file))
    others = [
        (replace(right, generated_ids=written[:-1]), models.fresh("float32")),
        (replace(right, generated_ids=(*written[:-1], 5)), models.fresh("float32")),
        (replace(right, prefill_plan=(100, 49)), models.fresh("float32")),
        (right, models.fresh("bfloat16")),
        (right, models.fresh("float32", 256)),
        (right, models.fresh("float32", 0, False)),
        (replace(right, cache_file=str(tmp_path / "none")), models.fresh("float32")),
        (replace(right, cache_file=str(tmp_path)), models.fresh("float32")),
    ]
    for command, loaded in others:
        other = Desk(loaded)
        got = other.run(command, 5)
        assert other.started.num_reused == 0
        assert "the continuation is the same" in other.started.notice
        other.runs = Runs(loaded)
        assert got == other.run(replace(command, cache_file=""), 5)


def test_only_the_run_in_memory_is_kept(models: Models, tmp_path: Path) -> None:
    desk = Desk(models.fresh("float32"))
    none = desk.runs.keep_cache(KeepCache(1, str(tmp_path / "a")))
    desk.run(start(words(50)), 3)
    other = desk.runs.keep_cache(KeepCache(2, str(tmp_path / "a")))
    nowhere = desk.runs.keep_cache(KeepCache(1, str(tmp_path / "no folder" / "a")))
    for said in (none, other, nowhere):
        assert isinstance(said, CacheNotKept)
        assert said.message.endswith(".")
    assert list(tmp_path.iterdir()) == []
    for event in desk.runs.run(start(words(1500))):
        if isinstance(event, ReadingProgressed):
            break
    assert isinstance(desk.runs.keep_cache(KeepCache(1, str(tmp_path / "a"))), CacheNotKept)
    assert list(tmp_path.iterdir()) == []


def test_what_was_drafted_beyond_the_goal_is_not_kept(models: Models, tmp_path: Path) -> None:
    for count in range(10, 20):
        desk = Desk(models.fresh("float32"))
        written = desk.run(start(words(100), FAST, Goal(tokens=count)))
        assert isinstance(desk.runs.keep_cache(KeepCache(1, str(tmp_path / "a"))), CacheKept)
        later = Desk(models.fresh("float32"))
        later.run(replace(resume(words(100), written), cache_file=str(tmp_path / "a")), 1)
        assert (later.started.num_reused, later.started.notice) == (99 + count, "")


# ---------------------------------------------------------------- what a run is told to belong to
def test_two_contexts_write_different_texts_and_have_different_identities(models: Models) -> None:
    small, large = models.fresh("float32", 256), models.fresh("float32", 512)
    texts = [Desk(loaded).run(start(words(200)), 90) for loaded in (small, large)]
    assert texts[0] != texts[1]
    assert texts[0][:56] == texts[1][:56]  # until the smaller view is full
    a, b = small.description.identity, large.description.identity
    assert a != b
    assert (a.context_length, b.context_length) == (256, 512)
    assert replace(a, context_length=512) == b
    assert a.rollover == DEFAULT_CONTEXT_RULE
    assert a.tokenizer == tokenizer_digest(models.folder)


def test_a_run_in_trouble_says_so_and_writes_the_same_text(
    models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = Desk(models.fresh("float32")).run(start(words(100)), 12)

    def fail(*_: object) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr(NgramDrafter, "expand", fail)
    desk = Desk(models.fresh("float32"))
    assert desk.run(start(words(100), FAST), 12) == wanted
    (trouble,) = [event for event in desk.events if isinstance(event, DraftingTroubled)]
    assert "a fault" in trouble.message


def test_a_known_text_that_cannot_be_read_is_left_out(models: Models) -> None:
    wanted = Desk(models.fresh("float32")).run(start(words(100)), 12)
    command = replace(start(words(100), FAST), known_texts=("w5 \ud800", "", text_of(words(100) + wanted)))
    assert Desk(models.fresh("float32")).run(command, 12)[:12] == wanted
