"""Tokenizers from GGUF metadata: the ids are llama.cpp's, and pieces are merged as SentencePiece merges."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import gguf
import numpy as np
import pytest
from tokenizers import Tokenizer

from quire_engine.catalog.gguf_header import GgufHeader, read_gguf_header
from quire_engine.catalog.gguf_support import PRE_TOKENIZERS
from quire_engine.importing.gguf_tokenizer import tokenizer_files
from quire_engine.importing.rope_factors import llama3_scaling
from tests.engine.importing.tokenizer_ids import IDS_FILE, PAGE, PIECES, page_for, write_vocabulary

_PIECES = (
    "▁the",
    "▁t",
    "he",
    "▁a",
    "th",
    "er",
    "in",
    "▁w",
    "re",
    "on",
    "▁th",
    "▁he",
    "wa",
    "▁wa",
    "ter",
    "wat",
    "▁water",
)


_IDS = json.loads(IDS_FILE.read_text(encoding="utf-8"))["ids"]
_WANTED = {name: each["ids"] for each in _IDS for name in each["names"]}


@pytest.mark.parametrize("name", [*PIECES, *PRE_TOKENIZERS])
def test_a_page_becomes_the_ids_that_llama_cpp_makes_of_it(tmp_path: Path, name: str) -> None:
    ids, text = ids_of(write_vocabulary(tmp_path, name), page_for(name))
    assert ids == _WANTED[name]
    if name != PIECES[1]:  # that one puts a space after every piece that is matched as it is
        assert text == page_for(name)


def test_the_page_becomes_the_ids_of_the_real_models(smollm2_file: Path, gemma_file: Path) -> None:
    for file in (smollm2_file, gemma_file):
        assert ids_of(file, PAGE) == (_WANTED[file.stem], PAGE)


def ids_of(file: Path, page: str) -> tuple[str, str]:
    """Return the ids of a page, and the text that comes back from them."""
    tokenizer = Tokenizer.from_str(json.dumps(tokenizer_files(read_gguf_header(file)).tokenizer))
    tokenizer.encode_special_tokens = True
    ids = tokenizer.encode(page).ids
    return " ".join(map(str, ids)), tokenizer.decode(ids)


def pieces_header(file: Path, *, prefixed: bool) -> tuple[GgufHeader, dict[str, float]]:
    """Write a SentencePiece tokenizer; return its header and the scores of its pieces."""
    letters = sorted(set("▁thewaringosdmul,."))
    tokens = ["<unk>", "<s>", "</s>", *[f"<0x{byte:02X}>" for byte in range(256)], *_PIECES, *letters]
    kind = gguf.TokenType
    kinds = [kind.UNKNOWN, kind.CONTROL, kind.CONTROL, *[kind.BYTE] * 256]
    kinds += [kind.NORMAL] * (len(tokens) - len(kinds))
    scores = [0.0] * 259 + [-float(number) for number in range(len(tokens) - 259)]
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores(scores)
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_space_prefix(prefixed)
    writer.add_tensor("token_embd.weight", np.zeros((len(tokens), 8), dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return read_gguf_header(file), dict(zip(tokens[259:], scores[259:], strict=True))


def merged(text: str, scores: dict[str, float]) -> list[str]:
    """Merge as SentencePiece does: the pair with the best score first, the leftmost among equals."""
    parts = list(text)
    while True:
        pairs = [
            (scores[left + right], -place)
            for place, (left, right) in enumerate(itertools.pairwise(parts))
            if left + right in scores
        ]
        if not pairs:
            return parts
        place = -max(pairs)[1]
        parts[place : place + 2] = [parts[place] + parts[place + 1]]


@pytest.mark.parametrize("prefixed", [True, False])
def test_pieces_are_merged_by_their_scores(tmp_path: Path, prefixed: bool) -> None:
    header, scores = pieces_header(tmp_path / "m.gguf", prefixed=prefixed)
    tokenizer = Tokenizer.from_str(json.dumps(tokenizer_files(header).tokenizer))
    dice = random.Random(3)
    for _ in range(200):
        text = "".join(dice.choice(("the ", "water", "there ", "a", "ring ", "whether", ", ", "moon. ", "s"))
                       for _ in range(dice.randint(1, 12)))  # fmt: skip
        encoding = tokenizer.encode(text)
        start, *pieces = encoding.tokens
        assert start == "<s>"
        wanted = ("▁" if prefixed else "") + text.replace(" ", "▁")
        assert pieces == merged(wanted, scores)
        assert tokenizer.decode(encoding.ids) == text
    strange = "water in Łódź 🙂"
    assert tokenizer.decode(tokenizer.encode(strange).ids) == strange


@pytest.mark.parametrize(
    ("factor", "low", "high", "trained"),
    [(8.0, 1.0, 4.0, 8192), (32.0, 1.0, 4.0, 8192), (16.0, 1.0, 6.0, 5000)],
)
def test_llama_3_scaling_is_recovered_from_its_factors(
    factor: float, low: float, high: float, trained: int
) -> None:
    base, dim = 500_000.0, 128
    factors = []
    for pair in range(0, dim, 2):
        wave = 2 * np.pi * base ** (pair / dim)
        if wave < trained / high:
            factors.append(1.0)
        elif wave > trained / low:
            factors.append(factor)
        else:
            share = (trained / wave - low) / (high - low)
            factors.append(1 / ((1 - share) / factor + share))
    numbers = np.array(factors, dtype=np.float32).astype(np.float64)
    found = llama3_scaling(numbers, base, dim)
    assert found is not None
    assert found["rope_type"] == "llama3"
    assert found["factor"] == factor
    assert found["original_max_position_embeddings"] == pytest.approx(trained, abs=2)
    assert found["high_freq_factor"] == pytest.approx(high, abs=0.01)
    assert llama3_scaling(numbers[::-1].copy(), base, dim) is None
    assert llama3_scaling(np.ones(dim // 2), base, dim) == {"rope_type": "default"}
