"""Render a model's chat template in a process of its own, with little time and memory.

A template is a small program by a stranger. It runs in Jinja's sandbox, without files, network or Python, in
a process that is killed when it takes too much. Reads {"template": ..., "messages": [...], "variables":
{...}, "seconds": ...} as JSON and writes {"text": ...} or {"error": ...}.
"""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Any, NoReturn

from jinja2 import nodes
from jinja2.exceptions import TemplateError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

MAX_BYTES = 1 << 29
MAX_CHARS = 200_000


class _Generation(Extension):
    """A block round what a model wrote, which some makers mark for training; it changes no text."""

    tags = {"generation"}  # noqa: RUF012  the library declares it so

    def parse(self, parser: Parser) -> list[nodes.Node]:
        """Return what is in the block."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def render(template: str, messages: list[dict[str, str]], variables: dict[str, str]) -> str:
    """Return the rendered template; raises TemplateError and whatever else a hostile template can raise."""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols, _Generation]
    )
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "sort_keys": False}
    environment.globals["raise_exception"] = _refuse
    environment.globals["strftime_now"] = lambda _format: ""  # the text must not depend on the day
    text = environment.from_string(template).render(
        messages=messages,
        add_generation_prompt=False,
        continue_final_message=True,
        enable_thinking=False,  # as different families call it
        thinking=False,
        **variables,
    )
    if len(text) > MAX_CHARS:
        raise TemplateError("it makes too much text")
    return text


def _refuse(message: object) -> NoReturn:
    raise TemplateError(str(message)[:200])


def _limit(seconds: int) -> None:
    """Limit CPU time and memory, where the system supports it."""
    if sys.platform == "win32":
        return
    import resource

    for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, MAX_BYTES)):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (most, most))


def main() -> None:
    """Render the request on standard input."""
    asked: dict[str, Any] = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    _limit(int(asked["seconds"]))
    try:
        answer = {"text": render(asked["template"], asked["messages"], asked["variables"])}
    except Exception as error:  # noqa: BLE001  a template can raise anything, and what it was is told
        answer = {"error": " ".join(str(error).split())[:200] or type(error).__name__}
    sys.stdout.buffer.write(json.dumps(answer).encode("utf-8"))


if __name__ == "__main__":
    main()
