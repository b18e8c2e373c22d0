"""The comparison with llama.cpp runs on a tiny model and reports what it promises; times are not judged."""

from __future__ import annotations

import json
import math
from pathlib import Path

import gguf
import numpy as np
import pytest

from tests.benchmarks.engine.__main__ import main
from tests.benchmarks.engine.divergence import divergence
from tests.benchmarks.engine.gguf_formats import write_converted
from tests.benchmarks.engine.llama_cpp import AUTOMATIC, OF_FILE, OF_Q4_0, OURS, PLAIN, Result, ratio, table
from tests.benchmarks.engine.methods import MethodTurn
from tests.benchmarks.engine.workers import Worker, WorkerEnded
from tests.engine.gguf_samples import write_gguf
from tests.engine.tiny import OPENING


@pytest.fixture(scope="module")
def tiny_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_gguf("llama", tmp_path_factory.mktemp("llama_cpp") / "tiny.gguf")


@pytest.mark.sliced("rehearsals")
def test_every_program_is_compared(tiny_file: Path, tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    prompt, out = tmp_path / "prompt.txt", tmp_path / "report.json"
    prompt.write_text(OPENING, encoding="utf-8")
    arguments = ["--gguf", str(tiny_file), "--prompt-file", str(prompt), "--json", str(out)]
    sizes = ["--lengths", "40", "--each-threads", "1", "--tokens", "4", "--turns", "2", "--rows"]
    assert main(["llama_cpp", *arguments, *sizes]) == 0
    report = json.loads(out.read_text(encoding="utf-8"))
    assert report["machine"]["dtype"] == "int8"
    results = {each["name"]: each for each in report["results"]}
    assert set(results) == {PLAIN, AUTOMATIC, OF_FILE, OF_Q4_0}
    assert {(each["threads"], each["context"]) for each in results.values()} == {(1, 40)}
    assert all(each["tokens_per_s"] > 0 and each["reading"] > 0 for each in results.values())
    assert results[OF_FILE]["of_file"] == results[OF_Q4_0]["of_q4_0"] == 1
    loads = {each["name"]: each for each in report["loads"]}
    assert set(loads) == {OURS, OF_FILE, OF_Q4_0}
    assert all(0 < each["peak_bytes"] <= each["peak_in_all"] for each in loads.values())


def test_ratios_are_taken_within_a_turn_and_by_processor_time() -> None:
    theirs = [MethodTurn(10, 1.0, None, 0.5), MethodTurn(10, 9.0, None, 1.0)]
    ours = [MethodTurn(10, 2.0, None, 0.25), MethodTurn(20, 2.0, None, 0.5)]
    assert ratio(ours, theirs) == pytest.approx(3)  # of 2 and 4
    shown = table([Result(PLAIN, 2, 512, 7.5, 40.0, 3.0, 1.5, 800.0, {"1": 9.25, "8": 14.0})])
    assert shown[1].split() == ["Quire", "plain", "7.5", "40.0", "3.00x", "1.50x", "800", "9.2", "14.0"]


def test_a_program_that_ends_is_named() -> None:
    worker = Worker("Quire", "quire_worker")
    with pytest.raises(WorkerEnded, match="Quire ended"):
        worker.do("load", file="absent.gguf", threads=1, rules={}, cache="absent")
    worker.stop()


def test_a_divergence_is_that_of_the_shares(tmp_path: Path) -> None:
    dice = np.random.default_rng(3)
    wanted = dice.standard_normal((70, 11)).astype(np.float32)
    found = wanted + dice.standard_normal((70, 1)).astype(np.float32)  # the same shares
    found[:7, 0] += 30  # another best token
    for name, scores in (("wanted", wanted), ("found", found)):
        np.save(tmp_path / f"{name}.npy", scores)
    near = divergence("m.gguf", "Quire", tmp_path / "wanted.npy", tmp_path / "wanted.npy")
    assert (near.mean, near.highest, near.agreement) == (0, 0, 1)
    far = divergence("m.gguf", "Quire", tmp_path / "wanted.npy", tmp_path / "found.npy")
    p, q = (np.exp(each.astype(np.float64)) for each in (wanted, found))
    p, q = p / p.sum(axis=1, keepdims=True), q / q.sum(axis=1, keepdims=True)
    assert far.mean == pytest.approx(float((p * np.log(p / q)).sum(axis=1).mean()), rel=1e-5)
    assert math.isclose(far.agreement, np.mean(wanted.argmax(axis=1) == found.argmax(axis=1)))
    assert far.agreement < 1


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
