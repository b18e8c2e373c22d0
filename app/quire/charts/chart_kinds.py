"""Each chart of a run: what it draws, its name and its summary."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial

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
from quire.domain.drafting.live_run_metrics import RunSeries, Windows
from quire.domain.text_quality.published_novels import (
    HUMAN_BOOKS,
    HUMAN_WINDOWS,
    LOW_VARIETY,
    SCATTERED,
    of_novels,
)
from quire.system.number_text import number_text


class ChartKind(Enum):
    """The charts there are."""

    PACE = "pace"
    GUESSES = "guesses"
    STEP_TIME = "step_time"
    DEPTHS = "depths"
    LENGTHS = "lengths"
    PAIRS = "pairs"
    TRIPLES = "triples"
    WHOLE = "whole"


class ChartMaker(QObject):
    """Makes the charts of a run: one method for each, with all of its texts.

    The names on the screen are for writers; `column` is the technical name, for the CSV.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._makers: dict[ChartKind, Callable[[ChartSource], ChartData]] = {
            ChartKind.PACE: self._pace,
            ChartKind.GUESSES: self._guesses,
            ChartKind.STEP_TIME: self._step_time,
            ChartKind.DEPTHS: self._depths,
            ChartKind.LENGTHS: self._lengths,
            ChartKind.PAIRS: partial(self._variety, 2),
            ChartKind.TRIPLES: partial(self._variety, 3),
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
    def _variety(self, order: int, source: ChartSource) -> ChartData:
        """Return the chart of Distinct-2 or Distinct-3 in windows of the text."""
        # The axis is the run's: windows that end before it belong to another text.
        windows = [one for one in source.windows.get(order, ()) if one[0] >= source.run.words_before]
        others = () if source.other is None else source.other.windows[order]
        places, values = _columns(windows)
        other_places, other_values = _columns(others)
        seen, usual = HUMAN_WINDOWS[order], HUMAN_BOOKS[order]
        bands = (
            ChartBand(self.tr("Range of published novels"), seen.lowest, seen.highest),
            ChartBand(self.tr("Average of published novels"), usual.lowest, usual.highest, strong=True),
        )
        name = self.tr("Word pairs") if order == 2 else self.tr("Word triples")
        hint = self.tr("Share that are distinct in the last 2,000 words. Band: published novels")
        drawn = ChartSeries(name, f"distinct_{order}_last_2000", values, figures=Figures.RATIO, hint=hint)
        data = self._by_position(
            source,
            self.tr("Variety") if order == 2 else self.tr("Word triple variety"),
            self._variety_summary(_last(values), order),
            [drawn],
            places,
            source.x_of(source.run, places),
            bands=bands if source.has_bands else (),
            y_range=(math.floor(10 * min([seen.lowest - 0.05, *values, *other_values])) / 10, 1.0),
        )
        if source.other is None:
            return data
        x, column = source.x_of(source.other.series, other_places), f"other_distinct_{order}"
        return laid_over(data, CurvePair(source.other.name, column, x, other_values, other_places))

    def _variety_summary(self, value: float, order: int) -> str:
        if math.isnan(value):
            return self.tr("Variety appears after 2,000 words.")
        what = self.tr("word pairs") if order == 2 else self.tr("word triples")
        seen = HUMAN_WINDOWS[order]
        numbers = (value_text(number, Figures.SHARE) for number in (value, seen.lowest, seen.highest))
        said = self.tr(
            "{1} of the {0} in the last 2,000 words are distinct; in published novels, {2} to {3}."
        )
        said = said.format(what, *numbers)
        if order != 2:
            return said
        if value < LOW_VARIETY:
            verdict = self.tr("Variety is low.")
        elif value > SCATTERED:
            verdict = self.tr("Variety is unusually high.")
        else:
            verdict = self.tr("Variety is normal.")
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
        for order in (1, 2, 3, 4):
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


def _columns(windows: Windows) -> tuple[list[float], list[float]]:
    return [float(place) for place, _ in windows], [value for _, value in windows]


def _shares(counts: Sequence[int]) -> list[float]:
    return [count / max(sum(counts), 1) for count in counts]


def _last(values: Sequence[float]) -> float:
    """Return the last value that is not NaN."""
    return next((value for value in reversed(values) if not math.isnan(value)), math.nan)
