"""Estimate whether a model fits into the free memory, before anything is loaded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from quire_engine.api.config import FIRST_SLOTS, GPU_PASS_WIDTH, PASS_WIDTH, Weights
from quire_engine.api.user_message import UserMessage, joined
from quire_engine.catalog import model_families, workspace_size
from quire_engine.catalog.computer_memory import read_memory
from quire_engine.catalog.inspection import ModelFacts

Dtype = Literal["float32", "bfloat16"]

_ITEM = {"float32": 4, "bfloat16": 2}
_WORDS_PER_TOKEN = 0.75  # of English in the vocabularies of today's models; only for advice


@dataclass(frozen=True, slots=True)
class Fit:
    """Memory that a model needs for a text of a given length, in bytes.

    Attributes:
        kv: of the allocated KV cache, which grows by doubling.
        largest_goal: tokens of the longest text that fits; 0 if the model itself does not.
        advice: for people.
    """

    weights: int
    kv: int
    workspace: int
    free: int
    goal_tokens: int
    largest_goal: int
    advice: str

    @property
    def needed(self) -> int:
        """Everything together."""
        return self.weights + self.kv + self.workspace

    @property
    def to_begin(self) -> int:
        """What is needed before the first word."""
        return self.weights + self.workspace

    @property
    def fits(self) -> bool:
        """Whether there is room for all of it."""
        return self.needed <= self.free


@dataclass(frozen=True, slots=True)
class FreeMemory:
    """Free memory in bytes.

    Attributes:
        gpu: of all CUDA devices together; 0 if there is none or it was not asked for.
        first_card: of the first device alone, where a model that cannot be split must fit.
        dtype: what the engine would compute in there by default.
    """

    ram: int
    gpu: int = 0
    gpu_name: str = ""
    dtype: Dtype = "float32"
    first_card: int = 0

    @property
    def where_it_runs(self) -> int:
        """The memory that counts for most models: the GPUs' if there are any."""
        return self.gpu or self.ram

    def for_model(self, facts: ModelFacts) -> int:
        """Return the memory that counts for this model: several GPUs only if its layers can be split."""
        can_be_cut = facts.architecture.model_type in model_families.FUSED_TYPES
        return self.where_it_runs if can_be_cut or not self.first_card else self.first_card


def fit(
    facts: ModelFacts,
    free_bytes: int,
    dtype: Dtype,
    goal_tokens: int,
    *,
    on_gpu: bool = False,
    weights: Weights = "full",
) -> Fit:
    """Compare weights, KV cache and workspace of a text with the free memory."""
    found = _reckoned(facts, free_bytes, dtype, goal_tokens, on_gpu=on_gpu, weights=weights)
    in_integers = facts.is_fast(weights, on_gpu=on_gpu)
    advice = _advice(found, can_be_halved=dtype == "float32" and not in_integers)
    if not found.fits and weights != "int8" and facts.roundable[0]:
        small = _reckoned(facts, free_bytes, dtype, goal_tokens, on_gpu=on_gpu, weights="int8")
        if small.fits:
            advice = joined(
                advice,
                UserMessage(
                    "With 8-bit numbers it fits: {needed} of {free} free.",
                    needed=gigabytes(small.needed),
                    free=gigabytes(small.free),
                ),
            )
    return replace(found, advice=advice)


def _reckoned(
    facts: ModelFacts, free_bytes: int, dtype: Dtype, goal_tokens: int, *, on_gpu: bool, weights: Weights
) -> Fit:
    width = GPU_PASS_WIDTH if on_gpu else PASS_WIDTH
    goal = min(goal_tokens, facts.context_length)
    in_integers = facts.is_fast(weights, on_gpu=on_gpu)
    weight_bytes = facts.integer_bytes() if in_integers else facts.weight_bytes(dtype, weights)
    workspace = workspace_bytes(facts, dtype, width)
    per_token = facts.integer_kv_bytes_per_token() if in_integers else facts.kv_bytes_per_token(dtype)
    kv = _slots(goal, width, facts.context_length) * per_token
    room = free_bytes - weight_bytes - workspace
    largest = _largest_goal(room // per_token, width, facts.context_length)
    return Fit(weight_bytes, kv, workspace, free_bytes, goal, largest, "")


def workspace_bytes(facts: ModelFacts, dtype: Dtype, width: int) -> int:
    """Return the estimated workspace of a pass, as the engine estimates it."""
    sizes = facts.architecture
    return workspace_size.workspace_bytes(
        hidden_size=sizes.hidden_size,
        intermediate_size=sizes.intermediate_size,
        vocab_size=sizes.vocab_size,
        is_mixture=sizes.num_experts > 0,
        item=_ITEM[dtype],
        width=width,
    )


def _slots(tokens: int, width: int, context: int) -> int:
    """Return the allocated positions of a KV cache with this many tokens in it."""
    slots = min(context, FIRST_SLOTS) + width
    while slots < tokens + width:
        slots *= 2
    return slots


def _largest_goal(slots: int, width: int, context: int) -> int:
    """Return the longest text that a KV cache of at most this many positions can take."""
    held = min(context, FIRST_SLOTS) + width
    if slots < held:
        return 0
    while 2 * held <= slots:
        held *= 2
    return min(held - width, context)


def _advice(fit: Fit, *, can_be_halved: bool) -> UserMessage:
    figures: dict[str, object] = {
        "goal": fit.goal_tokens,
        "words": _words(fit.goal_tokens),
        "needed": gigabytes(fit.needed),
        "free": gigabytes(fit.free),
    }
    if fit.fits:
        return UserMessage(
            "Fits a text of {goal:,} tokens (about {words} words): {needed} of {free} free.", **figures
        )
    smaller = UserMessage("bfloat16 would halve that.") if can_be_halved else ""
    if fit.largest_goal == 0:
        return joined(
            UserMessage(
                "Doesn't fit: it needs {needed} before the first word, and {free} are free. Close other "
                "programs, or choose a smaller model.",
                needed=gigabytes(fit.to_begin),
                free=gigabytes(fit.free),
            ),
            smaller,
        )
    return joined(
        UserMessage(
            "Fits {largest:,} tokens (about {largest_words} words), not {goal:,} (about {words}), which need "
            "{needed} of {free} free. Set a smaller goal, or close other programs.",
            largest=fit.largest_goal,
            largest_words=_words(fit.largest_goal),
            **figures,
        ),
        smaller,
    )


def _words(tokens: int) -> UserMessage:
    words = tokens * _WORDS_PER_TOKEN
    step = 1000 if words >= 10_000 else 100
    return UserMessage("{number:,}", number=round(words / step) * step)


def gigabytes(num_bytes: int) -> UserMessage:
    """Return a size for people, with one decimal if it is small; the window localizes its number."""
    size = max(num_bytes, 0) / 1e9
    if size >= 100:
        return UserMessage("{size:,.0f} {unit}", size=size, unit="GB")
    if size >= 1:
        return UserMessage("{size:.1f} {unit}", size=size, unit="GB")
    return UserMessage("{size:,.0f} {unit}", size=max(num_bytes, 0) / 1e6, unit="MB")


# ---------------------------------------------------------------- what is free
def free_memory(*, ask_gpu: bool = False) -> FreeMemory:
    """Return the free memory. ask_gpu imports torch, which takes seconds; without it there is no GPU."""
    free = read_memory().free
    if not ask_gpu:
        return FreeMemory(free)
    import torch

    native = torch.cpu._is_avx512_bf16_supported()
    if not torch.cuda.is_available():
        return FreeMemory(free, dtype="bfloat16" if native else "float32")
    cards = [
        (torch.cuda.mem_get_info(number)[0], torch.cuda.get_device_name(number))
        for number in range(torch.cuda.device_count())
    ]
    name = cards[0][1] if len(cards) == 1 else f"{len(cards)} graphics cards"
    return FreeMemory(free, sum(there for there, _ in cards), name, "bfloat16", cards[0][0])
