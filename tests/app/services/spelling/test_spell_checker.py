"""The checker with its real process and real dictionaries."""

from __future__ import annotations

import gc
import json
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue

import pytest

from quire.services.spelling import spell_checker
from quire.services.spelling.dictionaries import SHIPPED
from quire.services.spelling.spell_checker import (
    DictionaryOpened,
    SpellChecker,
    SpellingEvent,
    SpellingFailed,
    WordsChecked,
    WordSuggested,
)
from quire.services.spelling.spelling_process import SpellerGone, SpellerRefused, SpellingProcess
from quire.services.spelling.spelling_worker import Speller, answer

US, GB = SHIPPED / "en_US", SHIPPED / "en_GB"
TIMEOUT_S = 100


class Checker(SpellChecker):
    """A checker whose events are waited for."""

    def __init__(self) -> None:
        self.events: SimpleQueue[SpellingEvent] = SimpleQueue()
        super().__init__(self.events.put)

    def next(self) -> SpellingEvent:
        return self.events.get(timeout=TIMEOUT_S)


@pytest.fixture(autouse=True)
def time_to_suggest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the dictionary find all its suggestions, however busy the machine is."""
    monkeypatch.setattr(spell_checker, "SUGGEST_WITHIN_S", 15.0)


@contextmanager
def checking() -> Iterator[Checker]:
    checker = Checker()
    try:
        yield checker
    finally:
        checker.close()


def test_words_are_checked_in_the_order_of_asking_after_the_dictionary_is_there() -> None:
    with checking() as checker:
        checker.open(US)
        checker.check(["colour", "color", "don't", "teh", "слово"])
        assert checker.next() == DictionaryOpened(US)
        assert checker.next() == WordsChecked(US, ("color", "don't", "слово"), ("colour", "teh"))


def test_another_dictionary_says_something_else() -> None:
    with checking() as checker:
        checker.open(US)
        checker.check(["colour"])
        checker.open(GB)  # what was asked before is forgotten
        checker.check(["colour", "color"])
        events = [checker.next()]
        while events[-1] != WordsChecked(GB, ("colour",), ("color",)):
            events.append(checker.next())
        assert DictionaryOpened(GB) in events


def test_many_words_are_all_answered() -> None:
    words = [f"word{'x' * number}" for number in range(1, 300)]
    with checking() as checker:
        checker.open(US)
        checker.check(words)
        checker.check(["word"])
        answered: list[str] = []
        while len(answered) < len(words) + 1:
            event = checker.next()
            if isinstance(event, WordsChecked):
                answered += (*event.right, *event.wrong)
        assert sorted(answered) == sorted([*words, "word"])


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("recieve", "receive"), ("definately", "definitely"), ("alot", "a lot"), ("Teh", "The")],
)
def test_suggestions_begin_with_what_is_meant(wrong: str, meant: str) -> None:
    with checking() as checker:
        checker.open(US)
        assert checker.next() == DictionaryOpened(US)
        checker.suggest(wrong)
        event = checker.next()
        assert isinstance(event, WordSuggested)
        assert (event.word, event.suggestions[0]) == (wrong, meant)
        assert len(set(event.suggestions)) == len(event.suggestions) <= 6


def test_a_dictionary_that_cannot_be_read_is_said_once_and_another_one_works(tmp_path: Path) -> None:
    with checking() as checker:
        checker.open(tmp_path / "xx")
        checker.check(["word"])
        failed = checker.next()
        assert isinstance(failed, SpellingFailed)
        assert failed.sentence == "The dictionary xx can't be read. Choose another one."
        checker.open(US)
        assert checker.next() == DictionaryOpened(US)


def test_a_process_that_was_killed_is_started_again() -> None:
    with checking() as checker:
        checker.open(US)
        assert checker.next() == DictionaryOpened(US)
        process = checker._process
        assert process is not None
        process.kill()
        checker.check(["teh"])
        assert checker.next() == WordsChecked(US, ("teh",), ())  # what it died of is not asked again
        assert checker.next() == DictionaryOpened(US)
        checker.check(["recieve"])
        assert checker.next() == WordsChecked(US, (), ("recieve",))


def test_a_process_that_ends_again_and_again_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> SpellingProcess:
        raise SpellerGone("no room")

    monkeypatch.setattr(spell_checker, "SpellingProcess", gone)
    with checking() as checker:
        checker.open(US)
        failed = checker.next()
        assert isinstance(failed, SpellingFailed)
        assert "Spell checking was turned off because it" in failed.sentence
        assert checker.events.empty()


def test_resting_gives_the_process_back() -> None:
    with checking() as checker:
        checker.open(US)
        assert checker.next() == DictionaryOpened(US)
        process = checker._process
        assert process is not None
        checker.rest()
        checker.open(GB)
        assert checker.next() == DictionaryOpened(GB)
        checker.close()
        with pytest.raises(SpellerGone):
            process.ask("check", ["word"], within_s=TIMEOUT_S)


def test_closing_before_anything_was_opened_is_nothing() -> None:
    checker = Checker()
    checker.check(["word"])
    checker.close()
    assert checker.events.empty()


def test_who_does_not_answer_in_time_is_ended() -> None:
    process = SpellingProcess()
    try:
        with pytest.raises(SpellerGone):
            process.ask("open", str(US), within_s=0.0)
    finally:
        process.close()


def test_it_ends_by_itself_when_the_window_is_gone() -> None:
    process = SpellingProcess()
    assert process.ask("open", str(US), within_s=TIMEOUT_S) is True
    window_end = process._process.stdin
    assert window_end is not None
    window_end.close()
    assert process._process.wait(TIMEOUT_S) == 0
    process.close()


def test_a_request_that_makes_no_sense_is_refused_and_the_next_is_answered() -> None:
    process = SpellingProcess()
    try:
        for request in (("nonsense",), ("check",), ("open", "/no/such"), ("suggest", 3, "x")):
            with pytest.raises(SpellerRefused):
                process.ask(*request, within_s=TIMEOUT_S)
        assert process.ask("open", str(US), within_s=TIMEOUT_S) is True
        assert process.ask("check", ["teh", "\ud800x", "the"], within_s=TIMEOUT_S) == ["teh", "\ud800x"]
    finally:
        process.close()


# ------------------------------------------------------------ what the process does, without the process
@pytest.fixture(scope="module")
def speller() -> Speller:
    speller = Speller()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # the library leaves its files to the collector
        speller.open(str(US))
        gc.collect()
    return speller


Ask = Callable[..., object]


@pytest.fixture
def ask(speller: Speller) -> Ask:
    return lambda *request: json.loads(answer(speller, json.dumps(request)))


def test_answers(ask: Ask) -> None:
    assert ask("check", ["house", "hosue", "o'clock", "don't", "Paris", "paris"]) == [
        "ok",
        ["hosue", "paris"],
    ]


def test_without_time_nothing_is_suggested(ask: Ask) -> None:
    assert ask("suggest", "hosue", 0.0) == ["ok", []]


def test_what_resembles_nothing_gets_what_sounds_alike(ask: Ask) -> None:
    assert ask("suggest", "Allecompain", 10.0) != ["ok", []]
    assert ask("suggest", "recieve", 10.0) == ["ok", ["receive", "relieve"]]  # and no further afterwards


def test_noise_is_a_problem_and_nothing_more(speller: Speller) -> None:
    assert json.loads(answer(speller, "{"))[0] == "problem"
    assert json.loads(answer(speller, "[]"))[0] == "problem"
