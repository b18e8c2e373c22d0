"""How tokenizers divide a text before they merge, as parts of tokenizer.json."""

from __future__ import annotations

from typing import Any

from quire_engine.catalog.gguf_support import PRE_TOKENIZERS

_CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_UPPER = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_SLASHED_REST = r" ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_CASED = r"[\p{Lu}\p{Ll}\p{Lt}]"
_EAST_ASIAN = r"[\x{4e00}-\x{9fa5}\x{0800}-\x{4e00}\x{ac00}-\x{d7ff}]+"

_PATTERNS: dict[str, tuple[str, ...]] = {
    "bailing": (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*"
        r"|\s*[\r\n]|\s+(?!\S)|\s+",
    ),
    "deepseek-coder": (r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", _EAST_ASIAN, r"\p{N}"),
    "deepseek-llm": (
        r"[\r\n]",
        rf"\s?{_CASED}+",
        r"\s?[!-/:-~\x{ff01}-\x{ff0f}\x{ff1a}-\x{ff5e}\x{2018}-\x{201f}\x{3000}-\x{3002}]+",
        r"\s+$",
        _EAST_ASIAN,
        r"\p{N}",
    ),
    "deepseek-v3": (
        r"\p{N}{1,3}",
        r"[\x{4e00}-\x{9fa5}\x{3040}-\x{309f}\x{30a0}-\x{30ff}]+",
        r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
        r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "default": (
        r"[\p{P}\$\+<=>\^~\|]+",
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)",
        r"\p{N}+",
        r"[0-9][0-9][0-9]",
    ),
    "gpt4o": (
        rf"{_UPPER}*{_LOWER}+{_CONTRACTIONS}?|{_UPPER}+{_LOWER}*{_CONTRACTIONS}?|\p{{N}}{{1,3}}|{_SLASHED_REST}",
    ),
    "llama3": (rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}|{_REST}",),
    "qwen2": (rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}|{_REST}",),
    "qwen35": (
        rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}"
        r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "seed-coder": (
        rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}"
        r"| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "tekken": (rf"{_UPPER}*{_LOWER}+|{_UPPER}+{_LOWER}*|\p{{N}}|{_SLASHED_REST}",),
}
"""One after the other; every match becomes a part of its own."""
_COMPOSED = frozenset({"deepseek-r1-qwen", "kormo", "megrez", "olmo", "qwen2", "qwen35"})
"""Tokenizers that compose characters first (NFC)."""
WITH_START = frozenset(
    {"falcon3", "lfm2", "llama-bpe", "llama-v3", "llama3", "midm-2.0", "pixtral", "tekken"}
)
"""Tokenizers of models that expect a start mark unless the file says otherwise."""
_WHOLE_WORDS = WITH_START | {"glm4"}
"""Tokenizers that take a part that is an entry of the vocabulary as it is, without merging."""


def pre_tokenizer(name: str) -> dict[str, Any]:
    """Return what divides a text, by `tokenizer.ggml.pre`."""
    kind = PRE_TOKENIZERS[name]
    if kind in ("gpt2", "digits"):
        levels = _byte_level(use_regex=True)
        if kind == "gpt2":
            return levels
        return _sequence([{"type": "Digits", "individual_digits": True}, levels])
    splits: list[dict[str, Any]] = [
        {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
        for pattern in _PATTERNS[kind]
    ]
    return _sequence([*splits, _byte_level(use_regex=False)])


def normalizer(name: str) -> dict[str, Any] | None:
    """Return what changes a text before it is divided; None for nothing."""
    return {"type": "NFC"} if name in _COMPOSED else None


def ignores_merges(name: str) -> bool:
    """Say whether entries of the vocabulary are taken as they are."""
    return name in _WHOLE_WORDS


def _sequence(parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "Sequence", "pretokenizers": parts}


def _byte_level(*, use_regex: bool) -> dict[str, Any]:
    return {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": use_regex}
