"""The engine's command line: `python -m quire_engine generate ...`."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Sequence

from quire_engine.api.errors import EnvironmentProblem, tokenizer_problem
from quire_engine.cli.commands import (
    check,
    command_parser,
    generate,
    heads,
    prepare,
    self_test,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Exit status: 0 success, 1 an error with a message, 2 wrong usage, 130 interrupted."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    args = command_parser(preparing=words[:1] == ["prepare"]).parse_args(words)
    if isinstance(sys.stdout, io.TextIOWrapper):  # a novel is not ASCII, whatever the console was set to
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    try:
        return _COMMANDS[args.command](args)
    except EnvironmentProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except OSError as problem:
        sys.stderr.write(f"{problem.strerror or problem}: {problem.filename or ''}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        return 130
    except BaseException as error:
        if (panic := tokenizer_problem(error)) is None:
            raise
        sys.stderr.write(f"{panic}\n")
        return 1


_COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "generate": generate,
    "selftest": self_test,
    "prepare": prepare,
    "heads": heads,
    "check": check,
}


if __name__ == "__main__":
    raise SystemExit(main())
