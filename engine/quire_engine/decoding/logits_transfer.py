"""Copy the logits of a pass to the host, as much of them as verification needs.

On a CPU they are there already. From a GPU the candidate tokens of every row are copied at once
(`quire_engine.decoding.candidate_tokens`), or, where the settings need whole rows, the visited rows one by
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.decoding.banned_sequences import NO_IDS
from quire_engine.decoding.candidate_tokens import (
    SHORTLIST_DEVICES,
    can_shorten,
    shorten,
    unpacked,
)
from quire_engine.decoding.draft_tree import ROOT
from quire_engine.decoding.sampling import Draw, Ids, Logits
from quire_engine.decoding.sampling_rules import SamplingRules
from quire_engine.models.host_transfer import HostBuffer, to_device


class Scored(Protocol):
    """The logits of a pass, to sample from."""

    def draw(self, node: int, window_ids: Ids, forbidden: Ids = NO_IDS, theta: float | None = None) -> Draw:
        """Sample the token after a node; call once per node.

        Args:
            node: number of the node in the draft tree.
            window_ids: distinct ids in the penalty window, the node's own included.
            forbidden: distinct ids that are banned, unless nothing else is left.
            theta: strength of the penalty after the node; None: that of the settings.
        """
        ...


class WholeRows:
    """Whole rows, copied to the host one by one when they are sampled from.

    Args:
        logits: (nodes, vocab) float32 on any device, unchanged until the last draw; on a CPU they are
            overwritten.
        places: stream index of the token after each node.
        rules: how to sample.
        buffer: pinned host memory.
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

    def draw(self, node: int, window_ids: Ids, forbidden: Ids = NO_IDS, theta: float | None = None) -> Draw:
        """Sample the token after a node, see `Scored.draw`."""
        return self._rules.draw(self.fetch(node), self._places[node], window_ids, forbidden, theta)

    def fetch(self, node: int) -> Logits:
        """Return a node's row on the host; blocks until it is copied. Valid until another row is fetched."""
        if self._host is not None:
            row: Logits = self._host[node]
            return row
        if self._fetched is None or self._fetched[0] != node:
            self._fetched = node, self._buffer.fetch(self._logits[node]).numpy()
        return self._fetched[1]


class ShortRows:
    """The candidates of all rows, and the whole row where a row has none."""

    def __init__(
        self, packed: npt.NDArray[np.int32], places: Sequence[int], rules: SamplingRules, whole: WholeRows
    ) -> None:
        self._packed = packed
        self._places = places
        self._rules = rules
        self._whole = whole

    def draw(self, node: int, window_ids: Ids, forbidden: Ids = NO_IDS, theta: float | None = None) -> Draw:
        """Sample the token after a node, see `Scored.draw`."""
        short = unpacked(self._packed, node)
        if short is None:
            return self._whole.draw(node, window_ids, forbidden, theta)
        return self._rules.draw_among(short, self._places[node], window_ids, forbidden, theta)


class LogitsTransfer:
    """Copies the logits of one stream's passes to the host, one pass at a time."""

    def __init__(self, rules: SamplingRules) -> None:
        self._rules = rules
        self._is_short = can_shorten(rules.sampling)
        self._lists, self._rows = HostBuffer(), HostBuffer()
        self._tables: Tensor | None = None  # (2, vocab) bool: suppressed before and after eos_allowed_from
        self._banned_ids: Tensor | None = None

    def take(
        self,
        logits: Tensor,
        places: Sequence[int],
        tokens: Sequence[int],
        window_ids: Ids,
        most_theta: float | None = None,
    ) -> Scored:
        """Return the logits of a pass, ready to sample from; this is where the host waits for the device.

        Args:
            logits, places: see WholeRows.
            tokens: the tokens of the tree's nodes.
            window_ids: distinct ids in the root's penalty window.
            most_theta: the strongest penalty that a node may have; None: that of the settings.
        """
        whole = self.keep(logits, places)
        if self._is_short and logits.device.type in SHORTLIST_DEVICES:
            suppressed = self._suppressed(logits, places)
            penalised = to_device(self._penalised(tokens, window_ids), logits.device)
            sampling = self._rules.sampling if most_theta is None else self._rules.with_penalty(most_theta)
            packed = shorten(logits, suppressed, penalised, sampling, self._banned(logits))
            return ShortRows(self._lists.fetch(packed).numpy(), places, self._rules, whole)
        whole.fetch(ROOT)  # needed in any case, and waiting here lets the caller time the pass
        return whole

    def keep(self, logits: Tensor, places: Sequence[int]) -> WholeRows:
        """Return whole rows that stay on the device until one is sampled from."""
        return WholeRows(logits, places, self._rules, self._rows)

    def _penalised(self, tokens: Sequence[int], window_ids: Ids) -> Ids:
        """Return every id that a node may penalise: the root's window and the tree."""
        return np.concatenate((window_ids, tokens)) if self._rules.sampling.penalty_window else window_ids

    def _banned(self, logits: Tensor) -> Tensor | None:
        """Return the ids that may be banned somewhere, on the rows' device; None if there are none."""
        if self._banned_ids is None and len(self._rules.may_be_banned):
            self._banned_ids = torch.from_numpy(self._rules.may_be_banned).to(logits.device)
        return self._banned_ids

    def _suppressed(self, logits: Tensor, places: Sequence[int]) -> Tensor:
        """Return the ids of the rows that are not drawn: bool (vocab,), or (rows, vocab) where rows
        differ."""
        if self._tables is None:
            tables = torch.zeros(2, logits.shape[1], dtype=torch.bool)
            tables[0, torch.from_numpy(self._rules.ids_before_min_tokens)] = True
            tables[1, torch.from_numpy(self._rules.suppressed_ids)] = True
            self._tables = tables.to(logits.device)
        open_rows = [int(self._rules.is_open(place)) for place in places]
        if min(open_rows) == max(open_rows):
            return self._tables[open_rows[0]]
        return self._tables[to_device(open_rows, logits.device)]
