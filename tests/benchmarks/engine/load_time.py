"""`load`: how long a model takes to load, stage by stage, against reading its files, and the most memory.

Each load is a process of its own, and so is the reading: what one of them keeps would help the next. A
generated model is written once and deleted afterwards.
"""

from __future__ import annotations

import argparse
import json
import logging
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch
from transformers.models.llama.configuration_llama import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaForCausalLM

from quire_engine.api.config import ModelConfig
from quire_engine.engine import load_model
from quire_engine.models import loading
from quire_resources import BUILT_IN_MODEL
from tests.benchmarks.engine import options
from tests.benchmarks.engine.workers import peak_bytes

_STAGE = re.compile(r"load: (.+) took ([\d.]+) s")
_CHUNK = 1 << 22
_LAYER = {"hidden_size": 2048, "intermediate_size": 8192, "num_attention_heads": 32, "num_key_value_heads": 8}
_LAYER_NUMBERS = 2048 * (2 * 2048 + 2 * 512 + 3 * 8192)
_VOCABULARY = 32_000


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what it can be asked beside the common options."""
    parser.add_argument(
        "--billions", type=float, default=0.0, help="generate a random model of this size instead of --model"
    )
    parser.add_argument("--again", type=int, default=2, help="loads after the first one")


def run(args: argparse.Namespace, say: options.Say) -> dict[str, Any]:
    """Load a model for the first time and again, and read its files as they are."""
    with tempfile.TemporaryDirectory(prefix="quire-load-") as place:
        made = Path(place, "random")
        folder = write_random_model(made, args.billions) if args.billions else options.model_folder(args)
        files = loading.inspect_folder(folder).weights
        size = sum(file.stat().st_size for file in files)
        reading_s = _read_s(files)
        say(f"{folder.name}: {size / 1e6:,.0f} MB of weights, read in {reading_s:.2f} s from the disk")
        loads: list[dict[str, Any]] = []
        for number in range(1 + args.again):
            _forget(files)
            found = _load_elsewhere(args, folder, Path(place, "cache"))
            loads.append(found)
            stages = ", ".join(f"{name} {took:.2f}" for name, took in found["stages"].items())
            say(
                f"load {number + 1}: {found['wall_s']:.2f} s, {found['processor_s']:.2f} s of processor time "
                f"({stages}); most memory {found['peak_bytes'] / 1e6:,.0f} MB, "
                f"{found['peak_bytes'] / size:.2f} times the weights"
            )
    return {"machine": loads[0]["machine"], "bytes": size, "reading_s": reading_s, "loads": loads}


def write_random_model(folder: Path, billions: float) -> Path:
    """Write a Llama of about so many billion parameters with random bfloat16 weights, and return the folder.

    No more than one weight of it is ever in memory.
    """
    ends = 2 * _VOCABULARY * _LAYER["hidden_size"]
    layers = max(1, round((billions * 1e9 - ends) / _LAYER_NUMBERS))
    kind: Any = LlamaConfig  # parts of the library carry no types
    config = kind(
        **_LAYER,
        vocab_size=_VOCABULARY,
        num_hidden_layers=layers,
        max_position_embeddings=8192,
        tie_word_embeddings=False,
    )
    with torch.device("meta"):
        shapes = {name: tuple(each.shape) for name, each in LlamaForCausalLM(config).state_dict().items()}
    folder.mkdir(parents=True)
    config.architectures = ["LlamaForCausalLM"]
    config.save_pretrained(folder)
    shutil.copy(BUILT_IN_MODEL / "tokenizer.json", folder)
    table, end = dict[str, Any](), 0
    for name, shape in shapes.items():
        start, end = end, end + 2 * math.prod(shape)
        table[name] = {"dtype": "BF16", "shape": shape, "data_offsets": (start, end)}
    header = json.dumps(table).encode()
    numbers = torch.Generator().manual_seed(1)
    with (folder / "model.safetensors").open("wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        for name, shape in shapes.items():
            drawn = torch.randn(shape, generator=numbers) * 0.02
            weight = torch.ones(shape) if name.endswith("norm.weight") else drawn
            file.write(weight.to(torch.bfloat16).view(torch.int16).numpy().tobytes())
    return folder


def _forget(files: tuple[Path, ...]) -> None:
    """Let the system drop what it holds of the files, where it can be asked to."""
    if not hasattr(os, "posix_fadvise"):
        return
    for file in files:
        with file.open("rb") as data:
            os.fsync(data.fileno())
            os.posix_fadvise(data.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _read_s(files: tuple[Path, ...]) -> float:
    """Return the seconds that reading the files takes, from the first byte to the last."""
    _forget(files)
    started = time.perf_counter()
    for file in files:
        with file.open("rb", buffering=0) as data:
            while data.read(_CHUNK):
                pass
    return time.perf_counter() - started


def _load_elsewhere(args: argparse.Namespace, folder: Path, cache: Path) -> dict[str, Any]:
    """Return what one load took in a process of its own."""
    asked = {"folder": str(folder), "dtype": args.dtype, "width": args.width, "threads": args.threads}
    order = json.dumps(asked | {"device": args.device, "cache_folder": str(cache)})
    command = [sys.executable, "-m", "tests.benchmarks.engine.load_time", order]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


class _Stages(logging.Handler):
    """Notes what each stage of a load took, as the log says it."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: dict[str, float] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line that says it."""
        if found := _STAGE.fullmatch(record.getMessage()):
            self.seconds[found[1]] = self.seconds.get(found[1], 0.0) + float(found[2])


def main(order: str) -> None:
    """Load a model as `order` says, in JSON, and print what it took."""
    stages = _Stages()
    logging.basicConfig(level=logging.INFO, handlers=[stages])
    wall, processor = time.perf_counter(), time.process_time()
    loaded = load_model(ModelConfig(**json.loads(order)))
    report = {
        "wall_s": loaded.description.load_s,
        "with_imports_s": time.perf_counter() - wall,
        "processor_s": time.process_time() - processor,
        "stages": stages.seconds,
        "peak_bytes": peak_bytes(),
        "machine": options.describe(loaded),
    }
    sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
