"""What the window needs of a server: its address, and a look at what it can do.

Importing this imports no network; `look` does.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from quire_engine.api.server_address import NO_KEY, ServerAddress, ServerKey, normal_url
from quire_engine.remote.server_problem import ServerProblem, ServerTrouble

__all__ = [
    "NO_KEY",
    "ServerAbilities",
    "ServerAddress",
    "ServerKey",
    "ServerProblem",
    "ServerTrouble",
    "look",
    "normal_url",
]


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
        figures: whether it tells, with each piece of text, how many draft tokens it accepted. Sums over all
            of a server's users, as vLLM and SGLang keep them, say nothing about one draft.
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
