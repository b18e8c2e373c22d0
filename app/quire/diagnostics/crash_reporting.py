"""Notices what goes wrong in this process, and keeps it for a report that the writer can send or not.

Nothing is sent anywhere. What may stand in a report says quire.diagnostics.crash_report_text.
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
    """From start() to finish() everything that goes wrong is noted; last_time tells how the last start ended.

    troubled: an error was noted that nobody dealt with; on this object's thread. folder: None for the usual.
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
        self._noted_somewhere.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        self.last_time = LastTime()

    @property
    def folder(self) -> Path:
        """Where it is noted."""
        return self._folder

    def start(self) -> None:
        """Look how the last start ended, and note from now on what goes wrong."""
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
        """Note what a task of a loop ended on that nobody waited for."""
        loop.set_exception_handler(self._loop_failed)

    def finish(self) -> None:
        """Take that this start ends as it should; without this the next one says that it did not."""
        self._steady.stop()
        for undo in reversed(self._undo):
            undo()
        self._undo.clear()
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def report(self) -> str:
        """Return what there is to say about this start, and about the last one that was cut off."""
        with self._lock:
            noted = Noted(about=about_this_computer()) if self._file is None else self._file.noted
        before = self.last_time.report or _newest(self._folder)
        return noted.report() if not before else f"{noted.report()}\n--- An earlier start ---\n\n{before}"

    def note(self, error: BaseException) -> None:
        """Note an exception; from any thread."""
        text = crash_report_text.described(error)
        with self._lock:
            if self._file is not None:
                self._file.error(text)

    # ------------------------------------------------------------ where exceptions come by
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

    # ------------------------------------------------------------ what is logged
    def _take_log(self) -> None:
        handler = _LogTaker(self._take_line)
        for name in _LOGGERS:
            logging.getLogger(name).addHandler(handler)
            self._undo.append(_remover(name, handler))
            if not logging.getLogger().handlers and logging.lastResort is not None:
                # what has a handler is not printed by itself any more
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
    def _tell(self) -> None:
        self.troubled.emit()

    @Slot()
    def _note_steady(self) -> None:
        with self._lock:
            if self._file is not None:
                self._file.steady()


class _LogTaker(logging.Handler):
    """Passes on of each record what may stand in a report."""

    def __init__(self, take: Callable[[str], None]) -> None:
        super().__init__(logging.INFO)
        self._take = take

    def emit(self, record: logging.LogRecord) -> None:
        self._take(crash_report_text.log_line(record))


def about_this_computer() -> str:
    """Return the versions of what Quire is made of, and the system; nothing is imported for it."""
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
    """Return what gives Qt's messages back to whoever had them before; None: to Qt itself."""
    return lambda: qInstallMessageHandler(before)
