"""`divergence`: how far Fast and llama.cpp are from float32 with a file's own numbers, on the same text.

The reference is llama.cpp with all weights unpacked to float32 and its cache in float32, too.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from tests.benchmarks.engine import options
from tests.benchmarks.engine.gguf_formats import write_converted
from tests.benchmarks.engine.prompt_texts import add_prompt_option, opening_text
from tests.benchmarks.engine.workers import Worker, WorkerEnded

QUIRE, LLAMA = "Quire", "llama.cpp"
_ROWS = 32  # of scores compared at once: a row may have a quarter of a million


@dataclass(frozen=True, slots=True)
class Divergence:
    """How far a program is from float32 over a text.

    Attributes:
        mean: Kullback-Leibler divergence in nats per token.
        highest: a hundredth of the tokens are farther off than this.
        agreement: share of the tokens after which the likeliest one is the same.
    """

    file: str
    program: str
    mean: float
    highest: float
    agreement: float


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what it can be asked beside the common options."""
    parser.add_argument("--gguf", type=Path, nargs="+", required=True, help="model files")
    parser.add_argument("--llama", default=sys.executable, metavar="PYTHON", help="has llama-cpp-python")
    parser.add_argument("--tokens", type=int, default=512, help="of the text")
    add_prompt_option(parser)


def run(args: argparse.Namespace, say: options.Say) -> dict[str, Any]:
    """Compare both programs on every file."""
    results: list[Divergence] = []
    say(f"{'':40}{'':12}{'nats':>9}{'99th':>9}{'same best':>11}")
    for file in args.gguf:
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = compare(file, args, Path(folder))
            except WorkerEnded as ended:
                raise EnvironmentProblem(str(ended)) from ended
        for each in found:
            say(f"{each.file:40}{each.program:12}{each.mean:9.5f}{each.highest:9.4f}{each.agreement:11.1%}")
        results += found
    return {"results": [asdict(each) for each in results]}


def compare(file: Path, args: argparse.Namespace, folder: Path) -> list[Divergence]:
    """Let both programs and the reference score the same text, one after the other."""
    rules = asdict(SamplingConfig())
    quire = Worker(QUIRE, "quire_worker")
    own = {"file": str(file), "threads": 2, "rules": rules, "cache": str(folder), "ships": False}
    quire.do("load", **own)
    ids = quire.do("ids", text=opening_text(args.prompt_file), count=args.tokens)["ids"]
    scores = {QUIRE: folder / "quire.npy"}
    quire.do("scores", ids=ids, file=str(scores[QUIRE]))
    quire.stop()
    wanted = folder / "float32.npy"
    unpacked = write_converted(file, folder / "float32.gguf", "F32")
    for name, model, saved in (("float32", unpacked, wanted), (LLAMA, file, folder / "llama.npy")):
        worker = Worker(name, "llama_worker", args.llama)
        order = {"file": str(model), "threads": 2, "context": len(ids), "rules": rules}
        worker.do("load", **order, in_float32=model is unpacked)
        worker.do("scores", ids=ids, file=str(saved))
        worker.stop()
        scores[name] = saved
    return [divergence(file.name, name, wanted, scores[name]) for name in (QUIRE, LLAMA)]


def divergence(file: str, program: str, wanted: Path, found: Path) -> Divergence:
    """Compare saved scores: float32 (tokens, vocabulary)."""
    reference, given = np.load(wanted, mmap_mode="r"), np.load(found, mmap_mode="r")
    given = given[:, : reference.shape[1]]
    nats: list[npt.NDArray[np.float64]] = []
    agreed = 0
    for first in range(0, len(reference), _ROWS):
        p, q = (_log_shares(each[first : first + _ROWS]) for each in (reference, given))
        nats.append((np.exp(p) * (p - q)).sum(axis=1))
        agreed += int((p.argmax(axis=1) == q.argmax(axis=1)).sum())
    every = np.concatenate(nats)
    highest = float(np.quantile(every, 0.99))
    return Divergence(file, program, float(every.mean()), highest, agreed / len(every))


def _log_shares(scores: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    wide = scores.astype(np.float64)
    wide -= wide.max(axis=1, keepdims=True)
    return np.asarray(wide - np.log(np.exp(wide).sum(axis=1, keepdims=True)))
