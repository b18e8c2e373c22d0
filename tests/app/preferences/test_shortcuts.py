from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from quire.preferences.shortcuts import (
    ShortcutBook,
    ShortcutConflict,
    keys_of,
    plain,
    shown_keys,
    writes_text,
)


class Paper(Enum):
    WHITE = "white"
    GREEN = "green"


class Deeds(QObject):
    """Five actions, as the window has them."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = self.made("&Continue", "Ctrl+Return", "Ctrl+Enter")
        self.retry = self.made("&Retry…", "Alt+R")
        self.split = self.made("&Split && Cut")
        self.papers = {paper: self.made(paper.value) for paper in Paper}
        self.trash = self.made("Trash", "Del")
        self.trash.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.size = 5

    def made(self, text: str, *keys: str) -> QAction:
        action = QAction(text, self)
        action.setShortcuts([QKeySequence(key) for key in keys])
        return action

    def all(self) -> list[QAction]:
        return [self.go_on, self.retry, self.split, *self.papers.values(), self.trash]


@pytest.fixture
def deeds(qapp: object) -> Iterator[Deeds]:
    deeds = Deeds()
    for name in ("go_on", "retry", "split", "trash"):
        getattr(deeds, name).setObjectName(f"draft.{name}")
    for paper, action in deeds.papers.items():
        action.setObjectName(f"draft.papers.{paper.name.lower()}")
    yield deeds
    deeds.deleteLater()


@pytest.fixture
def book(deeds: Deeds) -> ShortcutBook:
    book = ShortcutBook()
    book.add("&Draft", deeds.all())
    return book


def test_actions_are_named_after_where_they_are_held(deeds: Deeds) -> None:
    assert [action.objectName() for action in deeds.all()] == [
        "draft.go_on", "draft.retry", "draft.split", "draft.papers.white", "draft.papers.green",
        "draft.trash",
    ]  # fmt: skip


def test_the_list_says_what_stands_in_the_menus(book: ShortcutBook) -> None:
    lines = list(book.lines())
    assert {line.menu for line in lines} == {"Draft"}
    assert [(line.text, line.keys) for line in lines[:3]] == [
        ("Continue", "Ctrl+Return, Ctrl+Enter"), ("Retry", "Alt+R"), ("Split & Cut", ""),
    ]  # fmt: skip
    assert not any(line.changed for line in lines)


def test_an_action_without_a_name_is_left_out_and_none_is_entered_twice(
    book: ShortcutBook, deeds: Deeds
) -> None:
    before = [line.name for line in book.lines()]
    book.add("&Other", [*deeds.all(), QAction("Recent", deeds)])
    assert [line.name for line in book.lines()] == before


def test_new_keys_are_on_at_once(book: ShortcutBook, deeds: Deeds) -> None:
    book.choose(book.rebound("draft.retry", ["F9"]))
    assert keys_of(deeds.retry) == ("F9",)
    assert book.chosen == {"draft.retry": ("F9",)}
    assert [line.changed for line in book.lines()][:2] == [False, True]


def test_who_had_the_keys_loses_them_and_keeps_its_others(book: ShortcutBook, deeds: Deeds) -> None:
    assert book.owner("Ctrl+Return") == "draft.go_on"
    assert book.owner("Ctrl+Return", but="draft.go_on") is None
    book.choose(book.rebound("draft.split", ["Ctrl+Return"]))
    assert keys_of(deeds.split) == ("Ctrl+Return",)
    assert keys_of(deeds.go_on) == ("Ctrl+Enter",)


def test_resetting_takes_the_keys_back(book: ShortcutBook, deeds: Deeds) -> None:
    book.choose(book.rebound("draft.split", ["Ctrl+Return"]))
    book.choose(book.reset("draft.go_on"))
    assert keys_of(deeds.go_on) == ("Ctrl+Return", "Ctrl+Enter")
    assert keys_of(deeds.split) == ()
    assert book.chosen == {}


def test_resetting_all_gives_every_action_its_own(book: ShortcutBook, deeds: Deeds) -> None:
    usual = [keys_of(action) for action in deeds.all()]
    book.choose({"draft.retry": ["F9"], "draft.go_on": [], "draft.split": ["Alt+R"]})
    assert [keys_of(action) for action in deeds.all()] != usual
    book.choose({})
    assert [keys_of(action) for action in deeds.all()] == usual


def test_keys_wait_for_an_action_that_comes_later(deeds: Deeds) -> None:
    book = ShortcutBook()
    book.choose({"draft.retry": ["F9"], "from.tomorrow": ["F8"]})
    book.add("&Draft", deeds.all())
    assert keys_of(deeds.retry) == ("F9",)
    assert book.chosen["from.tomorrow"] == ("F8",)  # another version of Quire has it
    book.choose({})
    assert keys_of(deeds.retry) == ("Alt+R",)


@pytest.mark.parametrize(
    "key",
    [
        "A",
        "Shift+A",
        "Ü",
        "Space",
        "Return",
        "Tab",
        "Left",
        "Ctrl+Right",
        "Ctrl+Shift+Left",
        "Del",
        "Ctrl+Home",
    ],
)
def test_what_belongs_to_writing_is_refused(book: ShortcutBook, key: str) -> None:
    assert writes_text(key)
    assert book.refusal("draft.retry", key) is ShortcutConflict.WRITES


@pytest.mark.parametrize(
    "key", ["Ctrl+A", "Alt+R", "F5", "Esc", "Shift+F5", "Ctrl+Return", "Alt+PgUp", "Meta+A"]
)
def test_other_keys_are_free(book: ShortcutBook, key: str) -> None:
    assert not writes_text(key)
    assert book.refusal("draft.retry", key) is None


def test_in_the_tree_a_key_alone_will_do(book: ShortcutBook) -> None:
    assert book.refusal("draft.trash", "Del") is None


def test_what_opens_a_menu_is_refused(book: ShortcutBook) -> None:
    assert book.refusal("draft.retry", "Alt+D") is ShortcutConflict.OPENS_MENU


def test_keys_are_written_as_the_system_does() -> None:
    assert shown_keys(["Ctrl+Return", "F5"]) == ", ".join(
        QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in ("Ctrl+Return", "F5")
    )


def test_a_text_of_a_menu_reads_as_plain_words() -> None:
    assert plain("&Save && Quit…") == "Save & Quit"


_NAMES = ["draft.go_on", "draft.retry", "draft.split", "draft.trash"]
_KEYS = ["Ctrl+Return", "Ctrl+Enter", "Alt+R", "F9", "Del", "Ctrl+Shift+K"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(_NAMES), st.lists(st.sampled_from(_KEYS), max_size=2)), max_size=8))
def test_no_two_actions_ever_share_a_key(deeds: Deeds, steps: list[tuple[str, list[str]]]) -> None:
    book = ShortcutBook()
    book.add("&Draft", deeds.all())
    usual = [keys_of(action) for action in deeds.all()]
    for name, keys in steps:
        book.choose(book.rebound(name, keys))
        given_keys = [key for action in deeds.all() for key in keys_of(action)]
        assert len(given_keys) == len(set(given_keys))
        assert book.keys(name) == tuple(dict.fromkeys(keys))
    book.choose({})
    assert [keys_of(action) for action in deeds.all()] == usual


@given(st.text(max_size=12))
def test_what_is_no_key_is_no_key(text: str) -> None:
    book = ShortcutBook()
    book.choose({"a": [text]})
    assert all(QKeySequence(key).count() for key in book.chosen["a"])
