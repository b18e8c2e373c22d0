"""A page that is hard to divide, and the ids that llama.cpp makes of it: `tests/data/tokenizer-ids.json`.

`python -m tests.engine.importing.tokenizer_ids PYTHON FILE ...` asks llama.cpp anew; PYTHON is one with
llama-cpp-python, and FILEs are the real models. Every pre-tokenizer, too, gets a vocabulary, which was made
of the page without regard to words, so that its ids show where the page was divided.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import gguf

from quire_engine.catalog.gguf_support import PRE_TOKENIZERS

IDS_FILE = Path(__file__).parents[2] / "data" / "tokenizer-ids.json"
_LIBRARY: Any = importlib.import_module("transformers.convert_slow_tokenizer")  # it carries no types
PIECES = ("pieces", "pieces after a space")
"""Made-up vocabularies of the other kind, SentencePiece's; the second one begins every text with a space."""
PAGE: str = json.loads(IDS_FILE.read_text(encoding="utf-8"))["page"]
_COMPOSED = ("deepseek-r1-qwen", "kormo", "megrez", "olmo", "qwen2", "qwen35")
_USER_DEFINED = ("  ", "    ", "\n\n", "<b>", "</b>")
_UNMERGED = ("\u0120camelCaseWord", "\u0120lamps", "Word")
"""Entries that no merge makes: some tokenizers take them as they are."""
_JUDGE = """
import json, sys
from llama_cpp import Llama
found = {}
for name, (file, page) in json.load(sys.stdin).items():
    model = Llama(file, vocab_only=True, verbose=False)
    found[name] = model.tokenize(page.encode(), add_bos=True, special=False)
json.dump(found, sys.stdout)
"""


def page_for(name: str) -> str:
    """Return the page as a vocabulary is asked for it, without that in which llama.cpp and its makers differ.

    Some makers compose characters first, which llama.cpp leaves out. Those of deepseek-llm take digits apart.
    """
    if name in _COMPOSED:
        return unicodedata.normalize("NFC", PAGE)
    if name == "deepseek-llm":
        return "".join(letter for letter in PAGE if not unicodedata.category(letter).startswith("N"))
    return PAGE


def write_vocabulary(folder: Path, name: str) -> Path:
    """Write a file with a made-up vocabulary and no weights; name: a pre-tokenizer, or one of PIECES."""
    file = folder / f"{name}.gguf"
    writer = gguf.GGUFWriter(file, "llama")
    for add in (writer.add_context_length, writer.add_embedding_length, writer.add_feed_forward_length):
        add(256)
    writer.add_block_count(1)
    writer.add_head_count(1)
    writer.add_layer_norm_rms_eps(1e-5)
    if name in PIECES:
        _add_pieces(writer, after_a_space=name == PIECES[1])
    else:
        _add_bytes(writer, name)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    writer.close()
    return file


def _add_bytes(writer: gguf.GGUFWriter, name: str) -> None:
    letters: dict[int, str] = _LIBRARY.bytes_to_unicode()
    merges = _merges("".join(letters[each] for each in PAGE.encode()))
    tokens = list(dict.fromkeys([*letters.values(), *("".join(pair) for pair in merges)]))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(name)
    tokens += [word for word in _UNMERGED if word not in tokens]
    writer.add_token_list([*tokens, "<|start|>", "<|endoftext|>"])
    writer.add_token_types([gguf.TokenType.NORMAL] * len(tokens) + [gguf.TokenType.CONTROL] * 2)
    writer.add_token_merges([" ".join(pair) for pair in merges])
    writer.add_bos_token_id(len(tokens))
    writer.add_eos_token_id(len(tokens) + 1)


def _add_pieces(writer: gguf.GGUFWriter, *, after_a_space: bool) -> None:
    text = PAGE.replace(" ", "\u2581")
    letters = sorted(set(text) - set("\n🙂漢"))  # those are left to bytes
    made = ["".join(pair) for pair in _merges(text)]
    normal = [piece for piece in dict.fromkeys([*letters, *made]) if set(piece) <= set(letters)]
    kinds = {"<unk>": gguf.TokenType.UNKNOWN, "<s>": gguf.TokenType.CONTROL, "</s>": gguf.TokenType.CONTROL}
    kinds |= dict.fromkeys((f"<0x{byte:02X}>" for byte in range(256)), gguf.TokenType.BYTE)
    kinds |= dict.fromkeys(normal, gguf.TokenType.NORMAL)
    kinds |= dict.fromkeys(_USER_DEFINED, gguf.TokenType.USER_DEFINED)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(list(kinds))
    writer.add_token_scores([-float(number) for number in range(len(kinds))])
    writer.add_token_types(list(kinds.values()))
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_space_prefix(after_a_space)


@cache
def _merges(text: str, count: int = 1200) -> tuple[tuple[str, str], ...]:
    """Return what is merged, the most frequent pair first, across whatever divides words."""
    found: list[tuple[str, str]] = []
    parts = list(text)
    while len(found) < count and len(parts) > 1:
        pairs = Counter(pairwise(parts))
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        found.append(best)
        merged: list[str] = []
        for part in parts:
            if merged and (merged[-1], part) == best:
                merged[-1] += part
            else:
                merged.append(part)
        parts = merged
    return tuple(found)


def main(python: str, files: Sequence[Path]) -> None:
    """Ask llama.cpp for the ids of every vocabulary, and write those that differ once."""
    with tempfile.TemporaryDirectory() as folder:
        made = [write_vocabulary(Path(folder), name) for name in (*PIECES, *PRE_TOKENIZERS)]
        asked = {each.stem: (str(each), page_for(each.stem)) for each in (*made, *files)}
        command = [python, "-c", _JUDGE]
        done = subprocess.run(command, input=json.dumps(asked), stdout=subprocess.PIPE, text=True, check=True)
    names: dict[str, list[str]] = {}
    for name, ids in json.loads(done.stdout).items():
        names.setdefault(" ".join(map(str, ids)), []).append(name)
    content = {"page": PAGE, "ids": [{"names": each, "ids": ids} for ids, each in names.items()]}
    IDS_FILE.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], [Path(each) for each in sys.argv[2:]])
