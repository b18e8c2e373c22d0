"""`python -m tests.benchmarks.gpu_day.other_engine`: vLLM's plain decoding of a shape with random weights.

It is measured where it is installed, and said to be missing where it is not. A model is written as a
configuration alone: its weights are made up by vLLM ("dummy").
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.engine.model_shapes import SHAPES, Shape

_SPARE = 64


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; exit status 0, also where vLLM is not installed: the report says so."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.gpu_day.other_engine", description=__doc__
    )
    parser.add_argument("--shape", choices=SHAPES, required=True)
    parser.add_argument("--lengths", type=int, nargs="+", default=[4096, 16_384])
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--json", type=Path, dest="json_path", required=True)
    args = parser.parse_args(arguments)
    try:
        vllm = importlib.import_module("vllm")
    except ImportError as error:
        found = [{"name": "vLLM", "said": f"not measured: it is not installed here ({error})"}]
    else:
        found = _measured(vllm, SHAPES[args.shape], args.lengths, args.tokens)
    args.json_path.write_text(json.dumps({"figures": found}, indent=1) + "\n", encoding="utf-8")
    sys.stdout.writelines(f"{one['name']}: {one['said']}\n" for one in found)
    return 0


def _measured(vllm: Any, shape: Shape, lengths: Sequence[int], count: int) -> list[dict[str, str]]:
    """Time `count` tokens and one token behind each length: the difference is decoding alone."""
    with tempfile.TemporaryDirectory() as folder:
        shape.config(shape.num_layers).save_pretrained(folder)
        engine = vllm.LLM(
            model=folder,
            load_format="dummy",
            skip_tokenizer_init=True,
            dtype="bfloat16",
            max_model_len=max(lengths) + count + _SPARE,
            enable_prefix_caching=True,  # the context is read once; what follows is timed
        )
        found = []
        for length in lengths:
            prompt = {"prompt_token_ids": [place % 1000 + 1 for place in range(length)]}
            seconds = {}
            for tokens in (1, count, 1, count):  # the first two warm up
                rules = vllm.SamplingParams(
                    max_tokens=tokens, temperature=1.0, ignore_eos=True, detokenize=False
                )
                began = time.perf_counter()
                engine.generate([prompt], rules)
                seconds[tokens] = time.perf_counter() - began
            ms = 1e3 * (seconds[count] - seconds[1]) / (count - 1)
            found.append({"name": f"vLLM, {shape.name} at {length:,}", "said": f"{ms:.2f} ms a token"})
    return found


if __name__ == "__main__":
    raise SystemExit(main())
