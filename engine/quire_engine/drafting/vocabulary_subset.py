"""Copy draft logits to the host: whole rows from a CPU, the best columns from a GPU.

Draft tokens are chosen on the host with the rules and noise of `draft_sampling`, from what truncation keeps
of a row. `NUM_COLUMNS` of a row nearly always contain that, and then the draft tokens equal those of the
whole row; otherwise only unlikely draft tokens are lost. So nothing as wide as the vocabulary is copied.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.drafting.draft_sampling import DraftRow
from quire_engine.models.host_transfer import HostBuffer

SUBSET_DEVICES = frozenset({"cuda"})
"""Device types whose rows are shortened; a CPU's rows are on the host already."""
NUM_COLUMNS = 1024
"""Columns copied per row: more than truncation keeps, the penalty window included (`draft_sampling`)."""


class DraftScores:
    """Copies draft logits to the host.

    vocabulary: the token of each column, ascending; None: columns are token ids.
    """

    def __init__(self, vocabulary: npt.NDArray[np.int64] | None = None) -> None:
        self._vocabulary = vocabulary
        self._buffer = HostBuffer()

    @torch.inference_mode()
    def rows(self, logits: Tensor) -> list[DraftRow]:
        """Return rows of draft logits on the host; blocks until they are copied. logits: (rows, columns)
        float32.
        """
        num_columns = min(NUM_COLUMNS, logits.shape[1])
        if logits.device.type not in SUBSET_DEVICES:
            return [DraftRow(row, self._vocabulary) for row in logits.cpu().numpy()]
        best = logits.topk(num_columns)
        packed = torch.cat([best.indices.int(), best.values.view(torch.int32)], dim=1)
        # copied: the buffer is reused within a draft
        return [self._row(numbers.copy(), num_columns) for numbers in self._buffer.fetch(packed).numpy()]

    def _row(self, numbers: npt.NDArray[np.int32], count: int) -> DraftRow:
        columns, logits = numbers[:count].astype(np.int64), numbers[count:].view(np.float32)
        order = columns.argsort()
        columns = columns[order]
        return DraftRow(logits[order], columns if self._vocabulary is None else self._vocabulary[columns])
