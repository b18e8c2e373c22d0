"""Which GGUF files Quire can import: architectures and tokenizers by the names that the files use."""

from __future__ import annotations

from quire_engine.catalog.gguf_header import GgufHeader
from quire_engine.catalog.model_families import FAMILIES
from quire_engine.catalog.rejection import ModelRejected, RejectionKind, printable

ARCHITECTURES: dict[str, str] = {
    "arcee": "arcee",
    "cohere2": "cohere2",
    "command-r": "cohere",
    "ernie4_5": "ernie4_5",
    "exaone4": "exaone4",
    "gemma": "gemma",
    "gemma2": "gemma2",
    "gemma3": "gemma3_text",
    "glm4": "glm4",
    "gptneox": "gpt_neox",
    "granite": "granite",
    "hunyuan-dense": "hunyuan_v1_dense",
    "llama": "llama",
    "mistral3": "ministral3",
    "nemotron": "nemotron",
    "olmo": "olmo",
    "olmo2": "olmo2",
    "olmoe": "olmoe",
    "phi2": "phi",
    "phi3": "phi3",
    "qwen2": "qwen2",
    "qwen2moe": "qwen2_moe",
    "qwen3": "qwen3",
    "qwen3moe": "qwen3_moe",
    "seed_oss": "seed_oss",
    "smollm3": "smollm3",
    "stablelm": "stablelm",
    "starcoder2": "starcoder2",
}
"""The library's model type by `general.architecture`; a type counts only if it is in FAMILIES."""

AS_FOLDERS: dict[str, str] = {
    "apertus": "apertus",
    "chatglm": "glm",
    "gemma3n": "gemma3n_text",
    "gemma4": "gemma4_text",
    "glm4moe": "glm4_moe",
    "gpt-oss": "gpt_oss",
    "granitehybrid": "granitemoehybrid",
    "granitemoe": "granitemoe",
}
"""Families that Quire runs, but whose GGUF files divide or join weights in ways that it doesn't undo."""

PRE_TOKENIZERS: dict[str, str] = {
    "a.x-4.0": "gpt2",
    "bailingmoe": "bailing",
    "bailingmoe2": "bailing",
    "chatglm-bpe": "llama3",
    "codeshell": "digits",
    "command-r": "digits",
    "dbrx": "llama3",
    "deepseek-coder": "deepseek-coder",
    "deepseek-llm": "deepseek-llm",
    "deepseek-r1-qwen": "qwen2",
    "deepseek-v3": "deepseek-v3",
    "default": "default",
    "exaone": "digits",
    "exaone4": "gpt2",
    "falcon3": "llama3",
    "gigachat": "gpt2",
    "glm4": "llama3",
    "gpt-2": "gpt2",
    "gpt-4o": "gpt4o",
    "granite-docling": "gpt2",
    "hunyuan": "qwen2",
    "hunyuan-dense": "deepseek-v3",
    "jais": "gpt2",
    "kormo": "qwen2",
    "lfm2": "llama3",
    "llama-bpe": "llama3",
    "llama-v3": "llama3",
    "llama3": "llama3",
    "llama4": "gpt4o",
    "megrez": "qwen2",
    "mellum": "gpt2",
    "midm-2.0": "llama3",
    "minerva-7b": "digits",
    "mpt": "gpt2",
    "olmo": "gpt2",
    "phi-2": "gpt2",
    "pixtral": "llama3",
    "qwen2": "qwen2",
    "qwen35": "qwen35",
    "refact": "digits",
    "seed-coder": "seed-coder",
    "smaug-bpe": "llama3",
    "smollm": "digits",
    "stablelm2": "qwen2",
    "starcoder": "digits",
    "tekken": "tekken",
    "trillion": "gpt2",
}
"""How a text is cut before merging, by `tokenizer.ggml.pre`; see importing/pre_tokenizers.py."""

QUANTISATIONS = frozenset(
    {
        "F32", "F16", "BF16", "F64", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K",
        "Q6_K", "IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S", "IQ4_NL", "IQ4_XS",
        "TQ1_0", "TQ2_0", "MXFP4", "NVFP4",
    }
)  # fmt: skip
"""Types of tensors that can be unpacked."""

_FAMILIAR = "Llama, Mistral, Qwen, Gemma or Phi"


def model_type_of(header: GgufHeader) -> str:
    """Return the library's model type; ModelRejected if Quire doesn't support the architecture."""
    architecture = header.text("general.architecture")
    found = check_architecture(architecture)
    if architecture == "llama" and header.size("llama.expert_count"):
        return "mixtral"
    if architecture == "olmo2" and header.size("olmo2.attention.sliding_window"):
        return "olmo3"
    return found


def check_architecture(architecture: str) -> str:
    """Return the library's usual model type of an architecture; ModelRejected if it isn't supported."""
    found = ARCHITECTURES.get(architecture, "")
    if found not in FAMILIES and architecture in AS_FOLDERS:
        raise ModelRejected(
            RejectionKind.UNSUPPORTED,
            "Quire can't read {name} from a GGUF file yet. Choose it as a folder with safetensors weights, "
            "or a GGUF file of another type, such as {familiar}.",
            name=FAMILIES[AS_FOLDERS[architecture]].title,
            familiar=_FAMILIAR,
        )
    if found not in FAMILIES:
        raise ModelRejected(
            RejectionKind.UNSUPPORTED,
            "Quire doesn't support GGUF files of the type “{name}” yet. Choose a model of another type, such "
            "as {familiar}.",
            name=printable(architecture or "?", 40),
            familiar=_FAMILIAR,
        )
    return found


def check_types(header: GgufHeader) -> None:
    """Reject weights that cannot be unpacked."""
    for tensor in header.tensors:
        if tensor.type_name not in QUANTISATIONS:
            raise ModelRejected(
                RejectionKind.UNSUPPORTED,
                "Quire can't read weights quantised as {name}. Choose another quantisation, such as Q4_K_M "
                "or Q8_0.",
                name=tensor.type_name,
            )


def check_tokenizer_kind(header: GgufHeader) -> None:
    """Reject a tokenizer that cannot be written as tokenizer.json."""
    kind, before = header.text("tokenizer.ggml.model"), header.text("tokenizer.ggml.pre", "default")
    if kind not in ("gpt2", "llama"):
        raise ModelRejected(
            RejectionKind.UNSUPPORTED,
            "Quire can't read this file's tokenizer (“{name}”). Choose the model as a folder with "
            "tokenizer.json, or another model.",
            name=printable(kind or "?", 40),
        )
    if kind == "gpt2" and before not in PRE_TOKENIZERS:
        raise ModelRejected(
            RejectionKind.UNSUPPORTED,
            "Quire doesn't know how this file's tokenizer divides text (“{name}”). Choose the model as a "
            "folder with tokenizer.json, or another model.",
            name=printable(before, 40),
        )
