"""Background n-grams of one model in the tokens of another.

What usually follows in prose is much the same for every model that writes the same language, but a table of
n-grams knows it in its own tokenizer's ids. Here each of its contexts and followers is turned into text and
tokenised again, so that a model that nobody prepared has something to draft with from the first page.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.drafting import background_ngrams
from quire_engine.drafting.background_ngrams import (
    MAX_OCCURRENCES,
    MAX_ORDER,
    BackgroundTable,
    Ids,
    Level,
    chances_of,
    steps_of,
)

FOLDER = "ngrams"
"""Of translated tables, in the cache folder."""
FORM = 1
"""Changes when the same table would be translated otherwise."""

_MOST_KEPT = 8  # tables of 1 to 2 MB
_SHORT = 16  # characters of a digest in a name
_FOLLOWERS = (32, 16, 12)  # kept of each context, by its length
_LEAST = 0.004  # a follower less likely than this is not kept
_TELL_EVERY = 2_000
_BATCH = 20_000  # texts that are tokenised at a time
_HALF_CHARACTER = "\ufffd"

Sums = npt.NDArray[np.float64]
T = TypeVar("T")


def translated_for(
    model: Path,
    tokenizer: Tokenizer,
    vocab_size: int,
    source: Path,
    cache_folder: Path | None = None,
    on_part: Callable[[], None] = lambda: None,
) -> BackgroundTable | None:
    """Return the n-grams of one model for another that has none; None if there are none to translate.

    It takes seconds once for a tokenizer; then it is read from the cache.

    Args:
        model: the model's folder.
        tokenizer, vocab_size: the model's own.
        source: the folder of the model that has n-grams.
        cache_folder: where translated tables are kept; None: nowhere.
        on_part: called again and again; may raise to stop.

    Raises:
        EnvironmentProblem: the n-grams or the models' tokenizers cannot be read.
        BaseException: anything, from a tokenizer that cannot take a text.
    """
    digest, of_source = background_ngrams.tokenizer_digest(model), background_ngrams.tokenizer_digest(source)
    if digest == of_source:
        return background_ngrams.find(source, digest, vocab_size)
    place = None if cache_folder is None else cache_folder / FOLDER / _name(digest, source)
    if place is not None:
        with contextlib.suppress(EnvironmentProblem):  # damaged: made again
            if (kept := background_ngrams.find(place, digest, vocab_size)) is not None:
                return kept
    theirs = Tokenizer.from_file(str(source / "tokenizer.json"))
    table = background_ngrams.find(source, of_source, theirs.get_vocab_size())
    made = None if table is None else translated(table, theirs, tokenizer, on_part)
    if made is not None and place is not None:
        with contextlib.suppress(OSError):  # next time, then
            place.mkdir(parents=True, exist_ok=True)
            background_ngrams.save(made, digest, place)
            _delete_oldest(place.parent)
    return made


def _name(digest: str, source: Path) -> str:
    """Return the name of the folder for a tokenizer's table; another one when the source changes."""
    file = source / background_ngrams.FILE_NAME
    of_source = hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""
    return f"{digest[:_SHORT]}-{FORM}-{of_source[:_SHORT]}"


def _delete_oldest(folder: Path) -> None:
    known = sorted(folder.iterdir(), key=lambda each: -each.stat().st_mtime)
    for each in known[_MOST_KEPT:]:
        shutil.rmtree(each, ignore_errors=True)


def translated(
    table: BackgroundTable,
    source: Tokenizer,
    target: Tokenizer,
    on_part: Callable[[], None] = lambda: None,
) -> BackgroundTable | None:
    """Return the table in another tokenizer's ids; None if nothing of it can be said in them.

    A follower that the target splits makes contexts of its first parts, too. Entries whose context the target
    does not end where the source does (" un" before "believable", one token there) are left out, as are those
    with half a character in them.

    Args:
        table: the n-grams.
        source: the tokenizer of its ids.
        target: the tokenizer to have them in.
        on_part: called again and again; may raise to stop.
    """
    texts = _Texts(source, target, on_part)
    sums = _Sums()
    for context, occurrences, followers, chances in _told(_entries(table), on_part):
        texts.add(context, occurrences, followers, chances)
    texts.put_into(sums)
    on_part()
    return sums.table()


def _told(entries: Iterable[T], on_part: Callable[[], None]) -> Iterator[T]:
    """Yield entries, and say now and then that it goes on."""
    for number, entry in enumerate(entries):
        if number % _TELL_EVERY == 0:
            on_part()
        yield entry


def _entries(table: BackgroundTable) -> Iterator[tuple[tuple[int, ...], float, Ids, Sums]]:
    """Yield each context, oldest token first, its occurrences, its followers and their chances."""
    above: list[tuple[int, ...]] = [()]
    for level in table.levels:
        contexts = [
            (token, *above[parent])
            for token, parent in zip(level.tokens.tolist(), level.parents.tolist(), strict=True)
        ]
        chances = chances_of(level.steps)
        bounds = pairwise(level.starts.tolist())
        for context, times, (start, end) in zip(contexts, level.occurrences.tolist(), bounds, strict=True):
            yield context, float(times), level.followers[start:end], chances[start:end]
        above = contexts


class _Texts:
    """Contexts and followers as text, each distinct pair of a newest token and a follower only once."""

    def __init__(self, source: Tokenizer, target: Tokenizer, on_part: Callable[[], None]) -> None:
        self._source, self._target, self._on_part = source, target, on_part
        self._text_of: dict[int, str] = {}
        self._contexts: list[tuple[tuple[int, ...], float, list[int], Sums]] = []
        self._pairs: dict[tuple[int, int], int] = {}
        self._weights: list[float] = []  # of each pair, over all contexts of one token

    def add(self, context: tuple[int, ...], occurrences: float, followers: Ids, chances: Sums) -> None:
        """Take a context with what follows it."""
        newest = context[-1]
        places = [self._pairs.setdefault((newest, one), len(self._pairs)) for one in followers.tolist()]
        self._weights += [0.0] * (len(self._pairs) - len(self._weights))
        if len(context) == 1:
            for place, chance in zip(places, chances.tolist(), strict=True):
                self._weights[place] += occurrences * chance
        self._contexts.append((context, occurrences, places, chances))

    def put_into(self, sums: _Sums) -> None:
        """Tokenise everything again, and add it up."""
        newest = sorted({context[-1] for context, *_ in self._contexts})
        alone = dict(zip(newest, self._tokenised([self._text(one) for one in newest]), strict=True))
        both = self._tokenised([self._text(one) + self._text(other) for one, other in self._pairs])
        continued: list[list[int]] = []  # what follows the newest token, in each pair
        for (one, _), ids in zip(self._pairs, both, strict=True):
            base = alone[one]
            continued.append(ids[len(base) :] if base and ids[: len(base)] == base else [])
        whole = self._tokenised(["".join(map(self._text, context)) for context, *_ in self._contexts])
        known = zip(self._contexts, whole, strict=True)
        for (context, occurrences, places, chances), ids in _told(known, self._on_part):
            base = alone[context[-1]]
            if not base or ids[-len(base) :] != base:
                continue
            sums.see(ids, occurrences)
            for place, chance in zip(places, chances.tolist(), strict=True):
                if continued[place]:
                    sums.follow(ids, continued[place][0], occurrences * chance)
        for (one, _), ids, weight in zip(self._pairs, continued, self._weights, strict=True):
            for length in range(1, len(ids)):  # the rest of a follower that is several tokens here
                sums.see(alone[one] + ids[:length], weight)
                sums.follow(alone[one] + ids[:length], ids[length], weight)

    def _text(self, token: int) -> str:
        if token not in self._text_of:
            self._text_of[token] = self._source.decode([token], skip_special_tokens=False)
        return self._text_of[token]

    def _tokenised(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of texts as in the middle of a text; none for half a character or a merged start."""
        found: list[list[int]] = []
        for start in range(0, len(texts), _BATCH):
            self._on_part()
            part = texts[start : start + _BATCH]
            # some tokenizers put a space before a text; what is before it here is taken off again
            before = ["\n" if text[:1].isalpha() else "a" for text in part]
            encoded = self._encoded([one + text for one, text in zip(before, part, strict=True)])
            leads = dict(zip("\na", self._encoded(["\n", "a"]), strict=True))
            for text, one, ids in zip(part, before, encoded, strict=True):
                lead = leads[one]
                is_whole = text and _HALF_CHARACTER not in text and ids[: len(lead)] == lead
                found.append(ids[len(lead) :] if is_whole else [])
        return found

    def _encoded(self, texts: list[str]) -> list[list[int]]:
        return [one.ids for one in self._target.encode_batch_fast(texts, add_special_tokens=False)]


class _Sums:
    """Occurrences of contexts and of what follows them, by the newest tokens of a context first."""

    def __init__(self) -> None:
        self._times: list[dict[tuple[int, ...], float]] = [{} for _ in range(MAX_ORDER)]
        self._follows: list[dict[tuple[int, ...], dict[int, float]]] = [{} for _ in range(MAX_ORDER)]

    def see(self, context: Sequence[int], times: float) -> None:
        """Count a context."""
        key = tuple(context[: -MAX_ORDER - 1 : -1])
        found = self._times[len(key) - 1]
        found[key] = found.get(key, 0.0) + times

    def follow(self, context: Sequence[int], follower: int, times: float) -> None:
        """Count what follows a context."""
        key = tuple(context[: -MAX_ORDER - 1 : -1])
        found = self._follows[len(key) - 1].setdefault(key, {})
        found[follower] = found.get(follower, 0.0) + times

    def table(self) -> BackgroundTable | None:
        """Return the table; None if it would be empty."""
        for order in range(MAX_ORDER - 1, 0, -1):  # a context is found through the shorter ones
            for key in self._times[order]:
                self._times[order - 1].setdefault(key[:-1], 0.0)
        levels: list[Level] = []
        places: dict[tuple[int, ...], int] = {(): 0}
        for order in range(MAX_ORDER):
            keys = sorted(self._times[order])
            if not keys:
                break
            levels.append(self._level(order, keys, places))
            places = {key: place for place, key in enumerate(keys)}
        return BackgroundTable(levels) if levels else None

    def _level(self, order: int, keys: list[tuple[int, ...]], above: dict[tuple[int, ...], int]) -> Level:
        lengths, followers, chances = [0], list[int](), list[float]()
        for key in keys:
            times = self._times[order][key]
            found = self._follows[order].get(key, {})
            likely = sorted(found.items(), key=lambda one: (-one[1], one[0]))[: _FOLLOWERS[order]]
            kept = [
                (follower, min(one / times, 1.0)) for follower, one in likely if one >= _LEAST * times > 0
            ]
            followers += [follower for follower, _ in kept]
            chances += [chance for _, chance in kept]
            lengths.append(len(kept))
        occurrences = np.minimum([round(self._times[order][key]) for key in keys], MAX_OCCURRENCES)
        return Level(
            tokens=np.array([key[-1] for key in keys], dtype=np.int64),
            parents=np.array([above[key[:-1]] for key in keys], dtype=np.int64),
            occurrences=occurrences.astype(np.uint8),
            starts=np.cumsum(lengths, dtype=np.int64),
            followers=np.array(followers, dtype=np.int64),
            steps=steps_of(np.array(chances)),
        )
