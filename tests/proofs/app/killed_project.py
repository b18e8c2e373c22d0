"""A project as a killed process leaves it: its file, its log, and the record of what was saved."""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.manuscript.backup_rotation import Reason
from quire.domain.manuscript.manuscript import Document, Project
from quire.services.transactions import project_text
from quire.storage.project_file import ProjectFile, create_project_file, open_project_file
from quire_engine.api.config import SamplingConfig
from quire_engine.api.model_identity import ModelIdentity

NAME = "proof.quire"
LEFT_BEHIND = ("", "-wal", "-shm")
_MODEL = ModelIdentity("proof", "f" * 64, "bfloat16", 8, "none", "t" * 64, 16_384, "newest half")
_WORDS = [
    "the",
    "ferry",
    "came",
    "late",
    "and",
    "nobody",
    "was",
    "on",
    "it",
    "but",
    "Mara",
    "who",
    "laughed",
    "at",
    "water",
    "and",
    "low",
    "tide",
]


@dataclass(frozen=True, slots=True)
class KilledProject:
    """What is left.

    Attributes:
        folder: with the files under NAME.
        texts: what the project held after each commit, the last one last.
        closed: a copy of the file before it was opened for the last time, and what that held.
        backup: one that was made meanwhile, and what it held.
    """

    folder: Path
    texts: tuple[str, ...]
    closed: tuple[Path, str]
    backup: tuple[Path, str]

    @property
    def path(self) -> Path:
        """The project's file."""
        return self.folder / NAME

    def copied(self, folder: Path) -> Path:
        """Copy what is left into a folder, and return the path of the file there."""
        folder.mkdir(parents=True, exist_ok=True)
        for found in self.folder.iterdir():
            if found.is_file():
                shutil.copyfile(found, folder / found.name)
        return folder / NAME


def prose(rng: random.Random, num_words: int) -> str:
    """Return some words that look like a sentence."""
    return " ".join(rng.choice(_WORDS) for _ in range(num_words)).capitalize() + ". "


def killed(folder: Path, rng: random.Random, commits: int) -> KilledProject:
    """Make a project, work on it twice, and leave it as a kill in the second session does."""
    at_work, left = folder / "work", folder / "left"
    at_work.mkdir(parents=True)
    left.mkdir()
    path = at_work / NAME
    opening = prose(rng, rng.randint(5, 400))
    create_project_file(
        path, Project("Proof", datetime(2026, 1, 1, tzinfo=UTC)), Document(1, "Proof", opening)
    )
    text = _first_session(path, opening, rng)
    closed = folder / "closed.quire"
    shutil.copyfile(path, closed)
    file = open_project_file(path)
    try:
        project_text.open_and_recover(file)
        session = _Session(file, text, rng)
        for _ in range(commits // 2):
            session.commit()
        made, backup = file.back_up(Reason.ASKED), session.texts[-1]
        assert made is not None
        for _ in range(commits - commits // 2):
            session.commit()
        _copy(at_work, left)
        kept = folder / "backup.quire"
        shutil.copyfile(made, kept)
    finally:
        file.close()
    return KilledProject(left, tuple(session.texts), (closed, text), (kept, backup))


def _first_session(path: Path, opening: str, rng: random.Random) -> str:
    file = open_project_file(path)
    try:
        session = _Session(file, opening, rng)
        for _ in range(rng.randint(0, 3)):
            session.commit()
        return session.texts[-1]
    finally:
        file.close()


def _copy(source: Path, target: Path) -> None:
    for found in source.iterdir():
        if found.is_file() and not found.name.endswith((".lock", ".spare")):
            shutil.copyfile(found, target / found.name)


class _Session:
    """Commits of a writer and of a draft, by turns."""

    def __init__(self, file: ProjectFile, text: str, rng: random.Random) -> None:
        self._file, self._rng = file, rng
        self._run: Run | None = None
        self._num_runs = len(project_text.read(file).runs)
        self.texts = [text]

    def commit(self) -> None:
        """Make one commit."""
        if self._run is not None and self._rng.random() < 0.1:
            project_text.merge_drafted_text(self._file, self._run.moved_to(RunState.PAUSED), None)
            self._run = None
            self.texts.append(self.texts[-1])
        elif self._run is not None:
            self._append(self._run)
        elif self._rng.random() < 0.3:
            self._begin()
        else:
            text = self.texts[-1] + prose(self._rng, self._rng.choice((1, 5, 30, 200)))
            project_text.save_text(self._file, 1, text)
            self.texts.append(text)

    def _begin(self) -> None:
        self._num_runs += 1
        run = Run(self._num_runs, 1, SamplingConfig(seed=self._num_runs), 500, "b", "b", model=_MODEL)
        run = project_text.begin_run(self._file, run.moved_to(RunState.RUNNING))
        self.texts.append(self.texts[-1])
        run = replace(run, num_prompt=40)
        project_text.save_prompt(self._file, run, tuple(range(40)))
        self.texts.append(self.texts[-1])
        self._run = run

    def _append(self, run: Run) -> None:
        text = prose(self._rng, self._rng.randint(1, 12))
        words = len(text.split())
        chunk = Chunk(tuple(range(words)), text, run.num_words + words, 1, 5.0)
        self._run = run.grown_by(chunk)
        project_text.append(self._file, self._run, chunk)
        self.texts.append(self.texts[-1] + text)


def text_of(path: Path) -> tuple[str, ProjectFile]:
    """Open a project as the app does; return its text, and the file, which the caller closes."""
    file = open_project_file(path)
    try:
        return project_text.open_and_recover(file).document.text, file
    except BaseException:
        file.close()
        raise


def names_like(folder: Path, kinds: Sequence[str]) -> list[Path]:
    """Return the logs that were put aside."""
    return sorted(
        found
        for found in folder.iterdir()
        if found.suffix == ".quire-log" and any(f"({kind} " in found.name for kind in kinds)
    )
