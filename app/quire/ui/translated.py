"""Errors, notices and other messages from below the window, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from quire_engine.api.user_message import UserMessage

CONTEXT = "Errors"
"""Where the templates are in quire_*.ts."""


def translated(text: str) -> str:
    """Return a message in the language of the window; any other text is already in it."""
    if not isinstance(text, UserMessage):
        return text
    template = QCoreApplication.translate(CONTEXT, text.template)
    words = {
        name: translated(value) if isinstance(value, str) else value for name, value in text.arguments.items()
    }
    return template.format(**words) if words else template
