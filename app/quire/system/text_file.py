"""Reads text files of the writer."""

from __future__ import annotations

from pathlib import Path

from quire.errors import WriterProblem

MAX_BYTES = 64 * 2**20


def read_text(path: Path, what: str) -> str:
    """Return a file's text; WriterProblem when it is not text. what: the word for it in a message."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise WriterProblem(
            "The {what} {path} doesn't exist. Check the name.", path=path, what=what
        ) from None
    except OSError as error:
        raise WriterProblem(
            "The {what} {path} can't be read ({reason}). Choose a text file.",
            what=what,
            path=path,
            reason=error.strerror,
        ) from error
    return decoded(content, str(path), what)


def decoded(content: bytes, name: str, what: str) -> str:
    """Return the text of a file's bytes; WriterProblem when they are not text."""
    if len(content) > MAX_BYTES:
        raise WriterProblem(
            "The {what} {name} is larger than 64 MiB. Choose a shorter text.", what=what, name=name
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise WriterProblem(
            "The {what} {name} is not UTF-8 text. Save it as UTF-8 and try again.",
            what=what,
            name=name,
        )
    return text
