"""Configuration of models, runs and drafting; every class validates itself. Imports no torch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

import regex  # type: ignore[import-untyped]

from quire_engine.api.server_address import NO_KEY, ServerAddress, ServerKey

Dtype = Literal["auto", "float32", "bfloat16", "int8"]
Weights = Literal["auto", "full", "int8"]
Device = Literal["auto", "cpu", "cuda", "mps"]
CacheForm = Literal["full", "float8", "computer"]
Source = Literal["heads", "partial", "feature", "ngrams", "fourgrams", "draft_model", "other"]
"""Kinds of drafter. Project files store a kind by its place here: add a new one directly before "other"."""

PASS_WIDTH = 8
"""Default rows of a decode pass on a CPU."""
GPU_PASS_WIDTH = 32
"""Default rows of a decode pass on a GPU, where a pass is memory-bound and extra rows are nearly free."""
MAX_WIDTH = 128
"""Most rows of a decode pass: a tree of [3,3,3,3] has 121."""
PREFILL_CHUNK = 512
"""Tokens per prefill chunk; chunks always start at multiples of it, so that their numbers are reproducible.
"""
FIRST_SLOTS = 4096
"""Tokens that the KV cache has room for at first; it doubles when they are not enough."""
CPU_CONTEXT = 16_384
"""Default context window on a CPU, in tokens."""
MAX_PENALTY = 1e3
MAX_GROWTH = 100
MAX_TAILS = 256
"""Most 4-grams per first token that the paper's table may propose."""
MAX_TABLE_DELAY = 1 << 20
"""Longest delay of the paper's table, in tokens."""
MAX_BANNED = 200
"""Most banned words and phrases per run."""
MAX_BANNED_CHARS = 100
"""Most characters per banned phrase."""
OTHER: Source = "other"
"""A drafter unknown to this version, read from a project of a newer one."""
SOURCES: tuple[Source, ...] = tuple(source for source in get_args(Source) if source != OTHER)
"""Every kind of drafter that this version has, in the order in which metrics list them."""


@dataclass(frozen=True, slots=True)
class SamplingConfig:
    """How the next token is sampled from the model's logits.

    Attributes:
        temperature: divides the logits; 0 is greedy, without noise.
        top_k, top_p, min_p, eta: truncation; 0, 1, 0 and 0 switch them off.
        repetition_penalty: the paper's theta; 1 switches it off.
        penalty_window: number of latest tokens that the penalty looks at (the paper's W).
        penalty_growth: how much stronger the penalty becomes where the text repeats itself; 0: it stays as it
            is. `quire_engine.decoding.penalty_growth` has the rule.
        seed: selects the Gumbel noise; the same seed gives the same text.
        banned: words and phrases that are never completed. `quire_engine.prompt.banned_phrases` lists the
            spellings, `quire_engine.decoding.banned_sequences` applies them.
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
    penalty_growth: float = 0.0

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
        _check(0 <= self.penalty_growth <= MAX_GROWTH, "penalty_growth", "from 0 to 100", self.penalty_growth)
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
        folder: a Hugging Face model folder.
        dtype: "auto": as `weights` says, and otherwise bfloat16 where the device supports it, else float32.
            "int8": weights, activations and the KV cache in whole numbers, on a CPU (quire_engine.integer);
            where that is impossible, "auto" with a sentence.
        width: rows of every decode pass, recorded with the run because it decides rounding; 0: 8 on a CPU, 32
            on a GPU.
        threads: CPU threads; 0: one fewer than torch would use, to leave one to the window.
        device: "auto" takes the first available of CUDA, MPS and CPU.
        reproducible: pad every pass to the same width, so that plain, speculative and resumed runs give the
            same tokens. Without it passes are as wide as needed, and only the distribution is the same.
        drafters_folder: where drafters trained for the model are, if not in its own folder.
        ngrams_folder: of a model whose background n-grams are translated for one that has none, or empty.
            Affects speed, never the text.
        context: context window in tokens; it decides the text, as width does. 0: all that the model supports
            on a GPU, at most 16,384 on a CPU, where every token in the context slows prefill and decoding
            down.
        cache: format of the KV cache. "full": as computed, on the device. "float8": half the memory of
            bfloat16; changes the text, so it is recorded with the run. "computer": as computed, in host
            memory, copied to the GPU layer by layer: slow, same text.
        cache_folder: where digests of large files are cached, so that a load need not hash them twice; empty:
            nowhere.
        weights: "full": in `dtype`. "int8": numbers of 8 bits, about half the memory and another text;
            recorded with the run. Where `dtype` is "auto", that is dtype "int8" on a CPU for the families
            that it knows; otherwise large matrices are rounded to 8 bits at load. "auto", where nobody has
            chosen: dtype "int8" where "int8" is that and the model passes its test, otherwise "full".
        draft_model_folder: a smaller model, which guesses ahead; empty: none. Affects speed, never the text.
        guesser_file: GGUF file of a small model that guesses ahead on a CPU where no other is named, nothing
            was trained for the model, and it takes several times as long; empty: none. So it is left out
            without a word where it can't be loaded.
        server: the model is on this server; folder is empty then, and what is about this computer (device,
            threads, cache ...) has no effect.
        server_key: the server's key; never stored, logged or shown.
    """

    folder: str
    dtype: Dtype = "auto"
    width: int = 0
    threads: int = 0
    device: Device = "auto"
    reproducible: bool = True
    drafters_folder: str = ""
    ngrams_folder: str = ""
    context: int = 0
    cache_folder: str = ""
    weights: Weights = "full"
    cache: CacheForm = "full"
    draft_model_folder: str = ""
    guesser_file: str = ""
    server: ServerAddress | None = None
    server_key: ServerKey = field(default=NO_KEY, repr=False)

    def __post_init__(self) -> None:
        _check(self.server is None or not self.folder, "folder", "empty with a server", self.folder)
        _check(
            0 <= self.width <= MAX_WIDTH, "width", f"from 1 to {MAX_WIDTH}, or 0 for automatic", self.width
        )
        _check(self.context == 0 or self.context >= 256, "context", "256 or more, or 0", self.context)
        _check(self.threads >= 0, "threads", "0 or more", self.threads)


@dataclass(frozen=True, slots=True)
class DraftingConfig:
    """How a run is accelerated; affects speed, never the text.

    Attributes:
        method: "plain": one token per pass. "tokenswift": speculative, many draft tokens per pass.
        drafters: where draft tokens come from; empty: every drafter that the model has, chosen by measured
            speed. "heads": the paper's extra heads on the last hidden state (section 3.1). "partial": the
            paper's draft pass over a partial KV cache, with the heads on top (3.2). "feature": one decoder
            layer on the target's hidden states. "ngrams": interpolated counts of all context lengths.
            "fourgrams": the paper's n-gram table (3.3). "draft_model": a smaller model.
        without: kinds that are not used where `drafters` is empty; those left compete as usual.
        tree: children per node by depth, such as (1, 3, 3, 3); empty: best-first under a measured budget.
        partial_budget: positions in the partial KV cache (the paper's 4,096).
        gamma: tokens of one draft of "partial", its own included; with heads at most one more than those.
        tails: most 4-grams that "fourgrams" proposes after one token (the paper's k).
        table_delay: tokens before the newest ones of which the paper's table knows nothing yet; None: the
            penalty window, as in the paper's released code, where it is penalised, else 0.
        same_noise: rank draft tokens with the noise that the verifier will use; off only to measure the gain.
    """

    method: Literal["plain", "tokenswift"] = "plain"
    drafters: tuple[Source, ...] = ()
    tree: tuple[int, ...] = ()
    partial_budget: int = 4096
    same_noise: bool = True
    without: tuple[Source, ...] = ()
    gamma: int = 4
    tails: int = 20
    table_delay: int | None = None

    def __post_init__(self) -> None:
        if unknown := set(self.drafters) - set(SOURCES):
            raise ValueError(f"drafters must be among {', '.join(SOURCES)}, got {', '.join(sorted(unknown))}")
        _check(len(set(self.drafters)) == len(self.drafters), "drafters", "different ones", self.drafters)
        _check(len(self.tree) <= 16, "tree", "at most 16 levels", len(self.tree))
        _check(all(1 <= n <= 64 for n in self.tree), "tree", "children from 1 to 64 per level", self.tree)
        _check(self.partial_budget >= 32, "partial_budget", "32 or more", self.partial_budget)
        _check(1 <= self.gamma <= 16, "gamma", "from 1 to 16", self.gamma)
        _check(1 <= self.tails <= MAX_TAILS, "tails", f"from 1 to {MAX_TAILS}", self.tails)
        delay = self.table_delay
        fits = delay is None or 0 <= delay <= MAX_TABLE_DELAY
        _check(fits, "table_delay", f"from 0 to {MAX_TABLE_DELAY}", delay)


@dataclass(frozen=True, slots=True)
class Goal:
    """Where a run ends, counted from the start of its generated text, not from the last pause.

    Whatever comes first ends it; at least one limit is required.

    Attributes:
        words: whole words; the run continues to the end of the sentence, at most `sentence_slack` words more.
        tokens: tokens; None: no limit.
        stop_at_end: let the model end the text with an end-of-text token, after `min_tokens` tokens;
            otherwise that token is never drawn.
        stop_at_heading: end before the next chapter heading, as `quire_engine.runtime.stop_conditions`
            defines it.
        heading_pattern: regular expression for the start of heading lines, ignoring case; empty: the default.
        stop_phrase: end with the token that completes these characters; they stay in the text.
        passed: number of generated tokens within which a phrase, or a heading with only white space before
            it, does not end the run. Stored with the goal: set it to the length of a run that ended at a
            heading or phrase to continue it.
        minutes: time limit for this session, prefill included. Time is not reproducible, so it only pauses
            the run.
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
    """Return the compiled pattern for the start of heading lines; ValueError, fit to show, if it is
    invalid."""
    _check(len(source) <= 200, "heading_pattern", "200 characters at most", len(source))
    try:
        return regex.compile(source, regex.IGNORECASE)
    except (regex.error, OverflowError, RecursionError) as error:
        raise ValueError(f"heading_pattern must be a regular expression, got {source} ({error})") from error


_SMALL = ", int8 weights"
_INTEGERS = "int8"


def number_format(dtype: str, weights: Weights) -> str:
    """Return the name of what a model computes in, for records and the window: "bfloat16, int8 weights".

    "int8" is all in whole numbers.
    """
    if dtype == _INTEGERS:
        return dtype
    return dtype + (_SMALL if weights == "int8" else "")


def parts_of_format(name: str) -> tuple[str, Weights]:
    """Return dtype and weights from a name that `number_format` returned."""
    is_small = name == _INTEGERS or name.endswith(_SMALL)
    return name.removesuffix(_SMALL), "int8" if is_small else "full"


def _check(holds: bool, name: str, wanted: str, got: object) -> None:
    if not holds:
        raise ValueError(f"{name} must be {wanted}, got {got}")


PLAIN = DraftingConfig()
"""No acceleration."""
