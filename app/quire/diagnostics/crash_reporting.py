"""Records errors of this process for a report that the writer can choose to send.

Nothing is sent anywhere. quire.diagnostics.crash_report_text defines what a report may contain.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import logging
import platform
import sys
import threading
from collections.abc import Callable
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    Qt,
    QTimer,
    QtMsgType,
    Signal,
    Slot,
    qFormatLogMessage,
    qInstallMessageHandler,
    qVersion,
)

from quire import __version__
from quire.diagnostics import crash_report_text
from quire.diagnostics.session_records import EARLY_S, LastTime, Noted, SessionFile, kept_reports, last_time
from quire.system.app_folders import state_folder

_LOGGERS = ("quire", "quire_engine")
_NOT_ERRORS = (KeyboardInterrupt, SystemExit)
_QT_KINDS = {
    QtMsgType.QtWarningMsg: "warning",
    QtMsgType.QtCriticalMsg: "critical",
    QtMsgType.QtFatalMsg: "fatal",
}
_log = logging.getLogger(__name__)


class Reporting(QObject):
    """Records all errors between start() and finish().

    Attributes:
        last_time: how the last start ended.

    Args:
        folder: None for the default.

    Signals:
        troubled: an unhandled error was recorded; emitted on this object's thread.
    """

    troubled = Signal()
    _noted_somewhere = Signal()

    def __init__(self, folder: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = state_folder() if folder is None else folder
        self._file: SessionFile | None = None
        self._lock = threading.RLock()
        self._undo: list[Callable[[], object]] = []
        self._steady = QTimer(self)
        self._steady.setSingleShot(True)
        self._steady.timeout.connect(self._note_steady)
        self._noted_somewhere.connect(self._notify, Qt.ConnectionType.QueuedConnection)
        self.last_time = LastTime()

    @property
    def folder(self) -> Path:
        """Return the folder of the records."""
        return self._folder

    def start(self) -> None:
        """Check how the last start ended, and start recording errors."""
        self.last_time = last_time(self._folder)
        try:
            self._file = SessionFile(self._folder, about_this_computer(), datetime.now().astimezone())
        except OSError as error:
            _log.warning("no report can be kept: %s", error)
            return
        self._steady.start(round(EARLY_S * 1000))
        faulthandler.enable(self._file.fault)
        self._undo.append(faulthandler.disable)
        self._take_exceptions()
        self._take_log()
        self._undo.append(_giving_back(qInstallMessageHandler(self._qt_said)))

    def watch_loop(self, loop: asyncio.AbstractEventLoop) -> None:
        """Record exceptions of a loop's tasks that nobody awaited."""
        loop.set_exception_handler(self._loop_failed)

    def finish(self) -> None:
        """Mark this start as ended normally; otherwise the next one reports a crash."""
        self._steady.stop()
        for undo in reversed(self._undo):
            undo()
        self._undo.clear()
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def report(self) -> str:
        """Return the report of this start, and of the last one if it crashed."""
        with self._lock:
            noted = Noted(about=about_this_computer()) if self._file is None else self._file.noted
        before = self.last_time.report or _newest(self._folder)
        return noted.report() if not before else f"{noted.report()}\n--- An earlier start ---\n\n{before}"

    def note(self, error: BaseException) -> None:
        """Record an exception; from any thread."""
        text = crash_report_text.described(error)
        with self._lock:
            if self._file is not None:
                self._file.error(text)

    # ------------------------------------------------------------ exception hooks
    def _take_exceptions(self) -> None:
        before, thread_before, unraisable_before = sys.excepthook, threading.excepthook, sys.unraisablehook

        def uncaught(
            kind: type[BaseException], error: BaseException, traceback: TracebackType | None
        ) -> None:
            self._note_trouble(error)
            before(kind, error, traceback)

        def uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
            self._note_trouble(args.exc_value)
            thread_before(args)

        def unraisable(args: Any) -> None:
            self._note_trouble(args.exc_value)
            unraisable_before(args)

        def restore() -> None:
            sys.excepthook, threading.excepthook = before, thread_before
            sys.unraisablehook = unraisable_before

        sys.excepthook, threading.excepthook, sys.unraisablehook = uncaught, uncaught_in_thread, unraisable
        self._undo.append(restore)

    def _loop_failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, BaseException):
            self._note_trouble(error)
        loop.default_exception_handler(context)

    def _note_trouble(self, error: BaseException | None) -> None:
        if error is not None and not isinstance(error, _NOT_ERRORS):
            self.note(error)
            self._noted_somewhere.emit()

    # ------------------------------------------------------------ logging
    def _take_log(self) -> None:
        handler = _LogTaker(self._take_line)
        for name in _LOGGERS:
            logging.getLogger(name).addHandler(handler)
            self._undo.append(_remover(name, handler))
            if not logging.getLogger().handlers and logging.lastResort is not None:
                # records with a handler are no longer printed by default
                logging.getLogger(name).addHandler(logging.lastResort)
                self._undo.append(_remover(name, logging.lastResort))

    def _take_line(self, line: str) -> None:
        with self._lock:
            if self._file is not None:
                self._file.log_line(line)

    def _qt_said(self, kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        if kind in _QT_KINDS:
            self._take_line(crash_report_text.qt_line(_QT_KINDS[kind], message))
        if sys.stderr is not None:  # on Windows there may be none
            with contextlib.suppress(OSError):
                sys.stderr.write(qFormatLogMessage(kind, context, message) + "\n")

    # ------------------------------------------------------------ inside
    @Slot()
    def _notify(self) -> None:
        self.troubled.emit()

    @Slot()
    def _note_steady(self) -> None:
        with self._lock:
            if self._file is not None:
                self._file.steady()


class _LogTaker(logging.Handler):
    """Records the part of a log record that a report may contain."""

    def __init__(self, take: Callable[[str], None]) -> None:
        super().__init__(logging.INFO)
        self._take = take

    def emit(self, record: logging.LogRecord) -> None:
        self._take(crash_report_text.log_line(record))


def about_this_computer() -> str:
    """Return the versions of Quire's components, and the system, without importing anything."""
    lines = [
        f"Quire {__version__}, Python {platform.python_version()}, {sys.platform}",
        f"Qt {qVersion()}, PySide6 {_version_of('PySide6-Essentials')}, torch {_version_of('torch')},"
        f" transformers {_version_of('transformers')}",
        platform.platform(),
    ]
    return "\n".join(lines)


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"


def _newest(folder: Path) -> str:
    for path in kept_reports(folder):
        with contextlib.suppress(OSError):
            return path.read_text(encoding="utf-8", errors="replace")
    return ""


def _remover(name: str, handler: logging.Handler) -> Callable[[], None]:
    return lambda: logging.getLogger(name).removeHandler(handler)


def _giving_back(before: Any) -> Callable[[], object]:
    """Return a function that restores the previous Qt message handler; None: Qt's own."""
    return lambda: qInstallMessageHandler(before)
