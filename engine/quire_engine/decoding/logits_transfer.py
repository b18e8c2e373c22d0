"""How the scores of a pass reach the host, where they are drawn from: as much of them as a walk needs.

On a processor they are there already. Of a GPU's scores a shortlist of every row crosses over at once
(decoding.shortlist), or, where the settings need whole rows, those that the walk comes to, one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.banned_sequences import NO_IDS
from quire_engine.decoding.candidate_tokens import (
    SHORTLIST_DEVICES,
    CandidateTokens,
    can_shorten,
    shorten,
    unpacked,
)
from quire_engine.decoding.draft_tree import ROOT
from quire_engine.decoding.sampling import Draw, Ids, Logits, draw, draw_among
from quire_engine.models.host_transfer import HostBuffer, to_device


@dataclass(frozen=True, slots=True)
class SamplingRules:
    """By what a stream draws. never: ids that are never drawn; not_yet: those and what may end the text.

    open_from: stream index from which on the text may end. may_be_banned: distinct ids that are forbidden at
    some places, and at which the stream says place by place.
    """

    sampling: SamplingConfig
    suppressed_ids: Ids
    ids_before_min_tokens: Ids
    eos_allowed_from: int
    may_be_banned: Ids = field(default_factory=lambda: NO_IDS)

    def is_open(self, place: int) -> bool:
        """Say whether the token at a stream index may end the text."""
        return place >= self.eos_allowed_from

    def draw(self, logits: Logits, place: int, window_ids: Ids, forbidden: Ids = NO_IDS) -> Draw:
        """Choose the token at a stream index from a whole row, which is changed.

        forbidden: distinct ids that are not to be drawn here, unless nothing else is left.
        """
        logits[self.suppressed_ids if self.is_open(place) else self.ids_before_min_tokens] = -np.inf
        if len(forbidden):
            lifted = logits[forbidden]
            logits[forbidden] = -np.inf
            if logits.max() == -np.inf:
                logits[forbidden] = lifted
        return draw(logits, window_ids, place, self.sampling)

    def draw_among(self, short: CandidateTokens, place: int, window_ids: Ids, forbidden: Ids) -> Draw:
        """Choose it from the row's shortlist: the same token, with the same survivors and scores."""
        ids, scores = short.ids, short.scores
        if len(forbidden):
            # whatever may be banned was left out of the floor, so that all of the row's best stands here
            allowed = ~np.isin(ids, forbidden)
            if allowed.any():
                ids, scores = ids[allowed], scores[allowed]
        return draw_among(ids, scores, window_ids, place, self.sampling)


class Scored(Protocol):
    """The scores of a pass, to be drawn from."""

    def draw(self, node: int, window_ids: Ids, forbidden: Ids = NO_IDS) -> Draw:
        """Choose the token that follows a node, once per node.

        Args:
            window_ids: distinct, its own included.
            forbidden: distinct ids that are not to be drawn, unless nothing else is left.
        """
        ...


class WholeRows:
    """Whole rows, which come to the host one by one when they are drawn from, if they are not there already.

    Args:
        logits: (nodes, vocab) float32 on any device, unchanged until the last draw; a processor's are used
            up.
        places: stream index of what follows each node.
    """

    def __init__(
        self, logits: Tensor, places: Sequence[int], rules: SamplingRules, buffer: HostBuffer
    ) -> None:
        self._logits = logits
        self._places = places
        self._rules = rules
        self._buffer = buffer
        self._host: Logits | None = logits.numpy() if logits.device.type == "cpu" else None
        self._fetched: tuple[int, Logits] | None = None

    def draw(self, node: int, window_ids: Ids, forbidden: Ids = NO_IDS) -> Draw:
        """Choose the token that follows a node, once per node.

        Args:
            window_ids: distinct, its own included.
            forbidden: see Rules.
        """
        return self._rules.draw(self.fetch(node), self._places[node], window_ids, forbidden)

    def fetch(self, node: int) -> Logits:
        """Return a node's row on the host; waits until it is there. Good until another one is fetched."""
        if self._host is not None:
            row: Logits = self._host[node]
            return row
        if self._fetched is None or self._fetched[0] != node:
            self._fetched = node, self._buffer.fetch(self._logits[node]).numpy()
        return self._fetched[1]


class ShortRows:
    """Shortlists of all rows, and the whole ones where they are for a row that has none."""

    def __init__(
        self, packed: npt.NDArray[np.int32], places: Sequence[int], rules: SamplingRules, whole: WholeRows
    ) -> None:
        self._packed = packed
        self._places = places
        self._rules = rules
        self._whole = whole

    def draw(self, node: int, window_ids: Ids, forbidden: Ids = NO_IDS) -> Draw:
        """Choose the token that follows a node, once per node.

        Args:
            window_ids: distinct, its own included.
            forbidden: see Rules.
        """
        short = unpacked(self._packed, node)
        if short is None:
            return self._whole.draw(node, window_ids, forbidden)
        return self._rules.draw_among(short, self._places[node], window_ids, forbidden)


class LogitsTransfer:
    """Brings the scores of one stream's passes to the host; one pass at a time."""

    def __init__(self, rules: SamplingRules) -> None:
        self._rules = rules
        self._is_short = can_shorten(rules.sampling)
        self._lists, self._rows = HostBuffer(), HostBuffer()
        self._tables: Tensor | None = None  # (2, vocab) bool: what is suppressed, not yet open and open
        self._banned_ids: Tensor | None = None

    def take(self, logits: Tensor, places: Sequence[int], tokens: Sequence[int], window_ids: Ids) -> Scored:
        """Return the scores of a pass once they can be drawn from; where they are far, the host waits here.

        Args:
            logits, places: see WholeRows.
            tokens: of its nodes.
            window_ids: distinct, in the root's window.
        """
        whole = self.keep(logits, places)
        if self._is_short and logits.device.type in SHORTLIST_DEVICES:
            suppressed = self._suppressed(logits, places)
            penalised = to_device(self._penalised(tokens, window_ids), logits.device)
            packed = shorten(logits, suppressed, penalised, self._rules.sampling, self._banned(logits))
            return ShortRows(self._lists.fetch(packed).numpy(), places, self._rules, whole)
        whole.fetch(ROOT)  # drawn from in any case, and what the pass took shows here
        return whole

    def keep(self, logits: Tensor, places: Sequence[int]) -> WholeRows:
        """Return whole rows that stay where they are until one is drawn from."""
        return WholeRows(logits, places, self._rules, self._rows)

    def _penalised(self, tokens: Sequence[int], window_ids: Ids) -> Ids:
        """Return every id that a node may penalise: what the window had at the root, and its ancestors."""
        return np.concatenate((window_ids, tokens)) if self._rules.sampling.penalty_window else window_ids

    def _banned(self, logits: Tensor) -> Tensor | None:
        """Return the ids that may be banned at some place, on the rows' device; None: there are none."""
        if self._banned_ids is None and len(self._rules.may_be_banned):
            self._banned_ids = torch.from_numpy(self._rules.may_be_banned).to(logits.device)
        return self._banned_ids

    def _suppressed(self, logits: Tensor, places: Sequence[int]) -> Tensor:
        """Return which ids of the rows are not drawn: bool (vocab,), or (rows, vocab) where rows differ."""
        if self._tables is None:
            tables = torch.zeros(2, logits.shape[1], dtype=torch.bool)
            tables[0, torch.from_numpy(self._rules.ids_before_min_tokens)] = True
            tables[1, torch.from_numpy(self._rules.suppressed_ids)] = True
            self._tables = tables.to(logits.device)
        open_rows = [int(self._rules.is_open(place)) for place in places]
        if min(open_rows) == max(open_rows):
            return self._tables[open_rows[0]]
        return self._tables[to_device(open_rows, logits.device)]
