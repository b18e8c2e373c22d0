from __future__ import annotations

from dataclasses import replace

import pytest

from quire.domain.drafting.draft_status import DeskState, Trouble
from quire.domain.drafting.low_memory_options import WaysOn
from quire.domain.drafting.run import Run, RunState
from quire.shell.notices import NoticeKind, Remedy, notice_of_failure, notice_of_trouble
from quire_engine.api.config import SamplingConfig

FAILED = Run(1, 1, SamplingConfig(), 500, "a", "a", RunState.FAILED, error="It broke.")


@pytest.mark.parametrize(
    ("run", "failed_in", "remedy"),
    [
        (FAILED, DeskState.LOADING, Remedy.CHOOSE_MODEL),
        (replace(FAILED, num_prompt=1), DeskState.LOADING, Remedy.CHOOSE_MODEL),
        (replace(FAILED, num_prompt=1, state=RunState.PAUSED), DeskState.LOADING, Remedy.CHOOSE_MODEL),
        (FAILED, DeskState.READING, Remedy.READ_TAIL),
        (replace(FAILED, read_tail=True), DeskState.READING, None),
        (replace(FAILED, num_prompt=1), DeskState.READING, None),
        (replace(FAILED, num_prompt=1), DeskState.DRAFTING, None),
    ],
)
def test_the_remedy_fits_where_it_failed(run: Run, failed_in: DeskState, remedy: Remedy | None) -> None:
    notice = notice_of_failure(run, "No memory.", failed_in)
    assert (notice.kind, notice.text, notice.remedy) == (NoticeKind.ERROR, "No memory.", remedy)


def test_without_a_sentence_the_run_knows_what_went_wrong() -> None:
    notice = notice_of_failure(FAILED, "", DeskState.LOADING)
    assert notice.text == "It broke."


def test_what_stopped_a_draft_decides_what_is_offered() -> None:
    assert notice_of_trouble(Trouble.DEVICE, "Gone.").remedies == (Remedy.LEAVE,)
    assert notice_of_trouble(Trouble.MODEL, "Gone.").remedies == (Remedy.LOAD_AGAIN, Remedy.CHOOSE_MODEL)
    assert notice_of_trouble(Trouble.MEMORY, "Full.").remedies == ()
    every = notice_of_trouble(Trouble.MEMORY, "Full.", WaysOn(100, 512, in_computer=True, smaller=True))
    assert every.remedies == (
        Remedy.SMALLER_GOAL, Remedy.IN_COMPUTER, Remedy.LOOK_BACK_LESS, Remedy.STORE_SMALLER,
    )  # fmt: skip
    some = notice_of_trouble(Trouble.MEMORY, "Full.", WaysOn(context=512))
    assert (some.remedies, some.text) == ((Remedy.LOOK_BACK_LESS,), "Full.")


def test_a_model_that_did_not_load_can_be_tried_again() -> None:
    notice = notice_of_failure(FAILED, "It is not there.", DeskState.LOADING)
    assert notice.remedies == (Remedy.CHOOSE_MODEL, Remedy.LOAD_AGAIN)
