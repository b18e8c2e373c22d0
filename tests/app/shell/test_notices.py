from __future__ import annotations

from dataclasses import replace

import pytest

from quire.domain.drafting.draft_status import DraftProblem, DraftState
from quire.domain.drafting.low_memory_options import WaysOn
from quire.domain.drafting.run import Run, RunState
from quire.shell.notices import NoticeAction, NoticeKind, notice_of_failure, notice_of_trouble
from quire_engine.api.config import SamplingConfig

FAILED = Run(1, 1, SamplingConfig(), 500, "a", "a", RunState.FAILED, error="It broke.")


@pytest.mark.parametrize(
    ("run", "failed_in", "action"),
    [
        (FAILED, DraftState.LOADING, NoticeAction.CHOOSE_MODEL),
        (replace(FAILED, num_prompt=1), DraftState.LOADING, NoticeAction.CHOOSE_MODEL),
        (replace(FAILED, num_prompt=1, state=RunState.PAUSED), DraftState.LOADING, NoticeAction.CHOOSE_MODEL),
        (FAILED, DraftState.READING, None),
        (replace(FAILED, num_prompt=1), DraftState.READING, None),
        (replace(FAILED, num_prompt=1), DraftState.DRAFTING, None),
    ],
)
def test_the_remedy_fits_where_it_failed(
    run: Run, failed_in: DraftState, action: NoticeAction | None
) -> None:
    notice = notice_of_failure(run, "No memory.", failed_in)
    assert (notice.kind, notice.text, notice.action) == (NoticeKind.ERROR, "No memory.", action)


def test_without_a_sentence_the_run_knows_what_went_wrong() -> None:
    notice = notice_of_failure(FAILED, "", DraftState.LOADING)
    assert notice.text == "It broke."


def test_what_stopped_a_draft_decides_what_is_offered() -> None:
    assert notice_of_trouble(DraftProblem.DEVICE, "Gone.").actions == (NoticeAction.LEAVE,)
    assert notice_of_trouble(DraftProblem.MODEL, "Gone.").actions == (
        NoticeAction.LOAD_AGAIN,
        NoticeAction.CHOOSE_MODEL,
    )
    assert notice_of_trouble(DraftProblem.SERVER, "Gone.").actions == (
        NoticeAction.RESUME,
        NoticeAction.CHOOSE_MODEL,
    )
    assert notice_of_trouble(DraftProblem.MEMORY, "Full.").actions == ()
    every = notice_of_trouble(DraftProblem.MEMORY, "Full.", WaysOn(100, 512, in_computer=True, smaller=True))
    assert every.actions == (
        NoticeAction.SMALLER_GOAL, NoticeAction.IN_COMPUTER,
        NoticeAction.LOOK_BACK_LESS, NoticeAction.STORE_SMALLER,
    )  # fmt: skip
    some = notice_of_trouble(DraftProblem.MEMORY, "Full.", WaysOn(context=512))
    assert (some.actions, some.text) == ((NoticeAction.LOOK_BACK_LESS,), "Full.")


def test_a_model_that_did_not_load_can_be_tried_again() -> None:
    notice = notice_of_failure(FAILED, "It is not there.", DraftState.LOADING)
    assert notice.actions == (NoticeAction.CHOOSE_MODEL, NoticeAction.LOAD_AGAIN)
