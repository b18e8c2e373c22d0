"""Load the small model that drafts ahead for a large one, or say why it can't."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from quire_engine.api.config import ModelConfig
from quire_engine.api.errors import EngineError, EnvironmentProblem, is_device_lost, is_out_of_memory
from quire_engine.api.load_progress import LoadReport, LoadStage, LoadStopped
from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.rejection import ModelRejected
from quire_engine.catalog.tokenizer_fit import read_vocabulary, same_tokens
from quire_engine.drafting.draft_model import MOST_READ, DraftModel
from quire_engine.drafting.token_translation import TokenTranslation
from quire_engine.forward import integer_build
from quire_engine.models import loading
from quire_engine.models.model_folder import ModelFolder
from quire_engine.runtime.checked_load import CheckedModel, load_checked

_NO_MEMORY = UserMessage("There isn't enough memory for it as well.")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LargeModel:
    """The model that is to be helped.

    Attributes:
        config: with width and context decided.
        suppressed: ids that it never draws.
    """

    folder: ModelFolder
    config: ModelConfig
    device: torch.device
    suppressed: tuple[int, ...]

    @property
    def num_ids(self) -> int:
        """Rows of its embedding table."""
        return int(self.folder.config.vocab_size)


def load_draft_model(large: LargeModel, report: LoadReport) -> tuple[DraftModel | None, str]:
    """Return the small model that `draft_model_folder` names, or why it isn't used; neither if none is named.

    The large model works without it, so nothing that is wrong with it is an error.
    """
    if not large.config.draft_model_folder:
        return None, ""
    path = Path(large.config.draft_model_folder)
    threads = torch.get_num_threads()
    try:
        return _load(path, large, report), ""
    except LoadStopped:
        raise
    except (EngineError, ModelRejected) as problem:
        reason: object = problem
    except Exception as error:
        if is_device_lost(error):
            raise
        _log.warning("%s can't draft ahead", path, exc_info=True)
        said = " ".join(str(error).split())[:200] or type(error).__name__
        reason = _NO_MEMORY if is_out_of_memory(error) else said
    finally:
        torch.set_num_threads(threads)  # the large model's
    return None, UserMessage(
        "{small} can't draft ahead, so drafts go on without it. {reason}", small=path.name, reason=reason
    )


def _load(path: Path, large: LargeModel, report: LoadReport) -> DraftModel:
    cache = Path(large.config.cache_folder) if large.config.cache_folder else None
    folder = loading.inspect_folder(path, cache)
    translation = _translation(folder, large)
    checked = _checked(folder, large, report)
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
        pass_ms=min((cost[2] for cost in checked.pass_costs if cost[0] == 0), default=0.0),
        translation=translation,
    )


def _translation(small: ModelFolder, large: LargeModel) -> TokenTranslation | None:
    """Return how the two understand each other; None where both split text alike."""
    if same_tokens(large.folder.path, small.path):
        return None
    pieces = read_vocabulary(small.path)
    if not pieces.has_bytes:
        raise EnvironmentProblem(
            "{small} splits text otherwise than {large}, and in a way that can't be translated. Choose another "
            "smaller model.",
            small=small.name,
            large=large.folder.name,
        )
    tokenizer = loading.load_tokenizer(small)
    return TokenTranslation(read_vocabulary(large.folder.path), pieces, tokenizer, large.suppressed)


def _checked(folder: ModelFolder, large: LargeModel, report: LoadReport) -> CheckedModel:
    """Build it in whole numbers where that is possible, otherwise as it would be loaded by itself."""
    config, device = large.config, large.device
    in_integers = integer_build.has_form(folder, device)
    own = replace(
        config,
        folder=str(folder.path),
        dtype="auto",
        weights="auto",
        cache="full",
        context=min(folder.context_length, MOST_READ),
        # what it guesses need not repeat its bits, so its passes are no wider than they must be
        reproducible=in_integers,
        draft_model_folder="",
    )
    dtype = torch.int8 if in_integers else loading.choose_dtype("auto", device)

    def told(stage: LoadStage, share: float) -> None:
        # the large model's weights were most of the work, so the progress does not go back to 0
        report(stage, 1.0 if stage is LoadStage.WEIGHTS else share)

    tokenizer = loading.load_tokenizer(folder)
    # it never decides how words are drawn
    return load_checked(folder, tokenizer, own, dtype, device, told, lambda _runner: None)
