"""Quire in a process of its own, for comparisons with other programs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from quire_engine.api.config import PLAIN, DraftingConfig, SamplingConfig
from quire_engine.api.sampling_scale import scaled
from quire_engine.engine import LoadedModel
from quire_engine.importing.model_import import import_model
from quire_engine.runtime.loaded_model import own_cache
from tests.benchmarks.engine import options
from tests.benchmarks.engine.methods import OwnMethod
from tests.benchmarks.engine.prompt_texts import prose_ids
from tests.benchmarks.engine.workers import serve

WAYS = {"plain": PLAIN, "automatic": DraftingConfig("tokenswift")}


class QuireModel:
    """A model with what ships for it, loaded as a writer's is."""

    _loaded: LoadedModel
    _sampling: SamplingConfig

    def load(
        self, file: str, threads: int, rules: dict[str, Any], cache: str, ships: bool = True
    ) -> dict[str, Any]:
        """Load a file; `disk_bytes` is what that left in the cache folder. ships: with what ships for it."""
        folder = Path(cache)
        model = options.imported_file(Path(file), folder) if ships else import_model(Path(file), folder)
        self._loaded = options.load_fast(model, threads, folder)
        scale = self._loaded.description.scale
        sampling = SamplingConfig(**rules)
        self._sampling = sampling if scale is None else scaled(sampling, scale)
        kept = sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())
        machine = options.describe(self._loaded)
        return {"disk_bytes": kept, "machine": machine, "rules": asdict(self._sampling)}

    def ids(self, text: str, count: int) -> dict[str, Any]:
        """Return so many tokens: a text, and what the model writes after it."""
        return {"ids": prose_ids(self._loaded, text, count, self._sampling)}

    def read(self, ids: Sequence[int]) -> dict[str, Any]:
        """Read a text, once for each way to write; the first one is timed."""
        took: list[tuple[float, float]] = []
        self._ids, self._ways = list(ids), {}
        for way, drafting in WAYS.items():
            started = time.perf_counter(), time.process_time()
            self._ways[way] = OwnMethod(way, self._loaded, ids, self._sampling, drafting)
            took.append((time.perf_counter() - started[0], time.process_time() - started[1]))
        return {"seconds": took[0][0], "processor_s": took[0][1]}

    def write(self, count: int, way: str) -> dict[str, Any]:
        """Write about so many tokens."""
        turn = self._ways[way].write((), count)
        passes = turn.figures.num_steps if turn.figures is not None else 0
        return {
            "tokens": turn.num_tokens,
            "passes": passes,
            "seconds": turn.seconds,
            "processor_s": turn.processor_s,
        }

    def passes(self, rows: int, rounds: int) -> dict[str, Any]:
        """Time passes over what was read; the quickest counts."""
        target, best = own_cache(self._loaded).target, (float("inf"), float("inf"))
        target.prefill(self._ids[:-1])
        for _ in range(rounds):
            started = time.perf_counter(), time.process_time()
            target.decode([self._ids[-1]] * rows, range(-1, rows - 1))
            took = time.perf_counter() - started[0], time.process_time() - started[1]
            best = min(best[0], took[0]), min(best[1], took[1])
        return {"seconds": best[0], "processor_s": best[1]}

    def scores(self, ids: Sequence[int], file: str) -> dict[str, Any]:
        """Save the scores after every token of a text: float32 (tokens, vocabulary)."""
        target = own_cache(self._loaded).target
        parts = []
        for at in range(0, len(ids), target.width):
            part = ids[at : at + target.width]
            parts.append(target.decode(part, range(-1, len(part) - 1)).numpy().copy())
            target.commit(range(len(part)))
        np.save(file, np.concatenate(parts))
        return {}


if __name__ == "__main__":
    serve(QuireModel())
