"""The ways to write that are compared: our own runs, and the library's `generate`.

Only decoding is timed. Our runs continue from turn to turn, so their prompt is read once, before the first
turn. The library reads the whole context in every turn; a hook looks at the clock after each of its steps,
and its time counts from the end of the first one, which is the one that reads. So both decode at the same
length, and nothing measured in another call is subtracted.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from torch import Tensor
from transformers.generation.stopping_criteria import StoppingCriteria, StoppingCriteriaList
from transformers.modeling_utils import PreTrainedModel

from quire_engine.api.config import DraftingConfig, SamplingConfig
from quire_engine.cli.run_report import facts_of
from quire_engine.decoding.token_stream import Step, TokenStream
from quire_engine.metrics.acceptance import RunMetrics
from quire_engine.runtime.loaded_model import LoadedModel, own_cache
from quire_engine.runtime.session import DraftingSession


@dataclass(frozen=True, slots=True)
class MethodTurn:
    """What a method wrote in one turn.

    Attributes:
        seconds: decoding alone.
        figures: of our own steps, else None.
        processor_s: processor time of all threads meanwhile; other programs of a busy machine don't count.
    """

    num_tokens: int
    seconds: float
    figures: RunMetrics | None = None
    processor_s: float = math.nan

    @property
    def tokens_per_s(self) -> float:
        """Tokens per second of decoding."""
        return self.num_tokens / self.seconds

    @property
    def tokens_per_processor_s(self) -> float:
        """Tokens per second of processor time; NaN where it wasn't measured."""
        return self.num_tokens / self.processor_s


class Method(Protocol):
    """A way to write."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def write(self, context_ids: Sequence[int], count: int) -> MethodTurn:
        """Write about `count` more tokens after the context."""
        ...


@dataclass(slots=True)
class MethodTally:
    """Adds up the steps of a session and collects its tokens."""

    figures: RunMetrics = field(default_factory=RunMetrics)
    token_ids: list[int] = field(default_factory=list)

    def add(self, step: Step) -> None:
        """Take a step."""
        self.token_ids.extend(step.token_ids)
        self.figures.add(facts_of(step, step.rest_ms))


class OwnMethod:
    """A run of our own; it reads `prompt_ids` at once and continues from turn to turn.

    make: builds its session; another one than the product's is for drafters that only a benchmark has.
    num_cached: tokens that are in the model's cache already. That cache is then used as it is, and the others
        are read by decode passes, as when a draft is resumed; 0: the run has an empty one of its own.
    """

    def __init__(
        self,
        name: str,
        loaded: LoadedModel,
        prompt_ids: Sequence[int],
        sampling: SamplingConfig,
        drafting: DraftingConfig,
        make: Callable[..., DraftingSession] = DraftingSession,
        num_cached: int = 0,
    ) -> None:
        self._name = name
        # what is read in chunks, and a token more: that of a prompt which is the root of the next pass
        num_chunked = num_cached + 1 if num_cached else len(prompt_ids)
        prompt, resumed = prompt_ids[:num_chunked], prompt_ids[num_chunked:]
        self._num_resumed = len(resumed)
        own = loaded if num_cached else own_cache(loaded)
        self._session = make(own, prompt, resumed, sampling, drafting, num_cached=num_cached)
        read_all(self._session)

    @property
    def name(self) -> str:
        """What reports call it."""
        return self._name

    @property
    def generated_ids(self) -> tuple[int, ...]:
        """What it wrote in all turns so far."""
        return self._session.generated_ids[self._num_resumed :]

    def write(self, context_ids: Sequence[int], count: int) -> MethodTurn:
        """Write at least `count` more tokens; the run has its context itself."""
        del context_ids
        tally = MethodTally()
        seconds = processor_s = 0.0
        while len(tally.token_ids) < count:
            read_all(self._session)
            started, used = time.perf_counter(), time.process_time()
            step = self._session.step()
            seconds += time.perf_counter() - started
            processor_s += time.process_time() - used
            tally.add(step)
        return MethodTurn(len(tally.token_ids), seconds, tally.figures, processor_s)


class LibraryMethod:
    """`transformers.generate` with the nearest sampling rules that it has.

    Its repetition penalty looks at the whole context and not at a window. prompt_lookup: tokens that it
    copies from the context as a draft, 0 for none.
    """

    def __init__(
        self, name: str, model: PreTrainedModel, sampling: SamplingConfig, prompt_lookup: int = 0
    ) -> None:
        self._name = name
        self._model: Any = model  # the library's `generate` carries no types
        self._sampling = sampling
        self._prompt_lookup = prompt_lookup

    @property
    def name(self) -> str:
        """What reports call it."""
        return self._name

    @torch.inference_mode()
    def write(self, context_ids: Sequence[int], count: int) -> MethodTurn:
        """Read the context, write `count` tokens, and count those after the first step."""
        ids = torch.tensor([list(context_ids)], device=self._model.device)
        watch = _Stopwatch()
        options: dict[str, Any] = {"do_sample": False}
        if self._sampling.temperature > 0:
            options = {
                "do_sample": True,
                "temperature": self._sampling.temperature,
                "top_k": self._sampling.top_k,
                "top_p": self._sampling.top_p,
                "min_p": self._sampling.min_p,
                "eta_cutoff": self._sampling.eta,
            }
        if self._prompt_lookup:
            options["prompt_lookup_num_tokens"] = self._prompt_lookup
        torch.manual_seed(self._sampling.seed)
        self._model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=count + 1,
            repetition_penalty=self._sampling.repetition_penalty,
            pad_token_id=0,
            stopping_criteria=StoppingCriteriaList([watch]),
            **options,
        )
        return MethodTurn(watch.num_tokens, watch.seconds, None, watch.processor_s)


class _Stopwatch(StoppingCriteria):
    """Never stops anything; looks at the clock after every step."""

    def __init__(self) -> None:
        self._marks: list[tuple[float, float, int]] = []

    def __call__(self, input_ids: Tensor, scores: Any, **kwargs: Any) -> Any:
        """Note the time and the length. input_ids: (1, length)."""
        del scores, kwargs
        going_on = torch.zeros(input_ids.shape[0], dtype=torch.bool, device=input_ids.device)
        going_on.any().item()  # waits until the device has finished the step
        self._marks.append((time.perf_counter(), time.process_time(), input_ids.shape[1]))
        return going_on

    @property
    def num_tokens(self) -> int:
        """Tokens written after the first step."""
        return self._marks[-1][2] - self._marks[0][2]

    @property
    def seconds(self) -> float:
        """Time of the steps after the first one."""
        return self._marks[-1][0] - self._marks[0][0]

    @property
    def processor_s(self) -> float:
        """Processor time of the steps after the first one."""
        return self._marks[-1][1] - self._marks[0][1]


def read_all(run: DraftingSession | TokenStream) -> None:
    """Let the model read what it must."""
    while run.must_read:
        for _ in run.read():
            pass


def write_tokens(
    loaded: LoadedModel,
    prompt_ids: Sequence[int],
    count: int,
    sampling: SamplingConfig,
    drafting: DraftingConfig,
) -> MethodTally:
    """Write `count` tokens in a run of its own, or a few more where the last step brings them."""
    session = DraftingSession(loaded, prompt_ids, (), sampling, drafting)
    tally = MethodTally()
    while len(tally.token_ids) < count:
        read_all(session)
        tally.add(session.step())
    return tally
