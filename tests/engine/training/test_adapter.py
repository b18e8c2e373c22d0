"""Training a low-rank adapter: stopped and resumed, exported, merged."""

from __future__ import annotations

import hashlib
import json
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor
from transformers.modeling_utils import PreTrainedModel

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.adapters import adapter_for, read_adapter
from quire_engine.models.loading import build_model, inspect_folder
from tests.engine.training.shapes import corpus
from tests.engine.training.test_corpus import write_corpus
from tests.engine.training.test_main import book
from tests.training.__main__ import main
from tests.training.adapter_command import merge_into
from tests.training.adapter_text import WideTokens
from tests.training.adapter_trainer import AdapterPlan, AdapterProgress, AdapterTrainer
from tests.training.corpus import HELD_OUT_AUTHORS
from tests.training.low_rank import factors_of, save_adapter

PLAN = AdapterPlan(rank=2, alpha=4.0, steps=12, pieces=2, length=48, peak_rate=2e-2, measure_every=4)


def fresh(llama: Path) -> PreTrainedModel:
    return build_model(inspect_folder(llama), torch.float32)


def text() -> WideTokens:
    return corpus().astype(np.uint32)


def trainer(model: PreTrainedModel, work: Path, plan: AdapterPlan = PLAN) -> AdapterTrainer:
    work.mkdir(exist_ok=True)
    return AdapterTrainer(model, text(), plan, work)


def ignore(progress: AdapterProgress, loss: float) -> None:
    """Take no notice of a step."""


def logits(model: PreTrainedModel) -> Tensor:
    with torch.no_grad():
        found: Tensor = model(torch.from_numpy(text()[:60].astype(np.int64))[None]).logits
    return found


def test_training_lowers_the_loss_and_leaves_the_weights_alone(llama: Path, tmp_path: Path) -> None:
    model = fresh(llama)
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    start, losses = logits(model), list[float]()
    run = trainer(model, tmp_path / "work")
    torch.testing.assert_close(logits(model), start)  # an adapter begins with no effect
    assert run.run(seconds=1e9, on_step=lambda progress, loss: losses.append(loss))
    assert (run.progress.step, run.progress.tokens_seen) == (12, 12 * 2 * 48)
    assert min(losses[-3:]) < losses[0] - 1
    after = model.state_dict()
    for name, weight in before.items():
        stem = name.removesuffix(".weight")
        kept = after.get(f"{stem}.frozen.weight", after.get(name))
        assert kept is not None
        assert torch.equal(kept, weight)


@pytest.mark.parametrize("stops", [[1], [3, 7]], ids=str)
def test_a_stopped_training_ends_as_an_uninterrupted_one(
    llama: Path, tmp_path: Path, stops: list[int]
) -> None:
    whole = trainer(fresh(llama), tmp_path / "whole")
    assert whole.run(seconds=1e9, on_step=ignore)
    parted = trainer(fresh(llama), tmp_path / "parted")
    assert not parted.restore()
    for stop in stops:
        while parted.progress.step < stop:
            assert not parted.run(seconds=-1, on_step=ignore)  # one step, then time is up
        parted = trainer(fresh(llama), tmp_path / "parted")
        assert parted.restore()
    assert parted.run(seconds=1e9, on_step=ignore)
    got = factors_of(parted.adapters)
    for name, wanted in factors_of(whole.adapters).items():
        torch.testing.assert_close(got[name], wanted, rtol=1e-4, atol=1e-6)
    assert replace(parted.progress, seconds=0) == replace(whole.progress, seconds=0)
    rows = (tmp_path / "parted" / "loss.csv").read_text(encoding="utf-8").splitlines()
    assert [int(row.partition(",")[0]) for row in rows] == list(range(1, 13))


@pytest.mark.parametrize("at_once", [2, 3, 9])
def test_pieces_that_share_a_pass_teach_the_same(llama: Path, tmp_path: Path, at_once: int) -> None:
    plan = replace(PLAN, pieces=5, steps=3)
    one_by_one = trainer(fresh(llama), tmp_path / "one", plan)
    (tmp_path / "many").mkdir()
    together = AdapterTrainer(fresh(llama), text(), plan, tmp_path / "many", at_once=at_once)
    losses: list[list[float]] = []
    for run in (one_by_one, together):
        losses.append([])
        assert run.run(seconds=1e9, on_step=lambda progress, loss: losses[-1].append(loss))
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)
    got = factors_of(together.adapters)
    for name, wanted in factors_of(one_by_one.adapters).items():
        torch.testing.assert_close(got[name], wanted, rtol=1e-3, atol=1e-5)


def test_the_merged_model_is_the_trained_one(llama: Path, tmp_path: Path) -> None:
    model = fresh(llama)
    run = trainer(model, tmp_path / "work")
    run.run(seconds=1e9, on_step=ignore)
    for layer in run.adapters.values():  # as the file rounds them
        layer.a.data = layer.a.data.bfloat16().float()
        layer.b.data = layer.b.data.bfloat16().float()
    file = tmp_path / "out" / "adapter.safetensors"
    save_adapter(file, factors_of(run.adapters), rank=2, alpha=4.0, about={"base_sha256": "1" * 64})
    merged = fresh(llama)
    merge_into(merged, file)
    torch.testing.assert_close(logits(merged), logits(model), rtol=1e-4, atol=1e-3)


def test_the_rate_warms_up_stays_and_falls() -> None:
    plan = AdapterPlan(steps=100, warmup_steps=10, peak_rate=1.0, decay_fraction=0.4, final_factor=0.05)
    rates = [plan.rate(step) for step in range(100)]
    assert rates[0] == pytest.approx(0.1)
    assert rates[9:61] == pytest.approx([1.0] * 52)
    assert 0.05 < rates[99] < 0.1
    assert rates == sorted(rates[:61]) + sorted(rates[61:], reverse=True)


def test_a_checkpoint_of_another_rank_is_refused(llama: Path, tmp_path: Path) -> None:
    trainer(fresh(llama), tmp_path / "work").save()
    other = trainer(fresh(llama), tmp_path / "work", replace(PLAN, rank=3))
    with pytest.raises(EnvironmentProblem, match="another model"):
        other.restore()


# ---------------------------------------------------------------- the command
def command(llama: Path, folder: Path, *more: str) -> int:
    books = [book("The Pilot", "Ann", 120), book("Nineteen Lamps", HELD_OUT_AUTHORS[0], 60)]
    where = write_corpus(folder / "corpus", [books])
    source = folder / "base.gguf"
    source.write_bytes(b"what was imported")
    paths = ["--model", str(llama), "--source", str(source), "--corpus", str(where)]
    out = ["--work", str(folder / "work"), "--out", str(folder / "adapters" / "tiny.safetensors")]
    sizes = ["--steps", "4", "--rank", "2", "--pieces", "2", "--length", "64", "--max-book-chars", "3000"]
    return main(["adapter", *paths, *out, *sizes, "--threads", "1", "--device", "cpu", *more])


def test_the_command_writes_an_adapter_in_as_many_sittings_as_it_takes(
    llama: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(llama, tmp_path, "--minutes", "0") == 0
    assert "time is up" in capsys.readouterr().out
    assert command(llama, tmp_path) == 0
    said = capsys.readouterr().out
    assert "continuing at step 1" in said
    assert "finished" in said
    digest = hashlib.sha256(b"what was imported").hexdigest()
    found = adapter_for(tmp_path / "adapters", digest)
    assert found is not None
    assert found.metadata["tokens_seen"] == str(4 * 2 * 64)
    assert found.metadata["base_name"] == "base.gguf"
    assert found.scale == 12.0
    assert {"mlp.up_proj", "self_attn.q_proj"} <= {".".join(name.split(".")[3:5]) for name in found.names}
    report = json.loads((tmp_path / "work" / "training.json").read_text(encoding="utf-8"))
    assert report["progress"]["step"] == 4


def test_ctrl_c_ends_the_step_and_saves(
    llama: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(
            "tests.training.adapter_command._print_step",
            lambda progress, loss: signal.raise_signal(signal.SIGINT),
        )
        assert command(llama, tmp_path) == 130
    assert "Stopped and saved" in capsys.readouterr().err
    assert not (tmp_path / "adapters").exists()
    assert command(llama, tmp_path) == 0
    assert "continuing at step 1" in capsys.readouterr().out


def test_the_loss_of_any_model_is_measured_with_and_without_its_adapter(
    llama: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(llama, tmp_path, "--rate", "0.02") == 0
    capsys.readouterr()
    asked = ["loss", "--model", str(llama), "--corpus", str(tmp_path / "corpus"), "--device", "cpu"]
    assert main(asked) == 0
    plain = json.loads(capsys.readouterr().out)
    assert main([*asked, "--adapter", str(tmp_path / "adapters" / "tiny.safetensors")]) == 0
    adapted = json.loads(capsys.readouterr().out)
    assert list(plain["by_book"]) == ["Nineteen Lamps"]
    assert adapted["mean"] < plain["mean"]
    assert plain["perplexity_per_word"] == pytest.approx(
        np.exp(plain["mean"] * plain["tokens_per_word"]), rel=1e-3
    )


def test_an_adapter_of_another_model_is_refused(llama: Path, tmp_path: Path) -> None:
    assert command(llama, tmp_path) == 0
    adapter = read_adapter(tmp_path / "adapters" / "tiny.safetensors")
    model = fresh(llama)
    del model.model.layers[1]
    with pytest.raises(EnvironmentProblem, match="belongs to another model"):
        merge_into(model, adapter.file)
