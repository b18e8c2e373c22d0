"""The documents name the families that load, no more and no fewer."""

from __future__ import annotations

import re
from pathlib import Path

from quire_engine.catalog.model_families import FAMILIES, FUSED_TYPES
from quire_engine.catalog.text_parts import MULTIMODAL

ROOT = Path(__file__).parents[3]
ROW = re.compile(r"^\| (.+?) \| `(\w+)` \| (fused|library) \|$", re.MULTILINE)


TEXT = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")


def test_the_table_has_a_row_for_every_family() -> None:
    rows = ROW.findall(TEXT)
    assert len(rows) == len(FAMILIES)
    assert {(title, kind, form) for title, kind, form in rows} == {
        (family.title, kind, "fused" if kind in FUSED_TYPES else "library")
        for kind, family in FAMILIES.items()
    }


def test_models_that_also_read_images_are_named() -> None:
    named = TEXT.split("These are", 1)[1].split(".", 1)[0]
    assert set(re.findall(r"`(\w+)`", named)) == MULTIMODAL


def test_the_readme_says_how_many_there_are() -> None:
    assert f"[{len(FAMILIES)} families](docs/models.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
