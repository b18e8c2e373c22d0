"""The weights of a GGUF model by the names of its family, without reading them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from quire_engine.catalog.gguf_files import GgufSource
from quire_engine.catalog.gguf_header import GgufTensor
from quire_engine.catalog.rejection import ModelRejected, RejectionKind
from quire_engine.catalog.weights.file_tensor import FileTensor, StoredTensor
from quire_engine.catalog.weights.gguf_names import pieces_of
from quire_engine.catalog.weights.row_plan import Piece


def gguf_tensors(source: GgufSource, config: Mapping[str, Any]) -> dict[str, FileTensor]:
    """Return the weights of all parts of a file; ModelRejected where it has some that the family hasn't.

    config: what the importer makes of its metadata.
    """
    found: dict[str, FileTensor] = {}
    for part in source.parts:
        for tensor in part.tensors:
            for name, weight in _weights(part.file, tensor, config):
                if name in found:
                    raise ModelRejected(RejectionKind.DAMAGED, "Two parts of this file are the same weight.")
                found[name] = weight
    return found


def _weights(file: Path, tensor: GgufTensor, config: Mapping[str, Any]) -> Iterator[tuple[str, FileTensor]]:
    first = 0  # row of the tensor
    for piece in pieces_of(tensor, config):
        yield piece.name, _weight(file, tensor, piece, first)
        first += piece.num_rows


def _weight(file: Path, tensor: GgufTensor, piece: Piece, first: int) -> FileTensor:
    if len(tensor.shape) == 1:  # it may be packed in blocks, so that it is read whole
        order = piece.order if len(piece.shape) == 1 else None
        if first or piece.num_rows != tensor.count:
            order = first + (np.arange(piece.num_rows) if order is None else order)
        start, num_bytes = tensor.start, tensor.num_bytes
    else:
        row_bytes = tensor.num_bytes * tensor.shape[-1] // tensor.count
        order = piece.order
        start, num_bytes = tensor.start + first * row_bytes, piece.num_rows * row_bytes
    return StoredTensor(
        tensor.type_name, piece.shape, num_bytes, file, start, tensor.type_id, order, piece.added
    )
