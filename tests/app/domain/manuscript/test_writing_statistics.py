from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.project_records import WritingGoal, WritingSession
from quire.domain.manuscript.provenance import Origin, by_author
from quire.domain.manuscript.writing_statistics import (
    IDLE_LIMIT_S,
    WritingClock,
    WritingTally,
    between,
    by_day,
    local_day,
    monday_of,
    progress_of,
    signed,
    statistics_of,
    streak,
    tally_of,
    words_written,
)

MONDAY = date(2026, 1, 5)
DAYS = st.dates(date(1971, 1, 1), date(2999, 1, 1))
ZONES = st.integers(-12 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(datetime(1971, 1, 1), datetime(2998, 1, 1), timezones=st.just(UTC))
WORDS = st.integers(-50_000, 50_000)
TEXTS = st.text(alphabet="ab1 .—_\n\u3000é😀", max_size=30)


class Watch:
    """A clock that stands still until it is wound."""

    def __init__(self) -> None:
        self.now_s = 1_000.0

    def __call__(self) -> float:
        return self.now_s


def session(number: int, started: datetime, tally: WritingTally = WritingTally()) -> WritingSession:  # noqa: B008
    ended = started + timedelta(seconds=tally.active_s)
    return WritingSession(number, started, ended, tally.active_s, tally.words_written, tally.words_drafted)


TALLIES = st.builds(WritingTally, st.integers(0, 10_000).map(float), WORDS, st.integers(0, 50_000))
SESSIONS = st.lists(st.tuples(MOMENTS, TALLIES), max_size=12).map(
    lambda rows: [session(number, *row) for number, row in enumerate(rows, start=1)]
)


# ---------------------------------------------------------------- the clock
def test_before_the_first_act_no_time_counts() -> None:
    watch = Watch()
    clock = WritingClock(watch)
    watch.now_s += 500
    assert clock.active_s == 0
    clock.act()
    assert clock.active_s == 0


def test_time_to_think_counts_and_lunch_does_not() -> None:
    watch = Watch()
    clock = WritingClock(watch)
    clock.act()
    watch.now_s += 20
    clock.act()
    assert clock.active_s == 20
    watch.now_s += 3_600
    assert clock.active_s == 20  # nobody knows yet whether the writer comes back
    clock.act()
    assert clock.active_s == 20 + IDLE_LIMIT_S


def test_a_draft_counts_from_its_beginning_to_its_end() -> None:
    watch = Watch()
    clock = WritingClock(watch)
    clock.drafting(is_on=True)
    watch.now_s += 3_600
    assert (clock.is_drafting, clock.active_s) == (True, 3_600)
    clock.drafting(is_on=True)
    watch.now_s += 400
    clock.drafting(is_on=False)
    watch.now_s += 1_000
    assert (clock.is_drafting, clock.active_s) == (False, 4_000)
    clock.act()
    assert clock.active_s == 4_000 + IDLE_LIMIT_S


@given(st.lists(st.tuples(st.integers(0, 200), st.booleans()), max_size=40), st.integers(1, 120))
def test_every_second_counts_that_is_drafted_in_or_near_an_act(
    events: list[tuple[int, bool]], limit: int
) -> None:
    watch = Watch()
    clock = WritingClock(watch, limit)
    clock.act()
    counted_s, drafts = 0, False
    for passed_s, drafts_then in events:
        watch.now_s += passed_s
        counted_s += passed_s if drafts else min(passed_s, limit)
        clock.act()
        assert clock.active_s == counted_s
        drafts = drafts_then
        clock.drafting(is_on=drafts)
        assert (clock.active_s, clock.is_drafting) == (counted_s, drafts)
    assert clock.active_s <= watch.now_s - 1_000


# ---------------------------------------------------------------- words
def test_words_of_a_draft_are_not_the_writers() -> None:
    before = Document(1, "", "It rained.")
    drafted = before.drafted(" All night long.", run_id=1)
    assert words_written(before, drafted) == 0
    assert words_written(drafted, drafted.edited(drafted.text + " Then it stopped.")) == 3
    assert words_written(drafted, drafted.edited("It rained. All night.")) == 0  # what the model wrote went
    assert words_written(drafted, drafted.edited("rained. All night long.")) == -1
    assert words_written(drafted, drafted.edited("It rained. All of the night long.")) == 2
    assert words_written(drafted, drafted.edited("It rained. All nights long.")) == 0  # edits the draft


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("", "", 0),
        ("", "One two", 2),
        ("One two", "", -2),
        ("One", "One", 0),
        ("One two three", "One three", -1),
        ("sea side", "seaside", -1),
        ("seaside", "sea—side", 1),
        ("well", "well ...", 0),
        ("one one one", "one one", -1),
    ],
)
def test_words_are_counted_as_everywhere(before: str, after: str, words: int) -> None:
    assert words_written(Document(1, "", before), Document(1, "", after)) == words


@st.composite
def _documents(draw: st.DrawFn) -> Document:
    """A text of the writer and of two runs, in turns."""
    document = Document(1, "", draw(TEXTS))
    for text, run_id in draw(st.lists(st.tuples(TEXTS, st.integers(0, 2)), max_size=5)):
        origin = draw(st.sampled_from([Origin.WRITTEN, Origin.PASTED]))
        document = document.drafted(text, run_id) if run_id else document.edited(document.text + text, origin)
    return document


@given(_documents(), TEXTS, st.data())
def test_an_edit_is_counted_as_the_whole_text_would_be(
    before: Document, typed: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(before.text)))
    end = data.draw(st.integers(start, len(before.text)))
    origin = data.draw(st.sampled_from([Origin.WRITTEN, Origin.PASTED]))
    after = before.edited(before.text[:start] + typed + before.text[end:], origin)
    assert words_written(before, after) == _own(after) - _own(before)
    assert words_written(after, before) == -words_written(before, after)


@given(_documents(), _documents())
def test_any_two_texts_can_be_compared(before: Document, after: Document) -> None:
    assert words_written(before, after) == _own(after) - _own(before)


def _own(document: Document) -> int:
    return by_author(document.provenance.counts(document.text))[0]


# ---------------------------------------------------------------- days
def test_a_stretch_belongs_to_the_day_it_began_on_where_the_writer_is() -> None:
    late = datetime(2026, 1, 5, 23, 30, tzinfo=UTC)
    assert local_day(late, UTC) == MONDAY
    assert local_day(late, timezone(timedelta(hours=1))) == MONDAY + timedelta(days=1)
    days = by_day([session(1, late, WritingTally(60, 5, 7)), session(2, late, WritingTally(30, -2, 0))], UTC)
    assert days == {MONDAY: WritingTally(90, 3, 7)}


@given(SESSIONS, ZONES)
def test_the_days_add_up_to_everything(sessions: list[WritingSession], zone: timezone) -> None:
    days = by_day(sessions, zone)
    whole = sum((tally_of(each) for each in sessions), WritingTally())
    assert sum(days.values(), WritingTally()) == whole
    assert between(days, date.min, date.max) == whole
    assert set(days) == {each.started.astimezone(zone).date() for each in sessions}


@given(SESSIONS, ZONES, DAYS)
def test_two_spans_of_days_add_up(sessions: list[WritingSession], zone: timezone, middle: date) -> None:
    days = by_day(sessions, zone)
    after = middle + timedelta(days=1)
    parts = between(days, date.min, middle) + between(days, after, date.max)
    assert parts == between(days, date.min, date.max)


@given(DAYS)
def test_a_week_begins_on_monday(day: date) -> None:
    monday = monday_of(day)
    assert monday.weekday() == 0
    assert 0 <= (day - monday).days < 7


def test_a_streak_lives_until_the_day_is_over() -> None:
    tuesday, wednesday, thursday = (MONDAY + timedelta(days=n) for n in (1, 2, 3))
    assert streak([], MONDAY) == 0
    assert streak([MONDAY], MONDAY) == 1
    assert streak([MONDAY, tuesday], wednesday) == 2
    assert streak([MONDAY, tuesday], thursday) == 0
    assert streak([MONDAY, wednesday], wednesday) == 1
    assert streak([wednesday], MONDAY) == 0  # somebody set the clock back


@given(st.sets(st.integers(-15, 3)), DAYS)
def test_a_streak_is_the_longest_row_that_ends_today_or_yesterday(offsets: set[int], today: date) -> None:
    days = {today + timedelta(days=offset) for offset in offsets}
    rows = [
        length
        for end in (0, -1)
        for length in range(1, 20)
        if all(end - back in offsets for back in range(length))
    ]
    assert streak(days, today) == (max(rows) if rows else 0)


# ---------------------------------------------------------------- goals
def test_a_goal_without_a_day_asks_for_no_hurry() -> None:
    progress = progress_of(WritingGoal(1, 80_000), 20_000, MONDAY)
    assert (progress.days_left, progress.words_per_day, progress.words_left) == (None, None, 60_000)
    assert (progress.fraction, progress.is_reached) == (0.25, False)


def test_a_goal_with_a_day_counts_today_too() -> None:
    goal = WritingGoal(1, 1_000, due=MONDAY + timedelta(days=2))
    progress = progress_of(goal, 1, MONDAY)
    assert (progress.days_left, progress.words_per_day) == (3, 333)
    on_the_day = progress_of(goal, 1, MONDAY + timedelta(days=2))
    assert (on_the_day.days_left, on_the_day.words_per_day) == (1, 999)
    late = progress_of(goal, 1, MONDAY + timedelta(days=3))
    assert (late.days_left, late.words_per_day, late.words_left) == (0, None, 999)


def test_a_goal_that_is_reached_asks_for_nothing() -> None:
    for due in (MONDAY, MONDAY - timedelta(days=9)):
        progress = progress_of(WritingGoal(1, 100, due=due), 130, MONDAY)
        assert (progress.words_per_day, progress.words_left, progress.fraction) == (0, 0, 1.0)
        assert progress.is_reached


@given(st.integers(1, 10**6), st.integers(0, 10**6), DAYS, st.integers(-50, 4_000))
def test_who_writes_what_is_needed_is_in_time_and_no_less_will_do(
    words: int, there: int, today: date, offset: int
) -> None:
    progress = progress_of(WritingGoal(1, words, due=today + timedelta(days=offset)), there, today)
    assert 0 <= progress.fraction <= 1
    assert progress.is_reached == (there >= words)
    if progress.words_per_day is None:
        assert offset < 0
        assert not progress.is_reached
    elif progress.days_left:
        assert there + progress.words_per_day * progress.days_left >= words
        assert progress.is_reached or there + (progress.words_per_day - 1) * progress.days_left < words


# ---------------------------------------------------------------- all of it
def test_the_statistics_of_a_project() -> None:
    def at(day: date, hour: int) -> datetime:
        return datetime(day.year, day.month, day.day, hour, tzinfo=UTC)

    wednesday, sunday = MONDAY + timedelta(days=2), MONDAY - timedelta(days=1)
    sessions = [
        session(3, at(wednesday, 9), WritingTally(60, 10, 20)),
        session(1, at(sunday, 9), WritingTally(60, 1_000, 0)),
        session(2, at(MONDAY + timedelta(days=1), 9), WritingTally(120, -4, 5)),
    ]
    found = statistics_of(sessions, [(WritingGoal(1, 100), 25)], wednesday, UTC)
    assert found.day == WritingTally(60, 10, 20)
    assert found.week == WritingTally(180, 6, 25)  # Sunday was last week
    assert found.streak_days == 2
    assert [each.session_id for each in found.sessions] == [1, 2, 3]
    assert [progress.words_left for progress in found.goals] == [75]
    assert statistics_of([], [], wednesday, UTC).day == WritingTally()


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (7, "+7"), (1_204, "+1,204"), (-17, "\u221217"), (-1_234_567, "\u22121,234,567")],
)
def test_words_are_told_with_their_sign(number: int, text: str) -> None:
    assert signed(number) == text


# ---------------------------------------------------------------- what cannot be
@pytest.mark.parametrize(
    "change",
    [
        {"started": datetime(2026, 1, 5)},
        {"started": datetime(2026, 1, 5, tzinfo=timezone(timedelta(hours=1)))},
        {"started": datetime(1969, 12, 31, tzinfo=UTC)},
        {"ended": datetime(3000, 1, 1, tzinfo=UTC)},
        {"ended": datetime(2026, 1, 4, tzinfo=UTC)},
        {"active_s": -1.0},
        {"active_s": float("nan")},
        {"active_s": float("inf")},
        {"words_written": 2**63 - 1},
        {"words_written": -(2**63)},
        {"words_drafted": -1},
        {"words_drafted": 10**10},
    ],
)
def test_a_stretch_of_work_that_cannot_be_is_refused(change: dict[str, object]) -> None:
    started = datetime(2026, 1, 5, tzinfo=UTC)
    values: dict[str, object] = {"session_id": 1, "started": started, "ended": started, **change}
    with pytest.raises(ValueError, match=r"time|began|seconds|words"):
        WritingSession(**values)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("words", [0, -1, 2**63 - 1])
def test_a_goal_that_no_book_has_is_refused(words: int) -> None:
    with pytest.raises(ValueError, match="goal"):
        WritingGoal(1, words)
