"""What is asked of a server, in the words of its kind; and what of the writer's settings it does not take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from quire_engine.api.config import SamplingConfig
from quire_engine.prompt.chat_template import NOVELIST
from quire_engine.remote.server import SETTING_NAMES, ServerAbilities

MAX_TOKENS = 2048
"""Tokens asked for at once; the next request goes on where this one ends."""
_FORBIDDEN = -100
_SEEDS = 2**31
_INSTRUCTION = (
    "You continue a novel from exactly where its text breaks off, in the same voice, person and tense. Write "
    "only the words that come next in the book: no comment, no heading of your own, no summary, and do not "
    "repeat what is there."
)
_ASKED = "Here is the text so far. Write on from its last word.\n\n"


@dataclass(frozen=True, slots=True)
class RequestForm:
    """What stays the same in all requests of a run.

    Attributes:
        banned_ids: tokens that the server must not draw.
        keeps_on: forbid the end of the text, where the server can.
    """

    abilities: ServerAbilities
    sampling: SamplingConfig
    banned_ids: tuple[int, ...] = ()
    keeps_on: bool = True

    def completion(self, text: str, num_generated: int, num_tokens: int) -> dict[str, Any]:
        """Return the request that continues a text. num_generated: characters; another draw at each place."""
        body = self._common(num_generated, num_tokens)
        return body | {"prompt": text}

    def chat(self, text: str, num_front: int, num_generated: int, num_tokens: int) -> dict[str, Any]:
        """Return the request for servers that have only chats; the first characters are about the story."""
        system, asked = chat_parts(text[:num_front], text[num_front:])
        messages = [{"role": "system", "content": system}, {"role": "user", "content": asked}]
        return self._common(num_generated, num_tokens) | {"messages": messages}

    def request(self, text: str, num_tokens: int) -> dict[str, Any]:
        """Return a request that is answered rather than continued."""
        messages = [{"role": "system", "content": NOVELIST}, {"role": "user", "content": text.strip()}]
        return self._common(0, num_tokens, is_chat=True) | {"messages": messages}

    def _common(self, num_generated: int, num_tokens: int, *, is_chat: bool = False) -> dict[str, Any]:
        sampling, kind = self.sampling, self.abilities.kind
        body: dict[str, Any] = {
            "model": self.abilities.model,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "max_tokens": num_tokens,
            "stream": True,
        }
        if self.abilities.seed:
            body["seed"] = (sampling.seed + num_generated) % _SEEDS
        if self.banned_ids:
            body["logit_bias"] = {str(token): _FORBIDDEN for token in self.banned_ids}
        return body | {"extra_body": self._extras(kind, is_chat=is_chat or self.abilities.chat_only)}

    def _extras(self, kind: str, *, is_chat: bool) -> dict[str, Any]:
        """Return what only this kind of server understands; others may refuse what they do not know."""
        sampling, names = self.sampling, SETTING_NAMES.get(kind, {})
        values = {
            "top_k": sampling.top_k,
            "min_p": sampling.min_p,
            "penalty": sampling.repetition_penalty,
            "window": sampling.penalty_window,
        }
        extras: dict[str, Any] = {name: values[key] for key, name in names.items()}
        if kind == "llama.cpp":
            extras |= {"timings_per_token": True, "cache_prompt": True}
        if kind in ("llama.cpp", "vLLM", "SGLang") and self.keeps_on and self.abilities.completions:
            extras["ignore_eos"] = True
        if kind in ("vLLM", "SGLang") and not sampling.top_k:
            extras["top_k"] = -1
        if kind in ("llama.cpp", "vLLM", "SGLang") and is_chat:
            extras["chat_template_kwargs"] = {"enable_thinking": False}  # templates without it ignore it
        return extras


def chat_parts(front: str, story: str) -> tuple[str, str]:
    """Return what is said to a server that has only chats: the instruction, and the request."""
    front = front.strip()
    return f"{_INSTRUCTION}\n\n{front}" if front else _INSTRUCTION, _ASKED + story
