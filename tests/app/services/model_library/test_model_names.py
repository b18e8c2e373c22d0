from __future__ import annotations

import pytest

from quire.services.model_library import starter_model
from quire.services.model_library.model_names import plain_name


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        (starter_model.FILE_NAME.removesuffix(".gguf"), "SmolLM2"),
        ("gemma-3-270m-Q4_K_M", "Gemma 3 270M, 4 bits"),
        ("Meta-Llama-3.1-8B-Instruct.i1-IQ3_XXS", "Meta Llama 3.1 8B Instruct, 3 bits"),
        ("Qwen2.5-0.5B-Instruct", "Qwen2.5 0.5B Instruct"),
        ("Tale.Q8_0", "Tale, 8 bits"),
        ("tale-BF16", "tale, 16 bits"),
        ("my-own_model", "my-own_model"),
        ("hf", "hf"),
    ],
)
def test_the_name_of_a_file_is_said_in_words(name: str, plain: str) -> None:
    assert plain_name(name) == plain
