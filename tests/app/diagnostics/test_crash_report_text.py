"""What may stand in a report: places and kinds, never a word of the manuscript."""

from __future__ import annotations

import errno
import logging
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quire.diagnostics import crash_report_text
from quire.domain.manuscript.chapter_splitting import cut
from quire.errors import WriterProblem

PHRASE = "Mara went down to the ferry"
secrets = st.text(min_size=12).map(lambda text: f"\u00a7{text}\u00a7")


def raised(raise_it: Callable[[], object]) -> BaseException:
    try:
        raise_it()
    except Exception as error:  # noqa: BLE001  whatever it is, it is looked at
        return error
    raise AssertionError("nothing was raised")


def test_an_exception_is_told_by_its_type_and_place() -> None:
    error = raised(lambda: cut("text", max_chars=0))
    lines = crash_report_text.described(error).splitlines()
    assert lines[-1] == "ValueError"
    assert any(
        line.startswith("  quire/domain/manuscript/chapter_splitting.py, line ") and line.endswith("in cut")
        for line in lines
    )
    assert str(Path(crash_report_text.__file__).parents[2]) not in "\n".join(lines)


def refused(phrase: str) -> BaseException:
    def deep() -> None:
        try:
            try:
                dict[str, str]()[phrase]
            except KeyError as error:
                error.add_note(phrase)
                raise WriterProblem(f"{phrase} could not be stored") from error
        except WriterProblem:
            raise ExceptionGroup(phrase, [ValueError(phrase), FileNotFoundError(2, phrase, phrase)]) from None

    return raised(deep)


@given(secrets)
@example(PHRASE)
@example("\n  api/errors.py, line 1, in " + PHRASE)
def test_no_message_of_an_exception_gets_into_a_report(phrase: str) -> None:
    assert phrase not in crash_report_text.described(refused(phrase))
    for error in (
        SyntaxError(phrase, (phrase, 1, 1, phrase)),
        UnicodeDecodeError("utf-8", b"abc", 0, 1, phrase),
    ):
        assert phrase not in crash_report_text.described(error)
    assert phrase not in crash_report_text.described(type(phrase.replace("\0", ""), (Exception,), {})())


def test_where_code_without_a_file_came_from_is_not_named() -> None:
    error = raised(lambda: exec(compile(f"raise ValueError({PHRASE!r})", PHRASE, "exec"), {}))
    report = crash_report_text.described(error)
    assert "(elsewhere), line 1, in <module>" in report
    assert PHRASE not in report


def test_what_led_to_what_is_told_in_order() -> None:
    def deep() -> None:
        try:
            raise KeyError(PHRASE)
        except KeyError as error:
            raise RuntimeError(PHRASE) from error

    lines = crash_report_text.described(raised(deep)).splitlines()
    assert [line for line in lines if not line.startswith("  ")] == [
        "KeyError",
        "which led to",
        "RuntimeError",
    ]


def test_errors_of_the_system_tell_which_one_by_a_name_from_a_list() -> None:
    full = OSError(errno.ENOSPC, PHRASE, f"/home/ann/{PHRASE}.quire")
    assert crash_report_text.described(full) == "OSError (ENOSPC)"
    with sqlite3.connect(":memory:") as connection:
        error = raised(lambda: connection.execute(f"SELECT '{PHRASE}' FROM nowhere"))
    connection.close()
    assert crash_report_text.described(error).splitlines()[-1] == "sqlite3.OperationalError (SQLITE_ERROR)"


def test_a_recursion_without_an_end_is_told_in_short() -> None:
    def again() -> None:
        again()

    lines = crash_report_text.described(raised(again)).splitlines()
    assert len(lines) == crash_report_text.MAX_FRAMES + 2
    assert sum("more ..." in line for line in lines) == 1


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/opt/app/quire/editor/document.py", "quire/editor/document.py"),
        ("C:\\Users\\Ann\\quire\\editor\\document.py", "quire/editor/document.py"),
        ("/home/ann/quire/My Secret Novel.py", "(elsewhere)"),
        ("/home/ann/quire/secret.py", "(elsewhere)"),
        ("/usr/lib/python3.11/asyncio/events.py", "asyncio/events.py"),
        ("/venv/lib/python3.12/site-packages/qasync/__init__.py", "qasync/__init__.py"),
        ("C:\\Python\\Lib\\asyncio\\events.py", "asyncio/events.py"),
        ("<frozen importlib._bootstrap>", "<frozen importlib._bootstrap>"),
        ("<string>", "(elsewhere)"),
        ("", "(elsewhere)"),
    ],
)
def test_files_are_named_within_their_package_or_not_at_all(path: str, name: str) -> None:
    assert crash_report_text.file_name(path) == name


class Lines(logging.Handler):
    """Takes what a report would say of a log."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(crash_report_text.log_line(record))


@pytest.fixture
def log() -> tuple[logging.Logger, list[str]]:
    handler = Lines()
    return _logger_with(handler), handler.lines


def _logger_with(handler: logging.Handler) -> logging.Logger:
    logger = logging.Logger("quire.test")  # noqa: LOG001  one that nobody else has
    logger.addHandler(handler)
    return logger


def test_words_of_the_program_are_kept_and_values_are_not(log: tuple[logging.Logger, list[str]]) -> None:
    logger, lines = log
    logger.warning("a chunk of %s was lost", PHRASE)
    logger.info("read %d of %.1f MB", 3, 4.5)
    logger.warning("%d words", "three")
    logger.warning("%(text)s was lost", {"text": PHRASE})
    words = [line.partition(": ")[2] for line in lines]
    assert words == ["a chunk of %s was lost", "read 3 of 4.5 MB", "%d words", "%(text)s was lost"]
    assert "INFO quire.test" in lines[1]


@given(secrets)
@example(PHRASE)
def test_words_that_do_not_stand_in_the_program_are_left_out(phrase: str) -> None:
    handler = Lines()
    logger = _logger_with(handler)
    logger.warning(f"lost: {phrase}")  # noqa: G004  what must not be done
    logger.warning("lost: %s" % phrase)  # noqa: G002, UP031
    logger.warning(phrase)
    try:
        raise ValueError(phrase)
    except ValueError:
        logger.exception("a request failed")
    assert phrase not in "\n".join(handler.lines)
    assert [line.partition(": ")[2] for line in handler.lines[:3]] == [crash_report_text.LEFT_OUT] * 3
    assert handler.lines[3].partition(": ")[2].startswith("a request failed\n")
    assert handler.lines[3].endswith("ValueError")


def test_of_qt_the_function_is_named() -> None:
    said = crash_report_text.qt_line("warning", f"QTextCursor::setPosition: Position '{PHRASE}' out of range")
    assert said == "Qt warning: QTextCursor::setPosition"
    assert crash_report_text.qt_line("warning", PHRASE) == f"Qt warning: {crash_report_text.LEFT_OUT}"


def test_a_dump_of_the_system_keeps_places_only() -> None:
    package = Path(crash_report_text.__file__).parents[2]
    dump = f"""Fatal Python error: Segmentation fault

Current thread 0x00007f1 [{PHRASE}] (most recent call first):
  File "{package}/quire/ui/labels.py", line 12 in show_text
  File "/home/ann/{PHRASE}.py", line 3 in <module>
{PHRASE}
Thread 0x00007f2 (most recent call first):
  File "{sys.prefix}/lib/python3.11/threading.py", line 9 in run
"""
    assert crash_report_text.fault(dump).splitlines() == [
        "Fatal Python error: Segmentation fault",
        "Current thread:",
        "  quire/ui/labels.py, line 12, in show_text",
        "  (elsewhere), line 3, in <module>",
        "Thread:",
        "  threading.py, line 9, in run",
    ]
    assert crash_report_text.fault(f"Fatal Python error: {PHRASE}") == "Fatal error of another kind"
    assert crash_report_text.fault("") == ""
