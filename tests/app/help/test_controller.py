"""The Help menu in a window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog

from quire.diagnostics.crash_reporting import Reporting
from quire.help.about_dialog import AboutDialog
from quire.help.controller import TROUBLE, HelpController
from quire.help.crash_report_dialog import ReportDialog
from quire.help.manual_dialog import ManualDialog
from quire.shell.main_window import MainWindow
from quire.shell.notices import NoticeAction
from tests.app.bare_app import bare_app


@pytest.fixture
def reporting() -> Reporting:
    return Reporting()


@pytest.fixture
def controller(window: MainWindow, reporting: Reporting, tmp_path: Path) -> HelpController:
    return HelpController(bare_app(window, tmp_path, reporting=reporting))


@pytest.mark.parametrize(
    ("name", "kind"), [("manual", ManualDialog), ("report", ReportDialog), ("about", AboutDialog)]
)
def test_a_dialog_opens_without_blocking(
    controller: HelpController, window: MainWindow, name: str, kind: type[QDialog]
) -> None:
    action: QAction = getattr(window.commands, name)
    action.trigger()
    (dialog,) = (child for child in window.findChildren(QDialog) if child.isVisible())
    assert isinstance(dialog, kind)
    dialog.reject()


def test_the_report_is_offered_once(
    controller: HelpController, window: MainWindow, reporting: Reporting
) -> None:
    reporting.troubled.emit()
    notice = window.notice_bar.notice
    assert notice is not None
    assert (notice.text, notice.action) == (TROUBLE, NoticeAction.SHOW_REPORT)
    window.notice_bar.clear()
    reporting.troubled.emit()
    assert window.notice_bar.notice is None


def test_the_button_of_a_notice_shows_the_report(controller: HelpController, window: MainWindow) -> None:
    window.action_chosen.emit(NoticeAction.SHOW_REPORT)
    (dialog,) = window.findChildren(ReportDialog)
    assert dialog.isVisible()
    dialog.reject()
