"""What the pre-flight panel says, in words."""

from __future__ import annotations

from PySide6.QtCore import QObject

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
        """Return what each row is about, by its name, in order."""
        return {
            "goal": self.tr("Goal"),
            "place": self.tr("Goes to"),
            "reading": self.tr("Reads first"),
            "time": self.tr("Time"),
            "memory": self.tr("Memory"),
            "space": self.tr("Space"),
            "snapshot": self.tr("Snapshot"),
        }

    def of(self, flight: Preflight, *, is_loading: bool) -> dict[str, str]:
        """Return what each row says."""
        waiting = self.tr("Loading the model …") if is_loading else self.tr("Not known yet")
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
            said = self.tr("{0} minutes, reading included").format(f"{goal.minutes:,}")
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
            return self.tr("Nothing: the model has the text")
        tokens = self.tr("About {0} tokens").format(f"{_rounded(reading.tokens):,}")
        if reading.seconds is None:
            return tokens
        return self.tr("{0}, {1}").format(tokens, translated(duration_text(reading.seconds)))

    def _time(self, flight: Preflight, *, is_loading: bool) -> str:
        if flight.goal.words is None and flight.goal.minutes is not None:
            return self.tr("{0} min at most").format(f"{flight.goal.minutes:,}")
        if flight.time is None and is_loading:
            return self.tr("Loading the model …")
        if flight.time is None:
            return self.tr("Not known yet: this model has not drafted here. Tools > Calibrate Pace tells")
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
            said = self.tr("{0} at the longest").format(said)
        if flight.time_source is TimeSource.CALIBRATION:
            return self.tr("{0}, by the calibration of this computer").format(said)
        return self.tr("{0}, by earlier drafts of this model").format(said)

    def _memory(self, need: MemoryNeed) -> str:
        place = self.tr("on the GPU") if need.is_on_gpu else self.tr("of memory")
        needed, free = size_text(need.needed), size_text(need.free)
        match need.fit:
            case RoomFit.TOO_LARGE:
                return self.tr("About {0} {1} needed, {2} free: choose a smaller goal or model").format(
                    needed, place, free
                )
            case RoomFit.TIGHT:
                return self.tr("About {0} {1} needed, {2} free: close other programs").format(
                    needed, place, free
                )
            case RoomFit.FITS:
                return self.tr("About {0} {1} needed, {2} free").format(needed, place, free)
            case RoomFit.UNKNOWN:
                return self.tr("About {0} {1} needed; what is free is not known").format(needed, place)

    def _space(self, flight: Preflight) -> str:
        about = f"{_rounded(flight.tokens_at_goal):,}", f"{flight.context:,}"
        if flight.space is RoomFit.FITS:
            return self.tr("Fits: about {0} of {1} tokens at the goal").format(*about)
        return self.tr(
            "More than the model can look back over (about {0} of {1} tokens): it will forget the oldest"
            " part on the way"
        ).format(*about)

    def _snapshot(self, name: str) -> str:
        if not name:
            return self.tr("None is needed: the draft goes on from where it stopped")
        return self.tr("“{0}”, in the Snapshots panel").format(name)


def _rounded(tokens: int) -> int:
    """Return a count that is an estimate as one."""
    return tokens if tokens < 1_000 else round(tokens / 100) * 100
