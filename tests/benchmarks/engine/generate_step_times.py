"""How long a step of `transformers.generate` takes behind a cache that is filled and not read."""

from __future__ import annotations

import importlib
import itertools
import statistics
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor
from transformers.generation.stopping_criteria import StoppingCriteria, StoppingCriteriaList
from transformers.modeling_utils import PreTrainedModel

from tests.benchmarks.engine.device_limits import Clock
from tests.benchmarks.engine.pass_times import Setup

CACHES = ("dynamic", "static")
_WARM_UP = 3  # the first ones may compile
# no memory, no compiler, a cache or a signature that is another one in this version
_FAULTS = (
    RuntimeError,
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    ImportError,
    OSError,
    MemoryError,
)


@dataclass(frozen=True, slots=True)
class GenerateSteps:
    """A median over the steps, in milliseconds, with quartiles; reason: why there is none, as a sentence."""

    cache: str
    length: int
    ms: float | None = None
    low_ms: float | None = None
    high_ms: float | None = None
    reason: str = ""

    def report(self) -> dict[str, Any]:
        """Return it for a JSON report."""
        return asdict(self)


@torch.inference_mode()
def time_generate(setup: Setup, model: PreTrainedModel, cache: str, length: int) -> GenerateSteps:
    """Let the library write a few tokens; what it cannot do here is a message and no failure."""
    try:
        marks = _marks(setup, model, cache, length)
    except _FAULTS as error:
        said = " ".join(str(error).split())[:200] or type(error).__name__
        return GenerateSteps(cache, length, reason=f"generate did not run with this cache here ({said}).")
    taken = [1e3 * (after - before) for before, after in itertools.pairwise(marks)][_WARM_UP:]
    low, middle, high = statistics.quantiles(taken, n=4)
    return GenerateSteps(cache, length, middle, low, high)


def _marks(setup: Setup, model: PreTrainedModel, cache: str, length: int) -> list[float]:
    """Return the times at which the steps ended."""
    count = setup.rounds + _WARM_UP + 1
    filled = _filled_cache(setup, model, cache, length, count)
    ids = torch.zeros(1, length + 1, dtype=torch.long, device=setup.device)
    ids += torch.arange(length + 1, device=setup.device) % setup.shape.vocab_size
    watch = _Watch(setup.clock)
    sampling = setup.sampling
    torch.manual_seed(setup.seed)
    library: Any = model  # the library's `generate` carries no types
    library.set_attn_implementation("sdpa")
    library.generate(
        ids,
        attention_mask=torch.ones_like(ids),
        past_key_values=filled,
        max_new_tokens=count,
        do_sample=True,
        temperature=sampling.temperature,
        top_k=sampling.top_k,
        min_p=sampling.min_p,
        repetition_penalty=sampling.repetition_penalty,
        pad_token_id=0,
        stopping_criteria=StoppingCriteriaList([watch]),
    )
    return watch.marks


def _filled_cache(setup: Setup, model: PreTrainedModel, cache: str, length: int, count: int) -> Any:
    """Return one of the library's caches, filled up to `length` with random numbers."""
    library: Any = importlib.import_module("transformers")  # by name: as in models.loading
    if cache == "dynamic":
        filled = library.DynamicCache()
    else:
        filled = library.StaticCache(config=model.config, max_cache_len=length + count + 1)
    rows = setup.numbers.of(1, setup.shape.num_kv_heads, length, setup.shape.head_dim)
    places = {"cache_position": torch.arange(length, device=setup.device)}
    for layer in range(setup.shape.num_layers):
        filled.update(rows, rows, layer, places)
    return filled


class _Watch(StoppingCriteria):
    """Never stops anything; looks at the clock after every step."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.marks: list[float] = []

    def __call__(self, input_ids: Tensor, scores: Any, **kwargs: Any) -> Any:
        """Note the time when the device has finished the step. input_ids: (1, length)."""
        del scores, kwargs
        self._clock.wait()
        self.marks.append(self._clock.now())
        return torch.zeros(input_ids.shape[0], dtype=torch.bool, device=input_ids.device)
