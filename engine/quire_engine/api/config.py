"""What a generation may be asked for; every class checks itself. Imports no torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import regex  # type: ignore[import-untyped]

Dtype = Literal["auto", "float32", "bfloat16"]
Weights = Literal["full", "int8"]
Device = Literal["auto", "cpu", "cuda", "mps"]
CacheForm = Literal["full", "float8", "computer"]
Source = Literal["heads", "partial", "feature", "ngrams", "fourgrams", "other"]
"""Kinds of drafter. Project files store a kind by its place here: add new ones before "other" only."""

PASS_WIDTH = 8
"""Rows of every decode pass on a processor, unless a run says otherwise (engine design, section 1)."""
GPU_PASS_WIDTH = 32
"""The same on a GPU, where a pass is bound by memory and rows are nearly free."""
PREFILL_CHUNK = 512
"""Tokens of a prompt read at once; chunks start at multiples of it, the same at every start."""
FIRST_SLOTS = 4096
"""Tokens that the KV cache has room for at first; it doubles when they are not enough."""
CPU_CONTEXT = 16_384
"""Tokens in view on a processor, unless a run says otherwise."""
MAX_PENALTY = 1e3
MAX_BANNED = 200
"""Banned words and phrases of a run at most."""
MAX_BANNED_CHARS = 100
"""Characters of one of them at most."""
OTHER: Source = "other"
"""A drafter that this version does not know: what it reads in a project of a newer one."""
SOURCES: tuple[Source, ...] = tuple(source for source in get_args(Source) if source != OTHER)
"""Every kind of drafter that this version has, in the order in which metrics list them."""


@dataclass(frozen=True, slots=True)
class SamplingConfig:
    """How the next token is chosen from the model's logits.

    Attributes:
        temperature: divides the logits; 0 means greedy, without noise.
        top_k, top_p, min_p, eta: truncation rules; 0, 1, 0 and 0 switch them off.
        repetition_penalty: the paper's theta; 1 switches it off.
        penalty_window: how many of the last tokens of the stream the penalty looks at (the paper's W).
        seed: selects the noise; the same seed draws the same text.
        banned: words and phrases that are not written: no token may complete one
            (quire_engine.prompt.banned_phrases says which spellings; decoding.banned, when).
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.1
    eta: float = 0.0
    repetition_penalty: float = 1.2
    penalty_window: int = 1024
    seed: int = 0
    banned: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        warm = self.temperature == 0 or 1e-3 <= self.temperature <= 1e3
        _check(warm, "temperature", "0, or from 0.001 to 1000", self.temperature)
        _check(self.top_k >= 0, "top_k", "0 or more", self.top_k)
        _check(0 < self.top_p <= 1, "top_p", "above 0 and at most 1", self.top_p)
        _check(0 <= self.min_p < 1, "min_p", "at least 0 and below 1", self.min_p)
        _check(0 <= self.eta < 1, "eta", "at least 0 and below 1", self.eta)
        _check(
            1 <= self.repetition_penalty <= MAX_PENALTY,
            "repetition_penalty",
            "from 1 to 1000",
            self.repetition_penalty,
        )
        _check(self.penalty_window >= 0, "penalty_window", "0 or more", self.penalty_window)
        _check(0 <= self.seed < 2**63, "seed", "at least 0 and below 2^63", self.seed)
        _check(len(self.banned) <= MAX_BANNED, "banned", f"at most {MAX_BANNED} phrases", len(self.banned))
        for phrase in self.banned:
            _check(bool(phrase.strip()), "banned", "words or phrases", "an empty one")
            _check(
                len(phrase) <= MAX_BANNED_CHARS,
                "banned",
                f"phrases of at most {MAX_BANNED_CHARS} characters",
                f"one of {len(phrase)}",
            )


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """Which model to load and how.

    Attributes:
        folder: a Hugging Face model folder. dtype "auto": bfloat16 where the processor has it, else float32.
        width: rows of every decode pass; it belongs to the run's record, because it decides how numbers
            round. 0: by the device alone, 8 on a processor and 32 on a GPU.
        threads: processor threads of the engine; 0: one fewer than torch would take, which the window keeps.
        device: "auto" takes the first of CUDA, MPS, CPU that is there.
        reproducible: every pass has the same width, so that plain, accelerated and resumed runs write the
            very same text. Off, passes are as wide as they need to be and the text follows the same
            distribution only.
        drafters_folder: where drafters trained for the model lie, if not beside it.
        context: tokens that the model may look back over, before the text rolls over; it decides the text, as
            the width does. 0: all that the model can hold on a GPU, and at most 16,384 on a processor, where
            reading and writing get slower with every token in view.
        cache: how keys and values of the text in view are kept. "full": as computed, with the model.
            "float8": in eight bits a number, which takes half the memory of bfloat16 and changes the words,
            so it belongs to the run's record. "computer": as computed, in the computer's memory, brought to
            the GPU a layer at a time: slow, and the very same words.
        cache_folder: where the digests of large files are remembered, so that a load need not read them
            twice; empty: nowhere.
        weights: "full": as they are, in the format of dtype. "int8": the large ones rounded to 8 bits a
            number when they are loaded, which takes about half the memory and makes it a slightly different
            model, with other words; a run's record names it.
    """

    folder: str
    dtype: Dtype = "auto"
    width: int = 0
    threads: int = 0
    device: Device = "auto"
    reproducible: bool = True
    drafters_folder: str = ""
    context: int = 0
    cache_folder: str = ""
    weights: Weights = "full"
    cache: CacheForm = "full"

    def __post_init__(self) -> None:
        _check(0 <= self.width <= 64, "width", "from 1 to 64, or 0 for automatic", self.width)
        _check(self.context == 0 or self.context >= 256, "context", "256 or more, or 0", self.context)
        _check(self.threads >= 0, "threads", "0 or more", self.threads)


@dataclass(frozen=True, slots=True)
class DraftingConfig:
    """How a run is accelerated; it decides the speed and never the text.

    method "plain": one token a pass. "tokenswift": guesses are checked many at a time.

    Attributes:
        drafters: where guesses come from; empty: every one that the model has, chosen by measured speed.
            "heads": the paper's extra heads on the hidden state that the last pass left. "partial": the
            paper's own draft pass over a partial KV cache, with the heads on top. "feature": one decoder
            layer on the target's features. "ngrams": phrases of the text, counts of all context lengths
            interpolated. "fourgrams": the paper's table (section 3.3).
        tree: children per node at each depth, such as (1, 3, 3, 3); empty: best-first under a measured
            budget. A drafter offers at most 8 guesses below a node (drafting.base.MAX_DRAFT_TOKENS),
            whatever is
            asked for.
        partial_budget: positions in the partial cache (the paper's 4,096). same_dice: rank guesses with the
            noise that the verifier will use; off only to measure what it brings.
    """

    method: Literal["plain", "tokenswift"] = "plain"
    drafters: tuple[Source, ...] = ()
    tree: tuple[int, ...] = ()
    partial_budget: int = 4096
    same_noise: bool = True

    def __post_init__(self) -> None:
        if unknown := set(self.drafters) - set(SOURCES):
            raise ValueError(f"drafters must be among {', '.join(SOURCES)}, got {', '.join(sorted(unknown))}")
        _check(len(set(self.drafters)) == len(self.drafters), "drafters", "different ones", self.drafters)
        _check(len(self.tree) <= 16, "tree", "at most 16 levels", len(self.tree))
        _check(all(1 <= n <= 64 for n in self.tree), "tree", "children from 1 to 64 per level", self.tree)
        _check(self.partial_budget >= 32, "partial_budget", "32 or more", self.partial_budget)


@dataclass(frozen=True, slots=True)
class Goal:
    """Where a run ends by itself, counted from the beginning of its generated text, not from the last pause.

    Whatever comes first ends it; at least one of the limits is needed.

    Attributes:
        words: whole words; the run goes on to the end of the sentence, at most `sentence_slack` words more.
        tokens: tokens; None for no limit of that kind.
        stop_at_end: let the model end the text by its own mark, once min_tokens tokens were written;
            otherwise the mark is never drawn and the text goes on.
        stop_at_heading: end before the next chapter heading: `quire_engine.runtime.stop_conditions` says what
            one is.
        heading_pattern: a regular expression for the beginning of heading lines, case ignored; empty: the
            usual.
        stop_phrase: end with the token that completes these very characters; they stay in the text.
        passed: headings before which nothing was written but so many tokens and white space, and phrases that
            begin among these tokens, do not end the run. To be stored with the goal: set it to the length of
            the run when one that ended at a heading or a phrase is to go on.
        minutes: time for this sitting, reading included. Time is not reproducible, so it only pauses the run.
    """

    words: int | None = None
    tokens: int | None = None
    sentence_slack: int = 60
    stop_at_end: bool = False
    min_tokens: int = 0
    stop_at_heading: bool = False
    heading_pattern: str = ""
    stop_phrase: str = ""
    passed: int = 0
    minutes: float | None = None

    def __post_init__(self) -> None:
        limits = (self.words, self.tokens, self.minutes)
        if all(limit is None for limit in limits) and not (self.stop_at_heading or self.stop_phrase):
            raise ValueError("a goal needs words or tokens, a heading, a phrase or a time")
        _check(self.words is None or self.words >= 1, "words", "1 or more", self.words)
        _check(self.tokens is None or self.tokens >= 1, "tokens", "1 or more", self.tokens)
        _check(self.sentence_slack >= 0, "sentence_slack", "0 or more", self.sentence_slack)
        _check(self.min_tokens >= 0, "min_tokens", "0 or more", self.min_tokens)
        _check(self.passed >= 0, "passed", "0 or more", self.passed)
        _check(self.minutes is None or 0 < self.minutes < 1e6, "minutes", "above 0", self.minutes)
        _check(len(self.stop_phrase) <= 1000, "stop_phrase", "1,000 characters at most", "more")
        if self.heading_pattern:
            compiled_heading(self.heading_pattern)


def compiled_heading(source: str) -> regex.Pattern[str]:
    """Return a pattern for the beginning of heading lines; ValueError, fit to show, where it is none."""
    _check(len(source) <= 200, "heading_pattern", "200 characters at most", len(source))
    try:
        return regex.compile(source, regex.IGNORECASE)
    except (regex.error, OverflowError, RecursionError) as error:
        raise ValueError(f"heading_pattern must be a regular expression, got {source} ({error})") from error


_SMALL = ", int8 weights"


def number_format(dtype: str, weights: Weights) -> str:
    """Return how a record, and the window, name what a model computes in: "bfloat16, int8 weights"."""
    return dtype + (_SMALL if weights == "int8" else "")


def parts_of_format(name: str) -> tuple[str, Weights]:
    """Return dtype and weights of a name that `number_format` gave."""
    return name.removesuffix(_SMALL), "int8" if name.endswith(_SMALL) else "full"


def _check(holds: bool, name: str, wanted: str, got: object) -> None:
    if not holds:
        raise ValueError(f"{name} must be {wanted}, got {got}")


PLAIN = DraftingConfig()
"""No acceleration."""
