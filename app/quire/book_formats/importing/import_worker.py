"""The process that reads a file of another program, under limits, and writes what it found as JSON.

A message of an error goes over as its template and its arguments, so that the window can translate it.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from quire.system.resource_limits import LIMIT_EXIT, ResourceLimits, limit_this_process


def main(arguments: list[str]) -> int:
    """Read the file that the arguments name; return the exit status."""
    cpu_s, memory_bytes, output_bytes, wall_s, path, encoding = arguments
    limits = ResourceLimits(int(cpu_s), int(memory_bytes), int(output_bytes), float(wall_s))
    limit_this_process(limits)
    try:
        _write(_answer(Path(path), limits, encoding))
    except MemoryError:
        return LIMIT_EXIT
    return 0


def _answer(path: Path, limits: ResourceLimits, encoding: str) -> dict[str, Any]:
    # below the limits, so that they hold for whatever is imported as well
    from quire.book_formats.importing.import_plan import Division, divided, preview
    from quire.book_formats.importing.manuscript_file import TooMuch, manuscript_in
    from quire.domain.manuscript.chapter_splitting import refuse_too_many
    from quire.errors import WriterProblem

    try:
        manuscript = manuscript_in(path, limits, encoding)
        refuse_too_many(len(divided(manuscript.text, Division.SCENES)), path.name)  # the finest one
        previews = {one: preview(manuscript.text, one) for one in Division}
    except WriterProblem as problem:
        return {"problem": packed_message(problem.message)}
    except TooMuch:
        raise MemoryError from None
    return {
        "manuscript": [
            manuscript.title,
            manuscript.author,
            manuscript.text,
            manuscript.left_out,
            manuscript.left_out_text,
            manuscript.encoding,
        ],
        "comments": [
            [one.start, one.end, one.text, one.author, one.created.isoformat()] for one in manuscript.comments
        ],
        "previews": [
            [division.value, [[piece.kind.value, piece.title, piece.num_words] for piece in pieces]]
            for division, pieces in previews.items()
        ],
    }


def packed_message(message: Any) -> Any:
    """Return a message, or an argument of one, as JSON can hold it."""
    from quire_engine.api.user_message import UserMessage

    if isinstance(message, UserMessage):
        arguments = {name: packed_message(value) for name, value in message.arguments.items()}
        return {"template": message.template, "arguments": arguments}
    return message


def unpacked_message(packed: Any) -> Any:
    """Return the message that was packed."""
    from quire_engine.api.user_message import UserMessage

    if isinstance(packed, dict):
        arguments = {name: unpacked_message(value) for name, value in packed["arguments"].items()}
        return UserMessage(packed["template"], **arguments)
    return packed


def _write(answer: dict[str, Any]) -> None:
    with os.fdopen(sys.stdout.fileno(), "wb", closefd=False) as output:
        output.write(json.dumps(answer, ensure_ascii=False).encode("utf-8", "surrogatepass"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
