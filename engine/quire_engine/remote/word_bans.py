"""Words to avoid as single tokens of a server's tokenizer, which is all that logit_bias can forbid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quire_engine.prompt.banned_phrases import spellings
from quire_engine.remote.connection import Connection
from quire_engine.remote.server import ServerAbilities
from quire_engine.remote.server_look import token_ids

_MOST_BIASED = 300
"""Tokens that servers accept at once, as far as they say."""


@dataclass(frozen=True, slots=True)
class WordBans:
    """Tokens to forbid, and the phrases that this leaves possible."""

    token_ids: tuple[int, ...] = ()
    possible: tuple[str, ...] = ()


async def word_bans(connection: Connection, abilities: ServerAbilities, phrases: Sequence[str]) -> WordBans:
    """Return what can be forbidden of the words to avoid.

    A word of several tokens stays possible: to forbid its first token would forbid others with it.
    """
    if not abilities.can_forbid:
        return WordBans(possible=tuple(phrases))
    found: set[int] = set()
    possible: list[str] = []
    for phrase in phrases:
        is_whole = True
        for text in sorted(spellings(phrase.strip())):
            for written in (text, f" {text}"):
                ids = await token_ids(connection, abilities.kind, abilities.model, written)
                if ids is not None and len(ids) == 1 and len(found) < _MOST_BIASED:
                    found.add(ids[0])
                elif written == f" {phrase.strip()}":
                    is_whole = False
        if not is_whole:
            possible.append(phrase)
    return WordBans(tuple(sorted(found)), tuple(possible))
