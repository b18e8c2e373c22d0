"""README and CONTRIBUTING name the families that load, no more and no fewer."""

from __future__ import annotations

import re
from pathlib import Path

from quire_engine.catalog.model_families import FAMILIES, FUSED_TYPES
from quire_engine.catalog.text_parts import MULTIMODAL

ROOT = Path(__file__).parents[3]
ROW = re.compile(r"^\| (.+?) \| `(\w+)` \| (fused|library) \|$", re.MULTILINE)


def section(file: str, heading: str) -> str:
    """Return the text below a heading, up to the next of its kind."""
    text = (ROOT / file).read_text(encoding="utf-8")
    return text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]


def test_the_table_has_a_row_for_every_family() -> None:
    rows = ROW.findall(section("CONTRIBUTING.md", "Adding a model family"))
    assert len(rows) == len(FAMILIES)
    assert {(title, kind, form) for title, kind, form in rows} == {
        (family.title, kind, "fused" if kind in FUSED_TYPES else "library")
        for kind, family in FAMILIES.items()
    }


def test_models_that_also_read_images_are_named() -> None:
    text = section("CONTRIBUTING.md", "Adding a model family")
    named = text.split("These are", 1)[1].split(".", 1)[0]
    assert set(re.findall(r"`(\w+)`", named)) == MULTIMODAL


def test_the_readme_names_every_family() -> None:
    text = " ".join(section("README.md", "Models").split())
    named = text.split("safetensors folders of ", 1)[1].split(", and the language model", 1)[0]
    assert set(re.split(r", | and (?=StarCoder)", named)) == {family.title for family in FAMILIES.values()}
