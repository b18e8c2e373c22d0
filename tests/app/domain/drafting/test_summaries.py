"""What a model reads of a chapter that it sums up."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.prompt_composition import estimated_tokens
from quire.domain.drafting.summaries import pieces, summary_of, summary_query


@given(st.lists(st.text("ab ж\n", min_size=1, max_size=1500), max_size=12), st.integers(0, 2048))
def test_every_word_of_a_chapter_is_read_once_in_pieces_that_fit(paragraphs: list[str], context: int) -> None:
    text = "\n\n".join(paragraphs)
    cut = list(pieces(text, context))
    assert "".join("".join(cut).split()) == "".join(text.split())
    assert all(estimated_tokens(piece) <= max(0.4 * context, 600) + 9 for piece in cut)


def test_a_chapter_is_asked_about_as_what_it_is() -> None:
    whole, part = summary_query("She left.", is_whole=True), summary_query("She left.", is_whole=False)
    assert "a chapter of a novel" in whole.request
    assert "a part of a chapter of a novel" in part.request
    assert whole.sampling.temperature == 0  # the same chapter has the same summary
    assert "She left." in whole.prompt_text


def test_a_summary_is_one_paragraph() -> None:
    assert summary_of("Here is the summary:\n\nShe leaves.\n\nHe stays.") == "She leaves. He stays."
