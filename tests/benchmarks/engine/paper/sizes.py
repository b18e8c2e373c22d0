"""How much of the paper's experiments is run: from seconds, for tests, to the paper's own lengths."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    """Lengths and counts.

    Attributes:
        openings: texts that every setting is measured on.
        prefix: tokens of context of most experiments.
        prefixes: those of the main table.
        budget: positions of the partial cache.
        turn: tokens of a turn; num_turns: turns of most experiments; num_long: turns of Figure 1.
        warm_up: tokens before the first turn.
        tails: k of the 4-gram table.
        equal_tokens: tokens that every system must write as plain decoding does.
        odds_runs: runs of the chi-square test.
        rule_steps: steps at which the paper's verification rule is simulated.
        rule_trials: simulated verifications of each step.
        pieces: tokens of the texts that heads are trained on; heads_steps: steps of each such training;
            step_tokens: tokens of a step; own_tokens: tokens that the model writes for it.
        small_layers: layers of the small draft model; small_steps: steps of its training.
        many_openings: openings of the table that has many of them; many_prefix: tokens of context there;
            many_turn: tokens that everybody writes there.
        retrieval_budgets: positions of TriForce's retrieval cache.
        windows: tokens that the penalty looks back.
        text_tokens: tokens of every text whose quality is compared.
        far: places behind the opening where the long text is sampled, in the order of measuring; far_turn:
            tokens that everybody writes there; far_warm_up: tokens before that of those who choose their
            drafts by what these bring; far_window: tokens of context while the model writes that text.
        starter_prefix: tokens of context of the starter model's race; starter_turn: tokens of its turns;
            starter_dtype: "int8" is Fast.
        twin_scale: how many times narrower the twins of well-known models are; twin_length: tokens of context
            behind which their passes are timed; twin_rounds: times that each is timed.
    """

    openings: int
    prefix: int
    prefixes: tuple[int, ...]
    budget: int
    turn: int
    num_turns: int
    num_long: int
    warm_up: int
    tails: tuple[int, ...] = (0, 5, 10, 20, 40, 80)
    thetas: tuple[float, ...] = (1.0, 1.05, 1.1, 1.2, 1.3)
    temperatures: tuple[float, ...] = (0.4, 0.7, 1.0, 1.3)
    equal_tokens: int = 512
    odds_runs: int = 2000
    rule_steps: int = 40
    rule_trials: int = 400
    pieces: tuple[int, ...] = (64, 256, 1024)
    heads_steps: int = 400
    step_tokens: int = 2048
    own_tokens: int = 131_072
    small_layers: int = 2
    small_steps: int = 400
    many_openings: int = 10
    many_prefix: int = 2048
    many_turn: int = 512
    retrieval_budgets: tuple[int, ...] = (256, 1024, 2048)
    windows: tuple[int, ...] = (256, 512, 1024, 2048)
    text_tokens: int = 4096
    far: tuple[int, ...] = (0, 4096, 8192, 16_384)
    far_turn: int = 64
    far_warm_up: int = 64
    far_window: int = 2048
    starter_prefix: int = 1024
    starter_turn: int = 128
    starter_dtype: str = "int8"
    twin_scale: int = 8
    twin_length: int = 4096
    twin_rounds: int = 15

    @property
    def longest(self) -> int:
        """Tokens of the longest prefix."""
        return max(self.prefix, *self.prefixes)


SIZES: dict[str, Size] = {
    "trial": Size(
        openings=1,
        prefix=80,
        prefixes=(72, 80),
        budget=48,
        turn=6,
        num_turns=1,
        num_long=2,
        warm_up=2,
        tails=(0, 5),
        thetas=(1.2,),
        temperatures=(1.0,),
        equal_tokens=12,
        odds_runs=20,
        rule_steps=2,
        rule_trials=20,
        pieces=(16, 32),
        heads_steps=2,
        step_tokens=32,
        own_tokens=128,
        small_layers=1,
        small_steps=2,
        many_openings=1,
        many_prefix=64,
        many_turn=4,
        retrieval_budgets=(32, 48),
        windows=(16, 64),
        text_tokens=48,
        far=(0, 24),
        far_turn=4,
        far_warm_up=2,
        far_window=128,
        starter_prefix=40,
        starter_turn=4,
        starter_dtype="float32",
        twin_scale=32,
        twin_length=64,
        twin_rounds=1,
    ),
    "small": Size(
        openings=2,
        prefix=2048,
        prefixes=(1024, 2048, 4096),
        budget=512,
        turn=64,
        num_turns=2,
        num_long=8,
        warm_up=16,
        tails=(0, 5, 20, 80),
        thetas=(1.0, 1.1, 1.2, 1.3),
        equal_tokens=256,
        odds_runs=1000,
        rule_steps=30,
        rule_trials=200,
        heads_steps=40,
        step_tokens=1024,
        own_tokens=32_768,
        small_steps=80,
        many_prefix=1024,
        many_turn=64,
        retrieval_budgets=(128, 512, 1024),
        text_tokens=1024,
        far=(0, 1024),
        far_turn=32,
        far_warm_up=16,
        starter_prefix=512,
        starter_turn=32,
        twin_rounds=5,
    ),
    "medium": Size(
        openings=4,
        prefix=4096,
        prefixes=(2048, 4096, 8192),
        budget=1024,
        turn=512,
        num_turns=4,
        num_long=16,
        warm_up=64,
        equal_tokens=4096,
        odds_runs=10_000,
        rule_steps=200,
    ),
    "full": Size(
        openings=10,
        prefix=4096,
        prefixes=(2048, 4096, 8192),
        budget=4096,
        turn=20_480,
        num_turns=5,
        num_long=5,
        warm_up=256,
        equal_tokens=102_400,
        far=(0, 20_480, 61_440, 102_400, 40_960, 81_920),
        odds_runs=100_000,
        rule_steps=1000,
    ),
}
"""By name. "trial" shows in seconds that everything runs; its figures say nothing. "full" has the paper's
prefixes, budget and 100K tokens."""
