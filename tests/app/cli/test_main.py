from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from quire import __version__
from quire.cli import main
from quire.services.drafting.steering_service import SteeringBook
from quire.services.project.project_session import ProjectSession
from quire.storage.tables import SCHEMA_VERSION
from quire_engine.api.config import ModelConfig, SamplingConfig, number_format
from quire_engine.api.messages import ModelLoaded, ResumeGeneration, StartGeneration, StepCompleted
from quire_engine.runtime.engine_thread import RunEvent, StartCommand
from quire_resources import BUILT_IN_MODEL
from tests.app.commands import OPENING, Say, refused
from tests.fakes import ENVIRONMENT, Disk, ScriptedBackend


def test_draft_writes_stores_and_says_how_far_it_is(project: Path, say: Say) -> None:
    backend = ScriptedBackend()
    said = say("draft", project, "--words", 50, "--seed", 7, backend=backend)
    assert (said.code, said.out) == (0, "")
    lines = said.err.splitlines()
    assert lines[:2] == ["Loading model", "Reading manuscript"]
    assert lines[-1].startswith("Finished run 1, seed 7: 5")
    assert any(line.startswith("Drafting: ") and " of 50 words stored" in line for line in lines)
    assert say("text", project).out == OPENING + backend.text_of(OPENING, 7, 50)


def test_draft_does_not_write_twice_what_is_there(project: Path, say: Say) -> None:
    say("draft", project, "--words", 50, "--seed", 7)
    text = say("text", project).out
    said = say("draft", project, "--words", 50, "--seed", 7)
    assert (said.code, say("text", project).out) == (0, text)
    assert said.err.startswith("This draft already has 5")
    assert len(said.err.splitlines()) == 1


def test_draft_goes_on_to_more_words(project: Path, say: Say) -> None:
    backend = ScriptedBackend()
    say("draft", project, "--words", 20, "--seed", 7)
    say("draft", project, "--words", 90)
    assert say("text", project).out == OPENING + backend.text_of(OPENING, 7, 90)


def test_draft_avoids_what_the_project_avoids_and_says_when_that_has_changed(project: Path, say: Say) -> None:
    async def avoid(text: str) -> None:
        session = await ProjectSession.open(project)
        try:
            book = await SteeringBook.of(session, pytest.fail)
            book.change(lambda now: replace(now, avoided=text))
        finally:
            await session.close()

    backend = ScriptedBackend()
    asyncio.run(avoid("suddenly\n a  testament to \nsuddenly"))
    say("draft", project, "--words", 20, "--seed", 7, backend=backend)
    asyncio.run(avoid("a testament to\nsuddenly\n"))  # the same in another order
    say("draft", project, "--words", 40, backend=backend)
    asyncio.run(avoid("suddenly"))
    said = say("draft", project, "--words", 60, backend=backend)
    assert "You changed the words to avoid, so" in said.err
    assert [type(command) for command in backend.begins] == [
        StartGeneration, ResumeGeneration, StartGeneration
    ]  # fmt: skip
    both = ("a testament to", "suddenly")
    assert [command.sampling.banned for command in backend.begins] == [both, both, ("suddenly",)]


class Interrupted(ScriptedBackend):
    """Has a signal sent to this very process before its sixth word."""

    def __init__(self, number: signal.Signals) -> None:
        super().__init__()
        self.number = number

    def run(self, command: StartCommand) -> Iterator[RunEvent]:
        for event in super().run(command):
            if isinstance(event, StepCompleted) and event.num_words == 6:
                os.kill(os.getpid(), self.number)
            yield event


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be interrupted by itself there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_a_polite_kill_pause_and_the_same_command_goes_on(
    project: Path, say: Say, number: signal.Signals
) -> None:
    command = ("draft", project, "--words", 3_000, "--seed", 7)
    handlers = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    said = say(*command, backend=Interrupted(number))
    assert said.code == 130
    assert "Run the same command to continue." in said.err.splitlines()[-1]
    facts = json.loads(say("info", project, "--json").out)
    assert facts["runs"][0]["state"] == "paused"
    assert 6 <= facts["runs"][0]["words"] == facts["words"] - 5 < 3_000
    backend = ScriptedBackend()
    assert say(*command, backend=backend).code == 0
    assert say("text", project).out == OPENING + backend.text_of(OPENING, 7, 3_000)
    assert handlers == (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM))


def test_draft_computes_as_the_run_did_unless_told_otherwise(project: Path, say: Say) -> None:
    backend = ScriptedBackend()
    say("draft", project, "--words", 5, "--seed", 7, "--dtype", "bfloat16", backend=backend)
    say("draft", project, "--words", 50, backend=backend)
    said = say("draft", project, "--words", 60, "--dtype", "float32", backend=backend)
    assert [config.dtype for config in backend.configs] == ["bfloat16", "bfloat16", "float32"]
    assert "precision (bfloat16, now float32), so this starts a new draft." in said.err
    runs = json.loads(say("info", project, "--json").out)["runs"]
    assert [run["model"]["dtype"] for run in runs] == ["bfloat16", "float32"]


def test_another_seed_for_an_unfinished_run_is_refused(project: Path, say: Say) -> None:
    backend = ScriptedBackend(fail_at=3)
    assert say("draft", project, "--words", 50, "--seed", 7, backend=backend).code == 1
    assert "uses seed 7" in refused(say("draft", project, "--words", 50, "--seed", 8))


def test_a_failure_is_one_sentence_and_keeps_the_words(project: Path, say: Say) -> None:
    said = say("draft", project, "--words", 50, "--seed", 7, backend=ScriptedBackend(fail_at=3))
    assert refused(said).startswith("The model ran out of memory.")
    assert json.loads(say("info", project, "--json").out)["words"] == 8
    assert "The model ran out of memory." in say("info", project).out


def test_a_broken_model_folder_is_one_sentence(project: Path, say: Say, tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    backend = ScriptedBackend(load_problem="The model is broken. Choose another one.")
    said = say("draft", project, "--words", 50, "--model", folder, backend=backend)
    assert refused(said) == "The model is broken. Choose another one."
    assert backend.configs[0].folder == str(folder)


def test_a_model_folder_that_is_not_there_is_one_sentence(project: Path, say: Say, tmp_path: Path) -> None:
    backend = ScriptedBackend()
    said = say("draft", project, "--words", 50, "--model", tmp_path / "none", backend=backend)
    assert "doesn't exist. Check the name." in refused(said)
    assert not backend.configs


def test_of_a_text_that_is_too_long_the_newest_part_is_read(project: Path, say: Say) -> None:
    said = say("draft", project, "--words", 5, backend=ScriptedBackend(context_length=10))
    assert said.code == 0
    assert "most recent part" in said.err
    assert json.loads(say("info", project, "--json").out)["runs"][0]["left_out_tokens"] == 10
    assert say("draft", project, "--words", 5, "--read-tail", backend=ScriptedBackend()).code == 0


def test_an_empty_manuscript_is_refused(tmp_path: Path, say: Say) -> None:
    path = tmp_path / "empty.quire"

    async def make() -> None:
        await (await ProjectSession.create(path, "Empty", "")).close()

    asyncio.run(make())
    assert "Write or paste an opening first" in refused(say("draft", path, "--words", 5))


def test_a_disk_that_fills_up_is_one_sentence_and_loses_nothing(project: Path, say: Say, disk: Disk) -> None:
    class Filling(ScriptedBackend):
        def run(self, command: StartCommand) -> Iterator[RunEvent]:
            for event in super().run(command):
                if isinstance(event, StepCompleted) and event.num_words == 20:
                    disk.fill()
                yield event

    said = say("draft", project, "--words", 3_000, "--seed", 7, backend=Filling(padding=2_000))
    assert "The disk is full" in refused(said)
    disk.repair()
    backend = ScriptedBackend(padding=2_000)
    assert say("draft", project, "--words", 60, "--seed", 7, backend=backend).code == 0
    assert say("text", project).out == OPENING + backend.text_of(OPENING, 7, 60)


def test_what_was_cut_off_is_kept_and_said(project: Path, say: Say) -> None:
    code = f"""
import os, threading
from quire.cli import main as cli
from quire.cli.draft_console import DraftConsole
from tests.fakes import ScriptedBackend

stored = threading.Event()

class Console(DraftConsole):
    def saved(self):
        stored.set()

class Dies(ScriptedBackend):
    def run(self, command):
        for event in super().run(command):
            if getattr(event, "num_words", 0) == 400:
                stored.wait(100)
                os._exit(9)
            yield event

cli.DraftConsole = Console
cli.main(["draft", {str(project)!r}, "--words", "500", "--seed", "7"], Dies)
"""
    ended = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, check=False)
    assert ended.returncode == 9
    facts = json.loads(say("info", project, "--json").out)
    (run,) = facts["runs"]
    assert run["state"] == "paused"
    assert 0 < run["words"] < 400
    backend = ScriptedBackend()
    whole = OPENING + backend.text_of(OPENING, 7, 500)
    assert whole.startswith(say("text", project).out)
    assert facts["words"] == 5 + run["words"]
    said = say("draft", project, "--words", 500)
    assert said.code == 0
    assert f"its {run['words']} saved words are kept" in said.err
    assert say("text", project).out == whole


# ---------------------------------------------------------------- files that are none of ours
@pytest.mark.parametrize("command", [("draft", "--words", "5"), ("info",), ("info", "--json"), ("text",)])
@pytest.mark.parametrize(
    ("content", "sentence"),
    [(None, "doesn't exist"), (b"", "not a Quire project"), (b"Once upon a time", "not a Quire project")],
)
def test_any_other_file_is_one_sentence(
    tmp_path: Path, say: Say, command: Sequence[str], content: bytes | None, sentence: str
) -> None:
    path = tmp_path / "novel.quire"
    if content is not None:
        path.write_bytes(content)
    name, *options = command
    assert sentence in refused(say(name, path, *options))


def test_a_project_that_is_open_elsewhere_is_one_sentence(project: Path, say: Say) -> None:
    session = asyncio.run(ProjectSession.open(project))
    for command in (("draft", "--words", "5"), ("info",), ("text",)):
        name, *options = command
        assert "already open in another Quire" in refused(say(name, project, *options))
    asyncio.run(session.close())


# ---------------------------------------------------------------- info, text, usage
def test_info_says_everything_about_a_run(project: Path, say: Say) -> None:
    said = say("draft", project, "--words", 50, "--seed", 7)
    facts = json.loads(say("info", project, "--json").out)
    (run,) = facts["runs"]
    assert (facts["application_id"], facts["schema_version"]) == (0x51554952, SCHEMA_VERSION)
    assert run["settings"] == {**vars_of(SamplingConfig(seed=7, penalty_growth=10.0)), "banned": []}
    assert (run["state"], run["seed"], run["goal_words"]) == ("finished", 7, 50)
    assert run["words"] == run["tokens"] == facts["words"] - 5
    assert run["prompt_tokens"] == len(OPENING)
    assert set(run["model"]) == {
        "name", "fingerprint", "dtype", "width", "software", "tokenizer", "context_length", "rollover",
        "cache",
    }  # fmt: skip
    table = say("info", project).out
    assert f"novel: {facts['words']} words" in table
    assert f"run 1: finished, {run['words']} of 50 words" in table
    assert str(run["words"]) in said.err


def vars_of(sampling: SamplingConfig) -> dict[str, object]:
    return {name: getattr(sampling, name) for name in sampling.__dataclass_fields__}


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["write"],
        ["new", "a.quire"],
        ["draft", "a.quire"],
        ["draft", "a.quire", "--words", "0"],
        ["draft", "a.quire", "--words", "many"],
        ["draft", "a.quire", "--words", "10000001"],
        ["draft", "a.quire", "--words", "1" + "0" * 20],
        ["draft", "a.quire", "--words", "5", "--seed", "-1"],
        ["draft", "a.quire", "--words", "5", "--seed", str(2**63)],
        ["draft", "a.quire", "--words", "5", "--dtype", "float8"],
    ],
)
def test_a_wrong_command_line_is_usage(arguments: list[str], say: Say) -> None:
    with pytest.raises(SystemExit) as ended:
        say(*arguments)
    assert ended.value.code == 2


def test_the_version_is_the_packages(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main.main(["--version"])
    assert capfd.readouterr().out == f"quire {__version__}\n"


def test_a_home_that_nobody_has_is_one_sentence(say: Say) -> None:
    assert "Write the folder in full" in refused(say("info", "~nobody-of-that-name/x.quire"))


def test_a_seed_that_the_next_run_will_not_use_is_not_shown(project: Path, say: Say) -> None:
    class Slow(ScriptedBackend):
        def load(self, config: ModelConfig) -> ModelLoaded:
            os.kill(os.getpid(), signal.SIGTERM)
            self.gate.acquire(timeout=4)  # a signal needs its time
            return super().load(config)

    backend = Slow()
    said = say("draft", project, "--words", 50, backend=backend)
    assert (said.code, "seed" in said.err) == (130, False)
    assert "Paused run 1: 0 words" in said.err


def test_smaller_weights_begin_a_new_run_and_say_why(project: Path, say: Say) -> None:
    loads: list[ModelConfig] = []

    class Noting(ScriptedBackend):
        def load(self, config: ModelConfig) -> ModelLoaded:
            loads.append(config)
            loaded = super().load(config)
            named = number_format(loaded.identity.dtype, config.weights)
            return replace(loaded, identity=replace(loaded.identity, dtype=named))

    backend = Noting()
    assert say("draft", project, "--words", 20, backend=backend).code == 0
    said = say("draft", project, "--words", 40, "--weights", "int8", backend=backend)
    assert [config.weights for config in loads] == ["auto", "int8"]
    assert "8-bit numbers), so this starts a new draft" in said.err
    assert isinstance(backend.begins[-1], StartGeneration)
    assert say("draft", project, "--words", 400, "--weights", "int8", backend=backend).code == 0
    assert isinstance(backend.begins[-1], ResumeGeneration)


def test_a_project_is_drafted_with_the_model_that_it_names(
    project: Path, say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tale = tmp_path / "tale"
    tale.mkdir()
    looked_for: list[str] = []

    def find(name: str, _fingerprint: str) -> Path | None:
        looked_for.append(name)
        return tale if len(looked_for) == 1 else None

    monkeypatch.setattr(main, "find_by_name", find)
    backend = ScriptedBackend()
    say("draft", project, "--words", 50, "--model", tale, backend=backend)
    assert say("draft", project, "--words", 60, backend=backend).code == 0
    said = say("draft", project, "--words", 70, backend=backend)
    assert looked_for == ["scripted", "scripted"]
    assert "scripted, which is not on this computer (--model names its folder)" in said.err
    assert [config.folder for config in backend.configs] == [str(tale), str(tale), str(BUILT_IN_MODEL)]
