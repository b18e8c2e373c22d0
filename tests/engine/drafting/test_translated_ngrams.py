"""The n-grams of one model in the tokens of another: the same words are likely, and it is done once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from quire_engine.api.config import ModelConfig
from quire_engine.api.load_progress import LoadStage, LoadStopped
from quire_engine.drafting import background_ngrams
from quire_engine.drafting.background_ngrams import BackgroundTable
from quire_engine.drafting.translated_ngrams import FOLDER, translated, translated_for
from quire_engine.runtime.loaded_model import load_model
from tests.engine import tiny
from tests.engine.drafting.test_background_ngrams import level

TEXT = (
    "the river ran by the old mill and the old man ran the mill by the river; the ferryman said that the "
    "river was high, and the miller said that the ferry was late."
)


def bytes_tokenizer(size: int, text: str = TEXT) -> Tokenizer:
    """Return a tokenizer as GPT-2, Llama 3 and Qwen have it: the smaller, the more tokens a word is."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    made.train_from_iterator(
        [text], trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False)
    )
    return made


def marked_tokenizer() -> Tokenizer:
    """Return a tokenizer as Llama 2 has it: a mark instead of spaces, and one before every text."""
    made = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>"))
    made.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    made.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    special = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256))]
    words = trainers.BpeTrainer(vocab_size=420, special_tokens=special, show_progress=False)
    made.train_from_iterator([word for word in TEXT.split(" ") for _ in range(3)], words)
    return made


def only(tokenizer: Tokenizer, text: str) -> int:
    """Return the id of a text that is one token."""
    (token,) = tokenizer.encode(text, add_special_tokens=False).ids
    return token


@pytest.fixture(scope="module")
def source() -> Tokenizer:
    return bytes_tokenizer(360)


@pytest.fixture(scope="module")
def table(source: Tokenizer) -> BackgroundTable:
    the, old, river, man, mill = (only(source, word) for word in (" the", " old", " river", " man", " mill"))
    one = sorted([(0, the, 200, {old: 0.5, river: 0.25}), (0, old, 40, {mill: 0.5, man: 0.25})])
    of_old = [token for _, token, *_ in one].index(old)
    two = level([(of_old, the, 20, {man: 0.75})])
    return BackgroundTable([level(one), two])


def test_its_own_tokens_say_the_same(table: BackgroundTable, source: Tokenizer) -> None:
    again = translated(table, source, source)
    assert again is not None
    the, old = only(source, " the"), only(source, " old")
    for context in ([the], [old], [the, old]):
        assert again.probabilities(context) == pytest.approx(table.probabilities(context), rel=0.05)


@pytest.mark.parametrize(
    "target", [bytes_tokenizer(270), marked_tokenizer()], ids=["parts of words", "marks"]
)
def test_a_word_is_as_likely_in_other_tokens(
    table: BackgroundTable, source: Tokenizer, target: Tokenizer
) -> None:
    lead = len(target.encode("a", add_special_tokens=False).ids)

    def ids(text: str) -> list[int]:
        return target.encode(f"a{text}", add_special_tokens=False).ids[lead:]

    found = translated(table, source, target)
    assert found is not None
    context, chance = ids(" the"), 1.0
    for token in ids(" old"):
        chance *= found.probabilities(context).get(token, 0.0)
        context = [*context, token]
    # " old" and " river" may share their first token; what is sure of a word's rest costs nothing
    assert 0.4 < chance < 0.6
    assert ids(" man")[0] in found.probabilities(ids(" the old"))


def test_half_a_character_is_left_out(source: Tokenizer) -> None:
    half = source.encode("\u00e9", add_special_tokens=False).ids
    assert len(half) == 2
    the = only(source, " the")
    odd = BackgroundTable([level(sorted([(0, half[0], 9, {half[1]: 1.0}), (0, the, 9, {half[0]: 1.0})]))])
    found = translated(odd, source, bytes_tokenizer(300))
    assert found is not None
    assert not any(len(one.followers) for one in found.levels)


@pytest.fixture
def prepared(tmp_path: Path, table: BackgroundTable, source: Tokenizer) -> Path:
    folder = tmp_path / "prepared"
    folder.mkdir()
    source.save(str(folder / "tokenizer.json"))
    background_ngrams.save(table, background_ngrams.tokenizer_digest(folder), folder)
    return folder


def test_a_tokenizer_is_translated_for_once(tmp_path: Path, prepared: Path) -> None:
    target, folder, parts = bytes_tokenizer(300), tmp_path / "other", list[int]()
    folder.mkdir()
    target.save(str(folder / "tokenizer.json"))

    def load() -> BackgroundTable | None:
        size = target.get_vocab_size()
        return translated_for(folder, target, size, prepared, tmp_path / "cache", lambda: parts.append(1))

    first, work = load(), len(parts)
    assert first is not None
    assert work > 0
    again = load()
    assert len(parts) == work
    assert again is not None
    context = target.encode(" the").ids
    assert again.probabilities(context) == first.probabilities(context) != {}
    (kept,) = (tmp_path / "cache" / FOLDER).iterdir()
    (kept / background_ngrams.FILE_NAME).write_bytes(b"damaged")
    assert load() is not None
    assert len(parts) == 2 * work
    assert translated_for(prepared, bytes_tokenizer(360), 360, prepared, None) is not None
    assert translated_for(prepared, target, 300, folder, None) is None


def test_a_model_without_n_grams_is_loaded_with_translated_ones(tmp_path: Path, prepared: Path) -> None:
    folder = tiny.save("llama", tmp_path / "model")
    assert load_model(ModelConfig(str(folder), "float32", 8, 1)).background is None
    loaded = load_model(ModelConfig(str(folder), "float32", 8, 1, ngrams_folder=str(prepared)))
    assert loaded.background is not None
    (prepared / background_ngrams.FILE_NAME).write_bytes(b"damaged")
    assert (
        load_model(ModelConfig(str(folder), "float32", 8, 1, ngrams_folder=str(prepared))).background is None
    )


def test_a_tokenizer_that_cannot_read_every_text_only_goes_without(
    tmp_path: Path, prepared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise BaseException("WordLevel error: Missing [UNK] token from the vocabulary")  # as the library does

    monkeypatch.setattr("quire_engine.drafting.translated_ngrams.translated", fails)
    folder = tiny.save("llama", tmp_path / "model")
    loaded = load_model(ModelConfig(str(folder), "float32", 8, 1, ngrams_folder=str(prepared)))
    assert loaded.background is None


def test_a_load_can_be_stopped_while_it_translates(tmp_path: Path, prepared: Path) -> None:
    folder = tiny.save("llama", tmp_path / "model")

    def stop(stage: LoadStage, share: float) -> None:
        if (stage, share) == (LoadStage.CHECKING, 1.0):
            raise LoadStopped("stopped")

    with pytest.raises(LoadStopped):
        load_model(ModelConfig(str(folder), "float32", 8, 1, ngrams_folder=str(prepared)), stop)
