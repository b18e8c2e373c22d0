"""The real model that comes with Quire: its text becomes the tokens that its own tokenizer makes of it."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import sys
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer

from quire_engine.catalog.gguf_files import GgufSource, inspect_gguf
from quire_engine.catalog.gguf_header import read_gguf_header
from quire_engine.drafting import background_ngrams
from quire_engine.importing.gguf_tokenizer import tokenizer_files
from quire_engine.importing.model_import import import_model
from quire_engine.models import loading
from quire_engine.models.end_of_text import end_of_text_ids
from quire_resources import ADAPTERS

_FILE = Path(sys.prefix, "share", "quire", "models", "SmolLM2-135M-Instruct.Q4_1.gguf")
_NEEDED = pytest.mark.skipif(not _FILE.is_file(), reason="packaging/bootstrap.py has not fetched SmolLM2")
_MIXTURE = (
    "The ferry left the quay at dusk “You are late,” said he — it’s don't I'LL we've 1,234.56 7:30 a.m. "
    "naïve émigré Ωμέγα 中文字 🙂 … ‘well’ #@$%^&*()_+={}[]|\\:;\"'<>,.?/~` 0x1F <|im_end|> St. Mary's "
    "(1889) co-operate x²+y² ½ \ufb01ne \u200b \u00a0 e\u0301"
)
_BETWEEN = [" "] * 12 + ["  ", "\n", "\n\n", "\t", " \n", "\r\n", "   ", ""]
# made with the tokenizer that the model's makers publish, by the library's own reading of it
_NUM_TOKENS = 12_319
_DIGEST = "31b8929df9229572ca528529cc9d43237930a66359b62ebf458d4c0d4b2a8388"
_SENTENCE = "“You are late,” said Dr. Hale; it wasn’t 7:30 yet.\n\nHe’d counted 1,889 lamps…"
_SENTENCE_IDS = [
    1585, 2683, 359, 3008, 1447, 1137, 2503, 30, 30949, 43, 357, 5603, 417, 100, 216, 39, 42, 35, 32, 2408,
    30, 198, 198, 3681, 417, 84, 17288, 216, 33, 28, 40, 40, 41, 20067, 2829,
]  # fmt: skip
_OPENING = "She had lived in France all her life, so she knew that its capital is"


def long_text() -> str:
    dice, text, words = random.Random(17), "", _MIXTURE.split(" ")
    while len(text) < 20_000:
        text += dice.choice(words) + dice.choice(_BETWEEN)
    return text


@_NEEDED
def test_its_text_becomes_the_tokens_of_its_makers(tmp_path: Path) -> None:
    content = tokenizer_files(read_gguf_header(_FILE)).tokenizer
    tokenizer = Tokenizer.from_str(json.dumps(content))
    tokenizer.encode_special_tokens = True
    assert tokenizer.encode(_SENTENCE).ids == _SENTENCE_IDS
    text = long_text()
    ids = tokenizer.encode(text).ids
    assert len(ids) == _NUM_TOKENS
    assert hashlib.sha256(" ".join(map(str, ids)).encode()).hexdigest() == _DIGEST
    assert tokenizer.decode(ids) == text


@_NEEDED
def test_its_phrases_come_with_it(tmp_path: Path) -> None:
    text = json.dumps(tokenizer_files(read_gguf_header(_FILE)).tokenizer, ensure_ascii=False) + "\n"
    digest = hashlib.sha256(text.encode()).hexdigest()
    shutil.copyfile(ADAPTERS / f"ngrams-{digest[:12]}.npz", tmp_path / "ngrams.npz")
    table = background_ngrams.find(tmp_path, digest, 49_152)
    assert table is not None
    likely = table.probabilities([1137])  # after " said"
    assert 0.5 < sum(likely.values()) <= 1.01


@_NEEDED
def test_it_is_imported_with_its_marks_and_knows_a_city(tmp_path: Path) -> None:
    source = inspect_gguf(_FILE)
    assert isinstance(source, GgufSource)
    assert (source.licence, source.quantisation, source.is_chat) == ("apache-2.0", "Q4_1", True)
    folder = import_model(_FILE, tmp_path)
    checked = loading.inspect_folder(folder)
    assert end_of_text_ids(folder, int(checked.config.vocab_size)) == (0, 2)
    model = loading.build_model(checked, torch.bfloat16)
    tokenizer = loading.load_tokenizer(checked)
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([tokenizer.encode(_OPENING).ids])).logits
    assert tokenizer.decode([int(logits[0, -1].argmax())]) == " Paris"
