"""Which tokens a stream may draw at each position, and how one is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.banned_sequences import NO_IDS
from quire_engine.decoding.candidate_tokens import (
    CandidateTokens,
)
from quire_engine.decoding.sampling import Draw, Ids, Logits, draw, draw_among


@dataclass(frozen=True, slots=True)
class SamplingRules:
    """The rules by which a stream samples.

    Attributes:
        sampling: the sampling settings.
        suppressed_ids: ids that are never drawn.
        ids_before_min_tokens: the same plus the end-of-text ids, which may not be drawn yet.
        eos_allowed_from: stream index from which the text may end.
        may_be_banned: distinct ids that are banned at some positions.
    """

    sampling: SamplingConfig
    suppressed_ids: Ids
    ids_before_min_tokens: Ids
    eos_allowed_from: int
    may_be_banned: Ids = field(default_factory=lambda: NO_IDS)

    def is_open(self, place: int) -> bool:
        """Say whether the token at a stream index may end the text."""
        return place >= self.eos_allowed_from

    def with_penalty(self, theta: float) -> SamplingConfig:
        """Return the settings with the penalty's strength at one position, to draw there."""
        if theta == self.sampling.repetition_penalty:
            return self.sampling
        return replace(self.sampling, repetition_penalty=theta, banned=())

    def draw(
        self, logits: Logits, place: int, window_ids: Ids, forbidden: Ids = NO_IDS, theta: float | None = None
    ) -> Draw:
        """Sample the token at a stream index from a whole row, which is overwritten.

        Args:
            forbidden: distinct ids that are banned here, unless nothing else is left.
            theta: strength of the penalty here; None: that of the settings.
        """
        logits[self.suppressed_ids if self.is_open(place) else self.ids_before_min_tokens] = -np.inf
        if len(forbidden):
            lifted = logits[forbidden]
            logits[forbidden] = -np.inf
            if logits.max() == -np.inf:
                logits[forbidden] = lifted
        return draw(logits, window_ids, place, self.sampling if theta is None else self.with_penalty(theta))

    def draw_among(
        self,
        short: CandidateTokens,
        place: int,
        window_ids: Ids,
        forbidden: Ids,
        theta: float | None = None,
    ) -> Draw:
        """Sample from the candidates of a row: the same token, kept tokens and scores as from the whole
        row."""
        ids, scores = short.ids, short.scores
        if len(forbidden):
            # tokens that may be banned do not raise the floor, so the best of the rest are candidates too
            allowed = ~np.isin(ids, forbidden)
            if allowed.any():
                ids, scores = ids[allowed], scores[allowed]
        sampling = self.sampling if theta is None else self.with_penalty(theta)
        return draw_among(ids, scores, window_ids, place, sampling)
