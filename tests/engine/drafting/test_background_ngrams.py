"""The background table: what it says, how it is stored, and which files are rejected."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.drafting import background_ngrams
from quire_engine.drafting.background_ngrams import BackgroundTable, Level, steps_of
from tests.engine.tiny import few

VOCAB = 100_000
TOKENIZER = "ab" * 32


def level(
    contexts: list[tuple[int, int, int, dict[int, float]]],
) -> Level:
    """contexts: (parent, token, occurrences, followers), in order."""
    return Level(
        tokens=np.array([token for _, token, _, _ in contexts], dtype=np.int64),
        parents=np.array([parent for parent, _, _, _ in contexts], dtype=np.int64),
        occurrences=np.array([times for _, _, times, _ in contexts], dtype=np.uint8),
        starts=np.cumsum([0, *(len(followers) for *_, followers in contexts)]).astype(np.int64),
        followers=np.array([token for *_, f in contexts for token in f], dtype=np.int64),
        steps=steps_of(np.array([chance for *_, f in contexts for chance in f.values()])),
    )


@pytest.fixture
def table() -> BackgroundTable:
    one = level([(0, 5, 200, {7: 0.5, 8: 0.25}), (0, 70_000, 3, {5: 1.0})])
    two = level([(0, 2, 6, {9: 0.5}), (0, 3, 2, {7: 1.0}), (1, 3, 2, {6: 0.5})])
    three = level([(1, 4, 2, {80_000: 1.0})])
    return BackgroundTable([one, two, three])


def test_the_longest_known_context_is_interpolated_with_the_shorter_ones(table: BackgroundTable) -> None:
    assert table.probabilities([5]) == pytest.approx({7: 0.5, 8: 0.25})
    assert table.probabilities([1, 5]) == table.probabilities([5])
    # six occurrences against a trust of two
    assert table.probabilities([2, 5]) == pytest.approx({7: 0.125, 8: 0.0625, 9: 0.375})
    assert table.probabilities([1, 3, 5]) == pytest.approx({7: 0.75, 8: 0.125})
    assert table.probabilities([9, 4, 3, 5]) == pytest.approx({7: 0.375, 8: 0.0625, 80_000: 0.5})
    assert table.probabilities([3, 70_000]) == pytest.approx({5: 0.5, 6: 0.25})
    assert table.probabilities([4]) == {}
    assert table.probabilities([]) == {}


def test_a_round_trip_says_the_same(table: BackgroundTable, tmp_path: Path) -> None:
    assert background_ngrams.save(table, TOKENIZER, tmp_path) == tmp_path / background_ngrams.FILE_NAME
    again = background_ngrams.find(tmp_path, TOKENIZER, VOCAB)
    assert again is not None
    for context in ([5], [2, 5], [4, 3, 5], [3, 70_000], [4]):
        assert again.probabilities(context) == table.probabilities(context)


@given(st.lists(st.floats(2**-15, 1.0), min_size=1, max_size=20))
@few
def test_a_byte_keeps_a_probability_within_three_percent(chances: list[float]) -> None:
    kept = np.array(background_ngrams._CHANCES)[steps_of(np.array(chances))]
    assert kept == pytest.approx(np.array(chances), rel=0.03)


def test_no_file_is_no_problem(tmp_path: Path) -> None:
    assert background_ngrams.find(tmp_path, TOKENIZER, VOCAB) is None


def test_another_tokenizer_is_rejected(table: BackgroundTable, tmp_path: Path) -> None:
    background_ngrams.save(table, TOKENIZER, tmp_path)
    with pytest.raises(EnvironmentProblem, match="another tokenizer"):
        background_ngrams.find(tmp_path, "cd" * 32, VOCAB)


def test_ids_outside_of_the_vocabulary_are_rejected(table: BackgroundTable, tmp_path: Path) -> None:
    background_ngrams.save(table, TOKENIZER, tmp_path)
    with pytest.raises(EnvironmentProblem, match="damaged"):
        background_ngrams.find(tmp_path, TOKENIZER, 80_000)


@given(st.data())
@few
def test_damage_is_an_error_message_or_harmless(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    one = level([(0, 5, 200, {7: 0.5, 8: 0.25}), (0, 9, 3, {5: 1.0})])
    file = background_ngrams.save(BackgroundTable([one]), TOKENIZER, folder)
    content = bytearray(file.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content = content[:place]
    else:
        content[place] ^= data.draw(st.integers(1, 255))
    file.write_bytes(bytes(content))
    try:
        found = background_ngrams.find(folder, TOKENIZER, VOCAB)
    except EnvironmentProblem:
        return
    # a bit that the archive does not need
    assert found is not None
    assert set(found.probabilities([5])) == {7, 8}


@pytest.mark.parametrize(
    "name", ["children1", "lengths1", "occurrences1", "steps2", "tokens2.0", "followers1.2"]
)
@pytest.mark.parametrize("change", ["short", "gone"])
def test_parts_that_do_not_fit_each_other_are_rejected(
    table: BackgroundTable, tmp_path: Path, name: str, change: str
) -> None:
    file = background_ngrams.save(table, TOKENIZER, tmp_path)
    with np.load(file) as stored:
        arrays = dict(stored)
    if change == "short":
        arrays[name] = arrays[name][:-1]
    else:
        del arrays[name]
    np.savez_compressed(file, allow_pickle=False, **arrays)
    with pytest.raises(EnvironmentProblem, match="damaged"):
        background_ngrams.find(tmp_path, TOKENIZER, VOCAB)


def test_a_later_version_is_rejected(
    table: BackgroundTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as later:
        later.setattr(background_ngrams, "FORMAT", 2)
        background_ngrams.save(table, TOKENIZER, tmp_path)
    with pytest.raises(EnvironmentProblem, match="was made by a newer version of"):
        background_ngrams.find(tmp_path, TOKENIZER, VOCAB)


@pytest.mark.parametrize("version", [0, -3])
def test_a_version_that_never_was_is_damage(
    table: BackgroundTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(background_ngrams, "FORMAT", version)
        background_ngrams.save(table, TOKENIZER, tmp_path)
    with pytest.raises(EnvironmentProblem, match="damaged"):
        background_ngrams.find(tmp_path, TOKENIZER, VOCAB)


def test_a_tokenizer_is_known_by_its_file(llama: Path, tmp_path: Path) -> None:
    assert len(background_ngrams.tokenizer_digest(llama)) == 64
    with pytest.raises(EnvironmentProblem, match="can't be read"):
        background_ngrams.tokenizer_digest(tmp_path)


@pytest.mark.parametrize(
    "header",
    [
        b"{'descr':'<i8','fortran_order':False,'shape':(1,\n",
        b"{'descr':'<i8','fortran_order':False,'shape':(10000000000000,)}\n",
        b"  {\n x\n",
    ],
    ids=["cut off", "too large", "no header"],
)
def test_an_array_with_a_damaged_header_is_one_sentence(tmp_path: Path, header: bytes) -> None:
    """The header is Python text, which fails in ways of its own."""
    content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
    with zipfile.ZipFile(tmp_path / background_ngrams.FILE_NAME, "w") as file:
        file.writestr("format.npy", content)
    with pytest.raises(EnvironmentProblem, match="damaged"):
        background_ngrams.find(tmp_path, "any", 100)
