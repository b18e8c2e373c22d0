"""Undo and redo of the window: of typing, of a draft, and of changes to the tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from quire.editor.manuscript_editor import ManuscriptEditor
from quire.shell.project_status import ProjectStatus


@dataclass(frozen=True, slots=True)
class _Offer:
    """How to undo the latest change that was not made in the text; text: of the menu."""

    text: str
    undo: Callable[[], None]


class UndoChain(QObject):
    """Undoes what the writer did last: a change of the tree, then typing, then the draft at the end.

    A draft is one step, and what was typed before it stays as it is.

    Args:
        undo, redo: the actions of the Edit menu.
    """

    def __init__(
        self, editor: ManuscriptEditor, status: ProjectStatus, undo: QAction, redo: QAction, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._editor, self._status, self._undo, self._redo = editor, status, undo, redo
        self._draft_undo: QAction | None = None
        self._draft_redo: QAction | None = None
        self._offer: _Offer | None = None
        undo.triggered.connect(self.undo)
        redo.triggered.connect(self.redo)
        editor.undo_asked.connect(self.undo)
        editor.redo_asked.connect(self.redo)
        editor.edited.connect(self._forget_offer)
        editor.undoAvailable.connect(self.refresh)
        editor.redoAvailable.connect(self.refresh)
        status.changed.connect(self.refresh)
        self.refresh()

    def add_draft(self, undo: QAction, redo: QAction) -> None:
        """Undo and redo the last draft with these actions once there is no typing left to undo."""
        self._draft_undo, self._draft_redo = undo, redo
        undo.changed.connect(self.refresh)
        redo.changed.connect(self.refresh)
        self.refresh()

    def offer(self, text: str, undo: Callable[[], None]) -> None:
        """Undo a change of the tree next, until the writer types; text: of the menu."""
        self._offer = _Offer(text, undo)
        self.refresh()

    def forget(self) -> None:
        """Forget the change of the tree: another project is shown, or the tree has changed again."""
        self._forget_offer()

    @Slot()
    def undo(self) -> None:
        """Undo the last change."""
        if self._offer is not None and self._status.is_at_rest:
            offer, self._offer = self._offer, None
            offer.undo()
        elif self._may_edit and self._editor.can_undo:
            self._editor.undo()
        elif self._draft_undo is not None:
            self._draft_undo.trigger()
        self.refresh()

    @Slot()
    def redo(self) -> None:
        """Redo what was undone last."""
        if self._may_edit and self._editor.can_redo:
            self._editor.redo()
        elif self._draft_redo is not None and not self._editor.can_undo:
            self._draft_redo.trigger()
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show in the menu what would be undone or redone."""
        may_undo = self._may_edit and self._editor.can_undo
        may_redo = self._may_edit and self._editor.can_redo
        of_draft = not may_undo and self._draft_undo is not None and self._draft_undo.isEnabled()
        again = not self._editor.can_undo and self._draft_redo is not None and self._draft_redo.isEnabled()
        text = self.tr("&Undo Draft") if of_draft else self.tr("&Undo")
        offer = self._offer if self._status.is_at_rest else None
        self._undo.setText(text if offer is None else offer.text)
        self._undo.setEnabled(offer is not None or may_undo or of_draft)
        self._redo.setText(self.tr("&Redo Draft") if again and not may_redo else self.tr("&Redo"))
        self._redo.setEnabled(may_redo or again)

    @property
    def _may_edit(self) -> bool:
        return self._status.is_open and not self._editor.isReadOnly()

    @Slot()
    def _forget_offer(self) -> None:
        if self._offer is not None:
            self._offer = None
            self.refresh()
