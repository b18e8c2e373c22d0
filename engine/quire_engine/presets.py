"""Named sampling settings, chosen by what they do to a text on the built-in model.

Measured with `python -m tests.benchmarks.engine presets`: 3,200 tokens after each of three openings, seeds 1
to 3
(two of them where a row has a star), in bfloat16 on a busy processor of two cores; no text looped. D-2, D-3:
different pairs and triples of words, mean over windows of 2,000 units; lowest and highest: D-2 of any window,
published novels have 0.586 to 0.901. Loss: how much the tokens surprise the model, in nats; a writer's own
text, the sample opening, has 3.61. Kept: guesses that were right; with the tokens of a pass it depends on
what passes cost at the time, the text does not.

    setting                       D-2  lowest  highest    D-3  echoes  loss  kept  per pass
    Faithful                     0.69    0.63     0.74   0.91    0.1%  2.38   53%      2.28
    Balanced                     0.69    0.65     0.73   0.92    0.2%  2.45   53%      2.45
    Lively                       0.83    0.78     0.86   0.98    0.0%  3.34   45%      2.08
    temperature 0.9              0.64    0.56     0.70   0.87    0.8%  2.26   52%      2.41
    temperature 1.15             0.76    0.73     0.81   0.96    0.0%  2.82   48%      2.05
    penalty 1.0                  0.38    0.20     0.47   0.62    7.8%  1.74   57%      2.76
    penalty 1.15                 0.64    0.52     0.69   0.88    0.5%  2.34   53%      2.54
    penalty 1.3                  0.78    0.75     0.80   0.97    0.0%  2.80   48%      2.18
    penalty window 2,048 *       0.65    0.48     0.74   0.88    0.4%  2.37   51%      2.31
    penalty window 4,096         0.64    0.41     0.74   0.88    0.7%  2.34   52%      2.44
    min-p 0.05                   0.77    0.73     0.80   0.96    0.0%  2.88   50%      2.26
    min-p 0.2 *                  0.54    0.40     0.63   0.77    3.3%  2.06   53%      2.59
    temperature 1.1, min-p 0.05  0.81    0.77     0.84   0.98    0.0%  3.15   47%      2.10
    top-p 0.9 without min-p *    0.91    0.89     0.92   1.00    0.0%  4.23   38%      1.71

Faithful surprises least of those that never leave the novels' band, Lively varies most of those that also
surprise no more than a writer does. Other settings differ from Balanced in what they name.
"""

from __future__ import annotations

from quire_engine.api.config import SamplingConfig

FAITHFUL = SamplingConfig(temperature=0.8, repetition_penalty=1.3)
"""The model's likeliest words, kept from repeating themselves by a stronger penalty."""
BALANCED = SamplingConfig()
"""The default."""
LIVELY = SamplingConfig(min_p=0.02)
"""Rarer words come up too."""

PRESETS: dict[str, SamplingConfig] = {"Faithful": FAITHFUL, "Balanced": BALANCED, "Lively": LIVELY}
"""By name, from the calmest to the most varied; the seed is the writer's business."""
