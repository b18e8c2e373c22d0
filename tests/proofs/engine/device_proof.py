"""`python -m tests.proofs.engine.device_proof --device cuda`: the law on one device, in one command, with
figures.

Plain, accelerated and resumed runs write the same text: in both dtypes, with every drafter by itself,
all together and as the planner chooses, thousands of tokens each. On a CPU it runs just the same with
`--device cpu`.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import torch

from quire_engine.api.config import SOURCES, Dtype, ModelConfig, Source
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.cli.arguments import built_in_model, read_prompt, sample_opening
from quire_engine.engine import LoadedModel, load_model
from quire_engine.forward import backend_choice
from quire_engine.gpu.cuda_graphs import CallAgain
from quire_engine.gpu.static_decoder import DecodeBackend
from quire_engine.models import loading
from quire_engine.runtime.drafter_factory import available_sources
from tests.benchmarks.engine.options import processor_name
from tests.proofs.engine.cases import OWN_SOURCES, SAMPLERS, SHIPPED, Case
from tests.proofs.engine.equality import Plain, prove_against, prove_resumed_plainly, write_plainly

PLAIN_RESUMED, AUTO, ALL = "plain, resumed", "auto", "all"
ROWS = (PLAIN_RESUMED, AUTO, *OWN_SOURCES, ALL)
Backend = Literal["auto", "graphs", "steps", "portable"]
"""How a GPU runs passes: as a load chooses; as recorded graphs; launched one by one; as every device can."""
_FORMATS: tuple[Dtype, ...] = ("float32", "bfloat16")
_WIDEST_PROMPT = 0.5  # of the model's context


@dataclass(frozen=True, slots=True)
class Finding:
    """What one row of the table found.

    Attributes:
        difference: empty when nothing differed; caches: compared bit by bit.
        missing: why it could not be tried, else empty; what the time did not suffice for is missing too.
    """

    dtype: str
    sampler: str
    row: str
    difference: str = ""
    missing: str = ""
    num_tokens: int = 0
    num_caches: int = 0
    tokens_per_pass: float | None = None
    tokens_per_s: float | None = None

    @property
    def line(self) -> str:
        """It, for people."""
        head = f"{self.dtype:9} {self.sampler:16} {self.row:16}"
        if self.missing:
            return f"{head}not proved: {self.missing}"
        per_pass = "" if self.tokens_per_pass is None else f"{self.tokens_per_pass:.2f} a pass"
        pace = "" if self.tokens_per_s is None else f"{self.tokens_per_s:.1f} tokens/s"
        verdict = "holds" if not self.difference else f"DIFFERS: {self.difference}"
        counts = f"{self.num_tokens:8,} tokens {self.num_caches:2} caches"
        return f"{head}{counts} {pace:>16} {per_pass:>12}  {verdict}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove; exit status: 0 all of it holds, 1 something differed or was not proved, 130 stopped."""
    args = _parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
    try:
        return _prove(args)
    except EnvironmentProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.engine.device_proof", description=__doc__)
    parser.add_argument("--device", choices=["auto", "cpu", "cuda", "mps"], default="auto")
    parser.add_argument("--dtypes", nargs="+", choices=(*_FORMATS, "int8"), default=_FORMATS)
    parser.add_argument("--backend", choices=get_args(Backend), default="auto", help="ways to run passes")
    parser.add_argument("--tokens", type=int, default=5000, help="new tokens of every run")
    parser.add_argument("--samplers", nargs="+", choices=SAMPLERS, default=["defaults"])
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=ROWS, help="lines of the table")
    parser.add_argument("--model", type=Path, default=None, help="model folder; default: the built-in model")
    parser.add_argument("--drafters-folder", type=Path, default=None)
    parser.add_argument("--width", type=int, default=0, help="rows of a pass; 0: Quire's own choice")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=9.0, help="no row is begun after them")
    parser.add_argument("--seed", type=int, default=0, help="decides where runs are resumed")
    parser.add_argument("--json", type=Path, dest="json_path", metavar="OUT", help="write a report here")
    return parser


def _prove(args: argparse.Namespace) -> int:
    if args.tokens < 2:
        raise EnvironmentProblem("--tokens must be 2 or more.")
    if args.json_path is not None and not args.json_path.parent.is_dir():
        raise EnvironmentProblem(f"The report cannot be written to {args.json_path}: its folder is missing.")
    until = time.monotonic() + 60 * args.minutes
    findings: list[Finding] = []
    machines: list[dict[str, Any]] = []
    for dtype in dict.fromkeys(args.dtypes):
        with only(args.backend):
            loaded = _load(args, dtype)
        check_loaded(loaded, args.backend, dtype)
        machines.append(_machine(loaded))
        _say(_heading(machines[-1]))
        for sampler in dict.fromkeys(args.samplers):
            for finding in _rows(args, loaded, sampler, until, machines[-1]["texts"]):
                findings.append(finding)
                _say(finding.line)
        del loaded  # the next format needs the room
    bad = [one for one in findings if one.difference or one.missing]
    _say(f"{len(findings) - len(bad)} of {len(findings)} hold.")
    if args.json_path is not None:
        report = {"machines": machines, "tokens": args.tokens, "findings": [asdict(one) for one in findings]}
        args.json_path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 1 if bad else 0


@contextlib.contextmanager
def only(backend: Backend) -> Iterator[None]:
    """Let models that are loaded inside try this way to run passes and no other."""
    usual = backend_choice.gpu_backends

    def wanted(device: torch.device, dtype: torch.dtype) -> tuple[DecodeBackend, ...]:
        found = () if backend == "portable" else usual(device, dtype)
        return tuple(path for path in found if (path.new_maker is CallAgain) == (backend == "steps"))

    if backend != "auto":
        backend_choice.gpu_backends = wanted
    try:
        yield
    finally:
        backend_choice.gpu_backends = usual


def check_loaded(loaded: LoadedModel, backend: Backend, dtype: Dtype) -> None:
    """EnvironmentProblem where the model was loaded in another way than was asked for."""
    identity = loaded.description.identity
    if identity.dtype != dtype:
        raise EnvironmentProblem(f"{identity.name} was loaded in {identity.dtype} here, not in {dtype}.")
    if backend in ("graphs", "steps") and not loaded.target.kernels:
        raise EnvironmentProblem(
            f"{identity.name} was not loaded for {backend} here: this device has none, or its check failed."
        )


def _load(args: argparse.Namespace, dtype: Dtype) -> LoadedModel:
    return load_model(
        ModelConfig(
            str(args.model or built_in_model()),
            dtype=dtype,
            width=args.width,
            threads=args.threads,
            device=args.device,
            drafters_folder=str(args.drafters_folder or ""),
        )
    )


def _rows(
    args: argparse.Namespace, loaded: LoadedModel, sampler: str, until: float, texts: dict[str, str]
) -> Iterator[Finding]:
    """Write the plain run once, and yield what every other run had to say beside it.

    texts: is given the digest of what the plain run wrote.
    """
    dtype = loaded.description.identity.dtype
    prompt: list[int] = loaded.tokenizer.encode(read_prompt(sample_opening())).ids
    prompt = prompt[: int(_WIDEST_PROMPT * loaded.target.context_length)]
    plain: Plain | None = None
    for row in dict.fromkeys(args.rows):
        if plain is not None and time.monotonic() > until:
            yield Finding(dtype, sampler, row, missing="the minutes were over; ask for more of them")
            continue
        if plain is None:
            plain = write_plainly(loaded, prompt, SAMPLERS[sampler], args.tokens)
            texts[sampler] = digest_of(plain.run.generated_ids[: args.tokens])
            _say(
                f"{dtype:9} {sampler:16} {'plain':16}{args.tokens:8,} tokens {'':9} "
                f"{args.tokens / plain.seconds:7.1f} tokens/s"
            )
        yield _finding(args, plain, sampler, row, prompt)


def _finding(
    args: argparse.Namespace, plain: Plain, sampler: str, row: str, prompt: Sequence[int]
) -> Finding:
    loaded = plain.loaded
    dtype = loaded.description.identity.dtype
    if row == PLAIN_RESUMED:
        place = random.Random(f"{dtype} {sampler} {args.seed}").randint(1, args.tokens - 1)
        difference, compared = prove_resumed_plainly(plain, SAMPLERS[sampler], prompt, args.tokens, place)
        return Finding(
            dtype, sampler, row, difference, num_tokens=args.tokens - place, num_caches=int(compared)
        )
    available = available_sources(loaded.trained)
    drafters = _drafters_of(row, available)
    if missing := set(drafters) - set(available):
        reason = f"this model has no {', '.join(sorted(missing))} prepared for it"
        return Finding(dtype, sampler, row, missing=reason)
    case = Case(SHIPPED, dtype, loaded.target.width, sampler, drafters=drafters)
    try:
        outcome = prove_against(plain, case, prompt, args.tokens, args.seed)
    except EnvironmentProblem as problem:
        return Finding(dtype, sampler, row, missing=str(problem))
    return Finding(
        dtype,
        sampler,
        row,
        outcome.difference,
        num_tokens=outcome.num_tokens,
        num_caches=outcome.num_caches,
        tokens_per_pass=1 + outcome.num_accepted / outcome.num_passes,
        tokens_per_s=args.tokens / outcome.seconds,
    )


def _drafters_of(row: str, available: tuple[Source, ...]) -> tuple[Source, ...]:
    if row == AUTO:
        return ()
    return available if row == ALL else tuple(source for source in SOURCES if source == row)


def digest_of(token_ids: Sequence[int]) -> str:
    """Return a short name of a text, to tell whether two are the same."""
    return hashlib.sha256(",".join(map(str, token_ids)).encode()).hexdigest()[:16]


def _machine(loaded: LoadedModel) -> dict[str, Any]:
    device = loaded.target.network.device
    return {
        "processor": processor_name(),
        "device": torch.cuda.get_device_name(device) if device.type == "cuda" else device.type,
        "threads": torch.get_num_threads(),
        "software": loading.software_versions(),
        "model": loaded.description.identity.name,
        "fingerprint": loaded.description.identity.fingerprint,
        "dtype": loaded.description.identity.dtype,
        "width": loaded.target.width,
        "passes": loaded.target.kernels or "portable",
        "texts": {},
        "passes_repeat_their_bits": loaded.description.reproducible,
    }


def _heading(machine: dict[str, Any]) -> str:
    bits = (
        "passes repeat their bits: text and cache are compared"
        if machine["passes_repeat_their_bits"]
        else "passes do not repeat their bits: passes of one row settle near-ties, the text is compared"
    )
    return (
        f"{machine['model']} in {machine['dtype']}, passes of {machine['width']} rows ({machine['passes']}), "
        f"on {machine['device']} ({machine['threads']} threads); {bits}"
    )


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    raise SystemExit(main())
