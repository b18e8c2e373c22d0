"""From a folder to a model: what is missing or unsafe is said before anything is built."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import tokenizers
import torch
import transformers
from safetensors import safe_open
from tokenizers import Tokenizer
from transformers import CONFIG_MAPPING, PreTrainedConfig, PreTrainedModel

from quire_engine.errors import EnvironmentProblem, is_out_of_memory
from quire_engine.models import families
from quire_engine.models.attention import BLOCK
from quire_engine.models.digests import fingerprint

SUPPORTED_TYPES = frozenset(families.FAMILIES)
DeviceName = Literal["auto", "cpu", "cuda", "mps"]
_NO_MARKS = {"bos_token_id": None, "eos_token_id": None, "pad_token_id": None}
"""The library's defaults for them may lie outside of a vocabulary; the arithmetic needs none."""
_MIN_CONTEXT = 4 * BLOCK
_DEFAULT_THREADS = torch.get_num_threads()
_MAX_CONFIG_BYTES = 1 << 20


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
    def is_mixture(self) -> bool:
        """Whether its layers choose among experts."""
        return families.num_experts(self.config) > 0

    @property
    def context_length(self) -> int:
        """Positions that may be used, a multiple of BLOCK."""
        return int(self.config.max_position_embeddings) // BLOCK * BLOCK


def inspect_folder(path: Path, cache_folder: Path | None = None) -> ModelFolder:
    """Check a model folder without building anything; EnvironmentProblem says what is wrong with it.

    cache_folder: where fingerprints of large weights are remembered; None: nowhere.
    """
    try:
        return _inspect(path, cache_folder)
    except OSError as error:
        raise EnvironmentProblem(
            f"The model folder {path} cannot be read: {error.strerror or _first_line(error)}."
        ) from error


def _inspect(path: Path, cache_folder: Path | None) -> ModelFolder:
    if not path.is_dir():
        raise EnvironmentProblem(
            f"There is no model folder at {path}. Choose the folder that holds config.json."
        )
    config = _read_config(path)
    weights = _find_weights(path)
    shapes: families.Shapes = {}
    for file in weights:
        shapes |= _read_shapes(file)
    _check_shapes(path, config, shapes)
    if not (path / "tokenizer.json").is_file():
        raise EnvironmentProblem(
            f"The model in {path} has no tokenizer.json; download it together with the weights."
        )
    files = (path / "config.json", path / "tokenizer.json", *weights)
    folder = ModelFolder(path, config, weights, fingerprint(files, cache_folder))
    if folder.context_length < _MIN_CONTEXT:
        raise EnvironmentProblem(
            f"The model in {path} can hold fewer than {_MIN_CONTEXT} tokens; choose a larger one."
        )
    return folder


def load_tokenizer(folder: ModelFolder) -> Tokenizer:
    """Return the folder's tokenizer; it never cuts or pads."""
    try:
        tokenizer = Tokenizer.from_file(str(folder.path / "tokenizer.json"))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a fault is a bare Exception, or a panic of the Rust part, which is none
        raise EnvironmentProblem(
            f"The tokenizer.json in {folder.path} is damaged: {_first_line(error)}."
        ) from error
    # a writer may write "<|endoftext|>": it is text, and never the mark
    tokenizer.encode_special_tokens = True
    tokenizer.no_truncation()
    tokenizer.no_padding()
    if max(tokenizer.get_vocab().values(), default=0) >= int(folder.config.vocab_size):
        raise EnvironmentProblem(
            f"The tokenizer in {folder.path} has more entries than the model; they do not belong together."
        )
    return tokenizer


def special_token_ids(tokenizer: Tokenizer, vocab_size: int) -> tuple[int, ...]:
    """Return the ids that are never written into a manuscript: marks, and rows beyond the tokenizer."""
    marks = {number for number, token in tokenizer.get_added_tokens_decoder().items() if token.special}
    written = set(tokenizer.get_vocab().values()) - marks
    return tuple(number for number in range(vocab_size) if number not in written)


def build_model(
    folder: ModelFolder, dtype: torch.dtype, device: torch.device | None = None
) -> PreTrainedModel:
    """Return the library's model with the folder's weights, ready to be driven. device: None is the CPU."""
    library: Any = transformers  # parts of it carry no types
    library.utils.logging.disable_progress_bar()
    try:
        model, report = library.AutoModelForCausalLM.from_pretrained(
            folder.path,
            config=folder.config,
            dtype=dtype,
            use_safetensors=True,
            generation_config=library.GenerationConfig(),  # or the folder's own would be read
            ignore_mismatched_sizes=True,  # they are reported, and refused below
            local_files_only=True,
            output_loading_info=True,
        )
    except Exception as error:  # the library has no error of its own for a value that it cannot use
        if is_out_of_memory(error):
            raise  # downloading it again would not help
        raise EnvironmentProblem(
            f"The model in {folder.path} does not load: {_first_line(error)}. Download it again."
        ) from error
    if missing := [*report["missing_keys"], *report["mismatched_keys"]]:
        raise _unfitting(folder.path, missing)
    checked: PreTrainedModel = model.to(device or "cpu").eval().requires_grad_(False)
    return checked


def choose_device(wanted: DeviceName) -> torch.device:
    """Return the device to compute on; "auto": a CUDA GPU where there is one, otherwise the CPU.

    An Apple GPU is used when it is asked for: nobody has measured yet whether it is faster here.
    EnvironmentProblem when the wanted one is absent.
    """
    if wanted == "cuda" and not torch.cuda.is_available():
        raise EnvironmentProblem("No CUDA GPU was found on this computer. Choose “auto” or “cpu”.")
    if wanted == "mps" and not torch.backends.mps.is_available():
        raise EnvironmentProblem("No Apple GPU (MPS) was found on this computer. Choose “auto” or “cpu”.")
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.device(wanted)


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
    family = families.FAMILIES.get(raw["model_type"])
    if family is None:
        reason = families.reason_unsupported(raw)
        raise EnvironmentProblem(
            f"Quire cannot drive models of the type “{raw['model_type'][:40]}” yet"
            f"{f' ({reason})' if reason else ''}; it knows {', '.join(sorted(SUPPORTED_TYPES))}."
        )
    kept = {key: value for key, value in raw.items() if key in family.allowed} | _NO_MARKS
    impossible = EnvironmentProblem(f"The config.json in {path} describes a model of impossible size.")
    if not families.sizes_are_possible(kept):
        raise impossible
    try:
        config = CONFIG_MAPPING[raw["model_type"]].from_dict(kept)
        heads_fit = config.num_attention_heads % families.num_key_value_heads(config) == 0
        problem = families.attention_problem(config)
    except Exception as error:  # values of any type and size end here
        raise EnvironmentProblem(
            f"The config.json in {path} has a value that does not fit: {_first_line(error)}"
        ) from error
    if not heads_fit:
        raise impossible
    if raw.get("use_bidirectional_attention"):
        problem = "reads in both directions and is not made for writing"
    if problem:
        raise EnvironmentProblem(f"The model in {path} {problem}; Quire cannot drive it yet.")
    return config


def _find_weights(path: Path) -> tuple[Path, ...]:
    single = path / "model.safetensors"
    if single.is_file():  # the library prefers it to an index, and what is checked must be what is loaded
        return (single,)
    index = path / "model.safetensors.index.json"
    if index.is_file():
        try:
            names = sorted(set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()))
        except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
            raise EnvironmentProblem(
                f"The list of weight files in {path} is damaged ({index.name})."
            ) from error
        if not names or not all(_is_file_name(name) for name in names):
            raise EnvironmentProblem(f"The list of weight files in {path} names files outside of the folder.")
        files = tuple(path / name for name in names)
        for file in files:
            if not file.is_file():
                raise EnvironmentProblem(
                    f"The model in {path} is incomplete: {file.name} is missing. Download it again."
                )
        return files
    if any(path.glob("*.bin")) or any(path.glob("*.pt")) or any(path.glob("*.pth")):
        raise EnvironmentProblem(
            f"The weights in {path} are pickle files, which can run programs. Quire reads safetensors only."
        )
    raise EnvironmentProblem(f"The model in {path} has no weights: model.safetensors is missing.")


def _is_file_name(name: object) -> bool:
    return isinstance(name, str) and name.isprintable() and Path(name).name == name and name not in ("", "..")


def _read_shapes(file: Path) -> families.Shapes:
    """Return the shapes of a weight file's tensors; its table is checked, and compared with its size."""
    try:
        with safe_open(file, framework="pt") as data:
            return {name: tuple(data.get_slice(name).get_shape()) for name in data.keys()}  # noqa: SIM118
    except Exception as error:  # whatever is wrong with it, the cure is the same
        raise EnvironmentProblem(
            f"{file.name} in {file.parent} is damaged or incomplete. Download the model again."
        ) from error


def _check_shapes(path: Path, config: PreTrainedConfig, shapes: families.Shapes) -> None:
    """Compare sizes and weights before anything is built: a wrong size can cost all the memory there is."""
    family = families.FAMILIES[config.model_type]
    try:
        wanted = family.shapes(config)
    except (TypeError, ValueError) as error:  # a list of layers that is none
        raise EnvironmentProblem(
            f"The config.json in {path} has a value that does not fit: {_first_line(error)}"
        ) from error
    unfitting = [name for name, shape in wanted.items() if shapes.get(name) != shape]
    unfitting += [name for name in shapes if family.is_beyond(name, config)]
    if unfitting:
        raise _unfitting(path, unfitting)


def _unfitting(path: Path, names: Sequence[object]) -> EnvironmentProblem:
    return EnvironmentProblem(
        f"The weights in {path} do not fit its config.json ({len(names)} tensors are missing, of another "
        f"size or too many, for example {_name_of(names[0])}). Download the model again."
    )


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return "".join(mark if mark.isprintable() else " " for mark in lines[0])[:200].rstrip(". ")


def _name_of(key: object) -> str:
    name = str(key[0] if isinstance(key, tuple) else key)
    return (name if name.isprintable() else ascii(name))[:100]
