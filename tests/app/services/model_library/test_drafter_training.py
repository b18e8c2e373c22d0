"""Preparing a model in another process: how far it is, stopped and gone on with, and what goes wrong."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import quire.services.model_library.drafter_training
from quire.errors import WriterProblem
from quire.services.model_library.drafter_training import (
    PrepareState,
    PrepareVerdict,
    Preparing,
    forget_text,
    has_text,
    keep_text,
    state_in,
    verdict_in,
)
from quire_engine.catalog.trained_drafters import STARTED_AGAIN


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ("own text: 0 of 1,000\n", PrepareState("own text", 0.0)),
        ("own text: 1,000 of 1,000", PrepareState("own text", 0.3)),
        ("heads: 5 of 10, loss 3.141, about 12 min left", PrepareState("heads", 0.375, 12)),
        ("feature: 10 of 10, loss 3.141", PrepareState("feature", 0.95)),
        ("evaluation: 1 of 1", PrepareState("evaluation", 1.0)),
        ("evaluation: 0 of 0", PrepareState("evaluation", 1.0)),
        (
            "own text: 24 tokens, 2% done, about 5 min left",
            PrepareState("own text", 0.02, 5, True),
        ),
        (
            "given text: 1,024 tokens, 3% done, about 5 min left",
            PrepareState("given text", 0.03, 5, True),
        ),
        (
            "feature: 7 steps, 45% done, loss 2.5, about 3 min left",
            PrepareState("feature", 0.45, 3, True),
        ),
        ("evaluation: 99% done, about 1 min left", PrepareState("evaluation", 0.99, 1, True)),
        ("1,234 tokens of text; this needs about 0.1 GB of memory.", None),
        ("heads, 1 ahead: right among the best 1, 2, 3 guesses: 3%", None),
    ],
)
def test_what_the_command_prints_is_understood(line: str, state: PrepareState | None) -> None:
    found = state_in(line)
    assert (found is None) == (state is None)
    if found is not None and state is not None:
        assert (found.stage, found.minutes_left) == (state.stage, state.minutes_left)
        assert found.is_timed == state.is_timed
        assert found.fraction == pytest.approx(state.fraction)


def script(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(
        quire.services.model_library.drafter_training, "_COMMAND", (sys.executable, "-u", "-c", text)
    )


def test_it_comes_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    script(monkeypatch, "print('heads: 1 of 2'); print('evaluation: 1 of 1')")
    seen: list[PrepareState] = []
    assert Preparing(Path("m"), (), Path("o")).run(seen.append)
    assert [state.stage for state in seen] == ["heads", "evaluation"]


def test_what_it_brought_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "Drafting: 1.02 tokens per pass and 18.2 tokens/s before, 1.25 and 21.3 now."
    script(monkeypatch, f"print('own text: 0 tokens, 0% done, about 5 min left'); print({said!r})")
    work = Preparing(Path("m"), (), Path("o"))
    assert work.run(lambda state: None)
    assert work.verdict == PrepareVerdict(1.02, 18.2, 1.25, 21.3)
    assert verdict_in(said.replace("18.2", "1.8.2")) is None
    assert verdict_in("Drafting: nothing") is None


def test_that_it_could_not_resume_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    script(monkeypatch, f"print({str(STARTED_AGAIN)!r}); print('heads: 1 of 2'); print('heads: 2 of 2')")
    said: list[bool] = []
    assert Preparing(Path("m"), (), Path("o")).run(lambda state: said.append(state.started_again))
    assert said == [True, False]


@pytest.mark.skipif(sys.platform == "win32", reason="there it is ended without a word")
def test_it_is_stopped_with_a_chance_to_save(monkeypatch: pytest.MonkeyPatch) -> None:
    script(
        monkeypatch,
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, lambda *a: (print('saved'), sys.exit(130)))\n"
        "print('heads: 1 of 2')\nsignal.pause()",
    )
    work = Preparing(Path("m"), (), Path("o"))
    assert not work.run(lambda state: work.stop())


def test_what_was_stopped_before_it_began_does_not_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    script(monkeypatch, "raise SystemExit(1)")
    work = Preparing(Path("m"), (), Path("o"))
    work.stop()
    assert not work.run(lambda state: None)


def test_what_went_wrong_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    script(monkeypatch, "import sys; sys.stderr.write('The text has 3 tokens.\\n'); sys.exit(1)")
    with pytest.raises(WriterProblem, match="The text has 3 tokens"):
        Preparing(Path("my-model"), (), Path("o")).run(lambda state: None)
    monkeypatch.setattr(quire.services.model_library.drafter_training, "_COMMAND", ("/nowhere/python",))
    with pytest.raises(WriterProblem, match="could not be started"):
        Preparing(Path("m"), (), Path("o")).run(lambda state: None)


def test_texts_are_put_together_and_forgotten(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One.\n", encoding="utf-8")
    place = tmp_path / "place"
    file = keep_text(place, [tmp_path / "a.txt"], "  The book.")
    assert file.read_text(encoding="utf-8") == "One.\n\nThe book."
    assert has_text(place)
    assert keep_text(place, (), "", as_it_is=True) == file
    forget_text(place)
    assert not has_text(place)


def test_no_text_or_no_utf8_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(WriterProblem, match="UTF-8"):
        keep_text(tmp_path, [tmp_path / "a.txt"], "")
    with pytest.raises(WriterProblem, match="no text"):
        keep_text(tmp_path, (), " ")
    (tmp_path / "file").write_text("x")
    with pytest.raises(WriterProblem, match="Can't write"):
        keep_text(tmp_path / "file", (), "x")
