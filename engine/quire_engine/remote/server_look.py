"""What can this server do? Asked of itself; what it does not tell is known from its kind, or not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import httpx2
import openai

from quire_engine.api.server_address import ServerAddress, ServerKey
from quire_engine.remote.connection import Connection, Timeouts
from quire_engine.remote.failures import garbled, no_such_model, problem_of
from quire_engine.remote.server import ServerAbilities
from quire_engine.remote.server_counters import read_counters
from quire_engine.remote.server_problem import ServerProblem, ServerTrouble

MAX_MODELS = 500
_OWNERS = {"llamacpp": "llama.cpp", "vllm": "vLLM", "sglang": "SGLang", "koboldcpp": "KoboldCpp"}
_MARKS = {
    "llama.cpp": "/props",
    "KoboldCpp": "/api/extra/version",
    "LM Studio": "/api/v0/models",
    "Ollama": "/api/version",
}
"""Addresses that only servers of this kind have, in the order in which they are tried."""
_HAS_BIAS = {
    "llama.cpp": True,
    "vLLM": True,
    "SGLang": True,
    "LM Studio": True,
    "KoboldCpp": True,
    "Ollama": False,
}
_HAS_SEED = frozenset(_HAS_BIAS)
"""Kinds whose documentation says so; see the manual's table."""
_USUAL = Timeouts()


async def look_at(address: ServerAddress, key: ServerKey, timeouts: Timeouts = _USUAL) -> ServerAbilities:
    """Return what a server can do; ServerProblem where it cannot be found out or the model is not there."""
    try:
        async with Connection(address, key, timeouts) as connection:
            return await look_through(connection)
    except ServerProblem:
        raise
    except Exception as error:
        if (problem := problem_of(error, address)) is not None:
            raise problem from error
        raise


async def look_through(connection: Connection) -> ServerAbilities:
    """As look_at, over a connection that is open already."""
    found = await _models(connection)
    models = tuple(found)
    kind, version = await _kind(connection, found)
    seen = ServerAbilities(models, kind=kind, version=version)
    wanted = connection.address.model
    if not wanted and len(models) != 1:
        return seen
    model = wanted or models[0]
    if models and model not in models:
        raise no_such_model(connection.address, model, models)
    seen = replace(
        seen,
        model=model,
        logit_bias=_HAS_BIAS.get(kind),
        seed=True if kind in _HAS_SEED else None,
        context_length=await _context(connection, kind, found.get(model, {})),
    )
    seen = await _with_completions(connection, seen)
    counted = await token_ids(connection, kind, model, "The house stood empty.")
    return replace(seen, tokenize=counted is not None, figures=await _has_figures(connection, seen))


async def token_ids(connection: Connection, kind: str, model: str, text: str) -> list[int] | None:
    """Return the tokens of a text as the server cuts it; None where it does not say."""
    for path, body in _tokenizers(kind, model, text):
        answer = await _json(connection, path, body)
        if not isinstance(answer, dict):
            continue
        tokens = answer.get("tokens", answer.get("ids"))
        if isinstance(tokens, list) and tokens and isinstance(tokens[0], list):
            tokens = tokens[0]
        if isinstance(tokens, list) and all(type(token) is int for token in tokens):
            return tokens
    return None


async def token_pieces(connection: Connection, text: str) -> list[tuple[int, bytes]] | None:
    """Return the tokens of a text with their bytes, as llama.cpp reads it; None where it does not say."""
    answer = await _json(
        connection,
        "/tokenize",
        {"content": text, "add_special": True, "parse_special": True, "with_pieces": True},
    )
    try:
        return [
            (
                int(one["id"]),
                one["piece"].encode() if isinstance(one["piece"], str) else bytes([*one["piece"]]),
            )
            for one in answer["tokens"]
        ]
    except (KeyError, TypeError, ValueError):
        return None


async def answered(connection: Connection, path: str, body: dict[str, Any]) -> Any:
    """Return the whole answer to a request of the interface, which is not streamed."""
    timeout = openai.Timeout(connection.timeouts.first_s, connect=connection.timeouts.connect_s)
    client = connection.api.with_options(timeout=timeout)
    # by path: the typed methods would refuse to send what is not in their lists
    reply: httpx2.Response = await client.post(path, body=body, cast_to=httpx2.Response)
    return reply.json()


def _tokenizers(kind: str, model: str, text: str) -> list[tuple[str, dict[str, Any]]]:
    known = {
        "llama.cpp": ("/tokenize", {"content": text, "add_special": False}),
        "KoboldCpp": ("/api/extra/tokencount", {"prompt": text, "special": False}),
        "vLLM": ("/tokenize", {"model": model, "prompt": text, "add_special_tokens": False}),
        "SGLang": ("/tokenize", {"model": model, "prompt": text, "add_special_tokens": False}),
    }
    if kind in known:
        return [known[kind]]
    return [] if kind else [known["vLLM"]]


async def _models(connection: Connection) -> dict[str, dict[str, Any]]:
    """Return the server's models by name, with whatever it says about each."""
    address = connection.address
    try:
        reply: httpx2.Response = await connection.api.get("/models", cast_to=httpx2.Response)
    except openai.NotFoundError as error:
        raise garbled(address) from error
    answer = reply.json()
    listed = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(listed, list):
        raise garbled(address)
    server = reply.headers.get("server", "")
    found: dict[str, dict[str, Any]] = {}
    for model in listed[:MAX_MODELS]:
        if isinstance(model, dict) and isinstance(name := model.get("id"), str) and name.isprintable():
            found[name] = {**model, "server": server}
    return found


async def _kind(connection: Connection, models: dict[str, dict[str, Any]]) -> tuple[str, str]:
    """Return name and version of the server's kind; empty where it is none that Quire knows."""
    about = next(iter(models.values()), {})
    kind = _OWNERS.get(str(about.get("owned_by", "")).lower(), "")
    if not kind and "llama.cpp" in about.get("server", ""):
        kind = "llama.cpp"
    if kind in ("vLLM", "SGLang"):
        answer = await _json(connection, "/version" if kind == "vLLM" else "/server_info")
        return kind, _version(answer, "version")
    for name, path in _MARKS.items():
        if kind in ("", name):
            answer = await _json(connection, path)
            if name == "llama.cpp" and isinstance(answer, dict) and "default_generation_settings" in answer:
                return name, _version(answer, "build_info")
            if name == "KoboldCpp" and isinstance(answer, dict) and answer.get("result") == name:
                return name, _version(answer, "version")
            if name == "LM Studio" and isinstance(answer, dict) and isinstance(answer.get("data"), list):
                return name, ""
            if name == "Ollama" and isinstance(answer, dict) and isinstance(answer.get("version"), str):
                return name, _version(answer, "version")
    return kind, ""


def _version(answer: Any, name: str) -> str:
    said = answer.get(name) if isinstance(answer, dict) else None
    return said[:60] if isinstance(said, str) and said.isprintable() else ""


async def _context(connection: Connection, kind: str, about: dict[str, Any]) -> int | None:
    """Return the context window in tokens; None where the server does not tell."""
    said: Any = about.get("max_model_len") or about.get("context_length")
    meta = about.get("meta")
    if kind == "llama.cpp":
        props = await _json(connection, "/props")
        settings = props.get("default_generation_settings") if isinstance(props, dict) else None
        said = settings.get("n_ctx") if isinstance(settings, dict) else None
        said = said or (meta.get("n_ctx") if isinstance(meta, dict) else None)
    elif kind == "KoboldCpp":
        answer = await _json(connection, "/api/extra/true_max_context_length")
        said = answer.get("value") if isinstance(answer, dict) else None
    elif kind == "LM Studio":
        answer = await _json(connection, "/api/v0/models")
        listed = answer.get("data") if isinstance(answer, dict) else None
        for model in listed if isinstance(listed, list) else ():
            if isinstance(model, dict) and model.get("id") == about.get("id"):
                said = model.get("loaded_context_length")
    return said if type(said) is int and said > 0 else None


_NOT_THERE = (400, 404, 405, 422, 501)
"""Statuses with which servers refuse an endpoint that they don't have."""


async def _with_completions(connection: Connection, seen: ServerAbilities) -> ServerAbilities:
    """Return what a single drafted token shows; where the server has only chats, whether it has these."""
    try:
        answer = await connection.api.completions.create(
            model=seen.model, prompt="The house", max_tokens=1, logprobs=1
        )
    except openai.APIStatusError as error:
        if error.status_code not in _NOT_THERE:
            raise
        problem = problem_of(error, connection.address)
        if problem is not None and problem.trouble is ServerTrouble.MODEL:
            raise
        return replace(seen, completions=False, chat=await _has_chat(connection, seen.model))
    choices = getattr(answer, "choices", None)
    if not choices or not isinstance(getattr(choices[0], "text", None), str):
        return replace(seen, completions=False, chat=await _has_chat(connection, seen.model))
    has_figures = isinstance((answer.model_extra or {}).get("timings"), dict)
    seen = replace(seen, completions=True, logprobs=choices[0].logprobs is not None)
    return replace(seen, figures=True if has_figures and seen.kind == "llama.cpp" else None)


async def answers_chats(connection: Connection, model: str) -> bool:
    """Return whether a server that continues texts answers requests as well."""
    try:
        return await _has_chat(connection, model)
    except openai.APIStatusError as error:
        if error.status_code not in _NOT_THERE:
            raise
        return False


async def _has_chat(connection: Connection, model: str) -> bool:
    answer = await connection.api.chat.completions.create(
        model=model, messages=[{"role": "user", "content": "Say: yes"}], max_tokens=1
    )
    if not getattr(answer, "choices", None):
        raise garbled(connection.address)
    return True


async def _has_figures(connection: Connection, seen: ServerAbilities) -> bool | None:
    if seen.kind == "llama.cpp":
        slots = await _json(connection, "/slots")
        first = slots[0] if isinstance(slots, list) and slots else None
        return bool(first.get("speculative")) if isinstance(first, dict) else None
    if seen.kind == "vLLM":
        return await read_counters(connection) is not None
    return False if seen.kind else None


async def _json(connection: Connection, path: str, body: dict[str, Any] | None = None) -> Any:
    """Return what the server says at one of its own addresses; None where there is nothing of the kind."""
    try:
        url = connection.beside(path)
        reply = await (connection.http.get(url) if body is None else connection.http.post(url, json=body))
        return reply.json() if reply.status_code == 200 else None
    except (httpx2.HTTPError, ValueError, ServerProblem):
        return None
