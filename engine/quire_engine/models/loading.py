"""From a folder to a model: what is missing or unsafe is said before anything is built."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tokenizers
import torch
import transformers
from tokenizers import Tokenizer
from transformers import CONFIG_MAPPING, PreTrainedConfig, PreTrainedModel

from quire_engine.errors import EnvironmentProblem
from quire_engine.models.attention import BLOCK

SUPPORTED_TYPES = frozenset({"llama", "mistral", "qwen2", "qwen3"})
_MIN_CONTEXT = 4 * BLOCK
# Keys that make the library run or fetch something; a model folder has no business with them here.
_FORBIDDEN_PREFIXES = ("auto_map", "_attn_implementation", "attn_implementation", "quantization_config")
_DEFAULT_THREADS = torch.get_num_threads()
_MAX_CONFIG_BYTES = 1 << 20
_MAX_HEADER_BYTES = 100 << 20


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A checked model folder: configuration, weight files, fingerprint of all that decides the text."""

    path: Path
    config: PreTrainedConfig
    weights: tuple[Path, ...]
    fingerprint: str

    @property
    def name(self) -> str:
        """The folder's name, for people."""
        return self.path.name

    @property
    def context_length(self) -> int:
        """Positions that may be used, a multiple of BLOCK."""
        return int(self.config.max_position_embeddings) // BLOCK * BLOCK


def inspect_folder(path: Path) -> ModelFolder:
    """Check a model folder without building anything; EnvironmentProblem says what is wrong with it."""
    if not path.is_dir():
        raise EnvironmentProblem(
            f"There is no model folder at {path}. Choose the folder that holds config.json."
        )
    config = _read_config(path)
    weights = _find_weights(path)
    for file in weights:
        _check_safetensors(file)
    if not (path / "tokenizer.json").is_file():
        raise EnvironmentProblem(
            f"The model in {path} has no tokenizer.json; download it together with the weights."
        )
    folder = ModelFolder(path, config, weights, _fingerprint(path, weights))
    if folder.context_length < _MIN_CONTEXT:
        raise EnvironmentProblem(
            f"The model in {path} can hold fewer than {_MIN_CONTEXT} tokens; choose a larger one."
        )
    return folder


def load_tokenizer(folder: ModelFolder) -> Tokenizer:
    """Return the folder's tokenizer; it never cuts or pads."""
    try:
        tokenizer = Tokenizer.from_file(str(folder.path / "tokenizer.json"))
    except Exception as error:  # the library raises bare Exception for every fault of this file
        raise EnvironmentProblem(f"The tokenizer.json in {folder.path} is damaged: {error}.") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    if tokenizer.get_vocab_size() > int(folder.config.vocab_size):
        raise EnvironmentProblem(
            f"The tokenizer in {folder.path} has more entries than the model; they do not belong together."
        )
    return tokenizer


def special_token_ids(tokenizer: Tokenizer, vocab_size: int) -> tuple[int, ...]:
    """Return the ids that are never written into a manuscript: marks, and rows beyond the tokenizer."""
    marks = {number for number, token in tokenizer.get_added_tokens_decoder().items() if token.special}
    unused = range(tokenizer.get_vocab_size(), vocab_size)
    return tuple(sorted(number for number in {*marks, *unused} if number < vocab_size))


def build_model(folder: ModelFolder, dtype: torch.dtype) -> PreTrainedModel:
    """Return the library's model with the folder's weights, ready to be driven."""
    os.environ["HF_HUB_OFFLINE"] = "1"  # a folder is all there is; nothing may be looked up
    library: Any = transformers  # parts of it carry no types
    library.utils.logging.disable_progress_bar()
    try:
        model, report = library.AutoModelForCausalLM.from_pretrained(
            folder.path,
            config=folder.config,
            dtype=dtype,
            use_safetensors=True,
            local_files_only=True,
            output_loading_info=True,
        )
    except (OSError, RuntimeError, ValueError, KeyError) as error:
        raise EnvironmentProblem(f"The model in {folder.path} does not load: {_first_line(error)}") from error
    missing = [*report["missing_keys"], *report["mismatched_keys"]]
    if missing:
        raise EnvironmentProblem(
            f"The weights in {folder.path} do not fit its config.json ({len(missing)} tensors are missing or "
            f"of another size, for example {_name_of(missing[0])}). Download the model again."
        )
    checked: PreTrainedModel = model.eval().requires_grad_(False)
    return checked


def choose_dtype(wanted: str, device: torch.device) -> torch.dtype:
    """Return the number format to compute in; "auto": bfloat16 where the processor multiplies it itself."""
    if wanted == "auto":
        native = device.type == "cuda" or torch.cpu._is_avx512_bf16_supported()
        return torch.bfloat16 if native else torch.float32
    return {"float32": torch.float32, "bfloat16": torch.bfloat16}[wanted]


def thread_choices(wanted: int) -> tuple[int, ...]:
    """Return numbers of processor threads worth trying, the safest first; `wanted` 0 leaves the choice open.

    One is left to the window: a thread that waits for a busy processor costs more than it brings.
    """
    if wanted:
        return (wanted,)
    most = max(1, _DEFAULT_THREADS - 1)
    return tuple(dict.fromkeys((most, max(1, most // 2), 1)))


def software_versions() -> str:
    """Return what else decides how numbers round, for the record of a run."""
    return (
        f"torch {torch.__version__}, transformers {transformers.__version__}, "
        f"tokenizers {tokenizers.__version__}, "
        f"python {platform.python_version()}, {platform.machine()}"
    )


def _read_config(path: Path) -> PreTrainedConfig:
    file = path / "config.json"
    if not file.is_file():
        raise EnvironmentProblem(f"{path} is not a model folder: it has no config.json.")
    if file.stat().st_size > _MAX_CONFIG_BYTES:
        raise EnvironmentProblem(f"The config.json in {path} is too large to be one.")
    try:
        raw: Any = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise EnvironmentProblem(f"The config.json in {path} cannot be read: {_first_line(error)}") from error
    if not isinstance(raw, dict) or not isinstance(raw.get("model_type"), str):
        raise EnvironmentProblem(f"The config.json in {path} does not name a model type.")
    if raw["model_type"] not in SUPPORTED_TYPES:
        raise EnvironmentProblem(
            f"Quire cannot drive models of the type “{raw['model_type'][:40]}” yet; "
            f"it knows {', '.join(sorted(SUPPORTED_TYPES))}."
        )
    kept = {key: value for key, value in raw.items() if not key.startswith(_FORBIDDEN_PREFIXES)}
    try:
        config = CONFIG_MAPPING[raw["model_type"]].from_dict(kept)
        sane = _is_sane(config)
    except Exception as error:  # values of any type and size end here
        raise EnvironmentProblem(
            f"The config.json in {path} has a value that does not fit: {_first_line(error)}"
        ) from error
    if not sane:
        raise EnvironmentProblem(f"The config.json in {path} describes a model of impossible size.")
    if getattr(config, "use_sliding_window", None) or (
        raw["model_type"] == "mistral" and getattr(config, "sliding_window", None)
    ):
        raise EnvironmentProblem(
            f"The model in {path} uses a sliding attention window, which Quire cannot drive yet."
        )
    return config


def _is_sane(config: PreTrainedConfig) -> bool:
    sizes = (
        config.vocab_size,
        config.hidden_size,
        config.num_hidden_layers,
        config.num_attention_heads,
        config.num_key_value_heads,
        config.max_position_embeddings,
        config.intermediate_size,
    )
    return all(isinstance(size, int) and 1 <= size <= 1 << 24 for size in sizes) and (
        config.num_attention_heads % config.num_key_value_heads == 0
    )


def _find_weights(path: Path) -> tuple[Path, ...]:
    index = path / "model.safetensors.index.json"
    if index.is_file():
        try:
            names = sorted(set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()))
        except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
            raise EnvironmentProblem(
                f"The list of weight files in {path} is damaged ({index.name})."
            ) from error
        if any(not isinstance(name, str) or Path(name).name != name for name in names):
            raise EnvironmentProblem(f"The list of weight files in {path} points outside of the folder.")
        files = tuple(path / name for name in names)
        for file in files:
            if not file.is_file():
                raise EnvironmentProblem(
                    f"The model in {path} is incomplete: {file.name} is missing. Download it again."
                )
        return files
    single = path / "model.safetensors"
    if single.is_file():
        return (single,)
    if any(path.glob("*.bin")) or any(path.glob("*.pt")) or any(path.glob("*.pth")):
        raise EnvironmentProblem(
            f"The weights in {path} are pickle files, which can run programs. Quire reads safetensors only."
        )
    raise EnvironmentProblem(f"The model in {path} has no weights: model.safetensors is missing.")


def _check_safetensors(file: Path) -> None:
    """Compare a weight file's own table with its size, so that a broken download is named as one."""
    broken = EnvironmentProblem(
        f"{file.name} in {file.parent} is damaged or incomplete. Download the model again."
    )
    size = file.stat().st_size
    with file.open("rb") as data:
        prefix = data.read(8)
        if len(prefix) < 8:
            raise broken
        (length,) = struct.unpack("<Q", prefix)
        if length > min(size - 8, _MAX_HEADER_BYTES):
            raise broken
        try:
            table: Any = json.loads(data.read(length))
            ends = [entry["data_offsets"][1] for name, entry in table.items() if name != "__metadata__"]
            declared = 8 + length + max(ends)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, IndexError) as error:
            raise broken from error
    if declared != size:
        raise broken


def _fingerprint(path: Path, weights: tuple[Path, ...]) -> str:
    """Return the SHA-256 over configuration, tokenizer and weights, names included."""
    digest = hashlib.sha256()
    for file in (path / "config.json", path / "tokenizer.json", *weights):
        digest.update(file.name.encode() + b"\0" + str(file.stat().st_size).encode() + b"\0")
        with file.open("rb") as data:
            while chunk := data.read(1 << 22):
                digest.update(chunk)
    return digest.hexdigest()


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__)[:200]


def _name_of(key: object) -> str:
    return str(key[0] if isinstance(key, tuple) else key)
