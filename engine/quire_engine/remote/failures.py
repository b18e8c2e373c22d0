"""Makes a sentence of everything that the client, the network and a server can raise."""

from __future__ import annotations

import json
import re
import ssl
from collections.abc import Iterator

import httpx2
import openai

from quire_engine.api.server_address import ServerAddress
from quire_engine.remote.server_problem import ServerProblem, ServerTrouble

_MAX_REASON = 300
_MAX_WAIT_S = 3600.0
_TOO_LONG = re.compile(
    r"context.{0,40}(length|size|window)|exceed.{0,40}context|too (long|many tokens)|maximum.{0,30}tokens",
    re.IGNORECASE | re.DOTALL,
)
_NO_MODEL = re.compile(r"model.{0,200}(not found|not exist|not loaded|not available)|no model", re.I | re.S)
_LOADING = re.compile(r"loading model|model is loading|still loading", re.I)


def problem_of(error: BaseException, address: ServerAddress) -> ServerProblem | None:
    """Return what to tell the writer about an error; None for one that has nothing to do with a server."""
    for each in _chain(error):
        if isinstance(each, ServerProblem):
            return each
    for each in _chain(error):
        if isinstance(each, ssl.SSLCertVerificationError):
            return _certificate(each, address)
        if isinstance(each, ssl.SSLError):
            return _not_encrypted(address)
    if isinstance(error, openai.APIStatusError):
        return _refused(error, address)
    if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException | TimeoutError):
        return ServerProblem(
            ServerTrouble.UNREACHABLE,
            "{host} doesn't answer. Check that the server is running and not busy with something else.",
            host=address.host,
        )
    if isinstance(error, openai.APIConnectionError | httpx2.TransportError | OSError):
        return _unreachable(error, address)
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError | openai.APIResponseValidationError):
        return garbled(address)
    if isinstance(error, openai.APIError):  # reported in the middle of a stream
        return _told(str(error.message), address)
    if isinstance(error, httpx2.HTTPError | httpx2.StreamError):
        return _unreachable(error, address)
    return None


def garbled(address: ServerAddress) -> ServerProblem:
    """Return the problem of an answer that is not what such a server sends."""
    return ServerProblem(
        ServerTrouble.NOT_A_SERVER,
        "{host} doesn't answer as a language model's server does. Check the address and the port; it usually "
        "ends with /v1.",
        host=address.host,
    )


def no_such_model(address: ServerAddress, model: str, models: tuple[str, ...]) -> ServerProblem:
    """Return the problem of a model that is not there, with the names of some that are."""
    return ServerProblem(
        ServerTrouble.MODEL,
        "{host} has no model called {model}. It has: {models}.",
        host=address.host,
        model=model,
        models=", ".join(models[:8]) or "none",
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    following: BaseException | None = error
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        yield following
        following = following.__cause__ or following.__context__


def _certificate(error: ssl.SSLCertVerificationError, address: ServerAddress) -> ServerProblem:
    return ServerProblem(
        ServerTrouble.CERTIFICATE,
        "This computer doesn't trust the certificate of {host} ({reason}), so nothing was sent. Give the "
        "server a certificate that this computer trusts, or add its issuer to this computer's certificates.",
        host=address.host,
        reason=str(error.verify_message or "unknown").rstrip("."),
    )


def _not_encrypted(address: ServerAddress) -> ServerProblem:
    return ServerProblem(
        ServerTrouble.CERTIFICATE,
        "A secure connection to {host} wasn't possible, so nothing was sent. If the server speaks plain "
        "http, begin the address with http://.",
        host=address.host,
    )


def _unreachable(error: BaseException, address: ServerAddress) -> ServerProblem:
    is_cut = any(isinstance(each, httpx2.ReadError | httpx2.RemoteProtocolError) for each in _chain(error))
    if is_cut:
        return ServerProblem(
            ServerTrouble.UNREACHABLE,
            "The connection to {host} was lost. Check that the server is still running.",
            host=address.host,
        )
    return ServerProblem(
        ServerTrouble.UNREACHABLE,
        "Nothing answers at {host}. Start the server, and check the address and the port.",
        host=address.host,
    )


def _refused(error: openai.APIStatusError, address: ServerAddress) -> ServerProblem:
    status, said = error.status_code, _reason(error)
    host = address.host
    if status in (401, 403):
        return ServerProblem(
            ServerTrouble.KEY,
            "{host} doesn't accept the key. Enter the key that the server was started with.",
            host=host,
        )
    if status == 413 or (status in (400, 422, 500) and _TOO_LONG.search(said)):
        return ServerProblem(
            ServerTrouble.TOO_LONG,
            "The text doesn't fit what the model on {host} can read ({reason}).",
            host=host,
            reason=said or status,
        )
    if status == 429 or _LOADING.search(said) or status in (502, 503, 504):
        return ServerProblem(
            ServerTrouble.BUSY,
            "{host} is busy or still loading its model ({reason}). Try again in a while.",
            host=host,
            reason=said or status,
            retry_after_s=_retry_after(error),
        )
    if status == 404 and not _NO_MODEL.search(said):
        return garbled(address)
    return _told(said or str(status), address, retries=status >= 500)


def _told(said: str, address: ServerAddress, *, retries: bool = False) -> ServerProblem:
    if _TOO_LONG.search(said):
        trouble = ServerTrouble.TOO_LONG
    elif _NO_MODEL.search(said):
        trouble = ServerTrouble.MODEL
    else:
        trouble = ServerTrouble.BUSY if retries else ServerTrouble.REFUSED
    return ServerProblem(
        trouble,
        "{host} reports a problem: {reason}.",
        host=address.host,
        reason=said[:_MAX_REASON].rstrip(". "),
    )


def _reason(error: openai.APIStatusError) -> str:
    """Return what the server says, on one line; empty where it says nothing that is fit to show."""
    body: object = error.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        body = inner.get("message", "") if isinstance(inner, dict) else inner
    if not isinstance(body, str) or "<" in body[:200]:  # a page of a proxy
        return ""
    return " ".join(body.split())[:_MAX_REASON].rstrip(". ")


def _retry_after(error: openai.APIStatusError) -> float | None:
    try:
        seconds = float(error.response.headers.get("retry-after", ""))
    except ValueError:  # absent, or a date
        return None
    return min(seconds, _MAX_WAIT_S) if seconds >= 0 else None
