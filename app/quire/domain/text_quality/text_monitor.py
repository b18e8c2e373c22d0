"""Measures a text while it grows: its variety, its echoes, and faults to report to the writer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from quire.domain.text_quality.alarms import (
    SEVERITIES,
    Alarm,
    AlarmKind,
    FaultRules,
    Gauges,
    TextFault,
    wordless_sentence,
)
from quire.domain.text_quality.echoes import Echoes, Passage
from quire.domain.text_quality.loops import GibberishTail, Loop, Loops
from quire.domain.text_quality.ngrams import NgramIndex
from quire.domain.text_quality.text_units import UnitText
from quire.domain.text_quality.variety import Variety, VarietyPoint

_Event = Loop | Passage | Gauges
_Stretch = TypeVar("_Stretch", Loop, Passage)


class TextWatch:
    """The measures of one growing text and its alarms; for one thread at a time.

    However a text is cut into pieces, its measures and alarms are the same. Text from before the run is in
    every window, and its faults count as reported.
    """

    def __init__(self, text_before: str = "") -> None:
        self.text = UnitText()
        self.index = NgramIndex()
        self.variety = Variety(self.index)
        self.echoes = Echoes(self.index)
        self.loops = Loops(self.index)
        self._wordless = GibberishTail()
        self._wordless_from = 0
        self._rules = FaultRules()
        if text_before:
            self.add(text_before)
            self._wordless_from = self.text.num_chars

    @property
    def readings(self) -> list[VarietyPoint]:
        """Variety so far, one reading every 250 units; read-only."""
        return self.variety.readings

    def add(self, piece: str) -> tuple[Alarm, ...]:
        """Add a piece of text; return the faults that it shows, if they are new."""
        return self._alarms(self._read(self.text.add(piece)))

    def finish(self) -> tuple[Alarm, ...]:
        """Count the last word too: no more text follows."""
        return self._alarms(self._read(self.text.finish()))

    def tokens(self, num_tokens: int, num_words: int) -> tuple[Alarm, ...]:
        """Add a step, after its text: how many tokens it had, how many whole words the run has now."""
        was_too_long = self._wordless.is_too_long
        self._wordless.add(num_tokens, num_words)
        if self._wordless.num_tokens == 0:
            self._wordless_from = self.text.num_chars
        if was_too_long or not self._wordless.is_too_long:
            return ()
        kind = AlarmKind.NO_WORDS
        end = self.text.num_chars
        return (Alarm(kind, SEVERITIES[kind], self._wordless_from, end, wordless_sentence()),)

    def replace(self, start: int, end: int, piece: str) -> None:
        """Apply an edit; only what follows it is measured again. The writer's own text raises no alarm."""
        self._read(self.text.replace(start, end, piece))
        self._wordless.clear()
        self._wordless_from = self.text.num_chars

    def cut(self, num_chars: int) -> None:
        """Forget the text from a character on: the run was rewound."""
        self.replace(num_chars, self.text.num_chars, "")

    def _read(self, kept: int) -> list[TextFault]:
        """Measure the units after the unchanged ones; return the faults that they show, if they are new."""
        if kept < len(self.index):
            self.index.cut(kept)
            for measure in (self.variety, self.echoes, self.loops):
                measure.cut(kept)
            # judged again, so that only a fault that was cut away can be reported again
            self._rules = FaultRules()
            self._judge_all([*self.loops.loops, *self.echoes.passages, *self._gauges(self.readings)])
        self.index.add_all(self.text.units[kept:])
        loops, passages, readings = self.loops.update(), self.echoes.update(), self.variety.update()
        return self._judge_all([*loops, *passages, *self._gauges(readings)])

    def _gauges(self, readings: list[VarietyPoint]) -> Iterator[Gauges]:
        for reading in readings:
            distinct_2 = reading.window.of(2) if reading.window else None
            echoes = self.echoes.share(reading.num_units)
            if distinct_2 is not None and echoes is not None:
                yield Gauges(reading.num_units, distinct_2, echoes)

    def _judge_all(self, events: list[_Event]) -> list[TextFault]:
        # by place; the sort is stable: loops before passages before readings at the same place
        faults = [self._judge(event) for event in sorted(events, key=_place)]
        return [fault for fault in faults if fault is not None]

    def _judge(self, event: _Event) -> TextFault | None:
        loops, passages, place = self.loops.loops, self.echoes.passages, _place(event)
        match event:
            case Loop():
                return self._rules.loop(event, _last_before(loops, place))
            case Passage():
                return self._rules.passage(
                    event, _last_before(passages, place), _last_before(loops, place + 1)
                )
            case Gauges():
                last_loop, last_passage = _last_before(loops, place + 1), _last_before(passages, place + 1)
                return self._rules.gauges(event, last_loop, last_passage)

    def _alarms(self, faults: list[TextFault]) -> tuple[Alarm, ...]:
        return tuple(self._alarm(fault) for fault in faults)

    def _alarm(self, fault: TextFault) -> Alarm:
        start, end = self.text.chars_of(fault.start, fault.end)
        return Alarm(fault.kind, SEVERITIES[fault.kind], start, end, fault.sentence)


def _place(event: _Event) -> int:
    return event.num_units if isinstance(event, Gauges) else event.place


def _last_before(stretches: Sequence[_Stretch], place: int) -> _Stretch | None:
    """Return the last stretch detected before a place; there are few."""
    return next((stretch for stretch in reversed(stretches) if stretch.place < place), None)
