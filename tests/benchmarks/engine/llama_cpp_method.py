"""Writing by llama.cpp, through the wheel `xllamacpp`, which is there for this comparison alone."""

from __future__ import annotations

import importlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from tests.benchmarks.engine.methods import MethodTurn

NGRAMS = "COMMON_SPECULATIVE_TYPE_NGRAM_SIMPLE"
"""llama.cpp's own speculation that needs no second model: what followed the same words before."""


class LlamaCppMethod:
    """Writes with the nearest sampling rules that llama.cpp has.

    A turn first reads what is new of its context, untimed. Then as many passes are timed as tokens are
    written: the last token of the context is read in the first one.

    Args:
        context_length: positions that it can hold.
        speculation: name of one of its ways to speculate; "" for none.
    """

    def __init__(
        self,
        name: str,
        file: Path,
        sampling: SamplingConfig,
        *,
        threads: int,
        context_length: int,
        speculation: str = "",
    ) -> None:
        self._name, self._sampling = name, sampling
        library = _library()
        params = library.CommonParams()
        params.model.path = str(file)
        params.n_ctx, params.n_parallel, params.n_gpu_layers = context_length, 1, 0
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
        params.fit_params, params.verbosity, params.cache_ram_mib = False, 0, 0
        if speculation:
            params.speculative.types = [getattr(library.common_speculative_type, speculation)]
        self._server = library.Server(params)

    @property
    def name(self) -> str:
        """What reports call it."""
        return self._name

    def write(self, context_ids: Sequence[int], count: int) -> MethodTurn:
        """Write `count` tokens behind the context."""
        self._complete(context_ids, 0)
        started, used = time.perf_counter(), time.process_time()
        done = self._complete(context_ids, count)
        seconds, processor_s = time.perf_counter() - started, time.process_time() - used
        return MethodTurn(int(done["timings"]["predicted_n"]), seconds, None, processor_s)

    def _complete(self, context_ids: Sequence[int], count: int) -> dict[str, Any]:
        answer: dict[str, Any] = self._server.handle_completions(
            {
                "prompt": list(context_ids),
                "n_predict": count,
                "cache_prompt": True,
                "ignore_eos": True,
                "temperature": self._sampling.temperature,
                "top_k": self._sampling.top_k,
                "top_p": self._sampling.top_p,
                "min_p": self._sampling.min_p,
                "repeat_penalty": self._sampling.repetition_penalty,
                "repeat_last_n": self._sampling.penalty_window,
                "seed": self._sampling.seed,
            }
        )
        if "timings" not in answer:
            raise EnvironmentProblem(f"llama.cpp did not write: {answer}.")
        return answer


def _library() -> Any:
    try:
        return importlib.import_module("xllamacpp")
    except ImportError as error:
        raise EnvironmentProblem(
            "llama.cpp is not there. Install it with: pip install --constraint packaging/constraints.txt "
            "xllamacpp"
        ) from error
