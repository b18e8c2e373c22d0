"""What the window needs of a server: its address, and a look at what it can do.

Importing this imports no network; `look` does.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from quire_engine.api.config import SamplingConfig
from quire_engine.api.server_address import NO_KEY, ServerAddress, ServerKey, normal_url
from quire_engine.api.user_message import UserMessage
from quire_engine.remote.server_problem import ServerProblem, ServerTrouble

__all__ = [
    "MOST_SCORED_WORDS",
    "NO_KEY",
    "ServerAbilities",
    "ServerAddress",
    "ServerKey",
    "ServerProblem",
    "ServerTrouble",
    "look",
    "normal_url",
]

MOST_SCORED_WORDS = 100
"""Words whose probabilities a server is asked for at once: each token can be a request of its own."""
SETTING_NAMES: dict[str, dict[str, str]] = {
    "llama.cpp": {"top_k": "top_k", "min_p": "min_p", "penalty": "repeat_penalty", "window": "repeat_last_n"},
    "vLLM": {"top_k": "top_k", "min_p": "min_p", "penalty": "repetition_penalty"},
    "SGLang": {"top_k": "top_k", "min_p": "min_p", "penalty": "repetition_penalty"},
    "KoboldCpp": {"top_k": "top_k", "min_p": "min_p", "penalty": "rep_pen", "window": "rep_pen_range"},
    "LM Studio": {"top_k": "top_k", "penalty": "repeat_penalty"},
}
"""Quire's settings by the names that each kind documents."""


@dataclass(frozen=True, slots=True)
class ServerAbilities:
    """What a server can do; None where it does not tell.

    Attributes:
        models: names of its models.
        model: the one that was asked for, or else the only one; empty: one has to be chosen.
        kind: "llama.cpp", "vLLM", "SGLang", "Ollama", "LM Studio", "KoboldCpp"; empty: another one.
        version: as the server gives it; empty where it does not.
        completions: whether it continues a text as it is; without, a request to continue has to do.
        chat: whether it answers requests.
        tokenize: whether it says how it cuts a text into tokens.
        logit_bias: whether single tokens can be forbidden there.
        logprobs: whether it says how likely each token was.
        seed: whether it accepts a seed. Even so nothing is promised to be reproducible.
        figures: whether it tells how many draft tokens it accepted: llama.cpp with each piece of text, vLLM
            in sums over all its users, which count while there is no other one (see `server_counters`). An
            average over all users, as SGLang keeps, says nothing about one draft.
        context_length: tokens that the model sees.
    """

    models: tuple[str, ...]
    model: str = ""
    kind: str = ""
    version: str = ""
    completions: bool | None = None
    chat: bool | None = None
    tokenize: bool | None = None
    logit_bias: bool | None = None
    logprobs: bool | None = None
    seed: bool | None = None
    figures: bool | None = None
    context_length: int | None = None

    @property
    def chat_only(self) -> bool:
        """Whether a request to continue is all that the server has."""
        return self.completions is False

    @property
    def scores(self) -> bool | None:
        """Whether it says how likely the words of a text are, which is more than those that it drafts."""
        if not self.logprobs or self.chat_only:
            return False
        return bool(self.tokenize and self.logit_bias) if self.kind == "llama.cpp" else None

    @property
    def can_forbid(self) -> bool:
        """Whether words to avoid can be forbidden, as far as they are single tokens there."""
        return bool(self.logit_bias and self.tokenize)

    def refused(self, sampling: SamplingConfig) -> tuple[UserMessage, ...]:
        """Return the names of a writer's settings that have an effect at home and none on this server.

        Not among them are words to avoid, and that a penalty becomes stronger: `unused` has these too.
        """
        known = SETTING_NAMES.get(self.kind, {})
        wanted = (
            (UserMessage("top-k"), "top_k", sampling.top_k > 0),
            (UserMessage("min-p"), "min_p", sampling.min_p > 0),
            (UserMessage("eta"), "eta", sampling.eta > 0),
            (UserMessage("repetition penalty"), "penalty", sampling.repetition_penalty > 1),
        )
        return tuple(name for name, key, is_set in wanted if is_set and key not in known)

    def unused(self, sampling: SamplingConfig) -> tuple[UserMessage, ...]:
        """Return the names of everything that a writer has set and that has no effect on this server."""
        names = [*self.refused(sampling)]
        if sampling.penalty_growth > 0 and sampling.repetition_penalty > 1:
            names.append(UserMessage("stronger against repetition"))  # it has no name to be sent by
        if sampling.banned and not self.can_forbid:
            names.append(UserMessage("words to avoid"))
        return tuple(names)


async def look(url: str, key: ServerKey = NO_KEY, model: str = "") -> ServerAbilities:
    """Return what a server can do, by asking it for a few tokens.

    Args:
        url: as typed; `normal_url` is applied to it.
        key: the server's key; sent to this host alone, never to where it redirects.
        model: the model to look at; empty: the only one. With several nothing but their names is looked at.

    Raises:
        ServerProblem: with a sentence that says what is wrong.
    """
    try:
        address = ServerAddress.parsed(url, model)
    except ValueError as error:
        raise ServerProblem(ServerTrouble.ADDRESS, error.args[0]) from None
    return await asyncio.to_thread(_look_at, address, key)


def _look_at(address: ServerAddress, key: ServerKey) -> ServerAbilities:
    """As look, on a thread with a loop of its own: importing the client alone takes a second."""
    from quire_engine.remote.server_look import look_at

    return asyncio.run(look_at(address, key))
