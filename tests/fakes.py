"""Stand-ins for the expensive parts. Fakes, not mocks: each is a small true implementation."""

from __future__ import annotations

import asyncio
import codecs
import os
import re
import sys
import threading
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from sqlite3 import Connection

from quire.domain.drafting.draft_status import DraftProgress, DraftState, DraftStatus
from quire.domain.drafting.run import Chunk, Run, RunState
from quire_engine.api.config import Goal, ModelConfig, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import (
    CacheKept,
    CacheNotKept,
    FinishReason,
    GenerationFinished,
    GenerationStarted,
    KeepCache,
    ModelLoaded,
    ReadingProgressed,
    ResumeGeneration,
    StartGeneration,
    StepCompleted,
)
from quire_engine.api.model_identity import ModelIdentity
from quire_engine.api.sampling_scale import SamplingScale
from quire_engine.runtime.engine_thread import RunEvent, StartCommand
from quire_resources import BUILT_IN_MODEL

IDENTITY = ModelIdentity("scripted", "f" * 64, "float32", 8, "test")
WORDS = ("the", "ferry", "crossed", "a", "black", "river", "while", "nobody", "sang", "and", "every", "lamp")
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
"""For another Python process that shall import what this one can."""
_PATIENCE_S = 100
_NOBODY = 65534


def _ignore(_: object = None) -> None: ...


class ScriptedBackend:
    """A Backend whose every token follows from the seed, the prompt and all tokens before it.

    So a lost, doubled or reordered token changes everything after it. One token is one word; a run ends
    with a sentence, as in the real engine.

    gated: waits before every step until the test releases gate; asked is released when it waits.
    load_gate: load() waits for it. fail_at, end_at: tokens after which the run fails or the text ends.
    reads_again_at: tokens after which the context has rolled over and is read again.
    padding: characters added to every word, to fill a disk. paragraphs: every sentence ends one; chapters:
    some end a chapter. before: called before every piece of work with its name: load, tokenise, read,
    forward;
    it may wait, or raise.
    """

    def __init__(
        self,
        *,
        gated: bool = False,
        load_gate: threading.Event | None = None,
        load_problem: str = "",
        fail_at: int | None = None,
        end_at: int | None = None,
        reads_again_at: int | None = None,
        context_length: int = 100_000,
        padding: int = 0,
        paragraphs: bool = False,
        chapters: bool = False,
        identity: ModelIdentity = IDENTITY,
        reproducible: bool = True,
        cache_bytes_per_token: int = 0,
        scale: SamplingScale | None = None,
        before: Callable[[str], None] = _ignore,
    ) -> None:
        self.gated = gated
        self.asked, self.gate = threading.Semaphore(0), threading.Semaphore(0)
        self.load_gate = load_gate
        self.load_problem = load_problem
        self.fail_at = fail_at
        self.end_at = end_at
        self.reads_again_at = reads_again_at
        self.context_length = context_length
        self.padding = padding
        self.paragraphs, self.chapters = paragraphs, chapters
        self.identity = identity
        self.reproducible = reproducible
        self.cache_bytes_per_token, self.scale = cache_bytes_per_token, scale
        self._before = before
        self.num_unloads = 0
        self.configs: list[ModelConfig] = []
        self.begins: list[StartCommand] = []

    def load(self, config: ModelConfig) -> ModelLoaded:
        self.configs.append(config)
        self._before("load")
        if self.load_gate is not None and not self.load_gate.wait(_PATIENCE_S):
            raise TimeoutError("the test never let the model load")
        if self.load_problem:
            raise EnvironmentProblem(self.load_problem)
        dtype = self.identity.dtype if config.dtype == "auto" else config.dtype
        identity = replace(self.identity, dtype=dtype, width=config.width)
        if config.folder == str(BUILT_IN_MODEL):  # named as the engine names it
            identity = replace(identity, name=BUILT_IN_MODEL.name)
        loaded = ModelLoaded(identity, self.context_length, 1, self.reproducible, load_s=0.0)
        return replace(loaded, cache_bytes_per_token=self.cache_bytes_per_token, scale=self.scale)

    def keep_cache(self, command: KeepCache) -> CacheKept | CacheNotKept:
        if not self.begins or self.begins[-1].run_id != command.run_id:
            return CacheNotKept(command.run_id, "The model is no longer loaded, so there is nothing to save.")
        try:
            size = Path(command.path).write_bytes(b"quire cache 1")
        except OSError as error:
            return CacheNotKept(command.run_id, f"It could not be saved: {error.strerror}.")
        return CacheKept(command.run_id, command.path, size)

    def unload(self) -> None:
        self.num_unloads += 1

    def run(self, command: StartCommand) -> Iterator[RunEvent]:
        self.begins.append(command)
        if isinstance(command, StartGeneration):
            self._before("tokenise")
            prompt_ids, num_left_out = self._prompt(command)
            ids: tuple[int, ...] = ()
        else:
            prompt_ids, ids, num_left_out = command.prompt_ids, command.generated_ids, 0
        after_return = bool(ids) and self._word(ids[-1]).endswith("\r")
        yield GenerationStarted(command.run_id, prompt_ids, num_left_out, after_return=after_return)
        self._before("read")
        yield ReadingProgressed(command.run_id, len(prompt_ids), len(prompt_ids))
        while not self._at_goal(command, ids) and len(ids) != self.end_at:
            if len(ids) == self.fail_at:
                raise EnvironmentProblem("The model ran out of memory. Close other programs and try again.")
            if len(ids) == self.reads_again_at:
                yield ReadingProgressed(command.run_id, 1, 2)
            self._before("forward")
            self._wait_at_gate()
            new = self._next(command.sampling.seed, prompt_ids, ids)
            ids = (*ids, new)
            yield StepCompleted(command.run_id, (new,), self._word(new), len(ids), 0, 0, 1.0, 0.5)
        reason = FinishReason.END_OF_TEXT if len(ids) == self.end_at else FinishReason.GOAL
        yield GenerationFinished(command.run_id, len(ids), reason)

    def text_of(self, opening: str, seed: int, num_words: int) -> str:
        """What an uninterrupted run writes after an opening."""
        prompt_ids = tuple(opening.encode())
        ids: tuple[int, ...] = ()
        command = ResumeGeneration(0, (), (), SamplingConfig(seed=seed), Goal(words=num_words))
        while not self._at_goal(command, ids):
            ids = (*ids, self._next(seed, prompt_ids, ids))
        return "".join(self._word(new) for new in ids)

    def _prompt(self, command: StartGeneration) -> tuple[tuple[int, ...], int]:
        ids = tuple(command.prompt_text.encode())
        num_left_out = max(0, len(ids) - self.context_length)
        if num_left_out and not command.read_tail:
            raise EnvironmentProblem(
                "The text is longer than the model can hold. Let it read the newest part."
            )
        return ids[num_left_out:], num_left_out

    def _wait_at_gate(self) -> None:
        if self.gated:
            self.asked.release()
            if not self.gate.acquire(timeout=_PATIENCE_S):
                raise TimeoutError("the test never opened the gate")

    def _at_goal(self, command: StartCommand, ids: tuple[int, ...]) -> bool:
        goal = command.goal
        if goal.words is None or len(ids) < goal.words:
            return False
        return "." in self._word(ids[-1]) or len(ids) >= goal.words + goal.sentence_slack

    def _next(self, seed: int, prompt_ids: tuple[int, ...], ids: tuple[int, ...]) -> int:
        return zlib.crc32(repr((seed, prompt_ids, ids)).encode())

    def _word(self, token_id: int) -> str:
        word = f" {WORDS[token_id % len(WORDS)]}{'m' * self.padding}"
        if token_id % 7:
            return word
        if self.chapters and token_id % 5 == 0:
            return f"{word}.\n\nCHAPTER {1 + token_id % 30}\n\n"
        return f"{word}.\n\n" if self.paragraphs or self.chapters else f"{word}."


def unnumbered(text: str) -> str:
    """Return what a ScriptedBackend wrote without the numbers of its chapters, which Quire replaces."""
    return re.sub("CHAPTER [0-9A-Z]+", "CHAPTER", text)


class ChapterBackend(ScriptedBackend):
    """Writes one heading, with a single paragraph of sentences before and after it, whatever the seed."""

    HEADING_AT, WORDS_IN_SENTENCE = 100, 10
    _HEADING, _STOP = 1, 2

    def _next(self, seed: int, prompt_ids: tuple[int, ...], ids: tuple[int, ...]) -> int:
        if len(ids) == self.HEADING_AT:
            return self._HEADING
        is_last = len(ids) % self.WORDS_IN_SENTENCE == self.WORDS_IN_SENTENCE - 1
        return self._STOP if is_last else 3 + len(ids)

    def _word(self, token_id: int) -> str:
        if token_id == self._HEADING:
            return "\n\nCHAPTER II\n\n"
        return " sang." if token_id == self._STOP else f" {WORDS[token_id % len(WORDS)]}"


class GatedStore:
    """A ProjectSession of one run whose commits wait until the test lets each of them succeed or fail."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.waiting: deque[asyncio.Future[None]] = deque()
        self.stored: list[int] = []
        self.num_commits = 0

    def let_through(self, error: Exception | None = None) -> None:
        """Let the commit that waits, if any, succeed or fail."""
        if self.waiting:
            commit = self.waiting.popleft()
            commit.set_result(None) if error is None else commit.set_exception(error)

    async def save_prompt(self, started: GenerationStarted) -> None: ...

    async def append(self, run_id: int, chunk: Chunk) -> None:
        assert run_id == self.run.run_id
        assert not self.waiting, "two commits at a time"
        commit = asyncio.get_running_loop().create_future()
        self.waiting.append(commit)
        await commit
        self._store(chunk)

    async def end_run(
        self,
        run_id: int,
        state: RunState,
        chunk: Chunk | None = None,
        *,
        reason: FinishReason | None = None,
        error: str = "",
    ) -> Run:
        assert run_id == self.run.run_id
        assert not self.waiting, "two commits at a time"
        self._store(chunk)
        return self.run.moved_to(state, reason=reason, error=error)

    def _store(self, chunk: Chunk | None) -> None:
        if chunk is not None:
            self.stored += chunk.token_ids
            self.run = self.run.grown_by(chunk)
            assert chunk.num_words == len(self.stored)
            assert chunk.num_steps == len(chunk.steps) == len(chunk.token_ids)
        self.num_commits += 1


class Watcher:
    """A DraftObserver that keeps what it saw. on_saved: called after each commit."""

    def __init__(self, on_saved: Callable[[], None] = _ignore) -> None:
        self._on_saved = on_saved
        self.statuses: list[DraftStatus] = []
        self.texts: list[str] = []
        self.progress: list[DraftProgress] = []
        self.num_saved = 0
        self._seen = asyncio.Event()

    @property
    def text(self) -> str:
        return "".join(self.texts)

    @property
    def sentence(self) -> str:
        """What was said last."""
        return next((status.sentence for status in reversed(self.statuses) if status.sentence), "")

    @property
    def states(self) -> list[DraftState]:
        """The states, without repetitions."""
        states = [status.state for status in self.statuses]
        return [state for state, before in zip(states, [None, *states], strict=False) if state is not before]

    def status_changed(self, status: DraftStatus) -> None:
        self.statuses.append(status)
        self._seen.set()

    def text_drafted(self, text: str) -> None:
        self.texts.append(text)
        self._seen.set()

    def progressed(self, progress: DraftProgress) -> None:
        self.progress.append(progress)
        self._seen.set()

    def saved(self) -> None:
        self.num_saved += 1
        self._on_saved()
        self._seen.set()

    async def until(self, happened: Callable[[], object]) -> None:
        """Wait until something is true; it is asked again after everything that is seen."""
        while not happened():
            self._seen.clear()
            await self._seen.wait()


class Disk:
    """Makes SQLite itself report a full disk, by a limit on the pages of the file opened last to write."""

    def __init__(self) -> None:
        self._connection: Connection | None = None
        self._full = False

    @property
    def connection(self) -> Connection:
        """The connection that was opened last."""
        assert self._connection is not None
        return self._connection

    def connected(self, connection: Connection, _record: object) -> None:
        if connection.execute("PRAGMA query_only").fetchone() == (1,):
            return
        self._connection = connection
        if self._full:
            self.fill()

    def fill(self) -> None:
        """Leave no room for another page."""
        self._full = True
        if self._connection is not None:
            self._connection.execute("PRAGMA max_page_count = 1")

    def repair(self) -> None:
        """Leave room in the files that will be opened."""
        self._full = False

    def make_room(self) -> None:
        """Leave room again."""
        self._full = False
        self.connection.execute("PRAGMA max_page_count = 1000000")

    def pragmas(self, *names: str) -> dict[str, object]:
        """Return settings of the connection."""
        return {name: self.connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names}

    def count(self, table: str) -> int:
        """Return the committed rows of a table."""
        return int(self.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    def patience(self, milliseconds: int) -> None:
        """Wait only so long for another program."""
        self.connection.execute(f"PRAGMA busy_timeout = {milliseconds}")


class ReadOnly:
    """A folder that the test can make read-only for the length of a block."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def now(self, *, folder_too: bool = True) -> Iterator[None]:
        """Nobody may write to the files, or into the folder; root gives up its privileges meanwhile."""
        for file in self.folder.iterdir():
            file.chmod(0o444)
        if folder_too:
            self.folder.chmod(0o555)
        root = os.geteuid() == 0
        if root:
            codecs.lookup("utf-8-sig")  # imported when first used, from where nobody may be unable to read
            os.seteuid(_NOBODY)
        try:
            yield
        finally:
            if root:
                os.seteuid(0)
            self.folder.chmod(0o777)
            for file in self.folder.iterdir():
                file.chmod(0o644)
