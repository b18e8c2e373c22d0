"""Models on the hub that suit prose, from small to large, and which of them fits this computer.

Their shapes are listed, so that what they need is estimated exactly as for a model on the disk. The size and
the licence that count are those that the hub states before a download.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from quire.services.model_library.model_library import reckoned
from quire_engine.catalog.architecture import Architecture
from quire_engine.catalog.inspection import ModelFacts
from quire_engine.catalog.memory_fit import Fit, FreeMemory

QUICK_BYTES_ON_CPU = 9 * 10**9
"""Each word of a draft reads all weights: beyond this a processor takes a second or more for it."""
_ITEM = 2  # they are published in bfloat16


@dataclass(frozen=True, slots=True)
class RecommendedModel:
    """A model on the hub.

    Attributes:
        repository: its name there.
        name: for people.
        is_chat: whether it was trained to answer; the others continue a text.
        licence: as its makers name it.
    """

    repository: str
    name: str
    is_chat: bool
    licence: str
    architecture: Architecture

    @property
    def facts(self) -> ModelFacts:
        """Return what would be known of its folder, apart from the files."""
        return _facts(self)


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A recommended model on this computer.

    Attributes:
        fit: whether there is memory for it.
        is_best: the largest one that fits and is quick enough to write with.
        is_slow: it fits, but a processor drafts slowly with it.
    """

    model: RecommendedModel
    fit: Fit
    is_best: bool = False
    is_slow: bool = False


def _llama(
    layers: int, hidden: int, middle: int, heads: tuple[int, int], head_dim: int, vocab: int, context: int,
    model_type: str = "llama", *, is_tied: bool = True,
) -> Architecture:  # fmt: skip
    return Architecture(
        model_type=model_type, num_layers=layers, hidden_size=hidden, intermediate_size=middle,
        vocab_size=vocab, num_heads=heads[0], num_kv_heads=heads[1], head_dim=head_dim, num_experts=0,
        context_length=context, is_tied=is_tied, rope="", names_program=False,
    )  # fmt: skip


def _qwen3(
    layers: int, hidden: int, middle: int, heads: tuple[int, int], *, is_tied: bool, context: int = 32_768
) -> Architecture:
    return _llama(layers, hidden, middle, heads, 128, 151_936, context, "qwen3", is_tied=is_tied)


_APACHE = "apache-2.0"
RECOMMENDED = (
    RecommendedModel(
        "HuggingFaceTB/SmolLM2-360M", "SmolLM2 360M", False, _APACHE,
        _llama(32, 960, 2_560, (15, 5), 64, 49_152, 8_192),
    ),
    RecommendedModel(
        "HuggingFaceTB/SmolLM2-1.7B", "SmolLM2 1.7B", False, _APACHE,
        _llama(24, 2_048, 8_192, (32, 32), 64, 49_152, 8_192),
    ),
    RecommendedModel(
        "HuggingFaceTB/SmolLM3-3B-Base", "SmolLM3 3B", False, _APACHE,
        _llama(36, 2_048, 11_008, (16, 4), 128, 128_256, 65_536, "smollm3"),
    ),
    RecommendedModel(
        "Qwen/Qwen3-4B-Base", "Qwen3 4B", False, _APACHE,
        _qwen3(36, 2_560, 9_728, (32, 8), is_tied=True),
    ),
    RecommendedModel(
        "Qwen/Qwen3-4B-Instruct-2507", "Qwen3 4B Instruct", True, _APACHE,
        _qwen3(36, 2_560, 9_728, (32, 8), is_tied=True, context=262_144),
    ),
    RecommendedModel(
        "Qwen/Qwen3-8B-Base", "Qwen3 8B", False, _APACHE,
        _qwen3(36, 4_096, 12_288, (32, 8), is_tied=False),
    ),
    RecommendedModel(
        "Qwen/Qwen3-14B-Base", "Qwen3 14B", False, _APACHE,
        _qwen3(40, 5_120, 17_408, (40, 8), is_tied=False),
    ),
)  # fmt: skip
"""From small to large. None of them asks for an account; all are of families that Quire loads."""


def recommendations(
    memory: FreeMemory, models: Sequence[RecommendedModel] = RECOMMENDED
) -> tuple[Recommendation, ...]:
    """Return all models with whether they fit; the best one continues a text, as a novel needs."""
    on_gpu = memory.gpu > 0
    found = []
    for model in models:
        needs = reckoned(model.facts, memory, "auto")  # as a load would have it
        is_slow = not on_gpu and needs.weights > QUICK_BYTES_ON_CPU
        found.append(Recommendation(model, needs, is_slow=is_slow and needs.fits))
    quick = [each for each in found if each.fit.fits and not each.is_slow and not each.model.is_chat]
    best = quick[-1] if quick else None
    return tuple(
        Recommendation(each.model, each.fit, is_best=each is best, is_slow=each.is_slow) for each in found
    )


@cache
def _facts(model: RecommendedModel) -> ModelFacts:
    sizes = model.architecture
    matrices = [  # (outputs, inputs)
        (sizes.num_heads * sizes.head_dim, sizes.hidden_size),
        *[(sizes.num_kv_heads * sizes.head_dim, sizes.hidden_size)] * 2,
        (sizes.hidden_size, sizes.num_heads * sizes.head_dim),
        *[(sizes.intermediate_size, sizes.hidden_size)] * 2,
        (sizes.hidden_size, sizes.intermediate_size),
    ] * sizes.num_layers
    embedding = (sizes.vocab_size, sizes.hidden_size)
    matrices += [] if sizes.is_tied else [embedding]
    norms = 2 * sizes.hidden_size + (2 * sizes.head_dim if sizes.model_type == "qwen3" else 0)
    rounded = sum(outputs * inputs for outputs, inputs in matrices)
    rest = embedding[0] * embedding[1] + sizes.num_layers * norms + sizes.hidden_size
    return ModelFacts(
        path=Path(model.repository),
        architecture=sizes,
        num_parameters=rounded + rest,
        bytes_by_dtype={"BF16": _ITEM * (rounded + rest)},
        weights=(),
        is_chat=model.is_chat,
        licence=model.licence,
        roundable=(rounded, sum(outputs for outputs, _ in matrices)),
    )
