"""What the paper reports, as far as its figures are known here for certain; of the others nothing is said.

They were measured on A100s with LLaMA-3.1-8B where a line does not say otherwise, against the paper's own
autoregressive baseline, and generated 20K to 100K tokens. Ours are of another model, machine and baseline:
what can be compared is which way a change goes.
"""

from __future__ import annotations

from tests.benchmarks.engine.paper import systems

NOT_AT_HAND = "not at hand"
ANY = "*"

_TREES = "[1,3,3,3]", "[3,3,3,3]", "[1,9,9,9]"
_MAIN = "alpha 0.79–0.90, 3.13–3.38x (100K tokens)"

_KNOWN: dict[tuple[str, str, str], str] = {
    ("1", ANY, systems.PLAIN.name): "about 300 minutes for 100K tokens",
    ("1", ANY, systems.PAPER.name): "about 90 minutes for 100K tokens",
    ("3", ANY, systems.PAPER.name): _MAIN,
    ("3", ANY, systems.MEDUSA.name): "alpha 0.34–0.62, 1.15–1.45x",
    ("3", ANY, systems.MAGICDEC.name): "1.06–1.20x",
    ("3", ANY, systems.TRIFORCE.name): "alpha 0.82–1.00, 0.92–2.14x",
    ("3", ANY, systems.TRIFORCE_SMALL.name): "alpha 0.82–1.00, 0.92–2.14x",
    ("far", ANY, systems.PAPER.name): _MAIN,
    ("far", ANY, systems.MEDUSA.name): "alpha 0.34–0.62, 1.15–1.45x",
    ("far", ANY, systems.MAGICDEC.name): "1.06–1.20x",
    ("far", ANY, systems.TRIFORCE.name): "alpha 0.82–1.00, 0.92–2.14x",
    ("far whole", ANY, systems.PLAIN.name): "about 300 minutes for 100K tokens",
    ("far whole", ANY, systems.PAPER.name): "about 90 minutes for 100K tokens",
    ("14", ANY, systems.PAPER.name): _MAIN,
    ("4", ANY, "Qwen2.5-1.5B"): "alpha 0.89, 3.13x",
    ("4", ANY, "Qwen2.5-7B"): "alpha 0.82, 3.23x",
    ("4", ANY, "Qwen2.5-14B"): "alpha 0.84, 3.34x",
    ("4", ANY, "LLaMA-3.1-8B"): "alpha 0.79–0.90, 3.13–3.38x (its Table 3)",
    ("4", ANY, "YaRN-LLaMA-2-7B"): "alpha 0.90, 3.20–3.25x (its Table 3)",
    ("2", ANY, "LLaMA-3.1-8B"): "about 300 and 90 minutes on an A100 (its Figure 1)",
    ("5", ANY, "full cache"): "alpha 0.42, 1.47x",
    ("5", ANY, "partial, static"): "alpha 0.21, 1.44x",
    ("5", ANY, "partial, dynamic"): "alpha 0.40, 1.96x",
    ("6", "min-p 0.1, theta 1.2", systems.PAPER.name): "Distinct-n 0.69",
    ("6", "min-p 0.1, no penalty", systems.PAPER.name): "Distinct-n 0.12",
    ("7", ANY, _TREES[0]): "1.96x",
    ("7", ANY, _TREES[1]): "1.91x",
    ("7", ANY, _TREES[2]): "0.96x",
    ("12", ANY, systems.WITHOUT_REUSE.name): "alpha 0.40, 1.96x (its row for the dynamic cache)",
    ("12", ANY, systems.PAPER.name): _MAIN,
}


def paper_says(experiment: str, setting: str, system: str) -> str:
    """Return the paper's figure for a row of ours, or that it is not at hand."""
    for known in (setting, ANY):
        if figure := _KNOWN.get((experiment, known, system)):
            return figure
    return NOT_AT_HAND
