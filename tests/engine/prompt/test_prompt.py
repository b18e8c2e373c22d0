"""Front, story and note as one prompt: nothing of the first and the last is ever lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, processors

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.queries import PromptSource
from quire_engine.prompt.prompt import NOTE_DEPTH, Prompt, PromptTexts, note_place, prompt_of_texts
from tests.engine.tiny import OPENING, SENTENCES, few

FRONT = "Mara is a pilot. She fears the river."
NOTE = "[ Keep the storm outside. ]"
STORY = "".join(SENTENCES)
LARGE = 10_000


def texts_of(tokenizer: Tokenizer, prompt: Prompt) -> dict[PromptSource, str]:
    """Return what of a prompt comes from where."""
    pairs = list(zip(prompt.origins, prompt.token_ids, strict=True))
    return {
        origin: tokenizer.decode([token for other, token in pairs if other is origin])
        for origin in PromptSource
    }


def test_a_story_alone_is_read_as_it_is(tokenizer: Tokenizer) -> None:
    prompt = prompt_of_texts(tokenizer, PromptTexts(STORY, "  ", "\n"), LARGE)
    assert list(prompt.token_ids) == tokenizer.encode(STORY).ids
    assert (prompt.counts, prompt.num_front) == ((0, len(prompt.token_ids), 0), 0)


def test_front_and_note_are_paragraphs_around_the_story(tokenizer: Tokenizer) -> None:
    prompt = prompt_of_texts(tokenizer, PromptTexts(STORY, FRONT, NOTE), LARGE)
    found = texts_of(tokenizer, prompt)
    assert found == {
        PromptSource.FRONT: f"{FRONT}\n\n",
        PromptSource.STORY: STORY,
        PromptSource.NOTE: f"{NOTE}\n\n",
    }
    whole = tokenizer.decode(list(prompt.token_ids))
    place = note_place(STORY)
    assert whole == f"{FRONT}\n\n{STORY[:place]}{NOTE}\n\n{STORY[place:]}"
    assert STORY[place - 1] == "\n"
    assert prompt.num_front == prompt.counts[0] == len(tokenizer.encode(f"{FRONT}\n\n").ids)


def test_a_note_is_before_the_newest_paragraphs() -> None:
    paragraphs = ["a" * 300 + "\n\n", "b" * 300 + "\n\n", "c" * 300 + "\n\n", "d" * 300]
    story = "".join(paragraphs)
    assert story[note_place(story) :].startswith("c")
    assert note_place("short") == 0
    sentences = "It rained. " * 400
    assert sentences[note_place(sentences) :].startswith("It")
    assert len(sentences) - note_place(sentences) < NOTE_DEPTH + 20
    word = "x" * 9000
    assert note_place(word) == 9000 - NOTE_DEPTH


@pytest.mark.parametrize(
    ("depth", "behind"),
    [
        (1, "Three.\n\n"),
        (2, "Two.\nThree.\n\n"),
        (3, "One.\n\nTwo.\nThree.\n\n"),
        (9, "One.\n\nTwo.\nThree.\n\n"),
    ],
)
def test_a_note_of_a_depth_has_that_many_paragraphs_behind_it(depth: int, behind: str) -> None:
    story = "One.\n\nTwo.\nThree.\n\n"
    assert story[note_place(story, depth) :] == behind


def test_a_note_in_a_long_paragraph_is_a_line_of_its_own(tokenizer: Tokenizer) -> None:
    story = "It was late. " * 500
    prompt = prompt_of_texts(tokenizer, PromptTexts(story, "", NOTE), LARGE)
    whole = tokenizer.decode(list(prompt.token_ids))
    assert f" \n{NOTE}\nIt was" in whole
    assert whole.replace(f"\n{NOTE}\n", "") == story


@few
@given(st.integers(0, 3), st.booleans(), st.booleans(), st.integers(200, 900))
def test_the_oldest_part_of_the_story_is_left_out_and_nothing_else(
    tokenizer: Tokenizer, repeats: int, has_front: bool, has_note: bool, capacity: int
) -> None:
    story = STORY * (repeats + 1)
    texts = PromptTexts(story, FRONT if has_front else "", NOTE if has_note else "")
    prompt = prompt_of_texts(tokenizer, texts, capacity, read_tail=True)
    whole = prompt_of_texts(tokenizer, texts, LARGE)
    assert len(prompt.token_ids) <= capacity
    assert len(prompt.token_ids) + prompt.num_left_out == len(whole.token_ids) or not (has_front or has_note)
    if has_front or has_note:
        kept, all_of_it = texts_of(tokenizer, prompt), texts_of(tokenizer, whole)
        assert kept[PromptSource.FRONT] == all_of_it[PromptSource.FRONT]
        assert kept[PromptSource.NOTE] == all_of_it[PromptSource.NOTE]
        assert story.endswith(kept[PromptSource.STORY])
        assert (prompt.num_left_out > 0) == (len(whole.token_ids) > capacity)
        if prompt.num_left_out:
            assert len(prompt.token_ids) >= capacity // 4


def test_what_is_too_long_is_said(tokenizer: Tokenizer) -> None:
    with pytest.raises(EnvironmentProblem, match="shorten the text, or choose a"):
        prompt_of_texts(tokenizer, PromptTexts(STORY * 9, FRONT), 600)
    with pytest.raises(EnvironmentProblem, match="at most half"):
        prompt_of_texts(tokenizer, PromptTexts(STORY, FRONT * 30), 600)
    with pytest.raises(EnvironmentProblem, match="no text to continue"):
        prompt_of_texts(tokenizer, PromptTexts(" \n", FRONT), 600)


def test_a_mark_that_begins_texts_is_in_front_of_all_and_one_that_ends_them_nowhere() -> None:
    tokenizer = Tokenizer.from_str(_plain_tokenizer().to_str())
    tokenizer.add_special_tokens(["<s>", "</s>"])
    ids = [tokenizer.token_to_id("<s>"), tokenizer.token_to_id("</s>")]
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", ids[0]), ("</s>", ids[1])]
    )
    for front in ("", FRONT):
        prompt = prompt_of_texts(tokenizer, PromptTexts(OPENING * 9, front, NOTE), 500, read_tail=True)
        assert prompt.token_ids[0] == ids[0]
        assert ids[1] not in prompt.token_ids
        assert prompt.num_left_out > 0


def _plain_tokenizer() -> Tokenizer:
    from tests.engine.tiny import build_tokenizer

    return build_tokenizer()
