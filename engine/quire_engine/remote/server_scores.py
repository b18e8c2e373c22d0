"""How likely a server's model finds each token of a text, from the log-probabilities that it sends along.

llama.cpp scores only what it draws. So each token is drawn again behind the tokens before it, forced by
logit_bias: what it sends is the model's own probability, before any bias. Servers that repeat the prompt with
its log-probabilities (`echo`, as vLLM and SGLang document it) need one request for all tokens.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.queries import Alternative, ScoreText, TextScored, TokenScore
from quire_engine.api.user_message import UserMessage
from quire_engine.remote.connection import Connection
from quire_engine.remote.failures import garbled
from quire_engine.remote.server import MOST_SCORED_WORDS, ServerAbilities
from quire_engine.remote.server_look import answered, token_pieces

_MOST_SCORED = MOST_SCORED_WORDS * 3 // 2
"""Tokens of a selection."""
_LISTED = 100
"""Tokens that llama.cpp is asked for at each place; behind them a token has no rank."""
_ECHOED = 5
"""The same for others, some of which refuse more."""
_FORCED = 100
_ROOM = 8
_NO_SCORES = UserMessage(
    "This server doesn't say how likely words are, so it has no alternatives for them. Choose a model on "
    "this computer to see them."
)
_TOO_LONG = UserMessage(
    "A server is asked about each word by itself. Select at most {most} words.", most=MOST_SCORED_WORDS
)


@dataclass(frozen=True, slots=True)
class _Token:
    """A token of prompt and text. start, end: its characters in both together."""

    token_id: int
    start: int
    end: int


async def scores(
    connection: Connection, abilities: ServerAbilities, query: ScoreText, context: int
) -> TextScored:
    """Score each token of a text; EnvironmentProblem where the server does not tell.

    Args:
        context: tokens that the model reads.
    """
    if abilities.scores is False:
        raise EnvironmentProblem(_NO_SCORES)
    if abilities.kind == "llama.cpp":
        return await _drawn_again(connection, abilities.model, query, context)
    return await _echoed(connection, abilities.model, query)


# ---------------------------------------------------------------- llama.cpp
async def _drawn_again(connection: Connection, model: str, query: ScoreText, context: int) -> TextScored:
    pieces = await token_pieces(connection, query.prompt_text + query.text)
    if pieces is None:
        raise EnvironmentProblem(_NO_SCORES)
    tokens = _placed(query.prompt_text + query.text, pieces)
    border = len(query.prompt_text)
    chosen = [place for place, token in enumerate(tokens) if token.end > token.start >= border]
    if len(chosen) > _MOST_SCORED:
        raise EnvironmentProblem(_TOO_LONG)
    found: list[TokenScore] = []
    begin = max(0, len(tokens) + _ROOM - context)  # the same for all, so that the server reads it once
    for place in chosen:
        token = tokens[place]
        start, end = token.start - border, token.end - border
        piece = query.text[start:end]
        before = [each.token_id for each in tokens[begin:place]]
        if not before:
            found.append(TokenScore(piece, start, end, 0.0, 0, ()))
            continue
        listed = await _listed(connection, model, before, token.token_id)
        found.append(_score(piece, start, end, token.token_id, listed, query.top))
    return TextScored(query.query_id, tuple(found), chosen[0] - begin if chosen else 0)


def _placed(text: str, pieces: list[tuple[int, bytes]]) -> list[_Token]:
    """Return where the tokens are in their text; one that completes no character has no width.

    Marks and spaces that a tokenizer puts before a text are before its first character.
    """
    whole = b"".join(piece for _, piece in pieces).decode("utf-8", "replace")
    if not whole.endswith(text):
        raise EnvironmentProblem(_NO_SCORES)
    tokens: list[_Token] = []
    data, done = b"", len(text) - len(whole)
    for token_id, piece in pieces:
        data += piece
        try:
            width = len(data.decode())
        except UnicodeDecodeError:  # the next tokens complete the character
            width = 0
        tokens.append(_Token(token_id, done, done + width))
        done, data = done + width, b"" if width else data
    return tokens


async def _listed(
    connection: Connection, model: str, before: list[int], token_id: int
) -> list[tuple[int, str, float]]:
    """Return ids, texts and probabilities of the likeliest tokens, best first, and at last the forced one."""
    body = {
        "model": model,
        "prompt": before,
        "max_tokens": 1,
        "logprobs": _LISTED,
        "logit_bias": {str(token_id): _FORCED},
        "temperature": 1.0,
        "cache_prompt": True,
    }
    answer = await answered(connection, "/completions", body)
    try:
        (drawn,) = answer["choices"][0]["logprobs"]["content"]
        return [
            (int(one["id"]), _text(one), math.exp(float(one["logprob"])))
            for one in (*drawn["top_logprobs"], drawn)
        ]
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        raise garbled(connection.address) from error


def _text(token: dict[str, Any]) -> str:
    """Return a token's text; part of a character is shown as U+FFFD."""
    return bytes([*token["bytes"]]).decode("utf-8", "replace")


def _score(
    piece: str, start: int, end: int, token_id: int, listed: list[tuple[int, str, float]], top: int
) -> TokenScore:
    *best, (drawn_id, _, drawn) = listed
    ranks = {each_id: rank for rank, (each_id, _, _) in enumerate(best, start=1)}
    alternatives = tuple(Alternative(text, probability) for _, text, probability in best[:top])
    if token_id in ranks:
        return TokenScore(piece, start, end, best[ranks[token_id] - 1][2], ranks[token_id], alternatives)
    # where even the bias did not bring it up, it is less likely than anything that is listed
    probability = drawn if drawn_id == token_id else 0.0
    return TokenScore(piece, start, end, probability, None, alternatives)


# ---------------------------------------------------------------- servers that repeat the prompt
async def _echoed(connection: Connection, model: str, query: ScoreText) -> TextScored:
    whole = query.prompt_text + query.text
    body = {"model": model, "prompt": whole, "max_tokens": 1, "echo": True, "logprobs": _ECHOED}
    answer = await answered(connection, "/completions", body)
    try:
        told = answer["choices"][0]["logprobs"]
        texts = [str(text) for text in told["tokens"]]
        likely = [None if one is None else float(one) for one in told["token_logprobs"]]
        tops = [dict(one or {}) for one in told["top_logprobs"]]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise EnvironmentProblem(_NO_SCORES) from error
    first = _first_of(whole, texts)
    if first is None or not len(texts) == len(likely) == len(tops):
        raise EnvironmentProblem(_NO_SCORES)
    found: list[TokenScore] = []
    place, num_context = -len(query.prompt_text), 0
    for text, own, top in zip(texts[first:], likely[first:], tops[first:], strict=True):
        start, place = place, place + len(text)
        num_context += start < 0
        if place > len(query.text):  # what was drafted behind it
            break
        if start >= 0 and own is not None:
            found.append(_echoed_score(text, start, own, top, query.top))
    if len(found) > _MOST_SCORED:
        raise EnvironmentProblem(_TOO_LONG)
    return TextScored(query.query_id, tuple(found), num_context)


def _first_of(whole: str, texts: list[str]) -> int | None:
    """Return the first token of the text itself, behind marks that are no part of it; None: there is none."""
    for first in range(min(2, len(texts))):
        if "".join(texts[first:]).startswith(whole):
            return first
    return None


def _echoed_score(text: str, start: int, own: float, top: dict[str, Any], most: int) -> TokenScore:
    listed = sorted(((float(value), str(other)) for other, value in top.items()), reverse=True)
    above = sum(value > own for value, _ in listed)
    # servers list the token itself even where it is not among the best
    rank = above + 1 if above < _ECHOED else None
    alternatives = tuple(Alternative(other, math.exp(min(value, 0.0))) for value, other in listed[:most])
    return TokenScore(text, start, start + len(text), math.exp(min(own, 0.0)), rank, alternatives)
