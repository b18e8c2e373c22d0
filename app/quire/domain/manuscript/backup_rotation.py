"""Which backups of a project are kept, and which may be deleted once newer ones replace them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path

ALWAYS_KEPT = 5
"""So many of those made last stay whatever their dates say: no clock can take them away."""

_ALL_FOR = timedelta(days=2)
_DAILY_FOR = timedelta(days=14)
_WEEKLY_FOR = timedelta(days=62)
_BEFORE_UPGRADE_FOR = timedelta(days=366)


class Reason(Enum):
    """Why a backup was made; the values are part of its file's name."""

    DAILY = "daily"
    CLOSING = "at closing"
    BEFORE_UPGRADE = "before upgrade"
    ASKED = "on request"

    @classmethod
    def _missing_(cls, value: object) -> Reason | None:
        return cls.ASKED if value == "asked for" else None  # as earlier versions named it


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of a project.

    Attributes:
        number: counted from 1; it gives the order of creation, which a changed clock or the end of summer
            time does not.
        made: when, in UTC.
        size: in bytes.
    """

    path: Path
    number: int
    made: datetime
    reason: Reason
    size: int = 0


def superseded(backups: Iterable[Backup], now: datetime, last_good: Backup | None) -> tuple[Backup, ...]:
    """Return which backups may be deleted, the oldest first.

    Kept are all of the last 2 days; the newest of each day for 2 weeks, of each week for 2 months, of each
    month for ever; the ALWAYS_KEPT newest; those made before an upgrade for a year; those that the writer
    made, which are the writer's to delete; and those dated in the future, whose age is unknown. Rotating
    often or once leaves the same ones, as long as the clock is right.

    Args:
        last_good: the newest that passed its check; it is kept, and without one nothing is deleted, for any
            might be the only good one.
    """
    if last_good is None:
        return ()
    in_order = sorted(backups, key=lambda backup: backup.number)
    kept = {last_good.number, *(backup.number for backup in in_order[-ALWAYS_KEPT:])}
    for backup in in_order:
        if backup.reason is Reason.ASKED or now - backup.made <= _kept_alone(backup.reason):
            kept.add(backup.number)
    for bucket, age in ((_day, _DAILY_FOR), (_week, _WEEKLY_FOR), (_month, timedelta.max)):
        newest = _newest_of_each(in_order, bucket)
        kept.update(backup.number for backup in newest if now - backup.made <= age)
    return tuple(backup for backup in in_order if backup.number not in kept)


def _kept_alone(reason: Reason) -> timedelta:
    """Return how long a backup is kept when there are newer ones of the same day."""
    return _BEFORE_UPGRADE_FOR if reason is Reason.BEFORE_UPGRADE else _ALL_FOR


def _newest_of_each(backups: Iterable[Backup], bucket: Callable[[datetime], Hashable]) -> list[Backup]:
    newest: dict[Hashable, Backup] = {}
    for backup in sorted(backups, key=lambda backup: (backup.made, backup.number)):
        newest[bucket(backup.made)] = backup
    return list(newest.values())


def _day(made: datetime) -> Hashable:
    return made.date()


def _week(made: datetime) -> Hashable:
    return made.isocalendar()[:2]


def _month(made: datetime) -> Hashable:
    return made.year, made.month
