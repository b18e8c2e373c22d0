"""The number of threads follows what passes took."""

from __future__ import annotations

from quire_engine.integer.measured_threads import MeasuredThreads


def _run(choice: MeasuredThreads, seconds: dict[int, float], passes: int, rows: int = 1) -> list[int]:
    """Return the threads of so many passes that take so long with each number of them."""
    chosen = []
    for _ in range(passes):
        chosen.append(choice.choose(rows))
        choice.record(rows, chosen[-1], seconds[chosen[-1]])
    return chosen


def test_the_fastest_is_taken_nearly_always() -> None:
    chosen = _run(MeasuredThreads(4), {1: 3.0, 2: 1.0, 4: 2.0}, 1000)
    assert chosen.count(2) > 960
    assert {1, 4} <= set(chosen[100:])


def test_it_follows_when_another_process_takes_a_core() -> None:
    choice = MeasuredThreads(2)
    assert _run(choice, {1: 2.0, 2: 1.1}, 200)[-1] == 2
    assert _run(choice, {1: 2.0, 2: 5.0}, 300)[-50:].count(1) >= 48
    assert _run(choice, {1: 2.0, 2: 1.1}, 600)[-50:].count(2) >= 48


def test_narrow_and_wide_passes_are_apart() -> None:
    choice = MeasuredThreads(2)
    _run(choice, {1: 1.0, 2: 2.0}, 50)
    _run(choice, {1: 9.0, 2: 5.0}, 50, rows=16)
    assert choice.choose(1) == 1
    assert choice.choose(16) == 2


def test_one_thread_is_no_choice() -> None:
    assert set(_run(MeasuredThreads(1), {1: 1.0}, 200)) == {1}
