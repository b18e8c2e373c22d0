from __future__ import annotations

import io

from quire.cli.draft_console import DraftConsole
from quire.domain.drafting.draft_status import DraftProgress, DraftState, DraftStatus


def progress(num_words: int, drafting_s: float = 0.0) -> DraftProgress:
    return DraftProgress(num_words, 100, num_words, drafting_s)


class Shown:
    """Words that are shown; the last one of them is not stored yet."""

    def __init__(self) -> None:
        self.num_words = 0

    def num_stored(self) -> int:
        return self.num_words - 1


def watch(console: DraftConsole, shown: Shown) -> None:
    """Show a draft that goes on from 20 words to 32."""
    console.progressed(progress(20))
    console.status_changed(DraftStatus(DraftState.LOADING))
    console.status_changed(DraftStatus(DraftState.READING, "A notice."))
    console.status_changed(DraftStatus(DraftState.READING, "A notice.", read_fraction=0.5))
    console.status_changed(DraftStatus(DraftState.DRAFTING, "A notice."))
    for num_words in range(21, 33):
        console.text_drafted("word ")
        console.progressed(progress(num_words, drafting_s=(num_words - 20) / 2))
        shown.num_words = num_words
        console.saved()
    console.status_changed(DraftStatus(DraftState.PAUSING))
    console.status_changed(DraftStatus(DraftState.PAUSED, "The disk is full."))


def test_a_log_gets_a_line_now_and_then() -> None:
    stream = io.StringIO()
    shown = Shown()
    console = DraftConsole(stream, shown.num_stored, animated=False)
    watch(console, shown)
    assert stream.getvalue().splitlines() == [
        "Loading model",
        "A notice.",
        "Reading manuscript",
        "Drafting: 20 of 100 words stored, 120 words per minute",
        "Drafting: 30 of 100 words stored, 120 words per minute",
        "Pausing",
    ]
    assert console.sentence == "The disk is full."


def test_a_terminal_gets_one_line_that_moves() -> None:
    stream = io.StringIO()
    shown = Shown()
    console = DraftConsole(stream, shown.num_stored, animated=True)
    watch(console, shown)
    console.say("Done.")
    written = stream.getvalue()
    assert written.count("\n") == 2  # the notice and the last word
    assert "\rReading manuscript 50%" in written
    assert "\rDrafting [=======                 ] 32 of 100 words, 120 words per minute" in written
    last_line = written.rsplit("\r", 1)[1]
    assert last_line == "Done.\n"


def test_a_terminal_shows_how_far_a_load_is() -> None:
    stream = io.StringIO()
    console = DraftConsole(stream, Shown().num_stored, animated=True)
    for status in (
        DraftStatus(DraftState.LOADING),
        DraftStatus(DraftState.LOADING, load_fraction=0.42),
        DraftStatus(DraftState.LOADING, is_checking=True),
    ):
        console.status_changed(status)
    shown = [line.strip() for line in stream.getvalue().split("\r")[1:]]
    assert shown == ["Loading model", "Loading model 42%", "Checking model"]
