"""Which faults of a growing text a writer is notified of, once each, and where to go back to.

Every threshold is beyond what any of 171 published novels reaches; a fault is over once the text is back in
their range. A passage or loop that follows the one before within a window step is the same fault. While one
is in the window, the gauges of that window are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from quire.domain.text_quality.echoes import HUMAN_ECHOES, Passage
from quire.domain.text_quality.loops import Loop
from quire.domain.text_quality.published_novels import LOW_VARIETY, SCATTERED
from quire_engine.api.user_message import UserMessage
from quire_engine.metrics.distinct_n import HUMAN_DISTINCT_2, WINDOW, WINDOW_STEP
from quire_engine.metrics.word_count import WordCounter

ECHOES_ALARM = 0.10
"""The share of echoes from which on the writer is told."""

_SENTENCE_END = re.compile(r"[.!?…][”’\"')]*(?=\s)|(?<=\S)(?=\n)")
_REACH = 4000
"""Characters in which a sentence end is looked for."""


class AlarmKind(Enum):
    """What is wrong."""

    LOW_VARIETY = "low variety"
    SCATTERED = "scattered"
    ECHOES = "echoes"
    COPIED_PASSAGE = "copied passage"
    LOOP = "loop"
    NO_WORDS = "no words"


class Severity(Enum):
    """The response: the strip turns amber; it turns red and the writer is notified; the run pauses."""

    AMBER = "amber"
    RED = "red"
    PAUSE = "pause"


SEVERITIES = {
    AlarmKind.LOW_VARIETY: Severity.AMBER,
    AlarmKind.SCATTERED: Severity.AMBER,
    AlarmKind.ECHOES: Severity.RED,
    AlarmKind.COPIED_PASSAGE: Severity.RED,
    AlarmKind.LOOP: Severity.PAUSE,
    AlarmKind.NO_WORDS: Severity.PAUSE,
}


@dataclass(frozen=True, slots=True)
class Alarm:
    """A fault, reported once; `start` and `end` are in characters of the text."""

    kind: AlarmKind
    severity: Severity
    start: int
    end: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Gauges:
    """The gauges of the window after a number of units; distinct_2 and echoes are shares, from 0 to 1."""

    num_units: int
    distinct_2: float
    echoes: float


@dataclass(frozen=True, slots=True)
class TextFault:
    """A fault in units, from start to before end, and how many the text had when it was reported."""

    kind: AlarmKind
    start: int
    end: int
    sentence: str


class FaultRules:
    """Reports each fault once. Events come in the order of their places, loops first at the same place."""

    def __init__(self) -> None:
        self._over: set[AlarmKind] = set(AlarmKind)

    def loop(self, loop: Loop, before: Loop | None) -> TextFault | None:
        """Handle a new loop, given the loop before it."""
        if _goes_on(before, loop.start):
            return None
        sentence = UserMessage(
            "The last {number:,} passages are the same.",
            number=loop.num_repeats_at_first,
        )
        return TextFault(AlarmKind.LOOP, loop.start, loop.place, sentence)

    def passage(self, passage: Passage, before: Passage | None, loop: Loop | None) -> TextFault | None:
        """Handle a new copied passage, given the passage and the loop before it."""
        if _goes_on(before, passage.start) or _goes_on(loop, passage.start):
            return None
        sentence = UserMessage("A long passage repeats earlier text word for word.")
        return TextFault(AlarmKind.COPIED_PASSAGE, passage.start, passage.place, sentence)

    def gauges(self, gauges: Gauges, loop: Loop | None, passage: Passage | None) -> TextFault | None:
        """Handle a reading of the window, given the last loop and passage before it."""
        self._over |= _cleared(gauges)
        first = max(gauges.num_units - WINDOW, 0)
        has_told = any(fault is not None and fault.end > first for fault in (loop, passage))
        for kind in _raised(gauges):
            if kind in self._over and not self._is_known(kind, has_told):
                self._over.discard(kind)
                return TextFault(kind, first, gauges.num_units, _gauge_sentence(kind, gauges))
        return None

    def _is_known(self, kind: AlarmKind, has_told: bool) -> bool:
        """Return whether a window is explained by a fault that was reported."""
        if kind is AlarmKind.SCATTERED:
            return False
        return has_told or (kind is AlarmKind.LOW_VARIETY and AlarmKind.ECHOES not in self._over)


def wordless_sentence() -> str:
    """Return the message about a text that has turned into gibberish."""
    return UserMessage("The draft has stopped producing words: only punctuation, spaces or endless letters.")


def rewind_place(text: str, fault_start: int, not_before: int = 0) -> int:
    """Return the last sentence end before a fault, in characters, as the start of a new take.

    Without any sentence end it is the end of a word, or where the run began.

    Args:
        not_before: where the run began.
    """
    if not 0 <= not_before <= fault_start <= len(text):
        raise ValueError(f"no fault at {fault_start} of {len(text)} in a run from {not_before}")
    reach = max(not_before, fault_start - _REACH)
    ends = [match.end() for match in _SENTENCE_END.finditer(text, reach, fault_start + 1)]
    for end in reversed([end for end in ends if end <= fault_start]):
        if text[end] == "\n" or _ends_sentence(text, end):
            return end
    words = text[reach:fault_start].rstrip()
    space = max(words.rfind(" "), words.rfind("\n"))
    if reach == not_before or space < 0:
        return not_before
    return reach + len(words[:space].rstrip())


def _ends_sentence(text: str, end: int) -> bool:
    counter = WordCounter()
    counter.add(text[text.rfind("\n", 0, end) + 1 : end])
    return counter.at_sentence_end


def _goes_on(before: Loop | Passage | None, start: int) -> bool:
    """Return whether a stretch follows the one before it so closely that both are one fault."""
    return before is not None and start <= before.end + WINDOW_STEP


def _raised(gauges: Gauges) -> Sequence[AlarmKind]:
    """Return the faults that a reading shows, the worst first."""
    raised = {
        AlarmKind.ECHOES: gauges.echoes > ECHOES_ALARM,
        AlarmKind.LOW_VARIETY: gauges.distinct_2 < LOW_VARIETY,
        AlarmKind.SCATTERED: gauges.distinct_2 > SCATTERED,
    }
    return [kind for kind, is_raised in raised.items() if is_raised]


def _cleared(gauges: Gauges) -> set[AlarmKind]:
    """Return the faults that are over: the reading is in the range of published novels."""
    lowest, highest = HUMAN_DISTINCT_2
    cleared = {
        AlarmKind.ECHOES: gauges.echoes <= HUMAN_ECHOES,
        AlarmKind.LOW_VARIETY: gauges.distinct_2 >= lowest,
        AlarmKind.SCATTERED: gauges.distinct_2 <= highest,
    }
    return {kind for kind, is_cleared in cleared.items() if is_cleared}


def _gauge_sentence(kind: AlarmKind, gauges: Gauges) -> str:
    match kind:
        case AlarmKind.ECHOES:
            return UserMessage(
                "{echoes:.0%} of the last 2,000 words repeat nearby text.",
                echoes=gauges.echoes,
            )
        case AlarmKind.LOW_VARIETY:
            return UserMessage(
                "The last 2,000 words keep using the same few words. No published novel varies so little."
            )
        case _:
            return UserMessage("The last 2,000 words are incoherent. No published novel varies so much.")
