"""A big book for figures about the window, and a model that writes at a pace of one's choice into it."""

from __future__ import annotations

import lzma
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from random import Random

from quire.domain.manuscript.chapter_splitting import MAX_CHARS, TextSection
from quire.domain.manuscript.tree import NodeKind
from quire_engine.api.config import ModelConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import (
    FinishReason,
    GenerationFinished,
    GenerationStarted,
    ModelLoaded,
    ReadingProgressed,
    StartGeneration,
    StepCompleted,
)
from quire_engine.api.model_identity import ModelIdentity
from quire_engine.metrics.word_count import count_words
from quire_engine.runtime.engine_thread import RunEvent, StartCommand
from quire_resources import SAMPLE_OPENING

LONG_TITLE = "The Long Chapter"
"""The last chapter: as long as a text of a book can be."""
_FEWEST, _MOST = 2_000, 4_000
_PLAIN = re.compile(r"[^*#_`<>\[\]\\|~^]+[.!?…”’\"']")
"""What every kind of file keeps as it is: a paragraph without anything that Markdown takes for a sign."""
_CHANGED_WORDS = 0.1
_CONTEXT = 16_384
_SENTENCES, _PARAGRAPHS = 12, 5


def book_pieces(num_words: int, texts: Path | None = None, seed: int = 1) -> tuple[TextSection, ...]:
    """Return chapters of 2,000 to 4,000 words, so many words in all, and a last one of 60,000 characters.

    texts: a folder with .txt or .txt.xz files whose paragraphs are taken; None: those of the sample, varied.
    """
    random = Random(seed)
    paragraphs = _varied(random) if texts is None else _paragraphs_in(texts)
    chapters = list(_chapters(paragraphs, num_words, random))
    text, length = "", min(MAX_CHARS, sum(len(chapter.text) for chapter in chapters) // 2)
    for paragraph in paragraphs:
        if len(text) + len(paragraph) + 2 + len(LONG_TITLE) + 2 > length and text:
            break
        text += f"{paragraph}\n\n"
    return (*chapters, _chapter(LONG_TITLE, text))


def words_of(pieces: Sequence[TextSection]) -> tuple[str, ...]:
    """Return the words of a book, for a model to write with."""
    return tuple(sorted({word for piece in pieces for word in re.findall(r"[a-z]{2,}", piece.text)}))


def _chapters(paragraphs: Iterator[str], num_words: int, random: Random) -> Iterator[TextSection]:
    for number in count(1):
        if num_words <= 0:
            return
        wanted = min(random.randint(_FEWEST, _MOST), num_words)
        taken, num_taken = list[str](), 0
        while num_taken < wanted:
            paragraph = next(paragraphs, None)
            if paragraph is None:
                raise EnvironmentProblem("There are too few words in these texts. Give more of them.")
            taken.append(paragraph)
            num_taken += count_words(paragraph)
        num_words -= num_taken
        yield _chapter(f"Chapter {number}", "".join(f"{paragraph}\n\n" for paragraph in taken))


def _chapter(title: str, text: str) -> TextSection:
    heading = f"# {title}\n\n"
    return TextSection(NodeKind.CHAPTER, title, heading, heading + text)


def _varied(random: Random) -> Iterator[str]:
    """Yield the paragraphs of the sample for ever, with some words in the place of others."""
    paragraphs = list(_plain(SAMPLE_OPENING.read_text(encoding="utf-8").split("\n\n")))
    words = sorted({word for paragraph in paragraphs for word in re.findall(r"\b[a-z]{4,}\b", paragraph)})

    def other(match: re.Match[str]) -> str:
        return random.choice(words) if random.random() < _CHANGED_WORDS else match.group()

    while True:
        yield re.sub(r"\b[a-z]{4,}\b", other, random.choice(paragraphs))


def _paragraphs_in(folder: Path) -> Iterator[str]:
    paths = sorted(chain(folder.glob("*.txt"), folder.glob("*.txt.xz")))
    if not paths:
        raise EnvironmentProblem(f"There are no .txt files in {folder}. Give another folder.")
    for path in paths:
        content = path.read_bytes()
        text = (lzma.decompress(content) if path.suffix == ".xz" else content).decode("utf-8", "replace")
        yield from _plain(re.split(r"\n\s*\n", text))


def _plain(paragraphs: Iterable[str]) -> Iterator[str]:
    for paragraph in paragraphs:
        line = " ".join(paragraph.split())
        if _PLAIN.fullmatch(line) and count_words(line) > 4:
            yield line


class PacedBackend:
    """A Backend that writes words at a pace, in no order that makes sense; a token is a word.

    tokens_per_s: may be changed at any time; 0: as fast as they are taken. vocabulary: what it writes with.
    num_chars: what it has written.
    """

    def __init__(self, vocabulary: Sequence[str], tokens_per_s: float = 300.0) -> None:
        self.tokens_per_s = tokens_per_s
        self.num_chars = 0
        self._vocabulary = vocabulary
        self._identity = ModelIdentity("paced", "f" * 64, "float32", 8, "figures")

    def load(self, config: ModelConfig) -> ModelLoaded:
        """Describe the model."""
        dtype = self._identity.dtype if config.dtype == "auto" else config.dtype
        return ModelLoaded(replace(self._identity, dtype=dtype), _CONTEXT, 1, reproducible=True, load_s=0.0)

    def unload(self) -> None:
        """Nothing is held."""

    def run(self, command: StartCommand) -> Iterator[RunEvent]:
        """Write words up to the goal, and on to the end of a sentence."""
        if isinstance(command, StartGeneration):
            length = len(command.prompt_text) // 4
            prompt = tuple(range(min(length, _CONTEXT)))
            yield GenerationStarted(command.run_id, prompt, 0)
            num_tokens = 0
        else:
            prompt, num_tokens = command.prompt_ids, len(command.generated_ids)
        yield ReadingProgressed(command.run_id, len(prompt), len(prompt))
        random = Random(command.sampling.seed + num_tokens)
        due, ends = time.perf_counter(), num_tokens % _SENTENCES == 0
        while command.goal.words is None or num_tokens < command.goal.words or not ends:
            due = self._wait(due)
            num_tokens += 1
            ends = num_tokens % _SENTENCES == 0
            text = self._word(random, num_tokens)
            self.num_chars += len(text)
            yield StepCompleted(command.run_id, (num_tokens,), text, num_tokens, 0, 0, 1.0, 0.5)
        yield GenerationFinished(command.run_id, num_tokens, FinishReason.GOAL)

    def _wait(self, due: float) -> float:
        """Wait until the next token is due; return when that was, or now where it is late by a second."""
        if not self.tokens_per_s:
            return time.perf_counter()
        due += 1 / self.tokens_per_s
        left = due - time.perf_counter()
        if left > 0:
            time.sleep(left)
        return due if left > -1 else time.perf_counter()

    def _word(self, random: Random, number: int) -> str:
        word = self._vocabulary[random.randrange(len(self._vocabulary))]
        place = (number - 1) % _SENTENCES
        if place == 0:
            word = word.capitalize()
            begins = (number - 1) % (_SENTENCES * _PARAGRAPHS) == 0
            return word if begins and number > 1 else f" {word}"
        if place == _SENTENCES - 1:
            return f" {word}.\n\n" if number % (_SENTENCES * _PARAGRAPHS) == 0 else f" {word}."
        return f" {word}"
