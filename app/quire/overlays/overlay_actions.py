"""The actions of overlays, with their shortcuts."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from quire.ui.action_table import ActionTable, add_to_menu


class OverlayActions(ActionTable):
    """The actions of overlays; what they do and when is decided where they are connected."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.next_overlay = self._action(self.tr("&Next Highlight"), "F7")
        self.echo_list = self._action(self.tr("&Echo List…"))
        self.phrases = self._action(self.tr("&Frequent Phrases…"))
        self.go_to_twin = self._action(self.tr("Go to &Matching Repeat"))
        self.alternatives = self._action(self.tr("Alternati&ves for Selection…"))

    def name_alternatives(self, *, of_selection: bool) -> None:
        """Say of which words alternatives are shown: the selected ones, or the one at the caret."""
        word = self.tr("Alternati&ves for This Word…")
        self.alternatives.setText(self.tr("Alternati&ves for Selection…") if of_selection else word)

    def fill(self, menu: QMenu) -> None:
        """Fill the Inspect menu of the window."""
        add_to_menu(
            menu, self.next_overlay, self.echo_list, self.phrases, self.go_to_twin, None, self.alternatives
        )
