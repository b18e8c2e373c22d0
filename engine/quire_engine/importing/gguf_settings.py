"""The settings in the metadata of a GGUF file, and which of them were used."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.gguf_header import GgufArray, GgufHeader, GgufTensor, damaged
from quire_engine.catalog.gguf_support import model_type_of
from quire_engine.catalog.rejection import ModelRejected, RejectionKind, printable

_MAX_LIST = 1 << 16
_NEUTRAL: dict[str, tuple[object, ...]] = {
    "attention.causal": (True,),
    "attention.clamp_kqv": (0,),
    "attention.max_alibi_bias": (0,),
    "attention.scale": (0,),
    "attention.temperature_scale": (0,),
    "attn_logit_softcapping": (0,),
    "embedding_scale": (0, 1),
    "expert_gating_func": (0, 1),
    "expert_group_count": (0, 1),
    "expert_shared_count": (0,),
    "expert_weights_scale": (0, 1),
    "final_logit_softcapping": (0,),
    "logit_scale": (0, 1),
    "nextn_predict_layers": (0,),
    "residual_scale": (0, 1),
    "rope.scaling.alpha": (0,),
    "rope.scaling.attn_factor": (0, 1),
    "router_logit_softcapping": (0,),
    "swin_norm": (False,),
}
"""Settings that change the arithmetic, and the values that change nothing."""
_OF_WINDOWS = {
    "attention.key_length_swa": "attention.key_length",
    "attention.value_length_swa": "attention.value_length",
    "rope.dimension_count_swa": "rope.dimension_count",
    "rope.freq_base_swa": "rope.freq_base",
}
"""Settings of layers with a window, which change nothing where they are those of all layers."""


class GgufSettings:
    """The metadata of one model, by names without the architecture; keeps which of them were used."""

    def __init__(self, header: GgufHeader) -> None:
        self.header = header
        self.model_type = model_type_of(header)
        self.tensors: Mapping[str, GgufTensor] = {tensor.name: tensor for tensor in header.tensors}
        self._prefix = header.text("general.architecture") + "."
        self._used: set[str] = set()

    def has(self, tensor: str) -> bool:
        """Say whether there is a tensor of this name."""
        return tensor in self.tensors

    def size(self, key: str, default: int | None = None) -> int:
        """Return a whole number above 0, the same for all layers; ModelRejected if it is missing."""
        value = self._value(key)
        found = value if type(value) is int and value > 0 else default
        if found is None:
            raise damaged(
                self.header.file, UserMessage("{key} is missing or invalid", key=self._prefix + key)
            )
        return found

    def number(self, key: str, default: float) -> float:
        """Return a number, or the default."""
        value = self._value(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return default
        return _shortest(float(value))

    def text(self, key: str) -> str:
        """Return a text; empty if it is missing."""
        return self.header.text(self._prefix + key)

    def layers(self, key: str) -> tuple[Any, ...]:
        """Return a value per layer; empty if it is missing or one for all."""
        found = self.header.fields.get(self._prefix + key)
        if not isinstance(found, GgufArray) or found.count > _MAX_LIST:
            return ()
        self._used.add(key)
        return self.header.numbers(self._prefix + key)

    def check_unused(self) -> None:
        """Reject a file with a setting that changes the arithmetic and that the family does not have."""
        fields = self.header.fields
        same = {key: (fields.get(self._prefix + other),) for key, other in _OF_WINDOWS.items()}
        for key, neutral in (_NEUTRAL | same).items():
            value = fields.get(self._prefix + key)
            if value is None or key in self._used or any(value == each for each in neutral):
                continue
            raise self.unknown(key)

    def unknown(self, key: str) -> ModelRejected:
        """Return the rejection of a file with a setting that the family does not have."""
        return ModelRejected(
            RejectionKind.UNSUPPORTED,
            "This GGUF file has a setting that Quire doesn't know ({name}). Choose another model.",
            name=printable(self._prefix + key, 60),
        )

    def _value(self, key: str) -> Any:
        self._used.add(key)
        value = self.header.fields.get(self._prefix + key)
        if not isinstance(value, GgufArray):
            return value
        each = set(self.header.numbers(self._prefix + key)) if value.count <= _MAX_LIST else set()
        if len(each) == 1:
            return each.pop()
        raise ModelRejected(
            RejectionKind.UNSUPPORTED,
            "The layers of this model differ in size ({name}); Quire doesn't support that yet. Choose "
            "another model.",
            name=printable(self._prefix + key, 60),
        )


def _shortest(value: float) -> float:
    """Return the shortest decimal that is the same number in the file's 32 bits."""
    try:
        packed = struct.pack("<f", value)
    except OverflowError:
        return value
    for digits in range(1, 10):
        short = float(f"{value:.{digits}g}")
        if struct.pack("<f", short) == packed:
            return short
    return value
