from __future__ import annotations

import pytest

from quire.domain.manuscript.outline_import import OutlineEntry, outline_of
from quire.domain.manuscript.tree import NodeKind

TEXT = """# Two halves

Suits short books,
and patient readers.

## First half

### A door
Somebody knocks.

Nobody
opens.

### A window
## Second half
### Outside
"""


def test_an_outline_is_read_with_its_parts_and_what_happens_in_each() -> None:
    outline = outline_of(TEXT)
    assert (outline.name, outline.about) == ("Two halves", "Suits short books, and patient readers.")
    assert outline.entries == (
        OutlineEntry(NodeKind.PART, "First half"),
        OutlineEntry(NodeKind.CHAPTER, "A door", "Somebody knocks.\n\nNobody opens."),
        OutlineEntry(NodeKind.CHAPTER, "A window"),
        OutlineEntry(NodeKind.PART, "Second half"),
        OutlineEntry(NodeKind.CHAPTER, "Outside"),
    )
    assert outline.num_chapters == 3


@pytest.mark.parametrize("text", ["", "### A chapter\n", "# A name\n\n## Only a part\n", "words"])
def test_what_has_no_name_or_no_chapter_is_no_outline(text: str) -> None:
    with pytest.raises(ValueError, match="needs a name and a chapter"):
        outline_of(text)
