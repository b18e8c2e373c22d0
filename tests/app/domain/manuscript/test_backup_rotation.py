from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from quire.domain.manuscript.backup_rotation import ALWAYS_KEPT, Backup, Reason, superseded

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
ROUTINE = (Reason.DAILY, Reason.CLOSING)

moments = st.datetimes(datetime(2024, 1, 1), datetime(2028, 1, 1), timezones=st.just(UTC))
made_backups = st.lists(st.tuples(moments, st.sampled_from(Reason)), max_size=60).map(
    lambda made: [backup(number, when, reason) for number, (when, reason) in enumerate(made, 1)]
)


def backup(number: int, made: datetime, reason: Reason = Reason.CLOSING) -> Backup:
    return Backup(Path(f"{number}.quire"), number, made, reason)


def kept(backups: Iterable[Backup], now: datetime = NOW) -> list[Backup]:
    backups = list(backups)
    gone = superseded(backups, now, max(backups, key=lambda backup: backup.number, default=None))
    return [backup for backup in backups if backup not in gone]


def ages(backups: Iterable[Backup]) -> list[int]:
    return [(NOW.date() - backup.made.date()).days for backup in backups]


def test_a_year_of_four_backups_a_day_thins_out_with_age() -> None:
    made = [NOW - timedelta(hours=6 * quarter) for quarter in range(4 * 365, -1, -1)]
    stay = kept(backup(number, when) for number, when in enumerate(made, 1))
    assert len([age for age in ages(stay) if age <= 1]) == 7  # noon, 6 h, 0 h, and four of the day before
    assert sorted({age for age in ages(stay) if age <= 13}) == list(range(14))
    assert len([age for age in ages(stay) if 14 < age <= 62]) == 9  # seven Sundays, two ends of a month
    months = {(b.made.year, b.made.month) for b in stay}
    assert len(months) == 13
    assert len(stay) < 45


def test_what_the_writer_asked_for_stays_and_what_an_upgrade_left_stays_for_a_year() -> None:
    old, older = NOW - timedelta(days=300), NOW - timedelta(days=400)
    backups = [
        backup(1, older, Reason.ASKED),
        backup(2, older, Reason.BEFORE_UPGRADE),
        backup(3, older),
        backup(4, old, Reason.BEFORE_UPGRADE),
        backup(5, old),
        backup(6, old),
        *(backup(number, NOW) for number in range(7, 13)),
    ]
    assert [b.number for b in superseded(backups, NOW, backups[-1])] == [2, 5]


def test_the_only_good_one_stays_and_without_one_all_do() -> None:
    day = NOW - timedelta(days=40)
    backups = [backup(number, day + timedelta(minutes=number)) for number in range(1, 11)]
    assert [b.number for b in superseded(backups, NOW, backups[1])] == [1, 3, 4, 5]
    assert superseded(backups, NOW, None) == ()
    assert superseded([], NOW, None) == ()


def test_a_clock_set_back_a_year_costs_nothing_that_was_made_after_it() -> None:
    before = [backup(number, NOW - timedelta(days=20 - number)) for number in range(1, 11)]
    after = [backup(number, NOW - timedelta(days=365, minutes=-number)) for number in range(11, 21)]
    then = NOW - timedelta(days=365) + timedelta(hours=1)
    assert superseded(before + after, then, after[-1]) == ()  # the earlier ones come from the future
    # set right again, the clock makes the later ones old; the newest of them still stay
    assert {b.number for b in kept(before + after)} >= {16, 17, 18, 19, 20}


@given(made_backups, moments)
def test_the_newest_by_order_of_making_stay_whatever_the_clock_says(
    backups: list[Backup], now: datetime
) -> None:
    stay = kept(backups, now)
    assert backups[-ALWAYS_KEPT:] == stay[-ALWAYS_KEPT:]
    for backup in set(backups) - set(stay):
        assert backup.reason is not Reason.ASKED
        assert now - backup.made > timedelta(days=2)
        month = [other for other in stay if other.made.strftime("%Y%m") == backup.made.strftime("%Y%m")]
        assert max(month, key=lambda other: other.made).made >= backup.made
    for made in {b.made.date() for b in backups if now - b.made <= timedelta(days=14)}:
        of_day = [b for b in backups if b.made.date() == made]
        assert max(of_day, key=lambda b: (b.made, b.number)) in stay


@given(made_backups, moments, st.randoms())
def test_what_is_kept_depends_on_nothing_but_the_backups(
    backups: list[Backup], now: datetime, chance: Random
) -> None:
    once = kept(backups, now)
    assert kept(once, now) == once
    shuffled = list(backups)
    chance.shuffle(shuffled)
    assert set(kept(shuffled, now)) == set(once)


@given(
    st.lists(st.integers(1, 3 * 24 * 60), min_size=1, max_size=80),
    st.lists(st.sampled_from(ROUTINE), min_size=80, max_size=80),
)
def test_rotating_after_every_backup_leaves_what_rotating_once_leaves(
    pauses: list[int], reasons: list[Reason]
) -> None:
    """pauses: minutes between the backups."""
    now = NOW
    everything: list[Backup] = []
    often: list[Backup] = []
    for number, pause in enumerate(pauses, 1):
        now += timedelta(minutes=pause)
        new = backup(number, now, reasons[number - 1])
        everything.append(new)
        often = kept([*often, new], now)
    assert often == kept(everything, now)
