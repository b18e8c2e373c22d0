"""`quire draft --fast-resume`: a file from which the next draft goes on without reading."""

from __future__ import annotations

from pathlib import Path

from quire.services.drafting.fast_resume import fast_resume_path
from quire_engine.api.messages import ResumeGeneration
from tests.app.commands import Say
from tests.fakes import ScriptedBackend


def test_a_draft_may_leave_a_file_that_the_next_one_goes_on_from(project: Path, say: Say) -> None:
    backend = ScriptedBackend(cache_bytes_per_token=1000)
    said = say("draft", project, "--words", 20, "--seed", 7, "--fast-resume", backend=backend)
    kept = fast_resume_path(project)
    assert (said.code, kept.exists()) == (0, True)
    assert f"Saved {kept} (1 MB) for the next draft." in said.err
    assert say("draft", project, "--words", 40, backend=backend).code == 0
    assert isinstance(backend.begins[-1], ResumeGeneration)
    assert (backend.begins[-1].cache_file, kept.exists()) == (str(kept), False)


def test_a_fast_resume_file_that_cannot_be_written_is_only_said(project: Path, say: Say) -> None:
    fast_resume_path(project).mkdir()
    backend = ScriptedBackend(cache_bytes_per_token=1000)
    said = say("draft", project, "--words", 20, "--fast-resume", backend=backend)
    assert said.code == 0
    assert "could not be saved" in said.err


def test_a_backend_that_keeps_nothing_is_not_asked_to(project: Path, say: Say) -> None:
    said = say("draft", project, "--words", 20, "--fast-resume", backend=ScriptedBackend())
    assert (said.code, "kept" in said.err) == (0, False)
