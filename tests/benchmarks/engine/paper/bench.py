"""The models of the paper's experiments, loaded once, and the openings that every system continues."""

from __future__ import annotations

import argparse
import dataclasses
import functools
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.drafting.draft_heads import HeadsWeights
from quire_engine.drafting.draft_model import DraftModel
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.importing.model_import import import_model
from quire_engine.runtime.loaded_model import LoadedModel
from quire_engine.training.hidden_states import FrozenTarget, Tokens
from tests.benchmarks.engine import compare_library, options
from tests.benchmarks.engine.llama_cpp_method import NGRAMS, LlamaCppMethod
from tests.benchmarks.engine.methods import LibraryMethod, Method, OwnMethod
from tests.benchmarks.engine.paper.long_text import NUM_DECODED, LongText, continued
from tests.benchmarks.engine.paper.sizes import Size
from tests.benchmarks.engine.paper.small_model import small_model_folder
from tests.benchmarks.engine.paper.systems import System, session_of
from tests.benchmarks.engine.paper.trained_heads import train_heads, write_training_text
from tests.benchmarks.engine.prompt_texts import opening_text, prose_ids

_SMALL_WIDTH = 8
"""Rows of a pass of the small model: it reads a path of a few tokens at once."""


def opening_files(args: argparse.Namespace) -> list[Path]:
    """Return the texts that were named, one by one or by a folder of them; none: the sample opening."""
    found: list[Path] = []
    for path in args.prompt_file or ():
        inside = sorted(path.glob("*.txt")) if path.is_dir() else [path]
        if not inside:
            raise EnvironmentProblem(f"{path} has no text files (*.txt).")
        found += inside
    return found


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
    _starter: StarterBench | None = None
    _frozen: FrozenTarget | None = None
    _long_text: LongText | None = None
    _heads: dict[int, HeadsWeights] = field(default_factory=dict)

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
        """The library's own model; in float32 where Quire's is in whole numbers."""
        if self._library is None:
            self._library = compare_library.load_transformers_model(self.loaded, self.args)
        return self._library

    @property
    def human_text(self) -> str:
        """A text that a human wrote: the one that was named, or the first opening."""
        named = self.args.human_text or next(iter(opening_files(self.args)), None)
        return opening_text(named)

    @property
    def starter(self) -> StarterBench:
        """The same for the starter model in Fast."""
        if self._starter is None:
            self._starter = StarterBench.of(self)
        return self._starter

    def close(self) -> None:
        """Remove what was imported."""
        if self._starter is not None:
            self._starter.close()

    def heads_of(self, piece: int) -> HeadsWeights:
        """Return the paper's heads, trained on pieces of so many tokens of the model's own text."""
        if piece not in self._heads:
            target, text = self._training()
            sampling, file = SamplingConfig(seed=self.args.seed), Path(self.args.work) / f"heads-{piece}.pt"
            self._heads[piece] = train_heads(target, text, piece, self.size, sampling, file)
        return self._heads[piece]

    def _training(self) -> tuple[FrozenTarget, Tokens]:
        """Return the model that others learn from, and what it wrote for that."""
        if self._frozen is None:  # not the library's model: training changes its attention
            self._frozen = FrozenTarget(compare_library.load_transformers_model(self.loaded, self.args))
        sampling, file = SamplingConfig(seed=self.args.seed), Path(self.args.work) / "own-text.npy"
        human, suppressed = self.opening(0, self.size.prefix), self.loaded.suppressed
        return self._frozen, write_training_text(self._frozen, human, suppressed, self.size, sampling, file)

    def wide(self, width: int) -> LoadedModel:
        """The model as the app loads it for passes of `width` rows, at most 128, each of them padded."""
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
        known = self._openings.get(number, [])
        if len(known) < length:  # the same seed: the same text, only longer
            files: Sequence[Path | None] = opening_files(self.args) or [None]
            text = opening_text(files[number % len(files)])
            sampling = SamplingConfig(seed=self.args.seed + number)
            tokens: list[int] = self.loaded.tokenizer.encode(text).ids
            if number >= len(files):  # another text than the same file's first opening
                tokens = tokens[: max(1, min(len(tokens), self.size.longest) // 2)]
            text = self.loaded.tokenizer.decode(tokens)
            known = prose_ids(self.loaded, text, length, sampling)
            self._openings[number] = known
        return known[:length]

    def method(
        self, system: System, prompt_ids: Sequence[int], sampling: SamplingConfig, **session: Any
    ) -> Method:
        """Return a system ready to write. session: see `systems.session_of`."""
        if system.passes == "library":
            return LibraryMethod(system.name, self.library, sampling, system.prompt_lookup)
        if system.passes == "llama.cpp":
            return self.llama_cpp(system, sampling)
        make = session_of(system, **session)
        drafting = system.drafting(self.size.budget)
        loaded = self.with_small_model(self.model_of(system), system)
        return OwnMethod(system.name, loaded, prompt_ids, sampling, drafting, make)

    @property
    def long_text(self) -> LongText:
        """The first opening's text as far as it goes, continued by the model where that is too short."""
        if self._long_text is None:
            size, target = self.size, self.narrow(self.loaded.target.width).target
            count = size.prefix + max(size.far)
            room = target.context_length - size.far_turn - size.far_warm_up - 64
            if not isinstance(target, PassRunner) or count > room:
                raise EnvironmentProblem(f"The model has no room for {count:,} tokens and what follows.")
            text = opening_text(next(iter(opening_files(self.args)), None))
            ids: list[int] = self.loaded.tokenizer.encode(text).ids[:count]
            num_written = count - len(ids)
            if num_written:
                sampling, file = SamplingConfig(seed=self.args.seed), Path(self.args.work) / "long-text.npy"
                ids = continued(self.loaded, ids, count, size.far_window, sampling, file)
            self._long_text = LongText(target, ids, num_written)
        return self._long_text

    def method_behind(self, system: System, length: int, sampling: SamplingConfig) -> OwnMethod:
        """Return a system ready to write behind the first `length` tokens of the long text."""
        text = self.long_text
        num_decoded = 1 if system.is_plain else min(NUM_DECODED, length // 2)
        num_cached = length - 1 - num_decoded
        loaded = text.cached(num_cached, self.with_small_model(self.model_of(system), system))
        drafting, make = system.drafting(self.size.budget), session_of(system)
        return OwnMethod(system.name, loaded, text.ids[:length], sampling, drafting, make, num_cached)

    def with_small_model(self, loaded: LoadedModel, system: System) -> LoadedModel:
        """Return a model with a small one beside it, with a cache of its own, where the system needs that."""
        if not system.needs_small_model:
            return loaded
        small = self._model("small model", self._load_small_model)
        draft = DraftModel(small.target.with_own_cache(), small.vocab_size, loaded.suppressed)
        return dataclasses.replace(loaded, draft_model=draft)

    def _load_small_model(self) -> LoadedModel:
        original, folder = options.model_folder(self.args), Path(self.args.work) / "small-model"
        target, text = self._training()
        small = small_model_folder(target, text, self.size, self.args.seed, original, folder)
        return options.load_unpadded(argparse.Namespace(**{**vars(self.args), "model": small}), _SMALL_WIDTH)

    def llama_cpp(self, system: System, sampling: SamplingConfig) -> Method:
        """Return llama.cpp, ready to write; only the starter model has a file that it reads."""
        del sampling
        raise EnvironmentProblem(f"{system.name} cannot read this model.")

    def model_of(self, system: System) -> LoadedModel:
        """Return the model with the passes that a system makes."""
        if system.passes == "padded":
            return self.loaded
        if system.is_plain:
            return self.one_row
        if system.tree:
            narrow = self.narrow(system.rows)
            if not system.piece or narrow.trained is None:
                return narrow
            trained = dataclasses.replace(narrow.trained, heads=self.heads_of(system.piece))
            return dataclasses.replace(narrow, trained=trained)
        return self._model("unpadded", functools.partial(options.exact_only, self.loaded))


@dataclass(slots=True)
class StarterBench(Bench):
    """The starter model, imported from its file and loaded in Fast. file: what llama.cpp reads, too."""

    file: Path = Path()
    _folder: tempfile.TemporaryDirectory[str] | None = None

    @classmethod
    def of(cls, bench: Bench) -> StarterBench:
        """Import the model into a folder that is gone with the bench."""
        file, size = options.model_file(bench.args), bench.size
        folder = tempfile.TemporaryDirectory()
        own = {
            "model": import_model(file, Path(folder.name)),
            "dtype": size.starter_dtype,
            "drafters_folder": None,
        }
        args = argparse.Namespace(**{**vars(bench.args), **own, "width": 0})
        prefix = size.starter_prefix
        small = dataclasses.replace(size, prefix=prefix, prefixes=(prefix,))
        return cls(args, small, file=file, _folder=folder)

    def close(self) -> None:
        """Remove the imported model."""
        if self._folder is not None:
            self._folder.cleanup()

    def llama_cpp(self, system: System, sampling: SamplingConfig) -> Method:
        """Return llama.cpp with the same file, ready to write."""
        size = self.size
        room = size.prefix + size.warm_up + 2 * size.num_turns * size.starter_turn + 256
        return LlamaCppMethod(
            system.name,
            self.file,
            sampling,
            threads=torch.get_num_threads(),
            context_length=room,
            speculation=NGRAMS if system.prompt_lookup else "",
        )
