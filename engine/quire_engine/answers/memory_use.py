"""How much memory is in use now, as far as the system tells."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from quire_engine.api.queries import MeasureMemory, MemoryMeasured
from quire_engine.catalog.computer_memory import read_memory
from quire_engine.runtime.loaded_model import LoadedModel


def measure_memory(loaded: LoadedModel | None, query: MeasureMemory) -> Iterator[MemoryMeasured]:
    """Measure this process and the model's device; without a model the computer's RAM."""
    memory = read_memory()
    free, total, own = memory.free, memory.total, 0
    is_on_gpu = is_elsewhere = False
    if loaded is not None and (device := loaded.target.network.device).type == "cuda":
        free, total = torch.cuda.mem_get_info(device)
        own, is_on_gpu = torch.cuda.memory_reserved(device), True
        is_elsewhere = loaded.target.form == "computer"
    yield MemoryMeasured(
        query_id=query.query_id,
        process_bytes=memory.own,
        device_free_bytes=free,
        device_total_bytes=total,
        device_own_bytes=own,
        weight_bytes=0 if loaded is None else loaded.description.weight_bytes,
        cache_bytes=0 if loaded is None or is_elsewhere else loaded.target.store.num_bytes,
        is_on_gpu=is_on_gpu,
    )
