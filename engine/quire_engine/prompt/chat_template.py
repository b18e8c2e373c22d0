"""A model's chat template: the text around a request and at the start of the reply.

The template never runs in this process: see `chat_template_process`. It gets placeholders instead of the
writer's words, so that words that look like special tokens stay words.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.user_message import UserMessage
from quire_engine.catalog import tokenizer_files
from quire_engine.catalog.rejection import ModelRejected
from quire_engine.prompt import chat_template_process

_MAX_SECONDS = 5  # of the CPU
_PATIENCE = 4  # times as many of the clock, which on a busy computer runs ahead
_REQUEST, _ANSWER = "QUIREREQUEST", "QUIREANSWER"
NOVELIST = (
    "You are a novelist. You write only the text of the novel, prose and dialogue, as it is printed. You "
    "never comment on it, explain it or talk to the reader."
)
"""In place of what a template says by itself, such as that the model is a helpful assistant."""
THOUGHTS = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<reasoning>", "</reasoning>"),
    ("[THINK]", "[/THINK]"),
    ("<seed:think>", "</seed:think>"),
    ("<|channel>thought", "<channel|>"),
)
"""What models think between; a template may open it for them."""
_MARKS = ("bos_token", "eos_token", "pad_token", "unk_token")


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """A template and the tokenizer's special tokens that it may use."""

    source: str
    marks: tuple[tuple[str, str], ...]

    def around_request(self) -> tuple[str, str]:
        """Return the text before a request, and between it and the reply, in which nothing is thought.

        The model is asked to be a novelist, in a system message where the template has room for one.

        Raises EnvironmentProblem if the template fails, takes too long, or does not support a started reply.
        """
        try:
            opening, closing = self._around([{"role": "system", "content": NOVELIST}])
        except EnvironmentProblem:  # some templates refuse a system message
            opening, closing = self._around([])
        if NOVELIST not in opening:
            opening += f"{NOVELIST}\n\n"
        return opening, _with_thoughts_closed(closing)

    def _around(self, before: list[dict[str, str]]) -> tuple[str, str]:
        text = _rendered(
            {
                "template": self.source,
                "messages": [
                    *before,
                    {"role": "user", "content": _REQUEST},
                    {"role": "assistant", "content": _ANSWER},
                ],
                "variables": dict(self.marks),
                "seconds": _MAX_SECONDS,
            }
        )
        opening, request, rest = text.partition(_REQUEST)
        closing, answer, _ = rest.partition(_ANSWER)
        if not request or not answer or _REQUEST in rest:
            raise _unusable(UserMessage("it doesn't accept a request and the beginning of an answer"))
        return opening, closing


def find_template(folder: Path) -> ChatTemplate | None:
    """Return the chat template in a model's folder; None if there is none or it is not text."""
    source = tokenizer_files.find_template(folder).source
    if not source:
        return None
    try:
        config = tokenizer_files.settings_of(folder, "tokenizer_config.json")
    except ModelRejected:
        config = {}  # it costs the marks that the template may name
    marks = tuple((name, mark) for name in _MARKS if (mark := _mark_of(config.get(name))))
    return ChatTemplate(source, marks)


def encoded_as_marks(tokenizer: Tokenizer, text: str) -> list[int]:
    """Encode what a template wrote: only there are special tokens parsed."""
    was = tokenizer.encode_special_tokens
    tokenizer.encode_special_tokens = False
    try:
        # a batch of one lets other threads work meanwhile, see text.encode_text
        ids: list[int] = tokenizer.encode_batch([text], add_special_tokens=False)[0].ids
    except Exception as error:  # the library raises bare Exception for everything
        raise _unusable(_shown(" ".join(str(error).split())[:200])) from error
    finally:
        tokenizer.encode_special_tokens = was
    return ids


def _with_thoughts_closed(closing: str) -> str:
    """Return the text before a reply with a thought that is still open ended, so that prose follows."""
    for begin, end in THOUGHTS:
        if closing.rfind(begin) > closing.rfind(end):
            closing = f"{closing.rstrip()}\n\n{end}\n\n"
    return closing


def _rendered(asked: dict[str, Any]) -> str:
    program = [sys.executable, "-I", str(Path(chat_template_process.__file__))]
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    try:
        done = subprocess.run(
            program,
            input=json.dumps(asked).encode("utf-8"),
            capture_output=True,
            timeout=_PATIENCE * _MAX_SECONDS,
            check=False,
            creationflags=flags,
        )
        answer: Any = json.loads(done.stdout.decode("utf-8"))
    except subprocess.TimeoutExpired as error:
        raise _unusable(UserMessage("it takes too long")) from error
    except OSError as error:
        raise _unusable(UserMessage("it can't run here: {reason}", reason=error.strerror or error)) from error
    except ValueError as error:  # the process was ended: it took too much
        raise _unusable(UserMessage("it takes too long or too much memory")) from error
    if not isinstance(answer.get("text"), str):
        raise _unusable(_shown(str(answer.get("error"))))
    text: str = answer["text"]
    return text


def _shown(text: str) -> str:
    """Return what a foreign template says of itself so that it can stand in a sentence."""
    return "".join(mark if mark.isprintable() else " " for mark in text).rstrip(". ")


def _unusable(reason: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        "This model's chat template can't be used ({reason}). Turn the chat form off instead.",
        reason=reason,
    )


def _mark_of(found: object) -> str:
    if isinstance(found, dict):
        found = found.get("content")
    return found if isinstance(found, str) else ""
