"""Random work on a project file, killed and opened again at any moment, against a model in memory.

A new thing that the store can do is one more rule; a rule changes the model and the project in the same way,
and `as_the_model_says` compares them after every rule. Hypothesis belongs to the tests' requirements: where
it is not installed this module cannot be imported.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.manuscript.backup_rotation import Reason
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.project_records import SnapshotReason
from quire.services.transactions import maintenance, project_text, take_changes, take_queries
from quire.services.transactions.closed_projects import read_project
from quire.storage.project_file import ProjectFile, create_project_file, last_good_backup, open_project_file
from quire_engine.api.config import SamplingConfig
from quire_engine.api.messages import FinishReason
from tests.proofs.app.outcome import CheckResult

NAME = "proof.quire"
OPENING = "It was a dark night."
_LEFT_BY_A_KILL = ("", "-wal", "-journal")
_TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40)
_IDS = st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=6)


@dataclass(slots=True)
class Model:
    """What the project must hold. unfolded: what the run that goes on has stored beside the text."""

    text: str = OPENING
    ids: dict[int, tuple[int, ...]] = field(default_factory=dict)
    states: dict[int, RunState] = field(default_factory=dict)
    unfolded: str = ""
    snapshots: dict[int, str] = field(default_factory=dict)

    @property
    def running(self) -> int | None:
        """The run that writes, if one does."""
        return next((run for run, state in self.states.items() if state is RunState.RUNNING), None)


class StoreMachine(RuleBasedStateMachine):
    """Works on one project file. Reaching into a rule's past is Hypothesis's work: it shrinks what fails."""

    def __init__(self) -> None:
        super().__init__()
        self._root = Path(tempfile.mkdtemp(prefix="quire-store-"))
        self._folder = self._root / "0"
        self._num_kills = 0
        self._file: ProjectFile | None = None
        self.model = Model()

    @property
    def path(self) -> Path:
        """Where the project lies now."""
        return self._folder / NAME

    @property
    def file(self) -> ProjectFile:
        """The open project."""
        assert self._file is not None
        return self._file

    @property
    def is_open(self) -> bool:
        """Whether the project is open."""
        return self._file is not None

    def teardown(self) -> None:
        """Leave nothing behind."""
        if self._file is not None:
            self._file.close()
        shutil.rmtree(self._root)

    @initialize()
    def create(self) -> None:
        """Make the project and open it."""
        self._folder.mkdir()
        project = Project("Proof", datetime(2026, 1, 1, tzinfo=UTC))
        create_project_file(self.path, project, Document(1, "Proof", OPENING))
        self._open()

    # ------------------------------------------------------------ opening and ending
    @precondition(lambda self: not self.is_open)
    @rule()
    def open_again(self) -> None:
        """Open the project."""
        self._open()

    @precondition(lambda self: self.is_open)
    @rule(tidied=st.booleans())
    def close(self, tidied: bool) -> None:
        """Close the project as the session does; a run that goes on is left to be recovered."""
        if tidied:
            maintenance.tidy(self.file)
        self.file.close()
        self._file = None

    @precondition(lambda self: self.is_open)
    @rule()
    def kill(self) -> None:
        """Go on with what a kill would leave: the files as they are, never closed."""
        self._num_kills += 1
        folder = self._root / str(self._num_kills)
        folder.mkdir()
        for suffix in _LEFT_BY_A_KILL:
            if (left := self.path.with_name(NAME + suffix)).exists():
                shutil.copyfile(left, folder / left.name)
        self.file.close()
        self._file, self._folder = None, folder

    def _open(self) -> None:
        self._file = open_project_file(self.path)
        opened = project_text.open_and_recover(self._file)
        self._end(RunState.PAUSED)
        assert opened.document.text == self.model.text

    # ------------------------------------------------------------ writing
    @precondition(lambda self: self.is_open and self.model.running is None)
    @rule(text=_TEXTS, whole=st.booleans())
    def save_text(self, text: str, whole: bool) -> None:
        """Store a text that the writer changed."""
        self.model.text = text if whole else self.model.text + text
        project_text.save_text(self.file, 1, self.model.text)

    @precondition(lambda self: self.is_open)
    @rule()
    def keep_snapshot(self) -> None:
        """Keep the text as it is."""
        snapshot = take_changes.keep_snapshot(self.file, "Proof", SnapshotReason.BY_HAND)
        self.model.snapshots[snapshot.snapshot_id] = self.model.text

    @precondition(lambda self: self.is_open and self.model.snapshots and self.model.running is None)
    @rule(data=st.data())
    def restore_text(self, data: st.DataObject) -> None:
        """Go back to a text that was kept."""
        number = data.draw(st.sampled_from(sorted(self.model.snapshots)), "snapshot")
        take_changes.restore_text(self.file, number, 1)
        self.model.text = self.model.snapshots[number]

    @precondition(lambda self: self.is_open and self.model.running is None)
    @rule(share=st.floats(0, 1), back=st.booleans())
    def branch(self, share: float, back: bool) -> None:
        """Begin another continuation; perhaps think better of it, and have the old one stand again."""
        place, before = int(share * len(self.model.text)), self.model.text
        known = {take.take_id for take in take_changes.takes_of(self.file, 1).all if not take.stands}
        take_changes.branch(self.file, 1, place)
        self.model.text = before[:place]
        aside = [take for take in take_changes.takes_of(self.file, 1).all if not take.stands]
        new = [take.take_id for take in aside if take.take_id not in known]
        if back and new and before[place:]:
            assert any(take_queries.source_of_take(self.file, one).document.text == before for one in new)
            one = next(
                one for one in new if take_queries.source_of_take(self.file, one).document.text == before
            )
            take_changes.choose(self.file, one)
            self.model.text = before

    @precondition(lambda self: self.is_open)
    @rule()
    def back_up(self) -> None:
        """Make a backup, which holds what the project holds."""
        made = self.file.back_up(Reason.ASKED)
        assert made is not None
        assert read_project(made).text == self.model.text + self.model.unfolded
        good = last_good_backup(self.path)
        assert good is not None
        assert good.path == made

    # ------------------------------------------------------------ drafting
    @precondition(lambda self: self.is_open and self.model.running is None)
    @rule(steps=st.lists(st.tuples(_IDS, _TEXTS), max_size=3))
    def begin_run(self, steps: list[tuple[list[int], str]]) -> None:
        """Begin a run on the text, perhaps with its first steps."""
        number = len(self.model.ids) + 1
        run = Run(number, 1, SamplingConfig(seed=number), 50, "before", "before")
        run = project_text.begin_run(self.file, run.moved_to(RunState.RUNNING))
        project_text.save_prompt(self.file, replace(run, num_prompt=3), (1, 2, 3))
        self.model.ids[number], self.model.states[number] = (), RunState.RUNNING
        for ids, text in steps:
            self._append(ids, text)

    @precondition(lambda self: self.is_open and self.model.running is None and self.model.ids)
    @rule()
    def resume(self) -> None:
        """Go on with the newest run."""
        number = max(self.model.ids)
        project_text.save_run(self.file, self._run(number).moved_to(RunState.RUNNING))
        self.model.states[number] = RunState.RUNNING

    @precondition(lambda self: self.is_open and self.model.running is not None)
    @rule(ids=_IDS, text=_TEXTS)
    def append(self, ids: list[int], text: str) -> None:
        """Store some steps."""
        self._append(ids, text)

    def _append(self, ids: list[int], text: str) -> None:
        run, chunk = self._grown(ids, text)
        project_text.append(self.file, run, chunk)
        self._take(run.run_id, chunk)

    @precondition(lambda self: self.is_open and self.model.running is not None)
    @rule(
        state=st.sampled_from([RunState.PAUSED, RunState.FINISHED, RunState.FAILED]),
        ids=st.none() | _IDS,
        text=_TEXTS,
    )
    def end_run(self, state: RunState, ids: list[int] | None, text: str) -> None:
        """End the run, perhaps with its last steps."""
        number = self.model.running
        assert number is not None
        run, chunk = (self._run(number), None) if ids is None else self._grown(ids, text)
        reason = FinishReason.GOAL if state is RunState.FINISHED else None
        project_text.merge_drafted_text(self.file, run.moved_to(state, reason=reason), chunk)
        if chunk is not None:
            self._take(number, chunk)
        self._end(state)

    def _run(self, number: int) -> Run:
        with self.file.reading() as unit:
            return next(run for run in unit.runs.all() if run.run_id == number)

    def _grown(self, ids: list[int], text: str) -> tuple[Run, Chunk]:
        assert self.model.running is not None
        run = self._run(self.model.running)
        chunk = Chunk(tuple(ids), text, run.num_words + len(ids), 1, 1.0)
        return run.grown_by(chunk), chunk

    def _take(self, number: int, chunk: Chunk) -> None:
        self.model.ids[number] += chunk.token_ids
        self.model.unfolded += chunk.text

    def _end(self, state: RunState) -> None:
        if (number := self.model.running) is not None:
            self.model.states[number] = state
        self.model.text += self.model.unfolded
        self.model.unfolded = ""

    # ------------------------------------------------------------ what must be so
    @invariant()
    def as_the_model_says(self) -> None:
        """Compare text, tokens, states and snapshots."""
        if self._file is None:
            return
        model = self.model
        with self._file.reading() as unit:
            assert unit.manuscript.document(1).text == model.text
            runs = unit.runs.all()
            assert {run.run_id: run.state for run in runs} == model.states
            assert {run.run_id: unit.runs.token_ids(run.run_id) for run in runs} == model.ids
            for number, text in model.snapshots.items():
                assert [one.text for one in unit.snapshots.documents(number)] == [text]


def machine_cases(
    first_seed: int, examples: int, steps: int, *, shrink: bool = True
) -> Iterator[CheckResult]:
    """Run so many examples of so many steps; the first one that fails is told with its steps.

    shrink: look for the shortest example that fails, which takes a while.
    """

    class Seeded(StoreMachine):
        pass

    chosen = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        print_blob=False,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
    )
    try:
        run_state_machine_as_test(seed(first_seed)(Seeded), settings=chosen)
    except Exception as error:  # noqa: BLE001  that is what is looked for
        yield CheckResult(f"{steps} steps", "\n".join([repr(error), *getattr(error, "__notes__", ())]))
        return
    for _ in range(examples):
        yield CheckResult(f"{steps} steps")
