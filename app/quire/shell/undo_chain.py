"""Undo and redo of the window: of typing, of a draft, and of changes to the tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from quire.editor.manuscript_editor import ManuscriptEditor
from quire.shell.project_status import ProjectStatus, SaveState


@dataclass(frozen=True, slots=True)
class _Offer:
    """How to undo the latest change that was not made in the text; text: of the menu."""

    text: str
    undo: Callable[[], None]


class UndoChain(QObject):
    """Undoes what the writer did last: a change of the tree, typing, or the draft at the end.

    A draft is one step; what was typed before it is undone after it. While another view hides the text, only
    changes of the tree are undone: nobody would see what became of the text.

    Signals:
        offer_gone: the change of the tree was undone, can't be for now, or is no longer the latest.

    Args:
        undo, redo: the actions of the Edit menu.
    """

    offer_gone = Signal()

    def __init__(
        self, editor: ManuscriptEditor, status: ProjectStatus, undo: QAction, redo: QAction, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._editor, self._status, self._undo, self._redo = editor, status, undo, redo
        self._draft_undo: QAction | None = None
        self._draft_redo: QAction | None = None
        self._offers: list[_Offer] = []
        undo.triggered.connect(self.undo)
        redo.triggered.connect(self.redo)
        editor.undo_asked.connect(self.undo)
        editor.redo_asked.connect(self.redo)
        editor.edited.connect(self._forget_offer)
        editor.undoAvailable.connect(self.refresh)
        editor.redoAvailable.connect(self.refresh)
        for signal in (status.changed, status.saved):
            signal.connect(self.refresh)
        self.refresh()

    def add_draft(self, undo: QAction, redo: QAction) -> None:
        """Undo and redo the last draft with these actions once there is no typing left to undo."""
        self._draft_undo, self._draft_redo = undo, redo
        undo.changed.connect(self.refresh)
        redo.changed.connect(self.refresh)
        self.refresh()

    def offer(self, text: str, undo: Callable[[], None], *, then_earlier: bool = False) -> None:
        """Undo a change of the tree next, until the writer types.

        Args:
            text: of the menu.
            then_earlier: what was offered before can be undone after it.
        """
        if self._offers:
            self.offer_gone.emit()
        if not then_earlier:
            self._offers.clear()
        self._offers.append(_Offer(text, undo))
        self.refresh()

    def undo_offer(self) -> None:
        """Undo the change of the tree, if it is still the latest."""
        if self._offers and self._status.is_at_rest:
            self.undo()

    def forget(self) -> None:
        """Forget the change of the tree: another project is shown, or the tree has changed again."""
        self._forget_offer()

    @Slot()
    def undo(self) -> None:
        """Undo the last change."""
        if self._offers and self._status.is_at_rest:
            self._offers.pop().undo()
            self.offer_gone.emit()
        elif self._draft_comes_first:
            self._trigger(self._draft_undo)
        elif self._may_edit and self._editor.can_undo:
            self._editor.undo()
        self.refresh()

    @Slot()
    def redo(self) -> None:
        """Redo what was undone last."""
        if self._draft_comes_back:
            self._trigger(self._draft_redo)
        elif self._may_edit and self._editor.can_redo:
            self._editor.redo()
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show in the menu what would be undone or redone."""
        if self._offers and self._status.is_busy:
            self.offer_gone.emit()
        of_draft, again = self._draft_comes_first, self._draft_comes_back
        text = self.tr("&Undo Draft") if of_draft else self.tr("&Undo")
        offer = self._offers[-1] if self._offers and self._status.is_at_rest else None
        self._undo.setText(text if offer is None else offer.text)
        may_undo = _is_enabled(self._draft_undo) if of_draft else self._may_edit and self._editor.can_undo
        may_redo = _is_enabled(self._draft_redo) if again else self._may_edit and self._editor.can_redo
        self._undo.setEnabled(offer is not None or may_undo)
        self._redo.setText(self.tr("&Redo Draft") if again else self.tr("&Redo"))
        self._redo.setEnabled(may_redo)

    @property
    def _draft_comes_first(self) -> bool:
        """Return whether the draft is undone next: nothing was typed since, or it is not known yet."""
        history = self._editor.history
        if not self._shows_text:
            return False
        if not self._editor.can_undo:
            return _is_enabled(self._draft_undo)
        return history.draft_is_last and (_is_enabled(self._draft_undo) or not self._is_settled)

    @property
    def _draft_comes_back(self) -> bool:
        """Return whether an undone draft is redone next, or may be: it is not known yet."""
        if not self._shows_text or self._editor.can_redo:
            return False
        if self._editor.history.draft_is_next:
            return _is_enabled(self._draft_redo) or not self._is_settled
        return not self._editor.can_undo and _is_enabled(self._draft_redo)

    @property
    def _is_settled(self) -> bool:
        """Return whether it is known what can be done with the last draft."""
        return self._status.is_at_rest and self._status.save_state is SaveState.SAVED

    @staticmethod
    def _trigger(action: QAction | None) -> None:
        if action is not None:
            action.trigger()

    @property
    def _may_edit(self) -> bool:
        return self._shows_text and self._status.is_open and not self._editor.isReadOnly()

    @property
    def _shows_text(self) -> bool:
        return self._editor.isVisibleTo(self._editor.window())

    @Slot()
    def _forget_offer(self) -> None:
        if self._offers:
            self._offers.clear()
            self.refresh()
            self.offer_gone.emit()


def _is_enabled(action: QAction | None) -> bool:
    return action is not None and action.isEnabled()
