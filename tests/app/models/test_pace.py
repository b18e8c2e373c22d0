from __future__ import annotations

from quire.models.pace import PaceModel, TimeLeft


def reported(*samples: tuple[float, int]) -> PaceModel:
    model = PaceModel()
    model.begin()
    for drafting_s, num_words in samples:
        model.report(drafting_s, num_words)
    return model


def test_there_is_no_pace_before_there_is_enough_to_tell() -> None:
    assert reported().words_per_min is None
    assert reported((0.0, 0), (0.9, 25)).words_per_min is None
    assert reported((0.0, 0), (0.9, 25)).time_left(500) is None


def test_pace_is_words_per_minute_of_drafting() -> None:
    assert reported((0.0, 0), (30.0, 750)).words_per_min == 1500


def test_only_the_last_minute_counts() -> None:
    model = reported((0.0, 0), *((float(s), 10 * s) for s in range(1, 61)))
    for second in range(61, 131):
        model.report(float(second), 600 + 20 * (second - 60))
    assert model.words_per_min == 1200


def test_a_pause_between_two_sittings_does_not_count() -> None:
    model = reported((0.0, 0), (20.0, 200))
    model.begin()
    model.report(0.0, 200)  # the run counts on, the sitting's time begins anew
    model.report(20.0, 400)
    assert model.words_per_min == 600


def test_another_run_begins_at_no_words() -> None:
    model = reported((0.0, 0), (20.0, 200))
    model.begin()
    model.report(0.0, 0)
    model.report(20.0, 200)
    assert model.words_per_min == 600


def test_time_left_is_a_range_while_the_pace_is_young() -> None:
    assert reported((0.0, 0), (10.0, 100)).time_left(6000) == TimeLeft(8, 14)


def test_time_left_narrows_when_the_pace_has_settled() -> None:
    assert reported((0.0, 0), (40.0, 400)).time_left(6000) == TimeLeft(10, 11)
    assert reported((0.0, 0), (40.0, 400)).time_left(1800) == TimeLeft(3, 3)


def test_the_last_minute_is_not_counted_in_minutes() -> None:
    assert reported((0.0, 0), (40.0, 400)).time_left(300) == TimeLeft(0, 0)


def test_hours_are_rounded_to_five_minutes() -> None:
    left = reported((0.0, 0), (40.0, 400)).time_left(120_000)
    assert left == TimeLeft(190, 220)


def test_no_words_in_a_minute_leave_the_time_open() -> None:
    assert reported((0.0, 5), (40.0, 5)).time_left(300) is None


def test_clear_forgets_the_pace() -> None:
    model = reported((0.0, 0), (40.0, 400))
    model.clear()
    assert model.words_per_min is None
