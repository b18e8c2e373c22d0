from __future__ import annotations

import json

import pytest
from tokenizers import Tokenizer, models

from quire_engine.api.errors import EnvironmentProblem, tokenizer_problem
from quire_engine.prompt.tokenization import encode_text


def test_a_panic_while_a_text_is_read_is_about_the_tokenizer() -> None:
    content = json.loads(Tokenizer(models.BPE(vocab={"a": 0}, merges=[])).to_str())
    content["pre_tokenizer"] = {
        "type": "Split", "pattern": {"Regex": "(a+a+)+b"}, "behavior": "Isolated", "invert": False,
    }  # fmt: skip
    tokenizer = Tokenizer.from_str(json.dumps(content))
    assert encode_text(tokenizer, "aa").ids == [0, 0]
    with pytest.raises(EnvironmentProblem, match=r"The model's tokenizer fails on this text \(.+\)\."):
        encode_text(tokenizer, "a" * 40)


def test_no_other_error_is_taken_for_a_panic() -> None:
    assert tokenizer_problem(KeyboardInterrupt()) is None
    assert tokenizer_problem(ValueError("PanicException")) is None
