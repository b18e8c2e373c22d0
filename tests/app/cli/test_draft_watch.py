"""`quire draft` pauses a draft that loops, as the window does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from quire.cli import main
from quire_engine.api.messages import StepCompleted
from quire_engine.runtime.engine_thread import RunEvent, StartCommand
from tests.app.commands import OPENING, Say
from tests.fakes import ScriptedBackend

GOAL = 20_000
"""Words that no draft has written when the second of them is shown."""
PERIOD = 12
_MARKS = "….,;:!?–"


class Looping(ScriptedBackend):
    """Writes a hundred words, then the same twelve again and again."""

    def _next(self, seed: int, prompt_ids: tuple[int, ...], ids: tuple[int, ...]) -> int:
        place = len(ids) if len(ids) < 100 else 100 + len(ids) % PERIOD
        return super()._next(seed, (), (place,))


class Wordless(ScriptedBackend):
    """Writes a hundred words, then marks that are none, and repeat nothing: they are no loop."""

    def run(self, command: StartCommand) -> Iterator[RunEvent]:
        for event in super().run(command):
            if isinstance(event, StepCompleted) and event.num_words > 100:
                event = replace(event, text=f" {_MARKS[event.token_ids[0] % len(_MARKS)]}", num_words=100)
            yield event


def words_of(project: Path, say: Say) -> int:
    return int(json.loads(say("info", project, "--json").out)["words"]) - len(OPENING.split())


@pytest.mark.parametrize(
    ("backend", "sentence"), [(Looping, "passages are the same."), (Wordless, "has stopped producing words")]
)
def test_a_draft_that_loops_pauses_with_a_sentence_and_a_code_of_its_own(
    project: Path, say: Say, backend: type[ScriptedBackend], sentence: str
) -> None:
    said = say("draft", project, "--words", GOAL, "--seed", 7, backend=backend())
    assert said.code == main.LOOPED == 3
    assert said.err.count(sentence) == 1
    last = said.err.splitlines()[-1]
    assert last.startswith("Paused run 1, seed 7: ")
    assert "Run the same command to continue all the same" in last
    (run,) = json.loads(say("info", project, "--json").out)["runs"]
    assert run["state"] == "paused"
    assert 100 <= run["words"] < GOAL


def test_the_same_command_continues_it_to_the_words_of_an_uninterrupted_draft(
    project: Path, say: Say, tmp_path: Path, opening: Path
) -> None:
    command = ("--words", 3_000, "--seed", 7)
    assert say("draft", project, *command, backend=Looping()).code == main.LOOPED
    assert say("draft", project, *command, backend=Looping()).code == 0
    whole = tmp_path / "whole.quire"
    say("new", whole, "--opening", opening)
    said = say("draft", whole, *command, "--ignore-loops", backend=Looping())
    assert (said.code, "passages are the same." in said.err) == (0, True)
    assert say("text", project).out == say("text", whole).out
    assert words_of(whole, say) >= 3_000


def test_a_draft_that_varies_is_not_paused(project: Path, say: Say) -> None:
    said = say("draft", project, "--words", 1_000, "--seed", 7)
    assert said.code == 0
    assert "Paused" not in said.err
