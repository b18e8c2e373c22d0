"""TargetModel over a network and a KV store: lays out passes, runs them, commits what was accepted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from quire_engine.api.config import FIRST_SLOTS, CacheForm
from quire_engine.cache.kv_formats import FORMS
from quire_engine.cache.kv_store import KVStore
from quire_engine.gpu.static_decoder import DecodeBackend, StaticDecoder, rows_for
from quire_engine.models.attention import BLOCK, DecodePass, PrefillPass, running
from quire_engine.models.host_transfer import to_device
from quire_engine.models.network import FusedDecoder, Network, last_states
from quire_engine.models.open_block import lay_out_tails


class PassRunner:
    """Runs passes of one fixed width over its own KV store.

    Args:
        context_length: positions that may be used; a multiple of BLOCK.
        padded: every decode pass has `width` rows, so that a token gets the same bits in each of them (engine
            design, section 1); off, it has as many rows as nodes, which is faster and rounds differently from
            pass to pass.
        fast: a faster way to run passes, which the load found to be good; None: the way that every device
            knows.
        form: how keys and values are kept; a fast way knows only "full".

    Attributes:
        record_queries: keep the queries of decode passes, for the partial cache.
    """

    def __init__(
        self,
        network: Network,
        width: int,
        context_length: int,
        *,
        padded: bool = True,
        fast: DecodeBackend | None = None,
        form: CacheForm = "full",
    ) -> None:
        if context_length % BLOCK:
            raise ValueError(f"context_length must be a multiple of {BLOCK}, got {context_length}")
        self._network = network
        self._width = width
        self._context_length = context_length
        self._padded = padded
        self._form: CacheForm = form
        self._hidden = torch.zeros(0)
        self._before_norm: Tensor | None = None
        self._keeps_before_norm = False
        self._state_width = 0
        self._queries: list[Tensor] = []
        self._last_node = 0
        self.record_queries = False
        self._store = KVStore(network.num_layers, min(context_length, FIRST_SLOTS) + width, FORMS[form])
        self._slots = np.zeros((width, BLOCK), dtype=np.int64)
        self._bias = np.zeros((width, BLOCK), dtype=np.float32)
        self._fast = fast
        self._static = None if fast is None else StaticDecoder(network, self._store, width, fast)

    @property
    def width(self) -> int:
        """Rows of every decode pass."""
        return self._width

    @property
    def length(self) -> int:
        """Tokens read and committed."""
        return self._store.length

    @property
    def context_length(self) -> int:
        """Positions that it can hold."""
        return self._context_length

    @property
    def padded(self) -> bool:
        """Whether every decode pass has the full width."""
        return self._padded

    @property
    def fast(self) -> DecodeBackend | None:
        """The decode backend, if it is not the portable one."""
        return self._fast

    @property
    def reads_alike(self) -> bool:
        """No: sums of floats depend on the shape of a pass."""
        return False

    @property
    def kernels(self) -> str:
        """Name of the decode backend, if it is not the portable one."""
        return "" if self._fast is None else self._fast.name

    @property
    def form(self) -> CacheForm:
        """Format of the KV cache."""
        return self._form

    @property
    def last_node(self) -> int:
        """The node of the last decode pass at the end of the path that was kept."""
        return self._last_node

    @property
    def queries(self) -> list[Tensor]:
        """Rotated queries of the last decode pass by layer, (heads, rows, dim); see record_queries."""
        return self._queries

    @property
    def network(self) -> Network:
        """The model itself; drafters borrow its embeddings and its head."""
        return self._network

    @property
    def hidden(self) -> Tensor:
        """Last hidden states of the last pass, final norm applied: (its tokens or nodes, width)."""
        return self._hidden

    @property
    def store(self) -> KVStore:
        """The KV cache."""
        return self._store

    def raw_states(self, nodes: Sequence[int]) -> Tensor:
        """Return copies of these nodes' hidden states, and beside them those before the norm where they are
        kept; a chain needs no copy of indexes to the device."""
        parts = [self._hidden] if self._before_norm is None else [self._hidden, self._before_norm]
        if list(nodes) == list(range(len(nodes))):
            return torch.cat([part[: len(nodes)] for part in parts], dim=-1)
        places = to_device(nodes, self._hidden.device)
        return torch.cat([part.index_select(0, places) for part in parts], dim=-1)

    def states(self, raw: Tensor) -> Tensor:
        """Return these hidden states: a pass computes them anyway."""
        return raw[:, : self._state_width] if self._keeps_before_norm else raw

    def before_norm(self, raw: Tensor) -> Tensor | None:
        """Return the last states before the final norm that belong to these rows."""
        return raw[:, self._state_width :] if raw.shape[-1] == 2 * self._state_width else None

    def keep_before_norm(self) -> bool:
        """Keep them from now on; only the fused form shows them."""
        self._keeps_before_norm = isinstance(self._network, FusedDecoder)
        return self._keeps_before_norm

    def scores(self, first: int, last: int) -> Tensor:
        """Return the logits of rows [first, last) of the last pass, float32 (rows, vocab)."""
        return self._network.logits(self._hidden[first:last])

    def with_own_cache(self, num_copied: int = 0) -> PassRunner:
        """Return a runner of the same model whose cache has only copies of the first positions."""
        other = PassRunner(
            self._network,
            self._width,
            self._context_length,
            padded=self._padded,
            fast=self._fast,
            form=self._form,
        )
        if num_copied:
            other.store.copy_from(self._store, num_copied)
        return other

    def reset(self) -> None:
        """Forget everything that was read, but keep the memory."""
        self._store.truncate(0)
        self._queries, self._last_node = [], 0

    def rewind(self, length: int) -> None:
        """Forget every position from `length` on; ValueError when fewer are held."""
        self._store.truncate(length)
        self._queries, self._last_node = [], 0

    def release(self) -> None:
        """Forget everything that was read and free its memory."""
        self._queries, self._last_node, self._hidden, self._before_norm = [], 0, torch.zeros(0), None
        if self._static is not None:
            self._static.forget()
        self._store.release()
        if self._network.device.type == "cuda":
            torch.cuda.empty_cache()

    @torch.inference_mode()
    def prefill(self, token_ids: Sequence[int]) -> None:
        """Read one chunk of known tokens and commit it."""
        start, count = self._store.length, len(token_ids)
        self._store.reserve(start + count)
        device = self._network.device
        positions = torch.arange(start, start + count, device=device)
        with running(PrefillPass(self._store, flash=self._fast is not None)):
            self._take(*last_states(self._network, torch.tensor(list(token_ids), device=device), positions))
        self._store.commit(range(count))

    @torch.inference_mode()
    def decode(self, token_ids: Sequence[int], parents: Sequence[int]) -> Tensor:
        """Score a tree in one pass: float32 logits (nodes, vocab). Node 0 is the root, parents[0] is -1."""
        count = len(token_ids)
        if not 1 <= count <= self._width:
            raise ValueError(f"a pass takes 1 to {self._width} nodes, got {count}")
        start = self._store.length
        self._store.reserve(start + self._width)
        if self._static is not None:
            return self._decode_statically(self._static, token_ids, parents)
        rows = self._width if self._padded else count
        positions = self._lay_out(start, parents, rows)
        device = self._network.device
        ids = [*token_ids, *[0] * (rows - count)]
        pass_ = DecodePass(
            self._store,
            torch.from_numpy(self._slots[:count]).to(device),
            torch.from_numpy(self._bias[:count]).to(device),
            queries=[] if self.record_queries else None,
        )
        with running(pass_):
            before_norm, hidden = last_states(
                self._network, torch.tensor(ids, device=device), torch.tensor(positions, device=device)
            )
        self._take(None if before_norm is None else before_norm[:count], hidden[:count])
        self._queries = pass_.queries or []
        # all rows, not only the real ones: the shape of a product decides how it rounds
        return self._network.logits(hidden)[:count]

    def _decode_statically(
        self, static: StaticDecoder, token_ids: Sequence[int], parents: Sequence[int]
    ) -> Tensor:
        count = len(token_ids)
        scored = static.decode(token_ids, parents, rows_for(count, self._width, padded=self._padded))
        # copies: whoever keeps them would otherwise see the next pass in them
        self._take(scored.before_norm[:count], scored.hidden[:count].clone(), is_buffer=True)
        self._queries = scored.queries if self.record_queries else []
        return scored.logits[:count].clone()

    def _take(self, before_norm: Tensor | None, hidden: Tensor, *, is_buffer: bool = False) -> None:
        """Remember the last states of a pass. is_buffer: the next pass overwrites those before the norm."""
        self._hidden, self._state_width = hidden, hidden.shape[-1]
        self._before_norm = before_norm if self._keeps_before_norm else None
        if is_buffer and self._before_norm is not None:
            self._before_norm = self._before_norm.clone()

    @torch.inference_mode()
    def commit(self, nodes: Sequence[int]) -> None:
        """Keep these nodes of the last decode pass, a path from the root."""
        in_order = range(len(nodes))
        if self._static is None:
            self._store.commit(nodes)
        else:
            if list(nodes) != list(in_order):
                self._static.keep(nodes)
            self._store.commit(in_order)
        self._last_node = nodes[-1] if nodes else 0

    def _lay_out(self, start: int, parents: Sequence[int], rows: int) -> list[int]:
        """Fill the nodes' open_block rows; return the positions of all rows. Padding rows are lone roots."""
        in_block = start % BLOCK
        ends = lay_out_tails(self._slots, start, parents)
        self._bias[: len(ends), :in_block] = 0
        self._bias[: len(ends), in_block:] = -np.inf
        positions = [start] * rows
        for row, end in enumerate(ends):
            self._bias[row, in_block:end] = 0
            positions[row] = start - in_block + end - 1
        return positions
