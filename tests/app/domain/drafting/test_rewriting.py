"""What a model is asked about a passage, and what of its answer may stand in the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.prompt_composition import estimated_tokens
from quire.domain.drafting.rewriting import Passage, Rewrite, RewriteOrder, answer_of, query_of
from quire.errors import WriterProblem
from quire_engine.api.config import SamplingConfig

BEFORE = "The ferry lay at the bank.\n\n"
TEXT = "“Wait,” she said, and ran down to the water."
AFTER = "\n\nNobody waited."
STORY = BEFORE + TEXT
SAMPLING = SamplingConfig(seed=4, temperature=0.7, repetition_penalty=1.3, banned=("suddenly",))
PASSAGE = Passage.of(STORY, len(BEFORE), len(STORY), AFTER)


def test_white_space_around_a_selection_is_not_part_of_the_passage() -> None:
    chosen = Passage.of(f"{STORY} ", len(BEFORE) - 2, len(STORY) + 1, AFTER)
    assert chosen == Passage(BEFORE, TEXT, f" {AFTER}")
    with pytest.raises(WriterProblem, match="Select the words"):
        Passage.of(STORY, len(BEFORE) - 2, len(BEFORE))


@pytest.mark.parametrize("kind", Rewrite)
def test_a_request_has_the_passage_once_with_what_stands_around_it(kind: Rewrite) -> None:
    query = query_of(PASSAGE, RewriteOrder(kind, "Make it sadder"), SAMPLING, 4096)
    assert query.request.count(TEXT) == 1
    before, after = query.request.index(BEFORE.strip()), query.request.index(AFTER.strip())
    assert before < query.request.index(TEXT) < after
    assert ("Make it sadder." in query.request) is (kind is Rewrite.WISH)
    assert query.prompt_text.count(TEXT) == (kind is not Rewrite.REWRITE)
    assert query.sampling.seed == 4
    assert query.sampling.banned == ("suddenly",)
    assert query.sampling.penalty_window < 100  # the passage's own names may come again


def test_a_story_model_rewrites_by_continuing_what_stands_before() -> None:
    rewritten = query_of(PASSAGE, RewriteOrder(Rewrite.REWRITE), SAMPLING, 4096)
    assert rewritten.prompt_text == BEFORE
    first = query_of(Passage("", TEXT, AFTER), RewriteOrder(Rewrite.REWRITE), SAMPLING, 4096)
    assert TEXT in first.prompt_text  # with nothing before it, it follows examples


def test_lengths_follow_the_order() -> None:
    def words(kind: Rewrite) -> int:
        query = query_of(PASSAGE, RewriteOrder(kind), SAMPLING, 4096)
        wanted, most = query.prompt_goal.words or 0, query.goal.words or 0
        assert most > 2 * wanted  # an answer ends where the model ends it
        return wanted

    assert words(Rewrite.SHORTEN) < words(Rewrite.REWRITE) < words(Rewrite.DESCRIBE) <= words(Rewrite.EXPAND)


@given(
    st.integers(0, 40_000),
    st.integers(1, 8_000),
    st.sampled_from(["word ", "слово ", "文字"]),
    st.sampled_from([1024, 2048, 6144, 32_768]),
)
def test_a_request_leaves_room_in_every_script_or_is_refused(
    around: int, words: int, word: str, context: int
) -> None:
    passage = Passage(word * around, word * words, word * around)
    try:
        query = query_of(passage, RewriteOrder(Rewrite.EXPAND), SAMPLING, context)
    except WriterProblem:
        assert estimated_tokens(passage.text) > 0.15 * context
        return
    assert estimated_tokens(query.request) < 0.45 * context + 120


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("  She ran.  ", "She ran."),
        ("Here is the rewritten passage:\n\nShe ran.", "She ran."),
        ("<passage>\nShe ran.\n</passage>\n\nI kept the tense.", "She ran."),
        ("**Rewritten passage:**\n\nShe ran.", "She ran."),
        ("She ran.\n\n###\n\nShe fell.", "She ran.\n\n###\n\nShe fell."),  # a scene break
        ("“She ran. She fell.”", "She ran. She fell."),
        ("“I will run.”", "“I will run.”"),  # said by somebody
        ("“She ran,” he said. “Far.”", "“She ran,” he said. “Far.”"),
        ("Here he stood: alone.", "Here he stood: alone."),
        ("</passage>", ""),
    ],
)
def test_what_is_said_around_an_answer_stays_out_of_the_text(said: str, kept: str) -> None:
    assert answer_of(said, "She walked.") == kept


def test_examples_end_where_the_next_one_begins() -> None:
    said = "She ran.\n\n###\n\nA passage from a novel"
    assert answer_of(said, "She walked.", was_asked=False) == "She ran."


def test_a_passage_that_announces_something_keeps_its_line() -> None:
    passage = "Here is what he said:\n\nNothing."
    assert answer_of("Here is what he told her:\n\nNothing.", passage).startswith("Here is what he told her:")


def test_quotation_marks_stay_where_the_passage_has_them() -> None:
    assert answer_of("“Run!”", "“Wait,” she said.") == "“Run!”"
