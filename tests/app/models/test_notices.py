from __future__ import annotations

from dataclasses import replace

import pytest

from quire.domain.desk import DeskState
from quire.domain.run import Run, RunState
from quire.models.notices import NoticeKind, Remedy, notice_of_failure
from quire_engine.config import SamplingConfig

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
