"""Draft logits on their way to the host: whole rows of a processor, the best columns of a GPU's.

Guesses are made on the host, by the rules and the dice of dice.py, from what truncation leaves of a row.
`NUM_COLUMNS` of a row hold that nearly always, and then the guesses are those of the whole row; where they
do not, guesses far down are lost, which are only hints. So nothing as wide as a vocabulary crosses over.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.drafting.draft_sampling import DraftRow
from quire_engine.models.host_transfer import HostBuffer

SUBSET_DEVICES = frozenset({"cuda"})
"""Kinds of device whose rows are shortened; a processor's are on the host already."""
NUM_COLUMNS = 1024
"""Columns of a row that are handed over: more than survive, the penalty window included
(dice.draft_tokens_of)."""


class DraftScores:
    """Brings draft logits to the host.

    vocabulary: the token of each column, ascending; None: columns are tokens.
    """

    def __init__(self, vocabulary: npt.NDArray[np.int64] | None = None) -> None:
        self._vocabulary = vocabulary
        self._buffer = HostBuffer()

    @torch.inference_mode()
    def rows(self, logits: Tensor) -> list[DraftRow]:
        """Return rows of draft logits on the host, which waits for them. logits: (rows, columns) float32."""
        num_columns = min(NUM_COLUMNS, logits.shape[1])
        if logits.device.type not in SUBSET_DEVICES:
            return [DraftRow(row, self._vocabulary) for row in logits.cpu().numpy()]
        best = logits.topk(num_columns)
        packed = torch.cat([best.indices.int(), best.values.view(torch.int32)], dim=1)
        # copies: the buffer is used again before a draft is over
        return [self._row(numbers.copy(), num_columns) for numbers in self._buffer.fetch(packed).numpy()]

    def _row(self, numbers: npt.NDArray[np.int32], count: int) -> DraftRow:
        columns, logits = numbers[:count].astype(np.int64), numbers[count:].view(np.float32)
        order = columns.argsort()
        columns = columns[order]
        return DraftRow(logits[order], columns if self._vocabulary is None else self._vocabulary[columns])
