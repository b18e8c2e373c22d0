"""The texts of the pre-flight panel."""

from __future__ import annotations

from PySide6.QtCore import QObject

from quire.domain.drafting.context_usage import words_in
from quire.domain.drafting.draft_goal import DraftGoal
from quire.domain.drafting.preflight import MemoryNeed, Preflight, RoomFit, TimeSource
from quire.domain.drafting.reread_cost import duration_text
from quire.domain.drafting.reread_decision import PrefillEstimate
from quire.drafting.pace_model import rounded_min
from quire.system.file_sizes import size_text
from quire.ui.translated import translated

_SHORT_PHRASE = 40


class PreflightTexts(QObject):
    """Turns figures into sentences."""

    def titles(self) -> dict[str, str]:
        """Return the titles of the rows by name, in order."""
        return {
            "goal": self.tr("Goal"),
            "place": self.tr("Location"),
            "reading": self.tr("Reads first"),
            "time": self.tr("Time"),
            "memory": self.tr("Memory needed"),
            "space": self.tr("Context"),
            "snapshot": self.tr("Snapshot"),
        }

    def of(self, flight: Preflight, *, is_loading: bool) -> dict[str, str]:
        """Return the text of each row."""
        waiting = self.tr("Loading the model…") if is_loading else self.tr("Not known yet")
        return {
            "goal": self._goal(flight.goal),
            "place": flight.place,
            "reading": self._reading(flight.reading),
            "time": self._time(flight, is_loading=is_loading),
            "memory": waiting if flight.memory is None else self._memory(flight.memory),
            "space": self._space(flight) if flight.context else waiting,
            "snapshot": self._snapshot(flight.snapshot),
        }

    def _goal(self, goal: DraftGoal) -> str:
        if goal.words is not None:
            said = self.tr("{0} words, to the end of a sentence").format(f"{goal.words:,}")
        elif goal.at_heading:
            said = self.tr("To the end of the chapter, {0} words at most").format(f"{goal.words_at_most:,}")
        elif goal.minutes is not None:
            said = self.tr("{0} minutes, including reading time").format(f"{goal.minutes:,}")
        else:
            said = self.tr("To a phrase")
        if not goal.phrase:
            return said
        phrase = goal.phrase
        if len(phrase) > _SHORT_PHRASE:
            phrase = f"{phrase[:_SHORT_PHRASE]}…"
        return self.tr("{0}; or “{1}”").format(said, phrase)

    def _reading(self, reading: PrefillEstimate) -> str:
        if reading.tokens == 0:
            return self.tr("Nothing: the model has already read the text")
        words = self.tr("About {0} words").format(f"{words_in(reading.tokens):,}")
        if reading.seconds is None:
            return words
        return self.tr("{0}, {1}").format(words, translated(duration_text(reading.seconds)))

    def _time(self, flight: Preflight, *, is_loading: bool) -> str:
        if flight.goal.words is None and flight.goal.minutes is not None:
            return self.tr("{0} min at most").format(f"{flight.goal.minutes:,}")
        if flight.time is None and is_loading:
            return self.tr("Loading the model…")
        if flight.time is None:
            return self.tr(
                "Unknown until this model has drafted here. To measure it: Tools > Calibrate Speed"
            )
        low, high = (rounded_min(seconds / 60) for seconds in (flight.time.low_s, flight.time.high_s))
        if flight.time.high_s < 60:
            said = self.tr("Under a minute")
        elif low == high:
            said = self.tr("About {0} min").format(low)
        elif high >= 120:
            said = self.tr("About {0} to {1} h").format(f"{low / 60:.1f}", f"{high / 60:.1f}")
        else:
            said = self.tr("About {0} to {1} min").format(low, high)
        if flight.goal.words is None:
            said = self.tr("{0} at most").format(said)
        if flight.time_source is TimeSource.CALIBRATION:
            return self.tr("{0} (from calibration)").format(said)
        return self.tr("{0} (from earlier drafts)").format(said)

    def _memory(self, need: MemoryNeed) -> str:
        place = self.tr("on the GPU") if need.is_on_gpu else self.tr("of RAM")
        needed, free = size_text(need.needed), size_text(need.free)
        match need.fit:
            case RoomFit.TOO_LARGE:
                return self.tr("About {0} {1}, {2} free: choose a smaller goal or model").format(
                    needed, place, free
                )
            case RoomFit.TIGHT:
                return self.tr("About {0} {1}, {2} free: close other programs").format(needed, place, free)
            case RoomFit.FITS:
                return self.tr("About {0} {1}, {2} free").format(needed, place, free)
            case RoomFit.UNKNOWN:
                return self.tr("About {0} {1}; free amount unknown").format(needed, place)

    def _space(self, flight: Preflight) -> str:
        about = f"{words_in(flight.tokens_at_goal):,}", f"{words_in(flight.context):,}"
        if flight.space is RoomFit.FITS:
            return self.tr("Fits: about {0} of {1} words at the goal").format(*about)
        return self.tr(
            "Longer than the model can remember (about {0} of {1} words): it will forget the oldest part as"
            " it writes"
        ).format(*about)

    def _snapshot(self, name: str) -> str:
        if not name:
            return self.tr("Not needed: this resumes the last draft")
        return self.tr("“{0}”, in the Snapshots panel").format(name)
