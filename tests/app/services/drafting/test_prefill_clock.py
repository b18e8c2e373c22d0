from __future__ import annotations

from quire.services.drafting.generation_session import PrefillClock


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_the_rest_takes_as_long_as_the_pace_so_far_says() -> None:
    clock = Clock()
    reading = PrefillClock(clock)
    assert reading.estimate() == (0.0, None)
    reading.report(1_000, 5_000)
    assert reading.is_new
    assert reading.estimate() == (0.2, None)
    assert not reading.is_new
    clock.now_s = 2.0
    reading.report(2_000, 5_000)
    assert reading.estimate() == (0.4, 6.0)


def test_a_text_that_is_read_anew_has_a_pace_of_its_own() -> None:
    clock = Clock()
    reading = PrefillClock(clock)
    reading.report(4_000, 4_000)
    clock.now_s = 100.0
    reading.report(100, 2_100)
    assert reading.estimate()[1] is None
    clock.now_s = 101.0
    reading.report(1_100, 2_100)
    assert reading.estimate()[1] == 1.0
