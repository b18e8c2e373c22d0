"""The text of a run on a server: what is sent of it, and how the words that come back are made steps.

No server promises token ids, so the ids of such a run are the code points of its text: they are stored as
tokens are, and the text they stand for is all that a later request needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quire_engine.api.config import OTHER
from quire_engine.api.context_rules import front_length
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import FinishReason, ResumeGeneration, StartGeneration, StepCompleted
from quire_engine.prompt.prompt import PromptTexts, arranged
from quire_engine.remote.server_counters import Figures
from quire_engine.runtime.stop_conditions import GoalMonitor

STEP_CHARS = 256
"""Most characters of a step, however many come at once: a pause can come between two steps."""
_CLOSING = re.compile(r"[.…!?]*[”’\"')\]]*")
_BREAK = re.compile(r"\n+(?=\S)|(?<=[.!?”’])\s+(?=\S)|\s+(?=\S)")
_CUT_REACH = 2000
_LINES = str.maketrans({"\u2028": "\n", "\u2029": "\n", "\u0085": "\n"})
_DROPPED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\ufdd0\ufdd1\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class ServerPrompt:
    """What a run begins on.

    Attributes:
        text: as it is stored.
        num_front: its first characters, which stay in what is sent.
        counts: characters from front, story and note; () for a resumed run.
        num_left_out: characters that were cut from the story's start.
    """

    text: str
    num_front: int
    counts: tuple[int, ...] = ()
    num_left_out: int = 0

    @property
    def ids(self) -> tuple[int, ...]:
        """Its code points."""
        return tuple(map(ord, self.text))


def prompt_of(command: StartGeneration | ResumeGeneration, capacity: int) -> ServerPrompt:
    """Return what a run begins on, at most `capacity` characters of it; EnvironmentProblem where it can't."""
    if isinstance(command, ResumeGeneration):
        num_front = front_length(command.rollover)
        if num_front is None:
            raise EnvironmentProblem(
                "This draft was started by a newer version of Quire, which handles long texts "
                "differently. Use that version, or start a new draft."
            )
        return ServerPrompt(text_of(command.prompt_ids), num_front)
    if command.is_request:
        return ServerPrompt(command.front_text, len(command.front_text))
    if not command.prompt_text.strip():
        raise EnvironmentProblem("There is no text to continue. Write or paste an opening first.")
    texts = PromptTexts(command.prompt_text, command.front_text, command.note_text, command.note_depth)
    parts, num_left_out = fitting_parts(texts, capacity, read_tail=command.read_tail)
    front, before, note, after = parts
    counts = (len(front), len(before) + len(after), len(note))
    return ServerPrompt("".join(parts), len(front), counts, num_left_out)


def fitting_parts(
    texts: PromptTexts, capacity: int, *, read_tail: bool
) -> tuple[tuple[str, str, str, str], int]:
    """Return front, story before the note, note and story after it, and how many characters were cut from
    the story's start; EnvironmentProblem where they don't fit.
    """
    front, before, note, after = arranged(texts)
    if len(front) + len(note) > capacity // 2:
        raise EnvironmentProblem(
            "Memory, Lorebook and notes are about {words:,} words; they may use at most half of what the "
            "model on the server reads. Shorten them, or start the server with a longer context.",
            words=(len(front) + len(note)) // 6,
        )
    num_left_out = 0
    excess = len(front + before + note + after) - capacity
    if excess > 0:
        if not read_tail:
            raise EnvironmentProblem(
                "The text is about {words:,} words long, and the model on the server reads about {most:,}. "
                "Let it read only the latest part (in commands: --read-tail), or start the server with a "
                "longer context.",
                words=len(texts.story) // 6,
                most=capacity // 6,
            )
        num_left_out = cut_near(before + after, min(excess + capacity // 4, len(before + after) - 1))
    before, after = before[num_left_out:], after[max(0, num_left_out - len(before)) :]
    return (front, before, note, after), num_left_out


def text_of(ids: Sequence[int]) -> str:
    """Return the text that code points stand for; EnvironmentProblem where they are none."""
    try:
        return "".join(map(chr, ids))
    except (ValueError, OverflowError) as error:
        raise EnvironmentProblem(
            "This draft was not written with a model on a server, so it can't be continued there. Start a "
            "new draft."
        ) from error


def sent_part(text: str, num_front: int, capacity: int) -> str:
    """Return the front and the newest part of a text, at most `capacity` characters.

    The newest part begins at multiples of a quarter of the capacity, so that the server, which keeps what it
    has read, seldom reads it again.
    """
    if len(text) <= capacity:
        return text
    room = max(capacity - num_front, capacity // 4)
    stride = max(room // 4, 1)
    start = -(-(len(text) - room) // stride) * stride
    return text[:num_front] + text[cut_near(text, min(max(start, num_front), len(text) - 1)) :]


def cut_near(text: str, place: int) -> int:
    """Return the next start of a paragraph, else of a sentence, else of a word."""
    found = [match.end() for match in _BREAK.finditer(text, place, min(place + _CUT_REACH, len(text)))]
    lines = [end for end in found if text[end - 1] == "\n"]
    return (lines or found or [place])[0]


class PieceCleaner:
    """Makes text for a manuscript of what a server sends, piece by piece."""

    def __init__(self) -> None:
        self._held = ""

    def clean(self, piece: str) -> str:
        r"""Return the next piece: newlines as \n, no control characters, no halves of characters."""
        text = self._held + piece
        self._held = ""
        if text and (text[-1] == "\r" or "\ud800" <= text[-1] <= "\udbff"):
            text, self._held = text[:-1], text[-1]
        text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_LINES)
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return _DROPPED.sub("", text)


class ServerWriter:
    """Turns pieces of text into steps, and finds where the run ends; the words that may be the heading at
    which it ends are withheld until that is certain.

    Attributes:
        num_written: characters in steps, as they are stored.
        reason: why the run ends; None while it does not.
    """

    def __init__(self, run_id: int, goal: GoalMonitor, generated: str) -> None:
        self._run_id, self._goal = run_id, goal
        self._done, self._open = [generated], ""  # what is in steps, and what is not yet
        self.num_written = len(generated)
        self._num_words = 0  # after num_written
        self._words: list[int] = []  # after each withheld character
        self.reason: FinishReason | None = None
        for character in generated:
            if goal.skip(character):
                self.reason = goal.reason
                break
        self._num_words = goal.num_words

    @property
    def text(self) -> str:
        """Everything that came, withheld or not: what the next request continues."""
        self._done = ["".join(self._done)]
        return self._done[0] + self._open

    def add(self, piece: str, step_ms: float, figures: Figures | None) -> Iterator[StepCompleted]:
        """Yield the steps that a piece makes certain; the caller may stop between two."""
        num_chars = max(len(piece), 1)
        place = 0
        while place < len(piece) and self.reason is None:
            part = piece[place : place + STEP_CHARS]
            took = self._take(part, piece[place:])
            place += took
            if step := self._released(step_ms * took / num_chars, figures):
                figures = None
                yield step

    def last(self) -> Iterator[StepCompleted]:
        """Yield what is withheld, when the text ends and so holds no heading."""
        if self.reason is None and (step := self._step(self._end, 0.0, None)):
            yield step

    @property
    def _end(self) -> int:
        return self.num_written + len(self._open)

    def _take(self, part: str, rest: str) -> int:
        """Add characters until the run ends; return how many were added."""
        for number, character in enumerate(part, start=1):
            ended = self._goal.add(character)
            self._open += character
            self._words.append(self._goal.num_words)
            if ended:
                self.reason = self._goal.reason
                return number + (self._close(rest[number:]) if self.reason is FinishReason.GOAL else 0)
        return len(part)

    def _close(self, rest: str) -> int:
        """Add the quotes and dots that come with the last sentence; return how many."""
        found = _CLOSING.match(rest)
        closing = found.group() if found and not self._open.endswith((" ", "\n")) else ""
        self._open += closing
        self._words += [self._goal.num_words] * len(closing)
        return len(closing)

    def _released(self, step_ms: float, figures: Figures | None) -> StepCompleted | None:
        if self.reason is FinishReason.HEADING:
            return self._step(self._goal.heading.first, step_ms, figures)
        num_open = self._goal.heading.num_open if self.reason is None else 0
        return self._step(self._end - num_open, step_ms, figures)

    def _step(self, end: int, step_ms: float, figures: Figures | None) -> StepCompleted | None:
        text, rest = self._open[: end - self.num_written], self._open[end - self.num_written :]
        if not text:
            return None
        self._done.append(text)
        self._open = rest
        self._num_words = self._words[len(text) - 1]
        del self._words[: len(text)]
        self.num_written = end
        drafted = figures or Figures(0, 0)
        return StepCompleted(
            run_id=self._run_id,
            token_ids=tuple(map(ord, text)),
            text=text,
            num_words=self._num_words,
            draft_depth=0 if drafted.is_sum else drafted.num_drafted,
            num_accepted=drafted.num_accepted,
            step_ms=step_ms,
            margin=float("inf"),
            num_drafted=drafted.num_drafted,
            accepted_sources=(OTHER,) * drafted.num_accepted,
            token_chars=(1,) * len(text),
        )
