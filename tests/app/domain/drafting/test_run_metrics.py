from __future__ import annotations

from quire.domain.drafting.run_metrics import StepRecord, record_of
from quire_engine.api.messages import StepCompleted


def test_a_record_keeps_what_the_engine_said() -> None:
    completed = StepCompleted(
        run_id=3,
        token_ids=(5, 6, 7),
        text=" a b",
        num_words=12,
        draft_depth=4,
        num_accepted=2,
        step_ms=30.5,
        margin=0.25,
        num_drafted=9,
        accepted_sources=("heads", "ngrams"),
        draft_ms=4.5,
        verify_ms=20.5,
        token_chars=(2, 0, 2),
    )
    expected = StepRecord(3, 12, 4, 9, 2, 30.5, 4.5, 20.5, 0.25, ("heads", "ngrams"), (2, 0, 2))
    assert record_of(completed, completed.text) == expected


def test_lengths_of_a_text_that_was_cleaned_are_not_kept() -> None:
    completed = StepCompleted(3, (5, 6), "\n", 1, 0, 0, 1.0, 0.5, token_chars=(1, 1))
    assert record_of(completed, completed.text).token_chars == ()
