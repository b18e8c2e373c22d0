"""The models of the paper's experiments, loaded once, and the openings that every system continues."""

from __future__ import annotations

import argparse
import dataclasses
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.runtime.loaded_model import LoadedModel
from tests.benchmarks.engine import compare_library, options
from tests.benchmarks.engine.methods import LibraryMethod, Method, OwnMethod
from tests.benchmarks.engine.paper.sizes import Size
from tests.benchmarks.engine.paper.systems import System, session_of
from tests.benchmarks.engine.prompt_texts import opening_text, prose_ids


@dataclass(slots=True)
class Bench:
    """What cells measure with.

    Attributes:
        args: as the suite was asked.
        size: lengths and counts.
        plain_text: what plain decoding writes in passes of one width, by length.
    """

    args: argparse.Namespace
    size: Size
    plain_text: dict[int, tuple[int, ...]] = field(default_factory=dict)
    _openings: dict[int, list[int]] = field(default_factory=dict)
    _models: dict[str, LoadedModel] = field(default_factory=dict)
    _library: Any = None

    @property
    def loaded(self) -> LoadedModel:
        """The model as the app loads it, with passes of one width."""
        return self._model("padded", lambda: options.load(self.args))

    @property
    def one_row(self) -> LoadedModel:
        """The model with weights laid out for passes of one row."""
        return self._model("one row", lambda: options.load_unpadded(self.args))

    @property
    def library(self) -> Any:
        """The library's own model."""
        if self._library is None:
            self._library = compare_library.load_transformers_model(self.loaded, self.args)
        return self._library

    def wide(self, width: int) -> LoadedModel:
        """The model as the app loads it for passes of `width` rows, at most 64, each of them padded."""
        named = argparse.Namespace(**{**vars(self.args), "width": width})
        return self._model(f"width {width}", lambda: options.load(named))

    def _model(self, name: str, load: Callable[[], LoadedModel]) -> LoadedModel:
        if name not in self._models:
            self._models[name] = load()
        return self._models[name]

    def narrow(self, rows: int) -> LoadedModel:
        """The model with passes as wide as their trees, up to `rows`."""
        loaded = self.loaded
        target = loaded.target
        if not isinstance(target, PassRunner):
            raise EnvironmentProblem("The paper's experiments need a model in float32 or bfloat16, not int8.")
        context = target.context_length
        runner = PassRunner(target.network, rows, context, padded=False, fast=target.fast)
        return dataclasses.replace(loaded, target=runner, near_tie=0.0)

    def opening(self, number: int, length: int) -> list[int]:
        """Return the first `length` tokens of an opening, as long as the longest prefix or shorter.

        Each file is one opening. Where there are fewer, the first half of one is continued by the model
        itself with another seed, and so is one that is too short.
        """
        known = self._openings.get(number)
        if known is None:
            files: Sequence[Any] = self.args.prompt_file or [None]
            text = opening_text(files[number % len(files)])
            sampling = SamplingConfig(seed=self.args.seed + number)
            tokens: list[int] = self.loaded.tokenizer.encode(text).ids
            if number >= len(files):  # another text than the same file's first opening
                tokens = tokens[: max(1, min(len(tokens), self.size.longest) // 2)]
            text = self.loaded.tokenizer.decode(tokens)
            known = prose_ids(self.loaded, text, self.size.longest, sampling)
            self._openings[number] = known
        return known[:length]

    def method(
        self, system: System, prompt_ids: Sequence[int], sampling: SamplingConfig, **session: Any
    ) -> Method:
        """Return a system ready to write. session: see `systems.session_of`."""
        if system.passes == "library":
            return LibraryMethod(system.name, self.library, sampling, system.prompt_lookup)
        make = session_of(system, **session)
        drafting = system.drafting(self.size.budget)
        return OwnMethod(system.name, self.model_of(system), prompt_ids, sampling, drafting, make)

    def model_of(self, system: System) -> LoadedModel:
        """Return the model with the passes that a system makes."""
        if system.passes == "padded":
            return self.loaded
        if system.is_plain:
            return self.one_row
        if system.tree:
            return self.narrow(system.rows)
        return self._model("unpadded", functools.partial(options.exact_only, self.loaded))
