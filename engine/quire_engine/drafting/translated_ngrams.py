"""Background n-grams of one model in the tokens of another.

What usually follows in prose is much the same for every model that writes the same language, but a table of
n-grams knows it in its own tokenizer's ids. Here each of its contexts and followers is turned into text and
tokenised again, so that a model that nobody prepared has something to draft with from the first page.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

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
_BATCH = 20_000  # texts that are tokenised at a time
_HALF_CHARACTER = "\ufffd"

Sums = npt.NDArray[np.float64]


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
    known = _known(table)
    texts = [source.decode([token], skip_special_tokens=False) for token in range(known.num_tokens)]
    tell = _Teller(target, on_part)
    alone = dict(zip(known.newest, tell.ids_of([texts[one] for one in known.newest]), strict=True))
    both = tell.ids_of([texts[one] + texts[other] for one, other in known.pairs])
    continued: list[list[int]] = []  # what follows the newest token, in each pair
    for (one, _), ids in zip(known.pairs, both, strict=True):
        base = alone[one]
        continued.append(ids[len(base) :] if base and ids[: len(base)] == base else [])
    whole = tell.ids_of(["".join([texts[one] for one in context]) for context in known.contexts])
    on_part()
    sums = _Sums()
    places = np.full(len(whole), -1, dtype=np.int64)
    for number, (context, ids) in enumerate(zip(known.contexts, whole, strict=True)):
        base = alone[context[-1]]
        if base and ids[-len(base) :] == base:
            places[number] = sums.see(ids, known.occurrences[number])
    firsts = np.array([ids[0] if ids else -1 for ids in continued], dtype=np.int64)[known.pair]
    kept = (places[known.context] >= 0) & (firsts >= 0)
    sums.follow(places[known.context][kept], firsts[kept], known.weights[kept])
    on_part()
    of_newest = known.context < len(known.newest)
    weights = np.bincount(known.pair[of_newest], known.weights[of_newest], len(known.pairs))
    rest = [
        (sums.see(alone[one] + ids[:length], weight), ids[length], weight)
        for (one, _), ids, weight in zip(known.pairs, continued, weights.tolist(), strict=True)
        for length in range(1, len(ids))  # of a follower that is several tokens here
    ]
    if rest:
        contexts, followers, times = (np.array(column) for column in zip(*rest, strict=True))
        sums.follow(contexts, followers, times)
    on_part()
    return sums.table()


@dataclass(frozen=True, slots=True)
class _Known:
    """What a table holds, flat; each distinct pair of a newest token and a follower is tokenised once.

    Attributes:
        contexts: oldest token first, the shortest before all others.
        occurrences: of each context.
        pairs: a newest token and a follower.
        context: of each entry.
        pair: of each entry.
        weights: occurrences of each entry, by its chance.
        num_tokens: ids are less than this.
    """

    contexts: list[tuple[int, ...]]
    occurrences: list[float]
    pairs: list[tuple[int, int]]
    context: Ids
    pair: Ids
    weights: Sums
    num_tokens: int

    @property
    def newest(self) -> list[int]:
        """Return the contexts of one token, which every longer one ends with."""
        return [context[0] for context in self.contexts if len(context) == 1]


def _known(table: BackgroundTable) -> _Known:
    contexts: list[tuple[int, ...]] = []
    above: list[tuple[int, ...]] = [()]
    for level in table.levels:
        above = [
            (token, *above[parent])
            for token, parent in zip(level.tokens.tolist(), level.parents.tolist(), strict=True)
        ]
        contexts += above
    occurrences = np.concatenate([level.occurrences for level in table.levels]).astype(np.float64)
    lengths = np.concatenate([np.diff(level.starts) for level in table.levels])
    followers = np.concatenate([level.followers for level in table.levels])
    chances = np.concatenate([chances_of(level.steps) for level in table.levels])
    context = np.repeat(np.arange(len(contexts)), lengths)
    newest = np.array([context[-1] for context in contexts], dtype=np.int64)
    num_tokens = int(max(newest.max(initial=0), followers.max(initial=0))) + 1
    codes, pair = np.unique(newest[context] * num_tokens + followers, return_inverse=True)
    pairs = list(zip((codes // num_tokens).tolist(), (codes % num_tokens).tolist(), strict=True))
    return _Known(
        contexts, occurrences.tolist(), pairs, context, pair, occurrences[context] * chances, num_tokens
    )


class _Teller:
    """Tokenises texts as in the middle of a text."""

    def __init__(self, target: Tokenizer, on_part: Callable[[], None]) -> None:
        self._target, self._on_part = target, on_part
        # some tokenizers put a space before a text; what is before it here is taken off again
        self._leads = dict(zip("\na", self._encoded(["\n", "a"]), strict=True))

    def ids_of(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of texts; none for half a character, or a start that merges with what is before."""
        found: list[list[int]] = []
        for start in range(0, len(texts), _BATCH):
            self._on_part()
            part = texts[start : start + _BATCH]
            before = ["\n" if text[:1].isalpha() else "a" for text in part]
            encoded = self._encoded([one + text for one, text in zip(before, part, strict=True)])
            for text, one, ids in zip(part, before, encoded, strict=True):
                lead = self._leads[one]
                is_whole = text and _HALF_CHARACTER not in text and ids[: len(lead)] == lead
                found.append(ids[len(lead) :] if is_whole else [])
        return found

    def _encoded(self, texts: list[str]) -> list[list[int]]:
        return [one.ids for one in self._target.encode_batch_fast(texts, add_special_tokens=False)]


class _Sums:
    """Occurrences of contexts and of what follows them, by the newest tokens of a context first."""

    def __init__(self) -> None:
        self._places: dict[tuple[int, ...], int] = {}
        self._times: list[float] = []
        self._follows: list[tuple[Ids, Ids, Sums]] = []

    def see(self, context: Sequence[int], times: float) -> int:
        """Count a context, and return its place."""
        place = self._places.setdefault(tuple(context[: -MAX_ORDER - 1 : -1]), len(self._times))
        if place == len(self._times):
            self._times.append(0.0)
        self._times[place] += times
        return place

    def follow(self, contexts: Ids, followers: Ids, times: Sums) -> None:
        """Count what follows contexts, given by their places."""
        self._follows.append((contexts, followers, times))

    def table(self) -> BackgroundTable | None:
        """Return the table; None if it would be empty."""
        for length in range(MAX_ORDER, 1, -1):  # a context is found through the shorter ones
            for key in [key for key in self._places if len(key) == length]:
                self.see(key[-2::-1], 0.0)
        contexts, followers, shares = self._likely()
        levels: list[Level] = []
        above: dict[tuple[int, ...], int] = {(): 0}
        for length in range(1, MAX_ORDER + 1):
            keys = sorted(key for key in self._places if len(key) == length)
            if not keys:
                break
            places = np.array([self._places[key] for key in keys], dtype=np.int64)
            starts, ends = (np.searchsorted(contexts, places, side) for side in ("left", "right"))
            counts = np.minimum(ends - starts, _FOLLOWERS[length - 1])
            first = np.cumsum(counts) - counts
            entries = np.arange(int(counts.sum())) + np.repeat(starts - first, counts)
            times = np.array([self._times[place] for place in places.tolist()])
            levels.append(
                Level(
                    tokens=np.array([key[-1] for key in keys], dtype=np.int64),
                    parents=np.array([above[key[:-1]] for key in keys], dtype=np.int64),
                    occurrences=np.minimum(np.round(times), MAX_OCCURRENCES).astype(np.uint8),
                    starts=np.append(0, np.cumsum(counts)),
                    followers=followers[entries],
                    steps=steps_of(shares[entries]),
                )
            )
            above = {key: place for place, key in enumerate(keys)}
        return BackgroundTable(levels) if levels else None

    def _likely(self) -> tuple[Ids, Ids, Sums]:
        """Return contexts, ascending, their likely followers, the likeliest first, and their shares."""
        if not self._follows:
            return np.array([], dtype=np.int64), np.array([], dtype=np.int64), np.array([])
        contexts, followers, times = (np.concatenate(parts) for parts in zip(*self._follows, strict=True))
        most = int(followers.max(initial=0)) + 1
        codes, place = np.unique(contexts * most + followers, return_inverse=True)
        times = np.bincount(place, times)
        contexts, followers = codes // most, codes % most
        of_context = np.array(self._times)[contexts]
        kept = (times >= _LEAST * of_context) & (of_context > 0)
        order = np.lexsort((followers[kept], -times[kept], contexts[kept]))
        shares = np.minimum(times[kept] / of_context[kept], 1.0)
        return contexts[kept][order], followers[kept][order], shares[order]
