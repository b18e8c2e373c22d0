"""What only a CUDA GPU can show: its kernels, its graphs, and the law with both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import Tensor

from quire_engine.api.config import ModelConfig
from quire_engine.engine import LoadedModel, load_model
from quire_engine.forward import pass_runner
from quire_engine.gpu.cuda_graphs import CudaGraphs
from quire_engine.gpu.segmented_attention import Segments, varlen_kernel
from quire_engine.models.attention_kernels import Scoring, attend
from tests.engine.decoding.test_token_stream import SAMPLERS, same_bits, stream_on
from tests.engine.desk import passes_of
from tests.engine.drafters import hostile, mixed, read, write
from tests.engine.models.static_forms import by_products
from tests.engine.tiny import edit_config, prompt_ids, save

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU"),
]
CONTEXT = 4096


@pytest.fixture(scope="module")
def long_llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny Llama that can look back far."""
    return edit_config(
        save("llama", tmp_path_factory.mktemp("gpu") / "llama"), max_position_embeddings=CONTEXT
    )


@pytest.fixture
def on_gpu(long_llama: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoadedModel]:
    """It on a GPU, with a store that grows again and again."""
    monkeypatch.setattr(pass_runner, "FIRST_SLOTS", 128)
    yield load_model(ModelConfig(str(long_llama), "bfloat16", device="cuda"))
    torch.cuda.empty_cache()


@pytest.mark.slow
def test_the_law_holds_with_graphs_growth_and_pauses(on_gpu: LoadedModel) -> None:
    runner, sampling, count = passes_of(on_gpu), SAMPLERS["cool, min-p"], 2100
    assert runner.fast is not None
    assert runner.fast.name == "flash attention, graphs"
    assert on_gpu.description.reproducible
    assert on_gpu.description.identity.software.endswith("cuda, flash attention, graphs")
    prompt = prompt_ids(90)
    plain = stream_on(runner, prompt, sampling)
    capacities: set[int] = set()
    for goal in range(100, count + 1, 100):
        write(plain, runner, goal)
        capacities.add(runner.store.capacity)
    assert len(capacities) >= 4
    wanted, cache = plain.generated_ids, runner.store.snapshot()
    runner.release()
    text: tuple[int, ...] = ()
    for goal in (1, 37, 700, 701, 1500, count):
        stream = stream_on(runner, prompt, sampling, text)
        write(stream, runner, goal, mixed(wanted, goal) if goal != 701 else hostile(wanted, ()))
        text = stream.generated_ids
    assert text == wanted
    assert same_bits(runner.store.snapshot(), cache)
    again = stream_on(runner, prompt, sampling, wanted)
    read(again)
    assert same_bits(runner.store.snapshot(), cache)


def test_passes_that_need_not_repeat_are_recorded_in_several_sizes(long_llama: Path) -> None:
    config = ModelConfig(str(long_llama), "bfloat16", device="cuda", reproducible=False)
    runner = passes_of(load_model(config))
    assert runner.fast is not None
    runner.prefill(prompt_ids(64))
    for count in (1, 5, 12, 30, 1, 5):
        scores = runner.decode([3] * count, [-1, *[0] * (count - 1)])
        assert scores.shape[0] == count
        assert bool(scores.isfinite().all())


def random_segments(dim: int) -> tuple[Tensor, Tensor, Tensor, Segments]:
    """Return a query of 3 segments of 10 rows over 300 of 400 keys; the last segment has none."""
    generator = torch.Generator().manual_seed(dim)
    store_keys, store_values = torch.randn(2, 2, 400, dim, generator=generator).bfloat16().cuda()
    query = torch.randn(30, 2, dim, generator=generator).bfloat16().cuda()
    bounds = torch.tensor([0, 10, 20, 30, 0, 128, 300, 300], dtype=torch.int32, device="cuda")
    segments = Segments(bounds[:4].clone(), bounds[4:].clone(), 10, 2048)
    return query, store_keys.transpose(0, 1), store_values.transpose(0, 1), segments


@pytest.mark.parametrize("dim", [16, 64, 80, 128, 256])
def test_the_kernel_attends_over_segments_of_the_store(dim: int) -> None:
    query, keys, values, segments = random_segments(dim)
    out, lse = varlen_kernel()(query, keys, values, segments, 0.2)
    on_host = Segments(segments.query_bounds.cpu(), segments.key_bounds.cpu(), 10, 2048)
    wanted = by_products(query.cpu(), keys.cpu(), values.cpu(), on_host, 0.2)
    torch.testing.assert_close(out.cpu()[:20], wanted[0][:20], rtol=0.03, atol=0.03)
    torch.testing.assert_close(lse.cpu()[:, :20], wanted[1][:, :20], rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("dim", [16, 128])
def test_flash_attention_of_a_prompt_is_attention(causal: bool, dim: int) -> None:
    query, keys, values = torch.randn(3, 1, 4, 70, dim, device="cuda").bfloat16()
    fast = attend(query, keys, values, Scoring(0.2, flash=True), causal=causal)
    wanted = attend(query, keys, values, Scoring(0.2), causal=causal)
    torch.testing.assert_close(fast[0], wanted[0], rtol=0.03, atol=0.03)
    torch.testing.assert_close(fast[1], wanted[1], rtol=1e-2, atol=1e-2)


def test_a_graph_repeats_its_work_on_new_numbers_and_never_waits() -> None:
    numbers = torch.arange(4.0, device="cuda")
    graphs = CudaGraphs()
    again = graphs.make(lambda: (numbers * 2,))
    numbers.add_(1)
    assert again()[0].tolist() == [2.0, 4.0, 6.0, 8.0]
    with pytest.raises(RuntimeError):
        graphs.make(lambda: (numbers * float(numbers.sum()),))
    assert again()[0].tolist() == [2.0, 4.0, 6.0, 8.0]
