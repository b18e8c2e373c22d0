"""What ships with Quire besides code: the built-in model, the sample opening, fonts."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent
BUILT_IN_MODEL = ROOT / "model"
ADAPTERS = ROOT / "adapters"
SAMPLE_OPENING = ROOT / "sample" / "opening.txt"
FONTS = ROOT / "fonts"
NOVEL_PHRASES = ROOT / "phrases" / "english.tsv"
