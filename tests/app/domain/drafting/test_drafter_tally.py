"""What each drafter brought a run."""

from __future__ import annotations

from quire.domain.drafting.drafter_tally import DrafterTally, Earned
from quire.domain.drafting.run_metrics import StepRecord
from quire_engine.api.config import Source


def step(num_words: int, *sources: Source) -> StepRecord:
    return StepRecord(1 + len(sources), num_words, 2, 2, len(sources), 10.0, 1.0, 8.0, 1.0, sources)


def test_accepted_tokens_are_counted_by_drafter_from_the_word_that_they_began_at() -> None:
    tally = DrafterTally()
    for each in (step(1), step(3, "ngrams"), step(5, "ngrams", "feature"), step(6)):
        tally.add(each)
    assert tally.num_tokens == 7
    assert tally.of("ngrams") == Earned(num_tokens=2, since_words=1)
    assert tally.of("feature") == Earned(num_tokens=1, since_words=3)
    assert tally.of("heads") is None
