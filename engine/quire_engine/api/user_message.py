"""A sentence for the user that can still be translated after it was written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self


class UserMessage(str):
    """An English sentence that keeps its template, which is its key in a translation, and its arguments.

    It is a string, so logs, tests and commands use it as it is. The window translates the template and fills
    it in again.
    """

    __slots__ = ("arguments", "template")

    template: str
    arguments: Mapping[str, str | int | float]

    def __new__(cls, template: str, /, **arguments: object) -> Self:
        """Fill in a template.

        Args:
            template: The English sentence, with {names} in it. Without arguments it is taken as it is.
            arguments: What the names mean. A message or an error stays translatable within the sentence, a
                number can be given a format, and anything else becomes its text.
        """
        plain = {name: _plain(value) for name, value in arguments.items()}
        message = super().__new__(cls, template.format(**plain) if plain else template)
        message.template = template
        message.arguments = plain
        return message

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (self.template,), dict(self.arguments)


def joined(*sentences: str) -> UserMessage:
    """Return sentences as one message; empty ones are left out."""
    named = {f"sentence_{number}": sentence for number, sentence in enumerate(sentences) if sentence}
    return UserMessage(" ".join(f"{{{name}}}" for name in named), **named)


def packed(message: object) -> object:
    """Return a message with its template and arguments, for JSON: another process can translate it."""
    if not isinstance(message, UserMessage):
        return message
    arguments = {name: packed(value) for name, value in message.arguments.items()}
    return {"template": message.template, "arguments": arguments}


def _plain(value: object) -> str | int | float:
    message = getattr(value, "message", None)  # of an error
    if isinstance(message, UserMessage):
        return message
    return value if isinstance(value, str | int | float) else str(value)
