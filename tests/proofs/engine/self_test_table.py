"""A table of broken models by format: how far each is from float32, and whether the self-test refuses it.

    python -m tests.proofs.engine.self_test_table [--model FOLDER]... [--formats bfloat16 ...]

Ends with 1 where a sound model is refused or a broken one is accepted. Without --model: the built-in one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from quire_engine.api.config import Weights
from quire_engine.catalog.model_families import FUSED_TYPES
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.forward.probe_text import natural_ids
from quire_engine.forward.self_test import run_self_test
from quire_engine.forward.yardstick import Deviation, Yardstick, measure
from quire_engine.models.loading import build_model, inspect_folder, load_tokenizer
from quire_engine.models.network import FusedDecoder, LibraryNetwork, Network
from quire_resources import BUILT_IN_MODEL
from tests.engine.wrapped import Wrapped
from tests.proofs.engine.broken_models import BROKEN, SUBTLE

FORMATS: dict[str, tuple[torch.dtype, Weights]] = {
    "float32": (torch.float32, "full"),
    "bfloat16": (torch.bfloat16, "full"),
    "float16": (torch.float16, "full"),
    "float32, int8 weights": (torch.float32, "int8"),
    "bfloat16, int8 weights": (torch.bfloat16, "int8"),
}
SHIFTED = "decode passes one position off"
_WIDTH = 8


class ShiftedPositions(Wrapped):
    """A network whose decode passes think that they are one position further on."""

    def hidden(self, ids: Tensor, positions: Tensor) -> Tensor:
        is_decode = len(positions) <= _WIDTH
        return self._network.hidden(ids, positions + 1 if is_decode else positions)


def names() -> tuple[str, ...]:
    """Return every variant, the sound one first."""
    return ("sound", SHIFTED, *BROKEN, *SUBTLE)


class Specimen:
    """A model in one format; it is measured once, and built anew for every variant."""

    def __init__(self, folder: Path, format_name: str) -> None:
        self._weights: Weights
        self._dtype, self._weights = FORMATS[format_name]
        self._folder = inspect_folder(folder)
        tokenizer = load_tokenizer(self._folder)
        self._vocab_size = int(self._folder.config.vocab_size)
        texts = natural_ids(tokenizer, self._vocab_size)
        routed = self._folder.is_mixture
        # as a load does: the first text, and all of them where it leaves something undecided
        stages = (texts,) if routed else (texts[:1], texts)
        self._yardsticks: list[Yardstick] = [
            measure(self._built(), each, self._dtype, routed=routed) for each in stages
        ]

    def judged(self, name: str) -> tuple[Deviation, bool]:
        """Return how far a variant is on the texts that decide, and whether the self-test accepts it."""
        model = self._built()
        change = (BROKEN | SUBTLE).get(name)
        if change is not None:
            change(model)
        fused = self._folder.config.model_type in FUSED_TYPES
        network: Network = FusedDecoder(model, _WIDTH, take_apart=True) if fused else LibraryNetwork(model)
        network = ShiftedPositions(network) if name == SHIFTED else network
        runner = PassRunner(network, _WIDTH, 256)
        results = (run_self_test(runner, each, self._vocab_size) for each in self._yardsticks)
        result = next(result for result in results if result.deviation.is_clear)
        return result.deviation, result.matches

    def _built(self) -> Any:
        return build_model(self._folder, self._dtype, weights=self._weights)


def is_right(name: str, format_name: str, *, accepted: bool) -> bool:
    """Say whether a verdict is as it must be; in small formats a subtle change may be no more than noise."""
    if name in SUBTLE and not format_name.startswith("float32"):
        return True
    return accepted == (name == "sound")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", action="append", type=Path, help="a folder of the Llama family")
    parser.add_argument("--formats", nargs="+", choices=[*FORMATS], default=[*FORMATS])
    parser.add_argument("--variants", nargs="+", choices=names(), default=names())
    args = parser.parse_args(arguments)
    torch.set_num_threads(1)
    wrong = 0
    for folder in args.model or [BUILT_IN_MODEL]:
        for format_name in args.formats:
            specimen = Specimen(folder, format_name)
            for name in args.variants:
                found, accepted = specimen.judged(name)
                right = is_right(name, format_name, accepted=accepted)
                wrong += not right
                sys.stdout.write(
                    f"{folder.name:20} {format_name:23} {name:31} {found.kl_ratio:10.3g} "
                    f"{found.rms_ratio:10.3g} {found.worst:9.3g}  {'accepted' if accepted else 'refused'}"
                    f"{'' if right else '  WRONG'}\n"
                )
                sys.stdout.flush()
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
