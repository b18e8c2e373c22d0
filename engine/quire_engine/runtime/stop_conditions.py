"""Where a run ends: a function of the generated tokens and their text alone.

So plain, speculative and resumed runs end with the same token. A line is a heading when it is complete and
reads like one (`quire_engine.api.heading_grammar`), or begins with the writer's own pattern. The run ends
before the heading, with the last token that has no character of it. So the tokens of a line are withheld
until it is certain that it is no heading. A heading only counts after some text, and a line that was partly
published before a pause is skipped.
"""

from __future__ import annotations

from quire_engine.api.config import Goal, compiled_heading
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.heading_grammar import MAX_HEADING, heading_of, may_become_heading
from quire_engine.api.messages import FinishReason
from quire_engine.metrics.word_count import WordCounter

_PATIENCE_S = 1.0  # for a pattern that takes for ever on one line


class HeadingMonitor:
    """Finds the heading that ends a run, token by token.

    Attributes:
        found: the line that starts with token `first` is a heading; no more tokens may be added.
        first: index of the first generated token with a character of the newest line.
    """

    def __init__(self, goal: Goal) -> None:
        self._is_wanted = goal.stop_at_heading
        self._own = compiled_heading(goal.heading_pattern) if goal.heading_pattern else None
        self._passed = goal.passed
        self._num_tokens = 0
        self._has_written = False
        self._line = ""
        self._may_be_one = False
        self.found = False
        self.first = 0

    @property
    def num_open(self) -> int:
        """Tokens at the end that may belong to a heading, which is not decided yet."""
        return self._num_tokens - self.first if self._may_be_one else 0

    def skip(self, text: str) -> None:
        """Add the text of a token that was already published: no line of it ends the run."""
        self._take(text, is_told=True)
        if self._num_tokens > self.first:
            self._may_be_one = False

    def add(self, text: str) -> None:
        """Add the text of one more token."""
        self._take(text, is_told=False)
        self._may_be_one = self._may_be_one and self._is_open()

    def _take(self, text: str, *, is_told: bool) -> None:
        self._num_tokens += 1
        *ended, rest = text.split("\n")
        for number, part in enumerate(ended, start=1):
            self._write(part)
            if self._may_be_one and not is_told and self._is_open() and self._is_heading():
                self.found = True
                return
            self._line = ""
            ends_here = number == len(ended) and not rest
            self.first = self._num_tokens if ends_here else self._num_tokens - 1
            self._may_be_one = self._is_wanted and self._has_written
        self._write(rest)

    def _write(self, part: str) -> None:
        self._line = (self._line + part)[: MAX_HEADING + 1]
        if self._num_tokens > self._passed and part.strip():
            self._has_written = True

    def _is_open(self) -> bool:
        """Say whether the line may become a heading with more text."""
        line = self._line.lstrip()
        if self._own is None:
            return may_become_heading(line)
        return len(self._line) <= MAX_HEADING and self._matches_own(line, partial=True)

    def _is_heading(self) -> bool:
        line = self._line.strip()
        if self._own is None:
            return heading_of(line) is not None
        return bool(line) and self._matches_own(line, partial=False)

    def _matches_own(self, line: str, *, partial: bool) -> bool:
        assert self._own is not None
        try:
            return self._own.match(line, partial=partial, timeout=_PATIENCE_S) is not None
        except TimeoutError as error:
            raise EnvironmentProblem(
                "The pattern for chapter headings takes too long on this text. Use a simpler one."
            ) from error


class GoalMonitor:
    """Finds the token at which a run reaches its goal."""

    def __init__(self, goal: Goal) -> None:
        self._goal = goal
        self._words = WordCounter()
        self._num_tokens = 0
        self._tail = ""
        self.heading = HeadingMonitor(goal)
        self.reason: FinishReason | None = None

    @property
    def num_words(self) -> int:
        """Whole words generated so far."""
        return self._words.num_words

    def add(self, text: str) -> bool:
        """Add the text of one more token; True when the run ends, and `reason` says why.

        At a heading it ends before the token `heading.first`, otherwise with this one.
        """
        self.heading.add(text)
        return self._reached(text)

    def skip(self, text: str) -> bool:
        """Add a token that was already published; True when the run ended with it."""
        self.heading.skip(text)
        return self._reached(text)

    def _reached(self, text: str) -> bool:
        self._num_tokens += 1
        self._words.add(text)
        if self.heading.found:
            self.reason = FinishReason.HEADING
        elif self._has_length():
            self.reason = FinishReason.GOAL
        elif self._has_phrase(text):
            self.reason = FinishReason.PHRASE
        return self.reason is not None

    def _has_length(self) -> bool:
        goal = self._goal
        if goal.tokens is not None and self._num_tokens >= goal.tokens:
            return True
        if goal.words is None or self.num_words < goal.words:
            return False
        return self._words.at_sentence_end or self.num_words >= goal.words + goal.sentence_slack

    def _has_phrase(self, text: str) -> bool:
        phrase = self._goal.stop_phrase
        if not phrase or self._num_tokens <= self._goal.passed:
            return False
        text = self._tail + text
        self._tail = text[len(text) - min(len(text), len(phrase) - 1) :]
        return phrase in text
