"""Checks words and finds suggestions, in a thread that talks to a process; callers never block.

Commands go in by methods that return at once, events come out of the thread through one callable.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Condition, Thread

from quire.services.spelling.spelling_process import SpellerGone, SpellerRefused, SpellingProcess
from quire_engine.api.user_message import UserMessage

SUGGEST_WITHIN_S = 0.25
"""What is not found until then is not waited for."""
_WORDS_AT_ONCE = 64
"""Between so many words a suggestion can come first."""
_OPEN_WITHIN_S, _ANSWER_WITHIN_S = 60.0, 20.0
"""Whoever is longer silent hangs."""
_MAX_STARTS = 3
"""For one dictionary; a process that ends again and again is not started for ever."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DictionaryOpened:
    """A dictionary was read; `stem` is the path of its files without their endings."""

    stem: Path


@dataclass(frozen=True, slots=True)
class WordsChecked:
    """The verdicts of a dictionary."""

    stem: Path
    right: tuple[str, ...]
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WordSuggested:
    """Suggestions for a word; there may be none."""

    stem: Path
    word: str
    suggestions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SpellingFailed:
    """Nothing is checked until a dictionary is opened again; `sentence` is for the writer."""

    stem: Path
    sentence: str


SpellingEvent = DictionaryOpened | WordsChecked | WordSuggested | SpellingFailed


class SpellChecker:
    """Uses one dictionary at a time; suggestions come before everything else, words in the order of
    asking."""

    def __init__(self, publish: Callable[[SpellingEvent], None]) -> None:
        """Prepare the checker; `publish` is called on its thread."""
        self._publish = publish
        self._wake = Condition()
        self._wanted: Path | None = None
        self._words: deque[str] = deque()
        self._asked: str | None = None
        self._closed = False
        self._thread: Thread | None = None
        self._process: SpellingProcess | None = None
        self._open: Path | None = None
        self._num_starts = 0

    # ------------------------------------------------------------ commands
    def open(self, stem: Path) -> None:
        """Use a dictionary from now on; pending requests are dropped."""
        with self._wake:
            self._wanted, self._open, self._num_starts = stem, None, 0
            self._words.clear()
            self._asked = None
            if self._thread is None and not self._closed:
                self._thread = Thread(target=self._run, name="spelling", daemon=True)
                self._thread.start()
            self._wake.notify()

    def check(self, words: Sequence[str]) -> None:
        """Check words."""
        with self._wake:
            self._words.extend(words)
            self._wake.notify()

    def suggest(self, word: str) -> None:
        """Find suggestions for a word; the request before is dropped."""
        with self._wake:
            self._asked = word
            self._wake.notify()

    def rest(self) -> None:
        """Release the memory until a dictionary is opened again."""
        with self._wake:
            self._wanted = self._open = None
            self._words.clear()
            self._asked = None
            self._wake.notify()

    def close(self) -> None:
        """Stop the checker at once."""
        with self._wake:
            self._closed = True
            if self._process is not None:
                self._process.kill()
            self._wake.notify()
        if self._thread is not None:
            self._thread.join(_ANSWER_WITHIN_S)

    # ------------------------------------------------------------ on the thread
    def _run(self) -> None:
        while True:
            with self._wake:
                while not (self._closed or self._has_work()):
                    self._wake.wait()
                wanted, closed = self._wanted, self._closed
            if closed or wanted is None:
                self._end_process()
                if closed:
                    return
                continue
            try:
                self._work(wanted)
            except SpellerGone as error:
                self._end_process()
                self._start_again_or_fail(wanted, str(error))

    def _has_work(self) -> bool:
        if self._wanted is None:
            return self._process is not None
        return self._open != self._wanted or self._asked is not None or bool(self._words)

    def _work(self, stem: Path) -> None:
        if self._open != stem:
            self._open_in_process(stem)
            return
        with self._wake:
            word, self._asked = self._asked, None
            count = 0 if word is not None else min(len(self._words), _WORDS_AT_ONCE)
            words = [self._words.popleft() for _ in range(count)]
        if word is not None:
            self._tell(WordSuggested(stem, word, self._suggestions(word)))
        elif words:
            self._tell(self._verdicts(stem, words))

    def _open_in_process(self, stem: Path) -> None:
        if self._process is None:
            self._num_starts += 1
            process = SpellingProcess()
            with self._wake:
                self._process = process  # from now on close() can stop it
                if self._closed:
                    return
        try:
            self._asked_of_process("open", str(stem), within_s=_OPEN_WITHIN_S)
        except SpellerRefused as error:
            self._fail(
                stem,
                UserMessage("The dictionary {name} can't be read. Choose another one.", name=stem.name),
                str(error),
            )
            return
        with self._wake:
            if self._wanted != stem:
                return
            self._open = stem
        self._tell(DictionaryOpened(stem))

    def _suggestions(self, word: str) -> tuple[str, ...]:
        try:
            return tuple(self._asked_of_process("suggest", word, SUGGEST_WITHIN_S))
        except SpellerRefused:
            _log.exception("no suggestions for %r", word)
            return ()

    def _verdicts(self, stem: Path, words: Sequence[str]) -> WordsChecked:
        """Return the verdicts on words; those that crash the process count as right."""
        wrong: set[str] = set()
        try:
            wrong.update(self._asked_of_process("check", words))
        except (SpellerGone, SpellerRefused):
            self._tell(WordsChecked(stem, tuple(words), ()))
            raise SpellerGone("it could not check words") from None
        return WordsChecked(
            stem,
            tuple(word for word in words if word not in wrong),
            tuple(word for word in words if word in wrong),
        )

    def _asked_of_process(self, *request: object, within_s: float = _ANSWER_WITHIN_S) -> list[str]:
        if self._process is None:
            raise SpellerGone("there is none")
        answer = self._process.ask(*request, within_s=within_s)
        return answer if isinstance(answer, list) else []

    def _start_again_or_fail(self, stem: Path, why: str) -> None:
        if self._closed:
            return
        if self._num_starts < _MAX_STARTS:
            _log.warning("the spelling process is started again: %s", why)
            with self._wake:
                self._open = None
        else:
            self._fail(
                stem,
                UserMessage(
                    "Spell checking was turned off because it kept crashing. Choose the language "
                    "again to retry."
                ),
                why,
            )

    def _fail(self, stem: Path, sentence: str, why: str) -> None:
        _log.error("spelling with %s failed: %s", stem, why)
        with self._wake:
            if self._wanted == stem:
                self._wanted = None
        self._tell(SpellingFailed(stem, sentence))

    def _end_process(self) -> None:
        with self._wake:
            process, self._process, self._open = self._process, None, None
        if process is not None:
            process.close()

    def _tell(self, event: SpellingEvent) -> None:
        if not self._closed:
            self._publish(event)
