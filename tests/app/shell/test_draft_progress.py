from __future__ import annotations

from quire.shell.draft_progress import ProgressModel


def test_nothing_asked_for_is_nothing_done() -> None:
    model = ProgressModel()
    assert (model.num_words, model.goal_words, model.fraction, model.words_left) == (0, 0, 0.0, 0)


def test_words_count_towards_the_goal() -> None:
    model = ProgressModel()
    model.show(run_words=125, run_goal=500, asked_words=500)
    assert (model.num_words, model.goal_words, model.fraction, model.words_left) == (125, 500, 0.25, 375)


def test_words_of_an_earlier_goal_are_taken_off() -> None:
    model = ProgressModel()
    model.show(run_words=620, run_goal=1000, asked_words=500)
    assert (model.num_words, model.goal_words) == (120, 500)


def test_the_end_of_a_sentence_may_lie_behind_the_goal() -> None:
    model = ProgressModel()
    model.show(run_words=512, run_goal=500, asked_words=500)
    assert (model.num_words, model.fraction, model.words_left) == (512, 1.0, 0)


def test_clear_forgets_the_goal() -> None:
    model = ProgressModel()
    model.show(10, 500, 500)
    model.clear()
    assert model.goal_words == 0
