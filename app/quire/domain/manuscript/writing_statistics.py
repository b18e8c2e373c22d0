"""What the writer did, and when: time at work, words by day, the streak, progress towards a goal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.project_records import WritingGoal, WritingSession
from quire.domain.manuscript.provenance import by_author, change_between
from quire.system.number_text import number_text
from quire_engine.metrics.word_count import parts_words

IDLE_LIMIT_S = 60.0
"""A pause in which nothing is written counts as work up to here: time to think, and not lunch."""
_A_DAY = timedelta(days=1)


class WritingClock:
    """Counts the seconds in which the writer writes or a draft is being written.

    Attributes:
        clock: monotonic seconds.
        idle_limit_s: how much of the time between two activities counts.
    """

    def __init__(self, clock: Callable[[], float], idle_limit_s: float = IDLE_LIMIT_S) -> None:
        self._clock = clock
        self._idle_limit_s = idle_limit_s
        self._counted_s = 0.0
        self._last_s: float | None = None
        self._is_drafting = False

    @property
    def is_drafting(self) -> bool:
        """Whether a draft is being written."""
        return self._is_drafting

    @property
    def active_s(self) -> float:
        """Seconds of work up to the last activity, and up to now while a draft is being written."""
        return self._counted_s + (self._counting(self._clock()) if self._is_drafting else 0.0)

    def act(self) -> None:
        """Record an activity of the writer."""
        now_s = self._clock()
        self._counted_s += self._counting(now_s)
        self._last_s = now_s

    def drafting(self, *, is_on: bool) -> None:
        """Record that a draft starts or ends; all of the time between counts."""
        if is_on is not self._is_drafting:
            self.act()
            self._is_drafting = is_on

    def _counting(self, now_s: float) -> float:
        """Return how much of the time since the last activity counts."""
        if self._last_s is None:
            return 0.0
        passed_s = now_s - self._last_s
        return passed_s if self._is_drafting else min(passed_s, self._idle_limit_s)


def words_written(before: Document, after: Document) -> int:
    """Return how many more words of the writer's own a text has than before; negative after cuts.

    Words of a draft are not the writer's, nor are changes inside one: `by_author` decides.
    """
    start, removed, inserted = change_between(before.text, after.text)
    ends = start + removed, start + inserted
    if not _same_origins_around(before, after, start, ends):
        start, ends = 0, (len(before.text), len(after.text))
    # around the change words and origins are the same, so a long text is not recounted at every letter
    while not (parts_words(before.text, start) and parts_words(after.text, start)):
        start -= 1
    rest = 0
    while not (parts_words(before.text, ends[0] + rest) and parts_words(after.text, ends[1] + rest)):
        rest += 1
    return _own_words(after, start, ends[1] + rest) - _own_words(before, start, ends[0] + rest)


@dataclass(frozen=True, slots=True)
class WritingTally:
    """What was done in some time; `words_written` is negative where more was cut than added."""

    active_s: float = 0.0
    words_written: int = 0
    words_drafted: int = 0

    def __add__(self, other: WritingTally) -> WritingTally:
        """Return the sums of both."""
        return WritingTally(
            self.active_s + other.active_s,
            self.words_written + other.words_written,
            self.words_drafted + other.words_drafted,
        )


def tally_of(session: WritingSession) -> WritingTally:
    """Return what was done in a writing session."""
    return WritingTally(session.active_s, session.words_written, session.words_drafted)


def signed(number: int) -> str:
    """Return a signed number of words: "+1,204", "0", and a true minus for negative ones."""
    if not number:
        return "0"
    return ("+" if number > 0 else "\u2212") + number_text(abs(number))


def local_day(time: datetime, zone: tzinfo | None = None) -> date:
    """Return the day on the writer's calendar; zone None: the computer's."""
    return time.astimezone(zone).date()


def by_day(sessions: Iterable[WritingSession], zone: tzinfo | None = None) -> Mapping[date, WritingTally]:
    """Return what was done on each day that has a session; a session belongs to the day it began on."""
    days: dict[date, WritingTally] = {}
    for session in sessions:
        day = local_day(session.started, zone)
        days[day] = days.get(day, WritingTally()) + tally_of(session)
    return days


def between(days: Mapping[date, WritingTally], first: date, last: date) -> WritingTally:
    """Return what was done from one day to another, both included."""
    return sum((done for day, done in days.items() if first <= day <= last), WritingTally())


def monday_of(day: date) -> date:
    """Return the first day of a week."""
    return day - timedelta(days=day.weekday())


def streak(days: Collection[date], today: date) -> int:
    """Return on how many consecutive days there was work, up to today.

    Today does not break a streak before it is over: without work today yesterday's streak still counts.
    """
    day = today if today in days else today - _A_DAY
    length = 0
    while day in days:
        length += 1
        day -= _A_DAY
    return length


@dataclass(frozen=True, slots=True)
class GoalProgress:
    """Progress towards a goal.

    Attributes:
        num_words: words now.
        days_left: today included, 0 once the day is past, None without a deadline.
        words_per_day: needed from today on to be in time; None without a deadline, or after it.
    """

    goal: WritingGoal
    num_words: int
    days_left: int | None
    words_per_day: int | None

    @property
    def words_left(self) -> int:
        """Words still missing."""
        return max(self.goal.words - self.num_words, 0)

    @property
    def fraction(self) -> float:
        """Progress from 0 to 1."""
        return min(self.num_words / self.goal.words, 1.0)

    @property
    def is_reached(self) -> bool:
        """Whether the goal is reached."""
        return self.words_left == 0


def progress_of(goal: WritingGoal, num_words: int, today: date) -> GoalProgress:
    """Return the progress towards a goal."""
    missing = max(goal.words - num_words, 0)
    if goal.due is None:
        return GoalProgress(goal, num_words, None, None)
    days_left = max((goal.due - today).days + 1, 0)
    if missing and not days_left:
        return GoalProgress(goal, num_words, 0, None)
    # rounded up: writing this many words each day reaches the goal on the last one
    return GoalProgress(goal, num_words, days_left, -(-missing // max(days_left, 1)))


@dataclass(frozen=True, slots=True)
class WritingStatistics:
    """Statistics of the work on a project.

    Attributes:
        day, week: what was done today, and since Monday.
        sessions: the oldest first.
        goals: the oldest first.
        daily_target: words of the writer's own for each day; 0 without one.
    """

    today: date
    day: WritingTally = WritingTally()
    week: WritingTally = WritingTally()
    streak_days: int = 0
    sessions: tuple[WritingSession, ...] = ()
    goals: tuple[GoalProgress, ...] = ()
    daily_target: int = 0


def statistics_of(
    sessions: Iterable[WritingSession],
    goals: Iterable[tuple[WritingGoal, int]],
    today: date,
    zone: tzinfo | None = None,
) -> WritingStatistics:
    """Return the statistics; `goals` come with the words that their parts of the book have now."""
    kept = tuple(sorted(sessions, key=lambda session: (session.started, session.session_id)))
    days = by_day(kept, zone)
    return WritingStatistics(
        today,
        day=between(days, today, today),
        week=between(days, monday_of(today), today),
        streak_days=streak(days.keys(), today),
        sessions=kept,
        goals=tuple(progress_of(goal, num_words, today) for goal, num_words in goals),
    )


def _same_origins_around(before: Document, after: Document, start: int, ends: tuple[int, int]) -> bool:
    one, other = before.provenance, after.provenance
    if one.part(0, start) != other.part(0, start):
        return False
    return one.part(ends[0], len(before.text)) == other.part(ends[1], len(after.text))


def _own_words(document: Document, start: int, end: int) -> int:
    return by_author(document.provenance.part(start, end).counts(document.text[start:end]))[0]
