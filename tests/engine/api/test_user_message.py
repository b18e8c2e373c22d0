"""Messages: English as a string, with what a translation needs."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from quire_engine.api.errors import EnvironmentProblem, MessageError
from quire_engine.api.user_message import UserMessage, joined
from quire_engine.catalog.download_errors import DownloadProblem, DownloadTrouble


def test_a_message_is_its_english_sentence_and_keeps_template_and_arguments() -> None:
    message = UserMessage("{file} has {number:,} words.", file=Path("a.txt"), number=1200)
    assert message == "a.txt has 1,200 words."
    assert message.template == "{file} has {number:,} words."
    assert message.arguments == {"file": "a.txt", "number": 1200}


def test_without_arguments_a_text_is_taken_as_it_is() -> None:
    assert UserMessage("A brace { or two }} stays.") == "A brace { or two }} stays."


def test_an_error_within_a_message_stays_a_message() -> None:
    problem = EnvironmentProblem("{file} is missing.", file="a.txt")
    inner = UserMessage("Not added: {problem}", problem=problem).arguments["problem"]
    assert isinstance(inner, UserMessage)
    assert inner.template == "{file} is missing."


@pytest.mark.parametrize("again", [UserMessage("{a}", a=1), EnvironmentProblem("{a}", a=1).message])
def test_a_message_survives_being_pickled(again: UserMessage) -> None:
    copy = pickle.loads(pickle.dumps(again))
    assert (copy, copy.template, copy.arguments) == (again, again.template, again.arguments)


def test_an_error_says_its_sentence_and_carries_the_message() -> None:
    problem = DownloadProblem(
        DownloadTrouble.DISK, "There are other files in {folder}.", folder=Path("books")
    )
    assert str(problem) == problem.message == "There are other files in books."
    assert MessageError(problem.message).message is problem.message


def test_sentences_are_joined_without_the_empty_ones() -> None:
    both = joined("", UserMessage("One {word}.", word="oar"), "", "Two.")
    assert both == "One oar. Two."
    assert [type(part) for part in both.arguments.values()] == [UserMessage, str]
    assert joined("", "") == ""
