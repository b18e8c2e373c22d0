"""Every quantisation is unpacked as the gguf package unpacks it, whatever is done with the rows."""

from __future__ import annotations

import contextlib
from pathlib import Path

import gguf
import numpy as np
import numpy.typing as npt
import pytest

from quire_engine.catalog.gguf_support import QUANTISATIONS
from quire_engine.importing.model_import import import_model
from tests.engine import tiny
from tests.engine.gguf_samples import add_tokenizer
from tests.engine.stored_weights import weights_of

_HIDDEN, _HEADS, _INNER = 256, 4, 512
_SHAPES = {
    "token_embd": (tiny.VOCAB_SIZE, _HIDDEN),
    "blk.0.attn_q": (_HIDDEN, _HIDDEN),
    "blk.0.attn_k": (_HIDDEN // 2, _HIDDEN),
    "blk.0.attn_v": (_HIDDEN // 2, _HIDDEN),
    "blk.0.attn_output": (_HIDDEN, _HIDDEN),
    "blk.0.ffn_gate": (_INNER, _HIDDEN),
    "blk.0.ffn_up": (_INNER, _HIDDEN),
    "blk.0.ffn_down": (_HIDDEN, _INNER),
}
_NAMES = {
    "token_embd": "model.embed_tokens.weight",
    "blk.0.attn_q": "model.layers.0.self_attn.q_proj.weight",
    "blk.0.attn_k": "model.layers.0.self_attn.k_proj.weight",
    "blk.0.ffn_down": "model.layers.0.mlp.down_proj.weight",
}
Array = npt.NDArray[np.generic]


def packed(kind: gguf.GGMLQuantizationType, shape: tuple[int, int], dice: np.random.Generator) -> Array:
    """Return packed rows: of normal numbers where the package packs this type, or else of random bytes."""
    numbers = dice.normal(size=shape).astype(np.float32)
    if kind == gguf.GGMLQuantizationType.F64:
        return numbers.astype(np.float64)
    with contextlib.suppress(NotImplementedError):
        return np.asarray(gguf.quantize(numbers, kind))
    width = gguf.quant_shape_to_byte_shape(shape, kind)[-1]
    rows = dice.integers(0, 256, (shape[0], width), dtype=np.uint8)
    for _ in range(100):
        wild = ~np.all(np.abs(unpacked(rows, kind)) < 1e30, axis=1)
        if not wild.any():
            return rows
        rows[wild] = dice.integers(0, 256, (int(wild.sum()), width), dtype=np.uint8)
    raise AssertionError(f"no finite numbers in {kind.name}")


def unpacked(rows: Array, kind: gguf.GGMLQuantizationType) -> npt.NDArray[np.float32]:
    if kind == gguf.GGMLQuantizationType.F64:
        return rows.astype(np.float32)
    with np.errstate(all="ignore"):
        return np.asarray(gguf.dequantize(rows, kind), dtype=np.float32)


def write(file: Path, kind: gguf.GGMLQuantizationType) -> dict[str, npt.NDArray[np.float32]]:
    """Write a model of one layer whose matrices are all of one type; return their numbers."""
    dice = np.random.default_rng(int(kind))
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_context_length(tiny.CONTEXT)
    writer.add_embedding_length(_HIDDEN)
    writer.add_block_count(1)
    writer.add_feed_forward_length(_INNER)
    writer.add_head_count(_HEADS)
    writer.add_head_count_kv(_HEADS // 2)
    writer.add_layer_norm_rms_eps(1e-5)
    add_tokenizer(writer, tiny.build_tokenizer(), "gpt-2")
    numbers = {}
    for name, shape in _SHAPES.items():
        rows = packed(kind, shape, dice)
        numbers[name] = unpacked(rows, kind)
        writer.add_tensor(f"{name}.weight", rows, raw_dtype=kind)
    for name in ("blk.0.attn_norm", "blk.0.ffn_norm", "output_norm"):
        writer.add_tensor(f"{name}.weight", np.ones(_HIDDEN, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return numbers


def halves(numbers: npt.NDArray[np.float32], heads: int) -> npt.NDArray[np.float32]:
    """Return rows with the even ones of each head before its odd ones."""
    each = np.split(numbers, heads)
    return np.concatenate([part for head in each for part in (head[0::2], head[1::2])])


@pytest.mark.parametrize("name", sorted(QUANTISATIONS))
def test_every_quantisation_is_unpacked_as_the_package_does(name: str, tmp_path: Path) -> None:
    numbers = write(tmp_path / "m.gguf", gguf.GGMLQuantizationType[name])
    folder = import_model(tmp_path / "m.gguf", tmp_path / "imported")
    weights = weights_of(folder)
    numbers["blk.0.attn_q"] = halves(numbers["blk.0.attn_q"], _HEADS)
    numbers["blk.0.attn_k"] = halves(numbers["blk.0.attn_k"], _HEADS // 2)
    for short, long in _NAMES.items():
        assert np.array_equal(weights[long].numpy(), numbers[short], equal_nan=True), long


def test_every_type_that_the_package_unpacks_is_offered() -> None:
    dice = np.random.default_rng(0)
    readable = set()
    for kind in gguf.GGMLQuantizationType:
        _, size = gguf.GGML_QUANT_SIZES[kind]
        with contextlib.suppress(NotImplementedError), np.errstate(all="ignore"):
            gguf.dequantize(dice.integers(0, 256, (2, size), dtype=np.uint8), kind)
            readable.add(kind.name)
    assert readable | {"F64"} == QUANTISATIONS
