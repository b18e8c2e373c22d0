"""Each chart of a run: what it draws, its name and its summary."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from enum import Enum

from PySide6.QtCore import QObject

from quire.charts.chart_data import (
    ChartBand,
    ChartData,
    ChartMark,
    ChartSeries,
    CurvePair,
    Figures,
    MarkKind,
    SeriesRole,
    laid_over,
    value_text,
)
from quire.charts.chart_source import ChartSource
from quire.domain.drafting.live_run_metrics import DistinctPoint, RunSeries
from quire.domain.text_quality.published_novels import of_novels, range_at
from quire.system.number_text import number_text

ORDERS = (1, 2, 3, 4)


class ChartKind(Enum):
    """The charts there are."""

    PACE = "pace"
    ACCEPTANCE = "acceptance"
    DISTINCT = "distinct"
    GUESSES = "guesses"
    STEP_TIME = "step_time"
    DEPTHS = "depths"
    LENGTHS = "lengths"
    WHOLE = "whole"


class ChartMaker(QObject):
    """Makes the charts of a run: one method for each, with all of its texts.

    The names on the screen are for writers; `column` is the technical name, for the CSV.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._makers: dict[ChartKind, Callable[[ChartSource], ChartData]] = {
            ChartKind.PACE: self._pace,
            ChartKind.ACCEPTANCE: self._acceptance,
            ChartKind.DISTINCT: self._distinct,
            ChartKind.GUESSES: self._guesses,
            ChartKind.STEP_TIME: self._step_time,
            ChartKind.DEPTHS: self._depths,
            ChartKind.LENGTHS: self._lengths,
            ChartKind.WHOLE: self._whole,
        }

    def make(self, kind: ChartKind, source: ChartSource) -> ChartData:
        """Return a chart."""
        return self._makers[kind](source)

    # ------------------------------------------------------------ pace
    def _pace(self, source: ChartSource) -> ChartData:
        title, unit, count = self.tr("Speed"), self.tr("w/min"), Figures.COUNT
        hint = self.tr("Words per minute over the last 60 seconds of drafting")
        drawn = [ChartSeries(title, "words_per_min", source.run.pace[:], figures=count, unit=unit, hint=hint)]
        if source.trend:
            name, column, role = self.tr("Trend"), "expected_words_per_min", SeriesRole.EXPECTED
            hint = self.tr("Thin line: expected speed at this length")
            drawn.append(ChartSeries(name, column, source.trend, role, count, unit, hint))
        data = self._of_steps(source, title, self._pace_summary(source), drawn)
        return source.with_other_run(data, "other_words_per_min", lambda run: run.pace)

    def _pace_summary(self, source: ChartSource) -> str:
        run, now = source.run, _last(source.run.pace)
        if math.isnan(now):
            return self.tr("No speed measured yet.")
        mean = 60 * run.num_words / run.drafted_s if run.drafted_s else math.nan
        num_pauses = sum(kind is MarkKind.PAUSE for kind, _, _ in source.marks)
        if num_pauses == 0:
            text = self.tr("{0} words per minute now, {1} on average over {2} words.")
        elif num_pauses == 1:
            text = self.tr("{0} words per minute now, {1} on average over {2} words, with one pause.")
        else:
            text = self.tr("{0} words per minute now, {1} on average over {2} words, with {3} pauses.")
        figures = (value_text(value, Figures.COUNT) for value in (now, mean, run.num_words))
        return text.format(*figures, num_pauses)

    # ------------------------------------------------------------ guesses
    def _acceptance(self, source: ChartSource) -> ChartData:
        """Return the chart of how many draft tokens were accepted: per step, and of those that were made."""
        run, title = source.run, self.tr("Acceptance")
        accepted = list(map(operator.add, run.from_drafters, run.from_phrases))
        drawn = [
            ChartSeries(
                self.tr("Accepted per step"), "accepted_per_pass", accepted,
                hint=self.tr("Draft tokens accepted per step of the full model, over the last 256 steps"),
            ),
            ChartSeries(
                self.tr("Of those drafted"), "alpha", run.acceptance_rate[:], SeriesRole.SHARE, Figures.SHARE,
                hint=self.tr("Share of draft tokens the model accepted. Says nothing about quality"),
            ),
        ]  # fmt: skip
        data = self._of_steps(source, title, self._acceptance_summary(run), drawn)
        return source.with_other_run(
            data,
            "other_accepted_per_pass",
            lambda run: list(map(operator.add, run.from_drafters, run.from_phrases)),
        )

    def _acceptance_summary(self, run: RunSeries) -> str:
        if run.is_on_server:
            return self._server_summary(run)
        share = _last(run.acceptance_rate)
        if math.isnan(share):
            return self.tr("No draft tokens yet.")
        accepted = _last(run.from_drafters) + _last(run.from_phrases)
        return self.tr("{0} draft tokens accepted per step, {1} of those drafted.").format(
            value_text(accepted, Figures.DECIMAL), value_text(share, Figures.SHARE)
        )

    def _guesses(self, source: ChartSource) -> ChartData:
        run, title, layer, share = source.run, self.tr("Tokens per step"), SeriesRole.LAYER, SeriesRole.SHARE
        drawn = [
            ChartSeries(
                self.tr("Full model"), "tokens_from_model", run.from_model[:], layer,
                hint=self.tr("Tokens chosen by the full model itself"),
            ),
            ChartSeries(
                self.tr("Draft model"), "tokens_from_guesser", run.from_drafters[:], layer,
                hint=self.tr(
                    "Accepted tokens from the trained draft model, which never changes the text"
                ),
            ),
            ChartSeries(
                self.tr("Phrase reuse"), "tokens_from_phrases", run.from_phrases[:], layer,
                hint=self.tr("Accepted tokens that came from phrases already in the manuscript"),
            ),
            ChartSeries(
                title, "tokens_per_pass", run.tokens_per_pass[:],
                hint=self.tr("Tokens written per step of the full model, over the last 256 steps"),
            ),
            ChartSeries(
                self.tr("Acceptance rate"), "alpha", run.acceptance_rate[:], share, Figures.SHARE,
                hint=self.tr("Share of draft tokens the model accepted. Says nothing about quality"),
            ),
            ChartSeries(
                self.tr("By phrases alone"), "beta", run.phrase_acceptance[:], share, Figures.SHARE,
                hint=self.tr(
                    "Part of the acceptance rate: steps whose accepted tokens all came from phrases"
                ),
            ),
        ]  # fmt: skip
        data = self._of_steps(source, title, self._guesses_summary(run), drawn)
        return source.with_other_run(data, "other_tokens_per_pass", lambda run: run.tokens_per_pass)

    def _guesses_summary(self, run: RunSeries) -> str:
        if run.is_on_server:
            return self._server_summary(run)
        at_a_time = _last(run.tokens_per_pass)
        if math.isnan(at_a_time):
            return self.tr("No draft tokens yet.")
        values = (at_a_time, _last(run.from_model), _last(run.from_drafters), _last(run.from_phrases))
        return self.tr(
            "{0} tokens per step: {1} from the full model, {2} from the draft model, {3} from phrases; {4}"
            " of draft tokens accepted."
        ).format(
            *(value_text(value, Figures.DECIMAL) for value in values),
            value_text(_last(run.acceptance_rate), Figures.SHARE),
        )

    def _server_summary(self, run: RunSeries) -> str:
        """Return what a server tells of its draft tokens."""
        share = _last(run.acceptance_rate)
        if math.isnan(share):
            return self.tr("The server tells nothing about draft tokens.")
        return self.tr("{0} of draft tokens accepted, as the server tells.").format(
            value_text(share, Figures.SHARE)
        )

    # ------------------------------------------------------------ time
    def _step_time(self, source: ChartSource) -> ChartData:
        run, title, layer, unit = source.run, self.tr("Time per step"), SeriesRole.LAYER, self.tr("ms")
        drawn = [
            ChartSeries(
                self.tr("Full model"), "verify_ms", run.verify_ms[:], layer, unit=unit,
                hint=self.tr("The full model's pass, which chooses the words and checks draft tokens"),
            ),
            ChartSeries(
                self.tr("Prediction"), "draft_ms", run.draft_ms[:], layer, unit=unit,
                hint=self.tr("Making draft tokens; pays off while it saves passes of the full model"),
            ),
            ChartSeries(
                self.tr("Other"), "rest_ms", run.rest_ms[:], layer, unit=unit,
                hint=self.tr("Choosing how far to predict, and learning from what was accepted"),
            ),
            ChartSeries(
                title, "step_ms", run.step_ms[:], unit=unit,
                hint=self.tr("Average of the last 256 steps; grows with the length of the text"),
            ),
        ]  # fmt: skip
        values = [_last(one.y) for one in reversed(drawn)]
        summary = self.tr("A step takes {0} ms: {3} in the full model, {2} for prediction, {1} for the rest.")
        if math.isnan(values[0]):
            summary = self.tr("Nothing has been drafted yet.")
        elif run.is_on_server:
            values, summary = values[:1], self.tr("A piece of text takes {0} ms to arrive.")
        summary = summary.format(*(value_text(value, Figures.DECIMAL) for value in values))
        data = self._of_steps(source, title, summary, drawn)
        return source.with_other_run(data, "other_step_ms", lambda run: run.step_ms)

    # ------------------------------------------------------------ by depth
    def _depths(self, source: ChartSource) -> ChartData:
        kept = source.run.acceptance_at_depth()
        hint = self.tr("Acceptance rate by draft depth")
        bars = ChartSeries(
            self.tr("Accepted"), "kept_at_depth", kept, SeriesRole.BAR, Figures.SHARE, hint=hint
        )
        data = ChartData(
            title=self.tr("Acceptance by depth"),
            summary=self._depths_summary(kept),
            x_name=self.tr("Draft depth"),
            x_column="depth",
            x=[float(depth) for depth in range(1, len(kept) + 1)],
            x_range=(0.5, max(len(kept), 4) + 0.5),
            series=(bars,),
            y_range=(0.0, 1.0),
        )
        return source.with_other_bars(data, "other_kept_at_depth", 1, RunSeries.acceptance_at_depth)

    def _depths_summary(self, kept: Sequence[float]) -> str:
        if not kept:
            return self.tr("No draft tokens yet.")
        if len(kept) == 1:
            return self.tr("The first draft token was accepted in {0} of steps.").format(f"{kept[0]:.0%}")
        return self.tr("The first draft token was accepted in {0} of steps, {1} in a row in {2}.").format(
            f"{kept[0]:.0%}", len(kept), f"{kept[-1]:.0%}"
        )

    def _lengths(self, source: ChartSource) -> ChartData:
        counts, column = source.run.accepted_lengths(), "share_of_passes"
        hint = self.tr("How many draft tokens each step accepted, as a share of all steps")
        bars = ChartSeries(
            self.tr("Steps"), column, _shares(counts), SeriesRole.BAR, Figures.SHARE, hint=hint
        )
        data = ChartData(
            title=self.tr("Accepted per step"),
            summary=self._lengths_summary(counts, source_is_silent=source.run.is_on_server),
            x_name=self.tr("Draft tokens accepted"),
            x_column="accepted",
            x=[float(length) for length in range(len(counts))],
            x_range=(-0.5, max(len(counts), 5) - 0.5),
            series=(bars,),
        )
        return source.with_other_bars(data, f"other_{column}", 0, lambda run: _shares(run.accepted_lengths()))

    def _lengths_summary(self, counts: Sequence[int], *, source_is_silent: bool) -> str:
        if not counts and source_is_silent:
            return self.tr("The server tells nothing about single steps.")
        if not counts:
            return self.tr("Nothing has been drafted yet.")
        most = max(range(len(counts)), key=counts.__getitem__)
        return self.tr("Most often {0} draft tokens were accepted: in {1} of {2} steps.").format(
            most, f"{counts[most] / sum(counts):.0%}", number_text(sum(counts))
        )

    # ------------------------------------------------------------ variety
    def _distinct(self, source: ChartSource) -> ChartData:
        """Return the chart of Distinct-1 to 4 of the draft so far, beside passages of novels as long."""
        # The axis is the run's: what ends before it belongs to another draft.
        points = [one for one in source.distinct if one.num_words >= source.run.words_before]
        other = () if source.other is None else source.other.distinct
        places = [float(one.num_words) for one in points]
        hint = self.tr("Share of different runs of {0} words in the draft so far, or in its last 2,000")
        drawn = [
            ChartSeries(
                self.tr("Distinct-{0}").format(order), f"distinct_{order}",
                [one.ratio(order) for one in points], figures=Figures.RATIO,
                hint=hint.format(order), short=str(order),
            )
            for order in ORDERS
        ]  # fmt: skip
        lowest = min([0.45, *(one.ratio(1) for one in points), *(one.ratio(2) for one in other)])
        data = self._by_position(
            source,
            self.tr("Distinct-n"),
            self._distinct_summary(points, has_bands=source.has_bands),
            drawn,
            places,
            source.x_of(source.run, places),
            bands=(self._novels(points),) if source.has_bands else (),
            y_range=(math.floor(10 * lowest - 0.5) / 10, 1.0),
        )
        if source.other is None:
            return data
        other_places, values = [float(one.num_words) for one in other], [one.ratio(2) for one in other]
        x = source.x_of(source.other.series, other_places)
        return laid_over(data, CurvePair(source.other.name, "other_distinct_2", x, values, other_places))

    def _novels(self, points: Sequence[DistinctPoint]) -> ChartBand:
        ranges = [[range_at(order, one.num_units) for one in points] for order in ORDERS]
        return ChartBand(
            self.tr("Novels"),
            tuple(([low for low, _, _ in each], [high for _, _, high in each]) for each in ranges),
        )

    def _distinct_summary(self, points: Sequence[DistinctPoint], *, has_bands: bool) -> str:
        if not points:
            return self.tr("Variety appears after 100 words.")
        last = points[-1]
        said = self.tr("Of the word pairs in the last {0} words and marks, {1} are different").format(
            number_text(last.num_units), value_text(last.ratio(2), Figures.SHARE)
        )
        if not has_bands:
            return self.tr("{0}.").format(said)
        low, _, high = range_at(2, last.num_units)
        if last.ratio(2) < low:
            verdict = self.tr("Variety is low.")
        elif last.ratio(2) > high:
            verdict = self.tr("Variety is unusually high.")
        else:
            verdict = self.tr("Variety is normal.")
        novels = (value_text(value, Figures.SHARE) for value in (low, high))
        said = self.tr("{0}; in novels at this length, {1} to {2}.").format(said, *novels)
        return f"{verdict} {said}"

    # ------------------------------------------------------------ the whole text
    def _whole(self, source: ChartSource) -> ChartData:
        # Time starts with the run: the text before it was not drafted in any.
        first = source.run.words_before if source.is_time else 0
        points = [one for one in source.whole if one.num_words >= first]
        places = [float(one.num_words) for one in points]
        averages, novels = [one.average for one in points], [of_novels(one.num_units) for one in points]
        hint = self.tr("Share that are distinct in the whole text so far; falls in good prose, too")
        drawn = [ChartSeries(self.tr("Average"), "distinct_avg", averages, figures=Figures.RATIO, hint=hint)]
        for order in ORDERS:
            values = [one.ratio(order) for one in points]
            name = self.tr("Distinct-{0}").format(order)
            drawn.append(ChartSeries(name, f"distinct_{order}", values, figures=Figures.RATIO))
        if source.has_bands:
            hint = self.tr("The same average at the same length in published novels (median of 171)")
            name, role = self.tr("Published novels"), SeriesRole.EXPECTED
            drawn.append(ChartSeries(name, "novels_avg", novels, role, Figures.RATIO, hint=hint))
        return self._by_position(
            source,
            self.tr("Variety of the whole text"),
            self._whole_summary(_last(averages), _last(novels[-1:]) if source.has_bands else math.nan),
            drawn,
            places,
            source.x_of(source.run, places),
            x_range=source.x_range if source.is_time else (0.0, max([*places, 1.0])),
            y_range=(0.0, 1.0),
        )

    def _whole_summary(self, value: float, novels: float) -> str:
        if math.isnan(value):
            return self.tr("Variety of the whole text appears after 250 words.")
        text = self.tr("Variety of the whole text averages {0}").format(value_text(value, Figures.RATIO))
        if math.isnan(novels):
            return self.tr("{0}.").format(text)
        novel = value_text(novels, Figures.RATIO)
        return self.tr("{0}; in published novels of this length, {1}.").format(text, novel)

    # ------------------------------------------------------------ parts
    def _of_steps(
        self, source: ChartSource, title: str, summary: str, drawn: Sequence[ChartSeries]
    ) -> ChartData:
        """Return a chart with a row for each step of the run."""
        places = source.run.places[:]
        x = source.run.seconds[:] if source.is_time else places
        return self._by_position(source, title, summary, drawn, places, x)

    def _by_position(
        self,
        source: ChartSource,
        title: str,
        summary: str,
        drawn: Sequence[ChartSeries],
        places: Sequence[float],
        x: Sequence[float],
        *,
        x_range: tuple[float, float] | None = None,
        bands: tuple[ChartBand, ...] = (),
        y_range: tuple[float, float] | None = None,
    ) -> ChartData:
        """Return a chart with the axis of the source as x."""
        return ChartData(
            title=title,
            summary=summary,
            x_name=self.tr("Drafting time") if source.is_time else self.tr("Words written"),
            x_column="drafting_s" if source.is_time else "words",
            x_figures=Figures.TIME if source.is_time else Figures.COUNT,
            x_unit="" if source.is_time else self.tr("words"),
            x=x,
            places=places,
            x_range=source.x_range if x_range is None else x_range,
            series=tuple(drawn),
            bands=bands,
            marks=self._marks(source),
            y_range=y_range,
        )

    def _marks(self, source: ChartSource) -> tuple[ChartMark, ...]:
        names = {
            MarkKind.PAUSE: self.tr("Paused"),
            MarkKind.ALARM: self.tr("Alarm"),
        }
        return tuple(
            ChartMark(seconds if source.is_time else place, kind, names[kind])
            for kind, place, seconds in source.marks
        )


def _shares(counts: Sequence[int]) -> list[float]:
    return [count / max(sum(counts), 1) for count in counts]


def _last(values: Sequence[float]) -> float:
    """Return the last value that is not NaN."""
    return next((value for value in reversed(values) if not math.isnan(value)), math.nan)
