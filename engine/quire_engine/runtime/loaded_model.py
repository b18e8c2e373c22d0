"""From a configuration to a loaded model. Importing this module imports no torch."""

from __future__ import annotations

import contextlib
import logging
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from quire_engine.api.config import GPU_PASS_WIDTH, PASS_WIDTH, ModelConfig
from quire_engine.api.context_rules import DEFAULT_CONTEXT_RULE, context_here
from quire_engine.api.errors import EngineError, EnvironmentProblem, is_device_lost, is_out_of_memory
from quire_engine.api.load_progress import LoadReport, LoadStage, LoadStopped, unreported
from quire_engine.api.messages import ModelLoaded
from quire_engine.api.model_identity import ModelIdentity
from quire_engine.api.user_message import joined

if TYPE_CHECKING:
    import torch
    from tokenizers import Tokenizer

    from quire_engine.drafting.background_ngrams import BackgroundTable
    from quire_engine.drafting.draft_model import DraftModel
    from quire_engine.drafting.drafter_file import TrainedDrafters
    from quire_engine.forward.model_builder import BuiltModel
    from quire_engine.models.model_folder import ModelFolder
    from quire_engine.models.target_model import Runner
    from quire_engine.prompt.chat_template import ChatTemplate
    from quire_engine.runtime.session import PassCost

_log = logging.getLogger(__name__)

_NEAR_TIE = {"float32": 1e-3, "bfloat16": 0.1}
"""Where passes round by their shape, decisions closer than this are taken by a pass of one row."""


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model ready to write.

    Attributes:
        suppressed: ids that are never written.
        end_ids: those of them that end a text, where a run may end so.
        vocab_size: rows of its embedding table.
        trained, background: its drafters.
        pass_costs: measured at load.
        near_tie: see TokenStream; 0 where passes repeat their bits.
        chat: its chat template, if it has one.
        draft_model: a small model that guesses for it.
    """

    target: Runner
    tokenizer: Tokenizer
    suppressed: tuple[int, ...]
    end_ids: tuple[int, ...]
    description: ModelLoaded
    vocab_size: int
    trained: TrainedDrafters | None = None
    background: BackgroundTable | None = None
    pass_costs: tuple[PassCost, ...] = ()
    near_tie: float = 0.0
    chat: ChatTemplate | None = None
    draft_model: DraftModel | None = None


def load_model(config: ModelConfig, report: LoadReport = unreported) -> LoadedModel:
    """Load, check and describe a model; EnvironmentProblem if it cannot be used.

    What does not compute correctly in bfloat16 is loaded in float32, and `ModelLoaded.notice` says so.

    report: told how far the load is; may raise LoadStopped.
    """
    # imported here: torch takes seconds, and the window must not wait for it
    import torch

    from quire_engine.models import loading, memory_footprint
    from quire_engine.models.end_of_text import end_of_text_ids
    from quire_engine.prompt.chat_template import find_template
    from quire_engine.runtime import sampling_scale
    from quire_engine.runtime.checked_load import load_checked
    from quire_engine.runtime.draft_model_loading import LargeModel, load_draft_model, pass_ms_of
    from quire_engine.runtime.drafter_factory import automatic_sources
    from quire_engine.runtime.session import PassCost

    started = time.perf_counter()
    report(LoadStage.WEIGHTS, 0.0)
    folder = loading.inspect_folder(Path(config.folder), _cache_folder(config))
    tokenizer = loading.load_tokenizer(folder)
    device = loading.choose_device(config.device)
    dtype = loading.choose_dtype(config.dtype, device)
    if config.dtype == "auto" and config.weights != "full" and device.type == "cpu":
        dtype = torch.int8
    decided = _decided(config, folder, device)
    vocab_size = int(folder.config.vocab_size)
    with _as_user_message(folder):
        checked = load_checked(folder, tokenizer, decided, dtype, device, report)
        built = checked.built
        named = f"{folder.fingerprint}, {checked.number_format}"
        cache_folder = _cache_folder(config)
        scale = sampling_scale.scale_of(
            built.target, tokenizer, vocab_size, named, cache_folder, measured=built.scale
        )
    trained, background, notice = _find_drafters(folder, config)
    if background is None and config.ngrams_folder:
        background = _translated_ngrams(folder, tokenizer, config, report)
    chat, end_ids = find_template(folder.path), end_of_text_ids(folder.path, vocab_size)
    suppressed = tuple(sorted({*loading.special_token_ids(tokenizer, vocab_size), *end_ids}))
    large = LargeModel(
        folder,
        decided,
        device,
        suppressed,
        weight_bytes=built.weight_bytes,
        context_bytes=_computed_bytes(built.target) * built.target.context_length,
        pass_ms=pass_ms_of(checked.pass_costs),
        has_drafters=trained is not None,
    )
    small, without_small = load_draft_model(large, report)
    description = ModelLoaded(
        identity=_identity_of(folder, built, checked.number_format, device),
        context_length=built.target.context_length,
        num_parameters=built.num_parameters,
        reproducible=built.reproducible,
        load_s=time.perf_counter() - started,
        notice=joined(checked.notice, notice, without_small),
        cache_bytes_per_token=_computed_bytes(built.target),
        weight_bytes=built.weight_bytes
        + memory_footprint.drafter_bytes(trained)
        + (0 if small is None else small.weight_bytes),
        workspace_bytes=checked.workspace_bytes + (0 if small is None else small.room_bytes),
        is_on_gpu=device.type != "cpu",
        has_chat_template=chat is not None,
        cache=built.target.form,
        held_bytes_per_token=_held_bytes(built.target),
        scale=scale,
        drafters=automatic_sources(built.target, trained, has_draft_model=small is not None),
    )
    near_tie = _NEAR_TIE.get(_name(checked.dtype), 0.0)
    return LoadedModel(
        target=built.target,
        tokenizer=tokenizer,
        suppressed=suppressed,
        end_ids=end_ids,
        description=description,
        vocab_size=vocab_size,
        trained=trained,
        background=background,
        pass_costs=tuple(PassCost(*cost) for cost in checked.pass_costs),
        near_tie=0.0 if built.reproducible or not config.reproducible else near_tie,
        chat=chat,
        draft_model=small,
    )


def _computed_bytes(target: Runner) -> int:
    """Return the bytes of a position in the model's own dtype, as in a resume file."""
    parts = target.store.saved_parts(1).values()
    return sum(math.prod(part.shape) * part.dtype.itemsize for part in parts)


def _held_bytes(target: Runner) -> int:
    """Return the bytes of device memory of a position in the context; 0 if it is stored as computed."""
    if target.form == "full":
        return 0
    if target.form == "computer" and target.network.device.type != "cpu":
        # one layer at a time is brought there
        return _computed_bytes(target) * 2 // len(target.store.saved_parts(1))
    return target.store.bytes_per_position


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _cache_folder(config: ModelConfig) -> Path | None:
    return Path(config.cache_folder) if config.cache_folder else None


def _decided(config: ModelConfig, folder: ModelFolder, device: torch.device) -> ModelConfig:
    """Return the configuration with device defaults filled in."""
    on_cpu = device.type == "cpu"
    width = config.width or (PASS_WIDTH if on_cpu else GPU_PASS_WIDTH)
    context = context_here(folder.context_length, config.context, on_gpu=not on_cpu)
    return replace(config, width=width, context=context)


def own_cache(loaded: LoadedModel) -> LoadedModel:
    """Return the same model with an empty KV cache of its own, so that several runs can take turns."""
    return replace(loaded, target=loaded.target.with_own_cache())


def _identity_of(
    folder: ModelFolder, built: BuiltModel, format_name: str, device: torch.device
) -> ModelIdentity:
    from quire_engine.drafting.background_ngrams import tokenizer_digest
    from quire_engine.models.loading import software_versions

    return ModelIdentity(
        name=folder.name,
        fingerprint=folder.fingerprint,
        dtype=format_name,
        width=built.target.width,
        software=", ".join([software_versions(), *_numeric_conditions(built, device)]),
        tokenizer=tokenizer_digest(folder.path),
        context_length=built.target.context_length,
        rollover=DEFAULT_CONTEXT_RULE,
        cache="float8" if built.target.form == "float8" else "",
    )


def _numeric_conditions(built: BuiltModel, device: torch.device) -> list[str]:
    """Return what decides rounding besides versions and the CPU type."""
    cards = f" on {built.num_cards} cards" if built.num_cards > 1 else ""
    ways = [] if device.type == "cpu" else [device.type + cards]
    return [*ways, built.target.kernels] if built.target.kernels else ways


def _find_drafters(
    folder: ModelFolder, config: ModelConfig
) -> tuple[TrainedDrafters | None, BackgroundTable | None, str]:
    """Return the trained drafters of a model, and a message about files that do not fit it.

    Drafters are optional, so a damaged or foreign file only costs speed.
    """
    from quire_engine.drafting import background_ngrams, drafter_file

    vocab_size = int(folder.config.vocab_size)
    trained: TrainedDrafters | None = None
    table: BackgroundTable | None = None
    problems: list[str] = []
    for place in dict.fromkeys(Path(p) for p in (config.drafters_folder, config.folder) if p):
        try:
            trained = trained or drafter_file.find(place, folder.fingerprint)
        except EnvironmentProblem as problem:
            problems.append(problem.message)
        try:
            digest = background_ngrams.tokenizer_digest(folder.path)
            table = table or background_ngrams.find(place, digest, vocab_size)
        except EnvironmentProblem as problem:
            problems.append(problem.message)
    return trained, table, joined(*problems)


def _translated_ngrams(
    folder: ModelFolder, tokenizer: Tokenizer, config: ModelConfig, report: LoadReport
) -> BackgroundTable | None:
    """Return another model's n-grams in this one's tokens; None where that fails, for it only costs speed."""
    from quire_engine.drafting.translated_ngrams import translated_for

    try:
        return translated_for(
            folder.path,
            tokenizer,
            int(folder.config.vocab_size),
            Path(config.ngrams_folder),
            _cache_folder(config),
            lambda: report(LoadStage.CHECKING, 1.0),
        )
    except (LoadStopped, KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # noqa: BLE001  a tokenizer that can't read every character raises anything
        _log.warning("no n-grams in the tokens of %s", folder.path, exc_info=True)
        return None


@contextlib.contextmanager
def _as_user_message(folder: ModelFolder) -> Iterator[None]:
    """Turn what libraries raise while a model is built into a sentence."""
    try:
        yield
    except EngineError:
        raise
    except Exception as error:
        if is_device_lost(error):  # whose fault it is not
            raise
        if is_out_of_memory(error):
            raise EnvironmentProblem(
                "There isn't enough memory to load the model in {folder}. Close other programs, or "
                "choose a smaller model.",
                folder=folder.path,
            ) from error
        said = " ".join(str(error).split())[:200] or type(error).__name__
        raise EnvironmentProblem(
            "The model in {folder} is not supported by Quire ({reason}).", folder=folder.path, reason=said
        ) from error
