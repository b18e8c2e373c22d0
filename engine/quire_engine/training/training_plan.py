"""Sizes and schedules as data: presets by name, the phases of a training, its learning rate at every step."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of a training: pieces of `length` tokens, for `share` of all tokens."""

    length: int
    share: float


@dataclass(frozen=True, slots=True)
class ModelPreset:
    """Shape of a model and what it is usually trained with.

    vocab_size counts tokenizer entries, the other sizes are widths. batch_tokens: tokens of one step, as many
    as the machine that the preset is meant for holds at once. Long pieces come last, when they are worth
    their cost.
    """

    vocab_size: int
    hidden_size: int
    intermediate_size: int
    num_layers: int
    num_heads: int
    num_kv_heads: int
    rope_theta: float
    max_positions: int
    phases: tuple[Phase, ...]
    total_tokens: int
    batch_tokens: int = 8192


# for a CPU: 5.0 million parameters, 10 MB
_SMALL = ModelPreset(
    vocab_size=8192,
    hidden_size=256,
    intermediate_size=704,
    num_layers=4,
    num_heads=4,
    num_kv_heads=2,
    rope_theta=1_000_000.0,
    max_positions=131_072,
    phases=(Phase(512, 0.6), Phase(2048, 0.28), Phase(8192, 0.08), Phase(16_384, 0.04)),
    total_tokens=20_000_000,
)
PRESETS = {
    # for tests and for trying a corpus out: 0.1 million parameters
    "tiny": ModelPreset(
        vocab_size=1024,
        hidden_size=64,
        intermediate_size=176,
        num_layers=2,
        num_heads=2,
        num_kv_heads=1,
        rope_theta=50_000.0,
        max_positions=512,
        phases=(Phase(128, 0.7), Phase(512, 0.3)),
        total_tokens=1_000_000,
    ),
    "small": _SMALL,
    # for a GPU: 13.1 million parameters, 26 MB; with drafters, n-grams and tokenizer it stays within 36 MB
    "medium": replace(
        _SMALL,
        hidden_size=384,
        intermediate_size=896,
        num_layers=7,
        num_heads=6,
        phases=(Phase(2048, 0.75), Phase(8192, 0.15), Phase(16_384, 0.1)),
        total_tokens=400_000_000,
        batch_tokens=131_072,
    ),
}


def warm_up(step: int, steps: int) -> float:
    """Return the factor on a rate that rises in a straight line over the first `steps` steps."""
    return min(1.0, (step + 1) / max(1, steps))


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How long and how fast.

    Attributes:
        total_tokens: where the run ends; shrinking it on resume brings the later phases and the decay
            forward.
        batch_tokens: tokens per step, at least one piece.
        decay_fraction: share of total_tokens, at the end, over which the rate falls to final_factor of its
            peak.
        matrix_rate, vector_rate: peaks for matrices (Muon) and for the rest (AdamW).
        num_measurements: how often the held-out loss is taken on the way, at equal distances.
    """

    total_tokens: int
    phases: tuple[Phase, ...]
    batch_tokens: int = 8192
    decay_fraction: float = 0.3
    final_factor: float = 0.05
    warmup_steps: int = 50
    matrix_rate: float = 5e-3
    vector_rate: float = 3e-3
    weight_decay: float = 0.05
    seed: int = 1
    num_measurements: int = 20

    def rate_factor(self, step: int, tokens_done: int) -> float:
        """Return the factor on the peak learning rates: warm-up, constant, linear decay."""
        left = (self.total_tokens - tokens_done) / (self.total_tokens * self.decay_fraction)
        falling = self.final_factor + (1 - self.final_factor) * max(0.0, min(1.0, left))
        return warm_up(step, self.warmup_steps) * falling

    def length_at(self, tokens_done: int) -> int:
        """Return the length of the pieces after this many tokens."""
        end = 0.0
        for phase in self.phases:
            end += phase.share * self.total_tokens
            if tokens_done < end:
                return phase.length
        return self.phases[-1].length

    def measurements_at(self, tokens_done: int) -> int:
        """Return how many measurements of the held-out loss are due after this many tokens."""
        return tokens_done * self.num_measurements // self.total_tokens
