"""The Help menu: the manual, the problem report and About."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:  # dialogs are imported on demand
    from quire.app import App
    from quire.help.manual_dialog import ManualDialog

TROUBLE = UserMessage("Something went wrong in Quire. Your text is saved as you type.")


class HelpController:
    """Opens the dialogs of the Help menu, and offers the report after an error."""

    def __init__(self, app: App) -> None:
        window, reporting = app.window, app.reporting
        self._window, self._reporting = window, reporting
        self._manual: ManualDialog | None = None
        self._has_offered_report = False
        window.commands.manual.triggered.connect(self.show_manual)
        window.commands.report.triggered.connect(self.show_report)
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
