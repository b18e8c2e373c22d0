"""The comparison with llama.cpp runs on a tiny model and reports what it promises; times are not judged."""

from __future__ import annotations

import json
from pathlib import Path

import gguf
import numpy as np
import pytest

from tests.benchmarks.engine.__main__ import main
from tests.benchmarks.engine.gguf_formats import write_converted
from tests.benchmarks.engine.llama_cpp import (
    CONVERTED,
    GENERATE,
    OF_FILE,
    PLAIN_FAST,
    SPECULATING,
    SWIFT_FAST,
    parts_of,
    results_of,
    table,
)
from tests.benchmarks.engine.methods import MethodTurn
from tests.engine.gguf_samples import write_gguf
from tests.engine.tiny import OPENING


@pytest.fixture(scope="module")
def tiny_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_gguf("llama", tmp_path_factory.mktemp("llama_cpp") / "tiny.gguf")


def test_every_method_is_compared(one_thread: None, tiny_file: Path, tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    prompt, out = tmp_path / "prompt.txt", tmp_path / "report.json"
    prompt.write_text(OPENING, encoding="utf-8")
    arguments = ["--gguf", str(tiny_file), "--prompt-file", str(prompt), "--json", str(out)]
    sizes = ["--lengths", "40", "9999", "--each-threads", "1", "--tokens", "4"]
    turns = ["--first-turns", "1", "--turns", "2"]
    assert main(["llama_cpp", *arguments, *sizes, *turns]) == 0
    report = json.loads(out.read_text(encoding="utf-8"))
    assert report["machine"]["dtype"] == "int8"
    results = {(each["name"], each["written"]): each for each in report["results"]}
    methods = {PLAIN_FAST, SWIFT_FAST, OF_FILE, SPECULATING, *CONVERTED, GENERATE}
    assert set(results) == {(name, written) for name in methods for written in (0, 4)}
    assert {(each["threads"], each["context"]) for each in results.values()} == {(1, 40)}
    assert all(each["tokens_per_s"] > 0 and each["tokens_per_processor_s"] > 0 for each in results.values())
    assert results[OF_FILE, 4]["over_llama_cpp"] == 1


def test_ratios_are_taken_within_a_turn_and_by_processor_time() -> None:
    turns = {
        OF_FILE: [MethodTurn(10, 1.0, None, 0.5), MethodTurn(10, 9.0, None, 1.0)],
        PLAIN_FAST: [MethodTurn(10, 2.0, None, 0.25), MethodTurn(20, 2.0, None, 0.5)],
    }
    theirs, ours = results_of(turns, 2, 512)
    assert (theirs.tokens_per_processor_s, theirs.over_llama_cpp) == (15, 1)
    assert (ours.tokens_per_s, ours.tokens_per_processor_s) == (7.5, 40)
    assert ours.over_llama_cpp == pytest.approx(3)  # of 2 and 4
    assert (ours.threads, ours.context) == (2, 512)
    assert table([ours])[1].split() == ["Quire", "plain", "7.5", "40.0", "3.00x"]


def test_turns_in_which_drafting_settles_are_told_apart() -> None:
    turns = [MethodTurn(each, 1.0, None, 1.0) for each in (8, 8, 9)]
    taken = {OF_FILE: turns, SWIFT_FAST: turns}
    first, later = parts_of(taken, 2, 8)
    assert first == (0, {OF_FILE: turns[:2], SWIFT_FAST: turns[:2]})
    assert later == (16, {OF_FILE: turns[2:], SWIFT_FAST: turns[2:]})
    assert parts_of(taken, 0, 8) == [(0, taken)]


@pytest.mark.parametrize(("number_format", "off"), [("Q8_0", 0.005), ("BF16", 0.0)])
def test_a_file_in_another_format_is_the_same_model(
    tiny_file: Path, tmp_path: Path, number_format: str, off: float
) -> None:
    converted = gguf.GGUFReader(write_converted(tiny_file, tmp_path / "other.gguf", number_format))
    wanted = gguf.GGUFReader(tiny_file)
    kept = {name for name in wanted.fields if not name.startswith("GGUF.")}
    assert kept <= set(converted.fields)
    assert all(converted.fields[name].contents() == wanted.fields[name].contents() for name in kept)
    tensors = {each.name: each for each in converted.tensors}
    assert set(tensors) == {each.name for each in wanted.tensors}
    for each in wanted.tensors:
        found = tensors[each.name]
        numbers = gguf.quants.dequantize(found.data, found.tensor_type)
        assert found.tensor_type.name == (number_format if each.data.ndim > 1 else "F32")
        assert np.abs(numbers - each.data).max() <= off * np.abs(each.data).max()
