"""The Help menu: the manual, the problem report and About."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from quire.diagnostics.crash_reporting import Reporting
from quire.shell.main_window import MainWindow
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire.ui.action_table import ActionTable, add_to_menu
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:  # dialogs are imported on demand
    from quire.help.manual_dialog import ManualDialog

TROUBLE = UserMessage("Something went wrong in Quire. Your text is saved as you type.")


class HelpController:
    """Opens the dialogs of the Help menu, and offers the report after an error."""

    def __init__(self, window: MainWindow, reporting: Reporting) -> None:
        self._window, self._reporting = window, reporting
        self._manual: ManualDialog | None = None
        self._has_offered_report = False
        self.actions = HelpActions(window)
        self.actions.fill_help(window.commands.help_menu)
        self.actions.fill_file(window.commands.file_menu, window.commands.quit)
        self.actions.manual.triggered.connect(self.show_manual)
        self.actions.report.triggered.connect(self.show_report)
        window.commands.about.triggered.connect(self.show_about)
        window.action_chosen.connect(self._act_on)
        reporting.troubled.connect(self._offer_report)

    def show_manual(self) -> None:
        """Show the manual beside the window."""
        from quire.help.manual_dialog import ManualDialog

        if self._manual is None:
            self._manual = ManualDialog(self._window)
        self._manual.show()
        self._manual.activateWindow()

    def show_report(self) -> None:
        """Show the report that the writer can send."""
        from quire.help.crash_report_dialog import ReportDialog

        dialog = ReportDialog(self._reporting.report(), self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def show_about(self) -> None:
        """Show the version and the licences."""
        from quire.help.about_dialog import AboutDialog

        AboutDialog(self._window).open()

    def _act_on(self, action: NoticeAction) -> None:
        if action is NoticeAction.SHOW_REPORT:
            self.show_report()

    def _offer_report(self) -> None:
        """Offer the report once: an error at every mouse move must not flood the window."""
        if not self._has_offered_report and self._window.notice_bar.notice is None:
            self._has_offered_report = True
            self._window.notice_bar.show_notice(
                Notice(NoticeKind.ERROR, TROUBLE, NoticeAction.SHOW_REPORT, ())
            )


class HelpActions(ActionTable):
    """The actions; what they do is decided where they are connected."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.manual = self._action(self.tr("&Manual"), "F1")
        self.sample = self._action(self.tr("Sample &Project"))
        self.report = self._action(self.tr("&Report a Problem…"))
        self.welcome = self._action(self.tr("&Welcome Page"))
        self.close_project = self._action(self.tr("&Close Project"))

    def fill_help(self, menu: QMenu) -> None:
        """Put the manual, the sample and the report into the Help menu, before its other entries."""
        first = next(iter(menu.actions()), None)
        add_to_menu(menu, self.manual, self.sample, self.report, before=first)
        if first is not None:
            menu.insertSeparator(first)

    def fill_file(self, menu: QMenu, before: QAction) -> None:
        """Put the welcome page and the sample into the File menu."""
        add_to_menu(menu, self.close_project, self.welcome, None, before=before)
