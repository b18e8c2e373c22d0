"""Damage model folders at random: looking at one must always end in facts or in a sentence.

`python -m tests.proofs.engine.model_folder_fuzzer FOLDER --count N`
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import struct
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quire_engine.catalog.inspection import inspect_folder
from quire_engine.catalog.rejection import Rejection

_WEIGHTS = "model.safetensors"
_INDEX = "model.safetensors.index.json"
_ODD: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 3, 2.5, 1e308, 10**12, 10**30, "", "x", "..", "\0", "é" * 300, [], [1], [[]],
    ["sliding_attention"] * 2, {}, {"a": 1}, {"rope_type": "longrope"}, {"rope_type": "yarn", "factor": "x"},
    {"type": "linear", "factor": 2.0}, {"rope_type": 7}, {"full_attention": {"rope_type": "odd"}},
)  # fmt: skip
_TRICKS = ("../model.safetensors", "/etc/passwd", "..", ".", "a/b.safetensors", "C:\\x", "pytorch_model.bin",
           "\0", "absent.safetensors", 3, None, "x" * 5000, "n\n.safetensors", "//h/x")  # fmt: skip
_TEXTS = (b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 50_000, b"1" * 5000, b'"x"',
          b"version https://git-lfs.github.com/spec/v1\n", b"<!DOCTYPE html>", b'{"a":1,"a":2}')  # fmt: skip
_LINKED = ("config.json", "tokenizer.json", "tokenizer_config.json", "chat_template.jinja",
           "generation_config.json", "README.md", _WEIGHTS, _INDEX)  # fmt: skip


@dataclass(slots=True)
class FuzzResult:
    """What became of the folders. faults: exceptions and unfit sentences, with the damage that led there."""

    accepted: int = 0
    refused: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def mutate(
    source: Path, work: Path, count: int, seed: int = 0, seen: Callable[[Path, object], None] | None = None
) -> FuzzResult:
    """Damage so many copies of a model folder and look at each. seen: told of every folder and answer."""
    outcome = FuzzResult()
    (work / "outside").write_bytes(b"{}")
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        folder = work / "mutated"
        shutil.copytree(source, folder)
        damages = [rng.choice(_DAMAGES) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
        said = ", ".join(damage.__name__.strip("_") for damage in damages)
        try:
            for damage in damages:
                with contextlib.suppress(OSError):  # an earlier one may have taken the file away
                    damage(folder, rng)
            _judge(folder, f"{number} ({said})", outcome, seen)
        finally:
            _remove(folder)
    return outcome


def _judge(
    folder: Path, label: str, outcome: FuzzResult, seen: Callable[[Path, object], None] | None
) -> None:
    try:
        found = inspect_folder(folder)
    except Exception as error:  # noqa: BLE001  whatever it is, it is the fault that is looked for
        outcome.faults.append(f"{label}: {error!r:.300}")
        return
    if seen is not None:
        seen(folder, found)
    if not isinstance(found, Rejection):
        outcome.accepted += 1
        return
    outcome.refused += 1
    outcome.kinds[found.fault.value] = outcome.kinds.get(found.fault.value, 0) + 1
    sentence = found.sentence
    if not (sentence.isprintable() and 20 < len(sentence) < 400 and sentence.endswith(".")):
        outcome.faults.append(f"{label}: the sentence {sentence!r:.500}")


# ---------------------------------------------------------------- ways to damage a folder
def _config_value(folder: Path, rng: random.Random) -> None:
    _change_json(folder / "config.json", rng, lambda found: _with(found, rng))


def _text_config_value(folder: Path, rng: random.Random) -> None:
    """Change the language model's part of a configuration, or make a part of an ordinary one."""

    def changed(found: Any) -> Any:
        inner = found.get("text_config")
        if not isinstance(inner, dict):
            outer = rng.choice(("gemma3", "gemma4", "llava", "mistral3", "qwen2_vl", "qwen3_vl"))
            return {"model_type": outer, "text_config": found}
        if rng.random() < 0.3:
            return found | {"text_config": {key: inner[key] for key in sorted(inner) if rng.random() < 0.9}}
        return found | {"text_config": _with(inner, rng)}

    _change_json(folder / "config.json", rng, changed)


def _config_key_gone(folder: Path, rng: random.Random) -> None:
    def without(found: Any) -> Any:
        if isinstance(found, dict) and found:
            del found[rng.choice(sorted(found))]
        return found

    _change_json(folder / "config.json", rng, without)


def _config_type(folder: Path, rng: random.Random) -> None:
    types = ("gemma", "qwen2", "mixtral", "phi3", "gpt_neox", "bert", "mamba", "x", "../x", "", "llama\n",
             "gemma3", "gemma3n_text", "gemma4", "gemma4_text", "gpt_oss", "qwen2_vl")  # fmt: skip
    _change_json(folder / "config.json", rng, lambda found: found | {"model_type": rng.choice(types)})


def _config_program(folder: Path, rng: random.Random) -> None:
    program = {"AutoModelForCausalLM": "modeling_x.X"}
    _change_json(folder / "config.json", rng, lambda found: found | {"auto_map": program})


def _any_text(folder: Path, rng: random.Random) -> None:
    _put(folder, rng.choice(("config.json", "tokenizer.json", "tokenizer_config.json", _INDEX)), rng)


def _put(folder: Path, name: str, rng: random.Random) -> None:
    (folder / name).unlink(missing_ok=True)
    (folder / name).write_bytes(rng.choice(_TEXTS))


def _bytes_changed(folder: Path, rng: random.Random) -> None:
    file = _some_file(folder, rng)
    if file is None or not (content := bytearray(file.read_bytes())):
        return
    for _ in range(rng.choice((1, 3, 40))):
        content[rng.randrange(min(len(content), 4000))] = rng.randrange(256)
    file.write_bytes(content)


def _cut(folder: Path, rng: random.Random) -> None:
    file = _some_file(folder, rng)
    if file is not None:
        file.write_bytes(file.read_bytes()[: rng.choice((0, 1, 7, 8, 9, 100, 1000, -1, -4))])


def _longer(folder: Path, rng: random.Random) -> None:
    file = folder / _WEIGHTS
    if _is_own(file):
        with file.open("ab") as data:
            data.write(bytes(rng.choice((1, 8, 4096))))


def _gone(folder: Path, rng: random.Random) -> None:
    file = _some_file(folder, rng)
    if file is not None:
        file.unlink()


def _header_length(folder: Path, rng: random.Random) -> None:
    file = folder / _WEIGHTS
    if _is_own(file):
        length = rng.choice((0, 1, 2, 8, 100, 1 << 20, 1 << 40, (1 << 64) - 1))
        file.write_bytes(struct.pack("<Q", length) + file.read_bytes()[8:])


def _header_entry(folder: Path, rng: random.Random) -> None:
    def changed(table: dict[str, Any]) -> None:
        names = sorted(name for name in table if name != "__metadata__")
        entry = table[rng.choice(names)] if names else None
        if not isinstance(entry, dict):
            return
        key = rng.choice(("dtype", "shape", "data_offsets"))
        entry[key] = rng.choice((*_ODD, "F16", "I8", [-1, 4], [2**62, 2**62], [0, 4], [4, 0], [1] * 50))

    _change_header(folder, changed)


def _tensor_gone(folder: Path, rng: random.Random) -> None:
    _change_header(folder, lambda table: table.pop(rng.choice(sorted(table))))


def _tensor_renamed(folder: Path, rng: random.Random) -> None:
    def renamed(table: dict[str, Any]) -> None:
        name = rng.choice(sorted(table))
        table[rng.choice(("x", "model.layers.99.mlp.up_proj.weight", "\n", "é"))] = table.pop(name)

    _change_header(folder, renamed)


def _index(folder: Path, rng: random.Random) -> None:
    """Put a list of files in place of the single one, now and then one that means harm."""
    file = folder / _WEIGHTS
    if _is_own(file):
        file.rename(folder / "model-00001-of-00001.safetensors")
    names: list[Any] = ["model-00001-of-00001.safetensors", rng.choice(_TRICKS)]
    listed: Any = {f"w{number}": name for number, name in enumerate(names)}
    content: Any = rng.choice(({"weight_map": listed}, {"weight_map": names}, {"weight_map": {}}, listed, []))
    (folder / _INDEX).unlink(missing_ok=True)
    (folder / _INDEX).write_text(json.dumps(content), encoding="utf-8")


def _link(folder: Path, rng: random.Random) -> None:
    """Put a link that leads outside, in a circle or to a device in the place of a file."""
    name = rng.choice(_LINKED)
    file = folder / name
    target = rng.choice((name, "../outside", "../absent", "absent", "/dev/zero", ".."))
    file.unlink(missing_ok=True)
    try:
        os.symlink(target, file)
    except OSError:  # not everybody may make links there
        file.write_bytes(b"")


def _pipe(folder: Path, rng: random.Random) -> None:
    """Put a pipe in the place of a file: whoever opens it waits for ever."""
    file = folder / rng.choice(_LINKED)
    file.unlink(missing_ok=True)
    if hasattr(os, "mkfifo"):
        os.mkfifo(file)


def _folder_for_file(folder: Path, rng: random.Random) -> None:
    file = _some_file(folder, rng)
    if file is not None:
        file.unlink()
        file.mkdir()


def _pickle(folder: Path, rng: random.Random) -> None:
    (folder / _WEIGHTS).unlink(missing_ok=True)
    names = ("pytorch_model.bin", "model.pt", "x.pth", "model.gguf", "adapter_config.json")
    file = folder / rng.choice(names)
    file.unlink(missing_ok=True)
    file.write_bytes(b"\x80\x04cos\nsystem\n")


def _tokenizer(folder: Path, rng: random.Random) -> None:
    def changed(found: Any) -> Any:
        if rng.random() < 0.5:
            return _with(found, rng)
        return found | {"model": _with(found.get("model"), rng)}

    _change_json(folder / "tokenizer.json", rng, changed)


def _template(folder: Path, rng: random.Random) -> None:
    source: Any = rng.choice(
        ("{% for x in range(10**9) %}x{% endfor %}", "x" * 3_000_000, "{{", "\ud800", 7, [{}])
    )
    settings = json.dumps({"chat_template": source})
    (folder / "tokenizer_config.json").unlink(missing_ok=True)
    (folder / "tokenizer_config.json").write_text(settings, encoding="utf-8")


def _readme(folder: Path, rng: random.Random) -> None:
    front: bytes = b"---\nlicense: " + b"x" * 9000 + b"\n---\n"
    text = rng.choice((front, b"---\n" * 9000, b"\xff" * 99, bytes(1 << 21)))
    (folder / "README.md").unlink(missing_ok=True)
    (folder / "README.md").write_bytes(text)


_DAMAGES: tuple[Callable[[Path, random.Random], None], ...] = (
    _config_value, _config_value, _text_config_value, _text_config_value, _config_key_gone, _config_type,
    _config_program, _any_text,
    _bytes_changed, _bytes_changed, _cut, _longer, _gone, _header_length, _header_entry, _header_entry,
    _tensor_gone, _tensor_renamed, _index, _index, _link, _pipe, _folder_for_file, _pickle, _tokenizer,
    _template, _readme,
)  # fmt: skip


# ---------------------------------------------------------------- inside
def _with(found: Any, rng: random.Random) -> Any:
    if not isinstance(found, dict):
        return rng.choice(_ODD)
    keys = sorted(found) or ["x"]
    extra = ("quantization_config", "rope_scaling", "rope_parameters", "layer_types", "sliding_window")
    return found | {rng.choice((*keys, *extra)): rng.choice(_ODD)}


def _is_own(file: Path) -> bool:
    """Say whether a file may be written: never through a link that an earlier damage put there."""
    return file.is_file() and not file.is_symlink()


def _change_json(file: Path, rng: random.Random, change: Callable[[Any], Any]) -> None:
    if not _is_own(file):
        return
    try:
        found = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):  # an earlier damage was there first
        return
    if isinstance(found, dict):
        file.write_text(json.dumps(change(found)), encoding="utf-8")


def _change_header(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    file = folder / _WEIGHTS
    if not _is_own(file):
        return
    try:
        content = file.read_bytes()
        (length,) = struct.unpack("<Q", content[:8])
        table: Any = json.loads(content[8 : 8 + length])
    except (OSError, ValueError, RecursionError, struct.error, OverflowError):
        return
    if isinstance(table, dict) and table:
        change(table)
        text = json.dumps(table).encode()
        file.write_bytes(struct.pack("<Q", len(text)) + text + content[8 + length :])


def _some_file(folder: Path, rng: random.Random) -> Path | None:
    files = sorted(each for each in folder.iterdir() if _is_own(each))
    return rng.choice(files) if files else None


def _remove(folder: Path) -> None:
    shutil.rmtree(folder)


def main(arguments: Sequence[str] | None = None) -> int:
    """Damage copies of a small model's folder; exit status: 0 every one was understood, 1 faults."""
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.engine.model_folder_fuzzer")
    parser.add_argument("folder", type=Path, help="a small model; it is copied, never changed")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="quire-mutate-") as work:
        outcome = mutate(args.folder, Path(work), args.count, args.seed)
    kinds = ", ".join(f"{kind} {count:,}" for kind, count in sorted(outcome.kinds.items()))
    sys.stdout.write(
        f"{args.count:,} folders: {outcome.accepted:,} accepted, {outcome.refused:,} refused ({kinds}), "
        f"{len(outcome.faults):,} faults\n"
    )
    for fault in outcome.faults[:20]:
        sys.stdout.write(f"{fault}\n")
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    sys.exit(main())
