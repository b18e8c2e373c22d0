"""From a folder to a model: what is missing or unsafe is said before anything is built."""

from __future__ import annotations

import contextlib
import importlib
import platform
import re
from pathlib import Path
from typing import Any, Literal

import tokenizers
import torch
from tokenizers import Tokenizer
from transformers.configuration_utils import PreTrainedConfig
from transformers.modeling_utils import PreTrainedModel
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from quire_engine.api.config import Weights
from quire_engine.api.errors import EnvironmentProblem, is_device_lost, is_out_of_memory
from quire_engine.api.user_message import UserMessage
from quire_engine.catalog import model_families
from quire_engine.catalog.architecture import check_sizes, unfitting
from quire_engine.catalog.fingerprints import PendingFingerprint, stamp
from quire_engine.catalog.gguf_files import is_gguf
from quire_engine.catalog.imported_models import check_unchanged
from quire_engine.catalog.inspection import FolderContents, look_into
from quire_engine.catalog.rejection import ModelRejected, Rejection, printable
from quire_engine.catalog.tokenizer_files import check_vocabulary
from quire_engine.models import int8_weights
from quire_engine.models.model_folder import ModelFolder, unreadable
from quire_engine.models.weight_reader import Report, WeightReader

_LIBRARY: Any = importlib.import_module("transformers")
"""Imported by its name: a type checker would read every model in it, which takes a minute."""
DeviceName = Literal["auto", "cpu", "cuda", "mps"]
_NO_MARKS = {"bos_token_id": None, "eos_token_id": None, "pad_token_id": None}
"""The library's defaults for them may be outside of a vocabulary; the arithmetic needs none."""
_PROBE = (
    "“A page of 12 words,” she wrote…\n\n  It's   naïve — \U0001f40b and so on, as far as the end of a line "
    "that is long enough for a pattern that tries every way to part it.\n#$%&*+/<=>@\\^_`{|}~\n"
)
"""Read once at a load: a pattern that panics does so only where it is used."""
_MARK = re.compile(r"<(?!0x)[^<>\s]{1,60}>|\[/?[A-Z][A-Z_ ]{2,40}\]|\[\|[^\[\]|\s]{1,40}\|\]")
"""What looks like a mark and not like a word: `<think>`, `<|fim_prefix|>`, `[INST]`, `[|user|]`;
no byte (`<0x0A>`)."""
_DEFAULT_THREADS = torch.get_num_threads()
_LARGE_BYTES = 700_000_000
"""Of weights; a pass then takes some 30 ms with one thread."""


def inspect_folder(path: Path, cache_folder: Path | None = None) -> ModelFolder:
    """Check a model folder without building anything; EnvironmentProblem says what is wrong with it.

    The folder is judged by the catalog, so that whatever the window offers also loads.
    cache_folder: where fingerprints of large weights are remembered; None: nowhere.
    """
    found = look_into(path)
    if isinstance(found, Rejection):
        raise _unusable(path, found.sentence)
    config = _library_config(path, found)
    files = found.facts.deciding_files
    try:
        check_unchanged(path, cache_folder)
        before = stamp((*files, *found.facts.weights))
    except ModelRejected as refused:
        raise _unusable(path, refused.message) from refused
    except OSError as error:
        raise unreadable(path, error) from error
    pending = PendingFingerprint(files, cache_folder)
    return ModelFolder(
        path,
        config,
        found.facts.weights,
        before,
        pending,
        found.tensors,
        found.is_part,
        found.facts.num_parameters,
    )


def load_tokenizer(folder: ModelFolder) -> Tokenizer:
    """Return the folder's tokenizer; it never cuts or pads."""
    try:
        tokenizer = Tokenizer.from_file(str(folder.path / "tokenizer.json"))
        with contextlib.suppress(Exception):  # some cannot read every character, which is no fault
            tokenizer.decode(tokenizer.encode(_PROBE).ids)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a fault is a bare Exception, or a panic of the Rust part, which is none
        raise EnvironmentProblem(
            "tokenizer.json in {folder} is damaged ({reason}).",
            folder=folder.path,
            reason=_first_line(error),
        ) from error
    # a writer may write "<|endoftext|>": it is text, and never the mark
    tokenizer.encode_special_tokens = True
    tokenizer.no_truncation()
    tokenizer.no_padding()
    try:
        check_vocabulary(max(tokenizer.get_vocab().values(), default=0), int(folder.config.vocab_size))
    except ModelRejected as refused:
        raise _unusable(folder.path, refused.message) from refused
    return tokenizer


def special_token_ids(tokenizer: Tokenizer, vocab_size: int) -> tuple[int, ...]:
    """Return the ids that are never written into a manuscript: marks, and rows beyond the tokenizer.

    Tokenizers call some of their marks ordinary text, such as those that a thought begins and ends with.
    """
    added = tokenizer.get_added_tokens_decoder().items()
    marks = {number for number, token in added if token.special or _MARK.fullmatch(token.content.strip())}
    written = set(tokenizer.get_vocab().values()) - marks
    return tuple(number for number in range(vocab_size) if number not in written)


def build_model(
    folder: ModelFolder,
    dtype: torch.dtype,
    device: torch.device | None = None,
    weights: Weights = "full",
    report: Report = lambda _share: None,
) -> PreTrainedModel:
    """Return the library's model with the folder's weights, ready to be driven.

    Args:
        device: None is the CPU.
        weights: as in ModelConfig; they are made smaller before they go to the device.
        report: told the share of the weights that was read.
    """
    if weights == "int8" and folder.is_mixture:
        raise _unusable(
            folder.path,
            UserMessage("Quire can't compress the weights of a mixture of experts yet. Load it in full."),
        )
    model, found = _built(folder, dtype, report)
    if missing := [*found["missing_keys"], *found["mismatched_keys"]]:
        raise _unusable(
            folder.path, unfitting([key[0] if isinstance(key, tuple) else key for key in missing])
        )
    if found["unexpected_keys"] and is_gguf(folder.weights[0]):  # other files have leftovers that do nothing
        name = printable(min(found["unexpected_keys"]), 60)
        raise _unusable(
            folder.path,
            UserMessage(
                "This GGUF file has parts that Quire doesn't know ({name}). Choose another model.", name=name
            ),
        )
    if not folder.is_as_inspected():
        raise changed_while_loading(folder)
    if weights == "int8":
        int8_weights.shrink(model)
    checked: PreTrainedModel = model.to(device or "cpu").eval().requires_grad_(False)
    return checked


def _built(folder: ModelFolder, dtype: torch.dtype, report: Report) -> tuple[Any, dict[str, Any]]:
    """Return the library's model with the weights in it, and which of them were missing."""
    said = _LIBRARY.utils.logging
    said.disable_progress_bar()
    loudness = said.get_verbosity()
    if folder.is_part:
        said.set_verbosity_error()  # it would list all that is left alone
    reader = WeightReader(folder, report)
    try:
        with reader.opened() as tensors:
            model, found = _LIBRARY.MODEL_FOR_CAUSAL_LM_MAPPING[type(folder.config)].from_pretrained(
                None,
                config=folder.config,
                state_dict=tensors,
                dtype=dtype,
                generation_config=_LIBRARY.GenerationConfig(),  # or the folder's own would be read
                ignore_mismatched_sizes=True,  # they are reported, and rejected below
                output_loading_info=True,
            )
    except Exception as error:  # the library has no error of its own for a value that it cannot use
        if reader.problem is not None:
            raise reader.problem from error
        if is_out_of_memory(error) or is_device_lost(error):
            raise  # downloading it again would not help
        raise EnvironmentProblem(
            "The model in {folder} can't be loaded ({reason}). Download it again.",
            folder=folder.path,
            reason=_first_line(error),
        ) from error
    finally:
        said.set_verbosity(loudness)
    if reader.problem is not None:
        raise reader.problem
    return model, found


def changed_while_loading(folder: ModelFolder) -> EnvironmentProblem:
    """Return the message for files that changed since they were checked."""
    return EnvironmentProblem(
        "The model files in {folder} changed while loading. Load the model again.", folder=folder.path
    )


def choose_device(wanted: DeviceName) -> torch.device:
    """Return the device to compute on; "auto": a CUDA GPU where there is one, otherwise the CPU.

    An Apple GPU is used when it is asked for: whether it is faster has not been measured.
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
    """Return the dtype to compute in; "auto": bfloat16 where the CPU multiplies it itself."""
    if wanted == "auto":
        native = device.type == "cuda" or torch.cpu._is_avx512_bf16_supported()
        return torch.bfloat16 if native else torch.float32
    return {"float32": torch.float32, "bfloat16": torch.bfloat16, "int8": torch.int8}[wanted]


def thread_choices(wanted: int) -> tuple[int, ...]:
    """Return numbers of CPU threads worth trying, the safest first; `wanted` 0 leaves the choice open.

    One is left to the window: a thread that waits for a busy CPU costs more than it brings.
    """
    if wanted:
        return (wanted,)
    most = max(1, _DEFAULT_THREADS - 1)
    return tuple(dict.fromkeys((most, max(1, most // 2), 1)))


def pass_threads(wanted: int, weight_bytes: int) -> int:
    """Return how many threads may share an integer pass; fewer are used where they turn out to be faster.

    A pass of a large model takes so long that the window's core is worth taking, too: the threads besides the
    first give way to the window (`integer.pass_team`).
    """
    return _DEFAULT_THREADS if not wanted and weight_bytes >= _LARGE_BYTES else thread_choices(wanted)[0]


def has_spare_core() -> bool:
    """Say whether passes use one thread, and there is another core."""
    return torch.get_num_threads() == 1 < _DEFAULT_THREADS


def software_versions() -> str:
    """Return what else decides how numbers round, for the record of a run."""
    return (
        f"torch {torch.__version__}, transformers {_LIBRARY.__version__}, "
        f"tokenizers {tokenizers.__version__}, "
        f"python {platform.python_version()}, {platform.machine()}"
    )


def _library_config(path: Path, found: FolderContents) -> PreTrainedConfig:
    """Return what the library makes of config.json; the sizes that it adds by itself are compared as well."""
    family = model_families.FAMILIES[found.facts.architecture.model_type]
    kept = {key: value for key, value in found.config.items() if key in family.allowed} | _NO_MARKS
    try:
        config: PreTrainedConfig = CONFIG_MAPPING[found.facts.architecture.model_type].from_dict(kept)
        check_sizes(config, found.tensors)
    except ModelRejected as refused:
        raise _unusable(path, refused.message) from refused
    except Exception as error:  # values of any type and size end here
        raise EnvironmentProblem(
            "config.json in {path} has an invalid value ({reason}).",
            path=path,
            reason=_first_line(error),
        ) from error
    return config


def _unusable(path: Path, sentence: str) -> EnvironmentProblem:
    return EnvironmentProblem("The model in {path} can't be used. {problem}", path=path, problem=sentence)


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return "".join(mark if mark.isprintable() else " " for mark in lines[0])[:200].rstrip(". ")
