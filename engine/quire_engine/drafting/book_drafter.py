"""What a feature drafter learnt, in the form in which it is kept with a book: 8 bits a weight.

The rows of the LM head that it scores with are the model's and are not in it; the drafter that is loaded
lends them, if it proposes the same ids.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.user_message import UserMessage
from quire_engine.drafting.drafter_file import rounded, whole_tensors
from quire_engine.drafting.feature_drafter import FeatureWeights
from quire_engine.drafting.learned_file import LEARNING

MAX_BYTES = 8 << 20
"""Of one version; what is larger is kept with the model alone."""
_MAX_HEADER = 1 << 20


def packed(feature: FeatureWeights, fingerprint: str) -> bytes:
    """Return a drafter's layer; empty where it would take more than MAX_BYTES."""
    tensors: dict[str, Tensor] = {}
    for name, tensor in feature.tensors.items():
        tensors |= (
            rounded(name, tensor) if tensor.ndim == 2 else {name: tensor.to(torch.bfloat16).contiguous()}
        )
    if sum(tensor.nbytes for tensor in tensors.values()) > MAX_BYTES - _MAX_HEADER:
        return b""
    about = {"fits": _fits(feature, fingerprint), "sharpness": json.dumps(list(feature.sharpness))}
    return bytes(save_tensors(tensors, about))


def unpacked(data: bytes, base: FeatureWeights | None, fingerprint: str) -> FeatureWeights:
    """Return the drafter that was packed; EnvironmentProblem, fit to show, where it cannot be used.

    base: the drafter that was prepared for the model, or with which learning begins.
    """
    if base is None:
        raise _unusable(UserMessage("the model has no draft model now"))
    try:
        about = _metadata(data)
        tensors = whole_tensors(load_tensors(data))
        fits, sharpness = about["fits"], tuple(float(each) for each in json.loads(about["sharpness"]))
    except (SafetensorError, KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise _unusable(UserMessage("it is damaged")) from error
    if fits != _fits(base, fingerprint):
        raise _unusable(UserMessage("it belongs to another model, tokenizer or version of Quire"))
    try:
        weights = {name: tensors[name].to(torch.bfloat16) for name in base.shape.tensor_shapes()}
    except KeyError as error:
        raise _unusable(UserMessage("it is damaged")) from error
    sizes = {name: tuple(tensor.shape) for name, tensor in weights.items()}
    is_finite = all(bool(tensor.isfinite().all()) for tensor in weights.values())
    is_sharpness = 1 <= len(sharpness) <= 16 and all(math.isfinite(each) and each > 0 for each in sharpness)
    if sizes != base.shape.tensor_shapes() or not is_finite or not is_sharpness:
        raise _unusable(UserMessage("it is damaged"))
    return replace(base, tensors=weights, sharpness=sharpness)


def _fits(feature: FeatureWeights, fingerprint: str) -> str:
    """Return what a drafter must agree in: model, shape, ids that it proposes, and how it computes."""
    ids = b"" if feature.vocabulary is None else feature.vocabulary.long().numpy().tobytes()
    said: dict[str, Any] = {"model": fingerprint, "shape": asdict(feature.shape), "learning": LEARNING}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode() + ids).hexdigest()


def _metadata(data: bytes) -> Mapping[str, str]:
    length = int.from_bytes(data[:8], "little")
    if not 0 < length <= _MAX_HEADER or len(data) > MAX_BYTES:
        raise ValueError("its header is too long")
    found: Mapping[str, str] = json.loads(data[8 : 8 + length])["__metadata__"]
    return found


def _unusable(reason: UserMessage) -> EnvironmentProblem:
    return EnvironmentProblem(
        "What was learned from this book is not used ({reason}). Your draft is the same without it.",
        reason=reason,
    )
