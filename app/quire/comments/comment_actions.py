"""The actions of comments, with their shortcuts."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from quire.ui.action_table import ActionTable, add_to_menu


class CommentActions(ActionTable):
    """The actions of Edit > Comments; what they do is decided where they are connected."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.comment = self._action(self.tr("Co&mment"), "Ctrl+Shift+C")
        self.following = self._action(self.tr("&Next Comment"), "Ctrl+Shift+PgDown")
        self.previous = self._action(self.tr("&Previous Comment"), "Ctrl+Shift+PgUp")
        self.show_list = self._action(self.tr("&All Comments"))
        self.submenu = QMenu(self.tr("Co&mments"))
        add_to_menu(self.submenu, self.comment, None, self.following, self.previous, self.show_list)

    def fill(self, edit_menu: QMenu) -> None:
        """Put the submenu into the Edit menu."""
        add_to_menu(edit_menu, self.submenu)

    def name_comment(self, *, is_there: bool) -> None:
        """Say whether the comment at the cursor is edited, or a new one begun."""
        self.comment.setText(self.tr("Edit Co&mment") if is_there else self.tr("Co&mment"))

    def undo_delete_text(self) -> str:
        """Return the entry of the Edit menu that brings back a deleted comment."""
        return self.tr("&Undo Delete Comment")

    def undo_resolve_text(self) -> str:
        """Return the entry of the Edit menu that reopens a resolved comment."""
        return self.tr("&Undo Resolve Comment")

    def set_open(self, *, is_open: bool, may_edit: bool) -> None:
        """Enable what needs a project, and what needs one that can be changed."""
        for action in (self.following, self.previous, self.show_list):
            action.setEnabled(is_open)
        self.comment.setEnabled(is_open and may_edit)
