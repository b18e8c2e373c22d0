"""A small model beside a large one: loaded with it, refused in a sentence, and it changes no word."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from torch import Tensor

from quire_engine.api.config import PLAIN, SOURCES, DraftingConfig, Goal, ModelConfig, Source
from quire_engine.api.errors import OutOfMemory
from quire_engine.api.load_progress import LoadReport, LoadStage, LoadStopped, unreported
from quire_engine.api.messages import ResumeGeneration, StartGeneration
from quire_engine.catalog.computer_memory import ComputerMemory
from quire_engine.drafting.draft_model import DraftModel
from quire_engine.engine import load_model
from quire_engine.runtime import checked_load, draft_model_loading
from quire_engine.runtime.draft_model_loading import LargeModel
from quire_engine.runtime.loaded_model import LoadedModel, own_cache
from quire_resources import BUILT_IN_MODEL
from tests.engine.desk import SAMPLING, Desk
from tests.engine.folders import edit_tokenizer
from tests.engine.gguf_samples import write_gguf
from tests.engine.tiny import OPENING

ALONE = DraftingConfig("tokenswift", ("draft_model",), (2, 1, 1))
GOAL = Goal(tokens=60)


def loaded_with(
    large: Path, small: Path | str, cache: Path | str = "", report: LoadReport = unreported
) -> LoadedModel:
    return load_model(
        ModelConfig(
            str(large), "float32", 8, threads=1, cache_folder=str(cache), draft_model_folder=str(small)
        ),
        report,
    )


def text_with(loaded: LoadedModel, drafting: DraftingConfig) -> tuple[int, ...]:
    return Desk(own_cache(loaded)).run(StartGeneration(1, OPENING, SAMPLING, GOAL, drafting=drafting))


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What was found out about the models, so that each is tested once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def pair(folders: dict[str, Path], cache: Path) -> LoadedModel:
    """A large model with a small one."""
    return loaded_with(folders["llama"], folders["qwen3"], cache)


def test_it_is_loaded_beside_the_large_model_and_counted(
    pair: LoadedModel, folders: dict[str, Path], cache: Path
) -> None:
    alone, small = loaded_with(folders["llama"], "", cache), pair.draft_model
    assert small is not None
    assert not pair.description.notice
    assert "draft_model" in pair.description.drafters
    assert "draft_model" not in alone.description.drafters
    more = pair.description.memory_bytes(200) - alone.description.memory_bytes(200)
    assert more == small.weight_bytes + small.room_bytes > small.weight_bytes > 0
    assert pair.description.identity == alone.description.identity


def test_the_share_that_is_read_does_not_begin_anew_with_it(folders: dict[str, Path], cache: Path) -> None:
    shares: list[float] = []

    def note(stage: LoadStage, share: float) -> None:
        if stage is LoadStage.WEIGHTS:
            shares.append(share)

    assert loaded_with(folders["llama"], folders["qwen3"], cache, note).draft_model is not None
    assert len(shares) > 2
    assert shares == sorted(shares)


def test_a_draft_with_it_is_the_plain_draft_paused_or_not(pair: LoadedModel) -> None:
    plain = text_with(pair, PLAIN)
    for drafting in (ALONE, DraftingConfig("tokenswift")):
        assert text_with(pair, drafting) == plain
    desk = Desk(own_cache(pair))
    begun = desk.run(StartGeneration(1, OPENING, SAMPLING, GOAL, drafting=ALONE), 20)
    again = ResumeGeneration(1, desk.started.prompt_ids, begun, SAMPLING, GOAL, drafting=ALONE)
    assert begun + desk.run(again) == plain
    assert begun + Desk(own_cache(pair)).run(again) == plain


@pytest.mark.parametrize("is_on", [True, False])
def test_it_is_asked_unless_it_is_switched_off(
    pair: LoadedModel, monkeypatch: pytest.MonkeyPatch, is_on: bool
) -> None:
    assert pair.draft_model is not None
    pair = replace(pair, draft_model=replace(pair.draft_model, pass_ms=0.01))  # here it takes as long
    assert pair.draft_model is not None
    runner, passes = pair.draft_model.runner, list[int]()
    usual = runner.decode

    def counted(token_ids: Sequence[int], parents: Sequence[int]) -> Tensor:
        passes.append(len(token_ids))
        return usual(token_ids, parents)

    monkeypatch.setattr(runner, "decode", counted)
    off: tuple[Source, ...] = tuple(source for source in SOURCES if source != "draft_model" or not is_on)
    text_with(pair, DraftingConfig("tokenswift", without=off, tree=(1,)))
    assert bool(passes) is is_on


def test_one_that_splits_text_differently_guesses_in_its_own_pieces(
    folders: dict[str, Path], cache: Path
) -> None:
    loaded = loaded_with(folders["llama"], BUILT_IN_MODEL, cache)
    assert loaded.draft_model is not None
    assert loaded.draft_model.translation is not None
    assert "draft_model" in loaded.description.drafters
    assert text_with(loaded, ALONE) == text_with(loaded, PLAIN)


def test_one_whose_pieces_are_not_bytes_is_refused_in_a_sentence(
    folders: dict[str, Path], cache: Path, tmp_path: Path
) -> None:
    small = Path(shutil.copytree(folders["qwen3"], tmp_path / "small"))
    edit_tokenizer(small, lambda content: content.update(decoder={"type": "Fuse"}))
    loaded = loaded_with(folders["llama"], small, cache)
    assert loaded.draft_model is None
    assert "draft_model" not in loaded.description.drafters
    assert loaded.description.notice.endswith(
        "split text into different tokens. Choose a smaller model of the same family."
    )
    assert "drafts go on without it" in loaded.description.notice
    assert len(text_with(loaded, DraftingConfig("tokenswift"))) == GOAL.tokens


@pytest.mark.parametrize("damage", ["gone", "no weights", "no tokenizer"])
def test_one_that_is_not_there_or_damaged_is_left_out(
    folders: dict[str, Path], cache: Path, tmp_path: Path, damage: str
) -> None:
    small = tmp_path / "small"
    if damage != "gone":
        shutil.copytree(folders["qwen3"], small)
        (small / ("model.safetensors" if damage == "no weights" else "tokenizer.json")).unlink()
    loaded = loaded_with(folders["llama"], small, cache)
    assert loaded.draft_model is None
    assert loaded.description.notice.startswith("small can't draft ahead")


def test_one_that_memory_does_not_suffice_for_is_left_out_in_a_sentence(
    folders: dict[str, Path], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(_path: Path, _large: LargeModel, _report: LoadReport) -> DraftModel:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes.")

    monkeypatch.setattr(draft_model_loading, "_load", failing)
    loaded = loaded_with(folders["llama"], folders["qwen3"], cache)
    assert loaded.description.notice.endswith("without it. There isn't enough memory for it as well.")


@pytest.mark.parametrize("is_its_own", [False, True], ids=["a pass of the run", "its own pass"])
def test_its_cache_is_given_back_when_memory_runs_out(
    pair: LoadedModel, monkeypatch: pytest.MonkeyPatch, is_its_own: bool
) -> None:
    """The run goes on without its passes, and not without its own."""
    small = pair.draft_model
    assert small is not None
    runner = small.runner if is_its_own else pair.target
    usual, left = runner.decode, [12]

    def decode(token_ids: Sequence[int], parents: Sequence[int]) -> Tensor:
        left[0] -= 1
        if left[0] < 0:
            raise MemoryError
        return usual(token_ids, parents)

    plain = text_with(pair, PLAIN)
    monkeypatch.setattr(runner, "decode", decode)
    desk = Desk(pair)
    command = StartGeneration(1, OPENING, SAMPLING, GOAL, drafting=ALONE)
    if is_its_own:
        assert desk.run(command) == plain
    else:
        with pytest.raises(OutOfMemory):
            desk.run(command)
        assert pair.target.length == 0
    assert left[0] < 0
    assert small.runner.length == 0
    assert small.user is None


def test_stopping_a_load_stops_it_there_too(
    folders: dict[str, Path], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = ModelConfig(
        str(folders["llama"]), "float32", 8, 1, cache_folder=str(cache), draft_model_folder="small"
    )

    def stopped(_large: LargeModel, _report: LoadReport) -> DraftModel:
        raise LoadStopped("stopped")

    monkeypatch.setattr(draft_model_loading, "_load", lambda _path, large, report: stopped(large, report))
    with pytest.raises(LoadStopped):
        load_model(config)


# ---------------------------------------------------------------- the one that is always there
@pytest.fixture(scope="module")
def always_there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its file."""
    return write_gguf("llama", tmp_path_factory.mktemp("gguf") / "small.gguf", kind="Q8_0")


def guessed_for(large: Path, file: Path, cache: Path, named: str = "") -> LoadedModel:
    config = ModelConfig(str(large), "float32", 8, threads=1, cache_folder=str(cache))
    return load_model(replace(config, guesser_file=str(file), draft_model_folder=named))


def test_a_small_model_that_is_always_there_guesses_for_one_that_takes_longer(
    folders: dict[str, Path], cache: Path, always_there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft_model_loading, "_LARGER", 1e-6)
    loaded = guessed_for(folders["llama"], always_there, cache)
    small = loaded.draft_model
    assert small is not None
    assert "draft_model" in loaded.description.drafters
    alone = loaded_with(folders["llama"], "", cache)
    more = loaded.description.memory_bytes(200) - alone.description.memory_bytes(200)
    assert more == small.weight_bytes + small.room_bytes > 0
    assert text_with(loaded, ALONE) == text_with(alone, PLAIN)


@pytest.mark.parametrize("reason", ["too large", "as slow", "no memory", "not there", "damaged", "named"])
def test_where_it_would_not_pay_or_cannot_it_is_left_out_without_a_word(
    folders: dict[str, Path],
    cache: Path,
    tmp_path: Path,
    always_there: Path,
    monkeypatch: pytest.MonkeyPatch,
    reason: str,
) -> None:
    file, named = always_there, str(folders["qwen3"]) if reason == "named" else ""
    times = {"too large": 1e6, "as slow": 1.5}.get(reason, 1e-6)  # four times as large, a pass as long
    monkeypatch.setattr(draft_model_loading, "_LARGER", times)
    if reason == "no memory":
        monkeypatch.setattr(draft_model_loading, "read_memory", lambda: ComputerMemory(free=1))
    if reason in ("not there", "damaged"):
        file = tmp_path / "small.gguf"
        if reason == "damaged":
            file.write_bytes(always_there.read_bytes()[:2000])
    loaded = guessed_for(folders["llama"], file, cache, named)
    assert not loaded.description.notice
    assert (loaded.draft_model is not None) is (reason == "named")


def test_a_model_with_drafters_of_its_own_needs_no_other(
    cache: Path, always_there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft_model_loading, "_LARGER", 1e-6)
    assert guessed_for(BUILT_IN_MODEL, always_there, cache).draft_model is None


def test_one_that_was_too_slow_is_not_built_again(
    folders: dict[str, Path], cache: Path, always_there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = Mock(side_effect=checked_load.load_checked)
    monkeypatch.setattr(draft_model_loading, "load_checked", built)
    monkeypatch.setattr(draft_model_loading, "_LARGER", 1e-6)
    assert guessed_for(folders["llama"], always_there, cache).draft_model is not None
    monkeypatch.setattr(draft_model_loading, "_LARGER", 1.5)
    assert guessed_for(folders["llama"], always_there, cache).draft_model is None
    assert built.call_count == 1


def test_a_record_that_is_damaged_costs_the_guesses_alone(
    folders: dict[str, Path], cache: Path, always_there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft_model_loading, "_LARGER", 1e-6)
    monkeypatch.setattr(draft_model_loading, "import_with_shipped", Mock(side_effect=KeyError("files")))
    loaded = guessed_for(folders["llama"], always_there, cache)
    assert loaded.draft_model is None
    assert not loaded.description.notice
