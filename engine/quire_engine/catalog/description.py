"""A model's facts as lines of text."""

from __future__ import annotations

from quire_engine.catalog.inspection import ModelFacts
from quire_engine.catalog.memory_fit import gigabytes


def described(facts: ModelFacts) -> tuple[str, ...]:
    """Return what is known of a model, one fact per line."""
    sizes = facts.architecture
    stored = ", ".join(f"{name} {gigabytes(size)}" for name, size in sorted(facts.bytes_by_dtype.items()))
    tied = "shared with the output" if sizes.is_tied else "apart from the output"
    lines = [
        f"{facts.name}: {sizes.model_type}, {facts.num_parameters:,} parameters ({stored})",
        f"{sizes.num_layers} layers, {sizes.num_heads} heads, {sizes.num_kv_heads} for keys and values",
        f"up to {facts.context_length:,} tokens of context{f'; {sizes.rope}' if sizes.rope else ''}",
        f"{facts.kv_bytes_per_token('bfloat16'):,} bytes of keys and values per token in bfloat16, "
        f"{facts.kv_bytes_per_token('float32'):,} in float32; embedding {tied}",
        f"{'takes requests' if facts.is_chat else 'writes on from a text'}; "
        f"licence: {facts.licence or 'not named'}",
    ]
    return (*lines, *facts.notes)
