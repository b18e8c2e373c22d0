"""Sizes of well-known models, and what a pass over such a model must read, compute and write at the least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from transformers.configuration_utils import PreTrainedConfig
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

_WINDOW = 64  # pairs that a feature drafter looks back over, as `prepare` trains it
_SMALLEST_GUESSED, _MOST_GUESSED = 2048, 32_768  # ids that it guesses among: a quarter, within these
NUM_HEADS = 3
"""Extra heads of the paper."""


@dataclass(frozen=True, slots=True)
class Work:
    """The least that a pass costs: bytes that must come from memory or go there, and arithmetic.

    The weights count once, however many rows the pass has, and so do the keys and values before it. What a
    pass computes with in between is left out: it may stay in caches.
    """

    num_bytes: int
    flops: int

    def __add__(self, other: Work) -> Work:
        return Work(self.num_bytes + other.num_bytes, self.flops + other.flops)

    def memory_ms(self, bytes_per_s: float) -> float:
        """Return the milliseconds that the memory takes: the bandwidth roofline."""
        return 1e3 * self.num_bytes / bytes_per_s

    def arithmetic_ms(self, flops_per_s: float) -> float:
        """Return the milliseconds that the arithmetic takes at this rate."""
        return 1e3 * self.flops / flops_per_s


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of a dense decoder with gated MLPs and grouped queries, as its config.json has them.

    Attributes:
        source: where the sizes were taken from.
        rope: its rope_parameters.
    """

    name: str
    source: str
    model_type: str
    num_layers: int
    hidden_size: int
    intermediate_size: int
    num_heads: int
    num_kv_heads: int
    vocab_size: int
    is_tied: bool
    rope: dict[str, Any]
    eps: float
    context_length: int = 131_072

    @property
    def head_dim(self) -> int:
        """Width of an attention head."""
        return self.hidden_size // self.num_heads

    @property
    def num_guessed(self) -> int:
        """Ids that a feature drafter guesses among, unless it is told otherwise."""
        return min(self.vocab_size, max(_SMALLEST_GUESSED, self.vocab_size // 4), _MOST_GUESSED)

    @property
    def layer_matrices(self) -> int:
        """Numbers in the matrices of one layer."""
        heads = (2 * self.num_heads + 2 * self.num_kv_heads) * self.head_dim
        return self.hidden_size * (heads + 3 * self.intermediate_size)

    @property
    def layer_vectors(self) -> int:
        """Numbers in the norms and biases of one layer."""
        has_bias = self.model_type == "qwen2"
        return 2 * self.hidden_size + has_bias * (self.num_heads + 2 * self.num_kv_heads) * self.head_dim

    @property
    def num_parameters(self) -> int:
        """Numbers in all weights; a tied table counts once."""
        layers = self.num_layers * (self.layer_matrices + self.layer_vectors)
        return layers + self.hidden_size + (2 - self.is_tied) * self.vocab_size * self.hidden_size

    def cache_bytes(self, itemsize: int) -> int:
        """Return the bytes of keys and values of one position in all layers."""
        return 2 * self.num_layers * self.num_kv_heads * self.head_dim * itemsize

    def config(self, num_layers: int) -> PreTrainedConfig:
        """Return the library's configuration of such a model with so many layers."""
        kind: Any = CONFIG_MAPPING[self.model_type]  # the mapping knows no kind's own sizes
        made: PreTrainedConfig = kind(
            num_hidden_layers=num_layers,
            hidden_size=self.hidden_size,
            intermediate_size=self.intermediate_size,
            num_attention_heads=self.num_heads,
            num_key_value_heads=self.num_kv_heads,
            vocab_size=self.vocab_size,
            tie_word_embeddings=self.is_tied,
            rope_parameters=dict(self.rope),
            rms_norm_eps=self.eps,
            max_position_embeddings=self.context_length,
            bos_token_id=None,
            eos_token_id=None,
            pad_token_id=None,
        )
        return made

    def pass_work(self, rows: int, length: int, itemsize: int) -> Work:
        """Return what a pass of `rows` rows over `length` positions costs: plain with one, else verify."""
        head = self.vocab_size * self.hidden_size
        matrices = self.num_layers * self.layer_matrices + head
        vectors = self.num_layers * self.layer_vectors + self.hidden_size
        attention = 4 * self.num_layers * self.num_heads * self.head_dim * (length + rows)
        return Work(
            itemsize * (matrices + vectors + rows * self.hidden_size)
            + (length + rows) * self.cache_bytes(itemsize),
            rows * (2 * matrices + attention),
        )

    def heads_work(self, itemsize: int) -> Work:
        """Return what the paper's extra heads cost on one hidden state, the scores of their tokens too."""
        matrices = NUM_HEADS * self.hidden_size**2
        head = self.vocab_size * self.hidden_size
        return Work(itemsize * (matrices + head), 2 * (matrices + NUM_HEADS * head))

    def partial_work(self, length: int, budget: int, itemsize: int) -> Work:
        """Return what the paper's draft pass costs: one row over the partial cache, and the heads."""
        matrices = NUM_HEADS * self.hidden_size**2
        once = Work(itemsize * matrices, 2 * (matrices + NUM_HEADS * self.vocab_size * self.hidden_size))
        return self.pass_work(1, min(length, budget), itemsize) + once

    def level_work(self, rows: int, itemsize: int) -> Work:
        """Return what one level of the feature drafter costs. rows: its nodes; the root reads more."""
        width, queries = self.hidden_size, self.num_heads * self.head_dim
        matrices = 4 * width * self.intermediate_size + width * (queries + self.intermediate_size)
        matrices += self.num_guessed * width
        return Work(itemsize * (matrices + rows * width), 2 * rows * matrices)

    def root_level_work(self, itemsize: int) -> Work:
        """Return what the feature drafter's first level costs, whose attention looks back over its window."""
        keys = self.num_kv_heads * self.head_dim
        matrices = 2 * self.hidden_size * (self.num_heads * self.head_dim + 2 * keys)
        attention = 4 * self.num_heads * self.head_dim * _WINDOW
        own = Work(itemsize * (matrices + 2 * keys * _WINDOW), 2 * matrices + attention)
        return own + self.level_work(1, itemsize)


_QWEN: dict[str, Any] = {"rope_type": "default", "rope_theta": 1_000_000.0}
_LLAMA: dict[str, Any] = {
    "rope_type": "llama3",
    "rope_theta": 500_000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
_OWN = "made up for processors and tests"

_ALL = (
    Shape(
        "qwen2.5-1.5b",
        "config.json of Qwen/Qwen2.5-1.5B",
        *("qwen2", 28, 1536, 8960, 12, 2, 151_936, True, _QWEN, 1e-6),
    ),
    Shape(
        "qwen2.5-7b",
        "config.json of Qwen/Qwen2.5-7B",
        *("qwen2", 28, 3584, 18_944, 28, 4, 152_064, False, _QWEN, 1e-6),
    ),
    Shape(
        "llama-3.1-8b",
        "config.json of meta-llama/Llama-3.1-8B",
        *("llama", 32, 4096, 14_336, 32, 8, 128_256, False, _LLAMA, 1e-5),
    ),
    Shape("small", _OWN, *("llama", 8, 512, 1408, 8, 2, 16_384, True, _LLAMA, 1e-5)),
    Shape("tiny", _OWN, *("llama", 2, 64, 176, 4, 2, 512, False, _LLAMA, 1e-5)),
)
SHAPES: dict[str, Shape] = {shape.name: shape for shape in _ALL}
"""By the name that a command gives them."""


def table_of_shapes(shapes: list[Shape]) -> list[str]:
    """Return the sizes and their sources, as lines for people."""
    lines = [
        f"{'shape':14}{'layers':>7}{'hidden':>8}{'middle':>8}{'heads':>7}{'vocabulary':>12}{'tied':>6}"
        f"{'parameters':>16}  source"
    ]
    for s in shapes:
        lines.append(
            f"{s.name:14}{s.num_layers:7}{s.hidden_size:8,}{s.intermediate_size:8,}"
            f"{f'{s.num_heads}/{s.num_kv_heads}':>7}{s.vocab_size:12,}{'yes' if s.is_tied else 'no':>6}"
            f"{s.num_parameters:16,}  {s.source}"
        )
    return lines
