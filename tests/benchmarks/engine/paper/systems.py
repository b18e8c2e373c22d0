"""What takes part in the paper's experiments, and the session that drafts with it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from quire_engine.api.config import DraftingConfig, SamplingConfig, Source
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.decoding.draft_tree import DraftTree
from quire_engine.decoding.token_stream import Step
from quire_engine.drafting.candidate_tree import PlannedTree
from quire_engine.drafting.drafter import Drafter, rows_of_shape
from quire_engine.drafting.feature_drafter import FeatureDrafter
from quire_engine.drafting.ngram_drafter import NgramDrafter
from quire_engine.drafting.paper.fourgram_drafter import MAX_TAILS, FourgramDrafter
from quire_engine.drafting.paper.partial_cache import Selection
from quire_engine.drafting.paper.partial_cache_drafter import PartialDrafter
from quire_engine.drafting.phrase_counts import PhraseCounts
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.runtime.session import DraftingSession, Loaded
from tests.benchmarks.engine.paper.hierarchical_drafter import HierarchicalDrafter
from tests.benchmarks.engine.paper.small_model import SmallModelGuesser

PAPER_TREE = (1, 3, 3, 3)
MOST_ROWS = 1024
"""Rows of the widest pass that is tried."""
_TAIL = 3  # draft tokens of a 4-gram behind its first one

Guesser = Literal["ngrams", "feature", "small model"]
"""What guesses ahead for the partial pass."""

Passes = Literal["padded", "narrow", "library", "llama.cpp"]
"""padded: every pass has the run's width, and the text is the same every time (Quire). narrow: a pass has as
many rows as its tree has nodes (the paper). library: `transformers.generate`. llama.cpp: that program, with
the starter model's own file."""


@dataclass(frozen=True, slots=True)
class System:
    """One way to write.

    Attributes:
        name: what tables call it.
        passes: see Passes.
        sources: its drafters; empty: Quire's own choice.
        tree: children per node by depth; empty: by measured cost.
        tails: 4-grams per first token (the paper's k), for the drafter "fourgrams".
        selection: of the partial cache, for the drafter "partial"; None: it has room for the whole text.
        with_heads: let the extra heads draft behind the partial pass; without them it drafts token by token.
        guesser: what drafts for the partial pass (`hierarchical_drafter`); None: nothing.
        budget: positions of the partial cache; 0: the size's.
        piece: tokens of the pieces that its heads were trained on; 0: those that come with the model.
        is_plain: no drafts at all.
        prompt_lookup: tokens that the library copies from the context as a draft; with llama.cpp any number
            stands for its own n-grams.
    """

    name: str
    passes: Passes = "narrow"
    sources: tuple[Source, ...] = ()
    tree: tuple[int, ...] = ()
    tails: int = MAX_TAILS
    selection: Selection | None = "dynamic"
    with_heads: bool = True
    guesser: Guesser | None = None
    budget: int = 0
    piece: int = 0
    is_plain: bool = False
    prompt_lookup: int = 0

    @property
    def rows(self) -> int:
        """Rows of a pass that holds its whole tree, as far as MOST_ROWS go; 1 where the engine chooses."""
        if not self.tree:
            return 1
        rows = rows_of_shape(self.tree)
        if "fourgrams" in self.sources and len(self.sources) > 1:
            rows += _TAIL * self.tails
        return min(rows, MOST_ROWS)

    @property
    def needs_small_model(self) -> bool:
        """Whether a small model drafts for it, or for what drafts for it."""
        return "draft_model" in self.sources or self.guesser == "small model"

    def drafting(self, budget: int) -> DraftingConfig:
        """Return its settings. budget: positions of a partial cache that has no budget of its own."""
        method: Literal["plain", "tokenswift"] = "plain" if self.is_plain else "tokenswift"
        return DraftingConfig(method, self.sources, self.tree, self.budget or budget)


PLAIN = System("plain", is_plain=True)
PLAIN_PADDED = System("plain, padded", "padded", is_plain=True)
PAPER = System("TokenSwift, the paper's", sources=("partial", "fourgrams"), tree=PAPER_TREE)
WITHOUT_REUSE = System("the paper's, k = 0", sources=("partial",), tree=PAPER_TREE)
QUIRE = System("TokenSwift, Quire's", "padded")
QUIRE_NARROW = System("TokenSwift, Quire's, narrow passes")
NGRAMS = System("n-grams only", "padded", sources=("ngrams",))
MEDUSA = System("heads on the last state (Medusa)", sources=("heads",), tree=(3, 3, 3))
MAGICDEC = System(
    "self-speculation, newest window (MagicDec)",
    sources=("partial",),
    tree=(1, 1, 1, 1),
    selection="newest",
    with_heads=False,
)
TRIFORCE = System(
    "retrieval cache, n-grams ahead (TriForce, simplified)",
    sources=("partial",),
    tree=(1, 1, 1, 1),
    selection="static",
    with_heads=False,
    guesser="ngrams",
)
TRIFORCE_SMALL = replace(
    TRIFORCE, name="retrieval cache, small model ahead (TriForce, simplified)", guesser="small model"
)
MAGICDEC_SMALL = System(
    "small draft model, newest window (MagicDec, simplified)", sources=("draft_model",), tree=(1, 1, 1, 1)
)
GENERATE = System("generate", "library")
PROMPT_LOOKUP = System("generate, prompt lookup", "library", prompt_lookup=10)
PLAIN_FAST = System("plain", "padded", is_plain=True)
LLAMA_CPP = System("llama.cpp", "llama.cpp")
LLAMA_CPP_NGRAMS = System("llama.cpp, n-grams", "llama.cpp", prompt_lookup=10)

MAIN = (PLAIN, PAPER, QUIRE)
DRAFTING = (QUIRE_NARROW, NGRAMS, MEDUSA, MAGICDEC, MAGICDEC_SMALL, TRIFORCE, TRIFORCE_SMALL)
ALL = (*MAIN, PLAIN_PADDED, *DRAFTING, GENERATE, PROMPT_LOOKUP)
MANY = (*MAIN, *DRAFTING)
"""What writes after many openings: all that is ours."""
FAR = (PAPER, QUIRE, QUIRE_NARROW, NGRAMS, MAGICDEC, TRIFORCE, WITHOUT_REUSE, MEDUSA)
"""What is sampled at the length of a whole text beside plain decoding."""
STARTER = (PLAIN_FAST, QUIRE, NGRAMS, LLAMA_CPP, LLAMA_CPP_NGRAMS, GENERATE)
"""What writes with SmolLM2: it has no heads, and partial caches are not possible in Fast."""

Watch = Callable[[DraftTree, Step], None]
"""Is shown every verified tree and what became of it."""


class PaperSession(DraftingSession):
    """A session whose drafters are those of a system, with the parts that only experiments vary.

    watch: see Watch; called after the step's tokens were added and before anybody learns from them.
    """

    def __init__(
        self,
        loaded: Loaded,
        prompt_ids: Sequence[int],
        generated_ids: Sequence[int],
        sampling: SamplingConfig,
        drafting: DraftingConfig,
        *,
        system: System,
        watch: Watch | None = None,
        num_cached: int = 0,
    ) -> None:
        self._system = system
        self._watch = watch
        super().__init__(loaded, prompt_ids, generated_ids, sampling, drafting, num_cached=num_cached)

    def _build_drafters(self, loaded: Loaded, known: Sequence[PhraseCounts]) -> list[Drafter]:
        drafters = super()._build_drafters(loaded, known)
        return [self._own_form(drafter, loaded) for drafter in drafters]

    def _own_form(self, drafter: Drafter, loaded: Loaded) -> Drafter:
        """Return a drafter as the system wants it."""
        system, runner = self._system, loaded.target
        if isinstance(drafter, FourgramDrafter):
            return FourgramDrafter(loaded.vocab_size, system.tails, is_alone=len(system.sources) == 1)
        if isinstance(drafter, PartialDrafter) and isinstance(runner, PassRunner):
            if system.guesser is not None:
                guesser = _guesser(system.guesser, loaded, runner)
                return HierarchicalDrafter(runner, guesser, drafter.cache.budget)
            heads = loaded.trained.heads if loaded.trained and system.with_heads else None
            if system.selection is None:
                return PartialDrafter(runner, heads, runner.context_length)
            return PartialDrafter(runner, heads, drafter.cache.budget, system.selection)
        return drafter

    def _learn(self, planned: PlannedTree, step: Step, begun: float) -> None:
        if self._watch is not None:
            self._watch(planned.tree, step)
        super()._learn(planned, step, begun)


def _guesser(kind: Guesser, loaded: Loaded, runner: PassRunner) -> Drafter:
    """Return what guesses ahead for a hierarchical drafter."""
    if kind == "ngrams":
        return NgramDrafter(loaded.vocab_size, background=loaded.background)
    if kind == "small model":
        if loaded.draft_model is None:
            raise EnvironmentProblem("This model has no small model beside it.")
        return SmallModelGuesser(loaded.draft_model)
    if loaded.trained is None or loaded.trained.feature is None:
        raise EnvironmentProblem("This model has no feature drafter. Prepare the model first.")
    return FeatureDrafter(runner.network, loaded.trained.feature)


def session_of(system: System, watch: Watch | None = None) -> Callable[..., DraftingSession]:
    """Return what builds the sessions of a system."""
    return functools.partial(PaperSession, system=system, watch=watch)
