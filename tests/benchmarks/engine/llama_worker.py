"""llama.cpp in a process of its own, in the Python of any environment that has llama-cpp-python.

Built for this processor, it is several times as quick as a wheel for all of them:
`CMAKE_ARGS="-DGGML_NATIVE=ON" pip install --no-binary llama-cpp-python llama-cpp-python`. Beside that package
only numpy is imported. Where the package is missing, the wheel `xllamacpp` writes in its place.
"""

from __future__ import annotations

import ctypes
import importlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.engine.workers import serve

_BATCH = 512
_ROWS_WITH_SCORES = 64


class NativeModel:
    """A model, and what it has read. The package has no types."""

    def __init__(self, api: Any) -> None:
        self._api = api
        self._silence = api.llama_log_callback(lambda level, text, data: None)
        self._last, self._length = 0, 0
        self._read: list[int] = []
        self._sampler: Any = None

    def load(
        self, file: str, threads: int, context: int, rules: dict[str, Any], in_float32: bool = False
    ) -> dict[str, Any]:
        """Map a file and pass once: some things happen then. in_float32: cache and attention."""
        api = self._api
        api.llama_log_set(self._silence, ctypes.c_void_p())
        api.llama_backend_init()
        self._rules = rules
        self._model = api.llama_model_load_from_file(file.encode(), api.llama_model_default_params())
        settings = api.llama_context_default_params()
        settings.n_ctx, settings.n_batch, settings.n_ubatch = context, _BATCH, _BATCH
        settings.n_threads = settings.n_threads_batch = threads
        if in_float32:
            settings.type_k = settings.type_v = api.GGML_TYPE_F32
            settings.flash_attn_type = api.LLAMA_FLASH_ATTN_TYPE_DISABLED
        self._context = api.llama_init_from_model(self._model, settings)
        if not self._model or not self._context:
            raise RuntimeError(f"llama.cpp did not load {file}.")
        self._words = api.llama_model_get_vocab(self._model)
        self._decode([0], 1)
        self._forget(0)
        return {}

    def read(self, ids: Sequence[int]) -> dict[str, Any]:
        """Read a text but for its last token, which is the first pass of `write`."""
        self._forget(0)
        for first in range(0, len(ids) - 1, _BATCH):
            self._decode(ids[first : min(first + _BATCH, len(ids) - 1)], 1)
        self._last, self._read, self._sampler = ids[-1], list(ids), None
        return {}

    def write(self, count: int) -> dict[str, Any]:
        """Write tokens, a pass each."""
        self._sampler = self._sampler or self._new_sampler()
        for _ in range(count):
            self._decode([self._last], 1)
            self._last = self._api.llama_sampler_sample(self._sampler, self._context, -1)
        return {"tokens": count}

    def passes(self, rows: int, rounds: int) -> dict[str, Any]:
        """Time passes over what was read, each row with its scores; the quickest counts."""
        length, best = self._length, (float("inf"), float("inf"))
        for _ in range(rounds):
            started = time.perf_counter(), time.process_time()
            self._decode([self._last] * rows, rows)
            took = time.perf_counter() - started[0], time.process_time() - started[1]
            best = min(best[0], took[0]), min(best[1], took[1])
            self._forget(length)
        return {"seconds": best[0], "processor_s": best[1]}

    def scores(self, ids: Sequence[int], file: str) -> dict[str, Any]:
        """Save the scores after every token of a text: float32 (tokens, vocabulary)."""
        import numpy as np

        width = self._api.llama_vocab_n_tokens(self._words)
        found = np.lib.format.open_memmap(file, "w+", np.float32, (len(ids), width))
        self._forget(0)
        for at in range(0, len(ids), _ROWS_WITH_SCORES):
            part = ids[at : at + _ROWS_WITH_SCORES]
            self._decode(part, len(part))
            for row in range(len(part)):
                values = self._api.llama_get_logits_ith(self._context, row)
                found[at + row] = np.ctypeslib.as_array(values, (width,))
        return {}

    # ------------------------------------------------------------ inside
    def _decode(self, ids: Sequence[int], num_scored: int) -> None:
        batch = self._api.llama_batch_init(len(ids), 0, 1)
        batch.n_tokens = len(ids)
        for row, number in enumerate(ids):
            batch.token[row], batch.pos[row] = number, self._length + row
            batch.n_seq_id[row], batch.seq_id[row][0] = 1, 0
            batch.logits[row] = row >= len(ids) - num_scored
        failed = self._api.llama_decode(self._context, batch)
        self._api.llama_batch_free(batch)
        if failed:
            raise RuntimeError("llama.cpp did not decode.")
        self._length += len(ids)

    def _forget(self, length: int) -> None:
        self._api.llama_memory_seq_rm(self._api.llama_get_memory(self._context), 0, length, -1)
        self._length = length

    def _new_sampler(self) -> Any:
        api, rules = self._api, self._rules
        chain = api.llama_sampler_chain_init(api.llama_sampler_chain_default_params())
        window, penalty = rules["penalty_window"], rules["repetition_penalty"]
        width = api.llama_vocab_n_tokens(self._words)
        for part in (
            api.llama_sampler_init_penalties(width, window, penalty, 0.0, 0.0),
            api.llama_sampler_init_min_p(rules["min_p"], 1),
            api.llama_sampler_init_temp(rules["temperature"]),
            api.llama_sampler_init_dist(rules["seed"]),
        ):
            api.llama_sampler_chain_add(chain, part)
        for number in self._read[-window:]:
            api.llama_sampler_accept(chain, number)
        return chain


class WheelModel:
    """The same of the wheel; it times no single passes."""

    def load(self, file: str, threads: int, context: int, rules: dict[str, Any]) -> dict[str, Any]:
        """Map a file."""
        from quire_engine.api.config import SamplingConfig
        from tests.benchmarks.engine.llama_cpp_method import LlamaCppMethod

        sampling = SamplingConfig(**rules)
        self._method = LlamaCppMethod("", Path(file), sampling, threads=threads, context_length=context)
        return {}

    def read(self, ids: Sequence[int]) -> dict[str, Any]:
        """Read a text."""
        self._ids = list(ids)
        self._method.write(ids, 1)
        return {}

    def write(self, count: int) -> dict[str, Any]:
        """Write tokens after the text."""
        turn = self._method.write(self._ids, count)
        return {"tokens": turn.num_tokens, "seconds": turn.seconds, "processor_s": turn.processor_s}


if __name__ == "__main__":
    try:
        native = importlib.import_module("llama_cpp")
    except ImportError:
        serve(WheelModel())
    else:
        serve(NativeModel(native))
