"""The process that holds the dictionary: requests come in and answers go out, each a line of JSON.

It is a separate process because everything in it is pure Python: a thread would hold the interpreter for
milliseconds again and again, and the window would stutter. It ends when its input is closed.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from spylls.hunspell import Dictionary  # type: ignore[import-untyped]

MAX_SUGGESTIONS = 6
_WORSE_THAN = 5
"""How much less than the window this process is to get of a busy processor."""
_VERBS = ("ll", "d", "ve")
"""Of there'll and the like: dictionaries list only the most common words with them."""


class Speller:
    """One dictionary; every request gets one answer."""

    def __init__(self) -> None:
        self._dictionary: Any = None
        self._letters: set[str] = set()
        self._num_resembling = 0

    def open(self, stem: str) -> bool:
        """Read the .aff and the .dic file of that name."""
        self._dictionary, self._letters = None, set()
        dictionary = Dictionary.from_files(stem)
        for word in dictionary.dic.words:
            self._letters.update(word.stem.lower())
        self._dictionary, self._num_resembling = dictionary, dictionary.aff.MAXNGRAMSUGS
        return True

    def check(self, words: Iterable[str]) -> list[str]:
        """Return the words that are not in the dictionary."""
        return [word for word in words if not self._is_right(word)]

    def suggest(self, word: str, within_s: float) -> list[str]:
        """Return suggestions for a word, the likeliest first; as many as are found in time."""
        found: list[str] = []
        ends_at = time.monotonic() + within_s
        # a search that takes too long is abandoned in its thread, where it soon notices
        search = threading.Thread(target=self._search, args=(word, found, ends_at), daemon=True)
        search.start()
        search.join(within_s)
        return ranked(word, found)[:MAX_SUGGESTIONS]

    def _is_right(self, word: str) -> bool:
        if self._letters.isdisjoint(word.lower()):
            return True  # in another script: this dictionary cannot help
        try:
            return self._knows(word) or ("'" in word and self._knows_parts(word))
        except Exception:  # noqa: BLE001  a word that a dictionary's rules cannot cope with is not the writer's fault
            return True

    def _knows_parts(self, word: str) -> bool:
        """Return whether a word is known with the other apostrophe, or without an English verb behind it."""
        base, _, verb = word.rpartition("'")
        return self._knows(word.replace("'", "\u2019")) or (verb in _VERBS and self._knows(base))

    def _knows(self, word: str) -> bool:
        return bool(self._dictionary.lookup(word))

    def _search(self, word: str, found: list[str], ends_at: float) -> None:
        """Search for words with few differences; only without any, for similar ones."""
        with contextlib.suppress(Exception):  # as above: what was found until then is there
            rules = self._dictionary.aff
            rules.MAXNGRAMSUGS = 0
            self._collect(word, found, ends_at)
            if not found:
                rules.MAXNGRAMSUGS = self._num_resembling
                self._collect(word, found, ends_at)

    def _collect(self, word: str, found: list[str], ends_at: float) -> None:
        for suggestion in self._dictionary.suggest(word):
            if len(found) >= 2 * MAX_SUGGESTIONS or time.monotonic() > ends_at:
                return
            is_letter_cut_off = len(suggestion.replace("-", " ").split(" ")[-1]) == 1
            if suggestion not in found and not is_letter_cut_off:
                found.append(suggestion)


def ranked(word: str, found: Sequence[str]) -> list[str]:
    """Return suggestions with transpositions of the word's letters first.

    That is the commonest typing error; but two words in one, where they come first, stay there.
    """
    if found and " " in found[0]:
        return list(found)
    letters = sorted(word.lower())
    return sorted(found, key=lambda other: sorted(other.lower()) != letters)


def answer(speller: Speller, line: str) -> str:
    """Return the answer to a request: ["ok", the result] or ["problem", the reason]."""
    try:
        name, *arguments = json.loads(line)
        kinds: dict[str, Callable[..., object]]
        kinds = {"open": speller.open, "check": speller.check, "suggest": speller.suggest}
        return json.dumps(["ok", kinds[name](*arguments)])
    except Exception as error:  # noqa: BLE001  the only one here: nothing may end the process but its owner
        return json.dumps(["problem", repr(error)])


def main() -> None:
    """Answer requests until the input is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal is for the window to handle
    if hasattr(os, "nice"):
        os.nice(_WORSE_THAN)
    speller = Speller()
    for line in sys.stdin:
        sys.stdout.write(answer(speller, line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()
    os._exit(0)  # a word still being searched does not keep the process alive
