from __future__ import annotations

import pytest

from quire.domain.manuscript.headings import all_headings


@pytest.mark.parametrize(
    ("line", "is_heading"),
    [
        (
            "Part one. We left the ferry behind us at noon. Nobody spoke, and the lamp on the bank was lit.",
            False,
        ),
        (
            "Letter 5: he had written it twice, torn it up, and written it again before anybody came down.",
            False,
        ),
        ("Book Two—the one that he had left on the ferry, of all places—was gone when we came back.", False),
        (
            "Chapter IV. In which Mr. Allworthy is put in danger by a description; his escape; and the rest",
            True,
        ),
        (
            "CHAPTER I. WE LEFT THE FERRY. NOBODY SPOKE, AND THE LAMP ON THE BANK WAS LIT BY NOBODY AT ALL",
            True,
        ),
        ("Chapter 5. The Ferry. The Lamp", True),
    ],
)
def test_a_paragraph_that_begins_like_a_heading_is_none(line: str, is_heading: bool) -> None:
    text = f"It rained.\n\n{line}\n\nThe river rose.\n"
    assert len(all_headings(text)) == is_heading
