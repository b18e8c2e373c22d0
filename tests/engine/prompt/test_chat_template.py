"""Chat templates: what they write around a request, and what a hostile one can do, which is nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.queries import PromptSource
from quire_engine.prompt import chat_template
from quire_engine.prompt.chat_template import NOVELIST, ChatTemplate, encoded_as_marks, find_template
from quire_engine.prompt.prompt import PromptTexts, prompt_of_texts
from tests.engine.tiny import OPENING, build_tokenizer

TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}"
    "<|start|>{{ message['role'] }}\n{{ message['content'] | trim }}"
    "{% if not loop.last %}<|end|>\n{% endif %}{% endfor %}"
)
MARKS = (("bos_token", "<s>"),)
_DOUBLING = (
    "{% set x = namespace(v='a' * 1000) %}{% for i in range(60) %}{% set x.v = x.v ~ x.v %}{% endfor %}"
)


@pytest.fixture
def tokenizer() -> Tokenizer:
    made = build_tokenizer()
    made.add_special_tokens(["<s>", "<|start|>", "<|end|>"])
    made.encode_special_tokens = True
    return made


def test_a_template_is_put_around_the_front_and_the_story_begins_the_answer(tokenizer: Tokenizer) -> None:
    template = ChatTemplate(TEMPLATE, MARKS)
    opening = f"<s><|start|>system\n{NOVELIST}<|end|>\n<|start|>user\n"
    assert template.around_request() == (opening, "<|end|>\n<|start|>assistant\n")
    texts = PromptTexts(OPENING, "Write <|end|> like Mara.", "[ rain ]")
    prompt = prompt_of_texts(tokenizer, texts, 1000, template=template)
    pairs = list(zip(prompt.token_ids, prompt.origins, strict=True))
    front = [token for token, origin in pairs if origin is PromptSource.FRONT]
    assert front.count(encoded_as_marks(tokenizer, "<|end|>")[0]) == 2  # what the writer wrote is text
    assert front[0] == tokenizer.token_to_id("<s>")
    assert tokenizer.decode(front, skip_special_tokens=False) == (
        opening + "Write <|end|> like Mara.<|end|>\n<|start|>assistant\n"
    )
    assert tokenizer.decode([token for token, origin in pairs if origin is PromptSource.STORY]) == OPENING
    assert prompt.num_front == len(front) == prompt.counts[0]
    assert tokenizer.encode_special_tokens


def test_a_front_that_is_empty_becomes_a_request_all_the_same(tokenizer: Tokenizer) -> None:
    prompt = prompt_of_texts(tokenizer, PromptTexts(OPENING), 1000, template=ChatTemplate(TEMPLATE, MARKS))
    assert "Write on" in tokenizer.decode(list(prompt.token_ids[: prompt.num_front]))


@pytest.mark.sliced
@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("{{ raise_exception('no') }}", "no"),
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
        ("{{ messages[0].update({'content': 1}) }}", "unsafe"),
        ("{% for", "unexpected"),
        ("{{ messages[0].content }}", "it doesn't accept a request and the"),
        ("hello", "it doesn't accept a request and the"),
        ("{{ messages[0].content * 100000 }}", "too much"),
        ("{% include '/etc/passwd' %}", "no loader"),
        (_DOUBLING, "used"),
        ("{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}", "too long"),
    ],
)
def test_a_template_that_is_broken_or_hostile_is_an_error_message(
    source: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_template, "_MAX_SECONDS", 1)
    with pytest.raises(EnvironmentProblem, match=reason) as caught:
        ChatTemplate(source, ()).around_request()
    sentence = str(caught.value)
    assert sentence.isprintable()
    assert sentence.startswith("This model's chat template can't be used")


def test_a_template_is_found_where_models_keep_it(tmp_path: Path) -> None:
    config = tmp_path / "tokenizer_config.json"
    assert find_template(tmp_path) is None
    for content in (
        "[",
        "[]",
        '{"chat_template": 3}',
        '{"chat_template": []}',
        "{}",
        '{"chat_template": ""}',
    ):
        config.write_text(content, encoding="utf-8")
        assert find_template(tmp_path) is None
    marks = {"bos_token": {"content": "<s>"}, "eos_token": "</s>", "pad_token": None}
    config.write_text(json.dumps({"chat_template": "x", **marks}), encoding="utf-8")
    assert find_template(tmp_path) == ChatTemplate("x", (("bos_token", "<s>"), ("eos_token", "</s>")))
    several = [{"name": "tools", "template": "t"}, {"name": "default", "template": "d"}]
    config.write_text(json.dumps({"chat_template": several}), encoding="utf-8")
    assert find_template(tmp_path) == ChatTemplate("d", ())
    (tmp_path / "chat_template.json").write_text('{"chat_template": "j"}', encoding="utf-8")
    assert find_template(tmp_path) == ChatTemplate("d", ())
    config.write_text("{}", encoding="utf-8")
    assert find_template(tmp_path) == ChatTemplate("j", ())
    (tmp_path / "chat_template.jinja").write_text("own", encoding="utf-8")
    assert find_template(tmp_path) == ChatTemplate("own", ())
    (tmp_path / "chat_template.jinja").write_text("x" * 200_000, encoding="utf-8")
    assert find_template(tmp_path) is None


def test_marks_are_marks_only_where_a_template_wrote_them(tokenizer: Tokenizer) -> None:
    assert encoded_as_marks(tokenizer, "<|end|>") == [tokenizer.token_to_id("<|end|>")]
    assert tokenizer.token_to_id("<|end|>") not in tokenizer.encode("<|end|>").ids


# ---------------------------------------------------------------- prose, and no chat
_PERSONA = "<|start|>system\nYou are a helpful AI assistant.<|end|>\n"
_OWN_PERSONA = "{% if messages[0].role != 'system' %}" + _PERSONA + "{% endif %}" + TEMPLATE
_REFUSES_SYSTEM = (
    "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}" + TEMPLATE
)
_DROPS_SYSTEM = TEMPLATE.replace("in messages %}", "in messages if message.role != 'system' %}")


def test_a_template_does_not_make_a_helpful_assistant_of_the_model() -> None:
    opening, _ = ChatTemplate(_OWN_PERSONA, ()).around_request()
    assert "assistant" not in opening
    assert NOVELIST in opening


@pytest.mark.parametrize("source", [_REFUSES_SYSTEM, _DROPS_SYSTEM], ids=["refuses", "drops"])
def test_without_room_for_a_system_message_the_request_begins_with_it(source: str) -> None:
    opening, closing = ChatTemplate(source, MARKS).around_request()
    assert opening == f"<s><|start|>user\n{NOVELIST}\n\n"
    assert closing == "<|end|>\n<|start|>assistant\n"


def last_answer(before: str) -> str:
    """Return a template that writes something before the answer that is continued."""
    mark = "{{ message['role'] }}\n"
    return TEMPLATE.replace(mark, mark + "{% if loop.last %}" + before + "{% endif %}")


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("<think>\n\n</think>\n\n", "<think>\n\n</think>\n\n"),
        ("<think>\n", "<think>\n\n</think>\n\n"),
        ("[THINK]", "[THINK]\n\n[/THINK]\n\n"),
        ("{% if enable_thinking is not defined or enable_thinking %}<think>\n{% endif %}", ""),
        ("{% if thinking %}<think>\n{% else %}</think>{% endif %}", "</think>"),
    ],
)
def test_a_thinking_model_has_thought_before_the_manuscript_begins(before: str, wanted: str) -> None:
    _, closing = ChatTemplate(last_answer(before), ()).around_request()
    assert closing == f"<|end|>\n<|start|>assistant\n{wanted}"


HARMONY = (
    "<|start|>system<|message|>Knowledge cutoff: 2024-06{{ strftime_now('%Y-%m-%d') }}<|end|>"
    "{% if messages[0]['role'] == 'system' %}<|start|>developer<|message|># Instructions\n\n"
    "{{ messages[0]['content'] }}<|end|>{% set messages = messages[1:] %}{% endif %}"
    "{% for message in messages %}{% if message['role'] == 'user' %}"
    "<|start|>user<|message|>{{ message['content'] }}<|end|>{% else %}"
    "<|start|>assistant<|channel|>final<|message|>{{ message['content'] }}<|return|>{% endif %}{% endfor %}"
)
GLM = (
    "[gMASK]<sop>{% for m in messages %}{% if m.role == 'assistant' %}<|assistant|>\n<think></think>\n"
    "{{ m.content.strip() }}{% else %}<|{{ m.role }}|>\n{{ m.content }}{% endif %}{% endfor %}"
)
SEED = (
    "{% for m in messages %}{{ '<seed:bos>' + m.role }}"
    "{% if m.role == 'assistant' and thinking_budget is not defined %}{{ '\n<seed:think>' }}{% endif %}"
    "{{ '\n' + m.content + '<seed:eos>' }}{% endfor %}"
)
EXAONE = (
    "{% for m in messages %}{{ '[|' + m.role + '|]' }}\n{% if m.role == 'assistant' %}<think>\n\n</think>"
    "\n\n{% endif %}{{ m.content }}[|endofturn|]\n{% endfor %}"
)
GEMMA = (
    "{{ bos_token }}{% for m in messages %}{{ '<|turn>' + ('model' if m.role == 'assistant' else m.role) }}"
    "\n{{ m.content | trim }}<turn|>\n{% endfor %}"
)
SMOLLM = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.role == 'assistant' %}{% generation %}"
    "<think>\n\n</think>\n{{ m.content }}<|im_end|>{% endgeneration %}{% else %}{{ m.content }}<|im_end|>\n"
    "{% endif %}{% endfor %}"
)


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (HARMONY, "<|end|><|start|>assistant<|channel|>final<|message|>"),
        (GLM, "<|assistant|>\n<think></think>\n"),
        (SEED, "<seed:eos><seed:bos>assistant\n<seed:think>\n\n</seed:think>\n\n"),
        (EXAONE, "[|endofturn|]\n[|assistant|]\n<think>\n\n</think>\n\n"),
        (GEMMA, "<turn|>\n<|turn>model\n"),
        (SMOLLM, "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n"),
    ],
    ids=["GPT-OSS", "GLM 4.5", "Seed-OSS", "EXAONE 4", "Gemma 4", "SmolLM3"],
)
def test_newer_families_are_told_to_be_novelists_and_do_not_think(source: str, wanted: str) -> None:
    opening, closing = ChatTemplate(source, MARKS).around_request()
    assert NOVELIST in opening
    assert opening.count(NOVELIST) == 1
    assert closing == wanted
