"""`python -m tests.benchmarks.gpu_day.survival`: what recorded passes must outlive, on one device.

One plain run without any trouble is the truth. Runs with drafts then write the same tokens while the cache
grows again and again, after pauses that give all memory back, after memory that ran out on purpose in the
middle, and while another program holds nearly all of it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from quire_engine.api.config import DraftingConfig, ModelConfig
from quire_engine.api.errors import EnvironmentProblem, is_out_of_memory
from quire_engine.cli.arguments import built_in_model, read_prompt, sample_opening
from quire_engine.engine import LoadedModel, load_model
from quire_engine.forward import pass_runner
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.runtime.loaded_model import own_cache
from quire_engine.runtime.session import DraftingSession
from tests.benchmarks.engine.methods import read_all
from tests.benchmarks.gpu_day.memory_taker import memory_taken
from tests.proofs.engine.cases import SAMPLERS
from tests.proofs.engine.device_proof import check_loaded, only
from tests.proofs.engine.equality import write_plainly

_SAMPLING = SAMPLERS["defaults"]
_PROMPT_TOKENS = 90
_SMALL_STORE = 128  # slots at first, so that a short text makes it grow again and again
_PAUSES = 5
_LEFT = 1 << 29  # bytes of a GPU that another program leaves


@dataclass(frozen=True, slots=True)
class Survived:
    """What one trouble showed.

    Attributes:
        difference: empty when the text was the same.
        times: how often the trouble came: growths, pauses, failures.
    """

    trouble: str
    difference: str
    num_tokens: int
    times: int
    seconds: float
    note: str = ""

    @property
    def line(self) -> str:
        """It, for people."""
        verdict = self.difference or ("holds" if self.times else "the trouble never came")
        return f"{self.trouble:28}{self.num_tokens:7,} tokens {self.times:3} times  {verdict}  {self.note}"

    @property
    def holds(self) -> bool:
        """Whether the trouble came and the text was the same."""
        return not self.difference and self.times > 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Let every trouble come; exit status: 0 all of them were outlived, 1 otherwise."""
    args = _parser().parse_args(arguments)
    try:
        found = list(_survive(args))
    except EnvironmentProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    if args.json_path is not None:
        report = {"tokens": args.tokens, "troubles": [asdict(one) | {"holds": one.holds} for one in found]}
        args.json_path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0 if all(one.holds for one in found) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.gpu_day.survival", description=__doc__)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda")
    parser.add_argument("--model", type=Path, default=None, help="model folder; default: the built-in model")
    parser.add_argument("--dtype", choices=["float32", "bfloat16"], default="bfloat16")
    parser.add_argument("--backend", choices=["auto", "graphs", "steps", "portable"], default="graphs")
    parser.add_argument("--tokens", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--json", type=Path, dest="json_path", metavar="OUT", help="write a report here")
    return parser


def _survive(args: argparse.Namespace) -> Iterator[Survived]:
    config = ModelConfig(
        str(args.model or built_in_model()), args.dtype, threads=args.threads, device=args.device
    )
    with only(args.backend):
        loaded = load_model(config)
    check_loaded(loaded, args.backend, args.dtype)
    passes = loaded.target.kernels or "portable"
    sys.stdout.write(
        f"{loaded.description.identity.name} in {args.dtype} on {args.device}, {passes} passes\n"
    )
    prompt = loaded.tokenizer.encode(read_prompt(sample_opening())).ids[:_PROMPT_TOKENS]
    truth = write_plainly(loaded, prompt, _SAMPLING, args.tokens).run.generated_ids
    trial = _Trial(loaded, prompt, truth, args.device)
    for trouble in (trial.growth, trial.pauses, trial.out_of_memory, trial.other_program):
        found = trouble()
        sys.stdout.write(f"{found.line}\n")
        yield found


class _Trial:
    """Runs with drafts on one model, compared with what it wrote plainly without any trouble."""

    def __init__(self, loaded: LoadedModel, prompt: Sequence[int], truth: Sequence[int], device: str) -> None:
        self._loaded, self._prompt, self._truth, self._device = loaded, list(prompt), tuple(truth), device

    def growth(self) -> Survived:
        """Write from a store of two blocks on, which has to grow many times."""
        began = time.perf_counter()
        with _first_slots(_SMALL_STORE):
            model = own_cache(self._loaded)
        session = self._session(model, ())
        capacities: set[int] = set()
        while session.num_generated < len(self._truth):
            self._step(session)
            capacities.add(_runner(model).store.capacity)
        return self._judged("the cache grows", session.generated_ids, len(capacities) - 1, began)

    def pauses(self) -> Survived:
        """Give all memory back now and then, and continue from the tokens alone."""
        began = time.perf_counter()
        model, text = own_cache(self._loaded), tuple[int, ...]()
        for part in range(1, _PAUSES + 2):
            session = self._session(model, text)
            while session.num_generated < part * len(self._truth) // (_PAUSES + 1):
                self._step(session)
            text = session.generated_ids
            _runner(model).release()
        return self._judged("pauses that give memory back", text, _PAUSES, began)

    def out_of_memory(self) -> Survived:
        """Forbid the run to take more memory in the middle, let it fail, allow it again, continue."""
        began = time.perf_counter()
        with _first_slots(_SMALL_STORE):
            model = own_cache(self._loaded)
        session, failures = self._session(model, ()), 0
        while session.num_generated < len(self._truth) // 3:
            self._step(session)
        text, said = session.generated_ids, ""
        with _no_more_memory(self._device, _runner(model)):
            try:
                while session.num_generated < len(self._truth):
                    self._step(session)
            except (RuntimeError, MemoryError) as error:
                if not is_out_of_memory(error):
                    raise
                failures, said = 1, type(error).__name__
        text = session.generated_ids if failures else text
        _runner(model).release()
        session = self._session(model, text)
        while session.num_generated < len(self._truth):
            self._step(session)
        return self._judged("memory runs out on purpose", session.generated_ids, failures, began, said)

    def other_program(self) -> Survived:
        """Draft beside a program that holds nearly all memory."""
        began = time.perf_counter()
        left = _LEFT if self._device == "cuda" else 1 << 24
        model, text, failures = own_cache(self._loaded), tuple[int, ...](), 0
        with memory_taken(self._device, left) as taken:
            session = self._session(model, ())
            try:
                while session.num_generated < len(self._truth):
                    self._step(session)
            except (RuntimeError, MemoryError) as error:
                if not is_out_of_memory(error):
                    raise
                failures = 1
            text = session.generated_ids
        if failures:  # too little was left: then what was written counts, and the rest is written afterwards
            _runner(model).release()
            session = self._session(model, text)
            while session.num_generated < len(self._truth):
                self._step(session)
            text = session.generated_ids
        note = f"it took {taken / 1e9:,.2f} GB{', and the run had to pause' if failures else ''}"
        return self._judged("another program takes memory", text, int(taken > 0), began, note)

    def _session(self, model: LoadedModel, generated: Sequence[int]) -> DraftingSession:
        return DraftingSession(model, self._prompt, generated, _SAMPLING, DraftingConfig("tokenswift"))

    def _step(self, session: DraftingSession) -> None:
        read_all(session)
        session.step()

    def _judged(
        self, trouble: str, text: Sequence[int], times: int, began: float, note: str = ""
    ) -> Survived:
        """Compare a text with the truth, as far as both go."""
        difference = "" if len(text) >= len(self._truth) else f"only {len(text)} tokens were written"
        for place, (ours, wanted) in enumerate(zip(text, self._truth, strict=False)):
            if ours != wanted:
                difference = f"token {place} is {ours} instead of {wanted}"
                break
        return Survived(trouble, difference, len(text), times, time.perf_counter() - began, note)


def _runner(model: LoadedModel) -> PassRunner:
    if not isinstance(model.target, PassRunner):
        raise EnvironmentProblem("This model does not run in floating point here.")
    return model.target


@contextlib.contextmanager
def _first_slots(count: int) -> Iterator[None]:
    """Let caches that are made inside begin small."""
    module: Any = pass_runner  # the constant is not its own
    usual = module.FIRST_SLOTS
    module.FIRST_SLOTS = count
    try:
        yield
    finally:
        module.FIRST_SLOTS = usual


@contextlib.contextmanager
def _no_more_memory(device: str, runner: PassRunner) -> Iterator[None]:
    """Let every attempt to take more memory fail inside: on a GPU by a limit, else when the cache grows."""
    if device == "cuda":
        torch.cuda.empty_cache()
        total = torch.cuda.get_device_properties(0).total_memory
        torch.cuda.set_per_process_memory_fraction(torch.cuda.memory_reserved() / total)
        held = _what_is_left()
        try:
            yield
        finally:
            held.clear()
            torch.cuda.set_per_process_memory_fraction(1.0)
        return
    reserve: Callable[[int], None] = runner.store.reserve

    def refuse(slots: int) -> None:
        if slots > runner.store.capacity:
            raise MemoryError("on purpose")
        reserve(slots)

    runner.store.reserve = refuse  # type: ignore[method-assign]
    try:
        yield
    finally:
        del runner.store.reserve


def _what_is_left() -> list[torch.Tensor]:
    """Take what the allocator still holds in its own blocks: a short text would grow into them."""
    held: list[torch.Tensor] = []
    size = 1 << 26
    while size >= 1 << 12:
        try:
            held.append(torch.empty(size, dtype=torch.uint8, device="cuda"))
        except torch.OutOfMemoryError:
            size //= 2
    return held


if __name__ == "__main__":
    raise SystemExit(main())
