"""Load the small model that drafts ahead for a large one, or say why it can't."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from quire_engine.api.config import ModelConfig
from quire_engine.api.errors import EngineError, EnvironmentProblem, is_device_lost, is_out_of_memory
from quire_engine.api.load_progress import LoadReport, LoadStage, LoadStopped
from quire_engine.api.user_cache import own_cache
from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.computer_memory import read_memory
from quire_engine.catalog.rejection import ModelRejected
from quire_engine.catalog.tokenizer_fit import read_vocabulary, same_tokens
from quire_engine.drafting.draft_model import MOST_READ, DraftModel
from quire_engine.drafting.token_translation import TokenTranslation
from quire_engine.forward import integer_build
from quire_engine.importing.shipped_parts import import_with_shipped
from quire_engine.models import loading
from quire_engine.models.model_folder import ModelFolder
from quire_engine.runtime.checked_load import known_pass_costs, load_checked

_NO_MEMORY = UserMessage("There isn't enough memory for it as well.")
_LARGER = 6
"""Times that the large model is as large, and its passes take as long, where guesses pay beside n-grams."""
_ROOM = 6  # times its file that a small model takes in memory at most, with its cache
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LargeModel:
    """The model that is to be helped.

    Attributes:
        config: with width and context decided.
        suppressed: ids that it never draws.
        weight_bytes: of its weights.
        context_bytes: its KV cache once that is full.
        pass_ms: time of a pass that reads a token; 0: unknown.
        has_drafters: some were trained for it.
    """

    folder: ModelFolder
    config: ModelConfig
    device: torch.device
    suppressed: tuple[int, ...]
    weight_bytes: int = 0
    context_bytes: int = 0
    pass_ms: float = 0.0
    has_drafters: bool = False

    @property
    def num_ids(self) -> int:
        """Rows of its embedding table."""
        return int(self.folder.config.vocab_size)


def load_draft_model(large: LargeModel, report: LoadReport) -> tuple[DraftModel | None, str]:
    """Return the small model that `draft_model_folder` names, or why it isn't used; else the one that is
    always there, where it is likely to pay.

    The large model works without it, so nothing that is wrong with it is an error.
    """
    named = large.config.draft_model_folder
    threads = torch.get_num_threads()
    try:
        return _load(Path(named), large, report) if named else _load_guesser(large, report), ""
    except LoadStopped:
        raise
    except (EngineError, ModelRejected) as problem:
        reason: object = problem
    except Exception as error:
        if is_device_lost(error):
            raise
        _log.warning("%s can't draft ahead", named or large.config.guesser_file, exc_info=True)
        said = " ".join(str(error).split())[:200] or type(error).__name__
        reason = _NO_MEMORY if is_out_of_memory(error) else said
    finally:
        torch.set_num_threads(threads)  # the large model's
    if not named:  # nobody asked for it
        _log.info("%s: %s", large.config.guesser_file, reason)
        return None, ""
    return None, UserMessage(
        "{small} can't draft ahead, so drafts go on without it. {reason}",
        small=Path(named).name,
        reason=reason,
    )


def _load_guesser(large: LargeModel, report: LoadReport) -> DraftModel | None:
    """Return the small model that is always there; None where it isn't or would not pay."""
    config = large.config
    if not config.guesser_file or large.has_drafters or large.device.type != "cpu":
        return None
    num_bytes, free = Path(config.guesser_file).stat().st_size, read_memory().free
    is_room = not free or free > large.context_bytes + _ROOM * num_bytes
    if not is_room or large.weight_bytes < _LARGER * num_bytes:
        return None
    cache = Path(config.cache_folder) if config.cache_folder else own_cache()
    folder = import_with_shipped(Path(config.guesser_file), cache)
    return _load(folder, large, report, most_pass_ms=large.pass_ms / _LARGER)


def pass_ms_of(costs: Iterable[tuple[int, int, float]]) -> float:
    """Return the time of the quickest pass that read a token; 0 where none was timed."""
    return min((milliseconds for num_nodes, _, milliseconds in costs if num_nodes == 0), default=0.0)


def _load(
    path: Path, large: LargeModel, report: LoadReport, most_pass_ms: float = math.inf
) -> DraftModel | None:
    """Load a small model; None where its passes take longer than `most_pass_ms`, or that isn't known."""
    cache = Path(large.config.cache_folder) if large.config.cache_folder else None
    folder = loading.inspect_folder(path, cache)
    own, dtype = _own_config(folder, large)
    tokenizer = loading.load_tokenizer(folder)
    if pass_ms_of(known_pass_costs(folder, tokenizer, own, dtype, large.device)) > most_pass_ms:
        return None  # an earlier load has shown it
    translation = _translation(folder, large)

    def told(stage: LoadStage, share: float) -> None:
        # the large model's weights were most of the work, so the progress does not go back to 0
        report(stage, 1.0 if stage is LoadStage.WEIGHTS else share)

    # it never decides how words are drawn
    checked = load_checked(folder, tokenizer, own, dtype, large.device, told, lambda _runner: None)
    pass_ms = pass_ms_of(checked.pass_costs)
    if most_pass_ms < math.inf and not 0 < pass_ms <= most_pass_ms:
        return None
    runner = checked.built.target
    positions = min(runner.context_length, MOST_READ)
    parts = runner.store.saved_parts(positions).values()
    room = sum(math.prod(part.shape) * part.dtype.itemsize for part in parts)
    return DraftModel(
        runner=runner,
        num_ids=min(large.num_ids, int(folder.config.vocab_size)),
        suppressed=large.suppressed,
        name=folder.name,
        weight_bytes=checked.built.weight_bytes,
        room_bytes=room + checked.workspace_bytes,
        pass_ms=pass_ms,
        translation=translation,
    )


def _translation(small: ModelFolder, large: LargeModel) -> TokenTranslation | None:
    """Return how the two understand each other; None where both split text alike."""
    if same_tokens(large.folder.path, small.path):
        return None
    pieces = read_vocabulary(small.path)
    if not pieces.has_bytes:
        raise EnvironmentProblem(
            "{small} and {large} split text into different tokens. Choose a smaller model of the same "
            "family.",
            small=small.name,
            large=large.folder.name,
        )
    tokenizer = loading.load_tokenizer(small)
    return TokenTranslation(read_vocabulary(large.folder.path), pieces, tokenizer, large.suppressed)


def _own_config(folder: ModelFolder, large: LargeModel) -> tuple[ModelConfig, torch.dtype]:
    """Return how it is loaded: in whole numbers where that is possible, otherwise as by itself."""
    in_integers = integer_build.has_form(folder, large.device)
    own = replace(
        large.config,
        folder=str(folder.path),
        dtype="auto",
        weights="auto",
        cache="full",
        context=min(folder.context_length, MOST_READ),
        # what it guesses need not repeat its bits, so its passes are no wider than they must be
        reproducible=in_integers,
        draft_model_folder="",
    )
    return own, torch.int8 if in_integers else loading.choose_dtype("auto", large.device)
