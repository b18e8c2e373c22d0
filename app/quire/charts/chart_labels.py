"""What the charts of a run say, in a writer's words; the technical names stand in the CSV."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypedDict

from PySide6.QtCore import QObject

from quire.charts.chart_data import Figures, MarkKind, value_text

LOW_VARIETY, SCATTERED = 0.55, 0.92
"""Distinct-2 below and above which no window of a published novel was ever found."""


class XWords(TypedDict):
    """What a chart's x is called."""

    x_name: str
    x_column: str
    x_figures: Figures
    x_unit: str


class RunTexts(QObject):
    """Names, hints and summaries of the charts of a run."""

    def x_words(self, is_time: bool) -> XWords:
        """Return what x is."""
        if is_time:
            return XWords(
                x_name=self.tr("Drafting time"),
                x_column="drafting_s",
                x_figures=Figures.TIME,
                x_unit="",
            )
        return XWords(
            x_name=self.tr("Words written"),
            x_column="words",
            x_figures=Figures.COUNT,
            x_unit=self.tr("words"),
        )

    def mark(self, kind: MarkKind) -> str:
        """Return what happened at a mark."""
        return {
            MarkKind.PAUSE: self.tr("Paused"),
            MarkKind.RESUME: self.tr("Continued"),
            MarkKind.EDIT: self.tr("Edited"),
            MarkKind.ALARM: self.tr("Alarm"),
        }[kind]

    # ------------------------------------------------------------ pace
    def pace(self) -> str:
        """Return the name of the pace."""
        return self.tr("Speed")

    def pace_unit(self) -> str:
        """Return the unit of a pace."""
        return self.tr("w/min")

    def pace_hint(self) -> str:
        """Say what a pace is."""
        return self.tr("Words per minute over the last 60 seconds of drafting")

    def expected(self) -> str:
        """Return the name of the expected pace."""
        return self.tr("Expected")

    def trend(self) -> str:
        """Return the name of the curve through a run that nothing was measured for."""
        return self.tr("Trend")

    def expected_hint(self) -> str:
        """Say what the thin line is."""
        return self.tr("Thin line: expected speed at this length")

    def pace_summary(self, now: float, mean: float, num_words: int, num_pauses: int) -> str:
        """Say how fast the run is and was."""
        if math.isnan(now):
            return self.tr("No speed measured yet.")
        figures = (value_text(now, Figures.COUNT), value_text(mean, Figures.COUNT), f"{num_words:,}")
        if num_pauses == 0:
            text = self.tr("{0} words per minute now, {1} on average over {2} words.")
        elif num_pauses == 1:
            text = self.tr("{0} words per minute now, {1} on average over {2} words, with one pause.")
        else:
            text = self.tr("{0} words per minute now, {1} on average over {2} words, with {3} pauses.")
        return text.format(*figures, num_pauses)

    # ------------------------------------------------------------ guesses
    def at_a_time(self) -> str:
        """Return the name of the tokens per pass."""
        return self.tr("Tokens per step")

    def at_a_time_hint(self) -> str:
        """Say what the tokens per pass are."""
        return self.tr("Tokens written per step of the full model, over the last 256 steps")

    def from_model(self) -> str:
        """Return the name of what nobody guessed."""
        return self.tr("Full model")

    def from_model_hint(self) -> str:
        """Say what the full model's part is."""
        return self.tr("Tokens chosen by the full model itself")

    def from_guesser(self) -> str:
        """Return the name of the trained drafters."""
        return self.tr("Draft model")

    def from_guesser_hint(self) -> str:
        """Say what the quick guesser is."""
        return self.tr("Accepted tokens from the trained draft model, which never changes the text")

    def from_phrases(self) -> str:
        """Return the name of the n-gram drafters."""
        return self.tr("Phrase reuse")

    def from_phrases_hint(self) -> str:
        """Say what phrase reuse is."""
        return self.tr("Accepted tokens that came from phrases already in the manuscript")

    def kept(self) -> str:
        """Return the name of the acceptance rate."""
        return self.tr("Acceptance rate")

    def kept_hint(self) -> str:
        """Say what the acceptance rate is, and what it is not."""
        return self.tr("Share of draft tokens the model accepted. Says nothing about quality")

    def guesses_summary(
        self, model: float, guesser: float, phrases: float, at_a_time: float, kept: float
    ) -> str:
        """Say how many tokens a step writes and who proposed them."""
        if math.isnan(at_a_time):
            return self.tr("No draft tokens yet.")
        parts = (value_text(value, Figures.DECIMAL) for value in (at_a_time, model, guesser, phrases))
        return self.tr(
            "{0} tokens per step: {1} from the full model, {2} from the draft model, {3} from phrases; {4}"
            " of draft tokens accepted."
        ).format(*parts, value_text(kept, Figures.SHARE))

    # ------------------------------------------------------------ by depth
    def depths(self) -> str:
        """Return the title of the rate by depth."""
        return self.tr("Acceptance by depth")

    def depths_name(self) -> str:
        """Return the name of the rate by depth."""
        return self.tr("Accepted")

    def depth_axis(self) -> str:
        """Return the name of the depth."""
        return self.tr("Draft depth")

    def depths_hint(self) -> str:
        """Say what the rate by depth is."""
        return self.tr("Acceptance rate by draft depth")

    def depths_summary(self, kept: Sequence[float]) -> str:
        """Say how the guesses fare the further they look ahead."""
        if not kept:
            return self.tr("No draft tokens yet.")
        if len(kept) == 1:
            return self.tr("The first draft token was accepted in {0} of steps.").format(f"{kept[0]:.0%}")
        return self.tr("The first draft token was accepted in {0} of steps, {1} in a row in {2}.").format(
            f"{kept[0]:.0%}", len(kept), f"{kept[-1]:.0%}"
        )

    def lengths(self) -> str:
        """Return the title of the histogram of accepted lengths."""
        return self.tr("Accepted per step")

    def lengths_name(self) -> str:
        """Return the name of the bars of the histogram."""
        return self.tr("Steps")

    def lengths_axis(self) -> str:
        """Return the name of the accepted length."""
        return self.tr("Draft tokens accepted")

    def lengths_hint(self) -> str:
        """Say what the histogram counts."""
        return self.tr("How many draft tokens each step accepted, as a share of all steps")

    def lengths_summary(self, counts: Sequence[int]) -> str:
        """Say what happened most often."""
        if not counts:
            return self.tr("Nothing has been drafted yet.")
        most = max(range(len(counts)), key=counts.__getitem__)
        return self.tr("Most often {0} draft tokens were accepted: in {1} of {2} steps.").format(
            most, f"{counts[most] / sum(counts):.0%}", f"{sum(counts):,}"
        )

    # ------------------------------------------------------------ variety
    def variety(self) -> str:
        """Return the name of the windowed Distinct-2."""
        return self.tr("Variety")

    def variety_of_triples(self) -> str:
        """Return the title of the windowed Distinct-3."""
        return self.tr("Word triple variety")

    def pairs(self) -> str:
        """Return the name of the values of Distinct-2."""
        return self.tr("Word pairs")

    def triples(self) -> str:
        """Return the name of the values of Distinct-3."""
        return self.tr("Word triples")

    def variety_hint(self) -> str:
        """Say what variety is."""
        return self.tr("Share that are distinct in the last 2,000 words. Band: published novels")

    # ------------------------------------------------------------ the whole text
    def whole(self) -> str:
        """Return the title of the cumulative Distinct-n."""
        return self.tr("Variety of the whole text")

    def average(self) -> str:
        """Return the name of the mean of Distinct-1 to Distinct-4."""
        return self.tr("Average")

    def whole_name(self, order: int) -> str:
        """Return the name of a cumulative Distinct-n."""
        return self.tr("Distinct-{0}").format(order)

    def whole_hint(self) -> str:
        """Say what the cumulative values are, and what they are not."""
        return self.tr("Share that are distinct in the whole text so far; falls in good prose, too")

    def novels(self) -> str:
        """Return the name of the curve of published novels."""
        return self.tr("Published novels")

    def novels_hint(self) -> str:
        """Say what the curve of published novels is."""
        return self.tr("The same average at the same length in published novels (median of 171)")

    def whole_summary(self, value: float, novels: float) -> str:
        """Say how varied the text is beside published novels of its length."""
        if math.isnan(value):
            return self.tr("Variety of the whole text appears after 250 words.")
        text = self.tr("Variety of the whole text averages {0}").format(value_text(value, Figures.RATIO))
        if math.isnan(novels):
            return self.tr("{0}.").format(text)
        novel = value_text(novels, Figures.RATIO)
        return self.tr("{0}; in published novels of this length, {1}.").format(text, novel)

    def seen(self) -> str:
        """Return the name of the wide band."""
        return self.tr("Range of published novels")

    def usual(self) -> str:
        """Return the name of the narrow band."""
        return self.tr("Average of published novels")

    def variety_summary(self, value: float, seen: tuple[float, float], *, triples: bool) -> str:
        """Say whether the last window is as varied as published prose."""
        if math.isnan(value):
            return self.tr("Variety appears after 2,000 words.")
        what = self.tr("word triples") if triples else self.tr("word pairs")
        numbers = (value_text(number, Figures.SHARE) for number in (value, *seen))
        said = self.tr(
            "{1} of the {0} in the last 2,000 words are distinct; in published novels, {2} to {3}."
        )
        said = said.format(what, *numbers)
        return said if triples else f"{self._verdict(value)} {said}"

    def _verdict(self, value: float) -> str:
        if value < LOW_VARIETY:
            return self.tr("Variety is low.")
        if value > SCATTERED:
            return self.tr("Variety is unusually high.")
        return self.tr("Variety is normal.")
