"""The draft tree of a step: what is drawn of it, where, and what it says."""

from __future__ import annotations

from typing import Any

import pytest

from quire.charts.chart_deck import ChartDeck, ChartPage
from quire.charts.guess_tree_view import GuessTreeView, fitting, label_of, rows_of
from quire.charts.run_charts import RunCharts
from quire.theme.theme_switch import ThemeSwitch
from quire_engine.api.guess_tree import GuessTree
from tests.app.charts.simulated_run import simulated_run

TREE = GuessTree(
    texts=("The", " ferry", " boat", " came", " left", "\n"),
    parents=(-1, 0, 0, 1, 1, 2),
    chances=(1.0, 0.5, 0.3, 0.3, 0.1, 0.2),
    accepted=(1, 4),
)


def test_leaves_are_below_one_another_and_parents_in_their_middle() -> None:
    assert rows_of(TREE, list(range(6))) == {3: 0.0, 4: 1.0, 1: 0.5, 5: 2.0, 2: 2.0, 0: 1.25}


@pytest.mark.parametrize(
    ("leaves", "drawn"), [(1, [0, 1, 4]), (2, [0, 1, 2, 4, 5]), (3, [0, 1, 2, 3, 4, 5]), (9, [*range(6)])]
)
def test_where_room_is_short_what_was_accepted_stays(leaves: int, drawn: list[int]) -> None:
    assert fitting(TREE, leaves) == drawn


def test_labels_are_one_line_with_the_chance_of_the_path() -> None:
    assert label_of(TREE, 0) == "The"
    assert label_of(TREE, 1) == "ferry  50%"
    assert label_of(TREE, 5) == "⏎  20%"


def test_the_view_says_what_was_accepted_and_draws(themes: ThemeSwitch, qtbot: Any) -> None:
    view = GuessTreeView(themes)
    qtbot.addWidget(view)
    view.resize(600, 200)
    empty = view.grab().toImage()
    view.show_tree(TREE)
    assert "2 of 5" in view.accessibleDescription()
    assert view.grab().toImage() != empty
    view.show_tree(None)
    assert view.grab().toImage() == empty


def test_the_deck_has_a_page_for_it_in_the_research_view(themes: ThemeSwitch, qtbot: Any) -> None:
    charts = RunCharts()
    deck = ChartDeck(charts, themes)
    qtbot.addWidget(deck)
    deck.show()
    assert not deck.page_buttons[ChartPage.TREE].isVisible()
    deck.set_research(on=True)
    deck.page_buttons[ChartPage.TREE].click()
    assert deck.tree_view.isVisible()
    charts.show_run(simulated_run(50), 0, [])
    deck.show_guesses(TREE)
    assert deck.tree_view.isVisible()
    assert deck.tree_view.tree is TREE
    assert "2 of 5" in deck.summary_label.toolTip() or "2 of 5" in deck.tree_view.summary
    assert not deck.copy_button.isEnabled()
    deck.show_page(ChartPage.PACE)
    assert deck.copy_button.isEnabled()
    assert not deck.tree_view.isVisible()
