"""Figures about the window: every one of them is produced, whatever they are."""

from __future__ import annotations

import lzma
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.config import Goal, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import ResumeGeneration, StartGeneration, StepCompleted
from quire_engine.metrics.word_count import count_words
from tests.benchmarks.app import window_latency
from tests.benchmarks.app.latency_probes import TICK_MS, Lag, share
from tests.benchmarks.app.synthetic_book import LONG_TITLE, PacedBackend, book_pieces, words_of
from tests.benchmarks.app.window_driver import ProcessMemory, growth_per_100k

_SCRIPT = """
import sys
from tests.benchmarks.app import window_latency
sys.exit(window_latency.main([], window_latency.SMALL))
"""
_FIGURES = (
    "open a book to the first key in it",
    "another chapter, click to painted",
    "find in the book, to the list",
    "60,000 characters with all layers, to painted",
    "to the last mark",
    "key to paint, nothing drafts",
    "300 tokens/s below, in the same chapter",
    "300 tokens/s in another chapter",
    "event loop late, a whole run at 100 tokens/s",
    "event loop late, a whole run at 1,000 tokens/s",
    "memory per 100,000 tokens drafted",
    "Pause to Paused, built-in model",
)


@pytest.mark.sliced("rehearsals")
def test_every_figure_of_a_small_book_is_printed() -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(  # a process of its own: it starts the window twice
        [sys.executable, "-c", _SCRIPT],
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for figure in _FIGURES:
        assert figure in done.stdout
    assert "export to epub" in done.stdout
    assert "export to docx" in done.stdout
    assert done.stdout.count(": 0 of ") == 2, "what was exported was read again with every paragraph"


def test_a_folder_without_texts_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert window_latency.main(["--texts", str(tmp_path)]) == 1
    assert "There are no .txt files" in capsys.readouterr().err


def test_a_book_has_chapters_of_some_thousand_words_and_a_long_one() -> None:
    pieces = book_pieces(50_000)
    assert pieces[-1].title == LONG_TITLE
    assert 55_000 < len(pieces[-1].text) <= 60_000
    words = [count_words(piece.body) for piece in pieces[:-1]]
    assert all(2_000 <= one < 4_500 for one in words[:-1])
    assert 50_000 <= sum(words) < 51_000
    assert "the" in words_of(pieces)


def test_a_book_is_made_of_the_texts_of_a_folder(tmp_path: Path) -> None:
    lines = [f"Here stands sentence number {number}, as it is." for number in range(3_000)]
    text = "\n\n".join(["# A *title*", *lines])
    (tmp_path / "a.txt.xz").write_bytes(lzma.compress(text.encode()))
    pieces = book_pieces(2_500, tmp_path)
    assert pieces[0].body.startswith(lines[0])
    with pytest.raises(EnvironmentProblem, match="too few words"):
        book_pieces(100_000, tmp_path)


def test_what_is_gone_on_with_ends_at_its_goal() -> None:
    backend = PacedBackend(["ferry", "water"], 0)
    sampling, goal = SamplingConfig(seed=3), Goal(words=60)
    steps = [
        e
        for e in backend.run(StartGeneration(1, "It rained.", sampling, goal))
        if isinstance(e, StepCompleted)
    ]
    assert steps[-1].num_words == 60
    text = "".join(step.text for step in steps)
    assert count_words(text) == 60
    assert text.endswith(".\n\n")
    more = ResumeGeneration(1, (1,), tuple(range(60)), sampling, Goal(words=70))
    assert [e.num_words for e in backend.run(more) if isinstance(e, StepCompleted)] == list(range(61, 73))


@given(st.lists(st.floats(0, 500), min_size=1, max_size=40))
def test_a_stop_counts_for_every_tick_that_fell_into_it(stops: list[float]) -> None:
    lag = Lag()
    for stop in stops:
        lag.add(stop, 0.0)
    assert len(lag.took) == sum(max(1, -int(-stop // TICK_MS)) for stop in stops)
    assert max(one.wall_ms for one in lag.took) == max(stops)
    assert 0 <= lag.share_late_by_work <= lag.share_late <= 1


def test_shares_and_growth() -> None:
    assert [share([3.0, 1.0, 2.0], part) for part in (0.0, 0.5, 1.0)] == [1.0, 2.0, 3.0]
    assert share([], 0.5) == 0.0
    sizes = [ProcessMemory(0, 9, 0), ProcessMemory(1_000, 100, 10), ProcessMemory(2_000, 300, 30)]
    assert growth_per_100k(sizes) == (20_000.0, 2_000.0)
