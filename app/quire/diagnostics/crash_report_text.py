"""What a crash report may contain: no text of a book can get into one.

The rule: a report is made of the program's own text, not of the data it works on. It has the type and
location of an exception, but not its message, which may quote the manuscript or a file name, and thus the
title of a book. It has the text of a log line only if that is a literal of the program, with no values but
numbers. It has the name of the function that logged a Qt message.
"""

from __future__ import annotations

import errno
import logging
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FrameType, TracebackType

MAX_FRAMES = 60
"""Maximum length of a traceback; infinite recursion has a thousand identical frames."""
LEFT_OUT = "(a message that is left out)"
_ELSEWHERE = "(elsewhere)"
_MAX_CHAIN = 8
_OURS = ("quire", "quire_engine", "quire_resources")
_TYPE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.([A-Za-z_][A-Za-z0-9_]*|<locals>))*", re.ASCII)
_FUNCTION = re.compile(
    r"[A-Za-z_][A-Za-z0-9_.]*|<(module|lambda|listcomp|setcomp|dictcomp|genexpr)>", re.ASCII
)
_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]*\.py", re.ASCII)
_FROZEN = re.compile(r"<frozen [a-z_.]+>", re.ASCII)
_LIBRARY = re.compile(r".*[/\\](?:site-packages|dist-packages|[Ll]ib(?:[/\\]python3\.\d+)?)[/\\]")
_QT_FUNCTION = re.compile(r"[A-Z][A-Za-z0-9]*(?:::~?[A-Za-z][A-Za-z0-9]*)+", re.ASCII)
_SQLITE_NAME = re.compile(r"SQLITE_[A-Z_]+", re.ASCII)
_FAULT_FRAME = re.compile(r'\s*File "(?P<file>[^"]*)", line (?P<line>\d+) in (?P<function>\S+)\s*')
_FAULT_THREAD = re.compile(r"(?P<current>Current thread|Thread) 0x[0-9a-fA-F]+")
_FAULTS = re.compile(
    r"(Fatal Python error|Windows fatal exception): (Segmentation fault|Aborted|Bus error|Illegal instruction"
    r"|Floating[- ]point exception|access violation|stack overflow|int divide by zero)"
)
_NUMBERS = (int, float)


def described(error: BaseException) -> str:
    """Return the description of an exception: types and locations, the first cause first."""
    return "\n".join(_chain(error, set()))


def file_name(path: str) -> str:
    """Return a source file relative to its package, or a placeholder for one that belongs to none."""
    if _FROZEN.fullmatch(path):
        return path
    slashed = path.replace("\\", "/")
    parts = slashed.split("/")
    for index in range(len(parts) - 1, -1, -1):
        tail = "/".join(parts[index:])
        if parts[index] in _OURS and _FILE.fullmatch(tail) and _is_ours(tail):
            return tail
    library = _LIBRARY.match(slashed)
    tail = slashed[library.end() :] if library else ""
    return tail if _FILE.fullmatch(tail) else _ELSEWHERE


def log_line(record: logging.LogRecord) -> str:
    """Return the description of a log record; call it while the record is being logged.

    Its text is included if the code that logs it has it among its constants.
    """
    when = logging.Formatter().formatTime(record, "%H:%M:%S")
    line = f"{when} {record.levelname} {record.name}: {_message_of(record)}"
    error = record.exc_info[1] if record.exc_info else None
    return f"{line}\n{described(error)}" if error is not None else line


def qt_line(kind: str, message: str) -> str:
    """Return the description of a Qt message; kind: its severity."""
    function = _QT_FUNCTION.match(message)
    return f"Qt {kind}: {function[0] if function else LEFT_OUT}"


def fault(dump: str) -> str:
    """Return the description of faulthandler's output when the process was ended by a signal."""
    return "\n".join(_fault_lines(dump))


def _chain(error: BaseException, seen: set[int]) -> Iterator[str]:
    if id(error) in seen or len(seen) >= _MAX_CHAIN:
        return
    seen.add(id(error))
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from _chain(before, seen)
        yield "which led to" if error.__cause__ is not None else "and while that was dealt with"
    yield from _frames(error.__traceback__)
    yield _name_of(error)
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield "one of these was"
            yield from _chain(part, seen)


def _frames(traceback: TracebackType | None) -> Iterator[str]:
    lines: list[str] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        lines.append(_place(code.co_filename, traceback.tb_lineno, code.co_name))
        traceback = traceback.tb_next
    if len(lines) > MAX_FRAMES:
        half = MAX_FRAMES // 2
        lines[half:-half] = [f"  ... {len(lines) - 2 * half} more ..."]
    yield from lines


def _place(path: str, line: int, function: str) -> str:
    return f"  {file_name(path)}, line {line}, in {function if _FUNCTION.fullmatch(function) else '?'}"


def _name_of(error: BaseException) -> str:
    """Return the type and, for system errors, which one it is: a name from a fixed list."""
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    if not _TYPE_NAME.fullmatch(name):
        name = "an exception whose name is left out"
    detail = ""
    if isinstance(error, OSError):
        detail = errno.errorcode.get(error.errno or 0, "")
    else:  # SQLite's; the module is not imported for this
        found = getattr(error, "sqlite_errorname", "")
        detail = found if isinstance(found, str) and _SQLITE_NAME.fullmatch(found) else ""
    return f"{name} ({detail})" if detail else name


@cache
def _is_ours(tail: str) -> bool:
    """Return whether a path within one of our packages is one of its files, so that nothing else is named."""
    package, _, rest = tail.partition("/")
    found = find_spec(package)
    return found is not None and found.origin is not None and (Path(found.origin).parent / rest).is_file()


def _message_of(record: logging.LogRecord) -> str:
    frame = _logging_frame(record)
    if not isinstance(record.msg, str) or frame is None or not _stands_in(frame.f_code, record.msg):
        return LEFT_OUT
    args = record.args if isinstance(record.args, tuple) else ()
    if not args or not all(isinstance(arg, _NUMBERS) for arg in args):
        return record.msg
    try:
        return record.msg % args
    except (TypeError, ValueError):  # a different number or kind than the text expects
        return record.msg


def _logging_frame(record: logging.LogRecord) -> FrameType | None:
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename == record.pathname and frame.f_lineno == record.lineno:
            return frame
        frame = frame.f_back
    return None


def _stands_in(code: CodeType, message: str) -> bool:
    return any(isinstance(constant, str) and constant == message for constant in code.co_consts)


def _fault_lines(dump: str) -> Iterator[str]:
    for line in dump.splitlines():
        if found := _FAULTS.match(line):
            yield found[0]
        elif line.startswith(("Fatal Python error", "Windows fatal exception")):
            yield "Fatal error of another kind"
        elif found := _FAULT_THREAD.match(line):
            yield f"{found['current']}:"
        elif found := _FAULT_FRAME.fullmatch(line):
            yield _place(found["file"], int(found["line"]), found["function"])
