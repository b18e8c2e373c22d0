"""What a model has read, in a file beside the project; what a run belongs to; what may go wrong in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from quire_engine.api.config import Dtype, Goal
from quire_engine.api.known_texts import CountedText, KnownText, TextsCounted
from quire_engine.api.messages import (
    CacheKept,
    CacheNotKept,
    DraftingTroubled,
    KeepCache,
    ReadingProgressed,
    StepCompleted,
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
@pytest.mark.sliced
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
    texts = ("w5 \ud800", "", text_of(words(100) + wanted))
    command = replace(start(words(100), FAST), known_texts=tuple(map(KnownText, texts)))
    assert Desk(models.fresh("float32")).run(command, 12)[:12] == wanted


# ---------------------------------------------------------------- stored phrases
def counted_in(desk: Desk) -> list[CountedText]:
    return [text for event in desk.events if isinstance(event, TextsCounted) for text in event.texts]


def test_stored_phrases_spare_the_counting_and_change_no_word(models: Models) -> None:
    wanted = Desk(models.fresh("float32")).run(start(words(100)), 24)
    text = text_of((words(100) + wanted) * 2)
    first = Desk(models.fresh("float32"))
    assert first.run(replace(start(words(100), FAST), known_texts=(KnownText(text),)), 24)[:24] == wanted
    (found,) = counted_in(first)
    assert (found.place, found.num_tokens) == (0, len(text.split()))
    again = Desk(models.fresh("float32"))
    stored = replace(start(words(100), FAST), known_texts=(KnownText(text, found.data),))
    assert again.run(stored, 24)[:24] == wanted
    assert counted_in(again) == []
    # every phrase in them came twice, so that the drafts are those of the text itself
    taken = [
        [event.token_ids for event in desk.events if isinstance(event, StepCompleted)]
        for desk in (first, again)
    ]
    assert taken[0] == taken[1]
    assert max(map(len, taken[0])) > 1


@pytest.mark.parametrize("data", [b"QNG1", b"\0" * 64, b"QNG9" + bytes(60)])
def test_stored_phrases_of_no_use_are_counted_anew(models: Models, data: bytes) -> None:
    wanted = Desk(models.fresh("float32")).run(start(words(100)), 12)
    desk = Desk(models.fresh("float32"))
    known = (KnownText("w5 w6"), KnownText("w5 w6 w5 w6", data))
    assert desk.run(replace(start(words(100), FAST), known_texts=known), 12)[:12] == wanted
    assert [text.place for text in counted_in(desk)] == [0, 1]


def test_phrases_that_are_stored_meanwhile_make_no_new_session(models: Models) -> None:
    desk = Desk(models.fresh("float32"))
    written = desk.run(replace(start(words(90), FAST), known_texts=(KnownText("w5 w6 w5 w6"),)), 8)
    (found,) = counted_in(desk)
    known = (KnownText("w5 w6 w5 w6", found.data),)
    session = desk.runs._last
    desk.run(replace(resume(words(90), written, drafting=FAST), known_texts=known), 5)
    assert session is not None
    assert desk.runs._last is not None
    assert desk.runs._last.session is session.session
