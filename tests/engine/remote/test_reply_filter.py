"""What a chat model adds to its prose never reaches the book, wherever a reply is cut into pieces."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.config import Goal
from quire_engine.remote.reply_filter import ReplyFilter, may_think
from tests.engine.remote.hostile_server import (
    DONE,
    Handler,
    HostileServer,
    hostile_server,
    reply,
    status,
    stream,
)
from tests.engine.remote.remote_runs import connected, drafted, start

PROSE = "She put the lamp down.\n\n“No,” he said, and 3 < 4 [or so] was all."
REPLIES = {
    "nothing else": PROSE,
    "a thought": f"<think>\nThe user wants a novel.\n</think>\n\n{PROSE}",
    "an empty thought": f"<think>\n\n</think>\n\n{PROSE}",
    "another tag": f"[THINK]Hm. A lamp?[/THINK]{PROSE}",
    "two thoughts": f"<thinking>One</thinking>{PROSE[:22]}<thinking>two</thinking>{PROSE[22:]}",
    "channels": "<|channel|>analysis<|message|>They ask <b>.<|end|><|start|>assistant<|channel|>final"
    f"<|message|>{PROSE}<|return|>",
    "marks": f"<|im_start|>assistant\n{PROSE}<|im_end|>\n<|im_start|>user\nGo on!",
    "a turn": f"<start_of_turn>model\n{PROSE}<end_of_turn>\n<start_of_turn>user\nGo on!",
    "the end": f"{PROSE}</s>",
    "rare brackets": f"{PROSE}<\uff5cend▁of▁sentence\uff5c>",
}


def read(text: str, cuts: list[int], *, may_begin_in_thought: bool = False) -> tuple[str, ReplyFilter]:
    found, places = ReplyFilter(may_begin_in_thought=may_begin_in_thought), sorted({0, len(text), *cuts})
    parts = [found.prose(text[a:b]) for a, b in itertools.pairwise(places)]
    return "".join(parts) + found.rest(is_whole=True), found


@given(st.sampled_from(sorted(REPLIES)), st.lists(st.integers(0, 200), max_size=30), st.booleans())
def test_the_prose_is_all_that_is_left(name: str, cuts: list[int], begins: bool) -> None:
    text = REPLIES[name]
    found, _ = read(text, [min(cut, len(text)) for cut in cuts], may_begin_in_thought=begins)
    assert found.strip() == PROSE


@given(st.text("<>[]|/ab◁▷\n ", max_size=60), st.lists(st.integers(0, 60), max_size=8))
def test_brackets_that_are_no_marks_stay(text: str, cuts: list[int]) -> None:
    assert read(text, [min(cut, len(text)) for cut in cuts])[0] == text


TYPED = (
    "It said <s>old</s> new.",
    "It said <s>old</s>\n\nThen <s>older</s> and newer.",
    "She typed <|ghost|> and waited for <|kill_all|>.",
    "He typed [INST] into the box, then [/INST], and <|user|> after it.",
    "5 <s 3 and [INS",
)


@given(st.sampled_from(TYPED), st.lists(st.integers(0, 80), max_size=30))
def test_what_people_of_the_book_type_stays(text: str, cuts: list[int]) -> None:
    assert read(text, [min(cut, len(text)) for cut in cuts])[0] == text


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("<s>She left.</s>", "She left."),
        ("<s>She left.</s><s>[INST] Go on [/INST]", "She left."),
        ("<s>old</s> new", "old new"),
        ("[INST] She left.", " She left."),
        ("She left.\n[INST] Go on [/INST]", "She left.\n"),
        ("She left.\n<|user|>\nGo on", "She left.\n"),
        ("<|begin_of_text|>She left.<|eot_id|>", "She left."),
    ],
)
def test_marks_that_begin_and_end_turns_are_left_out(text: str, prose: str) -> None:
    for size in (1, 2, 3, len(text)):
        assert read(text, list(range(0, len(text), size)))[0] == prose


@given(st.lists(st.integers(0, 60), max_size=30))
def test_thoughts_that_a_template_opened_end_at_their_closing_mark(cuts: list[int]) -> None:
    text = f"First I should plan the scene.\n</think>\n\n{PROSE}"
    found, filtered = read(text, cuts, may_begin_in_thought=True)
    assert found == PROSE
    assert (filtered.num_thought, filtered.thoughts_slipped) == (6, False)
    late = ReplyFilter(may_begin_in_thought=False)
    assert late.prose("First I should plan. ") == "First I should plan. "
    assert late.prose(f"Then</think>{PROSE}") == PROSE
    assert late.thoughts_slipped


def test_a_reply_that_was_cut_in_its_thoughts_has_no_prose() -> None:
    for begins, text in ((True, "First I should"), (False, "<think>First I should")):
        cut = ReplyFilter(may_begin_in_thought=begins)
        assert cut.prose(text) + cut.rest(is_whole=False) == ""
        assert cut.num_thought == 3


@given(st.lists(st.integers(0, 60), max_size=30), st.booleans())
def test_a_mark_in_the_story_that_nothing_closes_is_prose(cuts: list[int], whole: bool) -> None:
    text = "She typed <think> into the terminal. Nothing happened."
    filtered, places = (
        ReplyFilter(may_begin_in_thought=False),
        sorted({0, len(text), *cuts} - {*range(55, 61)}),
    )
    parts = [filtered.prose(text[a:b]) for a, b in itertools.pairwise(places)]
    assert "".join(parts) + filtered.rest(is_whole=whole) == text


@pytest.mark.parametrize("whole", [True, False])
def test_what_comes_beside_thoughts_sent_apart_is_prose(whole: bool) -> None:
    reply = ReplyFilter(may_begin_in_thought=True)
    pieces = [reply.prose("", "First I should plan."), reply.prose("She put "), reply.prose("the lamp down.")]
    assert pieces == ["", "She put ", "the lamp down."]
    assert reply.rest(is_whole=whole) == ""
    assert reply.num_thought == 4


def test_models_that_think_are_known_by_their_names() -> None:
    assert all(map(may_think, ("deepseek-r1:8b", "QwQ-32B", "Qwen3-4B-Thinking-2507", "magistral")))
    assert not any(map(may_think, ("SmolLM2-135M", "gemma-3-4b-it", "mistral-nemo", "r1chard")))


@pytest.fixture
def server() -> Iterator[HostileServer]:
    """A server that only chats, as it is told."""
    with hostile_server() as server:
        server.answers["/v1/completions"] = status(404, {})
        yield server


def chats(server: HostileServer, *replies: list[dict[str, Any]], finish: str = "stop") -> None:
    """Answer the next requests for a draft with these deltas; the last one stays."""
    waiting = list(replies)

    def chat(handler: Handler) -> None:
        if not handler.server.hostile.seen[-1].body.get("stream"):
            return reply({"choices": [{"message": {}}]})(handler)
        deltas = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        events: list[dict[str, Any]] = [{"choices": [{"delta": delta}]} for delta in deltas]
        events.append({"choices": [{"delta": {}, "finish_reason": finish}]})
        lines = [f"data: {json.dumps(event)}\n\n".encode() for event in events]
        return stream(*lines, DONE)(handler)

    server.answers["/v1/chat/completions"] = chat


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
def test_thoughts_are_counted_and_left_out(server: HostileServer, field: str) -> None:
    thoughts = [{field: "I think so. " * 30}, {"content": "<think>Well, well.</think>"}]
    chats(server, [*thoughts, {"content": "She put the lamp down. "}])
    run = drafted(connected(server.address), start(Goal(words=5, sentence_slack=0)))
    assert run.text.strip() == "She put the lamp down."
    assert run.troubles == ["The model is thinking: 90 words so far, none of which go into the text."]


def test_only_thoughts_are_a_sentence(server: HostileServer) -> None:
    chats(server, [{"reasoning_content": "I think so. " * 4}], finish="length")
    run = drafted(connected(server.address), start(Goal(words=5)))
    assert run.text == ""
    assert run.sentence.startswith("The model only thought (12 words) and wrote no text.")


def test_thoughts_taken_for_prose_pause_the_draft_once(server: HostileServer) -> None:
    thoughts = [
        {"content": "I should write."},
        {"content": " Yes."},
        {"content": "</think>She"},
        {"content": " left."},
    ]
    chats(server, thoughts)
    backend = connected(server.address)
    first = drafted(backend, start(Goal(words=50)))
    assert "Undo the draft and press Continue" in first.sentence
    second = drafted(backend, start(Goal(words=2, sentence_slack=0)))
    assert second.text.strip() == "She left."
